/* What viewers see of a play, folded into 128 bits each as it happens: two plays have the same hash for a player exactly
   where that player's information states are the same (interpreter.engine.logged writes the same events as a log,
   interpreter.knowledge.events says what a viewer sees of them).

   The printer repeats the steps of a game as `watched_..` functions, whose `S *s` is the first part of a `W`, and in
   which each thing that a player may see is reported to a function here.  It defines before this MOST_ARGS (the most arguments
   of an action) and `stage`; places and who sees them are in places.h.

   Cards that go one way in several steps are reported together.  Such a run stays open until the viewer sees something
   else.  Its cards are hashed in the order in which they went, in that in which they lay before, and in none: which of
   these the viewer sees is known at its end.  What a decision's cards are may be shown later, by its effect, so it is
   added separately from the order of events, with the number of the decision. */

enum { CHOSE = 1, ARGUMENT, MOVED, SHUFFLED, FELL, TURNED, SHOWN, ASSIGNED, LAID, SAID };
#define PLAYER_TYPE ((u64)1 << 31) /* in the number of the type of a value that is a player */
enum { FACE_AS_IT_LIES = 0, FACE_UP = 1, FACE_DOWN = 2 };

#if defined(LEARNING)
#include "memory.h"
#define REMEMBER(call) (call)
#else
#define REMEMBER(call) ((void)0)
#endif

typedef struct { u64 a, b; } hash_t;
typedef struct walk_t walk_t; /* belief.h */

static inline void fold(hash_t *h, u64 x) { /* each part is one to one in `x` and in what was there */
    h->a = (h->a ^ x) * 0x9E3779B97F4A7C15u; h->a ^= h->a >> 32;
    h->b = (h->b + x) * 0xD1342543DE82EF95u; h->b ^= h->b >> 29;
}

static inline u64 mixed(u64 z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

#define UNSEEN 0 /* a card that the viewer does not see; a face is one more than its number */
static inline u64 face_word(i64 c) { return (u64)c < CARDS ? (u64)FACE_OF(c) + 1 : UNSEEN; }

static inline i64 face_or_none(i64 c) { return c == NONE ? NONE : (i64)face_word(c); }

typedef struct {
    hash_t key;              /* what is reported together has the same */
    hash_t in_order, as_lay; /* the cards as they went, and as they lay */
    u64 sum;                 /* the cards in no order */
    i32 count;               /* how many; 0 where nothing is open */
    int ordered, lay;        /* whether the viewer sees them lie in order after it, and saw it before */
} run_t;

typedef struct {
    hash_t seen;     /* all events that are complete, in order */
    hash_t unordered;    /* cards of decisions, in no order */
    u64 choice;      /* of the last decision, what the viewer sees of it */
    set_t known;     /* cards that they have learned since these were last shuffled */
    run_t run;
} viewer_t;

typedef struct {
    u64 eyes;            /* the viewers for whom all this is done, bits of players */
    viewer_t of[PLAYERS];
    u32 choices;         /* how many decisions have been reported */
    i32 chooser, secret; /* of the last one: who made it, and whether it was kept from the others */
    set_t chosen[MOST_ARGS]; /* its cards by argument, and who has seen all of them */
    u64 chosen_seen[MOST_ARGS];
    set_t gone, gone_seen[PLAYERS]; /* those of them that have moved since, and those that a player saw then */
    int doubtful;
    u64 doubt[PLACES];   /* players who do not know how the cards of an ordered place lie */
    walk_t *walk; /* the walk that decides what chance draws, and receives what its one viewer learns (belief.h); or none */
    i32 source[CARDS > 0 ? CARDS : 1]; /* where on its tape each card was drawn last; -1 */
#if defined(LEARNING)
    memory_t memory;
#endif
} watch_t;

typedef struct { S s; watch_t w; } W;

#define WATCH(s) (&((W *)(s))->w)
#define EACH_VIEWER(v, eyes) (u64 left_ = (eyes); left_ && ((v) = bit_low(left_), 1); left_ &= left_ - 1)

static void watched_shuffle(S *s, card_t *a, i32 n);
static i64 watched_range(S *s, i64 low, i64 high);
static i64 watched_one(S *s, const i64 *of, i32 n);
static i64 watched_card(S *s, const card_t *of, i32 n);
static void guide_learned(walk_t *k, i32 at);
static void guide_choice(walk_t *k, const watch_t *w, i32 player, i32 secret);
static void guide_fell(S *s, u64 viewers);

/* ---- runs */

static void close_run(viewer_t *v) {
    run_t *r = &v->run;
    if (!r->count) return;
    fold(&v->seen, r->key.a); fold(&v->seen, r->key.b); fold(&v->seen, (u64)r->count);
    if (r->count > 1 && r->ordered) { fold(&v->seen, r->in_order.a); fold(&v->seen, r->in_order.b); }
    else if (r->count > 1 && r->lay) { fold(&v->seen, r->as_lay.a); fold(&v->seen, r->as_lay.b); }
    else fold(&v->seen, r->sum);
    r->count = 0;
}

static run_t *open_run(viewer_t *v, hash_t key, int ordered, int lay) {
    run_t *r = &v->run;
    if (r->count && r->key.a == key.a && r->key.b == key.b) { r->ordered &= ordered; r->lay &= lay; return r; }
    close_run(v);
    memset(r, 0, sizeof *r);
    r->key = key; r->ordered = ordered; r->lay = lay;
    return r;
}

static inline void run_add(run_t *r, u64 face) { r->count++; r->sum += mixed(face + 0x9E3779B97F4A7C15u); fold(&r->in_order, face); }

static inline void happened(viewer_t *v, u64 kind, u64 what) { close_run(v); fold(&v->seen, kind); fold(&v->seen, what); }

/* ---- what players learn */

static inline void learn(watch_t *w, i64 c, u64 players) {
    int p;
    for EACH_VIEWER(p, players & w->eyes) {
        if (w->walk && !set_has(w->of[p].known, c)) guide_learned(w->walk, w->source[c]);
        set_put(&w->of[p].known, c);
    }
}

static void reveal(watch_t *w, int arg, u64 players) { /* the cards of an argument of the last decision */
    hash_t h = {w->choices, (u64)arg}, cards_ = {1, (u64)arg};
    for (set_t cards = w->chosen[arg]; !set_empty(cards);) {
        u64 face = face_word(set_take(&cards));
        fold(&h, face); fold(&cards_, face);
    }
    REMEMBER(memory_cards(&w->memory, players & EVERYONE, cards_.b));
    int p;
    for EACH_VIEWER(p, players & w->eyes) {
        w->of[p].unordered.a += h.a; w->of[p].unordered.b += h.b;
        w->of[p].choice += mixed(h.a);
    }
}

static void seen_after(watch_t *w, i64 c, u64 players) { /* a card of the last decision moves: who sees it, before or after */
    if (w->secret || !w->choices || set_has(w->gone, c)) return;
    int found = 0, p;
    for (int i = 0; i < MOST_ARGS; i++) found |= set_has(w->chosen[i], c);
    if (!found) return;
    set_put(&w->gone, c);
    for EACH_VIEWER(p, players & EVERYONE) set_put(&w->gone_seen[p], c);
    for (int i = 0; i < MOST_ARGS; i++) {
        set_t cards = w->chosen[i];
        if (set_empty(cards) || !set_empty(set_minus(cards, w->gone))) continue;
        u64 now = 0;
        for (p = 0; p < PLAYERS; p++) if (set_empty(set_minus(cards, w->gone_seen[p]))) now |= (u64)1 << p;
        now &= ~w->chosen_seen[i];
        w->chosen_seen[i] |= now;
        reveal(w, i, now);
    }
}

/* ---- how cards lie in order */

static inline u64 looks(S *s, i64 c, int place, int viewer) { /* a card and who played it, as a viewer sees both */
    return (seen_by(s, c, place) >> viewer & 1 ? face_word(c) : UNSEEN) | (u64)played_by(s, c) << 32;
}

static FAR_OFF void doubts(S *s, int place, set_t gone, const card_t *cards, i32 n, int target, u64 after) {
    /* Cards of an ordered place are about to go: who cannot know which of those that look alike?  All take them to be
       the first that look so. */
    watch_t *w = WATCH(s);
    card_t lie[CARDS > 0 ? CARDS : 1];
    i32 all = lie_at(s, place, lie);
    set_t there = set_of(lie, all);
    if (place != target) {
        int first = n <= all;
        for (i32 i = 0; first && i < n; i++) first = lie[i] == cards[i];
        if (n == all || first) return;
    }
    if (!SEES[place] && !(KIND[place] & ROW) && set_empty(set_and(there, turned_cards(s)))) return;
    u64 doubtful = EVERYONE;
    if (place != target) {
        doubtful = 0;
        int p;
        for EACH_VIEWER(p, w->eyes) {
            u64 left[CARDS > 0 ? CARDS : 1];
            i32 have = all;
            for (i32 i = 0; i < all; i++) left[i] = looks(s, lie[i], place, p);
            for (i32 i = 0; i < n; i++) {
                u64 face = (seen_by(s, cards[i], place) | after) >> p & 1 ? face_word(cards[i]) : UNSEEN;
                i32 at = 0;
                while (at < have && (u32)left[at] != (u32)face) at++;
                if (at == have) for (at = 0; at < have && (u32)left[at] != UNSEEN;) at++;
                if (at == have) continue;
                memmove(left + at, left + at + 1, (size_t)(have - at - 1) * sizeof *left);
                have--;
            }
            i32 at = 0;
            int same = 1;
            for (i32 i = 0; i < all; i++)
                if (!set_has(gone, lie[i])) { same &= at < have && left[at] == looks(s, lie[i], place, p); at++; }
            if (!same || at != have) doubtful |= (u64)1 << p;
        }
    }
    if (doubtful) { w->doubt[place] |= doubtful; w->doubtful = 1; }
}

static void settle(S *s) { /* inform those who may be in doubt, before anybody decides again, and close what is open */
    watch_t *w = WATCH(s);
    int p;
    if (w->doubtful) {
        for (int place = 0; place < PLACES; place++) {
            if (!w->doubt[place]) continue;
            card_t lie[CARDS > 0 ? CARDS : 1];
            i32 n = lie_at(s, place, lie);
            int any_by = 0;
            if (KIND[place] & ROW) for (i32 i = 0; i < n; i++) any_by |= played_by(s, lie[i]) != 0;
            for EACH_VIEWER(p, w->doubt[place] & w->eyes) {
                int knows = any_by;
                for (i32 i = 0; i < n; i++) knows |= (int)(seen_by(s, lie[i], place) >> p & 1);
                if (!knows || n < 2) continue;
                viewer_t *v = &w->of[p];
                happened(v, LAID, (u64)place);
                for (i32 i = 0; i < n; i++) {
                    u64 x = looks(s, lie[i], place, p);
                    fold(&v->seen, KIND[place] & ROW ? x : (u64)(u32)x);
                }
            }
            w->doubt[place] = 0;
        }
        w->doubtful = 0;
    }
    for EACH_VIEWER(p, w->eyes) close_run(&w->of[p]);
}

/* ---- calls of the printed code */

static FAR_OFF void watch_choice(S *s, i64 player, i32 verb, i32 secret) {
    watch_t *w = WATCH(s);
    int p;
    if (w->walk) guide_choice(w->walk, w, (i32)player, secret);
    REMEMBER(memory_choice(&w->memory, (i32)player, verb, secret));
    w->choices++;
    w->chooser = (i32)player; w->secret = secret;
    w->gone = set_none();
    for (p = 0; p < PLAYERS; p++) w->gone_seen[p] = set_none();
    for (int i = 0; i < MOST_ARGS; i++) { w->chosen[i] = set_none(); w->chosen_seen[i] = EVERYONE; }
    for EACH_VIEWER(p, w->eyes) {
        viewer_t *v = &w->of[p];
        u64 word = (u64)player << 32 | (u64)(secret && p != player ? 0 : verb);
        happened(v, CHOSE, word);
        v->choice = mixed(word + 1);
    }
}

static inline int shows(const watch_t *w, int viewer) { return !w->secret || viewer == w->chooser; }

static void watch_value(S *s, u64 type, i64 value) { /* an argument that is no card */
    watch_t *w = WATCH(s);
    int p;
    REMEMBER(memory_said(&w->memory, w->secret ? (u64)1 << w->chooser : EVERYONE, type, value));
    for EACH_VIEWER(p, w->eyes)
        if (shows(w, p)) {
            viewer_t *v = &w->of[p];
            fold(&v->seen, type); fold(&v->seen, (u64)value);
            v->choice = mixed(v->choice ^ (u64)value) + type;
        }
}

static FAR_OFF void watch_chosen(S *s, int arg, set_t cards) { /* an argument that is a card, or cards */
    watch_t *w = WATCH(s);
    u64 seen = EVERYONE;
    int p;
    for (set_t left = cards; !set_empty(left);) {
        i64 c = set_take(&left);
        int place = place_of(s, c);
        seen &= (place < 0 ? 0 : seen_by(s, c, place)) | (u64)1 << w->chooser;
    }
    w->chosen[arg] = cards;
    REMEMBER(memory_said(&w->memory, w->secret ? (u64)1 << w->chooser : EVERYONE, ARGUMENT, set_count(cards)));
    for EACH_VIEWER(p, w->eyes)
        if (shows(w, p)) {
            fold(&w->of[p].seen, ARGUMENT); fold(&w->of[p].seen, (u64)set_count(cards));
            w->of[p].choice = mixed(w->of[p].choice + (u64)set_count(cards));
        }
    seen |= (u64)1 << w->chooser;
    w->chosen_seen[arg] = seen;
    reveal(w, arg, w->secret ? (u64)1 << w->chooser : seen);
}

enum { UPPER = 0, LOWER = 1, WITHIN = 2 }; /* where in an ordered place cards come: `where` */

static void moved_run(S *s, const card_t *cards, i32 n, int origin, int place, int face, i64 by, int where, u64 after) {
    watch_t *w = WATCH(s);
    u64 seen[CARDS > 0 ? CARDS : 1], before = KIND[origin] & UNORDERED ? 0 : EVERYONE;
    for (i32 i = 0; i < n; i++) {
        u64 viewers = seen_by(s, cards[i], origin);
        before &= viewers;
        seen[i] = viewers | after;
        learn(w, cards[i], seen[i]);
        REMEMBER(memory_met(&w->memory, after & ~viewers, FACE_OF(cards[i])));
        seen_after(w, cards[i], seen[i]);
    }
    card_t lie[CARDS > 0 ? CARDS : 1];
    i32 all = 0;
    if (!(KIND[origin] & UNORDERED)) {
        set_t gone = set_of(cards, n);
        doubts(s, origin, gone, cards, n, place, after);
        if (before & w->eyes) {
            i32 there = lie_at(s, origin, lie);
            for (i32 i = 0; i < there; i++) if (set_has(gone, lie[i])) lie[all++] = lie[i];
        }
    }
    hash_t key = {MOVED, 1};
    fold(&key, (u64)origin << 32 | (u64)place); fold(&key, (u64)(by + 1) << 8 | (u64)face << 1 | (where == WITHIN ? 8 : where && KIND[place] & PILE ? 1 : 0));
    u64 laid = KIND[place] & UNORDERED ? 0 : after;
    int p;
    for EACH_VIEWER(p, w->eyes) {
        if (origin == place) {
            int any = 0;
            for (i32 i = 0; i < n; i++) any |= (int)(seen[i] >> p & 1);
            if (!any) continue;
        }
        run_t *r = open_run(&w->of[p], key, (int)(laid >> p & 1), (int)(before >> p & 1));
        for (i32 i = 0; i < n; i++) {
            int sees = (int)(seen[i] >> p & 1);
            if (sees || origin != place) run_add(r, sees ? face_word(cards[i]) : UNSEEN);
        }
        if (before >> p & 1) for (i32 i = 0; i < all; i++) fold(&r->as_lay, face_word(lie[i]));
    }
}

static i32 run_of(S *s, const card_t *cards, i32 n, int *place) { /* how many at the front lie in one place */
    i32 end = 1;
    *place = place_of(s, cards[0]);
    while (end < n && place_of(s, cards[end]) == *place) end++;
    return end;
}

static FAR_OFF void watch_move(S *s, const card_t *cards, i32 n, int place, int face, i64 by, int where) {
    u64 after = face == FACE_UP ? EVERYONE : face == FACE_DOWN ? 0 : SEES[place];
    for (i32 i = 0, end; i < n; i += end) {
        int origin;
        end = run_of(s, cards + i, n - i, &origin);
        if (origin >= 0) moved_run(s, cards + i, end, origin, place, face, by, where, after);
    }
    if (where == WITHIN) { WATCH(s)->doubt[place] = EVERYONE; WATCH(s)->doubtful = 1; }
}

static void watch_deal(S *s, const card_t *pile, i32 n, i64 count, int place, int face, int where) { /* from the top */
    card_t dealt[CARDS > 0 ? CARDS : 1];
    for (i64 i = 0; i < count; i++) dealt[i] = pile[n - 1 - i];
    watch_move(s, dealt, (i32)count, place, face, -1, where);
}

static void watch_move_set(S *s, set_t cards, int place, int face, i64 by, int where) {
    card_t list[CARDS > 0 ? CARDS : 1];
    i32 n = 0;
    while (!set_empty(cards)) list[n++] = (card_t)set_take(&cards);
    watch_move(s, list, n, place, face, by, where);
}

static FAR_OFF void watch_rotate(S *s, const i32 *places, i32 count) { /* each gives its cards to the next one */
    card_t lie[CARDS > 0 ? CARDS : 1];
    for (i32 i = 0; i < count && count > 1; i++) {
        i32 origin = places[i], target = places[(i + 1) % count], n = lie_at(s, origin, lie);
        watch_move(s, lie, n, target, FACE_AS_IT_LIES, -1, UPPER);
        if (KIND[target] & PILE && n > 1) { WATCH(s)->doubt[target] = EVERYONE; WATCH(s)->doubtful = 1; }
    }
}

static inline void watch_swap(S *s, i32 one, i32 other) {
    i32 both[2] = {one, other};
    watch_rotate(s, both, 2);
}

static void watch_shuffle(S *s, int place, const card_t *cards, i32 n) {
    watch_t *w = WATCH(s);
    set_t there = set_of(cards, n);
    int p;
    REMEMBER(memory_shuffled(&w->memory));
    for EACH_VIEWER(p, w->eyes) {
        happened(&w->of[p], SHUFFLED, (u64)place << 32 | (u64)n);
        w->of[p].known = set_minus(w->of[p].known, there);
    }
}

/* Cards of one place, as they lie there, that are turned or shown: the rest is recorded with the next place. */
static i32 lying_run(S *s, const card_t *cards, i32 n, int *place, card_t *out, i32 *all) {
    i32 end = run_of(s, cards, n, place), kept = 0;
    *all = 0;
    if (*place < 0) return end;
    set_t some = set_of(cards, end);
    *all = lie_at(s, *place, out);
    for (i32 i = 0; i < *all; i++) if (set_has(some, out[i])) out[kept++] = out[i];
    return end;
}

static FAR_OFF void watch_turn(S *s, const card_t *cards, i32 n, int up) {
    watch_t *w = WATCH(s);
    card_t run[CARDS > 0 ? CARDS : 1];
    for (i32 i = 0, end, all; i < n; i += end) {
        int place, p;
        end = lying_run(s, cards + i, n - i, &place, run, &all);
        if (place < 0) continue;
        i32 count = (i32)least(end, all);
        hash_t key = {TURNED, 1};
        fold(&key, (u64)place << 1 | (u64)up);
        for (i32 k = 0; k < count; k++) {
            u64 viewers = seen_by(s, run[k], place);
            learn(w, run[k], viewers | (up ? EVERYONE : 0));
            if (up) REMEMBER(memory_met(&w->memory, EVERYONE & ~viewers, FACE_OF(run[k])));
        }
        if (!(KIND[place] & UNORDERED) && count < all) { w->doubt[place] = EVERYONE; w->doubtful = 1; }
        for EACH_VIEWER(p, w->eyes) {
            run_t *r = 0;
            for (i32 k = 0; k < count; k++) {
                if (!up && !(seen_by(s, run[k], place) >> p & 1)) continue;
                if (!r) r = open_run(&w->of[p], key, 1, 0);
                run_add(r, face_word(run[k]));
            }
        }
    }
}

static FAR_OFF void watch_show(S *s, const card_t *cards, i32 n, i64 to) { /* to a player; NONE: to everybody */
    watch_t *w = WATCH(s);
    card_t run[CARDS > 0 ? CARDS : 1];
    u64 viewers = to == NONE ? EVERYONE : (u64)to < PLAYERS ? (u64)1 << to : 0;
    for (i32 i = 0, end, all; i < n; i += end) {
        int place, p;
        end = lying_run(s, cards + i, n - i, &place, run, &all);
        if (place < 0) continue;
        i32 count = (i32)least(end, all);
        hash_t key = {SHOWN, viewers};
        fold(&key, (u64)place);
        for (i32 k = 0; k < count; k++) {
            learn(w, run[k], viewers);
            REMEMBER(memory_met(&w->memory, viewers & ~seen_by(s, run[k], place), FACE_OF(run[k])));
        }
        for EACH_VIEWER(p, w->eyes) {
            run_t *r = open_run(&w->of[p], key, 1, 0);
            for (i32 k = 0; k < count; k++) run_add(r, viewers >> p & 1 ? face_word(run[k]) : UNSEEN);
        }
    }
}

static void watch_assign(S *s, i32 slot, u64 viewers, i64 before, i64 value, int first) {
    watch_t *w = WATCH(s);
    int p;
    if (before == value) return;
    for EACH_VIEWER(p, viewers & w->eyes) {
        happened(&w->of[p], ASSIGNED, (u64)slot << 1 | (u64)first);
        fold(&w->of[p].seen, (u64)value);
    }
}

static void watch_fell(S *s, u64 name, u64 viewers, i64 value) {
    watch_t *w = WATCH(s);
    int p;
    if (w->walk) guide_fell(s, viewers);
    for EACH_VIEWER(p, viewers & w->eyes) { happened(&w->of[p], FELL, name); fold(&w->of[p].seen, (u64)value); }
}

static u64 sees_card(S *s, i64 c) { /* who sees a card where it lies */
    int place = place_of(s, c);
    return place < 0 ? 0 : seen_by(s, c, place);
}

/* What rules say: the number of their words, then each value in them. */
static void watch_say(S *s, u64 words) {
    watch_t *w = WATCH(s);
    int p;
    for EACH_VIEWER(p, w->eyes) happened(&w->of[p], SAID, words);
}

static void watch_said(S *s, u64 type, i64 value) {
    watch_t *w = WATCH(s);
    int p;
    for EACH_VIEWER(p, w->eyes) { fold(&w->of[p].seen, type); fold(&w->of[p].seen, (u64)value); }
}

static FAR_OFF void watch_said_cards(S *s, u64 type, const card_t *cards, i32 n) {
    card_t run[CARDS > 0 ? CARDS : 1];
    watch_said(s, type, n);
    for (i32 i = 0, end; i < n; i += end) {
        int place;
        end = run_of(s, cards + i, n - i, &place);
        set_t some = set_of(cards + i, end);
        int loose = place >= 0 && KIND[place] & UNORDERED;
        for (i32 k = 0; k < end; k++) run[k] = loose ? (card_t)set_take(&some) : cards[i + k];
        for (i32 k = 0; k < end; k++) {
            learn(WATCH(s), run[k], EVERYONE);
            REMEMBER(memory_met(&WATCH(s)->memory, EVERYONE & ~sees_card(s, run[k]), FACE_OF(run[k])));
            watch_said(s, type, (i64)face_word(run[k]));
        }
    }
}
