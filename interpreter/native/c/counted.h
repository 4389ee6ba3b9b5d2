/* Random plays that are counted by the functions of `collecting.h`, which is printed from interpreter.simulate.collecting.
   `game_counted` adds to `totals`, and writes a row for each play: what the play came to, as in a row of `game_playouts`; its
   measures; the decisions of each seat; what each seat won; what it won in a second play of the same deal, NONE where there
   was none. */

#include "collecting.h"

#define NUMBERS (SEATS + LISTS * PLAYERS) /* of a play */
#define KEPT (SEATS - DECISIONS + 3 * PLAYERS) /* of these in a row */
#define ROW (2 + ENDS + KEPT)

EXPORT i64 game_row(void) { return ROW; }

/* Who leads: who would have won if the play ended now; 0 where that is unknown. */
static u64 leaders(const S *s, i64 *play) {
    S t = *s;
    t.steps = 0;
    run(&t, END);
    if (t.fault) return 0;
    if (AT_SCORE >= 0) compare_scores(play, PLAYERS, t.result + RESULT(AT_SCORE));
    return winners_of(t.result);
}

/* Write what each seat has won in a play that is over. */
static void won(S *s, i64 *play, i64 list) {
    u64 best = s->too_long || s->fault ? 0 : winners_of(s->result);
    i64 none[PLAYERS] = {0};
    if (COOPERATIVE) share_score(play, list, PLAYERS, AT_SCORE < 0 ? none : s->result + RESULT(AT_SCORE));
    else share_win(play, list, PLAYERS, (i64)best);
}

/* Play on to the end; note what players do and hold. `last` has for each block, and after these for each node, the number
   of the last play in which it was met. */
static void counted_play(S *s, u64 *actions, i64 *play, i64 *totals, i64 *parts, i64 *last, i64 number, u64 *did, set_t *held) {
    u64 mask[MASK];
    while (legal_in(s, mask)) {
        int player = s->cur, n = 0;
        for (int w = 0; w < MASK; w++) {
            n += bit_count(mask[w]);
            for (u64 left = mask[w]; left; left &= left - 1) totals[64 * w + bit_low(left)]++;
        }
        if (BEGINS[s->pc]) {
            count_decision(play, totals, parts, PLAYERS, player, s->pc, n);
            count_once(last, BLOCKS_N + s->pc, number, totals, parts[BY_NODE] + 4 * s->pc + 3);
            in_hands(s, held);
            if (player != play[LAST]) {
                u64 leading = COOPERATIVE || PLAYERS == 1 ? 0 : leaders(s, play);
                count_turn(play, PLAYERS, player, (i64)leading);
            }
        }
        if (n != 1) play[ALONE] = 0;
        int action = mask_draw(mask, MASK, actions);
        totals[parts[TAKEN] + action]++;
        count_once(last, BLOCK_OF[action], number, totals, parts[BY_BLOCK] + BLOCK_OF[action]);
        did[player * MASK + (action >> 6)] |= (u64)1 << (action & 63);
        carry_out(s, action);
    }
}

/* Add a play to the moments of the small actions that were taken, and of the faces that were held. */
static void weigh_all(i64 *play, i64 *totals, i64 *parts, const u64 *did, const set_t *held) {
    u64 with[FACES] = {0};
    for (int w = 0; w < MASK; w++) {
        u64 any = 0;
        for (int p = 0; p < PLAYERS; p++) any |= did[p * MASK + w];
        for (; any; any &= any - 1) {
            int bit = bit_low(any);
            u64 seats = 0;
            for (int p = 0; p < PLAYERS; p++) seats |= (did[p * MASK + w] >> bit & 1) << p;
            weigh(play, totals, parts[BY_ACTION] + (64 * w + bit) * (PLAYERS + 4), PLAYERS, (i64)seats);
        }
    }
    for (int p = 0; p < PLAYERS; p++)
        for (set_t left = held[p]; !set_empty(left);) with[FACE_OF(set_take(&left))] |= (u64)1 << p;
    for (int f = 0; f < FACES; f++)
        if (with[f]) weigh(play, totals, parts[BY_FACE] + f * (PLAYERS + 4), PLAYERS, (i64)with[f]);
}

/* Play from number `first` on; each play with an odd number is followed by a second one of the same deal, which is all
   that chance draws before the first decision. It stops after a fault, with minus the number of plays. */
EXPORT i64 game_counted(u64 seed, i64 first, i64 count, i64 *totals, i64 *rows) {
    i64 play[NUMBERS], parts[TOTALS + 1], last[BLOCKS_N + NODES];
    S s;
    find_parts(parts, ACTIONS, FACES, NODES, BLOCKS_N, TAGS, PLAYERS);
    for (int k = 0; k < BLOCKS_N + NODES; k++) last[k] = -1;
    for (i64 i = 0; i < count; i++, rows += ROW) {
        u64 did[PLAYERS * MASK] = {0}, number = (u64)(first + i), actions = random_seed(~seed, number);
        set_t held[PLAYERS];
        for (int p = 0; p < PLAYERS; p++) held[p] = set_none();
        begin_play(play, PLAYERS);
        game_begin(&s, seed, number);
        counted_play(&s, &actions, play, totals, parts, last, first + i, did, held);
        u64 best = s.fault || s.too_long ? 0 : winners_of(s.result);
        end_play(play, totals, parts, (i64)best);
        if (AT_SCORE >= 0) compare_winner(play, PLAYERS, (i64)best, s.result + RESULT(AT_SCORE));
        rows[0] = s.fault ? s.fault : s.too_long ? -1 : 0;
        rows[1] = s.actions;
        ends(&s, rows + 2);
        if (s.fault) return -(i + 1);
        won(&s, play, WORTH);
        weigh_all(play, totals, parts, did, held);
        for (int t = 0; t < TAGS; t++) totals[parts[BY_TAG] + t] += s.reached[t >> 6] >> (t & 63) & 1;
        for (int p = 0; p < PLAYERS; p++) play[SEATS + AGAIN * PLAYERS + p] = NONE;
        if (number % 2) {
            game_begin(&s, seed, number);
            s.random = random_seed(seed ^ 0x5851F42D4C957F2Du, number);
            actions = random_seed(~seed ^ 0x5851F42D4C957F2Du, number);
            while (carry_out_any(&s, &actions));
            if (!s.fault) won(&s, play, AGAIN); /* Another number meets the fault. */
        }
        memcpy(rows + 2 + ENDS, play + DECISIONS, KEPT * sizeof *rows);
    }
    return count;
}
