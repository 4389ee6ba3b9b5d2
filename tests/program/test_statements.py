"""What statements do: flow, phases, variables, moving cards, chance, words."""

from __future__ import annotations

import pytest

from grammar.diagnostics import SpecError
from interpreter import load_text
from interpreter.engine.faults import RuleError
from interpreter.knowledge.events import Moved, Said
from interpreter.text.narrate import narrate
from tests.program.playing import cards, do, legal, settle, spec, start, values


def after(statements: str, more: str = "", players: int | None = None) -> dict[str, object]:
    """Return the variables after some statements of `play`."""
    lines = "".join(f"    {line}\n" for line in statements.strip("\n").split("\n"))
    return values(start(f"{more}\nplay\n{lines}    ask\n", players))


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ("a = 2\na += 3\na -= 1", 4),
        ("let x = a + 1\na = 5\na = a + x", 6),
        ("for p in players: a = 10 * a + points_of(p)", 12),
        ("for p in players from player 2: a = 10 * a + points_of(p)", 21),
        ("for s in Suit from hearts: a = 10 * a + rank_of(s)", 231),
        ("for p in players from player 2, s in Suit where s != hearts: a = 10 * a + points_of(p) * rank_of(s)", 2613),
        ("for p in (all q in players where q != player 2) from player 2: a = 10 * a + points_of(p)", 1),
        ("for s in hearts..spades from clubs: a = 10 * a + rank_of(s)", 23),
        ("for n in 1..4 where n != 2: a = 10 * a + n", 134),
        ("for n in 3..b: a = 9", 0),
        ("while a < 5: a += 2", 6),
        ("while a > 5: a += 2", 0),
        ("repeat\n    a += 2\nuntil a > 0", 2),
        ("repeat add_two until a > 5", 6),
        ("if a == 0: a = 1\nelse: a = 2", 1),
        ("if a == 1: a = 1\nelse if b == 0: a = 3\nelse: a = 2", 3),
        ("match a\n    case 5: a = 1\n    case 0..2: a = 7\n    otherwise: a = 8", 7),
        ("suit = hearts\nmatch suit\n    case clubs: a = 1\n    case hearts, spades: a = 2\n    otherwise: a = 3", 2),
        ("match suit\n    case clubs: a = 1\n    otherwise: a = 3", 3),
        ("match top of stock\n    case Number(clubs, 1): a = 1\n    otherwise: a = 2", 1),
        ("match (first c in table)\n    case Jester: a = 1\n    otherwise: a = 2", 2),
        ("for c in stock\n    match c\n        case Number: a += c.rank\n        case Jester: a += 100", 245),
    ],
)
def test_flow(statements: str, expected: int) -> None:
    more = (
        "define points_of(p: player) = if p == player 1 then 1 else 2\n"
        "define rank_of(s: Suit) =\n    match s\n        case clubs: 1\n        case hearts: 2\n"
        "        case spades: 3\n"
        "phase add_two\n    a += 2\n"
    )
    if "add_two" not in statements:
        more = more[: more.index("phase")]
    assert after(statements, more)["a"] == expected


def test_a_condition_chooses_the_target_of_a_move() -> None:
    more = "define two(c: card) = c is Number(_, 2)\n"
    found = after(
        "for c in stock: move c to (if c is Jester then heap else if two(c) then table else hand[player 1])\n"
        "a = 100 * count(heap) + count(table)\nb = count(hand[player 1])\n"
        "deal 1 from heap to (if a == 0 then table else hand[player 2])\nd = count(hand[player 2])",
        more,
    )
    assert (found["a"], found["b"], found["d"]) == (203, 12, 1)


def test_a_domain_is_taken_once() -> None:
    assert after("for c in stock\n    a += 1\n    move c to table\n    deal 1 from stock to heap")["a"] == 17


def test_end_of_a_phase_leaves_its_loops_and_the_phases_inside() -> None:
    more = (
        "phase outer\n    for n in 1..3\n        a += 1\n        inner(n)\n    a += 100\n"
        "phase inner(n: 1..3)\n    b += 1\n    if n == 2: end outer\n    b += 10\n"
    )
    found = after("outer\nd = 7", more)
    assert (found["a"], found["b"], found["d"]) == (2, 12, 7)


def test_end_of_an_automatic_phase_leaves_its_loops() -> None:
    more = "phase quick\n    for n in 1..9\n        if n == 3: end quick\n        a += n\n    a = 100\n"
    assert after("quick\nb = a", more)["b"] == 3


def test_end_of_a_phase_around_a_decision() -> None:
    state = start(
        "phase outer\n    for n in 1..3\n        inner(n)\n        a += 10\n    a += 100\n"
        "phase inner(n: 1..3)\n    player 1 chooses\n        stay\n            a += n\n        leave\n"
        "            end outer\n"
        "play\n    outer\n    ask\n"
    )
    do(state, "stay", "stay", "leave")
    assert values(state)["a"] == 23
    assert legal(state) == ["pass"]


def test_end_game_ends_everything() -> None:
    state = start("phase quick\n    a = 4\n    if a == 4: end game\n    a = 5\nplay\n    quick\n    ask\n    a = 6\n")
    assert state.is_terminal()
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.scores == (4, 4)


def test_phase_state_starts_anew_and_may_begin_with_a_parameter() -> None:
    state = start(
        "phase count_up(from_here: 0..9)\n    state\n        here: 0..99 = from_here * 2\n        seen: 0..9 = 0\n"
        "    here += 1\n    seen += 1\n    a = 100 * seen + here\n    player 1 chooses\n        pass\n"
        "play\n    count_up(1)\n    count_up(4)\n    ask\n"
    )
    assert values(state)["a"] == 103
    do(state, "pass")
    assert values(state)["a"] == 109


def test_arguments_of_phases_are_values_not_names() -> None:
    state = start(
        "phase later(n: integer)\n    player 1 chooses\n        pass\n            a = 8\n            b = n\n"
        "play\n    a = 3\n    later(a)\n    ask\n"
    )
    do(state, "pass")
    assert (values(state)["a"], values(state)["b"]) == (8, 3)


@pytest.mark.parametrize(
    ("statements", "code", "line"),
    [
        ("a = 1\nlow = a - 2", "CG801", "low = a - 2"),
        ("low += 8\nlow += 1", "CG801", "low += 1"),
        ("a = 4\nlow = many[a]", "CG802", "low = many[a]"),
        ("a = 99\nneeds(a)", "CG801", "needs(a)"),
        ("low = small(a + 10)", "CG801", "low = small(a + 10)"),
        ("low = 5 / a rounded up", "CG809", "low = 5 / a rounded up"),
        ("low = 5 mod a", "CG809", "low = 5 mod a"),
        ("deal exactly 18 from stock to table", "CG803", "deal exactly 18 from stock to table"),
        ("deal 2 from stock to one", "CG805", "deal 2 from stock to one"),
        ("for c in stock: move c to two", "CG805", "for c in stock: move c to two"),
        ("while a == 0: b = 1", "CG804", "while a == 0: b = 1"),
        ("a = 999999999\na = a * a", "CG801", "a = a * a"),
        ("player 1 chooses\n    play card c from table", "CG807", "player 1 chooses"),
        ("random card c from table", "CG808", "random card c from table"),
    ],
)
def test_faults_name_the_line_of_the_rule(statements: str, code: str, line: str) -> None:
    lines = "".join(f"    {x}\n" for x in statements.split("\n"))
    fragment = (
        "zones\n    stock: pile, seen by all\n    table: row, seen by all\n    one: slot, seen by all\n"
        "    two: cards at most 2, seen by all\n    hand[player]: cards, seen by owner\n"
        "state\n    a, b: integer = 0\n    low: 0..9 = 0\n    many[1..3]: 0..9 = 0\n"
        "define small(n: 0..5) = n\nphase needs(n: 0..5)\n    a = n\n"
        f"phase unused_call\n    needs(1)\n    low = small(1)\nplay\n    unused_call\n    a = 0\n{lines}    ask\n"
    )
    with pytest.raises(RuleError) as caught:
        start(fragment).legal_actions()
    assert caught.value.code == code
    assert caught.value.span is not None
    text = spec(fragment).splitlines()[caught.value.span.line - 1].strip()
    assert text == line


# ------------------------------------------------------------------------------------------------ cards


def table_after(statements: str, place: str) -> str:
    lines = "".join(f"    {line}\n" for line in statements.split("\n"))
    return cards(start(f"play\n{lines}    ask\n"), place)


@pytest.mark.parametrize(
    ("statements", "place", "expected"),
    [
        ("deal 3 from stock to table", "table", "C1 C2 C3"),
        ("deal 3 from stock to heap", "heap", "C3 C2 C1"),
        ("deal 3 from stock to bottom of heap", "heap", "C1 C2 C3"),
        ("deal 99 from stock to box", "stock", ""),
        ("deal 0 - 5 from stock to table", "table", ""),
        ("deal 2 from stock to table\nmove table to heap", "heap", "C2 C1"),
        ("deal 2 from stock to table\nmove table to bottom of stock\ndeal 99 from stock to heap", "heap",
         "C2 C1 J J S5 S4 S3 S2 S1 H5 H4 H3 H2 H1 C5 C4 C3"),
        ("deal 2 from stock to heap\nmove bottom of stock to place 2 of heap", "heap", "C2 J C1"),
        ("deal 2 from stock to heap\nmove bottom of stock to place 9 of heap", "heap", "C2 C1 J"),
        ("deal 2 from stock to heap\nmove bottom of stock to place count(table) of heap", "heap", "J C2 C1"),
        ("deal 2 from stock to table\nmove bottom of stock to place 2 of table", "table", "C1 J C2"),
        ("deal 1 from stock to heap\ndeal 3 from stock to place 3 of heap", "heap", "C1 C2 C4 C3"),
        ("deal 3 from stock to table\nmove card 1 of table to place 2 of table", "table", "C2 C1 C3"),
        ("deal 3 from stock to hand[player 1]\nmove card 2 of hand[player 1] to table", "table", "C2"),
        ("move card count(table) of stock to table\nmove card 99 of stock to table\nmove card 4 of stock to table",
         "table", "C4"),
        ("move all c in stock where c.rank == 1 to table", "table", "C1 H1 S1"),
        ("for c in stock where c is Number and c.rank < 3 by -c.rank: move c to table", "table", "C2 H2 S2 C1 H1 S1"),
        ("for c in stock where c is Number and c.rank < 3 by (c.rank, -position(c.suit)): move c to table", "table",
         "S1 H1 C1 S2 H2 C2"),
        ("for n in 1..4 by n * n mod 4: move card n of stock to table", "table", "C2 C5 C1 H1"),
        ("for p in players from player 2 by 0: move top of stock to hand[p]\nmove hand[player 1] to table", "table",
         "C2"),
        ("deal 2 from stock to hand[players]\nrotate hand[players] left\nmove hand[player 1] to table", "table",
         "C3 C4"),
        ("deal 1 from stock to hand[player 1]\nrotate hand[players] right\nmove hand[player 2] to table", "table",
         "C1"),
        ("move all c in stock where c.rank == 1 to heap", "heap", "S1 H1 C1"),
        ("move first 2 c in stock to table\nmove first c in table to heap", "table", "C2"),
        ("move top of heap to table", "table", ""),
        ("move bottom of stock to table", "table", "J"),
        ("move highest c in stock where c is Number by c.rank to table", "table", "C5"),
        ("move all highest c in stock where c is Number by c.rank to table", "table", "C5 H5 S5"),
        ("move first 2 c in stock to table\nmove last 2 c in stock to table", "table", "C1 C2 J J"),
    ],
)  # fmt: skip
def test_where_cards_go(statements: str, place: str, expected: str) -> None:
    assert table_after(statements, place) == expected


def test_a_row_records_the_player_of_each_card() -> None:
    state = start(
        "play\n    for p in players\n        deal 1 from stock to hand[p]\n"
        "    for p in players from player 2: play_one(p)\n"
        "    a = if player_of(first c in table) == player 2 then 1 else 2\n"
        "    b = count(c in table where player_of(c) == player 1)\n"
        "    move table to heap\n    d = count(c in heap where player_of(c) is none)\n    ask\n"
        "phase play_one(p: player)\n    p chooses\n        play card c from hand[p]\n"
        "            move c to table for p\n"
    )
    do(state, "play C2", "play C1")
    found = values(state)
    assert (found["a"], found["b"], found["d"]) == (1, 1, 2)


def test_a_card_knows_its_holder_and_its_face() -> None:
    found = after(
        "deal 2 from stock to hand[player 2]\ndeal 1 from stock to table face down\n"
        "if holder(first c in hand[player 2]) == player 2: a = 1\nif holder(first c in table) is none: a += 10\n"
        "b = count(c in table where face_down(c))\nturn table face up\nb += 10 * count(c in table where face_down(c))"
    )
    assert (found["a"], found["b"]) == (11, 1)


def test_who_sees_a_card_follows_its_zone_its_face_and_what_was_shown() -> None:
    state = start(
        "zones\n    stock: pile, seen by nobody\n    hand[player]: cards, seen by owner\n    table: row, seen by all\n"
        "play\n    deal 2 from stock to hand[player 1]\n    deal 1 from stock to table face down\n"
        "    show first c in hand[player 1] to player 2\n    ask\n"
    )
    told = state.information_state_string(1)
    assert "C1" in told
    assert "C2" not in told
    assert "C3" not in told
    assert "C1" in state.observation_string(0)
    assert "C3" not in state.observation_string(0)


def test_words_say_the_values_they_name() -> None:
    state = start(
        'play\n    a = 3\n    suit = hearts\n    let p = player 2\n    say "{p} has {a} of {suit}, {flag}"\n    ask\n'
    )
    assert "Player 2 has 3 of hearts, no" in state.information_state_string(0)


# ----------------------------------------------------------------------------------------------- chance


def test_chance_chooses_each_thing_alike() -> None:
    state = start("play\n    ask\n")
    assert not state.is_chance_node()
    game = (
        "play\n    random n from 1..3\n    a = n\n    random card c from (all x in stock where x is Jester)\n"
        "    move c to table\n    random p from players where p != player 1\n"
        "    if p == player 2: b = 1\n    ask\n"
    )
    state = load_text(spec(game)).new_initial_state()
    assert [round(p, 6) for _, p in state.chance_outcomes()] == [0.333333] * 3
    assert legal(state) == ["1", "2", "3"]
    state.apply_action(state.string_to_action("2"))
    assert legal(state) == ["J"]
    assert state.chance_outcomes()[0][1] == 1.0
    settle(state)
    assert (values(state)["a"], values(state)["b"], cards(state, "table")) == (2, 1, "J")


def test_a_shuffled_pile_is_drawn_when_it_is_read() -> None:
    text = spec(
        "zones\n    stock: pile, seen by nobody\n    hand[player]: cards, seen by owner\n"
        "    table: row, seen by all\nplay\n    shuffle stock\n    deal 1 from stock to table\n    ask\n"
    )
    state = load_text(text).new_initial_state()
    assert state.is_chance_node()
    outcomes = dict(state.chance_outcomes())
    assert len(outcomes) == 16
    assert round(sum(outcomes.values()), 9) == 1
    jester = state.game.texts.read_face("J")
    assert round(outcomes[jester], 6) == round(2 / 17, 6)
    state.apply_action(state.string_to_action("H3"))
    assert cards(state, "table") == "H3"


def test_two_zones_exchange_their_cards_in_their_order() -> None:
    lines = (
        "deal 3 from stock to heap\nmove first c in stock where c is Jester to table\nlet low = top of heap\n"
        "swap heap with stock\nswap box with table\nswap table with hand[player 2]\n"
        "if top of stock == low and count(stock) == 3 and count(heap) == 13 and count(box) == 1: a = 1\n"
        "swap box with box"
    )
    assert after(lines)["a"] == 1


def test_full_slots_change_places_and_their_cards_are_shown_where_they_arrive() -> None:
    more = "zones\n    one: slot, seen by all\n    other: slot, seen by nobody\n    stock: pile, seen by nobody\n"
    more += "    hand[player]: cards, seen by owner\n    heap: pile, seen by all\n    table: row, seen by all\n"
    more += "    box: cards, seen by all\n"
    play = "shuffle stock\n    deal 1 from stock to one\n    deal 1 from stock to other\n    swap one with other\n"
    state = start(f"{more}play\n    {play}    ask\n")
    settle(state)
    assert len(cards(state, "one").split()) == len(cards(state, "other").split()) == 1
    told = [event for event in state.events(0) if isinstance(event, Moved)]
    assert [len(event.cards) for event in told] == [1, 1, 1, 1]
    assert None not in [event.cards[0] for event in told[2:]]


def test_a_text_holds_values_of_any_kind_and_nothing_does_nothing() -> None:
    state = start(
        'play\n    say "{next(player 1)} and {2 + 3} of {suit else hearts}, {top of stock}"\n'
        "    match suit\n        case clubs: a = 1\n        otherwise: nothing\n    speak(player 1)\n    ask\n"
        'phase speak(p: player)\n    p chooses "{you} speak to {next(p)} of {count(stock)} cards"\n        speak\n'
    )
    told = [narrate(state.game, event) for event in state.events(0) if isinstance(event, Said)]
    assert told == ["Player 2 and 5 of hearts, C1"]
    assert state.prompt() == "You speak to player 2 of 17 cards"


@pytest.mark.parametrize("hole", ["2 +", "", "a]", "let x"])
def test_braces_that_hold_no_value_are_reported_at_their_place(hole: str) -> None:
    with pytest.raises(SpecError) as caught:
        start(f'play\n    say "so {{{hole}}} it is"\n    ask\n')
    found = [d for d in caught.value.diagnostics if d.is_error]
    assert [(d.code, d.span.text) for d in found] == [("CG213", hole)]


@pytest.mark.parametrize(
    ("statements", "seen"),
    [
        ("random a from 4..4", {"a": 4}),
        ("random a from 1..9 where a > 8", {"a": 9}),
        ("random suit from Suit where suit == hearts", {"suit": 1}),
        ("random points[player 2] from 3..3\n    a = points[player 2] - points[player 1]", {"a": 3}),
        ("random die from 6..6\n    a = die", {"a": 6}),
    ],
)
def test_chance_sets_a_variable_or_gives_a_name(statements: str, seen: dict[str, int]) -> None:
    kept = "state\n    a: integer\n    suit: Suit or none\n    points[player]: 0..9\n"
    state = start(f"{kept}play\n    {statements}\n    ask\n")
    assert {name: values(state)[name] for name in seen} == seen


@pytest.mark.parametrize(
    ("statements", "code"),
    [
        ("random ask from 1..6", "CG202"),
        ("random hearts from 1..6", "CG202"),
        ("random table from 1..6", "CG202"),
        ("random hand[player 1] from 1..6", "CG321"),
        ("random suit from 1..6", "CG301"),
        ("random (top of stock).rank from 1..6", "CG321"),
    ],
)
def test_chance_sets_nothing_else(statements: str, code: str) -> None:
    with pytest.raises(SpecError) as error:
        load_text(spec(f"play\n    {statements}\n    ask\n"))
    assert code in {d.code for d in error.value.diagnostics}


def test_the_end_of_a_repetition_is_evaluated_with_the_names_of_its_block() -> None:
    state = start("play\n    repeat\n        a += 1\n        let square = a * a\n        ask\n    until square > 8\n")
    for count in (1, 2, 3):
        assert values(state)["a"] == count
        do(state, "pass")
    assert state.is_terminal()


def test_what_is_called_the_must_be_there() -> None:
    assert values(start("play\n    a = the (top of stock).rank\n    ask\n"))["a"] == 1
    with pytest.raises(RuleError) as fault:
        start("play\n    a = the (top of heap).rank\n    ask\n")
    assert fault.value.code == "CG811"
    assert fault.value.span is not None
    assert fault.value.span.text == "a = the (top of heap).rank"


@pytest.mark.parametrize(("number", "player"), [(1, 0), (2, 1), (3, 0), (6, 1)])
def test_a_player_by_an_option_is_counted_round_the_table(number: int, player: int) -> None:
    more = f"option starter: 1..6 = {number}\nstate\n    a: integer\n    leader: player = player starter\n"
    assert values(start(more))["leader"] == player


@pytest.mark.parametrize(
    ("state", "define", "words"),
    [
        ("one: player = two\n    two: player = player 1", "", "which comes later"),
        ("one: player = other", "define other = next(one)", "asks for `one` itself"),
        ("one: 0..9 = three\n    two: 0..9 = one + 1", "define three = two - 1", "ask for each other"),
        ("one: 0..9 = chosen", "phase extra\n    state\n        chosen: 0..9 = 3\n    ask", "belongs to `extra`"),
        ("one: 0..9 = 3", "phase extra\n    state\n        x: 0..9 = y\n        y: 0..9 = 3\n    ask", "comes later"),
    ],
)
def test_a_first_value_reads_only_initialised_variables(state: str, define: str, words: str) -> None:
    played = "extra" if "phase extra" in define else "ask"
    with pytest.raises(SpecError) as raised:
        start(f"state\n    {state}\n{define}\nplay\n    {played}\nresult\n    score p = 1\n")
    found = [d for d in raised.value.diagnostics if d.code == "CG240"]
    assert [words in d.message for d in found] == [True]


def test_a_first_value_follows_from_those_before_it_and_from_the_state_of_the_game() -> None:
    text = (
        "state\n    one: 0..9 = 3\n    two: 0..9 = twice\ndefine twice = 2 * one\n"
        "phase extra\n    state\n        x: 0..99 = two + 1\n        y: 0..99 = x * x\n    one = y - 40\n    ask\n"
        "play\n    extra\nresult\n    score p = one\n"
    )
    assert values(start(text))["one"] == 9
