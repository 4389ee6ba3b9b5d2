/* What a player sees of a state, as numbers (interpreter.knowledge.tensors has the layout): who they are, who is to act, the
   places of cards, the variables that they see, and what they have picked.  The printed text defines OBSERVED (how many
   numbers these are), SEEN_N and SEEN_TABLE. */

enum { NUMBER_CELL, FACE_CELL, VALUE_CELL }; /* one cell with the number; a cell for each face, or for each value */

typedef struct {
    u32 values, begun;  /* offsets in a state: of the values; of whether the phase has begun that sets them, or 0 */
    const u64 *viewers; /* who sees each value, as bits of players */
    i32 at, size, n;    /* the first cell; the cells of each value; how many values */
    int8_t bits, optional, form;
} seen_t;

static const seen_t SEEN_VALUES[] = SEEN_TABLE;

static i64 number_at(const char *at, int bits, int optional) {
    switch (bits) {
    case 8: { int8_t x; memcpy(&x, at, sizeof x); return optional ? opt_8(x) : x; }
    case 16: { int16_t x; memcpy(&x, at, sizeof x); return optional ? opt_16(x) : x; }
    case 32: { int32_t x; memcpy(&x, at, sizeof x); return optional ? opt_32(x) : x; }
    default: { i64 x; memcpy(&x, at, sizeof x); return x; }
    }
}

static void observe(const S *s, int viewer, float *out) { /* into cells that are all 0 */
    out[viewer] = 1;
    if (s->cur >= 0) out[PLAYERS + s->cur] = 1;
    see_places(s, viewer, out + 2 * PLAYERS);
    for (const seen_t *v = SEEN_VALUES; v < SEEN_VALUES + SEEN_N; v++)
        for (i32 i = 0; i < v->n; i++) {
            float *cells = out + v->at + i * v->size;
            i64 x = number_at((const char *)s + v->values + i * v->bits / 8, v->bits, v->optional);
            if (!(v->viewers[i] >> viewer & 1)) continue;
            if (v->begun && !((const char *)s)[v->begun]) x = NONE;
            if (x == NONE) { if (v->optional) cells[v->size - 1] = 1; }
            else if (v->form == NUMBER_CELL) cells[0] = (float)(double)x;
            else if (v->form == FACE_CELL) { if ((u64)x < CARDS) cells[FACE_OF(x)] = 1; }
            else if ((u64)x < (u64)v->size) cells[x] = 1;
        }
    if (s->cur == viewer) see(out + OBSERVED - (CARDS ? FACES : 0), s->picked);
}
