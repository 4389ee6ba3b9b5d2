/* Many plays side by side, in buffers of the caller (interpreter.native.vector). Each place has one play after another:
   its plays, and what is drawn as their actions, depend on the seed, the number of the place and its own actions alone,
   so they are the same regardless of what lies beside them. */

#define FINE 0
#define ILLEGAL 1 /* the action of the place `wrong`; nothing has changed */
#define FAULTY 2  /* a rule cannot be carried out in the place `wrong`, the first of those; its play stays as it is */
#define IDLE 3    /* too many plays in a row ended in the place `wrong` before anybody could decide */
#define MOST_IDLE 1000

typedef struct {
    i64 count, seat; /* `seat` alone decides from outside, all others by chance; -1: all decide from outside */
    u64 seed;
    i64 wrong;
    S *states;
    u64 *masks;      /* MASK words each */
    u64 *random;     /* the generator that draws actions */
    u32 *begun;      /* how many plays have begun */
    i32 *players;    /* who is to act; below 0 where nobody is */
    double *rewards; /* PLAYERS numbers each: of a play that has just ended, else 0 */
    uint8_t *terminated, *truncated;
} many_t;

EXPORT i64 many_size(void) { return sizeof(many_t); }
EXPORT i64 many_observed(void) { return OBSERVED; }

static int many_wrong(many_t *v, int found, i64 place, int what) {
    if (found == FINE) v->wrong = place;
    return found == FINE ? what : found;
}

/* Go on to where a player decides from outside; 0 where nobody does. */
static int many_wait(many_t *v, i64 i) {
    S *s = &v->states[i];
    u64 *mask = v->masks + i * MASK;
    while (v->seat >= 0 && s->cur != v->seat && carry_out_any(s, &v->random[i]));
    int there = legal_in(s, mask);
    v->players[i] = s->cur;
    return there;
}

/* Begin the next play of a place in which a player decides. */
static int many_next(many_t *v, i64 i) {
    for (int tries = 0; tries < MOST_IDLE; tries++) {
        game_begin(&v->states[i], v->seed, (u64)i << 32 | v->begun[i]++);
        if (many_wait(v, i)) return FINE;
        if (v->states[i].fault) return FAULTY;
    }
    return IDLE;
}

EXPORT void many_reseed(many_t *v, u64 seed) {
    for (i64 i = 0; i < v->count; i++) v->random[i] = random_seed(~seed, (u64)i);
}

/* Begin the first play of each place. */
EXPORT i32 many_begin(many_t *v) {
    int found = FINE;
    many_reseed(v, v->seed);
    for (i64 i = 0; i < v->count; i++) {
        v->begun[i] = 0;
        v->terminated[i] = v->truncated[i] = 0;
        for (int p = 0; p < PLAYERS; p++) v->rewards[i * PLAYERS + p] = 0;
        int what = many_next(v, i);
        if (what != FINE) found = many_wrong(v, found, i, what);
    }
    return found;
}

/* Carry out an action in each play, if all are legal. A play that ends is followed by the next one at once; or, with
   `later`, at the next call, which then does nothing else in that place, for any action. */
EXPORT i32 many_step(many_t *v, const i64 *actions, i32 later) {
    for (i64 i = 0; i < v->count; i++)
        if (!mask_has(v->masks + i * MASK, actions[i]) && !(later && v->players[i] < 0)) { v->wrong = i; return ILLEGAL; }
    int found = FINE;
    for (i64 i = 0; i < v->count; i++) {
        S *s = &v->states[i];
        int what = FINE;
        if (v->terminated[i] | v->truncated[i]) {
            v->terminated[i] = v->truncated[i] = 0;
            for (int p = 0; p < PLAYERS; p++) v->rewards[i * PLAYERS + p] = 0;
        }
        if (v->players[i] < 0) what = many_next(v, i);
        else {
            carry_out(s, actions[i]);
            if (!many_wait(v, i)) {
                if (s->fault) what = FAULTY;
                else {
                    worth(s, v->rewards + i * PLAYERS);
                    v->truncated[i] = s->too_long != 0;
                    v->terminated[i] = s->too_long == 0;
                    if (!later) what = many_next(v, i);
                }
            }
        }
        if (what != FINE) found = many_wrong(v, found, i, what);
    }
    return found;
}

/* Draw a legal action of each play, each alike; -1 where the play is over. */
EXPORT void many_sample(many_t *v, i64 *actions) {
    for (i64 i = 0; i < v->count; i++)
        actions[i] = v->players[i] < 0 ? -1 : mask_draw(v->masks + i * MASK, MASK, &v->random[i]);
}

/* Step so many times with drawn actions, for which there is room in `actions`; what the plays that ended paid is added to
   `paid`, and how many they were to `ended`. */
EXPORT i32 many_sample_steps(many_t *v, i64 steps, i64 *actions, i32 later, double *paid, i64 *ended) {
    int found = FINE;
    while (steps-- > 0 && found == FINE) {
        many_sample(v, actions);
        found = many_step(v, actions, later);
        for (i64 i = 0; i < v->count; i++) {
            if (!(v->terminated[i] | v->truncated[i])) continue;
            ended[i]++;
            for (int p = 0; p < PLAYERS; p++) paid[i * PLAYERS + p] += v->rewards[i * PLAYERS + p];
        }
    }
    return found;
}

/* Write masks as ACTIONS bytes each, 0 or 1; eight at a time where the lowest byte of a word comes first. */
EXPORT void many_unpack(const many_t *v, uint8_t *out) {
    for (i64 i = 0; i < v->count; i++, out += ACTIONS) {
        const u64 *mask = v->masks + i * MASK;
        int a = 0;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        for (; a + 8 <= ACTIONS; a += 8) {
            u64 each = (mask[a >> 6] >> (a & 63) & 0xff) * 0x0101010101010101u & 0x8040201008040201u;
            each = (each + 0x7f7f7f7f7f7f7f7fu) >> 7 & 0x0101010101010101u;
            memcpy(out + a, &each, 8);
        }
#endif
        for (; a < ACTIONS; a++) out[a] = mask[a >> 6] >> (a & 63) & 1;
    }
}

/* Write what a player sees of each play as OBSERVED numbers each; -1: the player to act, nothing where there is none. */
EXPORT void many_observe(const many_t *v, i32 viewer, float *out) {
    for (i64 i = 0; i < v->count; i++, out += OBSERVED) {
        int who = viewer < 0 ? v->players[i] : viewer;
        memset(out, 0, OBSERVED * sizeof *out);
        if (who >= 0 && who < PLAYERS) observe(&v->states[i], who, out);
    }
}
