/* Information-set Monte Carlo tree search with a tree for each player (MO-ISMCTS; Cowling, Powley and Whitehouse, 2012).

   An iteration takes one of the worlds, in which everything hidden is decided, and plays it to its end, or to that of a
   round which deals anew: first in the trees, where edges are chosen by UCB1 (`search_bound`; Auer, Cesa-Bianchi and
   Fischer, 2002), then at random. The tree of a player has an edge for each of their own actions and for what they see of
   the actions of others, so their choices depend only on what they see. Chance is drawn anew and has no edges. An edge
   that is not legal in the world at hand is not available: the bound counts how often it was. A flat tree looks ahead one
   decision (flat Monte Carlo).

   With a network (net.h) edges are chosen by PUCT (`search_guided`; Silver et al., 2017), and plays go on after the trees as
   the network plays. */

#define SEARCH_DEPTH 256 /* decisions of an iteration that are learned from */

typedef struct { /* an edge, and the node after it; the first PLAYERS are the roots */
    u64 key;               /* a small action of the player, or what they see of another's */
    i32 first, next;       /* the first edge of the node, the next of the edge's siblings; -1 */
    i32 visits, available, entered;
    double worth, standing; /* sums, to the player who chose the edge */
    double regret, weight; /* of a choice that is made at the same time as others' */
} edge_t;

typedef struct {
    i64 worlds, limit;         /* how many worlds; the most decisions of an iteration */
    i64 room, edges;           /* of `edge` */
    i64 done, prefix_n;
    u64 seed;
    const void *world;         /* states; with a network watched states, for it reads what players remember */
    edge_t *edge;
    double *habit;             /* for each player and action: how often, worth, standing (MAST; Finnsson and Bjornsson, 2008) */
    double agree;              /* how much standings go with worth: of its sign, which the rules do not say */
    double *bounds;            /* for each player: least and greatest worth, least and greatest standing */
    const i32 *group;          /* for each action the set that it picks for, or -1 */
    const uint8_t *simultaneous; /* for each node of the program */
    i64 player;                /* who searches */
    const i64 *prefix;         /* their first actions, where these are decided */
    i64 flat;                  /* whether the tree ends with the player's first decision, and all else is drawn evenly */
    i64 wide;                  /* actions that are tried before the widening begins */
    double explores, untried, uniform; /* the weight of a bound's second term; the value of an action that was never
                                  tried, between 0 and 1; how much of a choice by regrets is uniform */
    const void *net;           /* a network, and a view of it; or 0 */
    void *view;
    double trusts;             /* the weight of the network's chances in PUCT */
} search_t;

typedef struct { i32 edge, node, player; double chance; } taken_t; /* `chance` above 0: by regrets */

EXPORT i64 search_size(void) { return sizeof(search_t); }
EXPORT i64 search_edge_size(void) { return sizeof(edge_t); }
EXPORT i64 search_depth(void) { return SEARCH_DEPTH; }

static double search_log(i64 n) { /* the natural logarithm, the same on every machine */
    int e = 0;
    double x = (double)n;
    while (x >= 2) { x /= 2; e++; }
    double y = (x - 1) / (x + 1), z = y * y;
    return e * 0.6931471805599453 + 2 * y * (1 + z * (1.0 / 3 + z * (1.0 / 5 + z * (1.0 / 7 + z / 9))));
}

static double search_part(double low, double high, double x) { return high > low ? (x - low) / (high - low) : 0.5; }

/* What a mean of so many results is to a player, from 0 to 1. */
static double search_value(const search_t *t, int p, double worth, double standing, double count) {
    const double *b = t->bounds + 4 * p;
    double x = search_part(b[0], b[1], worth / count);
    if (STANDING < 0 || t->agree == 0) return x;
    double y = search_part(b[2], b[3], standing / count);
    return (x + (t->agree > 0 ? y : 1 - y)) / 2;
}

#define SEEN ((u64)1 << 63) /* marks the keys of what others do, so that none is an action */

static i32 search_add(search_t *t, i32 node, u64 key) { /* -1 where there is no room */
    if (t->edges == t->room) return -1;
    i32 e = (i32)t->edges++;
    memset(&t->edge[e], 0, sizeof(edge_t));
    t->edge[e].first = -1;
    t->edge[e].key = key;
    t->edge[e].next = t->edge[node].first;
    t->edge[node].first = e;
    return e;
}

static i32 search_find(search_t *t, i32 node, u64 key) {
    for (i32 e = t->edge[node].first; e >= 0; e = t->edge[e].next)
        if (t->edge[e].key == key) return e;
    return search_add(t, node, key);
}

static double search_habit(const search_t *t, int p, i64 action) {
    const double *h = t->habit + 3 * (p * (i64)ACTIONS + action);
    return h[0] > 0 ? search_value(t, p, h[1], h[2], h[0]) : 1;
}

static int mask_count(const u64 *mask) { int n = 0; for (int i = 0; i < MASK; i++) n += bit_count(mask[i]); return n; }

/* The legal action of greatest habit that has no edge yet; among equals one at random. */
static i64 search_untried(const search_t *t, int p, const u64 *rest, u64 *random) {
    i64 best = -1;
    double most_ = -1;
    u32 equal = 0;
    for (int i = 0; i < MASK; i++)
        for (u64 bits = rest[i]; bits; bits &= bits - 1) {
            i64 action = 64 * i + bit_low(bits);
            double h = search_habit(t, p, action);
            if (h > most_) { most_ = h; best = action; equal = 1; }
            else if (h == most_ && random_below(random, ++equal) == 0) best = action;
        }
    return best;
}

/* Choose an edge by its upper confidence bound, UCB1 = mean value + explores * sqrt(log(available) / visits) (Auer et al.,
   2002), where `available` counts the visits of the node at which the edge was legal (ISMCTS; Cowling et al., 2012).
   Further edges are let in as visits grow (progressive widening). -1 where there is no room. */
static i32 search_bound(search_t *t, i32 node, int p, const u64 *mask, u64 *random) {
    u64 rest[MASK];
    memcpy(rest, mask, sizeof rest);
    i32 best = -1, tried = 0;
    double most_ = -1;
    edge_t *n = &t->edge[node];
    n->entered++;
    for (i32 e = n->first; e >= 0; e = t->edge[e].next) {
        edge_t *x = &t->edge[e];
        if (!mask_has(mask, (i64)x->key)) continue;
        rest[x->key >> 6] &= ~((u64)1 << (x->key & 63));
        x->available++; tried++;
        if (!x->visits) { most_ = FAR; best = e; continue; }
        double bound = search_value(t, p, x->worth, x->standing, x->visits)
            + t->explores * sqrt(search_log(x->available) / x->visits);
        if (bound > most_) { most_ = bound; best = e; }
    }
    if (mask_empty(rest)) return best;
    if (tried >= t->wide && (i64)tried * tried > n->entered) return best;
    if (best >= 0 && most_ >= t->untried + t->explores * sqrt(search_log(n->entered))) return best;
    i32 e = search_add(t, node, (u64)search_untried(t, p, rest, random));
    if (e >= 0) t->edge[e].available = 1;
    return e < 0 ? best : e;
}

/* Whether others decide at the same time, and choices are mixed. Sets are not: there are too many to come round to each. */
static int search_mixes(const search_t *t, const S *s, const u64 *mask) {
    if (t->flat || !t->simultaneous[s->pc]) return 0;
    for (int i = 0; i < MASK; i++) if (mask[i]) return t->group[64 * i + bit_low(mask[i])] < 0;
    return 0;
}

/* Choose an edge in proportion to its positive regrets, and keep the average of these choices (regret matching; Hart and
   Mas-Colell, 2000). In a simultaneous decision a pure best action could be exploited, so choices are mixed. */
static i32 search_regrets(search_t *t, i32 node, const u64 *mask, u64 *random, double *chance) {
    int n = mask_count(mask);
    double sum = 0, drawn = (double)(random_next(random) >> 11) / 9007199254740992.0;
    for (int i = 0; i < MASK; i++)
        for (u64 bits = mask[i]; bits; bits &= bits - 1) {
            i32 e = search_find(t, node, (u64)(64 * i + bit_low(bits)));
            if (e < 0) return -1;
            if (t->edge[e].regret > 0) sum += t->edge[e].regret;
        }
    i32 found = -1;
    for (i32 e = t->edge[node].first; e >= 0; e = t->edge[e].next) {
        edge_t *x = &t->edge[e];
        if (!mask_has(mask, (i64)x->key)) continue;
        double part = sum > 0 ? (x->regret > 0 ? x->regret / sum : 0) : 1.0 / n;
        x->weight += part;
        part = (1 - t->uniform) * part + t->uniform / n;
        if (drawn >= 0) { found = e; *chance = part; }
        drawn -= part;
    }
    return found;
}

#if defined(LEARNING)
/* Choose an edge by PUCT = mean value + trusts * chance * sqrt(entered) / (1 + visits), where the network gives the chance
   (Silver et al., 2017). An action that was never tried is worth what the node is. -1 where there is no room. */
static i32 search_guided(search_t *t, i32 node, const W *w, const u64 *mask) {
    view_t *v = t->view;
    inputs_t in;
    i32 edge_of[ACTIONS], best = 0, visits = 0;
    int p = w->s.cur;
    double sum = 0, standing = 0, most_ = -1;
    net_view(t->net, v, w, mask, &in);
    edge_t *n = &t->edge[node];
    n->entered++;
    for (i32 i = 0; i < v->actions; i++) edge_of[v->action[i]] = -1;
    for (i32 e = n->first; e >= 0; e = t->edge[e].next) {
        edge_t *x = &t->edge[e];
        if (!mask_has(mask, (i64)x->key)) continue;
        edge_of[x->key] = e;
        visits += x->visits; sum += x->worth; standing += x->standing;
    }
    double untried = visits ? search_value(t, p, sum, standing, visits) : 0.5, width = t->trusts * sqrt(n->entered);
    for (i32 i = 0; i < v->actions; i++) {
        i32 e = edge_of[v->action[i]], tried = e < 0 ? 0 : t->edge[e].visits;
        double value = tried ? search_value(t, p, t->edge[e].worth, t->edge[e].standing, tried) : untried;
        double bound = value + width * v->chance[i] / (1 + tried);
        if (bound > most_) { most_ = bound; best = i; }
    }
    i32 e = edge_of[v->action[best]];
    return e >= 0 ? e : search_add(t, node, (u64)v->action[best]);
}
#endif

/* Choose an edge of the trees. */
static i32 search_edge(search_t *t, i32 node, const W *w, const u64 *mask, u64 *random) {
#if defined(LEARNING)
    if (t->net && mask_count(mask) > 1) return search_guided(t, node, w, mask);
#endif
    return search_bound(t, node, w->s.cur, mask, random);
}

/* Choose an action after the trees: with a network by its chances, else of two legal actions at random the one of greater
   habit. */
static i64 search_playout(const search_t *t, const W *w, const u64 *mask, u64 *random) {
    int p = w->s.cur;
#if defined(LEARNING)
    if (t->net) {
        view_t *v = t->view;
        inputs_t in;
        if (mask_count(mask) == 1) return mask_draw(mask, MASK, random);
        net_view(t->net, v, w, mask, &in);
        return v->action[drawn(v, random)];
    }
#endif
    i64 one = mask_draw(mask, MASK, random), other = mask_draw(mask, MASK, random);
    return one == other || search_habit(t, p, one) >= search_habit(t, p, other) ? one : other;
}

/* Cards of a set are picked in ascending order, where that can be. */
static void search_ascending(const search_t *t, i64 last, u64 *mask) {
    u64 kept[MASK];
    memcpy(kept, mask, sizeof kept);
    for (int i = 0; i < MASK; i++)
        for (u64 bits = mask[i]; bits; bits &= bits - 1) {
            i64 action = 64 * i + bit_low(bits);
            if (action <= last && t->group[action] == t->group[last]) kept[i] &= ~((u64)1 << (action & 63));
        }
    if (!mask_empty(kept)) memcpy(mask, kept, sizeof kept);
}

static void search_widen(double *low, double *high, double x, int first) {
    if (first || x < *low) *low = x;
    if (first || x > *high) *high = x;
}

static void search_learn(search_t *t, const S *s, const taken_t *taken, int n, const i32 *habits, int m) {
    double worth_[PLAYERS], standing_[PLAYERS];
    worth(s, worth_);
    standings(s, standing_);
    if (s->fault) for (int p = 0; p < PLAYERS; p++) standing_[p] = 0; /* rules that fail pay nobody anything */
    int first = !t->done;
    for (int p = 0; p < PLAYERS; p++) {
        double *b = t->bounds + 4 * p;
        search_widen(b, b + 1, worth_[p], first);
        search_widen(b + 2, b + 3, standing_[p], first);
        t->agree += worth_[p] * standing_[p];
    }
    for (int i = 0; i < n; i++) {
        edge_t *x = &t->edge[taken[i].edge];
        int p = taken[i].player;
        x->visits++;
        x->worth += worth_[p];
        x->standing += standing_[p];
        if (taken[i].chance > 0) {
            double value = search_value(t, p, worth_[p], standing_[p], 1);
            for (i32 e = t->edge[taken[i].node].first; e >= 0; e = t->edge[e].next) t->edge[e].regret -= value;
            x->regret += value / taken[i].chance;
        }
    }
    for (int i = 0; i < m; i++) {
        double *h = t->habit + 3 * (i64)habits[i];
        int p = habits[i] / ACTIONS;
        h[0]++; h[1] += worth_[p]; h[2] += standing_[p];
    }
}

static void search_begin(const search_t *t, i64 number, W *w) { /* in a world, with what a network reads of it */
    i64 at = number % t->worlds;
    memset(&w->w, 0, sizeof w->w);
#if defined(LEARNING)
    if (t->net) {
        const W *world = (const W *)t->world + at;
        memcpy(&w->s, &world->s, sizeof w->s);
        memcpy(&w->w.memory, &world->w.memory, sizeof w->w.memory);
    } else
#endif
    memcpy(&w->s, (const S *)t->world + at, sizeof w->s);
    w->s.random = random_seed(t->seed, (u64)number);
    w->s.too_long = 1; /* it ends with the round */
    w->w.eyes = EVERYONE;
}

static void search_once(search_t *t, i64 number) {
    W w;
    S *s = &w.s;
    u64 mask[MASK], random = random_seed(~t->seed, (u64)number);
    search_begin(t, number, &w);
    taken_t taken[SEARCH_DEPTH];
    i32 habits[SEARCH_DEPTH], at[PLAYERS];
    int in_trees = 1, n = 0, m = 0;
    for (int p = 0; p < PLAYERS; p++) at[p] = p;
    i64 last = -1, own = 0;
    for (i64 step = 0; legal_in(s, mask); step++) {
        if (step >= t->limit) { s->too_long = 1; run(s, END); break; }
        int p = s->cur, mine = p == t->player, decided = mine && own < t->prefix_n;
        i64 action = -1;
        if (in_trees && n < SEARCH_DEPTH && (mine || !t->flat)) {
            taken_t *x = &taken[n];
            x->player = p; x->node = at[p]; x->chance = 0;
            if (last >= 0 && !set_empty(s->picked)) search_ascending(t, last, mask);
            if (decided) x->edge = mask_has(mask, t->prefix[own]) ? search_find(t, at[p], (u64)t->prefix[own]) : -1;
            else if (search_mixes(t, s, mask)) x->edge = search_regrets(t, at[p], mask, &random, &x->chance);
            else x->edge = search_edge(t, at[p], &w, mask, &random);
            if (x->edge >= 0) { action = (i64)t->edge[x->edge].key; n++; }
        }
        if (action < 0) {
            in_trees &= t->flat && !mine;
            action = decided && mask_has(mask, t->prefix[own]) ? t->prefix[own] : search_playout(t, &w, mask, &random);
        }
        if (m < SEARCH_DEPTH && !t->flat && !t->net) habits[m++] = (i32)(p * (i64)ACTIONS + action);
        own += mine;
        int secret = t->simultaneous[s->pc];
        u32 whole = w.w.choices;
        if (!in_trees) w.w.eyes = 0;
        if (in_trees || t->net) watched_carry_out(&w, action);
        else carry_out(s, action);
        last = t->group[action] >= 0 ? action : -1;
        if (!in_trees || (t->flat && !mine)) continue;
        if (t->flat && w.w.choices != whole) in_trees = 0;
        for (int q = 0; q < PLAYERS; q++) {
            if (q == p) at[q] = taken[n - 1].edge;
            else if (!secret && w.w.of[q].choice) at[q] = search_find(t, at[q], SEEN | w.w.of[q].choice);
            if (at[q] < 0) in_trees = 0;
        }
        if (!decided && !t->edge[taken[n - 1].edge].visits) in_trees = 0;
    }
    search_learn(t, s, taken, n, habits, m);
    t->done++;
}

/* Go on for so many iterations. */
EXPORT void search_run(search_t *t, i64 iterations) {
    if (!t->edges) {
        for (int p = 0; p < PLAYERS; p++) { memset(&t->edge[p], 0, sizeof(edge_t)); t->edge[p].first = t->edge[p].next = -1; }
        t->edges = PLAYERS;
    }
    for (i64 i = 0; i < iterations; i++) search_once(t, t->done);
}
