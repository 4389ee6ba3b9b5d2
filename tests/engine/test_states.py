"""A state is a value: it can be copied, compared, saved and replayed; it refuses what is not legal."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from interpreter import Game, IllegalActionError, RuleError, State, load, load_text
from interpreter.engine.outcome import Outcome, Termination
from interpreter.text.sentences import sentences
from tests import bundled
from tests.belief.tiny import DICE, GAMES, POKER
from tests.fuzz.broken import BROKEN
from tests.native.test_c import needs_compiler

CHALICE = bundled.game("chalice_and_wand")


def dealt(game: Game, seed: int = 1) -> State:
    state = game.new_initial_state()
    state.resolve_chance(Random(seed))
    return state


def say(state: State, *texts: str) -> None:
    """Let whoever is to act, chance too, do what texts say."""
    for text in texts:
        state.apply_action(state.string_to_action(text))


def play_on(state: State, rng: Random, steps: int = 10_000) -> State:
    """Play at random, so many steps or to the end."""
    for _ in range(steps):
        if state.is_terminal():
            break
        if state.is_chance_node():
            state.resolve_chance(rng)
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    return state


# ---- nodes


def test_the_three_kinds_of_node() -> None:
    state = GAMES["poker"].new_initial_state()
    assert (state.current_player(), state.is_chance_node(), state.is_terminal()) == (-1, True, False)
    state.resolve_chance(Random(1))
    assert (state.current_player(), state.is_chance_node(), state.is_terminal()) == (0, False, False)
    state.apply_action(state.string_to_action("check"))
    assert (state.current_player(), state.is_chance_node(), state.is_terminal()) == (-4, False, True)
    assert state.legal_actions() == []
    assert state.chance_outcomes() == []


def test_actions_are_numbers_known_before_play() -> None:
    game = GAMES["poker"]
    assert game.num_distinct_actions == 4
    state = dealt(game)
    assert [state.action_to_string(a) for a in state.legal_actions()] == ["bet", "check"]
    state.apply_action(state.legal_actions()[0])
    assert [state.action_to_string(a) for a in state.legal_actions()] == ["call", "fold"]


def test_the_list_of_actions_is_the_caller_s_own() -> None:
    state = dealt(CHALICE)
    state.legal_actions().clear()
    assert state.legal_actions()


# ---- sentences


def test_a_sentence_is_several_small_actions() -> None:
    state = dealt(CHALICE)
    hand = next(z for z in state.observation(0).zones if z.name == "hand[player 1, left]")
    first, last = (CHALICE.texts.face(hand.cards[n]) for n in (0, -1))
    actions = state.string_to_action(f"discard {last} {first}")
    assert isinstance(actions, tuple)
    assert [CHALICE.texts.action(a) for a in actions] == [f"discard +{first}", f"discard +{last}", "discard done"]
    whole, stepwise = state.clone(), state.clone()
    whole.apply_action(actions)
    for action in actions:
        stepwise.apply_action(action)
    assert whole == stepwise
    assert whole.current_player() == 1


def test_nothing_is_a_sentence() -> None:
    state = dealt(CHALICE)
    assert state.string_to_action("discard nothing") == state.string_to_action("discard done")
    assert state.string_to_action("DISCARD NOTHING") == state.string_to_action("discard done")


def test_picks_ascend_so_that_no_set_is_reached_twice() -> None:
    state = dealt(CHALICE)
    legal = state.legal_actions()
    state.apply_action(legal[2])
    assert all(a > legal[2] for a in state.legal_actions())


@pytest.mark.parametrize("text", ["", "discard X9", "discard C2 C2 C2 C2", "sing", "take nothing", "discard done now"])
def test_a_sentence_that_is_not_legal_is_refused_with_words(text: str) -> None:
    state = dealt(CHALICE)
    before = state.content()
    with pytest.raises(IllegalActionError) as caught:
        state.string_to_action(text)
    assert len(str(caught.value)) > 5
    assert state.content() == before


def test_two_arguments_in_one_sentence() -> None:
    state = dealt(GAMES["gifts"])
    bead = GAMES["gifts"].texts.face(next(z for z in state.observation(0).zones if z.cards and z.owner == 0).cards[0])
    state.apply_action(state.string_to_action(f"give 3 {bead}"))
    given = {z.name: z.cards for z in state.observation(None).zones}["given[player 3]"]
    assert [GAMES["gifts"].texts.face(c) for c in given] == [bead]


# ---- refusals


@pytest.mark.parametrize("action", [-1, 10_000, 0, 1, True, False, "check", 1.5, None])
def test_what_is_not_legal_is_refused_and_changes_nothing(action: object) -> None:
    state = dealt(GAMES["poker"])
    before = state.content()
    with pytest.raises((IllegalActionError, TypeError)):
        state.apply_action(action)  # type: ignore[arg-type]
    assert state.content() == before
    assert [state.action_to_string(a) for a in state.legal_actions()] == ["bet", "check"]


def test_a_sequence_that_turns_illegal_changes_nothing() -> None:
    state = dealt(CHALICE)
    legal = state.legal_actions()
    before = state.content()
    for actions in ([legal[0]] * 4, [legal[-1], legal[-1]], [], [legal[0], [legal[1]]], [str(legal[0])]):
        with pytest.raises(IllegalActionError):
            state.apply_action(actions)  # type: ignore[arg-type]
        assert state.content() == before


def test_a_sentence_that_breaks_a_rule_ends_the_play() -> None:
    game = load_text(BROKEN["a pile too short"].text)
    state = game.new_initial_state()
    for _ in range(3):
        say(state, "draw")
        state.resolve_chance(Random(1))
    with pytest.raises(RuleError, match="CG803"):
        state.apply_action((state.legal_actions()[0],))
    assert state.is_terminal()


def test_nothing_is_legal_at_the_end() -> None:
    state = play_on(dealt(GAMES["poker"]), Random(1))
    with pytest.raises(IllegalActionError):
        state.apply_action(0)


# ---- copies, comparison, saving


@pytest.mark.parametrize("game", [*GAMES.values(), CHALICE], ids=[*GAMES, "chalice"])
def test_a_copy_is_equal_and_independent(game: Game) -> None:
    rng = Random(3)
    for steps in range(0, 12, 3):
        state = play_on(game.new_initial_state(), rng, steps)
        for made in (state.clone(), copy.copy(state), copy.deepcopy(state)):
            assert made == state
            assert hash(made) == hash(state)
            before = state.content()
            play_on(made, Random(steps))
            assert state.content() == before


def test_states_that_differ_are_not_equal() -> None:
    one, other = dealt(CHALICE, 1), dealt(CHALICE, 2)
    assert one != other
    assert one != "a state"
    assert dealt(CHALICE, 1) == dealt(load("chalice_and_wand"), 1)
    assert dealt(CHALICE, 1) != dealt(load("chalice_and_wand", options={"hands": "open"}), 1)


@pytest.mark.parametrize("game", [*GAMES.values(), CHALICE], ids=[*GAMES, "chalice"])
def test_all_routes_lead_to_one_state(game: Game) -> None:
    for seed in range(4):
        state = play_on(game.new_initial_state(), Random(seed), 3 * seed)
        saved = game.deserialize_state(state.serialize())
        pickled = pickle.loads(pickle.dumps(state))
        replayed = game.play_history([item for _, item in state.history()])
        assert state == saved == pickled == replayed
        assert len({state, saved, pickled, replayed}) == 1
        for made in (saved, pickled, replayed):
            assert made.legal_actions() == state.legal_actions()
            assert [made.information_state_string(p) for p in range(game.num_players)] == [
                state.information_state_string(p) for p in range(game.num_players)
            ]
            assert play_on(made, Random(9)).content() == play_on(state.clone(), Random(9)).content()


def test_a_pickled_state_lives_on_in_another_process(tmp_path: Path) -> None:
    state = play_on(CHALICE.new_initial_state(), Random(5), 20)
    file = tmp_path / "state"
    file.write_bytes(pickle.dumps(state))
    code = f"import pickle; print(pickle.loads(open({str(file)!r}, 'rb').read()).serialize())"
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, check=True, text=True)
    assert done.stdout.strip() == state.serialize()


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"game": 1}', "nothing", '{"game": {}, "history": []}', "null", "[1, 2]"],
)
def test_a_text_that_is_no_state_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="state"):
        CHALICE.deserialize_state(text)


def test_a_saved_state_of_other_rules_or_with_an_illegal_step_is_refused() -> None:
    saved = dealt(CHALICE).serialize()
    with pytest.raises(ValueError, match="another game"):
        load("chalice_and_wand", options={"hands": "open"}).deserialize_state(saved)
    data = json.loads(saved)
    data["history"].append(9999)
    with pytest.raises(ValueError, match="not legal"):
        CHALICE.deserialize_state(json.dumps(data))
    damages: tuple[object, ...] = ("x", None, [[1]], {}, True)
    for damage in damages:
        data["history"][-1] = damage
        with pytest.raises(ValueError):  # noqa: PT011 - what it says depends on the damage
            CHALICE.deserialize_state(json.dumps(data))


def test_the_history_records_the_player_of_each_action() -> None:
    state = dealt(GAMES["poker"])
    say(state, "bet", "fold")
    (dealer, cards), *rest = state.history()
    assert dealer == -1
    assert isinstance(cards, tuple)
    assert sorted(cards) == [0, 1, 2]
    assert [(player, GAMES["poker"].texts.action(int(str(item)))) for player, item in rest] == [(0, "bet"), (1, "fold")]


# ---- the end


def test_returns_are_0_until_the_end() -> None:
    game = GAMES["poker"]
    state = game.new_initial_state()
    while not state.is_terminal():
        assert state.returns() == [0.0, 0.0]
        assert state.outcome() is None
        play_on(state, Random(2), 1)
    assert sorted(map(abs, state.returns())) in ([1.0, 1.0], [2.0, 2.0])
    assert sum(state.returns()) == 0
    assert (game.utility_range, game.utility) == ((-2, 2), "general")


def test_who_won_and_why_it_ended() -> None:
    state = dealt(GAMES["poker"])
    say(state, "bet", "fold")
    outcome = state.outcome()
    assert outcome is not None
    assert outcome == Outcome(Termination.FINISHED, None, (0,), (1.0, -1.0))
    assert "Player 1 wins" in outcome.describe()


def test_partners_get_the_common_score() -> None:
    state = play_on(CHALICE.new_initial_state(), Random(4))
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.scores is not None
    assert state.returns() == [float(outcome.scores[0])] * 2
    assert CHALICE.utility == "identical"
    assert f"{outcome.scores[0]} points" in outcome.describe()


def test_a_draw_pays_nothing() -> None:
    state = GAMES["dice"].new_initial_state()
    say(state, "3", "stop", "3", "stop")
    assert state.returns() == [0.0, 0.0]
    assert state.outcome() is not None
    assert state.outcome().describe().startswith("The game is a draw")  # type: ignore[union-attr]


def test_two_of_three_share_what_they_win() -> None:
    game = load_text(DICE, players=3)
    state = game.new_initial_state()
    say(state, "5", "stop", "5", "stop", "1", "stop")
    assert state.returns() == [0.5, 0.5, -1.0]
    assert state.outcome().winners == (0, 1)  # type: ignore[union-attr]


def test_a_play_may_be_as_long_as_its_bound() -> None:
    state = dealt(GAMES["poker"])
    say(state, "bet", "call")
    assert state.outcome().termination is Termination.FINISHED  # type: ignore[union-attr]
    short = load_text(POKER.replace("at most 2 decisions", "at most 1 decisions"))
    state = dealt(short)
    say(state, "bet")
    assert state.is_terminal()
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.termination is Termination.TOO_LONG
    assert outcome.winners == ()
    assert short.max_game_length == 1


SECRET_SET = """cardgame 1
game "Secret set"
    players 2
    at most 3 decisions
card Number(rank: 1..8)
deck in stock
    1 of each Number
zones
    stock:        pile, seen by nobody
    hand[player]: cards, seen by owner
    aside:        cards, seen by nobody
play
    deal 3 from stock to hand[players]
    player 1 chooses secretly
        keep
        hide up to 3 cards given from hand[player 1]
    for p in players
        p chooses
            nod
            wave
    player 1 chooses
        stop
        go
result
    winners = players
"""


@pytest.mark.parametrize("native", [False, pytest.param(True, marks=needs_compiler)], ids=["python", "c"])
def test_picks_of_a_secret_set_lengthen_no_play(native: bool) -> None:
    """The number of decisions and the end of a play are public, so they count a secret set once."""
    game = load_text(SECRET_SET, native=native)
    assert game.max_game_length == 9
    start = dealt(game)
    found = sentences(start, 20)
    assert found is not None
    seen = set()
    for chosen in found:
        state = start.clone()
        counts = [state.num_decisions]
        state.apply_action(chosen.actions)
        while not state.is_terminal():
            counts.append(state.num_decisions)
            state.apply_action(state.legal_actions()[0])
        seen.add((*counts, state.num_decisions, state.information_state_string(1)))
    assert len(seen) == 1
    assert next(iter(seen))[:4] == (0, 1, 2, 3)


def play_all(states: list[State]) -> None:
    for seed, state in enumerate(states):
        play_on(state, Random(seed))


@pytest.mark.parametrize(
    ("name", "ends"),
    [
        ("a loop without decision", Termination.LIVELOCK),
        ("nothing to do", Termination.DEADLOCK),
        ("a pile too short", Termination.FAULT),
    ],
)
def test_a_rule_at_fault_ends_the_play_as_no_result(name: str, ends: Termination) -> None:
    game = load_text(BROKEN[name].text)
    states = [game.new_initial_state() for _ in range(20)]
    with pytest.raises(RuleError) as caught:
        play_all(states)
    fault = caught.value
    assert fault.code == BROKEN[name].code
    assert fault.span is not None
    assert BROKEN[name].line in fault.span.source.line(fault.span.line)
    ended = [s.outcome() for s in states if s.outcome() is not None]
    assert ended[-1] == Outcome(ends, None, (), (0.0, 0.0))
    assert all(o is not None and o.termination is Termination.FINISHED for o in ended[:-1])


# ---- what is known before play


def test_bounds_hold_in_play() -> None:
    for game in (*GAMES.values(), CHALICE):
        for seed in range(5):
            state, rng = game.new_initial_state(), Random(seed)
            while not state.is_terminal():
                if state.is_chance_node():
                    assert len(state.chance_outcomes()) <= game.max_chance_outcomes
                    state.apply_action(rng.choice(state.legal_actions()))
                else:
                    assert all(0 <= a < game.num_distinct_actions for a in state.legal_actions())
                    state.apply_action(rng.choice(state.legal_actions()))
            assert state.num_actions <= game.max_game_length
            low, high = game.utility_range
            assert all(low <= r <= high for r in state.returns())


def test_the_tensor_has_one_layout_for_all_seats() -> None:
    for game in (*GAMES.values(), CHALICE):
        layout = game.observation_layout()
        size = layout[-1][1] + layout[-1][2]
        assert all(a[1] + a[2] == b[1] for a, b in pairwise(layout))
        state, rng = game.new_initial_state(), Random(1)
        while not state.is_terminal():
            for player in range(game.num_players):
                tensor = state.observation_tensor(player)
                assert len(tensor) == size
                assert all(isinstance(x, float) for x in tensor)
                assert tensor[player] == 1.0
            play_on(state, rng, 1)


LIMITED = """cardgame 1

game "Limited"
    players 2
    at most 20 decisions

card Plain(rank: 1..6) written "{rank}"

deck in stock
    2 of each Plain

zones
    stock:        pile, seen by nobody
    purse:        cards, seen by all
    hand[player]: cards at most 6, seen by owner

play
    shuffle stock
    for p in players: deal 6 from stock to hand[p]
    for round in 1..3
        for p in players
            p chooses
                pay up to 3 cards paid from hand[p]
                        such that sum(c.rank for c in paid) <= 4 + count(purse)
                    move paid to purse

result
    winners = highest p in players by count(hand[p])
"""


def test_what_a_copy_can_pick_does_not_change_when_the_other_goes_on() -> None:
    """What is reckoned once for a set that is being chosen reads the zones, which the other changes."""
    state, rng = load_text(LIMITED).new_initial_state(), Random(3)
    state.resolve_chance(rng)
    copies = []
    while not state.is_terminal():
        legal = state.legal_actions()
        copies.append((state.clone(), legal))
        state.apply_action(rng.choice(legal))
    for copied, legal in copies:
        copied._legal = None
        assert copied.legal_actions() == legal
    assert any(copied.is_unfinished() for copied, _ in copies)


def refused(state: State, action: int | str) -> str:
    """Return how a number, or a sentence, is refused."""
    with pytest.raises(IllegalActionError) as caught:
        state.apply_action(state.string_to_action(action) if isinstance(action, str) else action)
    return str(caught.value)


def test_what_is_not_legal_is_named_in_words_also_between_the_steps_of_an_action() -> None:
    state = dealt(CHALICE, 7)
    assert refused(state, 1) == "`discard +C2` is not legal here"
    assert refused(state, "discard W2 W3") == "`discard +W3` is not legal here"
    say(state, "discard +W2")
    assert refused(state, "discard +C1") == "`discard +C1` is not legal here"
    assert refused(state, state.game.num_distinct_actions - 1) == "`lead done` is not legal here"
    assert refused(state, 99_999) == "99999 is not legal here"
    assert refused(play_on(state, Random(1)), 0) == "the play is over"


def test_an_outcome_that_chance_cannot_give_is_named_in_words() -> None:
    state = GAMES["poker"].new_initial_state()
    (first, _), *_ = state.chance_outcomes()
    state.apply_action(first)
    assert refused(state, first) == f"`{state.game.texts.face(first)}` is no outcome here"
    assert refused(state, 99_999) == "99999 is no outcome here"
    assert refused(load_text(DICE).new_initial_state(), 99_999) == "99999 is no outcome here"
