/* What is called from outside of one watched play: as in `many.h`, and what players have seen of it.  `eyes` are the
   players for whom it is watched, one bit each. */

EXPORT i64 watched_size(void) { return sizeof(W); }

static void watched_start(W *w) {
    w->s.traced = 1;
    run(&w->s, ENTRY);
    w->s.traced = 0;
    settle(&w->s);
}

static void watched_begin(W *w, u64 eyes) { /* the tape and the generator of `w->s` are set already */
    memset(&w->w, 0, sizeof w->w);
    w->w.eyes = eyes & EVERYONE;
    lay_out(&w->s);
    watched_start(w);
}

static int watched_carry_out(W *w, i64 action) {
    int p;
    for EACH_VIEWER(p, w->w.eyes) w->w.of[p].choice = p == w->s.cur ? mixed((u64)action + 1) : 0;
    w->s.traced = 1;
    int done = carry_out(&w->s, action);
    w->s.traced = 0;
    settle(&w->s);
    return done;
}

/* What a player has seen of a play: all events, who is to act and, of their own unfinished decision, what they have
   picked and are choosing. */
static hash_t watched_hash(W *w, int viewer) {
    viewer_t *v = &w->w.of[viewer];
    close_run(v);
    hash_t h = v->seen;
    fold(&h, v->unordered.a); fold(&h, v->unordered.b); fold(&h, (u64)(i64)w->s.cur);
    if (w->s.cur == viewer) {
        for (set_t picked = w->s.picked; !set_empty(picked);) fold(&h, face_word(set_take(&picked)));
        fold(&h, (u64)stage(w->s.pc));
    }
    return h;
}

EXPORT i32 watched_begin_taped(W *w, u64 eyes, u64 seed, u64 number, i32 *tape, i32 room, i32 mode) {
    memset(&w->s, 0, sizeof w->s);
    w->s.random = random_seed(seed, number);
    tape_in(&w->s, tape, room, mode);
    watched_begin(w, eyes);
    return tape_out(&w->s);
}

EXPORT i32 watched_apply_taped(W *w, i64 action, i32 *tape, i32 room, i32 mode) {
    u64 mask[MASK];
    if (!legal_in(&w->s, mask) || !mask_has(mask, action)) return -1;
    tape_in(&w->s, tape, room, mode);
    watched_carry_out(w, action);
    return tape_out(&w->s);
}

EXPORT void watched_seen(W *w, i32 viewer, u64 *out) {
    hash_t h = (u32)viewer < PLAYERS ? watched_hash(w, viewer) : (hash_t){0, 0};
    out[0] = h.a; out[1] = h.b;
}

/* A key of what a viewer sees of the decision that was just taken; 0 where it is not complete, and not their own. */
EXPORT u64 watched_choice(const W *w, i32 viewer) { return (u32)viewer < PLAYERS ? w->w.of[viewer].choice : 0; }
