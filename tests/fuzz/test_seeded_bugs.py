"""Twelve mistakes of rules as people make them: what `fuzz` says names the rule, its line, the table and the cure."""

from __future__ import annotations

from pathlib import Path

import attrs
import pytest
from click.testing import CliRunner

from cli.main import main
from tests.fuzz.broken import BROKEN, HEAD, PEEK_BY_FLOW, TAIL


@attrs.frozen
class Bug:
    """A spec with a mistake: the line that is to blame, words of the table, and what else must be said."""

    text: str
    line: str
    table: str
    said: tuple[str, ...]


def spec(body: str, tail: str = TAIL) -> str:
    return HEAD + body + tail


LOST = Bug(spec("""play
    shuffle stock
    deal 4 from stock to table
    for n in 1..3: tidy

phase tidy
    player 1 chooses
        clear
            move top of stock to tiny
        pass

invariant "all cards are in play": count(table) + count(stock) == 6
"""), 'invariant "all cards are in play"', "tiny: ",
           ("“all cards are in play” does not hold", "correct the rule that breaks it", "player 1: clear"))  # fmt: skip

SEAT = Bug(BROKEN["nothing to do"].text, "p chooses", "hand[player 2]: M1 M3",
           ("no action is possible here",
            "lay: of the 2 cards in hand[player 2] none is such that its suit is sun (`c.suit == sun`)",
            "otherwise pass"))  # fmt: skip

NO_PROGRESS = Bug(BROKEN["a play longer than its bound"].text, "", "points[player 1] = 0",
                  ("then repeated 40 times:", "player 1: wait", "changes in one repetition: none",
                   "let each round use something up"))  # fmt: skip

COUNT = Bug(BROKEN["a variable out of its range"].text, "points[p] += 1", "points[player 1] = 3",
            ("4 is outside of 0..3", "widen the range of the variable"))  # fmt: skip

LEAK = Bug(PEEK_BY_FLOW.text, "if some c in hand[player 2]", "hand[player 2]: ",
           ("hand[player 2]", "by a variable that all see"))  # fmt: skip

LATER_LEAK = Bug(spec("""play
    shuffle stock
    for p in players: deal 2 from stock to hand[p]
    player 2 chooses
        lay card c from hand[player 2]
            move c to table face down
    if some c in table where c.rank == 3: ask(player 1)
    else: ask(player 2)

phase ask(p: player)
    p chooses
        pass
"""), "", "player 2: lay ", ("hidden information to player 1", "the table at this point"))  # fmt: skip

UNREACHABLE_END = Bug(spec("""play
    shuffle stock
    repeat one_turn until points[player 1] == 3

phase one_turn
    for p in players: ask(p)

phase ask(p: player)
    p chooses
        score
            points[p] = min(2, points[p] + 1)
        pass
"""), "", "points[player 1] = ", ("the play is not over after 40 decisions", "changes in one repetition: none",
                                 "end the play in another way too"))  # fmt: skip

WRONG_WINNER = Bug(spec("""play
    for n in 1..2, p in players: ask(p)

phase ask(p: player)
    p chooses
        score
            points[p] += 1
            ahead = p
        pass

state
    ahead: player = player 1

invariant "who is ahead has the most":
    every p in players has points[p] <= points[ahead]
""", """
result
    winners = ahead
"""), 'invariant "who is ahead has the most"', "points[player 1] = 2",
    ("player 2: score", "correct the rule that breaks it in the last step above"))  # fmt: skip

TO_AND_FRO = Bug(spec("""play
    deal 1 from stock to hand[player 1]
    for p in players: give(p)
    repeat one_round until count(table) == 1

phase one_round
    for p in players: give(p)

phase give(p: player)
    p chooses
        give card c from hand[p]
            move c to hand[next(p)]
        keep
            points[p] = 0
"""), "", "hand[player 1]: S1",
    ("then repeated 20 times:", "changes in one repetition: none", "at most N decisions"))  # fmt: skip

DIVISION = Bug(spec("""play
    for n in 1..3: ask

phase ask
    player 1 chooses
        share
            points[player 1] = 3 / (2 - points[player 1]) rounded down
        more
            points[player 1] = 2
"""), "points[player 1] = 3 / (2 - points[player 1])", "points[player 1] = 2",
    ("a division by zero", "test first whether the divisor is 0", "player 1: more"))  # fmt: skip

NOTHING = Bug(spec("""play
    shuffle stock
    deal 1 from stock to hand[player 1]
    for n in 1..2: ask

phase ask
    player 1 chooses
        lay card c from hand[player 1]
            move c to table
        raise n from 1..3 where n > points[player 1] only if points[player 2] > 0 and points[player 1] == 0
            points[player 1] = n
"""), "player 1 chooses", "hand[player 1]: -",
    ("lay: there is no card in hand[player 1]", "raise: only if player 2's number of points is more than 0",
     "otherwise pass"))  # fmt: skip

NEVER = Bug(spec("""play
    player 1 chooses
        go [A1]
        stay only if points[player 1] > 1 [A2]
"""), "", "",
    ("A2 not executed", "stay only if points[player 1] > 1 [A2]", "1 of 2 covered"))  # fmt: skip

FIVE = Bug(spec("""play
    shuffle stock
    for p in players: deal exactly 1 from stock to hand[p]
    player 1 chooses
        take
            deal exactly 2 from stock to table
            if count(players) == 5: deal exactly 2 from stock to table [F1]
        pass
""").replace("players 2", "players 2..6").replace("rank: 1..3", "rank: 1..4"),
    "if count(players) == 5: deal exactly 2", "hand[player 5]: ",
    ("stock has 1 card, not 2", "5 players; play 2", "write `deal` where fewer cards will do",
     "F1"))  # fmt: skip

BUGS = {
    "a card lost": LOST,
    "a deadlock for one seat": SEAT,
    "a loop without progress": NO_PROGRESS,
    "a wrong count": COUNT,
    "a leak": LEAK,
    "a leak after a secret decision": LATER_LEAK,
    "an unreachable end": UNREACHABLE_END,
    "a wrong winner": WRONG_WINNER,
    "two players to and fro": TO_AND_FRO,
    "a division": DIVISION,
    "a choice of nothing": NOTHING,
    "a rule never reached": NEVER,
    "a fault that only five players have": FIVE,
}


def outcome_of(folder: Path, text: str, *words: str) -> tuple[int, str]:
    path = folder / "seeded.cardgame"
    path.write_text(text)
    result = CliRunner().invoke(main, ["fuzz", str(path), "--plays", "60", *words])
    assert "Traceback" not in result.output
    return result.exit_code, result.output


@pytest.mark.parametrize("bug", BUGS.values(), ids=BUGS.keys())
def test_what_is_said_of_a_mistake_names_rule_table_and_cure(tmp_path: Path, bug: Bug) -> None:
    code, output = outcome_of(tmp_path, bug.text)
    print(output)
    assert code == (0 if bug is NEVER else 3)
    if bug.line:
        number = next(n for n, line in enumerate(bug.text.splitlines(), 1) if bug.line in line)
        assert f"seeded.cardgame:{number}:" in output
    for words in (bug.table, *bug.said):
        assert words in output
