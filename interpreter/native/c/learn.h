/* Self-play with proximal policy optimisation (PPO; Schulman et al., 2017): one network for all seats learns from whole plays
   against itself. Advantages are generalised (GAE; Schulman et al., 2016) over the decisions of each player, weights change
   by Adam (Kingma and Ba, 2015) in the rows that a batch touches.

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
#define MOST_RIVALS 16
#define MOST_UNIT 10.0

typedef struct { i32 at, n, legal_at, legal_n, chosen, player; float log_chance, value, advantage, target; float paid[PLAYERS]; } step_t;

typedef struct {
    i64 steps, epochs, batch;  /* decisions of a round; how often each is learned from; decisions of a batch */
    double scale, rate, entropy, cliff, mixed, margin, decay, unit; /* `unit`: a factor of all that is paid */
    i64 begun, taken, updates, cut, rivals, kept;
    double spread;             /* of values, where the unit is 1 */
    u64 seed, random;
    i64 room, pool_n, steps_n;
    net_t *net, *gradient, *mean, *square, *rival; /* `rival`: earlier networks */
    u32 *touched;              /* for each row the number of the batch that touched it */
    step_t *step;
    i32 *pool, *order;         /* inputs and legal actions of the steps */
    view_t *view;
} learner_t;

#define LAYOUT_VERSION 2 /* raise it when the meaning of inputs or slots changes and no table does */

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
        watched_carry_out(w, mask_draw(mask, &w->s.random));
    }
    return 0;
}

static void play_begin(W *w, u64 seed, u64 number) { watched_begin_taped(w, 0, seed, number, 0, 0, 0); }

/* ---- a learner */

EXPORT void learn_free(learner_t *l) {
    if (!l) return;
    free(l->rival); free(l->net); free(l->gradient); free(l->mean); free(l->square); free(l->touched);
    free(l->step); free(l->pool); free(l->order); free(l->view); free(l);
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
    l->steps = steps; l->seed = seed; l->unit = 1;
    l->random = random_seed(~seed, 2);
    l->room = (steps + 4096) * 160;
    int fine = (l->net = calloc(1, sizeof(net_t))) && (l->rival = calloc(MOST_RIVALS, sizeof(net_t))) && (l->gradient = calloc(1, sizeof(net_t)))
        && (l->mean = calloc(1, sizeof(net_t))) && (l->square = calloc(1, sizeof(net_t)))
        && (l->touched = calloc(ROWS, sizeof(u32))) && (l->step = calloc((size_t)steps + 4096, sizeof(step_t)))
        && (l->pool = calloc((size_t)l->room + MOST_INPUTS + ACTIONS, sizeof(i32)))
        && (l->order = calloc((size_t)steps + 4096, sizeof(i32))) && (l->view = calloc(1, sizeof(view_t)));
    if (!fine) { learn_free(l); return 0; }
    view_begin(l->view);
    net_begin(l->net, seed);
    return l;
}

EXPORT float *learn_net(learner_t *l) { return l->net->row[0]; }

/* Keep the network as a rival: of all that were kept, each is as likely to be there (reservoir sampling; Vitter, 1985). */
EXPORT void learn_keep(learner_t *l) {
    i64 at = l->rivals < MOST_RIVALS ? l->rivals++ : random_below(&l->random, (u32)l->kept + 1);
    l->kept++;
    if (at < MOST_RIVALS) memcpy(&l->rival[at], l->net, sizeof(net_t));
}

/* ---- plays to learn from */

static void advantages(learner_t *l, i64 from) { /* of one play, from its end */
    float next[PLAYERS] = {0}, trace[PLAYERS] = {0}, paid[PLAYERS] = {0};
    for (i64 t = l->steps_n - 1; t >= from; t--) {
        step_t *e = &l->step[t];
        int p = e->player;
        for (int q = 0; q < PLAYERS; q++) paid[q] += e->paid[q];
        float change = paid[p] + DISCOUNT * next[p] - e->value;
        trace[p] = change + DISCOUNT * (float)l->decay * trace[p];
        e->advantage = trace[p];
        e->target = trace[p] + e->value;
        next[p] = e->value;
        paid[p] = 0;
    }
}

/* Who plays in which seat: the network itself, an earlier one, or 0 for a random player. At least one seat has itself. */
static void seat(learner_t *l, const net_t **nets) {
    for (int p = 0; p < PLAYERS; p++) nets[p] = l->net;
    if (PLAYERS == 1 || unit(&l->random) >= l->mixed) return;
    const net_t *rival = l->rivals && random_below(&l->random, 4) ? &l->rival[random_below(&l->random, (u32)l->rivals)] : 0;
    int keeps = (int)random_below(&l->random, PLAYERS);
    for (int p = 0; p < PLAYERS; p++)
        if (p != keeps && (PLAYERS == 2 || random_below(&l->random, 3))) nets[p] = rival;
}

static step_t *noted(learner_t *l, const inputs_t *in, int player, i32 chosen) { /* a decision to learn from */
    step_t *e = &l->step[l->steps_n++];
    view_t *v = l->view;
    e->player = player; e->at = (i32)l->pool_n; e->n = in->n;
    memcpy(l->pool + l->pool_n, in->in, (size_t)in->n * sizeof(i32));
    l->pool_n += in->n;
    e->legal_at = (i32)l->pool_n; e->legal_n = v->actions; e->chosen = chosen;
    memcpy(l->pool + l->pool_n, v->turned, (size_t)v->actions * sizeof(i32));
    l->pool_n += v->actions;
    e->log_chance = fast_log(v->chance[chosen] + 1e-12f);
    e->value = v->value;
    memset(e->paid, 0, sizeof e->paid);
    return e;
}

static void play_to_learn(learner_t *l, W *w, inputs_t *in) {
    u64 mask[MASK];
    double before[PLAYERS], now[PLAYERS];
    const net_t *nets[PLAYERS];
    i64 from = l->steps_n;
    step_t *last = 0;
    seat(l, nets);
    play_begin(w, l->seed, (u64)l->begun++);
    int n = to_choice(w, mask);
    double scale = l->scale * l->unit, margin = l->margin * l->unit;
    result_here(scale, margin, &w->s, before);
    while (n) {
        const net_t *net = nets[w->s.cur];
        i64 action;
        if (net) {
            net_view(net, l->view, w, mask, in);
            i32 i = drawn(l->view, &l->random);
            if (net == l->net) last = noted(l, in, w->s.cur, i);
            action = l->view->action[i];
        } else action = mask_draw(mask, &l->random);
        watched_carry_out(w, action);
        n = to_choice(w, mask);
        result_here(scale, margin, &w->s, now);
        for (int q = 0; q < PLAYERS; q++) {
            double change = now[q] - before[q];
            if (last) last->paid[q] += (float)((!n && change < 0 ? l->cliff : 1) * change);
            before[q] = now[q];
        }
        if (n && (l->steps_n >= l->steps + 4096 || l->pool_n >= l->room)) { l->cut++; break; } /* longer than a round */
    }
    advantages(l, from);
}

/* ---- steps of the weights */

static inline float *gradient_row(learner_t *l, i32 r) {
    u32 mark = (u32)l->updates;
    if (l->touched[r] != mark) { l->touched[r] = mark; memset(l->gradient->row[r], 0, sizeof(row_t)); }
    return l->gradient->row[r];
}

static void learn_from(learner_t *l, const step_t *e, float advantage) { /* add the gradient of one decision */
    view_t *v = l->view;
    row_t back = {0};
    float *h = v->hidden, entropy = 0;
    const i32 *in = l->pool + e->at, *legal = l->pool + e->legal_at;
    net_hidden(l->net, in, e->n, h);
    net_scores(l->net, v, legal, e->legal_n);
    float value = row_dot(h, l->net->row[VALUE_ROW]);
    float ratio = fast_exp(fast_log(v->chance[e->chosen] + 1e-12f) - e->log_chance);
    float pull = (advantage > 0 && ratio > 1 + CLIP) || (advantage < 0 && ratio < 1 - CLIP) ? 0 : advantage * ratio;
    float log_chance[ACTIONS];
    for (i32 i = 0; i < e->legal_n; i++) {
        log_chance[i] = fast_log(v->chance[i] + 1e-12f);
        entropy -= v->chance[i] * log_chance[i];
    }
    v->now++; /* from here on `score` has the gradients of slots */
    for (i32 i = 0; i < e->legal_n; i++) {
        float p = v->chance[i];
        float d = (float)l->entropy * p * (log_chance[i] + entropy) - pull * ((float)(i == e->chosen) - p);
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
            row_add(back, l->net->row[SLOT_ROW + slot], d);
            row_add(gradient_row(l, SLOT_ROW + slot), h, d);
        }
    }
    float d = 0.5f * (value - e->target);
    d = d > 1 ? 1 : d < -1 ? -1 : d;
    row_add(back, l->net->row[VALUE_ROW], d);
    row_add(gradient_row(l, VALUE_ROW), h, d);
    for (int k = 0; k < HIDDEN; k++) back[k] = h[k] > 0 ? back[k] : 0;
    back[0] = 0;
    row_plus(gradient_row(l, BIAS_ROW), back);
    for (i32 i = 0; i < e->n; i++) row_plus(gradient_row(l, in[i]), back);
}

static double power(double x, i64 n) { double y = 1; for (; n > 0; n >>= 1, x *= x) if (n & 1) y *= x; return y; }

static void adam(learner_t *l, i64 count) {
    u32 mark = (u32)l->updates;
    double norm = 0;
    for (i32 r = 0; r < ROWS; r++) if (l->touched[r] == mark) norm += row_dot(l->gradient->row[r], l->gradient->row[r]);
    norm = sqrt(norm) / (double)count;
    float by = (float)((norm > MOST_NORM ? MOST_NORM / norm : 1) / (double)count);
    float rate = (float)(l->rate * sqrt(1 - power(0.999, l->updates)) / (1 - power(0.9, l->updates)));
    for (i32 r = 0; r < ROWS; r++) {
        if (l->touched[r] != mark) continue;
        float *w = l->net->row[r], *g = l->gradient->row[r], *m = l->mean->row[r], *s = l->square->row[r];
        for (int k = 0; k < HIDDEN; k++) {
            float x = g[k] * by;
            m[k] += 0.1f * (x - m[k]);
            s[k] += 0.001f * (x * x - s[k]);
            w[k] -= rate * m[k] / (sqrtf(s[k]) + 1e-6f);
        }
    }
}

static void learn_batch(learner_t *l, const i32 *which, i64 n) {
    double mean = 0, spread = 0;
    for (i64 i = 0; i < n; i++) mean += l->step[which[i]].advantage / (double)n;
    for (i64 i = 0; i < n; i++) { double d = l->step[which[i]].advantage - mean; spread += d * d / (double)n; }
    float by = (float)(1 / (sqrt(spread) + 1e-6));
    l->updates++;
    for (i64 i = 0; i < n; i++) learn_from(l, &l->step[which[i]], (l->step[which[i]].advantage - (float)mean) * by);
    adam(l, n);
}

/* Let what is paid have a spread of 1 again: as play gets better, there is more to win than in random play. The row of the
   value changes with it, so the network gives the same value in the new unit (Pop-Art; van Hasselt et al., 2016). */
static void new_unit(learner_t *l) {
    double sum = 0;
    for (i64 i = 0; i < l->steps_n; i++) sum += (double)l->step[i].target * l->step[i].target;
    double spread = sqrt(sum / (double)most(l->steps_n, 1)) / l->unit;
    l->spread = l->spread > 0 ? 0.8 * l->spread + 0.2 * spread : spread;
    double unit = l->spread > 1.0 / MOST_UNIT ? 1 / l->spread : MOST_UNIT;
    float by = (float)(unit / l->unit);
    for (int k = 0; k < HIDDEN; k++) {
        l->net->row[VALUE_ROW][k] *= by;
        l->mean->row[VALUE_ROW][k] *= by;
        l->square->row[VALUE_ROW][k] *= by * by;
    }
    for (i64 i = 0; i < l->steps_n; i++) { l->step[i].target *= by; l->step[i].value *= by; }
    l->unit = unit;
}

/* One round: so many decisions of whole plays, and so many epochs of learning from them. */
EXPORT void learn_round(learner_t *l) {
    W *w = calloc(1, sizeof *w);
    inputs_t *in = calloc(1, sizeof *in);
    l->steps_n = l->pool_n = 0;
    i64 idle = 0;
    while (w && in && l->steps_n < l->steps && l->pool_n < l->room && idle < 1000) {
        i64 had = l->steps_n;
        play_to_learn(l, w, in);
        idle = l->steps_n == had ? idle + 1 : 0;
    }
    free(w); free(in);
    l->taken += l->steps_n;
    new_unit(l);
    for (i64 epoch = 0; epoch < l->epochs; epoch++) {
        for (i64 i = 0; i < l->steps_n; i++) { /* in a random order */
            i64 j = random_below(&l->random, (u32)(i + 1));
            l->order[i] = l->order[j];
            l->order[j] = (i32)i;
        }
        for (i64 i = 0; i < l->steps_n; i += l->batch)
            learn_batch(l, l->order + i, least(l->batch, l->steps_n - i));
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
                action = v->action[best ? likeliest(v) : drawn(v, &random)];
            } else action = mask_draw(mask, &random);
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
