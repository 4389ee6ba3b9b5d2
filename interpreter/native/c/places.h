/* The places of cards, the families of zones one after another: where each is in a state, and what concerns them all.
   The printed text defines PLACES and the tables; a state keeps `up` and `down` where rules turn cards (KEEPS_UP,
   KEEPS_DOWN), and `by` where a player may know who played a card (KEEPS_BY). */

#define EVERYONE (~(u64)0 >> (64 - PLAYERS))
enum { UNORDERED = 1, PILE = 2, ROW = 4 };

typedef struct { u32 cards, count; int16_t owner; } place_t; /* offsets in a state; no count where the cards are a set */
typedef struct { i32 place, count; } home_t;

static const place_t PLACE[PLACES] = PLACE_TABLE;
static const uint8_t KIND[PLACES] = KIND_TABLE;
static const u64 SEES[PLACES] = SEES_TABLE; /* who sees what lies there, as bits of players */
static const home_t HOMES[] = HOME_TABLE;   /* how many cards of the deck lie where before play */
static const card_t DECK[] = DECK_TABLE;    /* these cards, place by place, those of a pile from its bottom */

static inline set_t *set_at(const S *s, int place) { return (set_t *)((char *)s + PLACE[place].cards); }
static inline card_t *row_at(const S *s, int place) { return (card_t *)((char *)s + PLACE[place].cards); }
static inline i32 *row_count(const S *s, int place) { return (i32 *)((char *)s + PLACE[place].count); }
static inline int is_row(int place) { return PLACE[place].count > 0; }

static inline set_t cards_at(const S *s, int place) {
    return is_row(place) ? set_of(row_at(s, place), *row_count(s, place)) : *set_at(s, place);
}

/* The cards of a place in order, from the top of a pile. */
static inline i32 lie_at(const S *s, int place, card_t *out) {
    i32 n = 0;
    if (!is_row(place)) {
        for (set_t left = *set_at(s, place); !set_empty(left);) out[n++] = (card_t)set_take(&left);
        return n;
    }
    n = *row_count(s, place);
    for (i32 i = 0; i < n; i++) out[i] = row_at(s, place)[KIND[place] & PILE ? n - 1 - i : i];
    return n;
}

static inline i32 size_at(const S *s, int place) {
    return is_row(place) ? *row_count(s, place) : (i32)set_count(*set_at(s, place));
}

/* Let cards in order be those of a place, a pile from its top. */
static inline void lay_at(S *s, int place, const card_t *cards, i32 n) {
    if (!is_row(place)) { *set_at(s, place) = set_of(cards, n); return; }
    for (i32 i = 0; i < n; i++) row_at(s, place)[KIND[place] & PILE ? n - 1 - i : i] = cards[i];
    *row_count(s, place) = n;
}

static FAR_OFF void swap_places(S *s, int one, int other) { /* which have room for each other's cards */
    card_t a[CARDS > 0 ? CARDS : 1], b[CARDS > 0 ? CARDS : 1];
    i32 n = lie_at(s, one, a), m = lie_at(s, other, b);
    lay_at(s, one, b, m);
    lay_at(s, other, a, n);
}

static inline void turn_round(i32 *places, i32 n) {
    for (i32 i = 0; i < n / 2; i++) { i32 p = places[i]; places[i] = places[n - 1 - i]; places[n - 1 - i] = p; }
}

static inline void rotate_places(S *s, const i32 *places, i32 n) { /* each gives its cards to the next one */
    for (i32 i = 1; i < n; i++) swap_places(s, places[0], places[i]);
}

/* The place of a card; sets are searched first, since rows take longer. A loop that is unrolled has the tables in it. */
static FAR_OFF int place_of(const S *s, i64 card) {
#pragma GCC unroll 64
    for (int p = 0; p < PLACES; p++) if (!is_row(p) && set_has(*set_at(s, p), card)) return p;
#pragma GCC unroll 64
    for (int p = 0; p < PLACES; p++) if (is_row(p) && lie_has(row_at(s, p), *row_count(s, p), card)) return p;
    return -1;
}

static inline i64 holder(const S *s, i64 card) {
    int place = place_of(s, card);
    return place < 0 || PLACE[place].owner < 0 ? NONE : PLACE[place].owner;
}

static FAR_OFF void take_card(S *s, i64 card) {
#pragma GCC unroll 64
    for (int p = 0; p < PLACES; p++) if (!is_row(p) && set_has(*set_at(s, p), card)) { set_drop(set_at(s, p), card); return; }
#pragma GCC unroll 64
    for (int p = 0; p < PLACES; p++) if (is_row(p) && lie_drop(row_at(s, p), row_count(s, p), card)) return;
    FAIL(LIES_NOWHERE);
}

static inline void take_set(S *s, set_t cards) { while (!set_empty(cards)) take_card(s, set_take(&cards)); }

/* Take cards that most likely lie in a place, which has them as a set, or in a row. */
static inline void take_card_from_zone(S *s, set_t *there, i64 card) {
    if (set_has(*there, card)) set_drop(there, card); else take_card(s, card);
}

static inline void take_set_from_zone(S *s, set_t *there, set_t cards) {
    set_t others = set_minus(cards, *there);
    *there = set_minus(*there, cards);
    take_set(s, others);
}

static inline void take_card_from_row(S *s, card_t *there, i32 *n, i64 card) {
    if (!lie_drop(there, n, card)) take_card(s, card);
}

static inline void take_set_from_row(S *s, card_t *there, i32 *n, set_t cards) {
    while (!set_empty(cards)) take_card_from_row(s, there, n, set_take(&cards));
}

static void lay_out(S *s) {
    const card_t *cards = DECK;
#pragma GCC unroll 64
    for (int h = 0; h < HOMES_N; h++) {
        int place = HOMES[h].place;
        i32 n = HOMES[h].count;
        if (is_row(place)) {
            memcpy(row_at(s, place), cards, (size_t)n * sizeof *cards);
            *row_count(s, place) = n;
        } else *set_at(s, place) = set_of(cards, n);
        cards += n;
    }
}

/* ---- what is known of cards */

static inline u64 seen_by(const S *s, i64 card, int place) {
#if defined(KEEPS_UP)
    if (set_has(s->up, card)) return EVERYONE;
#endif
#if defined(KEEPS_DOWN)
    if (set_has(s->down, card)) return 0;
#endif
    (void)s; (void)card;
    return SEES[place];
}

static inline set_t turned_cards(const S *s) {
    set_t found = set_none();
#if defined(KEEPS_UP)
    found = set_or(found, s->up);
#endif
#if defined(KEEPS_DOWN)
    found = set_or(found, s->down);
#endif
    (void)s;
    return found;
}

static inline u32 played_by(const S *s, i64 card) {
#if defined(KEEPS_BY)
    return (u32)s->by[card];
#else
    (void)s; (void)card;
    return 0;
#endif
}

/* Count the faces of cards in cells of an observation. */
static void see(float *cells, set_t cards) { while (!set_empty(cards)) { i64 c = set_take(&cards); cells[FACE_OF(c)] += 1; } }

/* Write for each place how many cards it has, and the faces of those that a viewer sees. */
static void see_places(const S *s, int viewer, float *cells) {
    for (int p = 0; p < PLACES; p++, cells += (CARDS ? FACES : 0) + 1) {
        set_t seen = set_none();
        cells[0] = (float)size_at(s, p);
        if (SEES[p] >> viewer & 1) seen = cards_at(s, p);
#if defined(KEEPS_DOWN)
        seen = set_minus(seen, s->down);
#endif
#if defined(KEEPS_UP)
        seen = set_or(seen, set_and(cards_at(s, p), s->up));
#endif
        see(cells + 1, seen);
    }
}
