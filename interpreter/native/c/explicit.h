/* A play that waits for chance, stepped by one call each (interpreter.native.native_state): an action, or what chance
   answered, goes in; who acts next and what they may do comes out, in the same buffer (explicit_head.h). All calls hold
   Python's lock. */

#include "explicit_head.h"

#define OUTCOMES ((ACTIONS > CARDS ? ACTIONS : CARDS) + 128)

typedef struct {
    explicit_head_t head;
    i64 action;
    u64 mask[MASK];
    S s;
    i32 listed[OUTCOMES]; /* the legal actions, or the outcomes: a face + CARDS for each further card that has it; values
                             as often as they can be chosen. Elements after the last one are never read or copied */
} explicit_t;

EXPORT i64 explicit_size(void) { return sizeof(explicit_t); }
EXPORT i64 explicit_listed(void) { return offsetof(explicit_t, listed); }

/* Let an unknown card be one of a face; 0 where its pool has none. Of copies the lowest is taken. */
static int determine(S *s, i64 card, i64 face) {
    for (set_t left = s->unknown; !set_empty(left);) {
        i64 c = set_take(&left);
        if (s->pool[c] != s->pool[card] || FACE_OF(c) != face) continue;
        if (c != card) {
            exchange(s, c, card);
            s->token[card] = s->token[c];
        }
        set_drop(&s->unknown, c);
        return 1;
    }
    return 0;
}

static i64 explicit_wait(explicit_t *e, i32 kind, i32 n) {
    e->head.kind = kind;
    e->head.n = n;
    e->head.node = e->s.resume;
    e->head.decisions = e->s.decisions + (e->s.resume < 0 && !UNFINISHED(&e->s));
    return e->head.to_act = e->s.cur = CHANCE_NODE;
}

/* List the faces that the card which is requested can have; how many there are. */
static i32 explicit_faces(explicit_t *e, i32 needed) {
    const S *s = &e->s;
    i32 n = 0, last = -1;
    e->head.cards = 0;
    for (set_t left = s->unknown; !set_empty(left);) {
        i64 c = set_take(&left);
        if (s->pool[c] != s->pool[needed]) continue;
        i32 face = (i32)FACE_OF(c);
        if (face != last) e->listed[n++] = face; else e->listed[n - 1] += CARDS;
        last = face;
        e->head.cards++;
    }
    return n;
}

/* List the legal actions of the player to act. */
static i64 explicit_decide(explicit_t *e, S *before) {
    S *s = &e->s;
    *before = *s;
    e->head.n = 0;
    if (!legal_in(s, e->mask)) {
        *s = *before;
        memset(e->mask, 0, sizeof e->mask);
        e->head.n = -1;
        return s->cur;
    }
    for (int w = 0; w < MASK; w++)
        for (u64 left = e->mask[w]; left; left &= left - 1) e->listed[e->head.n++] = 64 * w + bit_low(left);
    return s->cur;
}

static i64 explicit_go(explicit_t *e) {
    S *s = &e->s, before;
    for (;;) {
        s->mark = &before; s->outcomes = e->listed; s->room = OUTCOMES;
        before = *s;
        if (s->resume < 0) carry_out(s, e->action); else run(s, s->resume);
        if (s->fault != NEEDS_CARD) break;
        i32 needed = s->needed;
        *s = before;
        s->needed = needed;
        i32 n = explicit_faces(e, needed);
        if (n > 1) return explicit_wait(e, CARD_NEEDED, n);
        if (!n || !determine(s, needed, e->listed[0] % CARDS)) return ELSEWHERE;
    }
    e->head.cards = 0;
    if (s->fault == NEEDS_VALUE) {
        i32 n = s->outcomes_n;
        *s = before;
        return n < 0 ? ELSEWHERE : explicit_wait(e, VALUE_NEEDED, n);
    }
    if (s->fault) return ELSEWHERE;
    e->head.to_act = s->cur;
    e->head.kind = NOTHING_NEEDED;
    e->head.decisions = s->decisions;
    e->head.node = e->head.n = 0;
    return s->cur < 0 ? s->cur : explicit_decide(e, &before);
}

/* Begin a play; return who is to act, or ELSEWHERE. */
EXPORT i64 explicit_begin(explicit_t *e) {
    memset(e, 0, sizeof *e);
    lay_out(&e->s);
    e->s.resume = ENTRY;
    return explicit_go(e);
}

/* Carry out an action, or let chance have chosen an outcome; the same as above, or WRONG. */
EXPORT i64 explicit_apply(explicit_t *e, i32 x) {
    S *s = &e->s;
    if (s->cur == CHANCE_NODE) {
        if (e->head.kind == CARD_NEEDED) {
            if (!determine(s, s->needed, x)) return WRONG;
        } else {
            int there = 0;
            for (i32 i = 0; i < e->head.n; i++) there |= e->listed[i] == x;
            if (!there) return WRONG;
            s->answered = 1;
            s->answer = x;
        }
    } else {
        if (s->cur < 0 || !mask_has(e->mask, x)) return WRONG;
        e->action = x;
        s->resume = -1;
    }
    return explicit_go(e);
}

/* Let chance have chosen all unknown cards: their faces, by pool and token; the same as above. */
EXPORT i64 explicit_determine(explicit_t *e, const i32 *faces, i32 n) {
    S *s = &e->s;
    if (s->cur != CHANCE_NODE || e->head.kind != CARD_NEEDED || n != set_count(s->unknown)) return WRONG;
    for (i32 i = 0; i < n; i++) {
        i64 next = NONE;
        for (set_t left = s->unknown; !set_empty(left);) {
            i64 c = set_take(&left);
            if (next == NONE || s->pool[c] < s->pool[next] || (s->pool[c] == s->pool[next] && s->token[c] < s->token[next]))
                next = c;
        }
        if (!determine(s, next, faces[i])) return ELSEWHERE;
    }
    return explicit_go(e);
}

/* Write the unknown cards, pool by pool in ascending order, and CARDS places after each its pool; how many there are. */
EXPORT i32 explicit_unknown(const explicit_t *e, i32 *cards) {
    i32 n = 0, *pools = cards + CARDS;
    for (i32 pool = 0; pool < CARDS; pool++)
        for (set_t left = e->s.unknown; !set_empty(left);) {
            i64 c = set_take(&left);
            if (e->s.pool[c] == pool) { cards[n] = (i32)c; pools[n++] = pool; }
        }
    return n;
}

/* What the play came to, as in a row of `game_playouts`. */
EXPORT void explicit_ends(const explicit_t *e, i64 *row) {
    row[0] = e->s.too_long ? -1 : 0;
    row[1] = e->s.actions;
    ends(&e->s, row + 2);
}
