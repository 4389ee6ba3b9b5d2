/* Metropolis-Hastings walk (Metropolis et al., 1953; Hastings, 1970) over the plays that a player cannot distinguish from the true
   one. docs/semantics.md ("Other worlds") defines its stationary distribution, the belief of the player.

   A play is a tape with the outcomes of chance, and the decisions turn by turn; a turn is a whole decision, of one or
   several small actions. Each step proposes another value of something that the player has not seen, and runs the play
   again from there, from a snapshot (a copy of the state) before that turn. The proposal is rejected at the first turn at
   which the player would have seen something else, and otherwise accepted with the Metropolis acceptance ratio of the two
   plays (`walk_go`).

   Piles are drawn card by card, with copies distinguished, so all orders of a pile are equally likely, and the proposal of
   an order is symmetric. Values that are drawn again have the probabilities of the rules and of random players, so they
   cancel in the acceptance ratio.

   All these plays have tapes of the same shape: the same piles are shuffled in the same turns, with the same number of
   cards, and the number of chance events is the same. A proposal with another shape is rejected; if it is consistent with
   the player's observations up to the end of its turn, the walk does not reach all worlds (`walk_varies`). */

#define FAR_TURN INT32_MAX
#define MOST_BYTES ((u64)1 << 25) /* the most memory of one walk */
enum { KEEP = 0, MAP = 1, ANEW = 2 };
#if !defined(FIND_ALL)
#define FIND_ALL 0 /* whether legal actions are found in all turns, those too that read the same as before */
#endif

typedef struct { i32 step, at, n; } pile_t;            /* a shuffle: in which turn, where on the tape, of how many */
typedef struct { i32 step, at, shown; } event_t;       /* another chance event, and whether the player saw its outcome */
typedef struct { i64 when; i32 turn, event; } veiled_t; /* a turn, or an event (else -1), that the player has not seen */

typedef struct {
    i32 *tape, *learned;     /* for each card on it the turn in which the player learned it, FAR_TURN if never */
    i32 *act, *acts;         /* the small actions of each turn, MOST_SMALL places each, and how many */
    double *branching, *choices;  /* how many legal actions there were, multiplied over a turn; how many outcomes of an event */
} world_t;

struct walk_t {
    i32 viewer, turns, whole;  /* `whole`: whether the last turn has ended */
    i32 tape_n, piles_n, events_n, veiled_n, moments_n;
    i32 *actor, *tape_from;    /* of turn t, from 1; turn 0 is what happens before the first */
    uint8_t *hidden, *moves;   /* turns that the player has not seen all of; in which choices that were kept take effect, or a
                                  card that they do not see comes to another place that they do not see */
    hash_t *wanted;            /* what the player has seen in front of a turn, and at the end */
    W **snapshot, **next_snapshot;
    world_t now, next;
    i32 *true_tape, *true_learned;
    pile_t *piles;
    event_t *events;
    veiled_t *veiled;
    i32 *moments;
    u64 random;
    i64 work, tried, possible, accepted;
    i32 moved;             /* whether it has come to another play than the true one */
    /* the change that is tried */
    i32 step, tape_at, pile, event, refused, learned_stay, onward;
    i32 unlike, varies;    /* whether its tape is of another kind; whether such a play has looked the same */
    double acceptance_ratio; /* how much likelier the proposed play is, and the step back to it, than this one */
    const walk_t *from;    /* in a play that goes on: the walk whose world it goes on from */
    uint8_t *turn_way, *event_way, *given, *refilled;
    i32 image[CARDS > 0 ? CARDS : 1], face_image[FACES], face_back[FACES];
    i32 places_n, place[PLACES], moment;
    i32 paired;            /* how many pairs of cards stand for each other */
    i32 home[CARDS > 0 ? CARDS : 1]; /* where each card lies before the play */
    i32 dealt, *lies;      /* the first pile that was changed by places, or -1; room for places */
    /* while the true play is looked at */
    i32 latest, own, guiding, waiting[PLAYERS];
    void *memory[32];
    i32 memory_n;
};

/* ---- the machine asks what chance draws, and reports what the player learns */

static void guide_learned(walk_t *k, i32 at) { if (at >= 0 && k->next.learned[at] > k->step) k->next.learned[at] = k->step; }

static void turn_on(walk_t *k, const pile_t *p) { /* from here on cards stand for each other as in a pile that was changed */
    const i32 *old = k->now.tape + p->at, *new_ = k->next.tape + p->at;
    uint8_t met[FACES] = {0};
    int distinct = 1;
    for (i32 i = 0; i < p->n; i++) {
        if (old[i] != new_[i]) k->image[old[i]] = new_[i];
        if (FACE_OF(old[i]) != FACE_OF(new_[i]) && met[FACE_OF(old[i])]++) distinct = 0;
    }
    if (distinct) /* where several of a face are changed, it represents nothing else */
        for (i32 i = 0; i < p->n; i++)
            if (FACE_OF(old[i]) != FACE_OF(new_[i])) {
                k->face_image[FACE_OF(old[i])] = FACE_OF(new_[i]);
                k->face_back[FACE_OF(new_[i])] = FACE_OF(old[i]);
            }
}

static int same_cards(const i32 *a, i32 n, set_t cards) { /* whether a list has just these, each once */
    set_t found = set_none();
    for (i32 i = 0; i < n; i++) set_put(&found, a[i]);
    return set_count(found) == n && set_same(found, cards);
}

static int refill(walk_t *k, i32 number, set_t cards, int onward) {
    /* The pile has other cards than it had: those that the player has learned stay, the others are dealt at random. In
       a play that goes on they are what the player has seen, and any copy will do. */
    const pile_t *p = &k->piles[number];
    const i32 *base = onward ? k->true_tape : k->now.tape, *learned = onward ? k->true_learned : k->now.learned;
    i32 *out = k->next.tape + p->at;
    for (i32 i = 0; i < p->n; i++)
        if (learned[p->at + i] != FAR_TURN) {
            i64 c = base[p->at + i];
            if (onward) {
                i32 alike = 0, nth;
                for (set_t left = cards; !set_empty(left);) alike += FACE_OF(set_take(&left)) == FACE_OF(c);
                if (!alike) return 0;
                k->acceptance_ratio *= alike;
                nth = (i32)random_below(&k->random, (u32)alike);
                i64 face = FACE_OF(c);
                for (set_t left = cards; !set_empty(left);) {
                    i64 other = set_take(&left);
                    if (FACE_OF(other) == face && nth-- == 0) c = other;
                }
            }
            if (!set_has(cards, c)) return 0;
            set_drop(&cards, c);
            out[i] = (i32)c;
        }
    card_t rest[CARDS > 0 ? CARDS : 1];
    i32 n = 0;
    while (!set_empty(cards)) rest[n++] = (card_t)set_take(&cards);
    for (i32 i = 0; i < p->n; i++)
        if (learned[p->at + i] == FAR_TURN) {
            if (!n) return 0;
            i32 at = (i32)random_below(&k->random, (u32)n);
            out[i] = rest[at];
            rest[at] = rest[--n];
        }
    k->refilled[number] = 1;
    return 1;
}

static FAR_OFF void watched_shuffle(S *s, card_t *a, i32 n) {
    walk_t *k = WATCH(s)->walk;
    if (!k) { shuffle(s, a, n); return; }
    if (!n) return;
    if (k->guiding && n <= k->tape_n - k->tape_at) k->piles[k->piles_n++] = (pile_t){k->step, k->tape_at, n};
    i32 number = k->pile++;
    if (number >= k->piles_n || k->piles[number].step != k->step || k->piles[number].n != n || k->piles[number].at != k->tape_at)
        k->refused = 1; /* everybody would see another shuffle */
    if (k->refused || k->unlike) return;
    const pile_t *p = &k->piles[number];
    i32 *old = k->now.tape + p->at, *new_ = k->next.tape + p->at;
    set_t cards = set_of(a, n);
    k->tape_at += n;
    if (k->given[number]) {
        if (!same_cards(new_, n, cards)) { k->refused = 1; return; }
        turn_on(k, p);
    } else if (k->onward && p->step >= k->onward) {
        if (!refill(k, number, cards, 1)) { k->refused = 1; return; }
    } else if (same_cards(old, n, cards)) memcpy(new_, old, (size_t)n * sizeof *new_);
    else if (k->guiding) { k->refused = 1; return; }
    else {
        for (i32 i = 0; i < n; i++) new_[i] = k->image[old[i]];
        if (!same_cards(new_, n, cards) && !refill(k, number, cards, 0)) { k->refused = 1; return; }
    }
    for (i32 i = 0; i < n; i++) {
        a[n - 1 - i] = (card_t)new_[i];
        WATCH(s)->source[new_[i]] = p->at + i;
        k->next.learned[p->at + i] = FAR_TURN;
    }
}

static int is_new(const walk_t *k, i32 t) { return k->onward && t >= k->onward; } /* whether a turn comes after those of the world */

/* The next chance event other than a shuffle: what was on the tape, and whether that is to be drawn anew. */
static i64 guide_event(walk_t *k, int *anew) {
    if (k->guiding && k->tape_at < k->tape_n) k->events[k->events_n++] = (event_t){k->step, k->tape_at, 0};
    i32 number = k->event++;
    if (number >= k->events_n || k->events[number].step != k->step || k->events[number].at != k->tape_at) k->unlike = 1;
    if (k->unlike) { *anew = 1; return 0; }
    *anew = k->event_way[number] == ANEW;
    return k->now.tape[k->tape_at];
}

static i64 guide_chosen(walk_t *k, i64 count, i64 kept, int anew) { /* which of so many outcomes; `kept`: the one on the tape, or -1 */
    i64 found = anew ? (i64)random_below(&k->random, (u32)count) : kept;
    if (found < 0) k->refused = 1;
    return k->refused ? 0 : found;
}

static void guide_noted(walk_t *k, i64 x, double choices, int anew) { /* one of so many outcomes that are as likely */
    if (k->refused || k->unlike) return;
    k->next.choices[k->event - 1] = choices;
    if (!anew) k->acceptance_ratio *= (is_new(k, k->step) ? 1 : k->now.choices[k->event - 1]) / choices;
    if (k->tape_at < k->tape_n) k->next.tape[k->tape_at++] = (i32)x;
}

static FAR_OFF i64 watched_range(S *s, i64 low, i64 high) {
    walk_t *k = WATCH(s)->walk;
    int anew;
    if (!k) return taped_range(s, low + draw(s, (i32)(high - low + 1)), low, high);
    i64 old = guide_event(k, &anew);
    i64 x = low + guide_chosen(k, high - low + 1, old < low || old > high ? -1 : old - low, anew);
    guide_noted(k, x, (double)(high - low + 1), anew);
    return x;
}

static FAR_OFF i64 watched_one(S *s, const i64 *of, i32 n) {
    walk_t *k = WATCH(s)->walk;
    int anew;
    if (!k) return taped_one(s, of[draw(s, n)], of, n);
    i64 old = guide_event(k, &anew), at = -1;
    for (i32 i = 0; i < n; i++) if (of[i] == old) at = i;
    i64 x = of[guide_chosen(k, n, at, anew)];
    guide_noted(k, x, n, anew);
    return x;
}

static FAR_OFF i64 watched_card(S *s, const card_t *of, i32 n) {
    walk_t *k = WATCH(s)->walk;
    int anew;
    if (!k) return taped_card(s, of[draw(s, n)], of, n);
    i64 old = guide_event(k, &anew), at = -1, face = !k->refused && !k->unlike && (u64)old < CARDS ? FACE_OF(old) : -1;
    i32 alike = 0;
    if (face >= 0 && k->event_way[k->event - 1] == MAP) {
        i64 other = k->face_image[face];
        face = k->face_back[other] == face ? other : -1;
    }
    for (i32 i = n; i-- > 0;) if (FACE_OF(of[i]) == face) at = i;
    i64 x = of[guide_chosen(k, n, at, anew)];
    for (i32 i = n; i-- > 0;) if (FACE_OF(of[i]) == FACE_OF(x)) { x = of[i]; alike++; } /* of copies it is the first */
    guide_noted(k, x, (double)n / alike, anew);
    return x;
}

static void guide_fell(S *s, u64 viewers) {
    walk_t *k = WATCH(s)->walk;
    if (k->guiding && k->event > 0 && k->event <= k->events_n && viewers >> k->viewer & 1) k->events[k->event - 1].shown = 1;
}

/* ---- the true play: which turns the player has seen all of */

static void turn_settled(walk_t *k, const watch_t *w) { /* the decision that was reported last is as well known as it will be */
    if (k->latest <= 0) return;
    int sees = w->chooser == k->viewer || !w->secret;
    for (int i = 0; sees && i < MOST_ARGS && w->chooser != k->viewer; i++)
        if (!set_empty(w->chosen[i]) && !(w->chosen_seen[i] >> k->viewer & 1)) sees = 0;
    if (sees) k->hidden[k->latest] = 0;
    k->latest = 0;
}

static void guide_choice(walk_t *k, const watch_t *w, i32 player, i32 secret) {
    if (!k->guiding) return;
    turn_settled(k, w);
    int own = k->own != k->step; /* else what was kept is reported now that it takes effect */
    k->own = k->step;
    if (!own) k->moves[k->step] = 1;
    k->latest = own ? k->step : k->waiting[player];
    k->waiting[player] = own && secret ? k->step : 0;
}

/* ---- carrying out */

static i32 renamed(const i32 *act, i32 n, const i32 *faces, i32 *out) {
    /* The small actions of a decision with other faces for its cards; picks of a set in ascending order. */
    for (i32 i = 0, begun = 0; i < n; i++) {
        i64 values[MOST_DIMS];
        int block = block_of(act[i]);
        if (block < 0) return 0;
        decode_action(block, act[i], values);
        const block_t *b = &BLOCKS[block];
        for (int d = 0; d < b->n; d++) if (b->args[d].is_card && values[d] < FACES) values[d] = faces[values[d]];
        if (!b->is_set || values[0] == FACES) { out[i] = encode_action(block, values); begun = i + 1; }
        else {
            if (begun < i && BLOCK_OF[out[i - 1]] != block) begun = i;
            i32 x = encode_action(block, values), at = i;
            for (; at > begun && out[at - 1] > x; at--) out[at] = out[at - 1];
            out[at] = x;
        }
    }
    return 1;
}

/* The place of each card; -1 for one that lies nowhere. */
static void places_of(S *s, i32 *out) {
    card_t lie[CARDS > 0 ? CARDS : 1];
    for (int c = 0; c < CARDS; c++) out[c] = -1;
    for (int place = 0; place < PLACES; place++)
        for (i32 n = lie_at(s, place, lie); n-- > 0;) out[lie[n]] = place;
}

static void walk_begin(walk_t *k, W *w) {
    memset(w, 0, sizeof *w);
    for (int c = 0; c < CARDS; c++) w->w.source[c] = -1;
    w->w.walk = k;
    w->w.eyes = (u64)1 << k->viewer;
    lay_out(&w->s);
    if (k->guiding) places_of(&w->s, k->home);
    watched_start(w);
}

static W *as_it_is(const walk_t *k, i32 t) { return k->from ? k->from->snapshot[t] : k->snapshot[t]; } /* in front of a turn */

static int walk_turn(walk_t *k, W *w, i32 t) { /* carry out a turn; 0 where it cannot be */
    i32 plan[MOST_SMALL];
    const i32 *act = k->now.act + (i64)t * MOST_SMALL;
    i32 n = k->now.acts[t], way = k->turn_way[t], last = t == k->turns && !k->whole, i = 0;
    double branching = 1;
    if (way == MAP) {
        i32 back[MOST_SMALL];
        if (!renamed(act, n, k->face_image, plan) || !renamed(plan, n, k->face_back, back)) return 0;
        if (memcmp(back, act, (size_t)n * sizeof *act)) return 0;
        act = plan;
    }
    /* As legal as before: the same decision, which reads the same. */
    const S *as_is = &as_it_is(k, t)->s;
    int known = !FIND_ALL && way != ANEW && !is_new(k, t) && w->s.pc == as_is->pc && w->s.cur == as_is->cur && reads_alike(&w->s, as_is)
        && !memcmp(act, k->now.act + (i64)t * MOST_SMALL, (size_t)n * sizeof *act);
    u64 mask[MASK];
    for (;;) {
        if (last && i == n) break;
        if (!known && !legal_in(&w->s, mask)) return 0;
        i64 action;
        if (way == ANEW) {
            if (i == MOST_SMALL) return 0;
            action = mask_draw(mask, MASK, &k->random);
        } else {
            if (i == n) return 0;
            action = act[i];
            if (!known && !mask_has(mask, action)) return 0;
        }
        if (!known && w->s.cur != k->viewer) {
            int count = 0;
            for (int word = 0; word < MASK; word++) count += bit_count(mask[word]);
            branching *= count;
        }
        u32 before = w->w.choices;
        k->work++;
        watched_carry_out(w, action);
        if (k->refused || w->s.fault) return 0;
        k->next.act[(i64)t * MOST_SMALL + i++] = (i32)action;
        if (w->w.choices != before || w->s.cur == TERMINAL) {
            if (last || (way != ANEW && i != n)) return 0;
            break;
        }
    }
    if (known) branching = k->now.branching[t];
    k->next.acts[t] = i;
    k->next.branching[t] = branching;
    if (way != ANEW && k->actor[t] != k->viewer) k->acceptance_ratio *= (is_new(k, t) ? 1 : k->now.branching[t]) / branching;
    return 1;
}

static int looks_the_same(walk_t *k, W *w, i32 t) {
    hash_t h = watched_hash(w, k->viewer);
    return h.a == k->wanted[t].a && h.b == k->wanted[t].b;
}

/* What lies in front of a turn in the play that is tried, which is another from `start` on; in the play as it is: FAR_TURN. */
static W *mark_of(const walk_t *k, i32 start, i32 t) { return t > start ? k->next_snapshot[t] : k->snapshot[t]; }

/* Where a card was dealt to last before the moment: a place where cards lie in no order, or one of its own; -1 for one that
   was not. */
static i32 came_by(const walk_t *k, i32 start, i32 c) {
    i32 at = mark_of(k, start, k->moment)->w.source[c];
    if (at < 0) return -1;
    for (i32 j = 0; j < k->piles_n; j++) {
        const pile_t *p = &k->piles[j];
        if (at < p->at || at >= p->at + p->n) continue;
        int place = p->step < k->moment ? place_of(&mark_of(k, start, p->step + 1)->s, c) : -1;
        return place >= 0 && KIND[place] & UNORDERED ? place : PLACES + at;
    }
    return -1;
}

/* Whether the same cards lie in the places that a change has looked at, each dealt to where the one was that it represents,
   and no pile was filled otherwise before: then the same would be chosen on the way back. */
static int lies_alike(walk_t *k, i32 start) {
    card_t a[CARDS > 0 ? CARDS : 1], b[CARDS > 0 ? CARDS : 1];
    for (i32 i = 0; i < k->places_n; i++) {
        i32 n = lie_at(&k->snapshot[k->moment]->s, k->place[i], a), m = lie_at(&mark_of(k, start, k->moment)->s, k->place[i], b);
        if (n != m || !set_same(set_of(a, n), set_of(b, m))) return 0;
        for (i32 c = 0; c < n; c++) if (came_by(k, FAR_TURN, a[c]) != came_by(k, start, k->image[a[c]])) return 0;
    }
    for (i32 j = 0; k->places_n && j < k->piles_n; j++) if (k->refilled[j] && k->piles[j].step < k->moment) return 0;
    return 1;
}

/* Where what was dealt from a pile came to lie, by its place on the tape: a place where cards lie in no order, or one of
   its own for each card. */
static void dealt_to(const walk_t *k, i32 start, const i32 *tape, const pile_t *p, i32 *out) {
    i32 place[CARDS > 0 ? CARDS : 1];
    places_of(&mark_of(k, start, p->step + 1)->s, place);
    for (i32 i = p->at; i < p->at + p->n; i++) {
        i32 here = place[tape[i]];
        out[i] = here >= 0 && KIND[here] & UNORDERED ? here : PLACES + i;
    }
}

/* Whether cards were dealt from changed piles to where they were before, place for place. */
static int dealt_alike(walk_t *k, i32 start) {
    if (k->dealt < 0) return 1;
    for (i32 j = k->dealt; j < k->piles_n; j++) {
        const pile_t *p = &k->piles[j];
        if (!k->given[j]) continue;
        dealt_to(k, FAR_TURN, k->now.tape, p, k->lies);
        dealt_to(k, start, k->next.tape, p, k->lies + k->tape_n + 1);
        if (memcmp(k->lies + p->at, k->lies + k->tape_n + 1 + p->at, (size_t)p->n * sizeof(i32))) return 0;
    }
    return 1;
}

/* The cards that lie at the end where the player does not see them, and which they have not learned. */
static i32 unseen_cards(const walk_t *k, W *end, const i32 *place, i32 *out) {
    i32 n = 0;
    for (i32 c = 0; c < CARDS; c++)
        if (place[c] >= 0 && !(SEES[place[c]] >> k->viewer & 1) && !set_has(end->w.of[k->viewer].known, c)) out[n++] = c;
    return n;
}

/* Whether each unseen card lies where the one that it represents did, and no pile was filled otherwise: then the same
   pairs would be chosen on the way back. */
static int pairs_alike(walk_t *k) {
    if (!k->paired) return 1;
    for (i32 j = 0; j < k->piles_n; j++) if (k->refilled[j]) return 0;
    W *before = k->snapshot[k->turns + 1], *after = k->next_snapshot[k->turns + 1];
    i32 was[CARDS > 0 ? CARDS : 1], is[CARDS > 0 ? CARDS : 1], one[CARDS > 0 ? CARDS : 1], other[CARDS > 0 ? CARDS : 1];
    places_of(&before->s, was);
    places_of(&after->s, is);
    i32 n = unseen_cards(k, before, was, one);
    if (n != unseen_cards(k, after, is, other)) return 0;
    for (i32 i = 0; i < n; i++) if (one[i] != other[i] || was[one[i]] != is[k->image[one[i]]]) return 0;
    return 1;
}

/* Whether the player learns the same places of each pile that was chosen from, or filled, by what they learned. Of the
   others it may differ: which of several copies was seen depends on which of them were played. */
static int learned_alike(walk_t *k) {
    for (i32 j = 0; j < k->piles_n; j++) {
        const pile_t *p = &k->piles[j];
        if (!k->refilled[j] && !(k->given[j] && k->learned_stay)) continue;
        for (i32 i = p->at; i < p->at + p->n; i++)
            if ((k->now.learned[i] != FAR_TURN) != (k->next.learned[i] != FAR_TURN)) return 0;
    }
    return 1;
}

/* Whether the tape is of another kind up to a turn. Where the player would have seen the same, that is noted. */
static int is_unlike(walk_t *k, W *w, i32 t) {
    if (!k->unlike && k->tape_at == k->tape_from[t]) return 0;
    k->varies |= !k->onward && looks_the_same(k, w, t);
    return 1;
}

static int walk_through(walk_t *k, i32 start) { /* carry out the play from the snapshot in front of a turn; 0 where it is refused */
    W *w = k->next_snapshot[k->turns + 2];
    k->refused = k->unlike = 0;
    k->tape_at = k->tape_from[start];
    for (k->pile = 0; k->pile < k->piles_n && k->piles[k->pile].step < start;) k->pile++;
    for (k->event = 0; k->event < k->events_n && k->events[k->event].step < start;) k->event++;
    for (i32 i = 0; i < k->tape_n; i++) k->next.learned[i] = k->now.learned[i] < start ? k->now.learned[i] : FAR_TURN;
    i32 t = start;
    k->step = t;
    if (start == 0) {
        walk_begin(k, w);
        t = 1;
        if (k->refused || w->s.fault || is_unlike(k, w, 1)) return 0;
    } else {
        memcpy(w, as_it_is(k, start), sizeof *w);
        w->w.walk = k;
    }
    for (;; t++) {
        if (t != start || !start) {
            if (!looks_the_same(k, w, t)) return 0;
            memcpy(k->next_snapshot[t], w, sizeof *w);
        }
        if (t > k->turns) break;
        k->step = t;
        if (!walk_turn(k, w, t) || is_unlike(k, w, t + 1)) return 0;
    }
    return learned_alike(k) && lies_alike(k, start) && dealt_alike(k, start) && pairs_alike(k);
}

static int is_other_play(const walk_t *k, i32 start) { /* whether the play that was carried out differs in a face or an action */
    for (i32 i = k->tape_from[start]; i < k->tape_n; i++)
        if (k->now.tape[i] != k->next.tape[i]) {
            int card = 0;
            for (i32 j = 0; j < k->piles_n && !card; j++) card = i >= k->piles[j].at && i < k->piles[j].at + k->piles[j].n;
            if (!card || FACE_OF(k->now.tape[i]) != FACE_OF(k->next.tape[i])) return 1;
        }
    for (i32 t = start; t <= k->turns; t++) {
        i64 at = (i64)t * MOST_SMALL;
        if (k->now.acts[t] != k->next.acts[t]) return 1;
        if (memcmp(k->now.act + at, k->next.act + at, (size_t)k->now.acts[t] * sizeof(i32))) return 1;
    }
    return 0;
}

static void walk_take(walk_t *k, i32 start) { /* go to the play that was carried out */
    if (!k->moved) k->moved = is_other_play(k, start);
    for (i32 t = start ? start + 1 : 1; t <= k->turns + 1; t++) {
        W *held = k->snapshot[t]; k->snapshot[t] = k->next_snapshot[t]; k->next_snapshot[t] = held;
    }
    for (i32 t = start; t <= k->turns; t++) {
        memcpy(k->now.act + (i64)t * MOST_SMALL, k->next.act + (i64)t * MOST_SMALL, (size_t)k->next.acts[t] * sizeof(i32));
        k->now.acts[t] = k->next.acts[t];
        k->now.branching[t] = k->next.branching[t];
    }
    i32 from = k->tape_from[start];
    memcpy(k->now.tape + from, k->next.tape + from, (size_t)(k->tape_n - from) * sizeof(i32));
    memcpy(k->now.learned, k->next.learned, (size_t)k->tape_n * sizeof(i32));
    for (i32 e = 0; e < k->events_n; e++) if (k->events[e].step >= start) k->now.choices[e] = k->next.choices[e];
}

/* ---- changes */

static void change_nothing(walk_t *k) {
    memset(k->turn_way, KEEP, (size_t)k->turns + 1);
    memset(k->event_way, KEEP, (size_t)k->events_n);
    memset(k->given, 0, (size_t)k->piles_n);
    memset(k->refilled, 0, (size_t)k->piles_n);
    for (i32 c = 0; c < CARDS; c++) k->image[c] = c;
    for (i32 f = 0; f < FACES; f++) k->face_image[f] = k->face_back[f] = f;
    k->from = 0; k->places_n = 0; k->learned_stay = 1; k->acceptance_ratio = 1; k->moment = 1; k->onward = 0; k->dealt = -1; k->paired = 0;
}

static i32 below(walk_t *k, i32 n) { return n > 1 ? (i32)random_below(&k->random, (u32)n) : 0; }
static int maybe(walk_t *k, double p) { return (double)(random_next(&k->random) >> 11) * 0x1p-53 < p; }

static i32 recent(walk_t *k, i32 n) { /* below `n`: half the time any, else one near the end */
    if (maybe(k, 0.5)) return below(k, n);
    i32 back = 0;
    while (back < n - 1 && maybe(k, 0.5)) back++;
    return n - 1 - back;
}

static void mix(walk_t *k, i32 *a, i32 n) {
    for (i32 i = n - 1; i > 0; i--) { i32 j = below(k, i + 1), held = a[i]; a[i] = a[j]; a[j] = held; }
}

static void mix_at(walk_t *k, const i32 *at, i32 n) { /* cards at some places of the tape that is tried */
    i32 *tape = k->next.tape;
    for (i32 i = n - 1; i > 0; i--) { i32 o = at[below(k, i + 1)], held = tape[at[i]]; tape[at[i]] = tape[o]; tape[o] = held; }
}

/* Of things in a random order, each a card and a place where it came to lie, mostly two come to the front: how many.
   What changes little is seldom refused. The two are any; or of different places, as an exchange within one is none; or
   they have an attribute in common, as what is known of a hand is mostly that it has such a card. Each of these is as
   likely after the exchange as before it, since the places, and the cards, are the same ones together. */
static i32 few(walk_t *k, i32 *items, const i32 *cards, const i32 *places, i32 n) {
    i32 some = 2, way = below(k, 3), attribute = below(k, ATTRIBUTES_N);
    while (some < n && maybe(k, 0.2)) some++;
    if (n < 2 || some > 2) return n < 2 ? 0 : some;
    for (i32 i = 1; i < n; i++) {
        i32 one = FACE_OF(cards[items[0]]), other = FACE_OF(cards[items[i]]);
        if (way == 1 && places[items[0]] == places[items[i]]) continue;
        if (way == 2 && (ATTRIBUTES[attribute][one] != ATTRIBUTES[attribute][other] || ATTRIBUTES[attribute][one] < 0)) continue;
        i32 held = items[1]; items[1] = items[i]; items[i] = held;
        return one == other ? 0 : 2;
    }
    return 0;
}

static i64 when(i32 step, i32 at) { return (i64)step << 32 | (u32)(at + 1); } /* `at`: on the tape; -1: the decision itself */

static void give(walk_t *k, i32 number) { /* a pile is to be changed: begin with it as it was */
    const pile_t *p = &k->piles[number];
    if (!k->given[number]) memcpy(k->next.tape + p->at, k->now.tape + p->at, (size_t)p->n * sizeof(i32));
    k->given[number] = 1;
}

static void set_way(walk_t *k, const veiled_t *v, int way) {
    if (v->event >= 0) k->event_way[v->event] = (uint8_t)way; else k->turn_way[v->turn] = (uint8_t)way;
}

static i64 pile_end(const walk_t *k, i32 number, int wide) { /* up to when hidden turns follow a change of a pile */
    const pile_t *p = &k->piles[number];
    if (!wide)
        for (i32 j = number + 1; j < k->piles_n; j++) if (k->piles[j].step > p->step) return when(k->piles[j].step, k->piles[j].at);
    return INT64_MAX;
}

/* Each gives the turn from which on the play is another, or -1 where nothing changes. */

static i32 deal_anew(walk_t *k, i32 first, int everything) {
    int wide = everything || maybe(k, 0.25), most_ = everything || maybe(k, 0.1), changed = 0;
    i32 *ranks = k->next.acts + k->turns + 2; /* room for as many as the tape is long */
    k->dealt = first;
    for (i32 j = first; j < (wide ? k->piles_n : first + 1); j++) {
        const pile_t *p = &k->piles[j];
        i32 n = 0;
        for (i32 i = p->at; i < p->at + p->n; i++) if (k->now.learned[i] == FAR_TURN) ranks[n++] = i;
        mix(k, ranks, n);
        if (!most_ && n) {
            dealt_to(k, FAR_TURN, k->now.tape, p, k->lies);
            n = few(k, ranks, k->now.tape, k->lies, n);
        }
        give(k, j);
        if (most_) mix_at(k, ranks, n);
        else if (n) {
            i32 held = k->next.tape[ranks[n - 1]];
            for (i32 i = n - 1; i > 0; i--) k->next.tape[ranks[i]] = k->next.tape[ranks[i - 1]];
            k->next.tape[ranks[0]] = held;
        }
        changed |= memcmp(k->next.tape + p->at, k->now.tape + p->at, (size_t)p->n * sizeof(i32)) != 0;
    }
    double share = everything ? 0.5 * (1 + below(k, 2)) : 0.25 * below(k, 2);
    i64 begin = when(k->piles[first].step, k->piles[first].at), end = pile_end(k, first, wide);
    for (i32 i = 0; i < k->veiled_n; i++)
        if (k->veiled[i].when > begin && k->veiled[i].when < end) {
            int anew = maybe(k, share);
            set_way(k, &k->veiled[i], anew ? ANEW : MAP);
            changed |= anew;
        }
    return changed ? k->piles[first].step : -1;
}

/* Copies in a pile come in another order, and mostly two cards of it, learned or not, change places; each hidden turn
   follows or does not. Which copy is where nobody sees, but what the player has learned depends on it. */
static i32 exchange(walk_t *k, i32 number) {
    const pile_t *p = &k->piles[number];
    i32 *tape = k->next.tape, a = p->at + below(k, p->n), b = p->at + below(k, p->n), at[CARDS > 0 ? CARDS : 1];
    int wide = maybe(k, 0.5), copies = 0, changed = 0;
    give(k, number);
    for (i32 f = 0; f < FACES; f++) {
        i32 n = 0;
        for (i32 i = p->at; i < p->at + p->n; i++) if (FACE_OF(tape[i]) == f) at[n++] = i;
        copies |= n > 1;
        mix_at(k, at, n);
    }
    if (!copies || maybe(k, 0.5)) { i32 held = tape[a]; tape[a] = tape[b]; tape[b] = held; }
    for (i32 i = p->at; i < p->at + p->n; i++) changed |= tape[i] != k->now.tape[i];
    if (!changed) return -1;
    i64 begin = when(p->step, p->at), end = pile_end(k, number, wide);
    for (i32 i = 0; i < k->veiled_n; i++)
        if (k->veiled[i].when > begin && k->veiled[i].when < end && maybe(k, 0.5)) set_way(k, &k->veiled[i], MAP);
    k->learned_stay = 0;
    return p->step;
}

/* Cards that lie in one place at some moment come there as others of them did; what happens to them from then on stays. */
static i32 swap_origins(walk_t *k) {
    i32 start = FAR_TURN;
    i64 begin = INT64_MAX;
    k->moment = k->moments[recent(k, k->moments_n)];
    i32 unseen = 0, one = maybe(k, 0.75), only = 0; /* mostly in one place, else in several at once */
    for (int place = 0; place < PLACES; place++) unseen += !(SEES[place] >> k->viewer & 1);
    if (one) only = below(k, unseen);
    for (int place = 0; place < PLACES; place++) {
        card_t lie[CARDS > 0 ? CARDS : 1];
        i32 cards[CARDS > 0 ? CARDS : 1], items[CARDS > 0 ? CARDS : 1];
        if (SEES[place] >> k->viewer & 1) continue;
        if (one ? only-- != 0 : maybe(k, 0.5)) continue;
        i32 n = lie_at(&k->snapshot[k->moment]->s, place, lie);
        k->place[k->places_n++] = place;
        if (n < 2) continue;
        i32 came[CARDS > 0 ? CARDS : 1];
        for (i32 i = 0; i < n; i++) { cards[i] = lie[i]; items[i] = i; came[i] = came_by(k, FAR_TURN, cards[i]); }
        mix(k, items, n);
        n = few(k, items, cards, came, n);
        int distinct = n > 1;
        for (i32 i = 0; i < n; i++) for (i32 j = 0; j < i; j++) distinct &= FACE_OF(cards[items[i]]) != FACE_OF(cards[items[j]]);
        if (!distinct) continue;
        i32 at[CARDS > 0 ? CARDS : 1], number = k->piles_n;
        for (int all = 0; !all && number-- > 0;) {
            const pile_t *p = &k->piles[number];
            all = p->step < k->moment;
            for (i32 i = 0; all && i < n; i++) {
                at[i] = -1;
                for (i32 j = p->at; j < p->at + p->n; j++) if (k->now.tape[j] == cards[items[i]]) at[i] = j;
                all = at[i] >= 0;
            }
            if (all) break;
        }
        if (number < 0) continue;
        give(k, number);
        i32 held = k->next.tape[at[n - 1]];
        for (i32 i = n - 1; i > 0; i--) k->next.tape[at[i]] = k->next.tape[at[i - 1]];
        k->next.tape[at[0]] = held;
        start = (i32)least(start, k->piles[number].step);
        begin = least(begin, when(k->piles[number].step, k->piles[number].at));
    }
    if (start == FAR_TURN) return -1;
    for (i32 i = 0; i < k->veiled_n; i++)
        if (k->veiled[i].when > begin && k->veiled[i].when < when(k->moment, -1)) set_way(k, &k->veiled[i], MAP);
    k->learned_stay = 0;
    return start;
}

/* The faces of all cards that a turn names. */
static i32 faces_named(const walk_t *k, i32 turn, i32 *out) {
    const i32 *act = k->now.act + (i64)turn * MOST_SMALL;
    i32 n = 0;
    for (i32 i = 0; i < k->now.acts[turn]; i++) {
        i64 values[MOST_DIMS];
        int block = block_of(act[i]);
        const block_t *b = &BLOCKS[block];
        decode_action(block, act[i], values);
        for (int d = b->n; d-- > 0;) if (b->args[d].is_card && values[d] < FACES) out[n++] = (i32)values[d];
    }
    return n;
}

/* The pile in which two cards were shuffled together last; -1 for none. `last` has that in which each was shuffled last. */
static i32 together(const walk_t *k, const i32 *last, i32 one, i32 other) {
    i32 j = (i32)least(last[one], last[other]);
    if (last[one] == last[other]) return j;
    for (; j >= 0; j--) {
        i32 found = 0;
        const pile_t *p = &k->piles[j];
        for (i32 i = p->at; i < p->at + p->n; i++) found += k->now.tape[i] == one || k->now.tape[i] == other;
        if (found == 2) return j;
    }
    return -1;
}

/* Choose unseen cards that are to stand for each other, two and two: often one pair, which alone may lead away from where
   several would be refused, else more; sometimes such as have an attribute in common, which are refused less. The pairs
   depend only on a random order of the cards, and other pairs do not affect whether a pair is skipped, so the reverse
   proposal is as likely. Return the last pile in which both cards of every pair were shuffled together; -1 if none. */
static i32 pair_up(walk_t *k) {
    W *end = k->snapshot[k->turns + 1];
    i32 place[CARDS > 0 ? CARDS : 1], cards[CARDS > 0 ? CARDS : 1], last[CARDS > 0 ? CARDS : 1], loose = 0, since = -1;
    i32 wanted = maybe(k, 0.6) ? 1 : 2 << below(k, 5), attribute = maybe(k, 0.3) ? below(k, ATTRIBUTES_N) : -1;
    set_t used = set_none();
    places_of(&end->s, place);
    for (i32 c = 0; c < CARDS; c++) last[c] = -1;
    for (i32 j = 0; j < k->piles_n; j++)
        for (i32 i = k->piles[j].at; i < k->piles[j].at + k->piles[j].n; i++) last[k->now.tape[i]] = j;
    i32 n = unseen_cards(k, end, place, cards);
    for (i32 i = 0; i < n; i++) loose |= last[cards[i]] < 0;
    int never = loose && maybe(k, 0.5); /* one of them was never shuffled: few such pairs would be chosen among many others */
    int one_home = never || maybe(k, 0.5);
    mix(k, cards, n);
    for (i32 i = 0; i < n && k->paired < wanted; i++)
        for (i32 j = i + 1; j < n && !set_has(used, cards[i]); j++) {
            i32 one = cards[i], other = cards[j], a = FACE_OF(one), b = FACE_OF(other);
            if (set_has(used, other) || a == b || (one_home && k->home[one] != k->home[other])) continue;
            if (attribute >= 0 && (ATTRIBUTES[attribute][a] != ATTRIBUTES[attribute][b] || ATTRIBUTES[attribute][a] < 0)) continue;
            set_put(&used, one); set_put(&used, other);
            if (place[one] == place[other] || k->face_image[a] != a || k->face_image[b] != b) continue;
            i32 pile = together(k, last, one, other);
            if (pile < 0 ? k->home[one] != k->home[other] : never) continue;
            if (k->paired && pile != since) continue;
            since = pile;
            k->paired++;
            k->image[one] = other; k->image[other] = one;
            k->face_image[a] = k->face_back[a] = b; k->face_image[b] = k->face_back[b] = a;
        }
    return since;
}

/* Cards that the player has not seen stand for each other since they were last shuffled together, or from the beginning: in
   what was dealt, and in hidden turns of everybody, or of one player where others have such cards too. */
static i32 relabel(walk_t *k) {
    i32 whose = below(k, PLAYERS + 1), since = pair_up(k);
    if (!k->paired) return -1;
    i32 start = FAR_TURN;
    i64 begin = since < 0 ? -1 : when(k->piles[since].step, k->piles[since].at);
    k->learned_stay = 0;
    for (i32 j = k->piles_n; j-- > (since < 0 ? 0 : since);) {
        const pile_t *p = &k->piles[j];
        for (i32 i = p->at; i < p->at + p->n; i++) {
            i32 c = k->now.tape[i];
            if (k->image[c] == c) continue;
            give(k, j);
            k->next.tape[i] = k->image[c];
            start = p->step;
        }
    }
    for (i32 i = 0; i < k->veiled_n; i++) {
        const veiled_t *v = &k->veiled[i];
        i32 faces[MOST_SMALL * MOST_DIMS];
        if (v->when < begin || (v->event < 0 && whose < PLAYERS && k->actor[v->turn] != whose)) continue;
        set_way(k, v, MAP);
        if (v->turn >= start) continue;
        if (v->event >= 0) start = v->turn;
        else for (i32 f = faces_named(k, v->turn, faces); f-- > 0;) if (k->face_image[faces[f]] != faces[f]) start = v->turn;
    }
    return start == FAR_TURN ? -1 : start;
}

/* A hidden turn names another card in the place of one; later ones do so too, or do not. */
static i32 other_card(walk_t *k, const veiled_t *v) {
    i32 faces[MOST_SMALL * MOST_DIMS], n = v->event >= 0 ? 0 : faces_named(k, v->turn, faces);
    if (!n) return -1;
    i32 face = faces[below(k, n)], family = 0;
    for (i32 f = 0; f < FACES; f++) family += HOME[f] == HOME[face];
    i32 nth = below(k, family), other = face;
    for (i32 f = 0; f < FACES; f++) if (HOME[f] == HOME[face] && nth-- == 0) other = f;
    if (other == face) return -1;
    k->face_image[face] = k->face_back[face] = other;
    k->face_image[other] = k->face_back[other] = face;
    i32 ones[CARDS > 0 ? CARDS : 1], others[CARDS > 0 ? CARDS : 1], a = 0, b = 0;
    for (i32 c = 0; c < CARDS; c++) { if (FACE_OF(c) == face) ones[a++] = c; if (FACE_OF(c) == other) others[b++] = c; }
    for (i32 i = 0; a == b && i < a; i++) { k->image[ones[i]] = others[i]; k->image[others[i]] = ones[i]; }
    for (i32 i = 0; i < k->veiled_n; i++)
        if (k->veiled[i].when > v->when && maybe(k, 0.5)) set_way(k, &k->veiled[i], MAP);
    set_way(k, v, MAP);
    return v->turn;
}

static i32 independence_proposal(walk_t *k) { /* draw all that is hidden anew */
    if (k->piles_n) return deal_anew(k, 0, 1);
    for (i32 i = 0; i < k->veiled_n; i++) set_way(k, &k->veiled[i], ANEW);
    return k->veiled_n ? k->veiled[0].turn : -1;
}

static int has_unseen_order(const walk_t *k) { /* whether there is a pile of which the player has not seen several cards */
    for (i32 j = 0; j < k->piles_n; j++) {
        i32 open = 0;
        for (i32 i = k->piles[j].at; i < k->piles[j].at + k->piles[j].n; i++) open += k->now.learned[i] == FAR_TURN;
        if (open > 1) return 1;
    }
    return 0;
}

/* Whether the player has not seen something in the play: where not, there is no other world. */
EXPORT i32 walk_hides(const walk_t *k) { return k->veiled_n > 0 || has_unseen_order(k); }

static i32 local_proposal(walk_t *k) {
    int is_free = has_unseen_order(k);
    int piles = k->piles_n > 0, veiled = k->veiled_n > 0;
    int weight[] = {4 * (piles && is_free), 2 * piles, 8 * (piles && k->moments_n), 4 * veiled, 4 * veiled, 16}, all = 0, kind = 0;
    for (int i = 0; i < 6; i++) all += weight[i];
    if (!all) return -1;
    i32 drawn = below(k, all);
    while (drawn >= weight[kind]) drawn -= weight[kind++];
    if (kind == 0) return deal_anew(k, recent(k, k->piles_n), 0);
    if (kind == 1) return exchange(k, recent(k, k->piles_n));
    if (kind == 2) return swap_origins(k);
    if (kind == 5) return relabel(k);
    const veiled_t *v = &k->veiled[recent(k, k->veiled_n)];
    if (kind == 3) return other_card(k, v);
    set_way(k, v, ANEW);
    return v->turn;
}

/* Take so many Metropolis-Hastings steps. A step is an independence proposal (all that is hidden is drawn anew) or a local
   one; it is accepted with probability min(1, acceptance ratio). `ignore_acceptance` takes every possible play, to
   disperse the walks before they burn in. */
EXPORT void walk_go(walk_t *k, i64 steps, i32 ignore_acceptance) {
    double independent = k->turns <= 30 ? 0.5 : 0.15;
    for (; steps > 0; steps--) {
        change_nothing(k);
        i32 start = maybe(k, independent) ? independence_proposal(k) : local_proposal(k);
        k->tried++;
        k->work++;
        if (start < 0 || !walk_through(k, start)) continue;
        k->possible++;
        int accepted = ignore_acceptance || k->acceptance_ratio >= 1 || maybe(k, k->acceptance_ratio);
        if (!accepted) continue;
        walk_take(k, start);
        k->accepted++;
    }
}

/* ---- making a walk */

static void *room(walk_t *k, u64 count, u64 size) { /* 0 where there is none */
    void *p = count * size <= MOST_BYTES ? calloc(count ? count : 1, size) : 0;
    if (p) k->memory[k->memory_n++] = p;
    return p;
}

EXPORT void walk_free(walk_t *k) {
    if (!k) return;
    while (k->memory_n) free(k->memory[--k->memory_n]);
    free(k);
}

static int world_room(walk_t *k, world_t *w, u64 turns, u64 tape) {
    return (w->tape = room(k, tape, sizeof(i32))) && (w->learned = room(k, tape, sizeof(i32)))
        && (w->act = room(k, turns * MOST_SMALL, sizeof(i32))) && (w->acts = room(k, turns + tape, sizeof(i32)))
        && (w->branching = room(k, turns, sizeof(double))) && (w->choices = room(k, tape, sizeof(double)));
}

/* Whether a card that the player does not see comes to another place that they do not see, as by a draw. */
static int moves_unseen(const walk_t *k, W *before, W *after) {
    i32 was[CARDS > 0 ? CARDS : 1], is[CARDS > 0 ? CARDS : 1], unseen[CARDS > 0 ? CARDS : 1];
    places_of(&before->s, was);
    places_of(&after->s, is);
    for (i32 n = unseen_cards(k, after, is, unseen); n-- > 0;) {
        i32 from = was[unseen[n]];
        if (from >= 0 && from != is[unseen[n]] && !(SEES[from] >> k->viewer & 1)) return 1;
    }
    return 0;
}

/* A walk that begins at the true play: its small actions, and the tape of what chance drew. 0 where that is no play, or
   there is no memory. */
EXPORT walk_t *walk_new(i32 viewer, u64 seed, const i32 *act, i32 acts, const i32 *tape, i32 tape_n) {
    walk_t *k = (u32)viewer < PLAYERS ? calloc(1, sizeof *k) : 0;
    if (!k) return 0;
    u64 turns = (u64)acts + 3, length = (u64)tape_n + 1;
    u64 bytes = 2 * turns * (sizeof(W) + MOST_SMALL * sizeof(i32)) + length * 64;
    k->viewer = viewer;
    k->random = random_seed(seed, 0);
    W *snapshots = 0;
    int fine = bytes <= MOST_BYTES && world_room(k, &k->now, turns, length) && world_room(k, &k->next, turns, length)
        && (k->actor = room(k, turns, sizeof(i32))) && (k->tape_from = room(k, turns, sizeof(i32)))
        && (k->hidden = room(k, turns, 1)) && (k->moves = room(k, turns, 1)) && (k->wanted = room(k, turns, sizeof(hash_t)))
        && (k->snapshot = room(k, turns, sizeof(W *))) && (k->next_snapshot = room(k, turns, sizeof(W *)))
        && (k->true_tape = room(k, length, sizeof(i32))) && (k->true_learned = room(k, length, sizeof(i32)))
        && (k->piles = room(k, length, sizeof(pile_t))) && (k->events = room(k, length, sizeof(event_t)))
        && (k->veiled = room(k, turns + length, sizeof(veiled_t))) && (k->moments = room(k, 2 * (turns + length), sizeof(i32)))
        && (k->turn_way = room(k, turns, 1)) && (k->event_way = room(k, length, 1)) && (k->given = room(k, length, 1))
        && (k->refilled = room(k, length, 1)) && (k->lies = room(k, 2 * length, sizeof(i32))) && (snapshots = room(k, 2 * turns, sizeof(W)));
    if (!fine) { walk_free(k); return 0; }
    for (u64 t = 0; t < turns; t++) { k->snapshot[t] = snapshots + 2 * t; k->next_snapshot[t] = snapshots + 2 * t + 1; }
    memcpy(k->now.tape, tape, (size_t)tape_n * sizeof(i32));
    memcpy(k->true_tape, tape, (size_t)tape_n * sizeof(i32));
    memcpy(k->next.tape, tape, (size_t)tape_n * sizeof(i32));
    k->tape_n = tape_n;
    for (i32 i = 0; i < tape_n; i++) k->next.learned[i] = FAR_TURN;
    k->guiding = 1;
    change_nothing(k);
    W *w = k->next_snapshot[turns - 1];
    walk_begin(k, w);
    i32 t = 0, i = 0;
    while (fine) {
        t++;
        k->tape_from[t] = k->tape_at;
        k->wanted[t] = watched_hash(w, viewer);
        memcpy(k->snapshot[t], w, sizeof *w);
        if (k->refused || w->s.fault) { fine = 0; break; }
        if (i == acts) break;
        k->step = t;
        k->actor[t] = w->s.cur;
        k->hidden[t] = w->s.cur != viewer;
        i32 n = 0, over = 0;
        double branching = 1;
        u64 mask[MASK];
        while (!over && i < acts) {
            if (n == MOST_SMALL || !legal_in(&w->s, mask) || !mask_has(mask, act[i])) { fine = 0; break; }
            int count = 0;
            for (int word = 0; word < MASK; word++) count += bit_count(mask[word]);
            if (w->s.cur != viewer) branching *= count;
            u32 before = w->w.choices;
            watched_carry_out(w, act[i]);
            k->now.act[(i64)t * MOST_SMALL + n++] = act[i++];
            over = w->w.choices != before || w->s.cur == TERMINAL;
        }
        k->now.acts[t] = n;
        k->now.branching[t] = branching;
        k->turns = t;
        k->whole = over;
        if (fine && moves_unseen(k, k->snapshot[t], w)) k->moves[t] = 1;
    }
    turn_settled(k, &w->w);
    if (!fine || k->tape_at != tape_n) { walk_free(k); return 0; }
    if (!k->turns) k->whole = 1;
    k->guiding = 0;
    memcpy(k->now.choices, k->next.choices, (size_t)k->events_n * sizeof(double));
    memcpy(k->now.learned, k->next.learned, (size_t)tape_n * sizeof(i32));
    memcpy(k->true_learned, k->next.learned, (size_t)tape_n * sizeof(i32));
    i32 e = 0;
    for (i32 step = 0; step <= k->turns; step++) {
        int any = step && k->hidden[step], moment = step && k->moves[step];
        if (any) k->veiled[k->veiled_n++] = (veiled_t){when(step, -1), step, -1};
        for (; e < k->events_n && k->events[e].step == step; e++)
            if (!k->events[e].shown) { k->veiled[k->veiled_n++] = (veiled_t){when(step, k->events[e].at), step, e}; any = 1; }
        if (!any && !moment) continue;
        if (step && (!k->moments_n || k->moments[k->moments_n - 1] != step)) k->moments[k->moments_n++] = step;
        k->moments[k->moments_n++] = step + 1;
    }
    return k;
}

/* ---- what is required of a walk */

EXPORT i32 walk_turns(const walk_t *k) { return k->turns; }
EXPORT i32 walk_varies(const walk_t *k) { return k->varies; }
EXPORT i32 walk_moved(const walk_t *k) { return k->moved; }
EXPORT i64 walk_work(const walk_t *k) { return k->work; }
EXPORT void walk_counts(const walk_t *k, i64 *out) { out[0] = k->tried; out[1] = k->possible; out[2] = k->accepted; }

/* The state at the end of the play where the walk is. */
EXPORT void walk_state(const walk_t *k, S *out) { memcpy(out, &k->snapshot[k->turns + 1]->s, sizeof *out); }

/* So many worlds, with that many steps between them, as states side by side. */
EXPORT void walk_states(walk_t *k, S *out, i64 count, i64 steps) {
    for (i64 i = 0; i < count; i++) { walk_go(k, steps, 0); walk_state(k, out + i); }
}

/* The play itself: its small actions, how many there are, and its tape; ends[0] is where the tape of the beginning ends,
   ends[i + 1] that after action i. */
EXPORT i32 walk_play(const walk_t *k, i32 *act, i32 room_, i32 *tape, i32 *ends) {
    i32 n = 0;
    ends[0] = k->tape_from[1];
    for (i32 t = 1; t <= k->turns; t++)
        for (i32 i = 0; i < k->now.acts[t]; i++) {
            if (n == room_) return -1;
            act[n++] = k->now.act[(i64)t * MOST_SMALL + i];
            ends[n] = k->tape_from[i == k->now.acts[t] - 1 ? t + 1 : t]; /* chance follows the last small action alone */
        }
    memcpy(tape, k->now.tape, (size_t)k->tape_n * sizeof(i32));
    return n;
}

/* How many small actions it may have at most. */
EXPORT i64 walk_room(const walk_t *k) { return (i64)k->turns * MOST_SMALL; }

/* Numbers that show where a walk is: where cards lie, and what was done in the last hidden turns. */
static void walk_features(walk_t *k, double *out, i32 cards, i32 turns) {
    S *s = &k->snapshot[k->turns + 1]->s;
    for (i32 i = 0; i < cards; i++) { /* of some faces: which copy lies where is nothing to anybody */
        i32 face = (i32)((i64)i * FACES / cards);
        double all = 0;
        for (i32 c = 0; c < CARDS; c++)
            if (FACE_OF(c) == face) {
                double x = 0.6180339887498949 * (place_of(s, c) + 1);
                all += x - (double)(i64)x;
            }
        *out++ = all;
    }
    for (i32 i = 0; i < turns; i++) {
        double x = 0;
        if (i < k->veiled_n) {
            const veiled_t *v = &k->veiled[k->veiled_n - 1 - i];
            if (v->event >= 0) x = k->now.tape[k->events[v->event].at];
            else for (i32 j = 0; j < k->now.acts[v->turn]; j++) x += k->now.act[(i64)v->turn * MOST_SMALL + j];
            x *= 0.6180339887498949;
        }
        *out++ = x - (double)(i64)x;
    }
}

/* Take `gap` steps so many times, and show after each where the walk is. */
EXPORT void walk_record(walk_t *k, i64 count, i64 gap, double *out, i32 cards, i32 turns) {
    for (; count > 0; count--, out += cards + turns) { walk_go(k, gap, 0); walk_features(k, out, cards, turns); }
}

/* Whether the card at a place of the tape has a face, and may lie elsewhere: nothing that the player learns says that it lies there. */
static int can_leave(const walk_t *k, const i32 *tape, i32 first, i32 at, i32 face) {
    if (FACE_OF(tape[at]) != face || k->now.learned[at] < first) return 0;
    return k->true_learned[at] == FAR_TURN || k->true_learned[at] < first || FACE_OF(k->true_tape[at]) != face;
}

/* Let the unseen cards of a world change places so that what the player learns after it lies where they learned it. Return
   the turn from which on the world is another; the first new one where nothing is changed, -1 where it cannot be. */
static i32 repair(walk_t *k, i32 first, i32 length) {
    i32 start = first;
    for (i32 j = 0; j < k->piles_n && k->piles[j].at < length; j++) {
        const pile_t *p = &k->piles[j];
        for (i32 i = p->at; i < p->at + p->n; i++) {
            i32 face = FACE_OF(k->true_tape[i]), fits = 0, nth;
            if (k->true_learned[i] < first || k->true_learned[i] == FAR_TURN) continue;
            const i32 *tape = k->given[j] ? k->next.tape : k->now.tape;
            if (FACE_OF(tape[i]) == face) continue;
            for (i32 o = p->at; o < p->at + p->n; o++) fits += can_leave(k, tape, first, o, face);
            if (!fits) return -1;
            nth = below(k, fits);
            give(k, j);
            for (i32 o = p->at; o < p->at + p->n; o++)
                if (can_leave(k, k->next.tape, first, o, face) && nth-- == 0) {
                    i32 held = k->next.tape[i]; k->next.tape[i] = k->next.tape[o]; k->next.tape[o] = held;
                    break;
                }
            start = (i32)least(start, p->step);
        }
    }
    return start;
}

/* Let a walk over a longer play begin in a world of a shorter one: what the player has seen since happens in it too,
   what they have not is drawn; with `repairs`, cards of the world change places first where they must. How likely what they
   saw is in this world, but for what is the same in all worlds; 0 where it cannot be. */
EXPORT double walk_onward(walk_t *k, const walk_t *before, i32 repairs) {
    i32 known = before->whole ? before->turns : before->turns - 1;
    if (before->viewer != k->viewer || known > k->turns || before->tape_from[known + 1] > k->tape_n) return 0;
    i32 first = known + 1, length = before->tape_from[first], start = first;
    change_nothing(k);
    memcpy(k->now.tape, k->true_tape, (size_t)k->tape_n * sizeof(i32));
    memcpy(k->now.tape, before->now.tape, (size_t)length * sizeof(i32));
    memcpy(k->now.learned, k->true_learned, (size_t)k->tape_n * sizeof(i32));
    memcpy(k->now.learned, before->now.learned, (size_t)length * sizeof(i32));
    memcpy(k->now.act, before->now.act, (size_t)first * MOST_SMALL * sizeof(i32));
    memcpy(k->now.acts, before->now.acts, (size_t)first * sizeof(i32));
    memcpy(k->now.branching, before->now.branching, (size_t)first * sizeof(double));
    for (i32 e = 0; e < k->events_n && k->events[e].step < first; e++) k->now.choices[e] = before->now.choices[e];
    if (repairs && (start = repair(k, first, length)) < 0) return 0;
    for (i32 i = 0; i < k->veiled_n; i++) set_way(k, &k->veiled[i], k->veiled[i].turn > known ? ANEW : MAP);
    k->learned_stay = 0;
    k->onward = first;
    k->from = before;
    int fine = walk_through(k, start);
    k->onward = 0;
    k->from = 0;
    if (!fine) return 0;
    for (i32 t = 1; t <= start; t++) {
        memcpy(k->snapshot[t], before->snapshot[t], sizeof(W));
        k->snapshot[t]->w.walk = k;
    }
    k->moved = before->moved;
    double weight = k->acceptance_ratio;
    walk_take(k, start);
    return weight;
}
