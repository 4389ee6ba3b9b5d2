/* What a play came to: who has won, what it pays each player, and how the players stand (in Python:
   interpreter.engine.outcome.finished).  The numbers of `result` lie in one array, ENDS of them; AT_SCORE, AT_RETURNS,
   AT_WINNERS (bits of players) and AT_STAKES are places in it, -1 where the rules do not say them.  STANDING is the
   place of the numbers that the players of a long play are compared by, or -1; where the rules only name winners, it is
   after ENDS, and has the numbers by which these are chosen. */

#define RESULT(place) ((place) < 0 ? 0 : (place)) /* an index that is never below 0, where it is never used */

/* Who is best: whom the rules say, else who has the highest returns, else the highest score. */
static u64 best_players(const i64 *result) {
    int at = AT_RETURNS >= 0 ? AT_RETURNS : AT_SCORE;
    i64 top = NONE;
    u64 best = 0;
    if (COOPERATIVE || (PLAYERS == 1 && AT_WINNERS < 0)) return 0;
    if (AT_WINNERS >= 0) return (u64)result[RESULT(AT_WINNERS)];
    if (at < 0) return 0;
    for (int p = 0; p < PLAYERS; p++) if (result[at + p] > top) top = result[at + p];
    for (int p = 0; p < PLAYERS; p++) if (result[at + p] == top) best |= (u64)1 << p;
    return best;
}

/* Who has won: nobody where all are equal. */
static u64 winners_of(const i64 *result) {
    u64 best = best_players(result);
    return PLAYERS > 1 && bit_count(best) == PLAYERS ? 0 : best;
}

/* The payoffs: what the rules say, else a part of the stakes, else the common score, else 1 shared by the winners and -1
   shared by the others. */
static void payoffs(const i64 *result, double *out) {
    u64 best = best_players(result);
    int n = bit_count(best);
    double stakes = 0;
    for (int p = 0; p < PLAYERS && AT_STAKES >= 0; p++) stakes += (double)result[RESULT(AT_STAKES) + p];
    for (int p = 0; p < PLAYERS; p++) {
        int wins = (int)(best >> p & 1);
        if (AT_RETURNS >= 0) out[p] = (double)result[RESULT(AT_RETURNS) + p];
        else if (AT_STAKES >= 0) out[p] = n ? (wins ? stakes / n : 0.0) - (double)result[RESULT(AT_STAKES) + p] : 0;
        else if (COOPERATIVE) out[p] = AT_SCORE >= 0 ? (double)result[RESULT(AT_SCORE) + p] : 0;
        else if (PLAYERS == 1) out[p] = AT_WINNERS < 0 ? 0 : n ? 1.0 : -1.0;
        else out[p] = !n || n == PLAYERS ? 0 : wins ? 1.0 / n : -1.0 / (PLAYERS - n);
    }
}

/* The payoffs of a play; 0 before its end, and where a rule could not be carried out. */
static void worth(const S *s, double *out) {
    for (int p = 0; p < PLAYERS; p++) out[p] = 0;
    if (s->cur == TERMINAL && !s->fault) payoffs(s->result, out);
}

/* The standing of each player: by how much the score is above the mean of the others; or a share of 1 for the highest
   returns, less the mean share. */
static void standings(const S *s, double *out) {
    const i64 *of = s->result + RESULT(STANDING);
    double all = 0;
    i64 top = NONE;
    int n = 0;
    for (int p = 0; p < PLAYERS; p++) {
        out[p] = 0;
        if (STANDING < 0) continue;
        all += (double)of[p];
        if (of[p] > top) top = of[p];
    }
    for (int p = 0; p < PLAYERS && STANDING >= 0; p++) n += of[p] == top;
    for (int p = 0; p < PLAYERS && STANDING >= 0; p++)
        out[p] = STANDING == AT_RETURNS ? (of[p] == top ? 1.0 / n : 0) - 1.0 / PLAYERS
                                        : (double)of[p] - (all - (double)of[p]) / (PLAYERS > 1 ? PLAYERS - 1 : 1);
}
