"""Several sets and single arguments in one action: what is offered step by step are the legal actions, all and only."""

from __future__ import annotations

import itertools
import re
import shutil
import sysconfig
from collections.abc import Callable
from typing import Any

import attrs
import pytest

from grammar.diagnostics import SpecError
from interpreter import IllegalActionError, RuleError, State, load_text
from interpreter.analysis.check.statements import ARGUMENTS_LIMIT
from interpreter.text.sentences import actions_of, sentences
from tests.program.playing import cards, do, legal, spec, start

compiler = str(sysconfig.get_config_var("CC") or "cc").split()[0]


@attrs.frozen
class Form:
    """An action: its arguments as text, each as (place, least, most) or the numbers it is from, and what is legal.

    A set is a tuple of cards, a single card a tuple of one.
    """

    text: str
    args: tuple[tuple[str, int, int] | range, ...]
    fits: Callable[..., bool]
    more: str = ""


def rank(card: str) -> int:
    return int(card[1]) if card[1:].isdigit() else 0


def total(chosen: tuple[str, ...]) -> int:
    return sum(map(rank, chosen))


def same_suit(chosen: tuple[str, ...]) -> bool:
    return len({c[0] for c in chosen}) <= 1


def suits_of(chosen: tuple[str, ...]) -> set[str]:
    return {c[0] for c in chosen}


SUM = "sum(c.rank else 0 for c in {})".format
MINE = "hand[player 1]"

FORMS = {
    "two sets of one place with a condition on both": Form(
        f"1 to 2 cards m from {MINE}, 1 to 2 cards n from {MINE} such that {SUM('n')} > {SUM('m')}",
        ((MINE, 1, 2), (MINE, 1, 2)),
        lambda m, n: total(n) > total(m),
    ),
    "a condition on the first set alone": Form(
        f"2 cards m from {MINE}, up to 2 cards n from {MINE} such that {SUM('m')} == 5",
        ((MINE, 2, 2), (MINE, 0, 2)),
        lambda m, _: total(m) == 5,
    ),
    "a condition on each set, and one on both": Form(
        f"any cards m from {MINE}, any cards n from box "
        f"such that {SUM('m')} == {SUM('n')} and same(c.suit else clubs for c in m) and count(n) > 1",
        ((MINE, 0, 9), ("box", 0, 9)),
        lambda m, n: total(m) == total(n) and same_suit(tuple(c.replace("J", "C") for c in m)) and len(n) > 1,
    ),
    "sets of which each takes what the other leaves": Form(
        f"at least 2 cards m from {MINE}, at least 3 cards n from {MINE}",
        ((MINE, 2, 9), (MINE, 3, 9)),
        lambda *_: True,
    ),
    "a set, then a single card": Form(
        f"1 to 3 cards m from {MINE}, card k from {MINE} where k is Number such that k.rank == {SUM('m')}",
        ((MINE, 1, 3), (MINE, 1, 1)),
        lambda m, k: k != ("J",) and total(k) == total(m),
    ),
    "a single card, then two sets": Form(
        f"card k from {MINE}, 1 to 2 cards m from {MINE}, up to 2 cards n from box such that "
        f"k is Number and {SUM('m')} > k.rank and {SUM('n')} > {SUM('m')}",
        ((MINE, 1, 1), (MINE, 1, 2), ("box", 0, 2)),
        lambda k, m, n: k != ("J",) and total(n) > total(m) > total(k),
    ),
    "three sets": Form(
        f"1 to 2 cards m from {MINE}, 1 cards n from {MINE}, 1 to 2 cards o from {MINE} such that "
        f"{SUM('m')} < {SUM('n')} and {SUM('n')} <= {SUM('o')}",
        ((MINE, 1, 2), (MINE, 1, 1), (MINE, 1, 2)),
        lambda m, n, o: total(m) < total(n) <= total(o),
    ),
    "sets of places of their own, of which nothing joins": Form(
        f"1 to 2 cards m from {MINE}, 2 cards n from box where each is Number such that different(c.rank for c in n)",
        ((MINE, 1, 2), ("box", 2, 2)),
        lambda _, n: all(rank(c) for c in n) and rank(n[0]) != rank(n[1]),
    ),
    "a set, a number that it settles, another set": Form(
        f"1 to 2 cards m from {MINE}, k from 0..4 where k > 0, any cards n from box "
        f"such that k == {SUM('m')} and count(n) == k",
        ((MINE, 1, 2), range(5), ("box", 0, 9)),
        lambda m, k, n: 0 < k == total(m) and len(n) == k,
    ),
    "single cards of one place": Form(
        f"card k from {MINE}, card l from {MINE} where l is Number",
        ((MINE, 1, 1), (MINE, 1, 1)),
        lambda _, k: k != ("J",),
    ),
    "a bound that an earlier set gives": Form(
        f"1 to 2 cards m from {MINE}, count(m) cards n from box where each.suit == hearts",
        ((MINE, 1, 2), ("box", 0, 9)),
        lambda m, n: len(n) == len(m) and all(c[0] == "H" for c in n),
    ),
    "as many cards as a number says, also none": Form(
        f"k from 0..2, k cards m from {MINE}, k cards n from box such that {SUM('n')} >= {SUM('m')}",
        (range(3), (MINE, 0, 2), ("box", 0, 2)),
        lambda k, m, n: len(m) == len(n) == k and total(n) >= total(m),
    ),
    "as many cards as a product says, no two of a rank": Form(
        f"k from 0..1, n from 1..3 where n != k, k * n cards m from {MINE} "
        "such that no r in 1..9 where 1 < count(c in m where c is Number and c.rank == r)",
        (range(2), range(1, 4), (MINE, 0, 3)),
        lambda k, n, m: n != k and len(m) == k * n and len({*map(rank, m)} - {0}) == len([c for c in m if rank(c)]),
    ),
    "a condition in a definition, on two sets": Form(
        f"1 to 2 cards m from {MINE}, 1 to 3 cards n from {MINE} such that outdo(n, {SUM('m')})",
        ((MINE, 1, 2), (MINE, 1, 3)),
        lambda m, n: total(n) == total(m) + 1,
        f"define outdo(s: cards, t: integer) = {SUM('s')} == t + 1",
    ),
}


ZONES = """zones
    stock:        pile, seen by nobody
    hand[player]: cards, seen by owner
    heap:         pile, seen by all
    box:          cards, seen by all
"""


def text_of(form: Form) -> str:
    names = [part.split(" from ")[0].split()[-1] for part in form.text.split(" such that ")[0].split(", ")]
    moved = [n for n, arg in zip(names, form.args, strict=True) if not isinstance(arg, range)]
    numbers = [n for n, arg in zip(names, form.args, strict=True) if isinstance(arg, range)]
    effect = [f"move {n} to heap" for n in moved] + [f"a += {n}" for n in numbers]
    lines = "".join(f"            {line}\n" for line in effect)
    return (
        f"{ZONES}{form.more}\nphase ask\n    player 1 chooses\n"
        f"        split {form.text}\n{lines}        otherwise pass\n"
        "play\n    shuffle stock\n    deal 5 from stock to hand[player 1]\n    deal 4 from stock to box\n    ask\n"
    )


def legal_by_trying(state: State, form: Form) -> set[tuple[Any, ...]]:
    """Return all legal actions, found by going through everything that could be chosen."""
    game = state.game
    lying = {
        place: state.zones[next(n for n in range(game.num_places) if game.place_name(n) == place)]
        for place in (MINE, "box")
    }

    def ways(arg: tuple[str, int, int] | range) -> list[Any]:
        if isinstance(arg, range):
            return list(arg)
        place, low, high = arg
        here = sorted(lying[place])
        return [c for size in range(low, min(high, len(here)) + 1) for c in itertools.combinations(here, size)]

    found = set()
    for whole in itertools.product(*map(ways, form.args)):
        taken = [c for part in whole if isinstance(part, tuple) for c in part]
        said = tuple(
            part if isinstance(part, int) else tuple(game.texts.face(game.card_faces[c]) for c in part)
            for part in whole
        )  # fmt: skip
        if len(set(taken)) == len(taken) and form.fits(*said):
            found.add(said)
    return found


def reached(state: State) -> list[tuple[Any, ...]]:
    """Return all whole actions that are reached by small ones; what is offered is always enough to go on."""
    found: list[tuple[Any, ...]] = []
    todo: list[tuple[State, tuple[int, ...]]] = [(state, ())]
    while todo:
        at, before = todo.pop()
        for action in at.legal_actions():
            after = at.clone()
            after.apply_action(action)
            taken = (*before, action)
            if after.is_unfinished():
                todo.append((after, taken))
            elif at.game.texts.shape_of(action).verb != "pass":
                found.append(arguments(state, taken))
    return found


def arguments(state: State, taken: tuple[int, ...]) -> tuple[Any, ...]:
    """Return the arguments that small actions give to the one action with arguments."""
    node, texts = state.decision(), state.game.texts
    assert node is not None
    said: list[Any] = []
    for stage in node.alternatives[0].stages:
        mine = [action for action in taken if stage.base <= action < stage.base + stage.size]
        if stage.is_set:
            said.append(tuple(texts.face(a - stage.base) for a in mine if a - stage.base < len(texts.faces)))
            continue
        for arg, given in zip(stage.args, texts.arguments(texts.shape_of(mine[0]), mine[0]), strict=True):
            said.append(given if arg.form == "value" else (texts.face(given),))
    return tuple(said)


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(1, 6))])
def test_what_is_offered_step_by_step_are_the_legal_actions(name: str, seed: int) -> None:
    form = FORMS[name]
    state = start(text_of(form), seed=seed)
    found = reached(state)
    assert len(found) == len(set(found))
    assert set(found) == legal_by_trying(state, form)


@pytest.mark.parametrize("name", FORMS)
def test_each_action_is_said_in_words_of_its_own_that_are_read_as_they_are_printed(name: str) -> None:
    state = start(text_of(FORMS[name]), seed=2)
    told = sentences(state, 2_000)
    assert told is not None
    assert len({s.text for s in told}) == len(told)
    for sentence in told[:: max(1, len(told) // 40)]:
        read = state.string_to_action(sentence.text)
        assert (read if isinstance(read, tuple) else (read,)) == sentence.actions, sentence.text
        assert actions_of(state, sentence.text) == sentence.actions


@pytest.mark.skipif(shutil.which(compiler) is None, reason="there is no C compiler")
@pytest.mark.soak
@pytest.mark.parametrize("name", ["a single card, then two sets", *(name for name in FORMS if "as many" in name)])
def test_native_code_offers_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CFLAGS", "-O0 -w")
    text = spec(text_of(FORMS[name]))
    native, python = load_text(text, native=True), load_text(text)
    assert native.native
    one, other = native.new_initial_state(), python.new_initial_state()
    outcome = other.legal_actions()
    while other.is_chance_node():
        one.apply_action(outcome[0])
        other.apply_action(outcome[0])
        outcome = other.legal_actions()
    assert reached(one) == reached(other)
    assert len(native.random_playouts(20, 3).lengths) == 20


SPLIT = """zones
    stock:        pile, seen by nobody
    hand[player]: cards, seen by owner
    heap:         pile, seen by all
    box:          cards, seen by all
phase ask
    player 1 chooses
        split SETS
            move m to heap
            move n to box
        otherwise pass
play
    deal DEALT from stock to hand[player 1]
    ask
"""
OUTDONE = f"1 to 2 cards m from {MINE}, 1 to 2 cards n from {MINE} such that {SUM('n')} > {SUM('m')}"


def test_a_set_that_another_follows_is_said_with_its_end() -> None:
    text = SPLIT.replace("SETS", OUTDONE).replace("DEALT", "5")
    for said, heap, box in (
        ("split C1 done C2 C3", "C1", "C2 C3"),
        ("split C1 C2 C3 C5", "C1 C2", "C3 C5"),
        ("split C1 C2 C5", "C1 C2", "C5"),
        ("split C1 C3 C2", "C1", "C2 C3"),
    ):
        state = do(start(text), said)
        assert (sorted(cards(state, "heap").split()), cards(state, "box")) == (heap.split(), box), said
    state = start(text)
    do(state, "split +C4")
    assert legal(state) == ["split done"]
    for wrong in ("split C5 done C1", "split C1 done C1", "split C1 done"):
        with pytest.raises(IllegalActionError):
            start(text).string_to_action(wrong)


def test_sets_of_no_cards_are_complete_at_once() -> None:
    state = start(text_of(FORMS["as many cards as a number says, also none"]))
    assert state.string_to_action("split 0") == state.string_to_action("split 0 nothing")
    assert not do(state, "split 0").is_unfinished()


@pytest.mark.parametrize(
    "condition",
    [
        pytest.param("", marks=pytest.mark.soak),
        f" such that {SUM('s0')} >= 0 and {SUM('s1')} >= {SUM('s0')}",
    ],
)
def test_a_sentence_with_as_many_sets_as_an_action_may_have_is_read_or_refused_at_once(condition: str) -> None:
    sets = ", ".join(f"any cards s{n} from {MINE}" for n in range(ARGUMENTS_LIMIT))
    text = SPLIT.replace("SETS", sets + condition).replace("DEALT", "13")
    text = text.replace("move m to", "move s0 to").replace("move n to", "move s1 to")
    state = start(text)
    twelve = re.findall(r"\bC\d+\b", state.observation_string(0))[:12]
    with pytest.raises(IllegalActionError):
        state.clone().string_to_action(" ".join(["split", *twelve, twelve[0]]))
    cut = " done ".join(twelve)
    actions = state.clone().string_to_action(f"split {cut}")
    assert isinstance(actions, tuple)
    assert len(actions) >= 12


def test_an_action_has_a_bounded_number_of_arguments() -> None:
    sets = ", ".join(f"any cards s{n} from {MINE}" for n in range(1000))
    with pytest.raises(SpecError, match="CG405 `split` has 1000 arguments"):
        start(SPLIT.replace("SETS", sets).replace("DEALT", "5"))


def test_the_number_of_sets_to_try_is_bounded_before_play_and_in_it() -> None:
    never = f"any cards m from {MINE}, any cards n from box such that {SUM('n')} > {SUM('m')} + 99"
    state = start(SPLIT.replace("SETS", never).replace("DEALT", "17"))
    with pytest.raises(RuleError, match="CG806"):
        state.legal_actions()
    many = SPLIT.replace("SETS", never).replace("DEALT", "5") + "deck in stock\n    3 of each Number\n"
    with pytest.raises(SpecError, match="CG405"):
        start(many)
    assert legal(start(many.replace("any cards m", "up to 2 cards m"))) == ["pass"]


def test_a_condition_independent_of_the_set_is_evaluated() -> None:
    asked = SPLIT.replace("DEALT", "5").replace("            move n to box\n", "")
    assert legal(start(asked.replace("SETS", f"k from 0..3, 2 cards m from {MINE} such that k == 2"))) == ["split 2"]
    assert legal(start(asked.replace("SETS", f"2 cards m from {MINE} such that a > 0"))) == ["pass"]
