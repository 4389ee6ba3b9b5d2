"""Beliefs that no engine can sample are refused, with one reason, by everything that needs one."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from cli.main import main
from interpreter import Belief, State, load_text
from interpreter.agents import AgentView, agent
from interpreter.belief import enumeration, particle_filter
from interpreter.belief.mixing import BIASED, Mixing
from interpreter.engine.faults import NoWorldError
from interpreter.native import belief as walks
from tests.belief.tiny import HIDDEN_DICE, NUMBERS

LOST = (
    "the number of unseen draws depends on a secret, and walks keep that number; the particle filter lost all its "
    "particles"
)
REASON = (
    f"no belief of player 2 can be sampled after 10 decisions: {LOST}.  The agents `random` and `solve` need no "
    "sampled belief"
)


@pytest.fixture
def few_particles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the particle filter give up early: with its full work it comes to the same, later."""
    monkeypatch.setattr(particle_filter, "WORK", 150)
    monkeypatch.setattr(enumeration, "MOST", 0)


def _at_the_guess(text: str, player: int) -> State:
    state, rng = load_text(text).new_initial_state(), Random(1)
    while state.is_chance_node() or state.current_player() != player:
        if state.is_chance_node():
            state.resolve_chance(rng)
        else:
            state.apply_action(state.legal_actions()[int(rng.random() * len(state.legal_actions()))])
    return state


@pytest.mark.usefixtures("few_particles")
def test_a_belief_without_worlds_gives_its_reason() -> None:
    state = _at_the_guess(HIDDEN_DICE, 1)
    kept = Belief(state, 1)
    assert (kept.draw(2), kept.shortfall) == ([], LOST)
    with pytest.raises(NoWorldError) as refused:
        state.resample_from_infostate(1, Random(1))
    assert str(refused.value) == REASON


@pytest.mark.usefixtures("few_particles")
@pytest.mark.parametrize("name", ["search:20", "greedy:20"])
def test_agents_refuse_a_position_whose_belief_has_no_worlds(name: str) -> None:
    state = _at_the_guess(HIDDEN_DICE, 1)
    with pytest.raises(NoWorldError, match="lost all its particles"):
        agent(name, state.game, 1).act(AgentView(state))


@pytest.mark.usefixtures("few_particles")
@pytest.mark.parametrize(
    "words",
    [
        ["match", "{spec}", "--agents", "search:20,random", "--plays", "2"],
        ["simulate", "{spec}", "--agents", "random,greedy:20", "--plays", "2"],
    ],
    ids=lambda words: words[0],
)
def test_commands_end_with_1_and_the_reason(words: list[str], tmp_path: Path) -> None:
    spec = tmp_path / "dice.cardgame"
    spec.write_text(HIDDEN_DICE)
    ended = CliRunner().invoke(main, [word.format(spec=spec) for word in words])
    assert (ended.exit_code, ended.stderr.splitlines()[-1]) == (1, f"Error: {REASON}")


FALLBACK = "Player 2 plays a random action wherever `search` cannot sample a belief."


@pytest.mark.usefixtures("few_particles")
@pytest.mark.parametrize(
    ("seats", "typed"),
    [(("1=random", "2=search:20"), ""), (("1=human", "2=search:20"), "keep\n" * 20)],
    ids=["agents", "with a person"],
)
def test_a_seat_at_the_table_plays_at_random_there_and_the_table_is_notified_once(
    seats: tuple[str, ...], typed: str, tmp_path: Path
) -> None:
    spec = tmp_path / "dice.cardgame"
    once = "    player 2 chooses\n        guess n from 0..9: guess = n\n"
    assert once in HIDDEN_DICE
    spec.write_text(HIDDEN_DICE.replace(once, once + once))
    words = ["play", str(spec), "--new", "--seed", "3", *(word for seat in seats for word in ("--seat", seat))]
    ended = CliRunner().invoke(main, words, input=typed, terminal_width=1000)
    assert " ".join(ended.output.split()).count(FALLBACK) == 1
    assert ended.exit_code == 0


@pytest.mark.usefixtures("few_particles")
def test_a_hint_gives_the_same_reason_and_the_play_goes_on(tmp_path: Path) -> None:
    spec = tmp_path / "dice.cardgame"
    spec.write_text(HIDDEN_DICE)
    words = ["play", str(spec), "--seat", "1=random", "--seat", "2=human", "--seed", "3"]
    ended = CliRunner().invoke(main, words, input="hint\nguess 3\n", terminal_width=1000)
    reason = f"no deal consistent with what you have seen can be sampled after 10 decisions: {LOST}"
    assert " ".join(f"There is no hint: {reason}.".split()) in " ".join(ended.output.split())
    assert ended.exit_code == 0


def test_walks_that_have_not_mixed_give_way_to_the_particle_filter(monkeypatch: pytest.MonkeyPatch) -> None:
    apart = Mixing("walks", reached=False, walks=4, steps=64, rhat=BIASED + 1)
    monkeypatch.setattr(enumeration, "MOST", 0)
    monkeypatch.setattr(walks, "burn_in", lambda *_: apart)
    state = _at_the_guess(NUMBERS, 0)
    assert Belief(state, 0).mixing.method == "particles"
    assert Belief(state, 0).draw(1)
    monkeypatch.setattr(particle_filter, "WORK", 0)
    kept = Belief(state, 0)
    assert kept.draw(1) == []
    assert kept.shortfall.startswith("walks had not mixed after 64 steps (split R-hat 3.0); the particle filter")


def test_walks_that_never_move_are_used_only_where_nothing_is_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    still = Mixing("walks", reached=False, walks=4, steps=64, moved=False)
    monkeypatch.setattr(enumeration, "MOST", 0)
    monkeypatch.setattr(walks, "burn_in", lambda *_: still)
    hidden, plain = (
        _at_the_guess(NUMBERS, 0),
        _at_the_guess(NUMBERS.replace(", seen by nobody\n    guess", "\n    guess"), 0),
    )
    assert [Belief(state, 0).mixing.method for state in (hidden, plain)] == ["particles", "walks"]
