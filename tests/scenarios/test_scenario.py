"""Scenarios: what they put in place, what they refuse, what they report."""

from __future__ import annotations

from pathlib import Path

import pytest

from grammar.diagnostics import SpecError
from grammar.source import Source
from interpreter import load_text
from interpreter.loader import SpecNotFoundError, bundled_games, find_spec
from interpreter.scenarios import scenario_run
from interpreter.scenarios.scenario import Result, run_source, scenario_files
from interpreter.text.reading import read
from interpreter.text.sentences import sentences

GAME = """cardgame 1
game "Dice and discards"
    players 2
    at most 50 decisions
option high = false
enum Suit: red "R", blue "B"
card Plain(suit: Suit, rank: 1..4) written "{suit}{rank}"
deck in stock
    2 of each Plain
zones
    stock:        pile, seen by nobody
    hand[player]: cards, seen by owner
    table:        row, seen by all
state
    turns: 0..9 = 0
    bid[player]: 0..6 = 0
play
    shuffle stock
    for p in players: deal 3 from stock to hand[p]
    repeat one_turn until turns == 4
phase one_turn
    state
        rolled: 1..6 = 1
    let p = if turns mod 2 == 0 then player 1 else player 2
    random die from 1..6
    rolled = die
    p chooses
        play card c from hand[p] where c.rank <= rolled [R1]
            move c to table
        pass
    p chooses
        bid n from 0..6 only if not high: bid[p] = n
        raise n from 3..6 only if high: bid[p] = n
    turns += 1
result
    score p = bid[p]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with the game of these tests in it."""
    (tmp_path / "dice.cardgame").write_text(GAME)
    return tmp_path


def run(folder: Path, body: str) -> list[Result]:
    """Run one scenario with the given lines."""
    text = 'scenarios 1 of "dice.cardgame"\n\nscenario "it"\n'
    text += "".join(f"    {line}\n" for line in body.strip().splitlines())
    return run_source(Source("it.scenarios", text), folder)


def failure(folder: Path, body: str) -> str:
    """Return what one failing scenario reports."""
    (result,) = run(folder, body)
    assert result.failure is not None
    return result.failure.message


def mistakes(folder: Path, body: str) -> list[str]:
    """Return what is wrong with a scenario itself, and its cures."""
    (result,) = run(folder, body)
    assert not result.passed
    assert result.failure is None
    return [f"{d.message} {d.help}" for d in result.diagnostics]


def test_cards_that_are_not_placed_lie_in_the_stock(folder: Path) -> None:
    body = """
start one_turn
given hand[player 1] holds "R1 B4"
given hand[player 2] holds 3 cards
given top of stock holds "R4 R3"
given random 2
expect count(stock) == 11
expect top of stock is Plain(red, 4)
expect top of stock holds "R4 R3"
expect count(hand[player 2]) == 3
player 1 can only play "R1", pass
"""
    assert run(folder, body)[0].passed


def table(folder: Path, name: str, seed: int) -> str:
    """Return the table of a scenario that fails at once."""
    text = (
        f'scenarios 1 of "dice.cardgame"\nscenario "{name}"\n    start one_turn\n    expect top of stock holds "R1"\n'
    )
    for number in range(seed, seed + 9):
        (result,) = run_source(Source("it.scenarios", text), folder, seed=number)
        if result.failure is not None:
            return result.failure.table
    raise AssertionError


def test_the_order_of_the_rest_depends_on_the_seed_alone(folder: Path) -> None:
    assert table(folder, "one", 1) == table(folder, "a longer name", 1)
    assert table(folder, "one", 1) != table(folder, "one", 20)


def test_given_dice_fall_in_their_order(folder: Path) -> None:
    body = """
start one_turn
given hand[player 1] holds "R3"
given hand[player 2] holds "B2"
given random 2, 5
player 1 cannot play "R3"
player 1 does pass
player 1 does bid 4
player 2 does play "B2"
expect bid[player 1] == 4
"""
    assert run(folder, body)[0].passed


def test_variables_of_a_phase_are_given_when_it_begins(folder: Path) -> None:
    body = """
start one_turn
given turns = 3
given bid[player 1] = 5
given hand[player 2] holds "B2"
player 2 does pass
player 2 does bid 2
expect game over
expect score of player 1 == 5
expect returns of player 1 > 0
expect winners player 1
"""
    assert run(folder, body)[0].passed


def test_expectations_may_use_definitions_with_tags(tmp_path: Path) -> None:
    worth = "define worth(c: card) =\n    match c\n        case Plain(red, _): 9   [R2]\n        otherwise: c.rank\n"
    game = GAME.replace("play\n", f"{worth}play\n", 1).replace("where c.rank <= rolled", "where worth(c) <= rolled")
    (tmp_path / "dice.cardgame").write_text(game)
    body = 'start one_turn\ngiven hand[player 1] holds "R1 R2 B3"\nexpect sum(worth(c) for c in hand[player 1]) == 21'
    (result,) = run(tmp_path, body)
    assert result.failure is None


def test_a_play_from_the_beginning_deals_by_itself(folder: Path) -> None:
    assert run(folder, "expect count(hand[player 1]) == 3\nplayer 1 can pass")[0].passed


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('start one_turn\ngiven hand[player 1] holds "R4"\ngiven random 1\nplayer 1 does play "R4"', "is refused"),
        ("player 2 does pass", "player 1 is to act, not player 2"),
        ("player 1 cannot pass", "`pass` is legal"),
        ("given random 6\nplayer 1 can only pass", "legal too"),
        ("player 1 can only pass, pass", "`pass` is named twice"),
        ("expect not game over\nrepeat 4 times\n    player 1 does pass", "`pass` is refused"),
        ("expect turns == 0 and count(stock) == 9 and turns > 0", "`count(stock) == 9` does not hold: 10 == 9"),
        ('expect said "nobody"', "the messages since the last action: none"),
        ("expect turns == 3", "0 == 3"),
        ("expect game over", "the game is not over"),
        ("expect score of player 1 == 1", "not over"),
        ('expect table holds "R1"', "table holds nothing"),
        ("expect player 2 to act", "player 1 is to act"),
    ],
)
def test_a_scenario_that_fails_says_what_is_there_instead(folder: Path, body: str, message: str) -> None:
    assert message in failure(folder, body)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("player 1 does bed 3", "did you mean `bid`"),
        ('player 1 does play "X9"', "no card is called `X9`"),
        ("given turns = 2\nexpect turns == 2", "write `start PHASE`"),
        ("start nowhere\nexpect turns == 0", "one can start at one_turn"),
        ('start one_turn\ngiven hand[player 1] holds "R1 R1 R1"\nplayer 1 does pass', "lie somewhere already"),
        ("start one_turn\ngiven hand[player 1] holds 30 cards\nplayer 1 does pass", "holds at most 16 cards"),
        ("start one_turn\ngiven stock = 2\nplayer 1 does pass", "only a variable"),
        ("option high = maybe\nplayer 1 does pass", "true or false"),
        ("option hihg = true\nplayer 1 does pass", "did you mean `high`"),
        ('expect top of stock holds ""', "it always holds"),
        ('expect "" shown to player 1', "it always holds"),
        ("given random 2", "has no action and no expectation"),
        ('setup "nowhere"\nplayer 1 does pass', "no set-up of this file is called"),
        ('player 1 cannot play "R1" 3', "no player can ever do `play R1 3`: `3` is too much"),
        ("player 1 cannot bid red", "`red` is no number"),
        ("player 1 cannot bid", "say which number"),
        ("start one_turn\ngiven stock holds 5 cards\nplayer 1 does pass", "11 cards more would lie in stock"),
        ('start one_turn\ngiven stock holds "R1"\nplayer 1 does pass', "as in `given table holds the rest`"),
        ("expect trums == 3", "nothing here is called `trums`"),
        ("expect turns", "expected a condition"),
        ("players 5\nplayer 1 does pass", "for 2 players"),
    ],
)
def test_mistakes_in_a_scenario_are_diagnostics(folder: Path, body: str, message: str) -> None:
    told = mistakes(folder, body)
    assert any(message in text for text in told), told


def test_a_scenario_that_repeats_too_much_is_stopped(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scenario_run, "STEP_LIMIT", 50)
    (told,) = mistakes(folder, "repeat 30000 times\n    expect turns == 0")
    assert "takes at most 50 steps" in told


LOOP = GAME.replace(
    "    repeat one_turn until turns == 4\n",
    """    for k in 3..5, p in players: lay(k, p)
phase lay(k: 1..9, p: player)
    p chooses
        play card c from hand[p]
            move c to table
        pass
    turns += 1
""",
)


def test_a_loop_can_be_entered_in_its_middle(folder: Path) -> None:
    (folder / "dice.cardgame").write_text(LOOP[: LOOP.index("phase one_turn")] + LOOP[LOOP.index("result") :])
    whole = "player 1 does pass\nplayer 2 does pass\n"
    assert run(folder, "start lay\n" + 3 * whole + "expect game over")[0].passed
    assert run(folder, "start lay(4, player 2)\nplayer 2 does pass\n" + whole + "expect game over")[0].passed
    assert run(folder, "start lay(5, player 2)\nplayer 2 does pass\nexpect game over")[0].passed


ROUNDS = GAME.replace(
    "    repeat one_turn until turns == 4\n", "    for round in 2..5 where round != 3, p in players: lay(p)\n"
)


def test_the_round_of_a_loop_is_given_by_the_name_of_what_it_goes_through(folder: Path) -> None:
    head, _, tail = ROUNDS.partition("phase one_turn")
    lay = "phase lay(p: player)\n    p chooses\n        play card c from hand[p]\n            move c to table\n"
    lay += "        pass\n    turns += 1\n"
    (folder / "dice.cardgame").write_text(head + lay + tail[tail.index("result") :])
    both = "player 1 does pass\nplayer 2 does pass\n"
    assert run(folder, "start lay\n" + 3 * both + "expect game over")[0].passed
    assert run(folder, "start lay\ngiven round = 5\n" + both + "expect game over")[0].passed
    assert run(folder, "start lay(player 2)\ngiven round = 4\nplayer 2 does pass\n" + both + "expect game over")[
        0
    ].passed
    late = "start lay\ngiven round = 4\ngiven p = player 2\nplayer 2 does pass\n" + both + "expect game over"
    assert run(folder, late)[0].passed
    assert "must be a number in 2..5" in mistakes(folder, "start lay\ngiven round = 6\nexpect player 1 to act")[0]
    assert (
        "the loop never reaches this `round`" in mistakes(folder, "start lay\ngiven round = 3\nexpect not game over")[0]
    )
    assert "`rond`" in mistakes(folder, "start lay\ngiven rond = 3\nexpect player 1 to act")[0]


# ---- what may be relied on when a scenario passes


def test_the_deck_s_zone_holds_just_the_cards_that_are_given(folder: Path) -> None:
    body = """
start one_turn
given stock holds 5 cards
given top of stock holds "R4 R3"
given table holds the rest
expect count(stock) == 5 and count(table) == 11
expect top of stock holds "R4 R3"
"""
    assert run(folder, body)[0].passed


def test_an_unused_answer_fails(folder: Path) -> None:
    body = "start one_turn\ngiven random 2, 5, 4\nplayer 1 does pass\nplayer 1 does bid 1"
    assert failure(folder, body) == "no chance event has used `4`"


def test_that_nothing_random_happens_can_be_expected(folder: Path) -> None:
    body = "given random 2\nplayer 1 does pass\ngiven no random\nplayer 1 does bid 1\n{}expect turns == 1"
    assert "something random happens all the same: die from 1..6" in failure(folder, body.format(""))
    assert run(folder, body.format("given random 5\n"))[0].passed


def test_how_many_cards_lie_in_shuffled_piles_is_known(folder: Path) -> None:
    body = "expect count(stock + hand[player 1]) == 13\nexpect stock + table is not empty"
    assert run(folder, body)[0].passed


def test_a_set_up_is_shared_and_what_the_scenario_says_itself_counts(folder: Path) -> None:
    text = """scenarios 1 of "dice.cardgame"

setup "short hands"
    option high = true
    start one_turn
    given turns = 3
    given hand[player 1] holds "R1"
    given hand[player 2] holds "B1"

scenario "as it is"
    setup "short hands"
    expect hand[player 2] holds "B1" and turns == 3

scenario "as it is"
    setup "short hands"
    expect hand[player 2] holds "B1"
    expect turns == 3
    player 2 does pass
    player 2 can raise 3

scenario "other cards, other turn"
    setup "short hands"
    option high = false
    given turns = 0
    given hand[player 2] holds "B2"
    expect hand[player 1] holds "R1"
    expect hand[player 2] holds "B2"
    player 1 does pass
    player 1 can bid 0
"""
    broken, *sound = run_source(Source("it.scenarios", text), folder)
    assert [d.code for d in broken.diagnostics] == ["CG101"]
    assert [result.failure for result in sound] == [None, None]
    assert all(result.passed for result in sound)


def test_one_mistake_does_not_keep_the_other_scenarios_from_running(folder: Path) -> None:
    text = """scenarios 1 of "dice.cardgame"
scenario "one"
    expect turns == 0
scenario "two"
    expect nobody == 0
scenario "three"
    player 1 does does
# a remark
scenario "four"
    expect turns == 0
"""
    results = run_source(Source("it.scenarios", text), folder)
    assert [(r.name, r.passed, [d.code for d in r.diagnostics]) for r in results] == [
        ("one", True, []), ("two", False, ["CG201"]), ("three", False, ["CG101"]), ("four", True, []),
    ]  # fmt: skip
    with pytest.raises(SpecError, match="CG130"):
        run_source(Source("it.scenarios", text.replace("scenarios 1", "scenarios one")), folder)


def test_steps_can_be_repeated(folder: Path) -> None:
    body = """
repeat 2 times
    player 1 does pass
    player 1 does bid 2
    repeat 1 times
        player 2 does pass
        player 2 does bid 1
expect game over
"""
    assert run(folder, body)[0].passed


def test_a_table_lists_queried_values_first_and_leaves_out_unchanged_ones(folder: Path) -> None:
    (result,) = run(
        folder, 'start one_turn\ngiven hand[player 1] holds "R1"\nplayer 1 does pass\nexpect bid[player 2] == 3'
    )
    assert result.failure is not None
    lines = result.failure.table.splitlines()
    assert lines[:2] == ["bid[player 1] = 0", "bid[player 2] = 0"]
    assert "hand[player 1]: R1" in lines
    assert not any(line.startswith(("turns", "table")) for line in lines)
    assert "1 variable is unchanged" in lines


def test_a_rule_that_cannot_be_carried_out_is_reported_with_both_places(folder: Path) -> None:
    text = GAME.replace("deal 3 from stock", "deal exactly 30 from stock")
    (folder / "dice.cardgame").write_text(text)
    (result,) = run(folder, "player 1 does pass")
    assert result.failure is not None
    assert result.failure.rule is not None
    assert "deal exactly 30" in result.failure.rule.source.line(result.failure.rule.line)
    assert result.failure.span.text == "scenario"


def test_what_is_said_and_shown_can_be_expected(folder: Path) -> None:
    said = '        pass\n            show hand[p] to next(p)\n            say "{p} has {count(hand[p])} cards"\n'
    (folder / "dice.cardgame").write_text(GAME.replace("        pass\n", said))
    body = """
start one_turn
given hand[player 1] holds "R1 B4"
expect not said "Player 1 has 2 cards"
player 1 does pass
expect said "Player 1 has 2 cards"
expect "R1 B4" shown to player 2
expect not "R1" shown to player 1
player 1 does bid 3
expect not "B4" shown to player 2
"""
    (result,) = run(folder, body)
    assert result.failure is None
    wrong = body.replace('expect said "Player 1 has 2 cards"', 'expect said "Player 1 has 3 cards"')
    assert "the messages since the last action: “Player 1 has 2 cards”" in failure(folder, wrong)
    assert "player 2 was shown R1 B4" in failure(folder, body.replace('"R1 B4" shown', '"R2" shown'))
    assert "no card is called `X9`" in mistakes(folder, body.replace('"R1 B4" shown', '"X9" shown'))[0]


TWINS = """cardgame 1
game "Two decks"
    players 2
    at most 9 decisions
enum Suit: red "R", blue "B"
card Plain(suit: Suit, rank: 1..3) written "{suit}{rank}"
deck in draw[player]
    1 of each Plain
zones
    draw[player]: pile, seen by nobody
    arena: cards, seen by all
    hand[player]: cards, seen by owner
play
    repeat strike until count(arena) == 0
phase strike
    player 1 chooses
        smite any cards s from arena [R1]
            end game
        hit card c from arena
            move c to hand[player 1]
result
    score p = count(arena)
"""


def test_equal_cards_of_two_owners_are_named_with_their_owner(tmp_path: Path) -> None:
    (tmp_path / "dice.cardgame").write_text(TWINS)
    head = 'start strike\ngiven arena holds "R1@1 R1@2 B2@2"\n'
    both = "say which"
    assert both in failure(tmp_path, head + 'player 1 does hit "R1"')
    assert both in failure(tmp_path, head + 'player 1 does smite "R1 B2"')
    assert both in failure(tmp_path, head + 'player 1 cannot hit "R1"')
    assert both in failure(tmp_path, head + 'player 1 can hit "R1"')
    (result,) = run(
        tmp_path, head + 'player 1 does hit "R1@2"\nexpect hand[player 1] holds "R1@2"\nplayer 1 can hit "R1"'
    )
    assert (result.failure, result.diagnostics) == (None, ())
    assert "no card is called `R1@3`" in mistakes(tmp_path, head + 'player 1 does hit "R1@3"')[0]


SIGNS = """cardgame 1
game "Signs"
    players 2
card Plus written "+2"
card Minus written "-2"
deck in stock
    6 of Plus
    6 of Minus
zones
    stock: pile, seen by nobody
    hand[player]: cards, seen by owner
    out: cards, seen by all
play
    deal 2 from stock to hand[players]
    for p in players: one_turn(p)
phase one_turn(p: player)
    p chooses
        lay any cards s from hand[p], any cards t from hand[p]: move s + t to out
        drop card c from hand[p]: move c to out
result
    score p = count(hand[p])
"""


@pytest.mark.parametrize("sentence", ['lay "+2 +2" nothing', 'lay nothing "+2 +2"', 'lay "+2" "+2"', 'drop "+2"'])
def test_a_card_text_may_begin_with_a_sign_and_a_set_may_be_empty(tmp_path: Path, sentence: str) -> None:
    (tmp_path / "dice.cardgame").write_text(SIGNS)
    (result,) = run(tmp_path, f'start one_turn\ngiven hand[player 1] holds "+2 +2"\nplayer 1 does {sentence}')
    assert result.passed, result


def test_all_sentences_of_signs_can_be_read() -> None:
    state = load_text(SIGNS).new_initial_state()
    said = sentences(state, 100) or []
    assert "lay +2 done +2" in [sentence.text for sentence in said]
    for sentence in said:
        actions = read(state, sentence.text)
        assert sentence.actions == (actions if isinstance(actions, tuple) else (actions,))


def test_any_cards_of_a_zone_are_of_a_deck_that_the_rules_deal_there(tmp_path: Path) -> None:
    (tmp_path / "dice.cardgame").write_text("""cardgame 1

game "Tokens"
    players 2
    at most 2 decisions

card Coin(n: 1..9) written "C{n}"
card Plain(n: 1..9) written "P{n}"

deck in box
    1 of each Coin

deck in stock
    1 of each Plain

zones
    box, stock:   pile, seen by nobody
    hand[player]: cards, seen by owner

play
    deal 3 from stock to hand[players]
    one_turn

phase one_turn
    player 1 chooses
        pass

result
    winners = player 1
""")
    for place, count in (("hand[player 1]", 3), ("stock", 9)):
        body = f"start one_turn\ngiven {place} holds {count} cards\nexpect no c in {place} where c is Coin"
        (result,) = run(tmp_path, body)
        assert result.passed, result


def test_cards_of_one_deck_can_fill_a_zone(tmp_path: Path) -> None:
    (tmp_path / "dice.cardgame").write_text(TWINS)
    body = "start strike\ngiven arena holds 4 cards of draw[player 2]\nexpect count(draw[player 2]) == 2"
    (result,) = run(tmp_path, body)
    assert (result.failure, result.diagnostics) == (None, ())
    assert "6 of draw[player 2] can lie in arena, not 7" in mistakes(tmp_path, body.replace("4 cards", "7 cards"))[0]


def test_options_choose_the_game_of_a_scenario(folder: Path) -> None:
    body = "option high = true\nplayer 1 does pass\nplayer 1 cannot bid 3\nplayer 1 does raise 3"
    assert run(folder, body)[0].passed


def test_a_scenario_names_the_rules_it_reached(folder: Path) -> None:
    body = 'start one_turn\ngiven hand[player 1] holds "R1"\nplayer 1 does play "R1"'
    assert "R1" in run(folder, body)[0].reached


def test_a_spec_selects_the_scenarios_beside_it(folder: Path) -> None:
    assert scenario_files(folder / "dice.cardgame") == []
    (folder / "dice.scenarios").write_text('scenarios 1 of "dice.cardgame"\n')
    assert scenario_files(folder / "dice.cardgame") == [folder / "dice.scenarios"]
    with pytest.raises(SpecNotFoundError):
        scenario_files(folder / "none.cardgame")


def test_scenario_files_name_their_game() -> None:
    for name in bundled_games():
        path = find_spec(name).with_suffix(".scenarios")
        assert f'\nscenarios 1 of "{path.stem}.cardgame"\n' in f"\n{path.read_text()}"
