"""The collector of the statistics of a play, in a subset of Python that is translated to C.

Two loops call these functions: `interpreter.simulate.recording` in Python, for players who think or without a compiler,
and `interpreter/native/c/counted.h` in C, for which `interpreter.simulate.printing` translates them.  All data is whole
numbers in lists of fixed lengths.  A fold in Python over records from C would be simpler, but takes four times as long
as playing and counting in C.

The *totals* of plays are, in this order:

- for each small action how often it was offered, and how often it was taken
- the moments of each small action that was taken, and of each face in a hand
- for each node the decisions that began there, the forced ones among them, the legal small actions at their beginnings,
  and the plays in which one began
- for each block the plays in which one of its small actions was taken
- for each tag the plays that reached it

The *moments* of a feature are sums over the plays, with n the number of seats that had it in a play, and x the sum of
their winnings: for each seat the plays in which it had the feature; the sums of x, x * x, x * n and n * n.
"""

from __future__ import annotations

Numbers = list[int]

UNIT = 720_720
"""A win, which up to 16 can share equally in whole numbers."""

MOST_WORTH = 33_554_432
"""The greatest score, above 0 and below, that counts as more than a smaller one."""

OFFERED, TAKEN, BY_ACTION, BY_FACE, BY_NODE, BY_BLOCK, BY_TAG, TOTALS = range(8)
"""The parts of the totals, and their end: places in a list of where they begin."""

LAST, SEEN, LEADING, LEADER, SINCE, ALONE, NODE = range(7)
"""Places in the numbers of a play: who had the last turn, who had one in this round, who leads, who led alone last,
since which turn, whether the whole decision has had no alternative yet, and its node."""

DECISIONS, FORCED, LEGAL, TURNS, ROUNDS, WAIT, CHANGES, SETTLED, DEFICIT, LED, MOVED, MOVES, SEATS = range(7, 20)
"""The measures of a play: whole decisions; forced ones; legal small actions at their beginnings; turns; rounds; the
longest wait; lead changes; when the winners led for good, in percent of the turns; the winner's greatest distance from
the best score, or -1; turns but the first at which one player led; those of them at which it was the player of the turn
before; those at which it was the player of the turn.  Then come lists with a number for each seat."""

OWN, WORTH, AGAIN, WAITED, ABOVE, BELOW, LISTS = range(7)
"""The lists: decisions; what was won; what was won in a second play of the same deal; decisions since the last one; the
greatest distance below the highest score, and above the lowest."""


def find_parts(parts: Numbers, actions: int, faces: int, nodes: int, blocks: int, tags: int, players: int) -> None:
    """Write where the parts of the totals begin."""
    parts[OFFERED] = 0
    parts[TAKEN] = actions
    parts[BY_ACTION] = 2 * actions
    parts[BY_FACE] = parts[BY_ACTION] + actions * (players + 4)
    parts[BY_NODE] = parts[BY_FACE] + faces * (players + 4)
    parts[BY_BLOCK] = parts[BY_NODE] + 4 * nodes
    parts[BY_TAG] = parts[BY_BLOCK] + blocks
    parts[TOTALS] = parts[BY_TAG] + tags


def begin_play(play: Numbers, players: int) -> None:
    """Clear the numbers of a play."""
    for place in range(SEATS + LISTS * players):
        play[place] = 0
    play[LAST] = -1


def count_once(last: Numbers, place: int, number: int, totals: Numbers, total: int) -> None:
    """Count a play, given its number, in a total unless `last` has that number at a place already."""
    if last[place] != number:
        last[place] = number
        totals[total] += 1


def end_decision(play: Numbers, totals: Numbers, parts: Numbers) -> None:
    """Count a whole decision as forced if none of its small actions had an alternative."""
    if play[ALONE]:
        play[FORCED] += 1
        totals[parts[BY_NODE] + 4 * play[NODE] + 1] += 1


def count_decision(
    play: Numbers, totals: Numbers, parts: Numbers, players: int, player: int, node: int, legal: int
) -> None:
    """Count the beginning of a whole decision."""
    end_decision(play, totals, parts)
    play[NODE] = node
    play[ALONE] = 1
    play[DECISIONS] += 1
    play[LEGAL] += legal
    play[SEATS + player] += 1
    totals[parts[BY_NODE] + 4 * node] += 1
    totals[parts[BY_NODE] + 4 * node + 2] += legal
    for p in range(players):
        place = SEATS + WAITED * players + p
        play[place] = 0 if p == player else play[place] + 1
        play[WAIT] = max(play[WAIT], play[place])


def note_leader(play: Numbers, leaders: int) -> None:
    """Count a lead change if another player than before leads alone; the leaders are given as bits."""
    if bit_count(leaders) == 1:
        if play[LEADER] != 0 and play[LEADER] != leaders:
            play[CHANGES] += 1
        play[LEADER] = leaders


def count_turn(play: Numbers, players: int, player: int, leaders: int) -> None:
    """Count a turn; `leaders` are the bits of those who would win if the play ended now, 0 where that is unknown."""
    if play[LAST] != -1 and bit_count(leaders) == 1:
        play[LED] += 1
        if leaders >> play[LAST] & 1:
            play[MOVED] += 1
        if leaders >> player & 1:
            play[MOVES] += 1
    play[LAST] = player
    play[SEEN] |= 1 << player
    if play[SEEN] == (1 << players) - 1:
        play[ROUNDS] += 1
        play[SEEN] = 0
    if leaders != play[LEADING]:
        play[LEADING] = leaders
        play[SINCE] = play[TURNS]
    note_leader(play, leaders)
    play[TURNS] += 1


def compare_scores(play: Numbers, players: int, scores: Numbers) -> None:
    """Note how far each player is from the highest and the lowest score."""
    top = scores[0]
    low = scores[0]
    for p in range(players):
        top = max(top, scores[p])
        low = min(low, scores[p])
    for p in range(players):
        above = SEATS + ABOVE * players + p
        below = SEATS + BELOW * players + p
        play[above] = max(play[above], top - scores[p])
        play[below] = max(play[below], scores[p] - low)


def end_play(play: Numbers, totals: Numbers, parts: Numbers, winners: int) -> None:
    """Count the end of a play that some players have won, who are given as bits: a single winner leads at last."""
    end_decision(play, totals, parts)
    note_leader(play, winners)
    if play[TURNS] > 0:
        play[SETTLED] = 100 * play[SINCE] // play[TURNS] if winners == play[LEADING] else 100
    play[DEFICIT] = -1


def compare_winner(play: Numbers, players: int, winners: int, scores: Numbers) -> None:
    """Note how far a single winner was from the best score at most, on the side on which the score won."""
    if bit_count(winners) != 1:
        return
    winner = 0
    while not winners >> winner & 1:
        winner += 1
    above = 0
    below = 0
    for p in range(players):
        if scores[p] > scores[winner]:
            above += 1
        if scores[p] < scores[winner]:
            below += 1
    if above == 0:
        play[DEFICIT] = play[SEATS + ABOVE * players + winner]
    elif below == 0:
        play[DEFICIT] = play[SEATS + BELOW * players + winner]


def share_win(play: Numbers, which: int, players: int, winners: int) -> None:
    """Write what each seat won into a list: a share of UNIT, equal for all where nobody has won."""
    count = bit_count(winners)
    for p in range(players):
        share = 0
        if count > 0:
            share = UNIT // count if winners >> p & 1 else 0
        elif players > 1:
            share = UNIT // players
        play[SEATS + which * players + p] = share


def share_score(play: Numbers, which: int, players: int, scores: Numbers) -> None:
    """Write what each seat won into a list: the score of co-operation."""
    for p in range(players):
        play[SEATS + which * players + p] = max(-MOST_WORTH, min(MOST_WORTH, scores[p]))


def weigh(play: Numbers, totals: Numbers, moments: int, players: int, seats: int) -> None:
    """Add a play to the moments of a thing that some seats had; these begin at a place of the totals."""
    n = 0
    x = 0
    for p in range(players):
        if seats >> p & 1:
            totals[moments + p] += 1
            n += 1
            x += play[SEATS + WORTH * players + p]
    moments += players
    totals[moments] += x
    totals[moments + 1] += x * x
    totals[moments + 2] += x * n
    totals[moments + 3] += n * n


def bit_count(bits: int) -> int:
    """Return how many bits are 1."""
    return bits.bit_count()
