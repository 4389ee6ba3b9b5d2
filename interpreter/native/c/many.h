/* What is called from outside of one play after another. A state is a buffer of the caller, `game_size()` bytes; masks are
   MASK words. */

#if defined(__GNUC__)
#define EXPORT __attribute__((visibility("default")))
#elif defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT
#endif

EXPORT i64 game_size(void) { return sizeof(S); }
EXPORT i64 game_mask_words(void) { return MASK; }
EXPORT i64 game_ends(void) { return ENDS; }
EXPORT const char *game_results(void) { return RESULTS; } /* what `result` says, in the order of its numbers */

/* Carry out nodes from this one on, up to where a player decides or the play is over. */
static void run(S *s, int node) {
    for (;;) {
        while (node >= 0) node = STEP(s, node);
        if (s->fault) { s->cur = TERMINAL; return; }
        if (s->cur == TERMINAL || s->decisions < MOST_DECISIONS || UNFINISHED(s)) return;
        s->too_long = 1;
        node = END;
    }
}

static void ends(const S *s, i64 *out) { memcpy(out, s->result, ENDS * sizeof *out); }

static void tape_in(S *s, i32 *tape, i32 room, i32 mode) {
    s->tape = tape; s->tape_room = room; s->tape_mode = mode;
}

static i32 tape_out(S *s) { /* the length of the tape that was used */
    i32 used = s->tape_at;
    s->tape = 0; s->tape_at = s->tape_room = s->tape_mode = 0;
    return used;
}

/* Begin a play, noting on a tape what chance chooses (`mode` 1), taking it from there (2), or neither (0); the length of
   the tape that is used. */
static i32 begin_taped(S *s, u64 seed, u64 number, i32 *tape, i32 room, i32 mode) {
    memset(s, 0, sizeof *s);
    s->random = random_seed(seed, number);
    tape_in(s, tape, room, mode);
    lay_out(s);
    run(s, ENTRY);
    return tape_out(s);
}

EXPORT i32 game_begin_taped(S *s, u64 seed, u64 number, i32 *tape, i32 room, i32 mode) {
    return begin_taped(s, seed, number, tape, room, mode);
}

static void game_begin(S *s, u64 seed, u64 number) { begin_taped(s, seed, number, 0, 0, 0); }

EXPORT i32 game_player(const S *s) { return s->cur; }
EXPORT i32 game_fault(const S *s) { return s->fault; }
EXPORT i32 game_too_long(const S *s) { return s->too_long; }
EXPORT void game_returns(const S *s, double *out) { worth(s, out); }

/* The decisions of a game, which the printed text lists: DECISIONS(X) has X(node, first, words, number) for each. Its
   function `legal` fills a mask with what is legal, action `first` at the place that is given; no action is after so
   many words from there. Where none is legal, fault `number` is raised. */
#define LEGAL_AT(node, first, words, number) case node: legal##node(s, mask, first); none = number; break;
#define APPLY_AT(node, first, words, number) case node: return apply##node(s, action);
#define DRAW_AT(node, first, words, number) \
    case node: \
        legal##node(s, mask, 0); \
        action = s->fault ? -1 : mask_draw(mask, words, random); \
        if (action < 0) { FAIL(number); return REFUSED; } \
        s->steps = 0; \
        return apply##node(s, first + action);

static int legal_in(S *s, u64 *mask) {
    i32 none = 0;
    memset(mask, 0, MASK * sizeof(u64));
    if (s->cur < 0) return 0;
    s->steps = 0;
    switch (s->pc) { DECISIONS(LEGAL_AT) }
    if (mask_empty(mask)) FAIL(none);
    if (!s->fault) return 1;
    s->cur = TERMINAL;
    memset(mask, 0, MASK * sizeof(u64));
    return 0;
}

static int apply_here(S *s, i64 action) {
    switch (s->pc) { DECISIONS(APPLY_AT) }
    return REFUSED;
}

static int draw_here(S *s, u64 *random) {
    u64 mask[MASK] = {0};
    i64 action;
    switch (s->pc) { DECISIONS(DRAW_AT) }
    return REFUSED;
}

/* Go on after an action, at a node; 0 where the action was refused. `begins`: it was the first of its decision. */
static int go_on(S *s, int begins, int node) {
    if (node == REFUSED) return 0;
    s->actions++;
    s->decisions += begins;
    if (node >= 0) run(s, node);
    else if (s->fault) s->cur = TERMINAL;
    else if (s->decisions >= MOST_DECISIONS && !UNFINISHED(s)) { s->too_long = 1; run(s, END); }
    return 1;
}

static int carry_out(S *s, i64 action) {
    int begins = !UNFINISHED(s);
    s->steps = 0;
    return go_on(s, begins, apply_here(s, action));
}

/* Carry out one of the legal actions, each alike; 0 where there are none, the play being over. */
static int carry_out_any(S *s, u64 *random) {
    if (s->cur < 0) return 0;
    int begins = !UNFINISHED(s);
    s->steps = 0;
    int made = go_on(s, begins, draw_here(s, random));
    if (!made) s->cur = TERMINAL;
    return made;
}

/* Fill the mask of the small actions that are legal; 0 where there are none, the play being over. */
EXPORT i32 game_legal(S *s, u64 *mask) { return legal_in(s, mask); }

/* Carry out a small action, with a tape as above; the length of it that is used, or -1 where the action is not legal: the
   state then stays as it was. */
EXPORT i32 game_apply_taped(S *s, i64 action, i32 *tape, i32 room, i32 mode) {
    u64 mask[MASK];
    if (!legal_in(s, mask) || !mask_has(mask, action)) return -1;
    tape_in(s, tape, room, mode);
    carry_out(s, action);
    return tape_out(s);
}

/* Replay a play: chance takes all that it draws from one tape. How many actions were carried out, up to one that is not
   legal. */
EXPORT i64 game_replay(S *s, const i32 *actions, i64 count, i32 *tape, i32 room) {
    u64 mask[MASK];
    i64 done = 0;
    memset(s, 0, sizeof *s);
    s->random = random_seed(0, 0);
    tape_in(s, tape, room, REPLAYING);
    lay_out(s);
    run(s, ENTRY);
    while (done < count && legal_in(s, mask) && mask_has(mask, actions[done])) carry_out(s, actions[done++]);
    tape_out(s);
    return done;
}

/* Play at random so many times, each legal small action alike; what each came to is a row of 2 + ENDS numbers: its
   fault, or -1 where it was too long, its small actions, and what `result` says. It stops after a fault. */
#if defined(FLAT) && defined(__GNUC__)
__attribute__((flatten)) /* all that a play calls becomes a part of the loop */
#endif
EXPORT i64 game_playouts(u64 seed, i64 first, i64 count, i64 *rows) {
    S s;
    i64 made = 0;
    for (i64 i = 0; i < count; i++, rows += 2 + ENDS) {
        game_begin(&s, seed, (u64)(first + i));
        u64 actions = random_seed(~seed, (u64)(first + i));
        while (carry_out_any(&s, &actions));
        rows[0] = s.fault ? s.fault : s.too_long ? -1 : 0;
        rows[1] = s.actions;
        ends(&s, rows + 2);
        made += s.actions;
        if (s.fault) return -(i + 1);
    }
    return made;
}
