/* Counterfactual regret minimisation by external sampling (Lanctot et al., 2009) from the start of a game, for two players
   whose payoffs add up to a constant: its average strategy approaches a Nash equilibrium, so the more iterations, the less
   can be won against it.

   An iteration walks the tree once for each player: it tries all actions of that player, and draws those of the other and of
   chance. Information sets are named by the hash of what a player has seen (`watched_hash`), so a player never uses what
   they do not know. Later iterations count more (linear averaging; Brown and Sandholm, 2019).

   A walk that visits more than `most` nodes is given up: then the game is too large for this (`full`).

   Walks can be aimed at the position of one player (information set targeting; Lisy, Lanctot and Bowling, 2015): they begin
   with actions that look to this player like those that were taken. A walk counts as much as the strategy of the player
   whose actions are drawn makes these likely, with the share DOUBT for any action. So both players' beliefs follow
   from the strategies, and what others did is evidence of what they hold. Half of the walks begin with fewer of these
   actions, so the strategies on the way to the position are learned too.

   When walks have been aimed, most leave out actions of great negative regret (Brown and Sandholm, 2015).

   Regrets against a strategy (`against`) are those of one player only, whose strategy approaches a best response to it.

   A shard adds to the sums of other regrets (`base`), which do not change meanwhile, so shards can run at the same time, also
   on other machines. Its own sums are then packed and added to the base. Until then a shard counts its own regrets as often
   as there are shards, since the others learn about the same: else their sum would overshoot. */

#define REGRET_ACTIONS 64 /* the most actions of an information set */
#define LEAST_VISITS 4    /* of an information set whose strategy is read */
#define DOUBT 0.02        /* the share of an aimed walk's strategies that is uniform */
#define MOST_AIMED 1024   /* the most small actions with which aimed walks begin */
#define LEFT_OUT 2        /* the negative regret of actions that are left out, in ranges of the payoffs */
#define TRIED_AGAIN 16    /* one in so many times they are not */
#define STACK (1 << 20)   /* bytes of the stack that a walk may take; deeper games are too large */

typedef struct { u64 a, b; i32 at, n; } info_t; /* the first of its `n` cells, one for each legal action, ascending */
typedef struct { double regret, weight, value, visits; } cell_t;
typedef struct { i64 infos, cells, done, full; } packed_t; /* then come so many information sets, and cells */

typedef struct regrets regrets_t;

struct regrets {
    i64 room, cells_room, most, infos, cells, done, stride, nodes, full;
    u64 random;
    info_t *info;
    i32 *order;                  /* the places of information sets, in the order in which walks met them */
    cell_t *cell;
    const regrets_t *base;       /* of a shard; else 0 */
    const regrets_t *against;    /* whose average strategy the other player keeps to; 0 where both learn */
    i64 learner;                 /* the player who learns then */
    i64 viewer, aimed;           /* whose position walks are aimed at, and after how many small actions */
    u64 seen[MOST_AIMED];        /* what they saw of each of these (`watched_choice`) */
    i32 only[MOST_AIMED];        /* the only action that looks so; -1 where it is not known, -2 where there are several */
    double likely[2][MOST_AIMED + 1], reached[2][MOST_AIMED + 1]; /* of walks of each player after so many actions: the sum
                                                                     of weights, and how many */
    double low, high;            /* payoffs that were met */
    i32 prunes;
};

EXPORT void regrets_free(regrets_t *r) { if (r) { free(r->info); free(r->order); free(r->cell); free(r); } }

/* Regrets with room for so many information sets, a power of 2, and twice as many actions; 0 where there is no memory. */
EXPORT regrets_t *regrets_new(u64 seed, i64 room, i64 most) {
    regrets_t *r = calloc(1, sizeof *r);
    if (!r) return 0;
    r->room = room; r->cells_room = 2 * room; r->most = most; r->random = random_seed(seed, 0); r->stride = 1;
    r->info = calloc((size_t)room, sizeof(info_t));
    r->order = calloc((size_t)room, sizeof(i32));
    r->cell = calloc((size_t)r->cells_room, sizeof(cell_t));
    if (r->info && r->order && r->cell) return r;
    regrets_free(r);
    return 0;
}

static info_t *regrets_place(const regrets_t *r, hash_t h) { /* of an information set, or the empty place where it belongs */
    for (u64 at = h.a & (u64)(r->room - 1);; at = (at + 1) & (u64)(r->room - 1)) {
        info_t *x = &r->info[at];
        if (!x->n || (x->a == h.a && x->b == h.b)) return x;
    }
}

static info_t *regrets_find(regrets_t *r, hash_t h, i32 n) { /* `n` is 0 where it is only looked up; 0 where it is not there */
    info_t *x = regrets_place(r, h);
    if (x->n) return x;
    if (!n || 4 * r->infos >= 3 * r->room || r->cells + n > r->cells_room) return 0;
    *x = (info_t){h.a, h.b, (i32)r->cells, n};
    r->order[r->infos++] = (i32)(x - r->info);
    r->cells += n;
    return x;
}

/* The regret of each action of an information set, with that of the base; and the strategy in proportion to positive ones. */
static void regrets_strategy(const regrets_t *r, const info_t *info, double *regret, double *out) {
    const cell_t *cells = &r->cell[info->at];
    const info_t *there = r->base ? regrets_place(r->base, (hash_t){info->a, info->b}) : 0;
    double sum = 0;
    i32 n = info->n;
    for (i32 i = 0; i < n; i++) {
        regret[i] = (double)r->stride * cells[i].regret + (there && there->n == n ? r->base->cell[there->at + i].regret : 0);
        sum += out[i] = regret[i] > 0 ? regret[i] : 0;
    }
    for (i32 i = 0; i < n; i++) out[i] = sum > 0 ? out[i] / sum : 1.0 / n;
}

/* The average strategy of the player who is to act; uniform where the information set was not met. */
static void regrets_average(const regrets_t *r, W *w, i32 n, double *out) {
    const info_t *info = regrets_place(r, watched_hash(w, w->s.cur));
    double sum = 0;
    for (i32 i = 0; info->n == n && i < n; i++) sum += out[i] = r->cell[info->at + i].weight;
    for (i32 i = 0; i < n; i++) out[i] = sum > 0 ? out[i] / sum : 1.0 / n;
}

static i32 regrets_drawn(u64 *random, const double *strategy, i32 n) {
    double x = (double)(random_next(random) >> 11) * 0x1p-53;
    i32 chosen = 0;
    for (; chosen < n - 1; chosen++) { x -= strategy[chosen]; if (x < 0) break; }
    return chosen;
}

static i32 regrets_legal(const u64 *mask, i32 *action) { /* list actions, ascending; how many */
    i32 n = 0;
    for (int i = 0; i < MASK && n < REGRET_ACTIONS; i++)
        for (u64 bits = mask[i]; bits && n < REGRET_ACTIONS; bits &= bits - 1) action[n++] = 64 * i + bit_low(bits);
    return n;
}

/* What a player is paid in the mean if the play goes on from here; the walk counts `weight` times. */
static double regrets_walk(regrets_t *r, W *w, int player, double weight, i64 depth) {
    u64 mask[MASK];
    double strategy[REGRET_ACTIONS], regret[REGRET_ACTIONS], value[REGRET_ACTIONS], mean = 0, out[PLAYERS];
    i32 action[REGRET_ACTIONS], n, at;
    if (depth * (i64)(sizeof(W) + sizeof mask + sizeof strategy + sizeof regret + sizeof value + sizeof action + 512) > STACK) r->full = 1;
    for (;;) { /* until the player has a choice */
        if (++r->nodes > r->most) r->full = 1;
        if (r->full) return 0;
        if (!legal_in(&w->s, mask)) {
            worth(&w->s, out);
            if (out[player] < r->low) r->low = out[player];
            if (out[player] > r->high) r->high = out[player];
            return out[player];
        }
        n = regrets_legal(mask, action);
        if (n == REGRET_ACTIONS) { r->full = 1; return 0; }
        if (n == 1) { watched_carry_out(w, action[0]); continue; }
        int mover = w->s.cur;
        if (r->against && mover != player) {
            regrets_average(r->against, w, n, strategy);
            watched_carry_out(w, action[regrets_drawn(&r->random, strategy, n)]);
            continue;
        }
        info_t *info = regrets_find(r, watched_hash(w, mover), n);
        if (!info || info->n != n) { r->full = 1; return 0; }
        at = info->at;
        regrets_strategy(r, info, regret, strategy);
        if (mover == player) break;
        i32 chosen = regrets_drawn(&r->random, strategy, n);
        for (i32 i = 0; i < n; i++) r->cell[at + i].weight += weight * (double)(r->done + 1) * strategy[i];
        watched_carry_out(w, action[chosen]);
    }
    double least_ = r->prunes && random_below(&r->random, TRIED_AGAIN) ? LEFT_OUT * (r->low - r->high) : -FAR;
    u64 left_out = 0;
    for (i32 i = 0; i < n; i++) {
        W next;
        if (regret[i] < least_ && strategy[i] <= 0) { left_out |= (u64)1 << i; continue; }
        memcpy(&next, w, sizeof next);
        watched_carry_out(&next, action[i]);
        value[i] = regrets_walk(r, &next, player, weight, depth + 1);
        mean += strategy[i] * value[i];
    }
    for (i32 i = 0; i < n && !r->full; i++) {
        if (left_out >> i & 1) continue;
        r->cell[at + i].regret += weight * (value[i] - mean);
        r->cell[at + i].value += weight * value[i];
        r->cell[at + i].visits += weight;
    }
    return mean;
}

/* How likely the player who is to act makes each legal action. */
static void regrets_chances(regrets_t *r, W *w, i32 n, double *chance) {
    info_t *info = n > 1 ? regrets_find(r, watched_hash(w, w->s.cur), 0) : 0;
    int known = info && info->n == n;
    double regret[REGRET_ACTIONS];
    if (known) regrets_strategy(r, info, regret, chance);
    for (i32 i = 0; i < n; i++) chance[i] = known ? (1 - DOUBT) * chance[i] + DOUBT / n : 1.0 / n;
}

/* Take an action that looks to the viewer like the one which was taken at a step: its chance, 0 where there is none. */
static double regrets_toward(regrets_t *r, W *w, int player, i64 step) {
    u64 mask[MASK];
    i32 action[REGRET_ACTIONS], n, alike = 0, chosen = -1;
    double chance[REGRET_ACTIONS], sum = 0;
    W next;
    if (!legal_in(&w->s, mask) || (n = regrets_legal(mask, action)) == REGRET_ACTIONS) return 0;
    regrets_chances(r, w, n, chance);
    int draws = w->s.cur != player;
    for (i32 i = 0; i < n; i++) {
        if (r->only[step] >= 0 && action[i] != r->only[step]) continue;
        memcpy(&next, w, sizeof next);
        watched_carry_out(&next, action[i]);
        if (next.w.of[r->viewer].choice != r->seen[step]) continue;
        double part = draws ? chance[i] : 1;
        sum += part; alike++;
        if ((double)(random_next(&r->random) >> 11) * 0x1p-53 * sum < part) chosen = action[i];
    }
    if (chosen < 0) return 0;
    r->only[step] = alike > 1 ? -2 : r->only[step] == -1 ? chosen : r->only[step];
    watched_carry_out(w, chosen);
    return draws ? sum : 1;
}

/* Walk on from the position, or from one on the way to it, where the play comes there. */
static void regrets_aimed(regrets_t *r, W *w, int player) {
    double weight = 1;
    i64 steps = r->aimed && random_next(&r->random) >> 63 ? random_below(&r->random, (u32)r->aimed) : r->aimed;
    for (i64 step = 0; step < steps && weight > 0; step++) weight *= regrets_toward(r, w, player, step);
    if (weight <= 0) return;
    r->likely[player][steps] += weight;
    r->reached[player][steps]++;
    regrets_walk(r, w, player, weight * r->reached[player][steps] / r->likely[player][steps], 0);
}

/* Aim walks at the position of a player who saw that of each small action; at the whole game where there are none, or too many. */
EXPORT void regrets_aim(regrets_t *r, i32 viewer, const u64 *seen, i64 n) {
    r->viewer = viewer; r->prunes = 1;
    r->aimed = n <= MOST_AIMED ? n : 0;
    for (i64 i = 0; i < r->aimed; i++) { r->seen[i] = seen[i]; r->only[i] = -1; }
    memset(r->likely, 0, sizeof r->likely);
    memset(r->reached, 0, sizeof r->reached);
}

static void regrets_begin(W *w, u64 *random) { /* a play with chance of its own */
    memset(w, 0, sizeof *w);
    w->s.random = random_next(random);
    watched_begin(w, EVERYONE);
}

/* Go on for so many iterations, a shard only until half of its room is used; 0 where the game is too large. */
EXPORT i32 regrets_run(regrets_t *r, i64 iterations) {
    for (; iterations > 0 && !r->full && !(r->base && 2 * r->infos > r->room); iterations--) {
        for (int player = 0; player < PLAYERS && !r->full; player++) {
            if (r->against && player != r->learner) continue;
            W w;
            r->nodes = 0;
            regrets_begin(&w, &r->random);
            regrets_aimed(r, &w, player);
        }
        r->done += r->stride;
    }
    return !r->full;
}

/* Begin as one of some shards that add to the same sums; its own are forgotten. */
EXPORT void regrets_shard(regrets_t *r, const regrets_t *base, u64 seed, i64 number, i64 shards) {
    for (i64 i = 0; i < r->infos; i++) r->info[r->order[i]].n = 0;
    memset(r->cell, 0, (size_t)r->cells * sizeof(cell_t));
    r->infos = r->cells = 0;
    r->base = base; r->done = base->done + number; r->stride = shards;
    r->against = base->against; r->learner = base->learner; r->full = base->full;
    r->random = random_seed(seed ^ (u64)base->done * 0x9E3779B97F4A7C15u, (u64)number);
}

/* Write the sums to `out` unless that is 0; return the number of bytes. */
EXPORT i64 regrets_pack(const regrets_t *r, char *out) {
    packed_t head = {r->infos, r->cells, r->base ? (r->done - r->base->done) / r->stride : r->done, r->full};
    if (out) {
        memcpy(out, &head, sizeof head);
        info_t *to = (info_t *)(out + sizeof head);
        for (i64 i = 0; i < r->infos; i++) to[i] = r->info[r->order[i]];
        memcpy(to + r->infos, r->cell, (size_t)r->cells * sizeof(cell_t));
    }
    return (i64)(sizeof head + (size_t)r->infos * sizeof(info_t) + (size_t)r->cells * sizeof(cell_t));
}

/* Add sums that were packed; 0 where the game is too large. */
EXPORT i32 regrets_add(regrets_t *r, const char *in) {
    const packed_t *head = (const packed_t *)in;
    const info_t *of = (const info_t *)(in + sizeof *head);
    const cell_t *from = (const cell_t *)(of + head->infos);
    r->done += head->done;
    r->full |= head->full;
    for (i64 i = 0; i < head->infos && !r->full; i++, of++) {
        info_t *info = regrets_find(r, (hash_t){of->a, of->b}, of->n);
        if (!info || info->n != of->n) r->full = 1;
        for (i32 k = 0; k < of->n && !r->full; k++) {
            cell_t *to = &r->cell[info->at + k];
            const cell_t *more = &from[of->at + k];
            to->regret += more->regret; to->weight += more->weight; to->value += more->value; to->visits += more->visits;
        }
    }
    return !r->full;
}

/* Let one player learn against the average strategies of others, which do not change. */
EXPORT void regrets_respond(regrets_t *r, const regrets_t *against, i32 learner) { r->against = against; r->learner = learner; }

/* Play so many times, all by the average strategies of `r`, or the learner of `response` by its actions of greatest regret.
   To `sums`, the payoffs and the squared payoffs of each player are added. */
EXPORT void regrets_play(const regrets_t *r, const regrets_t *response, u64 seed, i64 plays, double *sums) {
    u64 random = random_seed(seed, 0), mask[MASK];
    i32 action[REGRET_ACTIONS], n;
    double strategy[REGRET_ACTIONS], out[PLAYERS];
    for (; plays > 0; plays--) {
        W w;
        regrets_begin(&w, &random);
        while (legal_in(&w.s, mask)) {
            n = regrets_legal(mask, action);
            i32 chosen = 0;
            const info_t *info = response && w.s.cur == response->learner ? regrets_place(response, watched_hash(&w, w.s.cur)) : 0;
            if (info && info->n == n) {
                const cell_t *cells = &response->cell[info->at];
                for (i32 i = 1; i < n; i++) if (cells[i].regret > cells[chosen].regret) chosen = i;
            } else if (n > 1) {
                regrets_average(r, &w, n, strategy);
                chosen = regrets_drawn(&random, strategy, n);
            }
            watched_carry_out(&w, action[chosen]);
        }
        worth(&w.s, out);
        for (int p = 0; p < PLAYERS; p++) { sums[p] += out[p]; sums[PLAYERS + p] += out[p] * out[p]; }
    }
}

/* How many information sets and iterations there are. */
EXPORT void regrets_size(const regrets_t *r, u64 *out) { out[0] = (u64)r->infos; out[1] = (u64)r->done; }

/* Go on from the sums of an information set with `n` actions, after so many iterations; 0 where there is no room. */
EXPORT i32 regrets_put(regrets_t *r, u64 a, u64 b, i32 n, const double *regret, const double *weight, i64 done) {
    info_t *info = n > 0 && n < REGRET_ACTIONS ? regrets_find(r, (hash_t){a, b}, n) : 0;
    if (!info || info->n != n) return 0;
    for (i32 i = 0; i < n; i++) r->cell[info->at + i] = (cell_t){regret[i], weight[i], 0, 0};
    r->done = done;
    return 1;
}

/* The average strategy of the player who is to act, and the mean value of each legal small action, ascending; how many, 0
   where the information set was not met. */
EXPORT i32 regrets_read(regrets_t *r, W *w, double *strategy, double *values) {
    u64 mask[MASK];
    double sum = 0, visits = 0;
    if (!legal_in(&w->s, mask)) return 0;
    info_t *info = regrets_find(r, watched_hash(w, w->s.cur), 0);
    if (!info) return 0;
    const cell_t *cells = &r->cell[info->at];
    for (i32 i = 0; i < info->n; i++) {
        sum += cells[i].weight;
        if (cells[i].visits > visits) visits = cells[i].visits;
    }
    if (sum <= 0 || visits < LEAST_VISITS) return 0;
    for (i32 i = 0; i < info->n; i++) {
        strategy[i] = cells[i].weight / sum;
        values[i] = cells[i].visits > 0 ? cells[i].value / cells[i].visits : 0;
    }
    return info->n;
}
