/* Sets that are chosen pick by pick, in ascending order, so that every pick can still be completed.  Four forms: a set
   without a condition, by counting; one sum that no card makes smaller, by a table of bits (subset sums); a condition
   that holds for every part of a set for which it holds, by backtracking; any other condition on measures, by a hash set
   of the results that these can have (dynamic programming over results, not over subsets).

   The printed text has what a card adds to each measure, and whether a row of results is good: it fills a row for each
   card, and then tests rows as long as `weigh_next` wants one tested.  A row has the number of cards, then the results. */

enum { SUM, MIN, MAX, SAME, DIFFERENT };
enum { ALL_PICKS, ANY_SET, THIS_SET }; /* what is wanted: all picks; whether there is a good set; whether the picked one is */
typedef struct { uint8_t kind, words, needed; } measure_t; /* needed: it must hold; SAME and DIFFERENT alone can be */

typedef struct {
    const measure_t *of;
    i32 measures, sums, width; /* how many there are; the first that are sums that cannot overflow; the words of a row */
    i32 parts;                 /* whether each part of a good set is good */
    i32 steps, results;        /* the faults: too many of them */
} choice_t;

typedef struct {
    S *s;
    const choice_t *of;
    i32 width, want;
    set_t cards, picked;
    i64 low, high;
    i64 *now, *with, *row; /* rows: of what is picked, with a card, and to be tested; those of all cards lie after them */
    i32 good;              /* the answer: whether `row` is good */
    set_t picks;                 /* the cards that can be picked next */
    i32 ends;                    /* whether the set may end here */
    /* where the search is */
    i32 phase, at;
    i64 card;
    set_t left;
    i64 room;
    results_t after;
    set_t *rests; /* by depth: cards still to be tried, and what was picked so far */
    i64 *path;
} weigh_t;

enum { PICKED, NOW, NEXT_CARD, TESTED, GROW, TRY_CARD, TRIED, NEXT_PICK, DEEPER, TRY_NEXT, STEP_TRIED, OVER };

#define ROWS(width) (CARDS + 3 + FEW_ROWS) * (width)

static inline set_t first_copies(set_t cards) { /* of the copies of a face only the first stays */
    set_t out = set_none();
    i64 face = -1;
    if (!COPIED) return cards;
    while (!set_empty(cards)) {
        i64 c = set_take(&cards);
        if (FACE_OF(c) != face) { face = FACE_OF(c); set_put(&out, c); }
    }
    return out;
}

static FAR_OFF void weigh_nothing(const weigh_t *w, i64 *row) { /* the results of no cards */
    int at = 0;
    for (; at <= w->of->sums; at++) row[at] = 0;
    for (int m = w->of->sums; m < w->of->measures; m++)
        for (int i = 0; i < w->of->of[m].words; i++)
            row[at++] = w->of->of[m].kind == SUM || w->of->of[m].kind == DIFFERENT ? 0 : NONE;
}

static inline void weigh_copy(const weigh_t *w, i64 *into, const i64 *row) { for (int i = 0; i < w->width; i++) into[i] = row[i]; }

static inline void weigh_join(const weigh_t *w, i64 *into, const i64 *one, const i64 *other) {
    int at = 0;
    for (; at <= w->of->sums; at++) into[at] = one[at] + other[at];
    for (int m = w->of->sums; m < w->of->measures; m++) {
        i64 a = one[at], b = other[at];
        switch (w->of->of[m].kind) {
        case SUM: into[at++] = plus_(a, b); break;
        case MIN: into[at++] = a == NONE ? b : b == NONE ? a : least(a, b); break;
        case MAX: into[at++] = most(a, b); break; /* NONE is below all others */
        case SAME: into[at++] = a == NONE || a == b ? b : b == NONE ? a : MIXED; break;
        default: { /* a bit a value; the highest bit of the first word says that one was there twice */
            int twice = 0, first = at;
            for (int i = 0; i < w->of->of[m].words; i++, at++) {
                twice |= (one[at] & other[at] & 0xffffffff) != 0;
                into[at] = one[at] | other[at];
            }
            if (twice) into[first] |= NONE;
        }
        }
    }
}

static inline int weigh_lost(const weigh_t *w, const i64 *row) { /* whether a needed measure fails: no card makes up for it */
    int at = 1 + w->of->sums;
    for (int m = w->of->sums; m < w->of->measures; at += w->of->of[m++].words)
        if (w->of->of[m].needed && (w->of->of[m].kind == SAME ? row[at] == MIXED : (row[at] & NONE) != 0)) return 1;
    return 0;
}

static inline int weigh_run(const i64 *words, int n) { /* whether values that differ follow one another without a gap */
    int began = 0, over = 0;
    if (words[0] & NONE) return 0;
    for (int i = 0; i < n; i++) {
        u64 bits = (u64)words[i] & 0xffffffff;
        if (!bits) { over |= began; continue; }
        if (over || !bits_follow(bits) || (began && !(bits & 1))) return 0;
        began = 1;
        over = !(bits >> 31);
    }
    return 1;
}

/* Note a value of a measure of values that must differ, counted from 0. */
static inline void weigh_value(i64 *words, int n, i64 value) {
    memset(words, 0, (size_t)n * sizeof *words);
    if (value >= 0) words[value >> 5] = (i64)1 << (value & 31);
}

static inline i64 *weigh_own(const weigh_t *w, i64 card) { return w->now + (3 + card) * w->width; }
static inline int weigh_test(weigh_t *w, int phase) { w->phase = phase; w->good = 0; return 1; }
static inline set_t weigh_above(const weigh_t *w, i64 card) { return set_and(w->cards, set_above(card)); }

static inline set_t weigh_cards(const weigh_t *w) {
    return w->want == THIS_SET ? w->picked : set_or(w->picked, weigh_above(w, set_last(w->picked)));
}

static FAR_OFF void weigh_begin(
    weigh_t *w, S *s, const choice_t *of, i32 want, set_t cards, set_t picked, i64 low, i64 high, i64 *rows
) {
    w->s = s; w->of = of; w->width = of->width; w->want = want;
    w->cards = cards; w->picked = picked; w->low = low; w->high = high;
    w->now = rows; w->with = rows + w->width; w->row = rows + 2 * w->width;
    w->left = w->picked;
    w->picks = set_none();
    w->ends = w->good = 0;
    w->phase = PICKED;
    w->after.room = 0;
    w->rests = 0; w->path = 0;
    weigh_nothing(w, w->now);
}

static FAR_OFF int weigh_end(weigh_t *w) {
    results_end(&w->after);
    if (w->rests) { free(w->rests); free(w->path); }
    w->picks = first_copies(w->picks);
    w->phase = OVER;
    return 0;
}

/* A search for cards that complete each pick: depth first, the lowest card first. */
static FAR_OFF int weigh_deepen(weigh_t *w) {
    S *s = w->s;
    size_t depth = (size_t)least(w->low - w->now[0], CARDS + 1);
    w->left = w->picks = first_copies(w->picks);
    w->rests = malloc(depth * sizeof *w->rests);
    w->path = malloc(depth * (size_t)w->width * sizeof *w->path);
    w->phase = NEXT_PICK;
    if (w->rests && w->path) return 1;
    if (!w->rests) free(w->path);
    FAIL(w->of->results);
    w->phase = OVER;
    return 0;
}

static inline int weigh_row(weigh_t *w) { /* with a card, what is picked and some above it: the next of a fitting number */
    while (w->at < w->after.n) {
        weigh_join(w, w->row, w->with, w->after.rows + (i64)w->at++ * w->width);
        if (w->low <= w->row[0] && w->row[0] <= w->high) return weigh_test(w, TESTED);
    }
    return 0;
}

static inline int weigh_try(weigh_t *w) { /* with the lowest card that is left */
    w->card = set_take(&w->left);
    weigh_join(w, w->row, w->now, weigh_own(w, w->card));
    return weigh_test(w, TRIED);
}

static FAR_OFF int weigh_step(weigh_t *w) {
    S *s = w->s;
    i64 *level;
    for (;;) switch (w->phase) {
    case PICKED:
        if (!set_empty(w->left)) {
            weigh_join(w, w->with, w->now, weigh_own(w, set_take(&w->left)));
            weigh_copy(w, w->now, w->with);
            break;
        }
        weigh_copy(w, w->row, w->now);
        if (w->of->parts && w->want != THIS_SET ? set_empty(w->picked) : w->low <= w->now[0] && w->now[0] <= w->high) return weigh_test(w, NOW);
        w->good = w->of->parts;
        w->phase = NOW;
        break;
    case NOW:
        w->ends = w->good && w->low <= w->now[0] && w->now[0] <= w->high;
        if (w->want == THIS_SET || (w->ends && w->want == ANY_SET)) return weigh_end(w);
        w->left = weigh_above(w, set_last(w->picked));
        w->room = w->high - w->now[0] - 1;
        if (w->of->parts) {
            if (!w->good || w->low > w->high || w->room < 0) return weigh_end(w);
            w->phase = TRY_CARD;
            break;
        }
        results_begin(&w->after, w->width, weigh_own(w, CARDS));
        results_add(&w->after, w->now);
        w->phase = NEXT_CARD;
        break;

    case NEXT_CARD: /* cards from the highest on, with what is picked and those above them */
        if (set_empty(w->left) || s->fault) return weigh_end(w);
        w->card = set_take_last(&w->left);
        w->with = weigh_own(w, w->card);
        w->at = 0;
        w->good = 0;
        w->phase = TESTED;
        break;
    case TESTED:
        if (w->good) {
            set_put(&w->picks, w->card);
            if (w->want == ANY_SET) { w->ends = 1; return weigh_end(w); }
            w->phase = GROW;
            break;
        }
        if (weigh_row(w)) return 1;
        w->phase = GROW;
        break;
    case GROW:
        for (i32 i = 0, n = w->after.n; i < n; i++) {
            const i64 *other = w->after.rows + (i64)i * w->width;
            if (other[0] + 1 >= w->high) continue;
            weigh_join(w, w->row, w->with, other);
            if (weigh_lost(w, w->row)) continue;
            if (!results_add(&w->after, w->row) || w->after.n > MOST_RESULTS) { FAIL(w->of->results); break; }
        }
        w->phase = NEXT_CARD;
        break;

    case TRY_CARD: /* each part must be good: cards are tried one by one */
        if (set_empty(w->left) || s->fault) {
            if (w->low - w->now[0] <= 1 || !weigh_deepen(w)) return weigh_end(w);
            break;
        }
        return weigh_try(w);
    case TRIED:
        if (w->good) set_put(&w->picks, w->card);
        w->phase = TRY_CARD;
        break;

    case NEXT_PICK:
        if (set_empty(w->left) || s->fault) return weigh_end(w);
        w->room = set_take(&w->left); /* the pick */
        w->card = w->room;
        weigh_join(w, w->row, w->now, weigh_own(w, w->card));
        w->at = -1;
        w->phase = DEEPER;
        break;
    case DEEPER: { /* with `row`, whose last card is `card` */
        set_t rest = weigh_above(w, w->card);
        w->phase = NEXT_PICK;
        if (w->row[0] >= w->low) break;
        w->phase = TRY_NEXT;
        if (w->row[0] + set_count(rest) < w->low) break;
        SPEND(set_count(rest) * TEST_STEPS, w->of->steps);
        w->at++;
        w->rests[w->at] = rest;
        weigh_copy(w, w->path + (i64)w->at * w->width, w->row);
        break;
    }
    case TRY_NEXT:
        if (w->at >= 0 && (set_empty(w->rests[w->at]) || s->fault)) { w->at--; break; }
        if (w->at < 0) { set_drop(&w->picks, w->room); w->phase = NEXT_PICK; break; }
        w->card = set_take(&w->rests[w->at]);
        level = w->path + (i64)w->at * w->width;
        weigh_join(w, w->row, level, weigh_own(w, w->card));
        return weigh_test(w, STEP_TRIED);
    case STEP_TRIED:
        w->phase = w->good ? DEEPER : TRY_NEXT;
        break;
    default:
        return 0;
    }
}

/* Go on to the next row that is to be tested; 0 where all is found. */
static inline int weigh_next(weigh_t *w) {
    if (w->phase == TESTED && !w->good && weigh_row(w)) return 1;
    if (w->phase == TRIED && !set_empty(w->left) && !w->s->fault) {
        if (w->good) set_put(&w->picks, w->card);
        return weigh_try(w);
    }
    return weigh_step(w);
}

/* ---- ranks: how many cards come before each by a value of one or several parts, equal where the value is */

typedef struct { i64 of[CARDS > 0 ? CARDS : 1], card[CARDS > 0 ? CARDS : 1]; list_t values[CARDS > 0 ? CARDS : 1]; } ranks_t;

static FAR_OFF void ranks_find(ranks_t *r, set_t cards, int parts) { /* a value of no parts has no rank */
    for (set_t left = cards; !set_empty(left);) {
        i64 c = set_take(&left);
        r->of[c] = NONE;
        if (r->values[c].n < 0) continue;
        r->of[c] = 0;
        for (set_t others = cards; !set_empty(others);) {
            i64 other = set_take(&others);
            if (r->values[other].n >= 0 && below_tuple(r->values[other].a, r->values[c].a, parts)) r->of[c]++;
        }
        r->card[r->of[c]] = c;
    }
}

/* ---- subsets one by one, in the lexicographic order of their ascending cards */

typedef struct {
    set_t cards, now, rest;     /* `rest`: the cards above the last one of `now` */
    i64 low, high, count, card; /* how many cards `now` has, and the last of them */
    i32 began, leave, anchored;
} subsets_t;

static inline subsets_t subsets_of(set_t cards, i64 low, i64 high, i32 anchored) { /* anchored: with the first card */
    subsets_t t;
    t.cards = t.rest = cards; t.now = set_none(); t.low = most(low, anchored); t.high = least(high, set_count(cards));
    t.count = t.card = t.began = t.leave = 0; t.anchored = anchored;
    return t;
}

/* Go on to the next subset; with `leave`, without those that begin with the one before. Sets of fewer than `low` cards
   come too: more cards may follow. */
static inline int subsets_next(subsets_t *t) {
    if (!t->began) {
        t->began = 1;
        if (t->low > t->high || !t->anchored) return t->low <= t->high;
    } else if (t->leave || t->count >= t->high || set_empty(t->rest)) {
        do {
            if (t->count <= t->anchored) return 0;
            t->rest = set_and(t->cards, set_above(set_take_last(&t->now)));
            t->count--;
        } while (set_empty(t->rest) || t->count + set_count(t->rest) < t->low);
        t->leave = 0;
    }
    t->card = set_take(&t->rest);
    set_put(&t->now, t->card);
    t->count++;
    return 1;
}

/* ---- divisions of cards into groups: dynamic programming over unions of disjoint groups

   The groups come in the order of their lowest cards. Each joins every union before it that it fits; a union that is
   known, with as many groups of each kind, is not added again. If nothing may be left, the groups of a card are found
   only if it is the lowest one that some union leaves. */

enum { KINDS = 8, CHAINS = 256 };

typedef struct {
    i32 exact, never, many;        /* whether nothing may be left; whether bounds contradict; the fault */
    i32 n, groups, kinds, counted; /* how many unions, groups and kinds there are; whether a kind is counted */
    i32 joined, began;             /* how many groups have joined unions; whether groups were looked for */
    set_t whole, left;             /* the cards, and those among which groups are looked for */
    i64 low[KINDS], cap[KINDS];    /* the fewest groups of a kind; a number beyond which they are not counted */
    i32 bounded[KINDS];            /* whether the cap is the most */
    set_t group[MOST_SETS], used[MOST_RESTS]; /* at the end `used` has what is left */
    u64 counts[MOST_RESTS];        /* a byte for each kind */
    int16_t kind[MOST_SETS], order[MOST_SETS], chain[CHAINS], next[MOST_RESTS];
} division_t;

static FAR_OFF void division_kind(division_t *d, int kind, i64 low, i64 high) {
    d->low[kind] = low;
    d->bounded[kind] = high != NONE;
    d->cap[kind] = most(0, least(255, high == NONE ? low : high));
    d->never |= high != NONE && high < most(0, low);
    d->counted |= d->cap[kind] > 0;
    d->kinds = kind + 1;
}

static FAR_OFF void division_add(S *s, division_t *d, set_t group, int kind) {
    if (d->groups >= MOST_SETS) { FAIL(d->many); return; }
    d->group[d->groups] = group;
    d->kind[d->groups++] = (int16_t)kind;
}

static inline int division_hash(set_t used) {
#if CARDS <= 64
    u64 x = used;
#else
    u64 x = 0;
    for (int i = 0; i < WORDS; i++) x = x * 31 + WORD(used, i);
#endif
    return (int)((x * 0x9e3779b97f4a7c15u) >> 56);
}

static FAR_OFF void division_put(S *s, division_t *d, set_t used, u64 counts) { /* unless it is known */
    int hash = division_hash(used);
    for (int i = d->chain[hash]; i >= 0; i = d->next[i]) if (d->counts[i] == counts && set_same(d->used[i], used)) return;
    if (d->n >= MOST_RESTS) { FAIL(d->many); return; }
    d->used[d->n] = used;
    d->counts[d->n] = counts;
    d->next[d->n] = d->chain[hash];
    d->chain[hash] = (int16_t)d->n++;
}

static FAR_OFF void division_begin(S *s, division_t *d, set_t whole, i32 exact, i32 many) {
    d->exact = exact; d->many = many; d->whole = d->left = whole;
    d->n = d->groups = d->kinds = d->counted = d->never = d->joined = d->began = 0;
    memset(d->chain, 0xff, sizeof d->chain);
    division_put(s, d, set_none(), 0);
}

static inline set_t division_left(const division_t *d, i32 i) { return set_minus(d->whole, d->used[i]); }

/* Go on to the cards among which groups are to be found next: all at once, or from the lowest one on that is left. */
static FAR_OFF int division_next(S *s, division_t *d) {
    if (s->fault || (d->began && !d->exact)) return 0;
    if (d->began) set_take(&d->left);
    d->began = 1;
    for (; !set_empty(d->left); set_take(&d->left))
        for (i32 i = 0; i < d->n; i++)
            if (!d->exact || set_first(division_left(d, i)) == set_first(d->left)) return 1;
    return 0;
}

static FAR_OFF void division_join(S *s, division_t *d, i32 steps) {
    if (s->fault) return;
    for (int i = d->joined; i < d->groups; i++) { /* by insertion: groups of a kind come almost in order */
        int at = i;
        i64 lowest = set_first(d->group[i]);
        for (; at > d->joined && set_first(d->group[d->order[at - 1]]) > lowest; at--) d->order[at] = d->order[at - 1];
        d->order[at] = (int16_t)i;
    }
    for (; d->joined < d->groups; d->joined++) {
        set_t group = d->group[d->order[d->joined]];
        int kind = d->kind[d->order[d->joined]], shift = 8 * kind;
        i64 lowest = set_first(group);
        i32 before = d->n;
        SPEND(before, steps);
        for (i32 i = 0; i < before && !s->fault; i++) {
            set_t used = d->used[i];
            i64 count = (i64)(d->counts[i] >> shift & 255);
            if (!set_empty(set_and(used, group)) || (d->bounded[kind] && count >= d->cap[kind])) continue;
            if (d->exact && set_first(division_left(d, i)) != lowest) continue;
            division_put(s, d, set_or(used, group), d->counts[i] + ((u64)(count < d->cap[kind]) << shift));
        }
    }
}

static FAR_OFF void division_end(S *s, division_t *d) { /* what is left: twice where it came with other numbers of groups */
    i32 kept = 0;
    for (i32 i = 0; i < d->n && !s->fault; i++) {
        set_t rest = division_left(d, i);
        int fits = !d->never && !(d->exact && !set_empty(rest));
        for (int k = 0; k < d->kinds; k++) fits = fits && (i64)(d->counts[i] >> 8 * k & 255) >= d->low[k];
        for (i32 j = 0; d->counted && fits && j < kept; j++) fits = !set_same(d->used[j], rest);
        if (fits) d->used[kept++] = rest;
    }
    d->n = s->fault ? 0 : kept;
}

/* ---- sets without a condition, and with one sum */

static inline int plain_picks(set_t cards, set_t picked, i64 low, i64 high, set_t *picks) {
    i64 count = set_count(picked);
    set_t rest = set_and(cards, set_above(set_last(picked)));
    *picks = set_none();
    if (low > high) return 0;
    if (count < high) *picks = first_copies(set_minus(rest, set_last_few(rest, low - count - 1)));
    return low <= count && count <= high;
}

/* Find the sums that subsets can have, in a table of so many words. */
static inline sums_t sums_of(u64 *bits, int words, set_t cards, const i64 *values) {
    i64 total = 0;
    int used = 1;
    memset(bits, 0, (size_t)words * sizeof *bits);
    bits[0] = 1;
    while (!set_empty(cards)) {
        i64 value = values[set_take(&cards)];
        total = plus_(total, value);
        used = total / 64 >= words ? words : (int)(total / 64) + 1;
        sums_add(bits, used, value);
    }
    return (sums_t){bits, used};
}

static inline int sum_picks(sums_t wanted, set_t cards, set_t picked, i64 low, const i64 *values, u64 *bits, set_t *picks) {
    set_t rest = set_and(cards, set_above(set_last(picked)));
    *picks = set_none();
    for (set_t left = picked; !set_empty(left);) sums_down(wanted.bits, wanted.n, values[set_take(&left)]);
    memset(bits, 0, (size_t)wanted.n * sizeof *bits);
    bits[0] = 1;
    while (!set_empty(rest)) {
        i64 card = set_take_last(&rest);
        if (sums_meet(bits, wanted.n, values[card], wanted.bits)) set_put(picks, card);
        sums_add(bits, wanted.n, values[card]);
    }
    *picks = first_copies(*picks);
    return (wanted.bits[0] & 1) && set_count(picked) >= low;
}

/* ---- a set in an action: where arguments follow, only picks after which these can be chosen */

typedef struct { set_t cards; i64 low, high; } offer_t; /* the cards that can be picked, and how many of them */

typedef struct {
    void (*offer)(S *, offer_t *);
    int (*alone)(S *, const offer_t *, i32, set_t, set_t *); /* what is wanted of the set alone: the picks, whether it may end */
    int (*rest)(S *, set_t);           /* whether the arguments after the set can be chosen; none follow where it is 0 */
    i32 read, shrinks;                 /* whether these depend on the set; whether it does no more than take cards away */
    i32 steps;                         /* the fault: too many steps */
} stage_t;

static int stage_fits(S *s, const stage_t *t, set_t picked) {
    SPEND(TRY_STEPS, t->steps);
    return !s->fault && t->rest(s, picked);
}

/* Whether the fewest cards make a legal set, the lowest of different faces: most often they do. */
static int stage_lowest(S *s, const stage_t *t, const offer_t *o, set_t picked) {
    set_t picks, rest = set_and(o->cards, set_above(set_last(picked)));
    i64 missing = o->low - set_count(picked), face = NONE;
    if (missing <= 0) return 0;
    for (; missing && !set_empty(rest);) {
        i64 c = set_take(&rest);
        if (COPIED && FACE_OF(c) == face) continue;
        face = FACE_OF(c);
        set_put(&picked, c);
        missing--;
    }
    return !missing && t->alone(s, o, THIS_SET, picked, &picks) && (!t->read || stage_fits(s, t, picked));
}

static int stage_search(S *s, const stage_t *t, const offer_t *o, set_t picked) {
    set_t picks;
    int ends = t->alone(s, o, ALL_PICKS, picked, &picks);
    if (s->fault) return 0;
    if (ends || t->shrinks) {
        int fits = stage_fits(s, t, picked);
        if (fits && ends) return 1;
        if (!fits && t->shrinks) return 0;
    }
    while (!set_empty(picks) && !s->fault)
        if (stage_search(s, t, o, set_or(picked, set_one(set_take(&picks))))) return 1;
    return 0;
}

static int stage_completes(S *s, const stage_t *t, const offer_t *o, set_t picked) {
    return stage_lowest(s, t, o, picked) || stage_search(s, t, o, picked);
}

/* Find the cards that can be picked next; whether the set may end here. */
static inline int stage_picks(S *s, const stage_t *t, set_t picked, set_t *picks) {
    set_t all;
    offer_t o;
    *picks = set_none();
    if (!t->read && t->rest && !t->rest(s, set_none())) return 0;
    t->offer(s, &o);
    if (!t->read) return t->alone(s, &o, ALL_PICKS, picked, picks);
    int ends = t->alone(s, &o, ALL_PICKS, picked, &all);
    while (!set_empty(all) && !s->fault) {
        i64 card = set_take(&all);
        if (stage_completes(s, t, &o, set_or(picked, set_one(card)))) set_put(picks, card);
    }
    return ends && stage_fits(s, t, picked);
}

/* Whether any legal set exists. */
static inline int stage_possible(S *s, const stage_t *t) {
    set_t picks;
    offer_t o;
    if (!t->read && t->rest && !t->rest(s, set_none())) return 0;
    t->offer(s, &o);
    if (t->read) return stage_completes(s, t, &o, set_none());
    return stage_lowest(s, t, &o, set_none()) || t->alone(s, &o, ANY_SET, set_none(), &picks) || !set_empty(picks);
}
