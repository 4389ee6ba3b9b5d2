/* Self-play with proximal policy optimisation (PPO; Schulman et al., 2017): one network for all seats learns from whole plays
   against itself. Advantages are generalised (GAE; Schulman et al., 2016), weights change by Adam (Kingma and Ba, 2015) in the
   rows that a batch touches.

   What comes after a decision is the next decision of the same player. In a cooperative game it is the next one of all,
   as all are paid alike: what a partner expects who has understood a signal is a reward for the signal at once.

   A player gets a reward at each decision: the change of the result if the play ended here. These rewards add up to the
   result, so they do not change the best strategy (potential-based shaping; Ng, Harada and Russell, 1999). If only the
   ranking counts, the change of the player's standing is added with a falling weight (`margin`), because steps towards a
   lead are more frequent than a lead. In a cooperative game a loss in the last step counts less at first (`cliff`):
   otherwise a network that can lose everything by one mistake learns never to take a risk.

   In competitive games a network that plays only against itself can cycle. So in a part of the plays (`mixed`) the other
   seats have earlier networks, drawn from all of the training (fictitious self-play; Heinrich, Lanctot and Silver, 2015),
   or random players. */

#define DISCOUNT 0.995f
#define CLIP 0.2f
#define MOST_NORM 0.5
#define MOST_UNIT 10.0

#define SHARDS 8    /* of a round: a fixed number, so the result does not depend on the number of threads */
#define GROUP 64    /* decisions that are learned from together: their rows fit in the fastest cache */
#define BEYOND 4096 /* decisions that the last play of a shard may have more */

typedef struct { i32 at, n, legal_at, legal_n, chosen, player; float log_chance, value, advantage, target; float paid[PLAYERS]; } step_t;

typedef struct { /* what the shards of a round have in common */
    i64 steps, epochs, batch;  /* decisions of a round; how often each is learned from; decisions of a batch */
    i64 round, together;       /* whether the decisions of all players are one sequence */
    u64 seed;
    double scale, rate, entropy, cliff, mixed, margin, decay, unit; /* `unit`: a factor of all that is paid */
} plan_t;

typedef struct { /* decisions that are learned from together, so that the gradient of an input is read and written once for all */
    i32 n, rows_n;
    i32 row[ROWS], start[ROWS + 1];  /* the inputs that are 1 in some of them; where each begins in `having` */
    i32 having[GROUP * MOST_INPUTS]; /* the decisions that have an input, by input */
    row_t back[GROUP];               /* the gradient of the hidden units of a decision, before they are rectified */
} group_t;

typedef struct { /* a part of a round, with plays, luck and gradients of its own */
    i64 steps_n, pool_n, room;
    u64 random;
    step_t *step;
    i32 *pool, *order;         /* inputs and legal actions of the steps */
    net_t *gradient;
    u32 *touched, mark;        /* for each row the last batch that touched it; this batch */
    view_t *view;
    group_t group;
    double norm;               /* of the rows of the gradient that are summed with this shard */
} shard_t;

typedef struct {
    plan_t plan;
    i64 taken, updates, batches, done; /* batches of an epoch, and those that are done in all epochs of this round */
    double spread;                     /* of values, where the unit is 1 */
    double count, mean, by;            /* of the batch: decisions, the mean of advantages, and the factor that gives them a spread of 1 */
    net_t *net, *moment, *square;
    const net_t *rival[SHARDS];        /* an earlier network, which is the caller's, or 0 */
    shard_t *shard[SHARDS];
} learner_t;

#define LAYOUT_VERSION 3 /* raise it when the meaning of inputs or slots changes and no table does */

static u64 layout_digest(void) {
    u64 h = LAYOUT_VERSION;
#define DIGEST(x) (h = mix_words(h, (u64)(x)))
    DIGEST(INPUTS); DIGEST(SLOTS); DIGEST(BUCKETS); DIGEST(RECALLED); DIGEST(STEPS_N);
    for (int p = 0; p < PLACES; p++) { DIGEST(INPUT_PLACE[p].at); DIGEST(INPUT_PLACE[p].first); DIGEST(INPUT_PLACE[p].copies); }
    for (int v = 0; v < INPUT_VALUES_N; v++) { DIGEST(INPUT_VALUE[v].at); DIGEST(INPUT_VALUE[v].size); DIGEST(INPUT_VALUE[v].low); DIGEST(INPUT_VALUE[v].form); }
    for (int b = 0; b < BLOCKS_N; b++) for (int i = 0; i < MOST_DIMS; i++) { DIGEST(ARGUMENT_SLOT[b][i].at); DIGEST(ARGUMENT_SLOT[b][i].is_player); }
#undef DIGEST
    return h;
}

/* Rows and columns of the weights, and a digest of what the rows mean. */
EXPORT void learn_sizes(i64 *out) { out[0] = ROWS; out[1] = HIDDEN; out[2] = (i64)layout_digest(); }

/* What players would be paid if the play ended here, their standings included. */
static void result_here(double scale, double margin, const S *s, double *out) {
    S t;
    double standing[PLAYERS];
    memcpy(&t, s, sizeof t);
    if (t.cur != TERMINAL) { t.traced = 0; t.too_long = 1; t.steps = 0; run(&t, END); }
    worth(&t, out);
    standings(&t, standing);
    for (int p = 0; p < PLAYERS; p++) out[p] = out[p] * scale + (t.fault ? 0 : standing[p] * margin);
}

/* Continue to the next decision with a choice; return its number of legal actions, 0 at the end. */
static int to_choice(W *w, u64 *mask) {
    while (legal_in(&w->s, mask)) {
        int n = 0;
        for (int i = 0; i < MASK; i++) n += bit_count(mask[i]);
        if (n > 1) return n;
        watched_carry_out(w, mask_draw(mask, MASK, &w->s.random));
    }
    return 0;
}

static void play_begin(W *w, u64 seed, u64 number) { watched_begin_taped(w, 0, seed, number, 0, 0, 0); }

/* ---- a learner */

EXPORT void shard_free(shard_t *h) {
    if (!h) return;
    free(h->step); free(h->pool); free(h->order); free(h->gradient); free(h->touched); free(h->view); free(h);
}

static shard_t *shard_new(i64 steps) {
    shard_t *h = calloc(1, sizeof *h);
    if (!h) return 0;
    size_t room = (size_t)(steps / SHARDS + BEYOND);
    h->room = (i64)room * 160;
    int fine = (h->gradient = calloc(1, sizeof(net_t))) && (h->touched = calloc(ROWS, sizeof(u32)))
        && (h->step = calloc(room, sizeof(step_t))) && (h->pool = calloc((size_t)h->room + MOST_INPUTS + ACTIONS, sizeof(i32)))
        && (h->order = calloc(room, sizeof(i32))) && (h->view = calloc(1, sizeof(view_t)));
    if (!fine) { shard_free(h); return 0; }
    view_begin(h->view);
    return h;
}

EXPORT void learn_free(learner_t *l) {
    if (!l) return;
    for (int i = 0; i < SHARDS; i++) shard_free(l->shard[i]);
    free(l->net); free(l->moment); free(l->square); free(l);
}

static void net_begin(net_t *net, u64 seed) {
    u64 random = random_seed(~seed, 1);
    for (i32 r = 0; r < ROWS; r++) {
        double width = r < RECALL_AT ? 0.25 : r < SLOT_ROW ? 0 : 0.04; /* what is hashed begins at 0 */
        for (int k = 0; k < HIDDEN; k++) net->row[r][k] = (float)((unit(&random) - 0.5) * width);
        if (r >= SLOT_ROW) net->row[r][0] = 0;
    }
}

/* A learner with a new network; 0 where there is no memory. */
EXPORT learner_t *learn_new(u64 seed, i64 steps) {
    learner_t *l = calloc(1, sizeof *l);
    if (!l) return 0;
    l->plan.steps = steps; l->plan.seed = seed; l->plan.unit = 1;
    int fine = (l->net = calloc(1, sizeof(net_t))) && (l->moment = calloc(1, sizeof(net_t))) && (l->square = calloc(1, sizeof(net_t)));
    for (int i = 0; i < SHARDS && fine; i++) fine = (l->shard[i] = shard_new(steps)) != 0;
    if (!fine) { learn_free(l); return 0; }
    net_begin(l->net, seed);
    return l;
}

EXPORT float *learn_net(learner_t *l) { return l->net->row[0]; }
EXPORT void learn_rival(learner_t *l, i32 shard, const net_t *rival) { l->rival[shard] = rival; }

/* ---- plays to learn from */

static void advantages(shard_t *h, const plan_t *plan, i64 from) { /* of one play, from its end */
    float next[PLAYERS] = {0}, trace[PLAYERS] = {0}, paid[PLAYERS] = {0};
    for (i64 t = h->steps_n - 1; t >= from; t--) {
        step_t *e = &h->step[t];
        int p = plan->together ? 0 : e->player;
        for (int q = 0; q < PLAYERS; q++) paid[q] += e->paid[q];
        float change = paid[p] + DISCOUNT * next[p] - e->value;
        trace[p] = change + DISCOUNT * (float)plan->decay * trace[p];
        e->advantage = trace[p];
        e->target = trace[p] + e->value;
        next[p] = e->value;
        paid[p] = 0;
    }
}

/* Who plays in which seat: the network itself, an earlier one, or 0 for a random player. At least one seat has itself. */
static void seat(shard_t *h, const plan_t *plan, const net_t *net, const net_t *rival, const net_t **nets) {
    for (int p = 0; p < PLAYERS; p++) nets[p] = net;
    if (PLAYERS == 1 || unit(&h->random) >= plan->mixed) return;
    if (!random_below(&h->random, 4)) rival = 0;
    int keeps = (int)random_below(&h->random, PLAYERS);
    for (int p = 0; p < PLAYERS; p++)
        if (p != keeps && (PLAYERS == 2 || random_below(&h->random, 3))) nets[p] = rival;
}

static step_t *noted(shard_t *h, const inputs_t *in, int player, i32 chosen) { /* a decision to learn from */
    step_t *e = &h->step[h->steps_n++];
    view_t *v = h->view;
    e->player = player; e->at = (i32)h->pool_n; e->n = in->n;
    memcpy(h->pool + h->pool_n, in->in, (size_t)in->n * sizeof(i32));
    h->pool_n += in->n;
    e->legal_at = (i32)h->pool_n; e->legal_n = v->actions; e->chosen = chosen;
    memcpy(h->pool + h->pool_n, v->turned, (size_t)v->actions * sizeof(i32));
    h->pool_n += v->actions;
    e->log_chance = fast_log(v->chance[chosen] + 1e-12f);
    e->value = v->value;
    memset(e->paid, 0, sizeof e->paid);
    return e;
}

static void play_to_learn(shard_t *h, const plan_t *plan, const net_t *own, const net_t *rival, u64 number, W *w, inputs_t *in) {
    u64 mask[MASK];
    double before[PLAYERS], now[PLAYERS];
    const net_t *nets[PLAYERS];
    i64 from = h->steps_n;
    step_t *last = 0;
    seat(h, plan, own, rival, nets);
    play_begin(w, plan->seed, number);
    int n = to_choice(w, mask);
    double scale = plan->scale * plan->unit, margin = plan->margin * plan->unit;
    result_here(scale, margin, &w->s, before);
    while (n) {
        const net_t *net = nets[w->s.cur];
        i64 action;
        if (net) {
            net_view(net, h->view, w, mask, in);
            i32 i = drawn(h->view, &h->random);
            if (net == own) last = noted(h, in, w->s.cur, i);
            action = h->view->action[i];
        } else action = mask_draw(mask, MASK, &h->random);
        watched_carry_out(w, action);
        n = to_choice(w, mask);
        result_here(scale, margin, &w->s, now);
        for (int q = 0; q < PLAYERS; q++) {
            double change = now[q] - before[q];
            if (last) last->paid[q] += (float)((!n && change < 0 ? plan->cliff : 1) * change);
            before[q] = now[q];
        }
        if (n && (h->steps_n >= plan->steps / SHARDS + BEYOND || h->pool_n >= h->room)) break; /* longer than a round */
    }
    advantages(h, plan, from);
}

/* The plays of one shard, which depend on the plan and the networks alone. */
static void shard_play(shard_t *h, i32 number, const plan_t *plan, const net_t *net, const net_t *rival) {
    W *w = calloc(1, sizeof *w);
    inputs_t *in = calloc(1, sizeof *in);
    u64 first = ((u64)plan->round * SHARDS + (u64)number) << 20;
    h->steps_n = h->pool_n = 0;
    h->random = random_seed(mix_words(plan->seed, (u64)plan->round), (u64)number);
    for (i64 idle = 0; w && in && h->steps_n < plan->steps / SHARDS && h->pool_n < h->room && idle < 1000;) {
        i64 had = h->steps_n;
        play_to_learn(h, plan, net, rival, first++, w, in);
        idle = h->steps_n == had ? idle + 1 : 0;
    }
    free(w); free(in);
}

/* Play the shards from `first` to before `last`. */
EXPORT void learn_play(learner_t *l, i32 first, i32 last) {
    for (i32 i = first; i < last; i++) shard_play(l->shard[i], i, &l->plan, l->net, l->rival[i]);
}

/* Play one shard for a learner in another process; 0 where there is no memory. */
EXPORT shard_t *shard_played(const plan_t *plan, i32 number, const net_t *net, const net_t *rival) {
    shard_t *h = shard_new(plan->steps);
    if (h) shard_play(h, number, plan, net, rival);
    return h;
}

/* Write the plays of a shard to `out` unless that is 0; return the number of bytes. */
EXPORT i64 shard_pack(const shard_t *h, char *out) {
    i64 counts[] = {h->steps_n, h->pool_n};
    size_t steps = (size_t)h->steps_n * sizeof(step_t), pool = (size_t)h->pool_n * sizeof(i32);
    if (out) {
        memcpy(out, counts, sizeof counts);
        memcpy(out + sizeof counts, h->step, steps);
        memcpy(out + sizeof counts + steps, h->pool, pool);
    }
    return (i64)(sizeof counts + steps + pool);
}

/* Take the plays that `shard_pack` wrote for a shard. */
EXPORT void learn_unpack(learner_t *l, i32 number, const char *in) {
    shard_t *h = l->shard[number];
    memcpy(&h->steps_n, in, sizeof(i64));
    memcpy(&h->pool_n, in + sizeof(i64), sizeof(i64));
    size_t steps = (size_t)h->steps_n * sizeof(step_t);
    memcpy(h->step, in + 2 * sizeof(i64), steps);
    memcpy(h->pool, in + 2 * sizeof(i64) + steps, (size_t)h->pool_n * sizeof(i32));
}

/* ---- steps of the weights */

static inline float *gradient_row(shard_t *h, i32 r) {
    if (h->touched[r] != h->mark) { h->touched[r] = h->mark; memset(h->gradient->row[r], 0, sizeof(row_t)); }
    return h->gradient->row[r];
}

/* List the inputs of some decisions of a shard, and for each input the decisions that have it, in their order. */
static void group_begin(group_t *g, const shard_t *h, const i32 *order, i32 n) {
    i32 at = 0, ends[ROWS] = {0};
    g->n = n; g->rows_n = 0;
    for (i32 d = 0; d < n; d++) {
        const step_t *e = &h->step[order[d]];
        const i32 *in = h->pool + e->at;
        for (i32 i = 0; i < e->n; i++) if (!ends[in[i]]++) g->row[g->rows_n++] = in[i];
    }
    for (i32 r = 0; r < g->rows_n; r++) { g->start[r] = at; at += ends[g->row[r]]; ends[g->row[r]] = g->start[r]; }
    g->start[g->rows_n] = at;
    for (i32 d = 0; d < n; d++) {
        const step_t *e = &h->step[order[d]];
        const i32 *in = h->pool + e->at;
        for (i32 i = 0; i < e->n; i++) g->having[ends[in[i]]++] = d;
    }
}

/* Add the gradient of a decision in all rows but those of its inputs; `back` gets that of its hidden layer, which they share. */
static void learn_from(shard_t *at, const net_t *net, double weight, const step_t *e, float advantage, float *back) {
    view_t *v = at->view;
    float *h = v->hidden, entropy = 0;
    const i32 *legal = at->pool + e->legal_at;
    net_hidden(net, at->pool + e->at, e->n, h);
    net_scores(net, v, legal, e->legal_n);
    float value = row_dot(h, net->row[VALUE_ROW]);
    float ratio = fast_exp(fast_log(v->chance[e->chosen] + 1e-12f) - e->log_chance);
    float pull = (advantage > 0 && ratio > 1 + CLIP) || (advantage < 0 && ratio < 1 - CLIP) ? 0 : advantage * ratio;
    float log_chance[ACTIONS];
    for (i32 i = 0; i < e->legal_n; i++) {
        log_chance[i] = fast_log(v->chance[i] + 1e-12f);
        entropy -= v->chance[i] * log_chance[i];
    }
    memset(back, 0, sizeof(row_t));
    v->now++; /* from here on `score` has the gradients of slots */
    for (i32 i = 0; i < e->legal_n; i++) {
        float p = v->chance[i];
        float d = (float)weight * p * (log_chance[i] + entropy) - pull * ((float)(i == e->chosen) - p);
        const slots_t *of = &v->slots[legal[i]];
        for (i32 k = 0; k < of->n; k++) {
            i32 slot = of->slot[k];
            if (v->stamp[slot] != v->now) { v->stamp[slot] = v->now; v->score[slot] = 0; }
            v->score[slot] += d;
        }
    }
    for (i32 i = 0; i < e->legal_n; i++) {
        const slots_t *of = &v->slots[legal[i]];
        for (i32 k = 0; k < of->n; k++) {
            i32 slot = of->slot[k];
            float d = v->score[slot];
            if (d == 0) continue;
            v->score[slot] = 0;
            row_add(back, net->row[SLOT_ROW + slot], d);
            row_add(gradient_row(at, SLOT_ROW + slot), h, d);
        }
    }
    float d = 0.5f * (value - e->target);
    d = d > 1 ? 1 : d < -1 ? -1 : d;
    row_add(back, net->row[VALUE_ROW], d);
    row_add(gradient_row(at, VALUE_ROW), h, d);
    row_where(back, h);
    back[0] = 0;
    row_plus(gradient_row(at, BIAS_ROW), back);
}

static double power(double x, i64 n) { double y = 1; for (; n > 0; n >>= 1, x *= x) if (n & 1) y *= x; return y; }

/* Let what is paid have a spread of 1 again: as play gets better, there is more to win than in random play. The row of the
   value changes with it, so the network gives the same value in the new unit (Pop-Art; van Hasselt et al., 2016). */
static void new_unit(learner_t *l, i64 steps) {
    double sum = 0;
    for (int s = 0; s < SHARDS; s++)
        for (i64 i = 0; i < l->shard[s]->steps_n; i++) sum += (double)l->shard[s]->step[i].target * l->shard[s]->step[i].target;
    double spread = sqrt(sum / (double)most(steps, 1)) / l->plan.unit;
    l->spread = l->spread > 0 ? 0.8 * l->spread + 0.2 * spread : spread;
    double now = l->spread > 1.0 / MOST_UNIT ? 1 / l->spread : MOST_UNIT;
    float by = (float)(now / l->plan.unit);
    for (int k = 0; k < HIDDEN; k++) {
        l->net->row[VALUE_ROW][k] *= by;
        l->moment->row[VALUE_ROW][k] *= by;
        l->square->row[VALUE_ROW][k] *= by * by;
    }
    for (int s = 0; s < SHARDS; s++)
        for (i64 i = 0; i < l->shard[s]->steps_n; i++) { l->shard[s]->step[i].target *= by; l->shard[s]->step[i].value *= by; }
    l->plan.unit = now;
}

/* Begin to learn from the plays of all shards. */
EXPORT void learn_begin(learner_t *l) {
    i64 steps = 0;
    for (int s = 0; s < SHARDS; s++) steps += l->shard[s]->steps_n;
    l->taken += steps;
    l->done = 0;
    l->batches = steps ? most(1, (steps + l->plan.batch / 2) / l->plan.batch) : 0;
    new_unit(l, steps);
}

/* The part of a shard in the batch that is learned from: from here to before there in its order. */
static i64 part_of(const learner_t *l, const shard_t *h, int end) {
    return h->steps_n * ((l->done - 1) % l->batches + end) / l->batches;
}

/* Begin the next batch of the round; 0 where there is none. Every shard gives an even part of its decisions. */
EXPORT i32 learn_next(learner_t *l) {
    double sum = 0, squares = 0;
    if (l->done == l->plan.epochs * l->batches) return 0;
    for (int s = 0; s < SHARDS && l->done % l->batches == 0; s++) {
        shard_t *h = l->shard[s];
        u64 random = random_seed(mix_words(~l->plan.seed, (u64)l->plan.round), (u64)(l->done / l->batches * SHARDS + s));
        for (i64 i = 0; i < h->steps_n; i++) { /* in a random order */
            i64 j = random_below(&random, (u32)(i + 1));
            h->order[i] = h->order[j];
            h->order[j] = (i32)i;
        }
    }
    l->done++; l->updates++; l->count = 0;
    for (int s = 0; s < SHARDS; s++) {
        shard_t *h = l->shard[s];
        h->mark = (u32)l->updates;
        l->count += (double)(part_of(l, h, 1) - part_of(l, h, 0));
        for (i64 i = part_of(l, h, 0); i < part_of(l, h, 1); i++) sum += h->step[h->order[i]].advantage;
    }
    l->mean = sum / l->count;
    for (int s = 0; s < SHARDS; s++) {
        shard_t *h = l->shard[s];
        for (i64 i = part_of(l, h, 0); i < part_of(l, h, 1); i++) {
            double d = h->step[h->order[i]].advantage - l->mean;
            squares += d * d;
        }
    }
    l->by = 1 / (sqrt(squares / l->count) + 1e-6);
    return 1;
}

/* The gradients of the batch in the shards from `first` to before `last`. */
EXPORT void learn_gradients(learner_t *l, i32 first, i32 last) {
    for (i32 s = first; s < last; s++) {
        shard_t *h = l->shard[s];
        group_t *g = &h->group;
        i64 end = part_of(l, h, 1);
        for (i64 at = part_of(l, h, 0); at < end; at += GROUP) {
            const i32 *order = h->order + at;
            group_begin(g, h, order, (i32)least(GROUP, end - at));
            for (i32 d = 0; d < g->n; d++) {
                const step_t *e = &h->step[order[d]];
                learn_from(h, l->net, l->plan.entropy, e, (e->advantage - (float)l->mean) * (float)l->by, g->back[d]);
            }
            for (i32 r = 0; r < g->rows_n; r++) add_rows(gradient_row(h, g->row[r]), g->back, g->having + g->start[r], g->start[r + 1] - g->start[r]);
        }
    }
}

/* Add the gradients up in the first shard, in the order of the shards: every SHARDS-th row from `first` to before `last`. */
EXPORT void learn_sum(learner_t *l, i32 first, i32 last) {
    shard_t *sum = l->shard[0];
    for (i32 part = first; part < last; part++) {
        double norm = 0;
        for (i32 r = part; r < ROWS; r += SHARDS) {
            for (int s = 1; s < SHARDS; s++)
                if (l->shard[s]->touched[r] == sum->mark) row_plus(gradient_row(sum, r), l->shard[s]->gradient->row[r]);
            if (sum->touched[r] == sum->mark) norm += row_dot(sum->gradient->row[r], sum->gradient->row[r]);
        }
        l->shard[part]->norm = norm;
    }
}

/* A step of Adam in the same rows, after all are summed. */
EXPORT void learn_step(learner_t *l, i32 first, i32 last) {
    shard_t *sum = l->shard[0];
    double norm = 0;
    for (int s = 0; s < SHARDS; s++) norm += l->shard[s]->norm;
    norm = sqrt(norm) / l->count;
    float by = (float)((norm > MOST_NORM ? MOST_NORM / norm : 1) / l->count);
    float rate = (float)(l->plan.rate * sqrt(1 - power(0.999, l->updates)) / (1 - power(0.9, l->updates)));
    for (i32 part = first; part < last; part++)
        for (i32 r = part; r < ROWS; r += SHARDS) {
            if (sum->touched[r] != sum->mark) continue;
            float *w = l->net->row[r], *g = sum->gradient->row[r], *m = l->moment->row[r], *s = l->square->row[r];
            for (int k = 0; k < HIDDEN; k++) {
                float x = g[k] * by;
                m[k] += 0.1f * (x - m[k]);
                s[k] += 0.001f * (x * x - s[k]);
                w[k] -= rate * m[k] / (sqrtf(s[k]) + 1e-6f);
            }
        }
}

/* ---- playing */

/* Play so many times: in play i the network of seat (i + s) % PLAYERS is `nets[s]`, 0 for a random player, and `paid` gets
   what seat s is paid then, PLAYERS numbers a play, and their standings if `standing` is not 0. With `best` the likeliest
   action is taken, else one by its chance. */
EXPORT i32 learn_plays(const net_t *const *nets, i32 best, u64 seed, i64 first, i64 count, double *paid, double *standing) {
    W *w = calloc(1, sizeof *w);
    inputs_t *in = calloc(1, sizeof *in);
    view_t *v = calloc(1, sizeof *v);
    int fine = w && in && v;
    if (fine) view_begin(v);
    for (i64 i = first; fine && i < first + count; i++, paid += PLAYERS) {
        u64 mask[MASK], random = random_seed(~seed, (u64)i);
        double out[PLAYERS];
        play_begin(w, seed, (u64)i);
        while (to_choice(w, mask)) {
            const net_t *net = nets[(w->s.cur + PLAYERS - i % PLAYERS) % PLAYERS];
            i64 action;
            if (net) {
                net_view(net, v, w, mask, in);
                leave_out_seldom(v);
                action = v->action[best ? likeliest(v) : drawn(v, &random)];
            } else action = mask_draw(mask, MASK, &random);
            watched_carry_out(w, action);
        }
        worth(&w->s, out);
        for (int s = 0; s < PLAYERS; s++) paid[s] = out[(s + i) % PLAYERS];
        if (!standing) continue;
        standings(&w->s, out);
        for (int s = 0; s < PLAYERS; s++) *standing++ = w->s.fault ? 0 : out[(s + i) % PLAYERS];
    }
    free(w); free(in); free(v);
    return fine;
}

/* ---- a network at a state: `w` is a watched state of the caller */

EXPORT i64 policy_view_size(void) { return sizeof(view_t); }
EXPORT void policy_view_begin(view_t *v) { view_begin(v); }

/* The chances of the legal small actions, ascending, and the value for the player who is to act; how many, 0 at the end. */
EXPORT i32 policy_view(const net_t *net, view_t *v, W *w, i32 *actions, float *chances, float *value) {
    u64 mask[MASK];
    inputs_t in;
    if (!legal_in(&w->s, mask)) return 0;
    net_view(net, v, w, mask, &in);
    leave_out_seldom(v);
    memcpy(actions, v->action, (size_t)v->actions * sizeof(i32));
    memcpy(chances, v->chance, (size_t)v->actions * sizeof(float));
    *value = v->value;
    return v->actions;
}

/* The inputs of a viewer at a state, ascending or not; how many. */
EXPORT i32 policy_inputs(W *w, i32 viewer, i32 *out) {
    u64 mask[MASK] = {0};
    inputs_t in;
    if ((u32)viewer >= PLAYERS) return 0;
    if (w->s.cur == viewer) legal_in(&w->s, mask);
    inputs_of(w, viewer, mask, &in);
    memcpy(out, in.in, (size_t)in.n * sizeof(i32));
    return in.n;
}
