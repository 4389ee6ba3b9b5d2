/* The memory of each player besides the table, an input of networks (inputs.h): the last decisions as the player saw them
   and, since the last shuffle, the revealed faces and the number of decisions of each kind. `watch.h` reports the events.

   It depends only on what the player has seen. Players are numbered from the viewer, so that one network can play all
   seats. Every player has one, also without a viewer, and a copy of the state copies it. */

#define RECALLED 3 /* decisions that are remembered */
#define MOST_MET 3 /* how often a face is counted */
#define SAID_BUCKETS 128

typedef struct { u64 said, whole; } recall_t; /* a decision as the viewer saw it: without its cards, and with those they saw */

typedef struct {
    recall_t last[PLAYERS][RECALLED]; /* the latest first; 0 where there is none */
    uint8_t met[PLAYERS][FACES];
    uint16_t decisions, made[PLAYERS][SAID_BUCKETS]; /* how many decisions there were, also when one was made last; or 0 */
} memory_t;

static inline u64 mix_words(u64 a, u64 b) {
    u64 z = (a ^ b) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 29)) * 0x94D049BB133111EBu + b;
    return z ^ (z >> 32);
}

static void memory_choice(memory_t *m, i32 player, i32 verb, i32 secret) {
    if (m->decisions < UINT16_MAX) m->decisions++;
    for (int p = 0; p < PLAYERS; p++) {
        recall_t *r = m->last[p];
        if (r->said) m->made[p][r->said % SAID_BUCKETS] = m->decisions;
        memmove(r + 1, r, (RECALLED - 1) * sizeof *r);
        r->said = r->whole = mix_words((u64)((player - p + PLAYERS) % PLAYERS) + 1, (u64)(secret && p != player ? 0 : verb + 1));
    }
}

static void memory_said(memory_t *m, u64 players, u64 type, i64 value) { /* an argument that these players see */
    for (int p = 0; p < PLAYERS; p++)
        if (players >> p & 1) {
            recall_t *r = m->last[p];
            i64 turned = type & PLAYER_TYPE && value >= 0 ? (value - p + PLAYERS) % PLAYERS : value;
            r->said = mix_words(r->said, type << 32 ^ (u64)turned);
            r->whole = mix_words(r->whole, type << 32 ^ (u64)turned);
        }
}

static void memory_cards(memory_t *m, u64 players, u64 cards) { /* its cards, in no order: at once or later */
    for (int p = 0; p < PLAYERS; p++)
        if (players >> p & 1) m->last[p]->whole += mix_words(cards, 0x9E3779B97F4A7C15u);
}

static void memory_met(memory_t *m, u64 players, i64 face) {
    for (int p = 0; p < PLAYERS; p++)
        if (players >> p & 1 && m->met[p][face] < MOST_MET) m->met[p][face]++;
}

static void memory_shuffled(memory_t *m) {
    memset(m->met, 0, sizeof m->met);
    memset(m->made, 0, sizeof m->made);
}
