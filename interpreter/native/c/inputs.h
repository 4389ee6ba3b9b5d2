/* What a network reads, as the numbers of the inputs that are 1: of a state what a viewer knows (interpreter.program.c.inputs
   has the tables), of an action its slots: its verb, each of its arguments, and the action itself. Players count from the
   viewer in both. */

enum { VALUE_INPUT, STEP_INPUT, PLAYER_INPUT, FACE_INPUT }; /* one of so many; a thermometer code; a player; a face */

typedef struct { i32 at, first, copies; } input_place_t; /* positions with inputs of their own, copies of a face that count */
typedef struct {
    u32 values, begun;
    const u64 *viewers;
    i32 at, size, n, turned;
    i64 low;
    int8_t bits, optional, form;
} input_value_t;
typedef struct { i32 at, is_player; } argument_slot_t;

static const i64 STEP_AT[] = STEPS_TABLE;
#define STEPS_N ((i32)(sizeof STEP_AT / sizeof *STEP_AT))
static const input_place_t INPUT_PLACE[] = INPUT_PLACES;
static const i32 TURNED_PLACE[] = TURNED_PLACES;
static const i32 LOWER_FACE[][FACES > 0 ? FACES : 1] = LOWER_FACES; /* by each order of cards, -1 where there is none */
static const i32 FAMILY[] = FAMILIES;                               /* of a place, -1 where nobody sees its cards */
static const i32 RELATED_AT[] = RELATED_PLACES;
static const input_value_t INPUT_VALUE[] = INPUT_VALUES;
static const i32 TURNED_VALUE[] = TURNED_VALUES;
static const argument_slot_t ARGUMENT_SLOT[BLOCKS_N][MOST_DIMS] = ARGUMENT_SLOTS;

#define MOST_INPUTS 1024 /* inputs that are 1 in one state; what is beyond is left out */
typedef struct { i32 n, in[MOST_INPUTS]; } inputs_t;

static inline void input_put(inputs_t *x, i64 at) { if (x->n < MOST_INPUTS) x->in[x->n++] = (i32)at; }
static void input_steps(inputs_t *x, i64 at, i64 number) {
    for (i32 k = 0; k < STEPS_N && number >= STEP_AT[k]; k++) input_put(x, at + k);
}

typedef struct { u32 cards[FAMILIES_N + 1][FACES]; } seen_faces_t; /* how many cards a viewer sees in each family */

static void seen_faces(const S *s, int viewer, seen_faces_t *seen) {
    card_t lie[CARDS > 0 ? CARDS : 1];
    memset(seen, 0, sizeof *seen);
    for (int place = 0; place < PLACES; place++) {
        if (FAMILY[place] < 0) continue;
        for (i32 n = lie_at(s, place, lie), k = 0; k < n; k++)
            if (seen_by(s, lie[k], place) >> viewer & 1) seen->cards[FAMILY[place]][FACE_OF(lie[k])]++;
    }
}

/* Of a card at a position: whether the next lower face is seen in each family, or there is none; and whether its own is. */
static void inputs_related(const seen_faces_t *seen, i64 at, int place, i32 face, inputs_t *x) {
    for (int order = 0; order < ORDERS_N; order++)
        for (int family = 0; family < FAMILIES_N; family++, at += 2) {
            i32 lower = LOWER_FACE[order][face];
            if (lower < 0 || seen->cards[family][lower]) input_put(x, at);
            if (seen->cards[family][face] > (FAMILY[place] == family)) input_put(x, at + 1);
        }
}

static void inputs_of_places(const S *s, int viewer, inputs_t *x) {
    const i32 *turned = TURNED_PLACE + viewer * PLACES;
    uint8_t met[FACES];
    card_t lie[CARDS > 0 ? CARDS : 1];
    seen_faces_t seen;
    if (ORDERS_N) seen_faces(s, viewer, &seen);
    for (int place = 0; place < PLACES && CARDS; place++) {
        const input_place_t *in = &INPUT_PLACE[turned[place]];
        i32 size = size_at(s, place);
        input_steps(x, in->at, size);
        if (!size || !(in->first + in->copies)) continue;
        i64 at = in->at + STEPS_N;
        i32 n = lie_at(s, place, lie), back = KIND[place] & ROW && n > in->first ? n - in->first : 0;
        for (i32 k = 0; k < in->first && k < n; k++)
            if (seen_by(s, lie[back + k], place) >> viewer & 1) {
                i32 face = FACE_OF(lie[back + k]);
                input_put(x, at + k * FACES + face);
                inputs_related(&seen, RELATED_AT[turned[place]] + (i64)k * 2 * ORDERS_N * FAMILIES_N, place, face, x);
            }
        if (!in->copies) continue;
        at += (i64)in->first * FACES;
        if (COPIED) memset(met, 0, sizeof met);
        for (i32 k = 0; k < n; k++) {
            if (!(seen_by(s, lie[k], place) >> viewer & 1)) continue;
            i32 face = FACE_OF(lie[k]), copy = COPIED ? met[face]++ : 0;
            if (copy < in->copies) input_put(x, at + (i64)copy * FACES + face);
        }
    }
}

static void inputs_of_values(const S *s, int viewer, inputs_t *x) {
    for (const input_value_t *v = INPUT_VALUE; v < INPUT_VALUE + INPUT_VALUES_N; v++)
        for (i32 i = 0; i < v->n; i++) {
            if (!(v->viewers[i] >> viewer & 1)) continue;
            i64 at = v->at + (i64)TURNED_VALUE[v->turned + viewer * v->n + i] * v->size;
            i64 value = number_at((const char *)s + v->values + i * v->bits / 8, v->bits, v->optional);
            if (v->begun && !((const char *)s)[v->begun]) value = NONE;
            if (value == NONE) { if (v->optional) input_put(x, at + v->size - 1); continue; }
            value -= v->low;
            if (v->form == STEP_INPUT) {
                input_steps(x, at, value);
                input_steps(x, at + STEPS_N, -value);
                continue;
            }
            if (v->form == PLAYER_INPUT) value = (value - viewer + PLAYERS) % PLAYERS;
            if (v->form == FACE_INPUT) value = (u64)value < CARDS ? FACE_OF(value) : -1;
            if ((u64)value < (u64)v->size) input_put(x, at + value);
        }
}

/* The inputs of a viewer who is to act, and may choose what the mask has. */
static void inputs_of(const W *w, int viewer, const u64 *mask, inputs_t *x) {
    const S *s = &w->s;
    const memory_t *m = &w->w.memory;
    x->n = 0;
    input_put(x, viewer);
    inputs_of_places(s, viewer, x);
    inputs_of_values(s, viewer, x);
    for (set_t picked = s->cur == viewer ? s->picked : set_none(); !set_empty(picked);) {
        i64 c = set_take(&picked);
        input_put(x, PICKED_AT + FACE_OF(c));
    }
    int block = -1;
    for (int i = 0; i < MASK; i++)
        for (u64 bits = mask[i]; bits; bits &= bits - 1) {
            int here = BLOCK_OF[64 * i + bit_low(bits)];
            if (here != block && here >= 0) input_put(x, VERBS_AT + here);
            block = here;
        }
    for (i32 f = 0; f < FACES; f++)
        for (i32 k = 0; k < m->met[viewer][f]; k++) input_put(x, MET_AT + (i64)k * FACES + f);
    for (int b = 0; b < SAID_BUCKETS; b++)
        if (m->made[viewer][b]) {
            int age = m->decisions - m->made[viewer][b];
            input_put(x, MADE_AT + b);
            if (age < 12) input_put(x, MADE_AT + SAID_BUCKETS + b);
            if (age < 4) input_put(x, MADE_AT + 2 * SAID_BUCKETS + b);
        }
    for (int k = 0; k < RECALLED; k++) {
        const recall_t *r = &m->last[viewer][k];
        if (!r->said) continue;
        input_put(x, RECALL_AT + (i64)(2 * k) * BUCKETS + (i64)(r->said % BUCKETS));
        input_put(x, RECALL_AT + (i64)(2 * k + 1) * BUCKETS + (i64)(r->whole % BUCKETS));
    }
}

/* The number that an action has for a viewer from whom players count. */
static i32 turned_action(i64 action, int viewer) {
    int block = block_of(action);
    i64 values[MOST_DIMS];
    if (block < 0 || !viewer) return (i32)action;
    decode_action(block, action, values);
    for (int i = 0; i < BLOCKS[block].n; i++)
        if (ARGUMENT_SLOT[block][i].is_player) {
            i64 low = BLOCKS[block].args[i].low, size = BLOCKS[block].args[i].size;
            if (size == PLAYERS) values[i] = low + (values[i] - low - viewer + size) % size;
        }
    return encode_action(block, values);
}

/* The slots of an action that is numbered so; how many. */
static i32 slots_of(i64 turned, i32 *out) {
    int block = block_of(turned);
    i64 values[MOST_DIMS];
    i32 n = 0;
    if (block < 0) return 0;
    out[n++] = block;
    decode_action(block, turned, values);
    for (int i = 0; i < BLOCKS[block].n; i++)
        out[n++] = ARGUMENT_SLOT[block][i].at + (i32)(values[i] - BLOCKS[block].args[i].low);
    out[n++] = (i32)(ACTION_AT + turned);
    return n;
}
