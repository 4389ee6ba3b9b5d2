/* Explicit chance: nothing is drawn here. Cards of a shuffled pile lie in some order, but are *unknown*: each has a token,
   and those of one shuffle a pool, whose cards may still lie in any order. Where a rule must know a card, or a player
   learns it, it is *needed*: what is going on is broken off as if it were at fault, chance answers, and it is carried out
   again from the last mark (explicit.h). So it is in Python (interpreter.engine.chance), with the same tokens, and cards
   are needed in the same order. */

#define NEEDS_PLACE (INT32_MAX - 2)
#define NEEDS_CARD (INT32_MAX - 1)
#define NEEDS_VALUE INT32_MAX

/* Play can go on from node `node` again, as it is here. */
static inline void mark(S *s, i32 node) {
    if (!s->mark || s->fault) return;
    s->resume = node;
    memcpy(s->mark, s, sizeof *s);
}

static inline void mark_unknown(S *s, i32 node) { if (!set_empty(s->unknown)) mark(s, node); }

static FAR_OFF void need(S *s, i64 card) {
    if (s->fault || !set_has(s->unknown, card)) return;
    s->fault = NEEDS_CARD;
    s->needed = (i32)card;
}

static FAR_OFF i64 first_token(const S *s, set_t cards) { /* the card among unknown ones that has the lowest token */
    i64 first = NONE;
    while (!set_empty(cards)) {
        i64 card = set_take(&cards);
        if (first == NONE || s->token[card] < s->token[first]) first = card;
    }
    return first;
}

/* So many cards of a place must be known, as they lie, from the top of a pile; those of a set by their tokens. */
static FAR_OFF void need_top(S *s, int place, i64 count) {
    if (!is_row(place)) { need(s, first_token(s, set_and(*set_at(s, place), s->unknown))); return; }
    i32 n = *row_count(s, place);
    for (i32 i = 0; i < n && i < count; i++) need(s, row_at(s, place)[KIND[place] & PILE ? n - 1 - i : i]);
}

static inline void need_place(S *s, int place) { need_top(s, place, CARDS); }

/* The rules name a card and need to know where it lies: where it is unknown, Python finds it. */
static FAR_OFF void locate(S *s, set_t cards) {
    if (!s->fault && !set_empty(set_and(cards, s->unknown))) s->fault = NEEDS_PLACE;
}
static inline void locate_one(S *s, i64 card) { if (card != NONE) locate(s, set_one(card)); }

static inline void set_exchange(set_t *of, i64 a, i64 b) {
    int has = set_has(*of, a);
    if (has == set_has(*of, b)) return;
    set_drop(of, has ? a : b);
    set_put(of, has ? b : a);
}

static FAR_OFF void lie_exchange(card_t *cards, i32 n, i64 a, i64 b) {
    for (i32 i = 0; i < n; i++) if (cards[i] == a) cards[i] = (card_t)b; else if (cards[i] == b) cards[i] = (card_t)a;
}

/* Put two cards each where the other was, with all that is known of a card there. */
static FAR_OFF void exchange(S *s, i64 a, i64 b) {
    for (int p = 0; p < PLACES; p++)
        if (is_row(p)) lie_exchange(row_at(s, p), *row_count(s, p), a, b);
        else set_exchange(set_at(s, p), a, b);
#if defined(KEEPS_UP)
    set_exchange(&s->up, a, b);
#endif
#if defined(KEEPS_DOWN)
    set_exchange(&s->down, a, b);
#endif
#if defined(KEEPS_BY)
    int8_t by = s->by[a]; s->by[a] = s->by[b]; s->by[b] = by;
#endif
}

static FAR_OFF void explicit_shuffle(S *s, const card_t *cards, i32 n) {
    set_t pile = set_of(cards, n), inside = set_and(pile, s->unknown), outside = set_minus(s->unknown, pile);
    uint8_t touched[CARDS > 0 ? CARDS : 1] = {0};
    int pools = 0;
    if (n < 2 || s->fault) return;
    for (set_t left = inside; !set_empty(left);) {
        i32 pool = s->pool[set_take(&left)];
        pools += !touched[pool];
        touched[pool] = 1;
    }
    if (pools == 1 && set_count(inside) == n) return;
    for (i32 pool = 0; pool < CARDS; pool++) { /* of a pool that lies partly elsewhere the rest is not like others */
        set_t rest = set_none();
        if (!touched[pool]) continue;
        for (set_t left = outside; !set_empty(left);) { i64 c = set_take(&left); if (s->pool[c] == pool) set_put(&rest, c); }
        if (!set_empty(rest)) { need(s, first_token(s, rest)); return; }
    }
    uint8_t used[2 * CARDS + 1] = {0}, taken[CARDS + 1] = {0};
    for (set_t left = outside; !set_empty(left);) {
        i64 c = set_take(&left);
        used[s->token[c]] = 1;
        taken[s->pool[c]] = 1;
    }
    i32 pool = 0, token = 0;
    while (taken[pool]) pool++;
    for (i32 i = n; i-- > 0;) {
        while (used[token]) token++;
        s->pool[cards[i]] = pool;
        s->token[cards[i]] = token++;
    }
    s->unknown = set_or(s->unknown, pile);
}

/* What chance chooses otherwise: the answer if there is one, else the outcomes are listed, and the machine waits for an answer. */
static int answered(S *s) {
    int there = s->answered;
    s->answered = 0;
    return there;
}

/* Ask for one of so many outcomes; how many are to be reported: none where another question is open already. */
static i32 await_outcome(S *s, i64 n) {
    if (s->fault) return 0;
    s->fault = NEEDS_VALUE;
    s->outcomes_n = n > s->room ? -1 : (i32)n;
    return s->outcomes_n;
}

static FAR_OFF i64 explicit_range(S *s, i64 low, i64 high) {
    if (answered(s)) return s->answer;
    for (i32 i = 0, count = await_outcome(s, high - low + 1); i < count; i++) s->outcomes[i] = (i32)(low + i);
    return low;
}

static FAR_OFF i64 explicit_one(S *s, const i64 *of, i32 n) {
    if (answered(s)) return s->answer;
    for (i32 i = 0, count = await_outcome(s, n); i < count; i++) s->outcomes[i] = (i32)of[i];
    return of[0];
}

static FAR_OFF i64 explicit_card(S *s, const card_t *of, i32 n) { /* outcomes are faces; of copies the first is taken */
    if (answered(s)) {
        for (i32 i = 0; i < n; i++) if (FACE_OF(of[i]) == s->answer) return of[i];
        return of[0];
    }
    for (i32 i = 0, count = await_outcome(s, n); i < count; i++) s->outcomes[i] = (i32)FACE_OF(of[i]);
    return of[0];
}
