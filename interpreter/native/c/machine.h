/* Helpers under every game that is printed as C99 (interpreter.program.c): sets of cards, groups in order, numbers that
   may be absent, chance, sums and results of sets that are chosen, faults.

   The text of a game defines before this: CARDS, PLAYERS, ACTIONS (how many there are), LIST (the most things of a
   group of numbers), card_t (the smallest type of a card), and STEPS, the most steps between two decisions. A place in
   an array is an index that a type proves, or it goes through a helper that checks it. */

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t u64;
typedef uint32_t u32;
typedef int64_t i64;
typedef int32_t i32;

#define NONE INT64_MIN
#define CHANCE_NODE (-1)
#define TERMINAL (-4)
#if defined(__GNUC__)
#define FAR_OFF __attribute__((noinline, unused)) /* what is long, or rarely called, is not inlined: that builds quicker */
#else
#define FAR_OFF
#endif
#define MASK ((ACTIONS + 63) / 64)
#define WORDS ((CARDS + 63) / 64)

/* ---- sets of cards: one bit a card, by its number */

static inline int bit_count(u64 x) {
#if defined(__GNUC__)
    return __builtin_popcountll(x);
#else
    int n = 0;
    for (; x; x &= x - 1) n++;
    return n;
#endif
}

static inline int bit_low(u64 x) { /* the place of the lowest bit; x is not 0 */
#if defined(__GNUC__)
    return __builtin_ctzll(x);
#else
    int n = 0;
    for (; !(x & 1); x >>= 1) n++;
    return n;
#endif
}

static inline int bit_high(u64 x) { /* the place of the highest bit; x is not 0 */
#if defined(__GNUC__)
    return 63 - __builtin_clzll(x);
#else
    int n = 0;
    for (; x >>= 1;) n++;
    return n;
#endif
}

static inline int bit_nth(u64 x, int n) { /* the place of the nth bit from below, from 0; there are more than n */
#if defined(__GNUC__) && defined(__BMI2__)
    return bit_low(__builtin_ia32_pdep_di((u64)1 << n, x));
#else
    for (; n; n--) x &= x - 1;
    return bit_low(x);
#endif
}

#if CARDS <= 64
typedef u64 set_t;
#define SET1(a) ((u64)a)
static inline set_t set_none(void) { return 0; }
static inline set_t set_and(set_t a, set_t b) { return a & b; }
static inline set_t set_or(set_t a, set_t b) { return a | b; }
static inline set_t set_minus(set_t a, set_t b) { return a & ~b; }
static inline int set_empty(set_t a) { return a == 0; }
static inline int set_same(set_t a, set_t b) { return a == b; }
static inline int set_count(set_t a) { return bit_count(a); }
static inline int set_has(set_t a, i64 c) { return (u64)c < CARDS && (a >> c & 1); }
static inline set_t set_one(i64 c) { return (u64)c < CARDS ? (u64)1 << c : 0; }
static inline i64 set_first(set_t a) { return a ? bit_low(a) : NONE; }
static inline i64 set_last(set_t a) { return a ? bit_high(a) : NONE; }
static inline i64 set_take(set_t *a) { i64 c = bit_low(*a); *a &= *a - 1; return c; } /* of a set that is not empty */
static inline i64 set_take_last(set_t *a) { i64 c = bit_high(*a); *a ^= (u64)1 << c; return c; }
static inline set_t set_above(i64 c) { return c < 0 ? ~(u64)0 : ~(u64)1 << (c & 63); }
#elif defined(__GNUC__) && CARDS <= 512 /* a vector, whose operations are one instruction or a few: that builds quicker */
#define WIDE (WORDS > 4 ? 8 : WORDS > 2 ? 4 : 2)
typedef u64 set_t __attribute__((vector_size(8 * WIDE), aligned(8)));
#define SETW(...) {__VA_ARGS__}
#define SET1(a) {a}
#define WORD(a, i) (a)[i]
static inline set_t set_none(void) { return (set_t){0}; }
static inline set_t set_and(set_t a, set_t b) { return a & b; }
static inline set_t set_or(set_t a, set_t b) { return a | b; }
static inline set_t set_minus(set_t a, set_t b) { return a & ~b; }
static inline set_t set_one(i64 c) {
    set_t places, bit;
    for (int i = 0; i < WIDE; i++) places[i] = (u64)i;
    bit = (set_t){0} + ((u64)c < CARDS ? (u64)1 << (c & 63) : 0);
    return (set_t)(places == (set_t){0} + ((u64)c >> 6)) & bit;
}
#else
typedef struct { u64 w[WORDS]; } set_t;
#define SETW(...) {{__VA_ARGS__}}
#define SET1(a) {{a}}
#define WORD(a, i) (a).w[i]
static inline set_t set_none(void) { set_t r; memset(&r, 0, sizeof r); return r; }
static inline set_t set_and(set_t a, set_t b) { for (int i = 0; i < WORDS; i++) a.w[i] &= b.w[i]; return a; }
static inline set_t set_or(set_t a, set_t b) { for (int i = 0; i < WORDS; i++) a.w[i] |= b.w[i]; return a; }
static inline set_t set_minus(set_t a, set_t b) { for (int i = 0; i < WORDS; i++) a.w[i] &= ~b.w[i]; return a; }
static inline set_t set_one(i64 c) { set_t r = set_none(); if ((u64)c < CARDS) r.w[c >> 6] = (u64)1 << (c & 63); return r; }
#endif

#if CARDS > 64
static inline int set_empty(set_t a) { u64 x = 0; for (int i = 0; i < WORDS; i++) x |= WORD(a, i); return x == 0; }
static FAR_OFF int set_same(set_t a, set_t b) { u64 x = 0; for (int i = 0; i < WORDS; i++) x |= WORD(a, i) ^ WORD(b, i); return x == 0; }
static FAR_OFF int set_count(set_t a) { int n = 0; for (int i = 0; i < WORDS; i++) n += bit_count(WORD(a, i)); return n; }
static inline int set_has(set_t a, i64 c) { return (u64)c < CARDS && (WORD(a, c >> 6) >> (c & 63) & 1); }
static FAR_OFF i64 set_first(set_t a) { for (int i = 0; i < WORDS; i++) if (WORD(a, i)) return 64 * i + bit_low(WORD(a, i)); return NONE; }
static FAR_OFF i64 set_last(set_t a) { for (int i = WORDS; i-- > 0;) if (WORD(a, i)) return 64 * i + bit_high(WORD(a, i)); return NONE; }
static FAR_OFF i64 set_take(set_t *a) {
    for (int i = 0; i < WORDS; i++)
        if (WORD(*a, i)) { i64 c = 64 * i + bit_low(WORD(*a, i)); WORD(*a, i) &= WORD(*a, i) - 1; return c; }
    return 0;
}
static FAR_OFF i64 set_take_last(set_t *a) {
    for (int i = WORDS; i-- > 0;)
        if (WORD(*a, i)) { int b = bit_high(WORD(*a, i)); WORD(*a, i) ^= (u64)1 << b; return 64 * i + b; }
    return 0;
}
static FAR_OFF set_t set_above(i64 c) {
    set_t r = set_none();
    if (c < 0) c = -1;
    for (int i = 0; i < WORDS; i++) {
        i64 low = c + 1 - 64 * (i64)i;
        WORD(r, i) = low <= 0 ? ~(u64)0 : low >= 64 ? 0 : ~(u64)0 << low;
    }
    return r;
}
#endif

static inline void set_put(set_t *a, i64 c) { *a = set_or(*a, set_one(c)); }
static inline void set_drop(set_t *a, i64 c) { *a = set_minus(*a, set_one(c)); }

static FAR_OFF set_t set_few(set_t a, i64 count) { /* the lowest of a set */
    set_t r = set_none();
    for (; count > 0 && !set_empty(a); count--) set_put(&r, set_take(&a));
    return r;
}

static FAR_OFF set_t set_last_few(set_t a, i64 count) { /* the highest of a set */
    set_t r = set_none();
    for (; count > 0 && !set_empty(a); count--) set_put(&r, set_take_last(&a));
    return r;
}

static inline set_t set_of(const card_t *cards, int count) {
    set_t r = set_none();
    for (int i = 0; i < count; i++) set_put(&r, cards[i]);
    return r;
}

/* ---- groups in order */

typedef struct { i32 n; card_t a[CARDS > 0 ? CARDS : 1]; } cards_t;
typedef struct { i32 n; i64 a[LIST]; } list_t;

static inline void cards_push(cards_t *g, i64 c) { if (g->n < CARDS && (u64)c < CARDS) g->a[g->n++] = (card_t)c; }
static inline void list_push(list_t *g, i64 x) { if (g->n < LIST) g->a[g->n++] = x; }
/* Copy what there is: a copy of the whole structure would wait until all stores to it are done. */
static inline void cards_copy(cards_t *to, const cards_t *from) { to->n = from->n; for (i32 i = 0; i < from->n; i++) to->a[i] = from->a[i]; }
static inline void list_copy(list_t *to, const list_t *from) { to->n = from->n; for (i32 i = 0; i < from->n; i++) to->a[i] = from->a[i]; }
static inline void list_join(list_t *g, const list_t *other) { for (i32 i = 0; i < other->n; i++) list_push(g, other->a[i]); }

static inline void cards_put(cards_t *g, set_t *seen, i64 c) { /* unless it is there; `seen` has those that are */
    if (set_has(*seen, c)) return;
    set_put(seen, c);
    cards_push(g, c);
}

/* Return where a thing belongs among others in the order of their rows of numbers, after its equals; make room there. */
static FAR_OFF i32 rows_insert(i64 *rows, i32 n, i32 width, const i64 *row) {
    i32 at = n;
    for (; at > 0; at--) {
        const i64 *before = rows + (at - 1) * width;
        i32 k = 0;
        while (k < width && row[k] == before[k]) k++;
        if (k == width || row[k] > before[k]) break;
        memcpy(rows + at * width, before, (size_t)width * sizeof *rows);
    }
    memcpy(rows + at * width, row, (size_t)width * sizeof *rows);
    return at;
}

static inline void cards_ranked(cards_t *g, i64 *rows, i32 most, i32 width, const i64 *row, i64 c) {
    if (g->n >= most || (u64)c >= CARDS) return;
    i32 at = rows_insert(rows, g->n, width, row);
    memmove(g->a + at + 1, g->a + at, (size_t)(g->n++ - at) * sizeof *g->a);
    g->a[at] = (card_t)c;
}

static inline void list_ranked(list_t *g, i64 *rows, i32 most, i32 width, const i64 *row, i64 x) {
    if (g->n >= most || g->n >= LIST) return;
    i32 at = rows_insert(rows, g->n, width, row);
    memmove(g->a + at + 1, g->a + at, (size_t)(g->n++ - at) * sizeof *g->a);
    g->a[at] = x;
}

static inline void cards_sort(cards_t *g, const i32 *ranks) { /* by insertion: lists are short, and equals keep their order */
    for (i32 i = 1; i < g->n; i++) {
        card_t c = g->a[i];
        i32 at = i;
        for (; at > 0 && ranks[c] < ranks[g->a[at - 1]]; at--) g->a[at] = g->a[at - 1];
        g->a[at] = c;
    }
}

/* The first of a group that is not empty, which leaves it. */
static inline i64 cards_take(cards_t *g) { i64 c = g->a[0]; g->n--; memmove(g->a, g->a + 1, (size_t)g->n * sizeof g->a[0]); return c; }
static inline i64 list_take(list_t *g) { /* lists are short: a loop is faster than a call that moves memory */
    i64 first = g->a[0];
    i32 left = LIST <= 8 ? LIST - 1 : g->n - 1; /* of a few all are moved, since a loop of any length is predicted worse */
    g->n--;
    for (i32 i = 0; i < left; i++) g->a[i] = g->a[i + 1];
    return first;
}

static FAR_OFF int list_has(const list_t *g, i64 x) {
    for (int i = 0; i < g->n; i++) if (g->a[i] == x) return 1;
    return 0;
}

static FAR_OFF void list_put(list_t *g, i64 x) { if (!list_has(g, x)) list_push(g, x); } /* unless it is there */

static FAR_OFF void list_rotate(list_t *g, i64 start) { /* begin at one of them, or at the next one where it is not there */
    int at = -1;
    for (int i = 0; i < g->n && at < 0; i++) if (g->a[i] == start) at = i;
    for (int i = 0; i < g->n && at < 0; i++) if (g->a[i] > start) at = i;
    if (at <= 0) return;
    list_t old = *g;
    for (int i = 0; i < g->n; i++) g->a[i] = old.a[(at + i) % g->n];
}

/* ---- cards that lie in order: `a` has room for `room`, the first that came at 0, the top of a pile after the last */

static FAR_OFF int lie_drop(card_t *a, i32 *n, i64 c) {
    for (int i = 0; i < *n; i++)
        if (a[i] == c) {
            memmove(a + i, a + i + 1, (size_t)(*n - i - 1) * sizeof *a);
            --*n;
            return 1;
        }
    return 0;
}

static FAR_OFF int lie_has(const card_t *a, i32 n, i64 c) {
    if (sizeof *a == 1) return n > 0 && (u64)c < CARDS && memchr(a, (int)c, (size_t)n) != 0;
    for (int i = 0; i < n; i++) if (a[i] == c) return 1;
    return 0;
}

static inline int lie_push_card(card_t *a, i32 *n, int room, i64 c) {
    if (*n >= room || (u64)c >= CARDS) return 0;
    a[(*n)++] = (card_t)c;
    return 1;
}

static inline int lie_push_set(card_t *a, i32 *n, int room, set_t cards) { /* 0 where there is no room for all */
    i32 at = *n;
    while (at < room && !set_empty(cards)) a[at++] = (card_t)set_take(&cards);
    *n = at;
    return set_empty(cards);
}

static inline int lie_push_list(card_t *a, i32 *n, int room, const card_t *cards, i32 count) {
    i32 i = 0;
    while (i < count && lie_push_card(a, n, room, cards[i])) i++;
    return i == count;
}

static FAR_OFF int lie_under_card(card_t *a, i32 *n, int room, i64 c) {
    if (*n >= room || (u64)c >= CARDS) return 0;
    memmove(a + 1, a, (size_t)*n * sizeof *a);
    a[0] = (card_t)c;
    ++*n;
    return 1;
}

static FAR_OFF int lie_under_list(card_t *a, i32 *n, int room, const card_t *cards, i32 count) { /* one below another */
    i32 i = 0;
    while (i < count && lie_under_card(a, n, room, cards[i])) i++;
    return i == count;
}

static FAR_OFF int lie_under_set(card_t *a, i32 *n, int room, set_t cards) {
    while (!set_empty(cards)) if (!lie_under_card(a, n, room, set_take(&cards))) return 0;
    return 1;
}

static inline i64 least(i64 a, i64 b) { return a < b ? a : b; }
static inline i64 most(i64 a, i64 b) { return a > b ? a : b; }

/* One after another at a place, counted from 1 from the top of a pile (`top` 1) or the front of a row. */
static FAR_OFF int lie_within_card(card_t *a, i32 *n, int room, i64 c, i64 place, int top) {
    if (*n >= room || (u64)c >= CARDS) return 0;
    i32 before = (i32)least(most(place, 1) - 1, *n), at = top ? *n - before : before;
    memmove(a + at + 1, a + at, (size_t)(*n - at) * sizeof *a);
    a[at] = (card_t)c;
    ++*n;
    return 1;
}

static FAR_OFF int lie_within_list(card_t *a, i32 *n, int room, const card_t *cards, i32 count, i64 place, int top) {
    i32 i = 0;
    while (i < count && lie_within_card(a, n, room, cards[i], place, top)) i++;
    return i == count;
}

static FAR_OFF int lie_within_set(card_t *a, i32 *n, int room, set_t cards, i64 place, int top) {
    while (!set_empty(cards)) if (!lie_within_card(a, n, room, set_take(&cards), place, top)) return 0;
    return 1;
}

static inline set_t lie_take(const card_t *a, i32 *n, i64 count, cards_t *list) { /* so many from the top of a pile */
    i32 top = *n, taken = 0;
    set_t cards = set_none();
    for (; taken < count && top > 0 && taken < CARDS; taken++) {
        card_t card = a[--top];
        list->a[taken] = card;
        set_put(&cards, card);
    }
    list->n = taken;
    *n = top;
    return cards;
}

/* ---- numbers */

static FAR_OFF i64 mod_(i64 a, i64 b) { i64 r = a % b; return r && (r < 0) != (b < 0) ? r + b : r; } /* b is not 0 */
static FAR_OFF i64 div_down(i64 a, i64 b) { i64 q = a / b; return a % b && (a < 0) != (b < 0) ? q - 1 : q; }
static FAR_OFF i64 div_up(i64 a, i64 b) { return -div_down(-a, b); }
static FAR_OFF i64 div_nearest(i64 a, i64 b) { return div_down(2 * a + b, 2 * b); }
/* Words of bits as sets of the numbers below 64: those below a number, and that number. */
static inline u64 bits_below(i64 n) { return n <= 0 ? 0 : n > 63 ? ~(u64)0 : ((u64)1 << n) - 1; }
static inline u64 bits_near(i64 a, i64 n) { return n <= 0 ? 0 : bits_below(a + n) & ~bits_below(a - n + 1); } /* nearer than n to a */
static inline u64 bits_from(u64 bits, i64 low) { /* from this number on up to the first one that is missing */
    bits &= ~bits_below(low);
    return bits & ~(bits + ((u64)low < 64 ? (u64)1 << low : 0));
}
static inline u64 bits_one(i64 n) { return (u64)n < 64 ? (u64)1 << n : 0; }
static inline u64 bits_and(u64 a, u64 b) { return a & b; }
static inline u64 bits_or(u64 a, u64 b) { return a | b; }
static inline u64 bits_minus(u64 a, u64 b) { return a & ~b; }
static inline i64 bits_steps(u64 bits, i64 high) { /* how many numbers lie from each number of a word up to `high`, in sum */
    static const u64 ODD[] = {
        0xaaaaaaaaaaaaaaaau, 0xccccccccccccccccu, 0xf0f0f0f0f0f0f0f0u, 0xff00ff00ff00ff00u, 0xffff0000ffff0000u,
        0xffffffff00000000u,
    };
    i64 sum = 0;
    bits &= bits_below(high + 1);
    for (int i = 0; i < 6; i++) sum += (i64)bit_count(bits & ODD[i]) << i;
    return (high + 1) * bit_count(bits) - sum;
}
static inline int bits_follow(u64 bits) { return ((bits + (bits & -bits)) & bits) == 0; } /* whether no gap is between them */
static inline i64 difference(i64 a, i64 b) { return a > b ? a - b : b - a; }

#define FAR ((i64)1 << 62)
/* Beyond every bound that the rules can set, in place of what does not fit. */
static inline i64 plus_(i64 a, i64 b) { return b > 0 ? (a > FAR - b ? FAR : a + b) : (a < -FAR - b ? -FAR : a + b); }
static inline i64 minus_(i64 a, i64 b) { return plus_(a, -b); }
static FAR_OFF i64 times_(i64 a, i64 b) {
    if (a == 0 || b == 0) return 0;
    u64 x = a < 0 ? -(u64)a : (u64)a, y = b < 0 ? -(u64)b : (u64)b;
    int below = (a < 0) != (b < 0);
    if (x > (u64)FAR / y) return below ? -FAR : FAR;
    return below ? -(i64)(x * y) : (i64)(x * y);
}

/* Take another best and its key, without a branch, which cannot be predicted. */
static inline void take_if(int yes, int *found, i64 *best, i64 item, i64 *key, i64 value) {
    u64 all = -(u64)yes;
    *found |= yes;
    *best ^= (*best ^ item) & (i64)all;
    *key ^= (*key ^ value) & (i64)all;
}

static inline i64 opt_8(int8_t x) { return x == INT8_MIN ? NONE : x; }
static inline i64 opt_16(int16_t x) { return x == INT16_MIN ? NONE : x; }
static inline i64 opt_32(int32_t x) { return x == INT32_MIN ? NONE : x; }
static inline i64 opt_64(int64_t x) { return x; }
static inline int8_t small_8(i64 x) { return x == NONE ? INT8_MIN : (int8_t)x; }
static inline int16_t small_16(i64 x) { return x == NONE ? INT16_MIN : (int16_t)x; }
static inline int32_t small_32(i64 x) { return x == NONE ? INT32_MIN : (int32_t)x; }
static inline int64_t small_64(i64 x) { return x; }

static inline int below_tuple(const i64 *a, const i64 *b, int n) { /* from the left */
    for (int i = 0; i < n; i++) if (a[i] != b[i]) return a[i] < b[i];
    return 0;
}

static inline int same_tuple(const i64 *a, const i64 *b, int n) {
    for (int i = 0; i < n; i++) if (a[i] != b[i]) return 0;
    return 1;
}

/* Compare keys part by part, from the left: below 0, 0 or above 0. */
static inline int list_compare(const list_t *a, const list_t *b) {
    for (i32 i = 0; i < a->n && i < b->n; i++) if (a->a[i] != b->a[i]) return a->a[i] < b->a[i] ? -1 : 1;
    return a->n - b->n;
}

/* Look for a row of numbers among others; 0 where it is there, else it is added if there is room. */
static inline int rows_add(i64 *rows, i32 *n, i32 room, int width, const i64 *row) {
    for (i32 i = 0; i < *n; i++) if (same_tuple(rows + (i64)i * width, row, width)) return 0;
    if (*n < room) memcpy(rows + (i64)(*n)++ * width, row, (size_t)width * sizeof *row);
    return 1;
}

static inline int rows_follow(const i64 *rows, i32 n) { /* whether no gap is between numbers that differ */
    i64 low = n ? rows[0] : 0, high = low;
    for (i32 i = 1; i < n; i++) { low = least(low, rows[i]); high = most(high, rows[i]); }
    return n == 0 || high - low == n - 1;
}

/* ---- chance: SplitMix64 (Steele, Lea and Flood, 2014), one word of state */

static inline u64 random_next(u64 *state) {
    u64 z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static inline u32 random_below(u64 *state, u32 count) { /* each alike, by rejection (Lemire, 2019); count is not 0 */
    u64 m = (random_next(state) >> 32) * (u64)count;
    if ((u32)m < count) {
        u32 least_ = (u32)(-count) % count;
        while ((u32)m < least_) m = (random_next(state) >> 32) * (u64)count;
    }
    return (u32)(m >> 32);
}

static inline u64 random_seed(u64 seed, u64 number) { /* the state for one of many plays */
    u64 state = seed ^ (number + 1) * 0xD1342543DE82EF95u;
    random_next(&state);
    return random_next(&state);
}

/* ---- masks of actions */

static inline void mask_put(u64 *mask, i64 action) { if ((u64)action < ACTIONS) mask[action >> 6] |= (u64)1 << (action & 63); }
static inline int mask_has(const u64 *mask, i64 action) { return (u64)action < ACTIONS && (mask[action >> 6] >> (action & 63) & 1); }
static inline int mask_empty(const u64 *mask) { /* in few words without branches: they cannot be predicted */
    u64 x = 0;
    for (int i = 0; i < MASK && (MASK <= 4 || !x); i++) x |= mask[i];
    return x == 0;
}

static inline void mask_word(u64 *mask, u64 bits, int base) {
    int at = base >> 6, by = base & 63;
    if (bits == 0 || base < 0) return;
    if (at < MASK) mask[at] |= bits << by;
    if (by && at + 1 < MASK) mask[at + 1] |= bits >> (64 - by);
}

#if CARDS <= 64
static inline void mask_set(u64 *mask, set_t cards, int base) { mask_word(mask, cards, base); } /* an action for each card */
#else
static FAR_OFF void mask_set(u64 *mask, set_t cards, int base) { /* one action for each card, from `base` on */
    for (int i = 0; i < WORDS; i++) mask_word(mask, WORD(cards, i), base + 64 * i);
}
#endif

enum { FEW_WORDS = 8 };

static inline int mask_few(const u64 *mask, int words) { /* how many actions the first words have, of which most are 0 */
    int count = 0;
    if (words >= FEW_WORDS) {
        words = FEW_WORDS;
        if (!(mask[0] | mask[1] | mask[2] | mask[3] | mask[4] | mask[5] | mask[6] | mask[7])) return 0;
    }
    for (int i = 0; i < words; i++) count += bit_count(mask[i]);
    return count;
}

static inline int mask_draw(const u64 *mask, int words, u64 *state) { /* one of the actions, each alike; -1 where there is none */
    int count = 0, at = 0, i = 0, few[(MASK + FEW_WORDS - 1) / FEW_WORDS];
    for (int k = 0; k * FEW_WORDS < words; k++) count += few[k] = mask_few(mask + k * FEW_WORDS, words - k * FEW_WORDS);
    if (!count) return -1;
    int n = count > 1 ? (int)random_below(state, (u32)count) : 0;
    for (; i + FEW_WORDS < words && n >= few[i / FEW_WORDS]; i += FEW_WORDS) n -= few[i / FEW_WORDS];
    u64 bits = mask[i];
    at = 64 * i;
    while (++i < words && (words <= 4 || n >= bit_count(bits))) {
        int here = bit_count(bits);
        u64 past = -(u64)(n >= here); /* in few words without branches: they cannot be predicted */
        n -= (int)(past & (u64)here);
        bits ^= (bits ^ mask[i]) & past;
        at = (int)((u64)at ^ (((u64)at ^ (u64)(64 * i)) & past));
    }
    return at + bit_nth(bits, n);
}

/* ---- tables of sums: one bit a sum; all have `n` words */

static FAR_OFF void sums_add(u64 *bits, int n, i64 value) { /* what can be reached with one value more */
    int at = (int)(value >> 6), by = (int)(value & 63);
    if (value < 0 || value >= 64 * (i64)n) return;
    for (int i = n - 1; i >= at; i--) {
        u64 x = bits[i - at] << by;
        if (by && i - at > 0) x |= bits[i - at - 1] >> (64 - by);
        bits[i] |= x;
    }
}

static FAR_OFF int sums_meet(const u64 *bits, int n, i64 value, const u64 *wanted) { /* bits moved up by a value, and wanted */
    int at = (int)(value >> 6), by = (int)(value & 63);
    if (value < 0 || value >= 64 * (i64)n) return 0;
    for (int i = at; i < n; i++) {
        u64 x = bits[i - at] << by;
        if (by && i - at > 0) x |= bits[i - at - 1] >> (64 - by);
        if (x & wanted[i]) return 1;
    }
    return 0;
}

static FAR_OFF void sums_down(u64 *bits, int n, i64 value) { /* what is still to be added after a value */
    int at = (int)(value >> 6), by = (int)(value & 63);
    if (value <= 0) return;
    for (int i = 0; i < n; i++) {
        u64 x = value < 64 * (i64)n && i + at < n ? bits[i + at] >> by : 0;
        if (by && value < 64 * (i64)n && i + at + 1 < n) x |= bits[i + at + 1] << (64 - by);
        bits[i] = x;
    }
}

/* A table, of which the first words are in use; the others are 0. */
typedef struct { u64 *bits; int n; } sums_t;

static FAR_OFF void sums_within(sums_t t, i64 low, i64 high) { /* keep those from low to high */
    for (int i = 0; i < t.n; i++) {
        i64 first = 64 * (i64)i;
        if (first + 63 < low || first > high) t.bits[i] = 0;
        else {
            if (low > first) t.bits[i] &= ~(u64)0 << (low - first);
            if (high < first + 63) t.bits[i] &= ~(u64)0 >> (63 - (high - first));
        }
    }
}

#define sums_copy(array, t) (memcpy(array, (t).bits, sizeof (array)), (sums_t){array, (t).n}) /* of the same size */
static inline void sums_and(sums_t t, sums_t other) { for (int i = 0; i < t.n; i++) t.bits[i] &= other.bits[i]; }
static inline void sums_or(sums_t t, sums_t other) { for (int i = 0; i < t.n; i++) t.bits[i] |= other.bits[i]; }
static inline void sums_minus(sums_t t, sums_t other) { for (int i = 0; i < t.n; i++) t.bits[i] &= ~other.bits[i]; }
static inline int sums_has(sums_t t, i64 sum) { return (int)(t.bits[sum >> 6] >> (sum & 63) & 1); }
static inline void sums_drop(sums_t t, i64 sum) { t.bits[sum >> 6] &= ~((u64)1 << (sum & 63)); }
static inline int sums_any(sums_t t) { u64 x = 0; for (int i = 0; i < t.n; i++) x |= t.bits[i]; return x != 0; }

/* ---- results that the measures of a set can have: a hash set of rows of `width` numbers */

#define FEW_ROWS 32
typedef struct { i64 *rows; i32 *slots; i32 n, room, size, width; i32 few[4 * FEW_ROWS]; } results_t;

/* Begin in memory of the caller, of FEW_ROWS rows. */
static inline void results_begin(results_t *r, int width, i64 *rows) {
    r->width = width; r->n = 0; r->room = FEW_ROWS; r->size = 4 * FEW_ROWS;
    r->rows = rows; r->slots = r->few;
    memset(r->slots, 0xff, sizeof r->few);
}

static inline void results_end(results_t *r) { if (r->room > FEW_ROWS) { free(r->rows); free(r->slots); } }

static FAR_OFF int results_double(results_t *r) { /* 0 where there is no memory */
    size_t bytes = (size_t)r->room * (size_t)r->width * sizeof(i64);
    i64 *rows = malloc(2 * bytes);
    i32 *slots = malloc(2 * (size_t)r->size * sizeof(i32));
    if (!rows || !slots) { free(rows); free(slots); return 0; }
    memcpy(rows, r->rows, bytes);
    results_end(r);
    r->rows = rows; r->slots = slots;
    r->room *= 2; r->size *= 2;
    memset(slots, 0xff, (size_t)r->size * sizeof(i32));
    return 1;
}

static inline u64 results_hash(const i64 *row, int width) {
    u64 h = 0x9E3779B97F4A7C15u;
    for (int i = 0; i < width; i++) { h = (h ^ (u64)row[i]) * 0xBF58476D1CE4E5B9u; h ^= h >> 29; }
    return h;
}

static FAR_OFF void results_enter(results_t *r, i32 number) {
    u64 at = results_hash(r->rows + (i64)number * r->width, r->width) & (u64)(r->size - 1);
    while (r->slots[at] >= 0) at = (at + 1) & (u64)(r->size - 1);
    r->slots[at] = number;
}

static FAR_OFF int results_add(results_t *r, const i64 *row) { /* 0 where there is no memory */
    u64 at = results_hash(row, r->width) & (u64)(r->size - 1);
    for (; r->slots[at] >= 0; at = (at + 1) & (u64)(r->size - 1))
        if (same_tuple(r->rows + (i64)r->slots[at] * r->width, row, r->width)) return 1;
    if (r->n == r->room) {
        if (!results_double(r)) return 0;
        for (int i = 0; i < r->n; i++) results_enter(r, i);
    }
    memcpy(r->rows + (i64)r->n * r->width, row, (size_t)r->width * sizeof(i64));
    results_enter(r, r->n++);
    return 1;
}
