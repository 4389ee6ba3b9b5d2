/* A network for every seat of a game: a hidden layer of rectified units over the inputs of `inputs.h`, a score for each legal
   action, and a value. The score of an action is the sum of the scores of its slots (verb, arguments, the action itself), so
   actions that share an argument share what is learned of it.

   All weights are rows of HIDDEN numbers: one for each input, the bias of the hidden layer, one for each slot, and the value.
   The hidden unit 0 is always 1: its column has the biases of the slots and of the value.

   Sums have a fixed order, and exp and log are our own: a processor and its compiler decide nothing. */

#ifndef HIDDEN
#define HIDDEN 128
#endif
#define LANES 8
#define BIAS_ROW INPUTS
#define SLOT_ROW (INPUTS + 1)
#define VALUE_ROW (INPUTS + 1 + SLOTS)
#define ROWS (INPUTS + SLOTS + 2)

typedef float lanes_t __attribute__((vector_size(4 * LANES), aligned(4)));
typedef i32 bits_t __attribute__((vector_size(4 * LANES), aligned(4)));
typedef float row_t[HIDDEN];
typedef struct { row_t row[ROWS]; } net_t;

static float fast_exp(float x) { /* a polynomial for the part below one power of 2; relative error below 1e-6 */
    if (x < -80) return 0;
    if (x > 80) x = 80;
    float t = x * 1.44269504f;
    i32 whole = (i32)(t + (t < 0 ? -0.5f : 0.5f));
    float r = (t - (float)whole) * 0.69314718f;
    float y = 1 + r * (1 + r * (0.5f + r * (0.16666667f + r * (0.041666668f + r * (0.008333334f + r * 0.0013888889f)))));
    u32 bits = (u32)(whole + 127) << 23;
    float power;
    memcpy(&power, &bits, sizeof power);
    return y * power;
}

static float fast_log(float x) { /* of a number above 0 */
    u32 bits;
    memcpy(&bits, &x, sizeof bits);
    i32 e = (i32)(bits >> 23) - 127;
    bits = (bits & 0x7fffffu) | 0x3f800000u;
    memcpy(&x, &bits, sizeof x);
    if (x > 1.41421356f) { x *= 0.5f; e++; }
    float y = (x - 1) / (x + 1), z = y * y;
    return (float)e * 0.69314718f + 2 * y * (1 + z * (0.33333333f + z * (0.2f + z * (0.14285715f + z * 0.11111111f))));
}

static inline void row_add(float *to, const float *from, float by) {
    lanes_t *a = (lanes_t *)to;
    const lanes_t *b = (const lanes_t *)from;
    for (int k = 0; k < HIDDEN / LANES; k++) a[k] += b[k] * by;
}
static inline void row_plus(float *to, const float *from) {
    lanes_t *a = (lanes_t *)to;
    const lanes_t *b = (const lanes_t *)from;
    for (int k = 0; k < HIDDEN / LANES; k++) a[k] += b[k];
}
static inline void row_where(float *to, const float *above) { /* 0 where another row is not above 0 */
    lanes_t *a = (lanes_t *)to, none = {0};
    const lanes_t *b = (const lanes_t *)above;
    for (int k = 0; k < HIDDEN / LANES; k++) a[k] = (lanes_t)((bits_t)a[k] & (b[k] > none));
}
/* Add rows to one, in their order; the sums of a part of the columns stay in registers. */
static void add_rows(float *to, const row_t *rows, const i32 *which, i32 n) {
    for (int part = 0; part < HIDDEN; part += 8 * LANES) {
        lanes_t *sum = (lanes_t *)(to + part);
        lanes_t a = sum[0], b = sum[1], c = sum[2], d = sum[3], e = sum[4], f = sum[5], g = sum[6], h = sum[7];
        for (i32 i = 0; i < n; i++) {
            const lanes_t *x = (const lanes_t *)(rows[which[i]] + part);
            a += x[0]; b += x[1]; c += x[2]; d += x[3]; e += x[4]; f += x[5]; g += x[6]; h += x[7];
        }
        sum[0] = a; sum[1] = b; sum[2] = c; sum[3] = d; sum[4] = e; sum[5] = f; sum[6] = g; sum[7] = h;
    }
}
static inline float row_dot(const float *one, const float *other) {
    const lanes_t *a = (const lanes_t *)one, *b = (const lanes_t *)other;
    lanes_t x = a[0] * b[0], y = a[1] * b[1];
    for (int k = 2; k < HIDDEN / LANES; k += 2) { x += a[k] * b[k]; y += a[k + 1] * b[k + 1]; }
    x += y;
    float sum = 0;
    for (int k = 0; k < LANES; k++) sum += x[k];
    return sum;
}

typedef struct { i32 n, slot[MOST_DIMS + 2]; } slots_t;

/* What a network makes of one state; kept from one state to the next for its tables alone. */
typedef struct {
    row_t hidden;
    float value, best;
    i32 now, actions;
    i32 action[ACTIONS], turned[ACTIONS]; /* the legal actions, and their numbers where players count from the viewer */
    float chance[ACTIONS], logit[ACTIONS];
    i32 stamp[SLOTS];
    float score[SLOTS];
    slots_t slots[ACTIONS]; /* of the actions as the viewer numbers them */
    i32 turn[PLAYERS][ACTIONS];
} view_t;

static void view_begin(view_t *v) {
    memset(v, 0, sizeof *v);
    for (i32 a = 0; a < ACTIONS; a++) {
        v->slots[a].n = slots_of(a, v->slots[a].slot);
        for (int p = 0; p < PLAYERS; p++) v->turn[p][a] = turned_action(a, p);
    }
}

static void net_hidden(const net_t *net, const i32 *in, i32 n, float *h) {
    memcpy(h, net->row[BIAS_ROW], sizeof(row_t));
    add_rows(h, net->row, in, n);
    row_where(h, h);
    h[0] = 1;
}

/* Score actions, by their numbers for the viewer; their logits become chances. */
static void net_scores(const net_t *net, view_t *v, const i32 *turned, i32 n) {
    v->now++;
    float top = -1e30f, sum = 0;
    for (i32 i = 0; i < n; i++) {
        const slots_t *of = &v->slots[turned[i]];
        float x = 0;
        for (i32 k = 0; k < of->n; k++) {
            i32 slot = of->slot[k];
            if (v->stamp[slot] != v->now) { v->stamp[slot] = v->now; v->score[slot] = row_dot(v->hidden, net->row[SLOT_ROW + slot]); }
            x += v->score[slot];
        }
        v->logit[i] = x;
        if (x > top) top = x;
    }
    for (i32 i = 0; i < n; i++) sum += v->chance[i] = fast_exp(v->logit[i] - top);
    for (i32 i = 0; i < n; i++) v->chance[i] /= sum;
    v->actions = n;
}

static i32 legal_for(view_t *v, const u64 *mask, int viewer) { /* list the legal actions; how many */
    i32 n = 0;
    for (int i = 0; i < MASK; i++)
        for (u64 bits = mask[i]; bits; bits &= bits - 1) {
            i32 a = 64 * i + bit_low(bits);
            v->action[n] = a;
            v->turned[n++] = v->turn[viewer][a];
        }
    return n;
}

/* Let a network view the state of the player who is to act: chances of all legal actions, and the value. */
static void net_view(const net_t *net, view_t *v, const W *w, const u64 *mask, inputs_t *in) {
    int viewer = w->s.cur;
    inputs_of(w, viewer, mask, in);
    net_hidden(net, in->in, in->n, v->hidden);
    net_scores(net, v, v->turned, legal_for(v, mask, viewer));
    v->value = row_dot(v->hidden, net->row[VALUE_ROW]);
}

/* Leave out actions whose chance is less than a fifth of the greatest, which a network plays by mistake more often than for a
   reason (thresholding; Ganzfried, Sandholm and Waugh, 2012). */
#define SELDOM 0.2f
static void leave_out_seldom(view_t *v) {
    float top = 0, sum = 0;
    for (i32 i = 0; i < v->actions; i++) if (v->chance[i] > top) top = v->chance[i];
    for (i32 i = 0; i < v->actions; i++) sum += v->chance[i] = v->chance[i] < SELDOM * top ? 0 : v->chance[i];
    for (i32 i = 0; i < v->actions; i++) v->chance[i] /= sum;
}

static inline double unit(u64 *random) { return (double)(random_next(random) >> 11) * 0x1p-53; }

static i32 drawn(const view_t *v, u64 *random) { /* the place of an action that is drawn by its chance */
    double x = unit(random);
    i32 i = 0;
    for (; i < v->actions - 1; i++) { x -= v->chance[i]; if (x < 0) break; }
    return i;
}

static i32 likeliest(const view_t *v) {
    i32 best = 0;
    for (i32 i = 1; i < v->actions; i++) if (v->logit[i] > v->logit[best]) best = i;
    return best;
}
