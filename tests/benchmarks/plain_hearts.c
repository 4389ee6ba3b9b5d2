/* Hearts written by hand in C, one deal with passing to the left: the same game, and the same small actions, as
   plain_hearts.py, as quick as it can be said plainly. Hands are sets of bits; nothing is checked. */

#include <stdint.h>

typedef uint64_t u64;
typedef uint32_t u32;

#define SUIT(s) ((u64)0x1fff << 13 * (s))
#define HEARTS SUIT(2)
#define QUEEN (3 * 13 + 10)
#define WORTH (HEARTS | (u64)1 << QUEEN)

static inline u64 next(u64 *state) { /* splitmix64 */
    u64 z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static inline u32 below(u64 *state, u32 count) { /* by rejection, so each alike */
    u64 m = (next(state) >> 32) * (u64)count;
    if ((u32)m < count)
        for (u32 least = (u32)-count % count; (u32)m < least;) m = (next(state) >> 32) * (u64)count;
    return (u32)(m >> 32);
}

static inline int nth(u64 x, u32 n) { /* the place of the nth bit from below */
#if defined(__BMI2__)
    return __builtin_ctzll(__builtin_ia32_pdep_di((u64)1 << n, x));
#else
    for (; n; n--) x &= x - 1;
    return __builtin_ctzll(x);
#endif
}

static inline int drawn(u64 cards, u64 *random) {
    int count = __builtin_popcountll(cards);
    return nth(cards, count > 1 ? below(random, (u32)count) : 0);
}

/* Play a random deal; the points of each player. `told` gets the deck and the actions, if it is there. */
static int deal(u64 seed, int *points, int *told) {
    u64 random = seed, hands[4] = {0}, gifts[4] = {0};
    uint8_t deck[52];
    int decisions = 0, broken = 0, leader = 0;
    for (int i = 0; i < 52; i++) deck[i] = (uint8_t)i;
    for (int last = 51; last > 0; last--) {
        int other = (int)below(&random, (u32)last + 1);
        uint8_t held = deck[last]; deck[last] = deck[other]; deck[other] = held;
    }
    for (int i = 0; i < 52; i++) { hands[i / 13] |= (u64)1 << deck[i]; if (told) *told++ = deck[i]; }
    for (int p = 0; p < 4; p++) {
        u64 rest = hands[p];
        for (int left = 2; left >= 0; left--) { /* in ascending order, so the highest ones are left for later */
            u64 may = rest;
            for (int n = 0; n < left; n++) may ^= (u64)1 << (63 - __builtin_clzll(may));
            int card = drawn(may, &random);
            gifts[p] |= (u64)1 << card;
            rest &= ~(((u64)2 << card) - 1);
            if (told) *told++ = card;
            decisions++;
        }
    }
    for (int p = 0; p < 4; p++) hands[p] ^= gifts[p];
    for (int p = 0; p < 4; p++) { hands[(p + 1) & 3] |= gifts[p]; points[p] = 0; }
    for (int p = 0; p < 4; p++) if (hands[p] & 1) leader = p;
    for (int trick = 0; trick < 13; trick++) {
        int best = -1, winner = leader, led = 0, worth = 0;
        for (int n = 0; n < 4; n++) {
            int player = (leader + n) & 3;
            u64 hand = hands[player], may = hand;
            if (!n) {
                if (!trick) may = 1;
                else if (!broken && (hand & ~HEARTS)) may = hand & ~HEARTS;
            } else if (hand & SUIT(led)) may = hand & SUIT(led);
            else if (!trick && (hand & ~WORTH)) may = hand & ~WORTH;
            int card = drawn(may, &random);
            hands[player] ^= (u64)1 << card;
            if (told) *told++ = card;
            decisions++;
            if (!n) led = card / 13;
            if (card / 13 == led && card > best) { best = card; winner = player; }
            if (WORTH >> card & 1) { worth += card == QUEEN ? 13 : 1; broken = 1; }
        }
        points[winner] += worth;
        leader = winner;
    }
    for (int p = 0; p < 4; p++)
        if (points[p] == 26) { for (int q = 0; q < 4; q++) points[q] = q == p ? 0 : 26; break; }
    return decisions;
}

/* Play so many deals; how many decisions there were. All points are summed into `sums`, so that they are counted. */
int64_t hearts_deals(u64 seed, int64_t count, int64_t *sums) {
    int64_t decisions = 0;
    for (int64_t i = 0; i < count; i++) {
        int points[4];
        decisions += deal(seed + (u64)i * 0xD1342543DE82EF95u, points, 0);
        for (int p = 0; p < 4; p++) sums[p] += points[p];
    }
    return decisions;
}

/* Play one deal and tell of it: the deck, the actions, the points. */
void hearts_deal(u64 seed, int *told, int *points) { deal(seed, points, told); }
