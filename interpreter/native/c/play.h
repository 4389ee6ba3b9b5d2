/* A play: faults, steps and chance of one state `S`, whose fields the printer has laid out. */

#define STOP (-1)    /* nobody can go on before a player decides, or the play is over */
#define MIXED (INT64_MIN + 1) /* a measure of cards that are not the same */
#define STAY (-1)    /* the same player goes on with the action that was begun */
#define REFUSED (-2) /* no such action here */
#define RECORDING 1
#define REPLAYING 2

#define FAIL(number) do { if (!s->fault) s->fault = (number); } while (0)

static inline void spend(S *s, i64 steps, i32 fault) {
    if (steps > STEPS - s->steps) { FAIL(fault); s->steps = STEPS; } else s->steps += (i32)steps;
}
#define SPEND(steps, fault) spend(s, (steps), (fault))

static inline i64 draw(S *s, i32 count) { return s->tape_mode == REPLAYING ? 0 : count > 1 ? random_below(&s->random, (u32)count) : 0; }

/* What chance has chosen goes to a tape, or comes from there; what cannot be chosen is not taken from one. */
static inline i32 tape_next(S *s) { return s->tape_at < s->tape_room ? s->tape[s->tape_at++] : -1; }
static inline void tape_put(S *s, i64 x) { if (s->tape_at < s->tape_room) s->tape[s->tape_at] = (i32)x; s->tape_at++; }

static FAR_OFF i64 taped_range(S *s, i64 x, i64 low, i64 high) {
    if (s->tape_mode == RECORDING) tape_put(s, x);
    if (s->tape_mode == REPLAYING) { i64 y = tape_next(s); x = y < low ? low : y > high ? high : y; }
    return x;
}

static FAR_OFF i64 taped_one(S *s, i64 x, const i64 *of, i32 n) {
    if (s->tape_mode == RECORDING) tape_put(s, x);
    if (s->tape_mode == REPLAYING) { i64 y = tape_next(s); for (i32 i = 0; i < n; i++) if (of[i] == y) x = y; }
    return x;
}

static FAR_OFF i64 taped_card(S *s, i64 x, const card_t *of, i32 n) { /* of copies any represents all: the first is taken */
    if (s->tape_mode == RECORDING) tape_put(s, x);
    if (s->tape_mode == REPLAYING) {
        i64 y = tape_next(s);
        for (i32 i = 0; i < n; i++) if ((u64)y < CARDS && FACE_OF(of[i]) == FACE_OF(y)) x = of[i];
    }
    for (i32 i = n; i-- > 0;) if (FACE_OF(of[i]) == FACE_OF(x)) x = of[i];
    return x;
}

static FAR_OFF void shuffle(S *s, card_t *a, i32 n) { /* Fisher and Yates; recorded from the top downwards */
    if (s->tape_mode == REPLAYING) {
        for (i32 top = n - 1; top > 0; top--) {
            i32 card = tape_next(s);
            for (i32 i = 0; i <= top; i++) if (a[i] == card) { card_t held = a[i]; a[i] = a[top]; a[top] = held; break; }
        }
        if (n) tape_next(s);
        return;
    }
    for (i32 last = n - 1; last > 0; last--) {
        i32 other = (i32)random_below(&s->random, (u32)last + 1);
        card_t held = a[last]; a[last] = a[other]; a[other] = held;
    }
    if (s->tape_mode == RECORDING) for (i32 i = n; i-- > 0;) tape_put(s, a[i]);
}

/* Players who are no candidates for winning rank below all candidates, whose numbers are there already. */
static void rank_others(i64 *ranks) {
    i64 low = INT64_MAX;
    for (int p = 0; p < PLAYERS; p++) if (ranks[p] != NONE && ranks[p] < low) low = ranks[p];
    for (int p = 0; p < PLAYERS; p++) if (ranks[p] == NONE) ranks[p] = low == INT64_MAX ? 0 : low - 1;
}
