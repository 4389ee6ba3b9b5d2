/* The actions of a game: one table of blocks, which the printed text fills, with a decoder and an encoder.

   An action is a number.  Those of a block have one verb: its arguments follow each other as the digits of a number do, the
   last one varies fastest.  A block of a set has one action for each face, and FACES for the end of the set. */

typedef struct { i32 size, low, is_card; } argument_t;
typedef struct { i32 base, size, is_set, n; argument_t args[MOST_DIMS]; } block_t;

static const block_t BLOCKS[BLOCKS_N] = BLOCK_TABLE;
static const int16_t BLOCK_OF[ACTIONS] = BLOCK_OF_TABLE;

/* Return the block of an action; -1 for a number that is no action. */
static inline int block_of(i64 action) { return (u64)action < ACTIONS ? BLOCK_OF[action] : -1; }

/* Return the block of an action of some blocks, which are constants; -1 for other numbers. */
static inline int block_among(i64 action, int first, int last) {
    if (first < last) return block_of(action);
    return (u64)(action - BLOCKS[first].base) < (u64)BLOCKS[first].size ? first : -1;
}

/* Write the arguments of an action of a block, a card by its face. Where the block is a constant, so are its divisors. */
static inline void decode_action(int block, i64 action, i64 *values) {
    const block_t *b = &BLOCKS[block];
    u32 rest = (u32)(action - b->base);
#pragma GCC unroll 8
    for (int i = b->n - 1; i > 0; i--) {
        values[i] = (i64)(rest % (u32)b->args[i].size) + b->args[i].low;
        rest /= (u32)b->args[i].size;
    }
    values[0] = (i64)rest + b->args[0].low;
}

static inline i32 encode_action(int block, const i64 *values) {
    const block_t *b = &BLOCKS[block];
    i64 found = 0;
    for (int i = 0; i < b->n; i++) found = found * b->args[i].size + values[i] - b->args[i].low;
    return (i32)(b->base + found);
}
