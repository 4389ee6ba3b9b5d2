/* Random plays that are counted. `game_counted` adds to `totals`, and writes a row for each play.

   `totals`, in this order: how often each small action was offered; how often it was taken; the moments of each small
   action that was taken, and of each face that was held in a hand; for each node how many decisions began there, how many
   of them were forced, how many small actions were legal at their beginnings, and in how many plays one began; in how many
   plays a small action of each block was taken; in how many plays each tag was reached.

   The moments of a thing are, over the plays, with n the number of seats that had it in a play and x what these won
   together: for each seat in how many plays it had the thing; the sums of x, of x * x, of x * n, of n * n.

   A row is: the fault, or -1 where the play was too long; its small actions; what `result` says; whole decisions; forced
   ones; legal small actions at their beginnings; turns; rounds; the longest wait; lead changes; when the winners led for
   good, in percent of the turns; the winner's greatest distance behind, or -1; the decisions of each seat; what each seat
   won; what it won in a second play of the same deal, NONE where there was none. */

#define UNIT 720720 /* a win, which several can share */
#define MOST_WORTH ((i64)1 << 25)
#define MOMENTS (PLAYERS + 4)
#define MEASURES (9 + 3 * PLAYERS)

/* What each seat has won: a share of UNIT, equal for all where nobody has; in a co-operative game the score. */
static void won(const S *s, const i64 *end, i64 *out) {
    u64 best = s->too_long || s->fault ? 0 : winners_of(end);
    int n = bit_count(best);
    for (int p = 0; p < PLAYERS; p++) {
        if (COOPERATIVE) {
            i64 score = AT_SCORE < 0 ? 0 : end[AT_SCORE + p];
            out[p] = score > MOST_WORTH ? MOST_WORTH : score < -MOST_WORTH ? -MOST_WORTH : score;
        } else if (PLAYERS == 1) out[p] = n ? UNIT : 0;
        else out[p] = n ? (best >> p & 1 ? UNIT / n : 0) : UNIT / PLAYERS;
    }
}

static void weigh(i64 *at, u64 seats, const i64 *worth) { /* add one play to the moments of a thing */
    i64 n = 0, x = 0;
    for (int p = 0; p < PLAYERS; p++) if (seats >> p & 1) { at[p]++; n++; x += worth[p]; }
    at += PLAYERS;
    at[0] += x; at[1] += x * x; at[2] += x * n; at[3] += n * n;
}

/* Who leads: who would have won if the play ended now; 0 where that cannot be told. */
static u64 leaders(const S *s, i64 *behind) {
    S t = *s;
    i64 end[ENDS + 1];
    t.steps = 0;
    run(&t, END);
    if (t.fault) return 0;
    ends(&t, end);
    if (AT_SCORE >= 0) {
        i64 top = end[AT_SCORE], low = top;
        for (int p = 1; p < PLAYERS; p++) { top = most(top, end[AT_SCORE + p]); low = least(low, end[AT_SCORE + p]); }
        for (int p = 0; p < PLAYERS; p++) {
            behind[p] = most(behind[p], top - end[AT_SCORE + p]);
            behind[PLAYERS + p] = most(behind[PLAYERS + p], end[AT_SCORE + p] - low);
        }
    }
    return winners_of(end);
}

/* A play from its first decision to its end, without counting. */
static void play_on(S *s, u64 *actions) {
    u64 mask[MASK];
    while (legal_in(s, mask)) carry_out(s, mask_draw(mask, actions));
}

/* How far behind the winner was, from above where the highest score wins, from below where the lowest does. */
static i64 lowest(u64 best, const i64 *end, const i64 *behind) {
    if (AT_SCORE < 0 || bit_count(best) != 1) return -1;
    int winner = bit_low(best), above = 0, below = 0;
    for (int p = 0; p < PLAYERS; p++) {
        above += end[AT_SCORE + p] > end[AT_SCORE + winner];
        below += end[AT_SCORE + p] < end[AT_SCORE + winner];
    }
    return !above ? behind[winner] : !below ? behind[PLAYERS + winner] : -1;
}

EXPORT i64 game_totals(void) { return ACTIONS * (2 + MOMENTS) + FACES * MOMENTS + 4 * NODES + BLOCKS + TAGS; }
EXPORT i64 game_row(void) { return 2 + ENDS + MEASURES; }

/* Play from number `first` on; each play with an odd number is followed by a second one of the same deal, which is all
   that chance draws before the first decision. It stops behind a fault, with minus the number of plays. */
EXPORT i64 game_counted(u64 seed, i64 first, i64 count, i64 *totals, i64 *rows) {
    i64 *offered = totals, *taken = offered + ACTIONS, *by_action = taken + ACTIONS;
    i64 *by_face = by_action + ACTIONS * MOMENTS, *by_node = by_face + FACES * MOMENTS, *by_block = by_node + 4 * NODES;
    i64 *by_tag = by_block + BLOCKS;
    u64 did[PLAYERS * MASK], mask[MASK];
    i64 end[ENDS + 1], met[NODES], used[BLOCKS + 1]; /* the last play that had a decision, or a block */
    S s;
    for (int k = 0; k < NODES; k++) met[k] = -1;
    for (int k = 0; k < BLOCKS; k++) used[k] = -1;
    for (i64 i = 0; i < count; i++, rows += 2 + ENDS + MEASURES) {
        set_t held[PLAYERS], held_now[PLAYERS];
        i64 behind[2 * PLAYERS], own[PLAYERS], waited[PLAYERS];
        i64 decisions = 0, forced = 0, legal = 0, turns = 0, rounds = 0, wait = 0, changes = 0, since = 0;
        u64 round = 0, leading = 0, leader = 0;
        int last = -1, begun_at = 0, alone = 0;
        memset(did, 0, sizeof did);
        for (int p = 0; p < PLAYERS; p++) { held[p] = set_none(); behind[p] = behind[PLAYERS + p] = own[p] = waited[p] = 0; }
        game_begin(&s, seed, (u64)(first + i));
        u64 actions = random_seed(~seed, (u64)(first + i));
        while (legal_in(&s, mask)) {
            int player = s.cur, node = s.pc, n = 0;
            for (int w = 0; w < MASK; w++) {
                n += bit_count(mask[w]);
                for (u64 left = mask[w]; left; left &= left - 1) offered[64 * w + bit_low(left)]++;
            }
            if (BEGINS[node]) {
                if (alone) { forced++; by_node[4 * begun_at + 1]++; }
                begun_at = node; alone = 1;
                decisions++; legal += n; own[player]++;
                by_node[4 * node]++; by_node[4 * node + 2] += n;
                if (met[node] != first + i) { met[node] = first + i; by_node[4 * node + 3]++; }
                for (int p = 0; p < PLAYERS; p++) waited[p] = p == player ? 0 : waited[p] + 1;
                for (int p = 0; p < PLAYERS; p++) wait = most(wait, waited[p]);
                for (int p = 0; p < PLAYERS; p++) held_now[p] = set_none();
                in_hands(&s, held_now);
                for (int p = 0; p < PLAYERS; p++) held[p] = set_or(held[p], held_now[p]);
                if (player != last) {
                    last = player;
                    round |= (u64)1 << player;
                    if (bit_count(round) == PLAYERS) { rounds++; round = 0; }
                    if (!COOPERATIVE && PLAYERS > 1) {
                        u64 now = leaders(&s, behind);
                        if (now != leading) { leading = now; since = turns; }
                        if (bit_count(now) == 1) { changes += leader && leader != now; leader = now; }
                    }
                    turns++;
                }
            }
            alone &= n == 1;
            int action = mask_draw(mask, &actions);
            taken[action]++;
            if (used[BLOCK[action]] != first + i) { used[BLOCK[action]] = first + i; by_block[BLOCK[action]]++; }
            did[player * MASK + (action >> 6)] |= (u64)1 << (action & 63);
            carry_out(&s, action);
        }
        if (alone && decisions) { forced++; by_node[4 * begun_at + 1]++; }
        ends(&s, end);
        i64 *at = rows;
        *at++ = s.fault ? s.fault : s.too_long ? -1 : 0;
        *at++ = s.decisions;
        for (int k = 0; k < ENDS; k++) *at++ = end[k];
        u64 best = s.fault || s.too_long ? 0 : winners_of(end);
        *at++ = decisions; *at++ = forced; *at++ = legal; *at++ = turns; *at++ = rounds; *at++ = wait; *at++ = changes;
        *at++ = !turns ? 0 : best == leading ? 100 * since / turns : 100;
        *at++ = lowest(best, end, behind);
        i64 *worth = at + PLAYERS;
        for (int p = 0; p < PLAYERS; p++) *at++ = own[p];
        won(&s, end, worth);
        at += PLAYERS;
        for (int p = 0; p < PLAYERS; p++) at[p] = NONE;
        if (s.fault) return -(i + 1);
        for (int w = 0; w < MASK; w++) {
            u64 any = 0;
            for (int p = 0; p < PLAYERS; p++) any |= did[p * MASK + w];
            for (; any; any &= any - 1) {
                int bit = bit_low(any);
                u64 seats = 0;
                for (int p = 0; p < PLAYERS; p++) seats |= (did[p * MASK + w] >> bit & 1) << p;
                weigh(by_action + (64 * w + bit) * MOMENTS, seats, worth);
            }
        }
        u64 with[FACES > 0 ? FACES : 1];
        memset(with, 0, sizeof with);
        for (int p = 0; p < PLAYERS; p++)
            for (set_t left = held[p]; !set_empty(left);) with[FACE_OF(set_take(&left))] |= (u64)1 << p;
        for (int f = 0; f < FACES; f++) if (with[f]) weigh(by_face + f * MOMENTS, with[f], worth);
        for (int t = 0; t < TAGS; t++) by_tag[t] += s.reached[t >> 6] >> (t & 63) & 1;
        if ((first + i) % 2) {
            game_begin(&s, seed, (u64)(first + i));
            s.random = random_seed(seed ^ 0x5851F42D4C957F2Du, (u64)(first + i));
            actions = random_seed(~seed ^ 0x5851F42D4C957F2Du, (u64)(first + i));
            play_on(&s, &actions);
            if (s.fault) continue; /* The play that has the number is whole; another number meets the fault. */
            ends(&s, end);
            won(&s, end, at);
        }
    }
    return count;
}
