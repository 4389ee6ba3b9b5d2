/* A play that waits for chance, carried on by one call a step (interpreter.native.explicit): what was decided, or what
   chance answered, goes in, and who is to act next and what they may do comes out.

   What comes out is the same again and again: such a *report* (`to_act` to the end of what is listed) has a number, by
   which Python keeps what it has made of it. A direct-mapped cache, compared in full, gives the numbers; none is used
   twice. All calls hold Python's lock, which guards it too. */

#define OUTCOMES ((ACTIONS > CARDS ? ACTIONS : CARDS) + 128)
#define WRONG (-10)     /* no such action or outcome here; nothing has changed */
#define ELSEWHERE (-11) /* C has no answer: the play is of no more use, and Python has to go on */
#define UNASKED 0
#define CARD_ASKED 1
#define VALUE_ASKED 2

typedef struct {
    i32 to_act;
    i32 n;    /* how many actions or outcomes there are; -1: to list the actions is at fault */
    i32 kind; /* what chance is asked */
    i32 node; /* where it is asked */
    i32 cards; /* of how many cards one is asked for */
    i32 listed[OUTCOMES]; /* the legal actions, or the outcomes: a face + CARDS for each further card that has it (so
                             that Python mostly reads small numbers, which it need not make); values as
                             often as they can be chosen */
    i64 action;
    u64 mask[MASK];
    S s, before;
} explicit_t;

#define HEAD 5
#define NUMBERED (1 << 20) /* the number of the first report; no player has it */
#define REPORTS 512  /* so many have a number at a time */
#define LONGEST 16   /* longer ones have none, they seldom come again */

static struct { i64 number; i32 length, of[LONGEST]; } reports[REPORTS];
static i64 reports_met;

/* The number of a report; where it is new, or too long to have one, who is to act. */
static i64 report(const explicit_t *e, i32 listed) {
    const i32 *of = &e->to_act;
    i32 length = HEAD + listed;
    u64 hash = 0;
    if (length > LONGEST) return e->to_act;
    for (i32 i = 0; i < length; i++) { hash = (hash ^ (u32)of[i]) * 0x9E3779B97F4A7C15u; hash ^= hash >> 29; }
    i32 at = (i32)(hash % REPORTS);
    if (reports[at].length == length && !memcmp(reports[at].of, of, (size_t)length * sizeof *of))
        return reports[at].number;
    reports[at].number = NUMBERED + reports_met++;
    reports[at].length = length;
    memcpy(reports[at].of, of, (size_t)length * sizeof *of);
    return e->to_act;
}

EXPORT i64 explicit_size(void) { return sizeof(explicit_t); }

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
    e->kind = kind;
    e->n = n;
    e->node = e->s.resume;
    e->to_act = e->s.cur = CHANCE_NODE;
    return report(e, n);
}

static i64 explicit_go(explicit_t *e) {
    S *s = &e->s;
    for (;;) {
        s->mark = &e->before; s->outcomes = e->listed; s->room = OUTCOMES;
        e->before = *s;
        if (s->resume < 0) carry_out(s, e->action); else run(s, s->resume);
        if (s->fault != ASKS_CARD) break;
        i32 asked = s->asked, n = 0, cards = 0, last = -1;
        *s = e->before;
        for (set_t left = s->unknown; !set_empty(left);) {
            i64 c = set_take(&left);
            if (s->pool[c] != s->pool[asked]) continue;
            i32 face = (i32)FACE_OF(c);
            if (face != last) e->listed[n++] = face; else e->listed[n - 1] += CARDS;
            last = face;
            cards++;
        }
        s->asked = asked;
        e->cards = cards;
        if (n > 1) return explicit_wait(e, CARD_ASKED, n);
        if (!n || !determine(s, asked, last)) return ELSEWHERE;
    }
    e->cards = 0;
    if (s->fault == ASKS_VALUE) {
        i32 n = s->outcomes_n;
        *s = e->before;
        return n < 0 ? ELSEWHERE : explicit_wait(e, VALUE_ASKED, n);
    }
    if (s->fault) return ELSEWHERE;
    e->to_act = s->cur;
    e->kind = UNASKED;
    e->node = e->n = 0;
    if (s->cur < 0) return s->cur;
    e->before = *s;
    if (!legal_in(s, e->mask)) {
        *s = e->before;
        memset(e->mask, 0, sizeof e->mask);
        e->n = -1;
        return report(e, 0);
    }
    for (int w = 0; w < MASK; w++)
        for (u64 left = e->mask[w]; left; left &= left - 1) e->listed[e->n++] = 64 * w + bit_low(left);
    return report(e, e->n);
}

/* Begin a play; the number of the report, or ELSEWHERE. */
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
        if (e->kind == CARD_ASKED) {
            if (!determine(s, s->asked, x)) return WRONG;
        } else {
            int there = 0;
            for (i32 i = 0; i < e->n; i++) there |= e->listed[i] == x;
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
    if (s->cur != CHANCE_NODE || e->kind != CARD_ASKED || n != set_count(s->unknown)) return WRONG;
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

/* Write the unknown cards, pool by pool in ascending order, and CARDS places behind each its pool; how many there are. */
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
    row[1] = e->s.decisions;
    ends(&e->s, row + 2);
}
