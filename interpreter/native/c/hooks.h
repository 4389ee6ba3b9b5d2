/* Hooks in the steps of a game. The printed text has them everywhere; each does nothing unless the library is built with
   the define that it is for:

   TRACING   folds what each player sees into hashes, while `s->traced` is set (watch.h)
   COUNTING  notes which rules are reached (counted.h)
   EXPLICIT  waits for an answer where chance chooses, or an unknown card is needed (explicit_chance.h) */

#if defined(TRACING)
#include "watch.h"
#define TRACE(call) do { if (s->traced) call; } while (0)
#define TRACED(call, plain) (s->traced ? (call) : (plain))
/* Whether a field, one of its places, or an ordered place is the same in two states `a` and `b`. */
#define ALIKE(field) (!memcmp(&a->field, &b->field, sizeof a->field))
#define PLACE_ALIKE(field, i) ((u64)(i) < sizeof a->field / sizeof *a->field && !memcmp(&a->field[i], &b->field[i], sizeof *a->field))
#define ROW_ALIKE(field, i) (PLACE_ALIKE(field##_n, i) && !memcmp(a->field[i], b->field[i], (size_t)a->field##_n[i] * sizeof *a->field[i]))
#else
#define TRACE(call) ((void)0)
#define TRACED(call, plain) (plain)
#endif

#if defined(COUNTING)
#define REACH(word, bits) (s->reached[word] |= (bits))
#else
#define REACH(word, bits) ((void)0)
#endif

#if defined(EXPLICIT)
#include "explicit_chance.h"
#define MARK(node) mark(s, node)
#define MARK_UNKNOWN(node) mark_unknown(s, node)
#define NEED(call) call
#else
#define MARK(node) ((void)0)
#define MARK_UNKNOWN(node) ((void)0)
#define NEED(call) ((void)0)
#endif

#if defined(KEEPS_BY)
static inline void set_by_card(S *s, i64 card, i64 by) { s->by[card] = (int8_t)(by + 1); } /* -1: nobody has played it */
static inline void set_by_set(S *s, set_t cards, i64 by) { while (!set_empty(cards)) set_by_card(s, set_take(&cards), by); }
#else
#define set_by_card(s, card, by) ((void)0)
#define set_by_set(s, cards, by) ((void)0)
#endif

/* ---- what chance chooses */

static inline i64 chance_range(S *s, i64 low, i64 high) {
#if defined(EXPLICIT)
    return explicit_range(s, low, high);
#else
    return TRACED(watched_range(s, low, high), taped_range(s, low + draw(s, (i32)(high - low + 1)), low, high));
#endif
}

static inline i64 chance_one(S *s, const i64 *of, i32 n) {
#if defined(EXPLICIT)
    return explicit_one(s, of, n);
#else
    return TRACED(watched_one(s, of, n), taped_one(s, of[draw(s, n)], of, n));
#endif
}

static inline i64 chance_card(S *s, const card_t *of, i32 n) {
#if defined(EXPLICIT)
    return explicit_card(s, of, n);
#else
    return TRACED(watched_card(s, of, n), taped_card(s, of[draw(s, n)], of, n));
#endif
}

static inline void chance_order(S *s, card_t *pile, i32 n) {
#if defined(EXPLICIT)
    explicit_shuffle(s, pile, n);
#elif defined(TRACING)
    if (s->traced) watched_shuffle(s, pile, n); else shuffle(s, pile, n);
#else
    shuffle(s, pile, n);
#endif
}
