"""What decisions offer: arguments, sets and their conditions, guards, copies, decks, options, players, results."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grammar.diagnostics import SpecError
from interpreter import IllegalActionError, RuleError, SettingError, State, load_text
from tests.program.playing import cards, do, legal, spec, start, values


def choose(actions: str, before: str = "", more: str = "") -> State:
    """Return a state in which player 1 chooses among actions, with C1..C5 H1 H2 in hand."""
    lines = "".join(f"    {x}\n" for x in before.split("\n")) if before else ""
    block = "".join(f"        {x}\n" for x in actions.strip("\n").split("\n"))
    return start(
        f"{more}\nphase ask\n    player 1 chooses\n{block}\n"
        f"play\n    deal 7 from stock to hand[player 1]\n{lines}    ask\n"
    )


def sets(state: State) -> set[str]:
    """Return all sentences of sets that can be reached by small actions, as texts of cards."""
    found: set[str] = set()
    todo: list[tuple[State, tuple[str, ...]]] = [(state, ())]
    while todo:
        at, picked = todo.pop()
        assert at.legal_actions()
        for action in at.legal_actions():
            text = at.action_to_string(action)
            after = at.clone()
            after.apply_action(action)
            now = (*picked, text.split("+")[1]) if "+" in text else picked
            if after.is_terminal() or after.picked() == ():
                assert " ".join(now) not in found
                found.add(" ".join(now))
            else:
                todo.append((after, now))
    return found


HAND = ["C1", "C2", "C3", "C4", "C5", "H1", "H2"]


def subsets_of(test: Any) -> set[str]:
    every = (c for n in range(len(HAND) + 1) for c in itertools.combinations(HAND, n))
    return {" ".join(c) for c in every if test(c)}


def ranks(chosen: tuple[str, ...]) -> list[int]:
    return [int(c[1]) for c in chosen]


def suits(chosen: tuple[str, ...]) -> set[str]:
    return {c[0] for c in chosen}


@pytest.mark.parametrize(
    ("argument", "test"),
    [
        ("any cards s from hand[player 1]", lambda _: True),
        ("2 cards s from hand[player 1]", lambda c: len(c) == 2),
        ("up to 2 cards s from hand[player 1]", lambda c: len(c) <= 2),
        ("at least 6 cards s from hand[player 1]", lambda c: len(c) >= 6),
        ("2 to 3 cards s from hand[player 1]", lambda c: 2 <= len(c) <= 3),
        ("2 cards s from hand[player 1] where each.suit == hearts", lambda c: len(c) == 2 and suits(c) == {"H"}),
        (
            "at least 1 cards s from hand[player 1] such that same(x.suit else clubs for x in s)",
            lambda c: len(suits(c)) == 1,
        ),
        (
            "3 cards s from hand[player 1] such that different(x.rank else 0 for x in s)",
            lambda c: len(c) == 3 and len(set(ranks(c))) == 3,
        ),
        ("any cards s from hand[player 1] such that sum(x.rank else 0 for x in s) <= 4", lambda c: sum(ranks(c)) <= 4),
        ("any cards s from hand[player 1] such that sum(x.rank else 0 for x in s) == 9", lambda c: sum(ranks(c)) == 9),
        (
            "at least 1 cards s from hand[player 1] such that not sum(x.rank else 0 for x in s) > 2",
            lambda c: bool(c) and sum(ranks(c)) <= 2,
        ),
        (
            "2 cards s from hand[player 1] such that sum(x.rank else 0 for x in s) == 5",
            lambda c: len(c) == 2 and sum(ranks(c)) == 5,
        ),
        (
            (
                "any cards s from hand[player 1] such that "
                "count(x in s where x.suit == hearts) == count(x in s where x.suit == clubs)"
            ),
            lambda c: sum(x[0] == "H" for x in c) * 2 == len(c),
        ),
        (
            "at least 2 cards s from hand[player 1] where each is Number such that consecutive(x.rank for x in s)",
            lambda c: len(c) >= 2 and sorted(ranks(c)) == list(range(min(ranks(c)), max(ranks(c)) + 1)),
        ),
        (
            "any cards s from hand[player 1] such that consecutive(x.rank else 9 for x in s) and count(s) != 1",
            lambda c: not c or (len(c) > 1 and sorted(ranks(c)) == list(range(min(ranks(c)), min(ranks(c)) + len(c)))),
        ),
        (
            "2 cards s from hand[player 1] where each is Number such that consecutive(x.suit for x in s)",
            lambda c: len(c) == 2 and suits(c) == {"C", "H"},
        ),
        (
            (
                "1 to 4 cards s from hand[player 1] where each is Number such that "
                "(a > 5 or count(s) == b + 2) and sum(x.rank for x in s) > count(x in s where x.rank == 2) + 3"
            ),
            lambda c: len(c) == 2 and sum(ranks(c)) > ranks(c).count(2) + 3,
        ),
        (
            "any cards s from hand[player 1] such that no r in 1..5 where count(x in s where x.rank == r) == 1",
            lambda c: all(ranks(c).count(r) != 1 for r in ranks(c)),
        ),
        (
            (
                "any cards s from hand[player 1] such that "
                "every v in Suit where count(x in s where x.suit == v) > 0 has count(x in s where x.suit == v) == 2"
            ),
            lambda c: all([x[0] for x in c if len(x) == 2].count(v) == 2 for v in suits(c)),
        ),
        (
            (
                "any cards s from hand[player 1] such that max(count(x in s where x.suit == v) for v in Suit) == 2 and "
                "count(r in 2..5 where some t in Suit where 0 < count(x in s where x.suit == t and x.rank == r)) > 1"
            ),
            lambda c: (
                max([x[0] for x in c if len(x) == 2].count(v) for v in "CHS") == 2 and len(set(ranks(c)) - {1}) > 1
            ),
        ),
        (
            (
                "any cards s from hand[player 1] such that "
                "sum(r for r in 1..5 where count(x in s where x.rank == r) > 0) == 5"
            ),
            lambda c: sum(set(ranks(c))) == 5,
        ),
        ("any cards s from hand[player 1] such that s is empty or count(s) == 7", lambda c: len(c) in (0, 7)),
        (
            "any cards s from hand[player 1] such that alike(s) and count(s) > 1",
            lambda c: len(c) > 1 and len(suits(c)) == 1,
        ),
    ],
)
def test_sets_that_can_be_chosen_are_those_that_fit(argument: str, test: Any) -> None:
    more = "define alike(given: cards) = same(x.suit else clubs for x in given)" if "alike" in argument else ""
    state = choose(f"take {argument}\n    move s to table\notherwise pass", more=more)
    assert sets(state) == subsets_of(test)


@given(st.integers(0, 20), st.sampled_from(["==", "<=", "<", ">=", ">"]), st.integers(0, 3))
def test_conditions_on_one_sum_agree_with_counting_subsets(total: int, op: str, low: int) -> None:
    state = choose(
        f"take at least {low} cards s from hand[player 1] such that sum(x.rank else 0 for x in s) {op} n\n"
        "    move s to table\notherwise pass".replace(" n\n", " a\n"),
        f"a = {total}",
    )
    compare = {"==": int.__eq__, "<=": int.__le__, "<": int.__lt__, ">=": int.__ge__, ">": int.__gt__}[op]
    expected = subsets_of(lambda c: len(c) >= low and compare(sum(ranks(c)), total))
    if expected:
        assert sets(state) == expected
    else:
        assert legal(state) == ["pass"]


def test_single_arguments_and_their_combinations() -> None:
    state = choose("bid n from 1..3, s from Suit where s != spades and n != 2\n    a = n\n    suit = s")
    assert legal(state) == ["bid 1 clubs", "bid 1 hearts", "bid 3 clubs", "bid 3 hearts"]
    do(state, "bid 3 hearts")
    assert (values(state)["a"], values(state)["suit"]) == (3, 1)


def test_a_later_argument_uses_an_earlier_one() -> None:
    state = choose("give card c from hand[player 1] where c.rank == 1, n from 1..2 where c.suit == hearts or n == 1")
    assert legal(state) == ["give C1 1", "give H1 1", "give H1 2"]


def test_a_value_and_then_cards_is_two_small_actions_and_one_sentence() -> None:
    actions = "lead s from Suit, 2 cards x from hand[player 1] where each.suit == s\n    move x to table\n    suit = s"
    state = choose(actions)
    assert legal(state) == ["lead clubs", "lead hearts"]
    do(state, "lead clubs C2 C4")
    assert cards(state, "table") == "C2 C4"
    assert values(state)["suit"] == 0
    with pytest.raises(IllegalActionError):
        choose(actions).string_to_action("lead hearts C2 H1")


def test_players_and_truth_as_arguments() -> None:
    state = choose(
        "ask_for p from players where p != player 1\n    if p == player 2: a = 2\ncall s from Suit where s != clubs"
    )
    assert "ask_for 2" in legal(state)
    do(state, "ask_for 2")
    assert values(state)["a"] == 2


def test_only_if_and_otherwise() -> None:
    actions = "play card c from hand[player 1] where c is Number and c.rank > a\nknock only if a > 3\notherwise forfeit"
    assert "knock" not in legal(choose(actions))
    assert "forfeit" not in legal(choose(actions))
    assert legal(choose(actions, "a = 4")) == ["play C5", "knock"]
    assert legal(
        choose("play card c from hand[player 1] where c is Number and c.rank > a\notherwise forfeit", "a = 9")
    ) == ["forfeit"]


def test_such_that_over_single_arguments() -> None:
    state = choose("pair card c from hand[player 1], card x from hand[player 1]\n"
                   "        such that c.suit == clubs and x.suit == hearts and c.rank == x.rank")  # fmt: skip
    assert legal(state) == ["pair C1 H1", "pair C2 H2"]


def test_choosing_for_a_card_passes_its_kind_to_the_effect() -> None:
    state = choose("play card c from hand[player 1] where c is Number\n    a = c.rank\n    move c to table")
    do(state, "play C4")
    assert values(state)["a"] == 4


def test_copies_are_one_action() -> None:
    fragment = (
        "deck in stock\n    3 of Number(clubs, 1)\n    2 of Jester\n"
        "phase ask\n    player 1 chooses\n        take any cards s from hand[player 1]\n            move s to table\n"
        "play\n    deal 5 from stock to hand[player 1]\n    ask\n"
    )
    state = start(fragment)
    assert legal(state) == ["take +C1", "take +J", "take done"]
    found = sets(state)
    assert found == {" ".join(["C1"] * n + ["J"] * m) for n in range(4) for m in range(3)}
    do(state, "take C1 J C1")
    assert sorted(cards(state, "table").split()) == ["C1", "C1", "J"]
    assert sorted(cards(state, "hand[player 1]").split()) == ["C1", "J"]


def test_a_card_after_a_set_is_listed_in_order_and_once() -> None:
    state = start(
        "deck in stock\n    2 of Number(clubs, 1)\n    2 of Number(clubs, 3)\n    1 of Number(clubs, 2)\n"
        "phase ask\n    player 1 chooses\n        take up to 1 cards s from box, card c from table\n            a = 1\n"
        "play\n    for n in 1..3\n"
        "        move all c in stock where c.rank == 4 - n to table\n    ask\n"
    )
    do(state, "take done")
    actions = state.legal_actions()
    assert actions == sorted(set(actions))
    assert sorted(legal(state)) == ["take C1", "take C2", "take C3"]


def test_a_copy_that_is_named_is_one_action_too() -> None:
    state = start(
        "deck in stock\n    3 of Number(clubs, 1)\n    2 of Jester\n"
        "phase ask\n    player 1 chooses\n        take card c from hand[player 1]\n            move c to table\n"
        "play\n    deal 5 from stock to hand[player 1]\n    ask\n    ask\n"
    )
    assert legal(state) == ["take C1", "take J"]
    do(state, "take C1", "take C1")
    assert cards(state, "table") == "C1 C1"


def test_each_player_may_have_a_deck() -> None:
    state = start(
        "zones\n    stock[player]: pile, seen by all\n    hand[player]: cards, seen by owner\n"
        "    table: row, seen by all\n"
        "deck in stock[player]\n    1 of each Number where each.suit == clubs\n    count(players) of Jester\n"
        "phase ask\n    for p in players\n        p chooses\n            play card c from stock[p]\n"
        "                move c to table for p\n",
        players=2,
    )
    assert cards(state, "stock[player 1]") == cards(state, "stock[player 2]") == "C1 C2 C3 C4 C5 J J"
    do(state, "play C3", "play C3")
    assert cards(state, "table") == "C3 C3"
    assert cards(state, "stock[player 2]") == "C1 C2 C4 C5 J J"


def test_deck_lines_reckon_with_attributes_and_options() -> None:
    fragment = (
        "option more: 0..2 = 0\nenum Role(copies: 0..3)\n    guard 3\n    king 1\n    ghost 0\n"
        "card Person(role: Role) written \"{role}\"\n"
        "deck in stock\n    each.role.copies of each Person\n    more of Jester\n"
        "    if more == 2 then 1 else 0 of each Number where each.rank > 4\n"
    ).replace("    if more == 2 then 1 else 0 of", "    (if more == 2 then 1 else 0) of")  # fmt: skip
    assert cards(start(fragment), "stock") == "guard guard guard king"
    assert cards(start(fragment, options={"more": 2}), "stock") == "guard guard guard king J J C5 H5 S5"


def test_options_decide_types_and_visibility() -> None:
    fragment = (
        "option size: 1..5 = 2\noption hands: open | hidden = hidden\noption quick = false\n"
        "zones\n    stock: pile, seen by nobody\n    table: row, seen by all\n"
        "    hand[player]: cards at most size, seen by if hands == open then all else owner\n"
        "play\n    deal size from stock to hand[player 1]\n    if quick: end game\n    ask\n"
    )
    assert "C1" not in start(fragment).observation_string(1)
    assert "C1" in start(fragment, options={"hands": "open"}).observation_string(1)
    assert cards(start(fragment, options={"size": 4}), "hand[player 1]") == "C1 C2 C3 C4"
    assert start(fragment, options={"quick": True}).is_terminal()
    for options in ({"size": 9}, {"hands": "opne"}, {"quick": "maybe"}, {"sise": 2}):
        with pytest.raises(SettingError):
            load_text(spec(fragment), None, options)


def test_players_come_in_a_range() -> None:
    fragment = (
        'game "Small"\n    players 2..4\nphase ask\n    for p in players\n        p chooses\n            pass\n'
        "                a += 1\n"
    )
    for players in (2, 3, 4):
        state = start(fragment, players)
        do(state, *["pass"] * players)
        outcome = state.outcome()
        assert outcome is not None
        assert outcome.scores == (players,) * players
    with pytest.raises(SettingError):
        load_text(spec(fragment), 5)


@pytest.mark.parametrize(
    ("facts", "result", "returns", "winners"),
    [
        ("players 3", "score p = if p == player 2 then 5 else 1", [-0.5, 1, -0.5], (1,)),
        ("players 3", "score p = if p == player 2 then 1 else 5", [0.5, -1, 0.5], (0, 2)),
        ("players 3", "score p = 3", [0, 0, 0], ()),
        ("players 3", "winners = all lowest p in players by points(p)", [1, -0.5, -0.5], (0,)),
        ("players 3", "winners = player 2", [-0.5, 1, -0.5], (1,)),
        # One player beside several, and one that may be absent, in each place of a chain.
        ("players 3", "winners = if flag then players else player 2", [-0.5, 1, -0.5], (1,)),
        ("players 3", "winners = if flag then player 2 else last 2 p in players", [-1, 0.5, 0.5], (1, 2)),
        ("players 3", "winners = if flag then players else first p in players where flag", [0, 0, 0], ()),
        ("players 3", "winners = first p in players where flag else players", [0, 0, 0], ()),
        ("players 3", "winners = last p in players where not flag else players", [-0.5, -0.5, 1], (2,)),
        # What the play is worth decides who has won, also against a score.
        ("players 3", "returns p = points(p) * 2", [2, 4, 4], (1, 2)),
        ("players 3", "returns p = 0 - points(p)", [-1, -2, -2], (0,)),
        ("players 3", "returns p = 4", [4, 4, 4], ()),
        ("players 3", "score p = points(p)\n    returns p = 0 - points(p)", [-1, -2, -2], (0,)),
        ("players 3", "returns p = points(p)\n    winners = player 1", [1, 2, 2], (0,)),
        ("players 3, cooperative", "returns p = 7", [7, 7, 7], ()),
        # Alone one can win only where the rules say who wins.
        ("players 1", "winners = first p in players", [1], (0,)),
        ("players 1", "winners = first p in players where flag", [-1], ()),
        ("players 1", "score p = 3", [0], ()),
        ("players 1", "returns p = -3", [-3], ()),
        ("players 3, cooperative", "score p = 7", [7, 7, 7], ()),
        # Stakes of 1, 2 and 2: who wins shares all of them, exactly.
        ("players 3", "winners = player 1\n    stakes p = points(p)", [4, -2, -2], (0,)),
        (
            "players 3",
            "winners = all p in players where p != player 1\n    stakes p = points(p)",
            [-1, 0.5, 0.5],
            (1, 2),
        ),
        ("players 3", "score p = points(p)\n    stakes p = points(p)", [-1, 0.5, 0.5], (1, 2)),
        ("players 3", "stakes p = points(p)\n    winners = players", [5 / 3 - 1, 5 / 3 - 2, 5 / 3 - 2], ()),
        ("players 3", "stakes p = points(p)\n    winners = all p in players where flag", [0, 0, 0], ()),
    ],
)
def test_results(facts: str, result: str, returns: list[float], winners: tuple[int, ...]) -> None:
    state = start(
        f'game "Small"\n    {facts}\ndefine points(p: player) = if p == player 1 then 1 else 2\nresult\n    {result}\n'
    )
    assert not any(state.returns())
    do(state, "pass")
    assert state.returns() == returns
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.winners == winners


@pytest.mark.parametrize(
    ("facts", "result", "text"),
    [
        ("players 2", "returns p = if p == player 1 then 3 else -3", "Player 1 wins."),
        ("players 2", "returns p = 2", "The game is a draw."),
        ("players 2", "score p = 2", "The game is a draw (2 : 2)."),
        ("players 3", "score p = points(p)", "Players 2 and 3 win (1 : 2 : 2)."),
        ("players 3", "winners = all p in players where flag", "The game is a draw."),
        ("players 2, cooperative", "score p = 4", "The players reach 4 points together."),
        ("players 2, cooperative", "score p = 1", "The players reach 1 point together."),
        ("players 2, cooperative", "returns p = 4", "The game is over."),
        ("players 1", "winners = first p in players", "Player 1 wins."),
        ("players 1", "winners = first p in players where flag", "The game is lost."),
        ("players 1", "score p = 3", "The game is over (3)."),
        ("players 1", "returns p = -3", "The game is lost."),
    ],
)
def test_results_in_words(facts: str, result: str, text: str) -> None:
    state = start(
        f'game "Small"\n    {facts}\ndefine points(p: player) = if p == player 1 then 1 else 2\nresult\n    {result}\n'
    )
    do(state, "pass")
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.describe() == text


def test_stakes_make_a_game_of_sum_zero_with_known_bounds() -> None:
    game = start(
        'game "Small"\n    players 3\nresult\n    winners = player 1\n    stakes p = 5 + 0 * count(hand[p])\n'
    ).game
    assert game.utility == "zero-sum"
    assert game.utility_range == (-5, 10)
    assert game.random_playouts(1, seed=1).returns == ((10.0, -5.0, -5.0),)


@pytest.mark.parametrize(
    ("result", "code"),
    [
        ("winners = player 1\n    stakes p = a", "CG301"),
        ("winners = player 1\n    stakes p = 1 - 2", "CG301"),
        ("winners = player 1\n    stakes p = 1\n    returns p = 2", "CG202"),
        ("winners = player 1\n    stakes = 1", "CG207"),
        ("stakes p = 1", "CG231"),
    ],
)
def test_stakes_that_cannot_be(result: str, code: str) -> None:
    with pytest.raises(SpecError) as error:
        load_text(spec(f"result\n    {result}\n"))
    assert code in {d.code for d in error.value.diagnostics}


def test_a_zone_that_is_indexed_by_numbers_and_values() -> None:
    state = start(
        "zones\n    stock: pile, seen by all\n    hand[player]: cards, seen by owner\n    table: row, seen by all\n"
        "    meld[player, 1..2]: cards, seen by all\n    row_of[Suit]: row, seen by all\n"
        "play\n    for p in players, n in 1..2: deal n from stock to meld[p, n]\n"
        "    for c in (first 2 x in stock)\n        match c\n            case Number: move c to row_of[c.suit]\n"
        "            otherwise: move c to table\n    a = count(meld[player 2, 2])\n    ask\n"
    )
    assert cards(state, "meld[player 2, 2]") == "C5 H1"
    assert cards(state, "row_of[hearts]") == "H2 H3"
    assert values(state)["a"] == 2


@pytest.mark.parametrize(("most", "actions"), [(2, 4), (5, 7)])
def test_a_range_to_an_option_has_as_many_actions_as_the_option_says(most: int, actions: int) -> None:
    text = spec("option most: 2..5 = 2\nplay\n    player 1 chooses\n        bid n from 0..most: a = n\n    ask\n")
    assert load_text(text, options={"most": most}).num_distinct_actions == actions


@pytest.mark.parametrize(
    ("args", "sentence", "already"),
    [
        ("card c from hand[player 1], card e from hand[player 1]", "swap C1 C1", "C1"),
        ("card c from hand[player 1], any cards e from hand[player 1]", "swap C1 C2 C1", "C1"),
        ("1 to 2 cards c from hand[player 1], card e from hand[player 1]", "swap C1 C2 C2", "C2"),
        ("1 to 2 cards c from hand[player 1], any cards e from hand[player 1]", "swap C1 done C2 C1", "C1"),
    ],
)
def test_a_card_that_another_argument_has_is_said_to_be_chosen_already(args: str, sentence: str, already: str) -> None:
    state = choose(f"swap {args}\n    move c to table")
    assert (
        state.explain(sentence).message
        == f"`{already}` is chosen already, and there is no other among the cards to choose from"
    )
    assert state.explain("swap C1 S1").message == "there is no `S1` among the cards to choose from"


NO_CARDS = """cardgame 1
game "No Cards"
    players 2
    at most 6 decisions
card Plain(n: 1..4) written "{n}"
deck in hand
    0 of each Plain
zones
    hand: cards, seen by all
state
    given[player]: boolean
play
    player 1 chooses
        give card c from hand, q from players
            given[q] = true
        lay any cards s from hand
            given[player 2] = true
        wait
    player 2 chooses
        take card c from hand
            given[player 1] = true
result
    score p = 0
"""


def test_without_a_card_in_the_game_no_action_takes_one() -> None:
    state = load_text(NO_CARDS).new_initial_state()
    assert legal(state) == ["lay done", "wait"]
    state.apply_action(state.string_to_action("wait"))
    with pytest.raises(RuleError, match="no action is possible here"):
        state.legal_actions()


def test_nothing_does_not_end_a_set_with_picked_cards() -> None:
    state = choose("lay any cards s from hand[player 1]: move s to table")
    assert state.string_to_action("lay nothing") == state.legal_actions()[-1]
    state.apply_action(state.string_to_action("lay C1")[0])  # type: ignore[index]
    with pytest.raises(IllegalActionError, match="cards are picked already"):
        state.string_to_action("lay nothing")
    assert state.string_to_action("lay done") == state.legal_actions()[-1]
