"""Files of scenarios, in the language of their own."""

from __future__ import annotations

import pytest

from grammar import expressions as e
from grammar import scenario as ast
from grammar.parser import parse_scenarios
from grammar.source import Source
from tests.grammar.examples import DATA, mistakes

_TEXT = (DATA / "scenarios.txt").read_text(encoding="utf-8")


def step(line: str) -> ast.Step:
    """Return the only step of a scenario."""
    text = f'scenarios 1 of "x"\nscenario "y"\n    expect a\n    {line}\n'
    (scenario,) = parse_scenarios(Source("s", text)).scenarios
    return scenario.steps[1]


def test_every_line_that_a_scenario_can_have() -> None:
    file = parse_scenarios(Source("s", _TEXT))
    assert (file.version, file.of) == (1, "chalice_and_wand.cardgame")
    first, second, third = file.scenarios
    assert first.name == "either of two matches"
    assert first.tags == ("E4", "R16")
    assert first.players == 2
    assert [o.name for o in first.options] == ["hands"]
    assert first.start is not None
    assert first.start.name == "one_round"
    assert [type(g).__name__ for g in first.givens] == [
        "GivenValue", "GivenRandom", "GivenCards", "GivenCount", "GivenCards",
    ]  # fmt: skip
    assert [type(s).__name__ for s in first.steps] == [
        "Does", "Cannot", "Can", "CanOnly", "Does", "ChanceDoes", "GivenRandom", "Expect", "ExpectCards",
        "ExpectToAct", "ExpectOver", "ExpectResult", "ExpectResult", "ExpectWinners", "ExpectWinners", "Expect",
    ]  # fmt: skip
    assert second.players is None
    (setup,) = file.setups
    assert (setup.name, third.setup, second.setup) == ("late in a hand", "late in a hand", None)
    assert [type(g).__name__ for g in setup.givens] == ["GivenCount", "GivenRest"]
    assert [type(s).__name__ for s in third.steps] == [
        "ExpectOver", "ExpectSaid", "ExpectSaid", "ExpectShown", "ExpectShown", "Repeated",
    ]  # fmt: skip
    over, said, silent, shown, hidden, repeated = third.steps
    assert [getattr(step, "negated", None) for step in (over, said, silent, shown, hidden)] == [
        True, False, True, False, True,
    ]  # fmt: skip
    assert isinstance(repeated, ast.Repeated)
    assert (repeated.times, len(repeated.steps)) == (2, 2)


def test_later_arrangements_are_steps() -> None:
    assert isinstance(step("given random 3 [R1]"), ast.GivenRandom)
    assert step("given random 3 [R1]").tags == ("R1",)


@pytest.mark.parametrize(
    ("line", "verb", "words"),
    [
        ("player 1 does discard nothing", "discard", [e.NoneValue]),
        ("player 1 does pass", "pass", []),
        ('leader does lead wand "W3 W2"', "lead", [e.Name, e.String]),
        ("player 2 does bid -3 true", "bid", [e.Number, e.Bool]),
        ("player 2 does choose player 1 none", "choose", [e.Seat, e.NoneValue]),
        ('next(leader) does match "W4"', "match", [e.String]),
        ("player 1 does start 2", "start", [e.Number]),
    ],
)
def test_a_sentence_is_a_verb_and_plain_words(line: str, verb: str, words: list[type]) -> None:
    found = step(line)
    assert isinstance(found, ast.Does)
    assert found.sentence.verb == verb
    assert [type(w) for w in found.sentence.words] == words


def test_the_words_of_scenarios_are_free_in_games() -> None:
    names = ["can", "cannot", "chance", "does", "expect", "given", "holds", "scenario", "scenarios", "start"]
    assert mistakes("cardgame 1\n" + "".join(f"define {name} = 1\n" for name in names)) == ()


def test_a_scenario_may_expect_any_condition() -> None:
    found = step("expect every p in players has score[p] > 3 or winners_known")
    assert isinstance(found, ast.Expect)
    assert isinstance(found.condition, e.Every)
