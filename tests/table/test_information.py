"""Equal information states give equal frames, and a frame contains nothing that its seat has not observed."""

from __future__ import annotations

import io
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from cli.terminal.human_agent import HumanAgent, OutOfLines
from interpreter import State, load, load_text
from interpreter.agents import AgentView
from interpreter.engine.faults import IllegalActionError
from interpreter.records.session import Session, random_agents
from interpreter.table.draft import Draft
from interpreter.table.frame import Frame, Reference, SeatFrames, events, frame, reference, schema, to_json
from interpreter.table.information import information_state
from interpreter.table.scores import ScoreExplainer
from interpreter.text import sentences as module
from interpreter.text.names import Names
from interpreter.text.sentences import completes, sentences
from tests.bundled import game as bundled
from tests.cli.running import CHALICE, OFFERS, run
from tests.cli.test_hidden import Typed

LETTERS = """cardgame 1

game "Two Letters"
    players 2
    at most 8 decisions

card Plain(n: 1..4) written "{n}"

deck in stock
    1 of each Plain

zones
    stock, chest: pile, seen by nobody
    hand[player]: slot, seen by owner

state
    picked[player]: 0..2 = 0
    note: 0..4 = 0, seen by nobody

play
    shuffle stock
    deal 1 from stock to hand[players]
    deal 1 from stock to chest
    player 1 chooses secretly
        red_letter
            open_red(player 2)
        blue_letter
            open_blue(player 2)

phase open_red(p: player)
    p chooses "{you} open a door"
        left: picked[p] = 1
        right: picked[p] = 2
    note = (top of chest).n else 0

phase open_blue(p: player)
    state
        tries: 0..2 = 0, seen by nobody
    p chooses "{you} open a door"
        left: picked[p] = 1
        right: picked[p] = 2
    note = tries

result
    score p = if p == player 1 then note else picked[p]
"""
"""What player 2 is asked is one question at two nodes, after which other zones matter."""


def letters(letter: str) -> State:
    """Return the state at which player 2 has been written to."""
    state = load_text(LETTERS).new_initial_state()
    state.resolve_chance(random.Random(3))
    state.apply_action(state.string_to_action(letter))
    return state


def screen(state: State, *typed: str) -> str:
    """Return what the terminal writes for the player to act."""
    written = io.StringIO()
    console = Console(file=written, width=100, highlight=False, markup=False)
    desk = HumanAgent(state.game, console, Typed(typed), (state.to_act,), str, lambda _: "", asks_all=True)
    with pytest.raises(OutOfLines):
        desk.act(AgentView(state))
    return written.getvalue()


def test_what_is_shown_does_not_depend_on_the_node_of_a_decision() -> None:
    red, blue = letters("red_letter"), letters("blue_letter")
    assert red.node != blue.node
    assert information_state(red, 1) == information_state(blue, 1)
    assert to_json(frame(information_state(red, 1))) == to_json(frame(information_state(blue, 1)))
    assert screen(red, "table", "rules", "?", "why", "left left") == screen(
        blue, "table", "rules", "?", "why", "left left"
    )


@pytest.mark.parametrize(
    "name",
    [
        "classics/kuhn_poker",
        "classics/love_letter",
        "chalice_and_wand",
        pytest.param("two_player_wizard", marks=pytest.mark.soak),
    ],
)
def test_worlds_that_look_the_same_to_a_seat_have_equal_frames(name: str) -> None:
    game = bundled(name)
    rng, looked = random.Random(5), random.Random(7)
    compared = 0
    for seed in range(20):
        session = Session(game, random_agents(game, seed), seed)
        while not session.state.is_terminal() and compared < 12:
            state = session.state
            if state.to_act >= 0 and not state.picked() and looked.random() < 0.3:
                world = state.resample_from_infostate(state.to_act, rng, 40)
                compared += world.history() != state.history()
                one, other = (information_state(s, state.to_act) for s in (world, state))
                assert to_json(frame(one)) == to_json(frame(other))
            session.step()
    assert compared > 3


def test_a_spectator_sees_no_card_that_only_some_players_see() -> None:
    session = Session(game := load(CHALICE, options={"hands": "hidden"}), random_agents(game, 1), 1)
    for _ in range(20):
        session.step()
    info = information_state(session.state, None)
    assert info.pending is None
    for zone in info.zones:
        if zone.owner is not None and game.place_viewers[zone.place] != game.everyone:
            assert set(zone.cards) <= {None}
    with pytest.raises(ValueError, match="there is no seat 9"):
        information_state(session.state, 9)


def test_events_can_be_read_from_a_number_on() -> None:
    session = Session(game := bundled("chalice_and_wand"), random_agents(game, 1), 1)
    for _ in range(30):
        session.step()
    info = information_state(session.state, 0)
    whole = events(info)
    assert [event.number for event in whole] == list(range(len(info.events)))
    assert events(info, 5) == whole[5:]
    assert events(info, len(whole)) == ()


def decisions(name: str, seed: int) -> Iterator[State]:
    """Give the states of a play at which a player begins a decision."""
    session = Session(game := bundled(name), random_agents(game, seed), seed)
    while not session.state.is_terminal():
        if session.state.to_act >= 0 and not session.state.is_unfinished():
            yield session.state.clone()
        session.step()


def drafted(draft: Draft, found: set[tuple[int, ...]], seen: set[tuple[int, ...]]) -> None:
    """Collect all decisions that can be made by picking in any order."""
    if draft.actions in seen:
        return
    seen.add(draft.actions)
    if draft.complete:
        found.add(draft.actions)
        return
    for option in draft.options():
        drafted(draft.pick(option.action), found, seen)


@pytest.mark.parametrize("name", ["chalice_and_wand", "wizards_duel", "classics/go_fish"])
def test_drafts_reach_exactly_the_sentences_of_a_decision(name: str) -> None:
    compared = 0
    for state in decisions(name, 2):
        listed = sentences(state, 40)
        if listed is None:
            continue
        found: set[tuple[int, ...]] = set()
        drafted(Draft(state), found, set())
        assert found == {sentence.actions for sentence in listed}
        compared += len(listed)
        if compared > 150:
            break
    assert compared > 10


def test_decisions_are_listed_up_to_a_limit_and_too_many_are_noticed_early(monkeypatch: pytest.MonkeyPatch) -> None:
    state = next(s for s in decisions("chalice_and_wand", 1) if sentences(s, 12) is None)
    listed = sentences(state, 10_000)
    steps: list[int] = []
    assert listed is not None
    assert sentences(state, len(listed)) == listed
    assert sentences(state, len(listed) - 1) is None
    unfinished = module.unfinished

    def counted(here: Any, action: int) -> Any:
        steps.append(action)
        return unfinished(here, action)

    monkeypatch.setattr(module, "unfinished", counted)
    assert sentences(state, 12) is None
    assert len(steps) < 12 < len(listed)


def test_a_draft_is_changed_in_any_order_and_says_why_a_card_cannot_be_picked() -> None:
    state = next(s for s in decisions("chalice_and_wand", 1) if sentences(s, 12) is None)
    draft = Draft(state)
    first, second, *_ = [o.action for o in draft.options() if "+" in state.game.texts.action(o.action)]
    both = draft.pick(second).pick(first)
    assert both.actions == (first, second)
    assert both.unpick(second).actions == (first,)
    assert draft.actions == ()
    with pytest.raises(IllegalActionError):
        both.pick(first)
    with pytest.raises(IllegalActionError):
        draft.unpick(first)
    assert both.why_not(first).message
    assert not draft.why_not(first).message


def test_the_last_card_of_the_deck_can_be_picked_first_in_a_set_of_fixed_size() -> None:
    state = next(decisions("arcanity", 1))
    draft = Draft(state)
    cards = [option.action for option in draft.options()]
    assert len(cards) == 10  # Of a hand of ten, three are passed; the machine takes them in the order of the deck.
    assert cards[-1] not in state.legal_actions()
    begun = draft.pick(cards[-1])
    assert not begun.complete
    assert begun.text.startswith("pass ")
    assert begun.actions == (cards[-1],)
    whole = begun.pick(cards[5]).pick(cards[0])
    assert whole.complete
    assert whole.actions == (cards[0], cards[5], cards[-1])
    assert whole.unpick(cards[0]).actions == (cards[5], cards[-1])
    with pytest.raises(IllegalActionError):
        begun.pick(cards[-1])


GIFTS = """cardgame 1

game "Gifts"
    players 2

card Plain(n: 1..4) written "{n}"

deck in stock
    1 of each Plain

zones
    stock: pile, seen by nobody
    hand[player], laid[player]: cards, seen by all

play
    deal 4 from stock to hand[player 1]
    for p in players where p == player 1
        p chooses "{you} give cards"
            give 1 cards one from hand[p], 1 cards two from hand[p], card c from hand[p], card d from hand[p]
                move one to laid[p]

result
    score p = count(laid[p])
"""


def test_every_argument_of_an_action_lists_all_cards_that_some_decision_gives_it() -> None:
    state = load_text(GIFTS).new_initial_state()
    pending = information_state(state, 0).pending
    assert pending is not None
    (part,) = pending.parts
    assert [slot.words for slot in part.slots] == [("1", "2", "3", "4")] * 4
    assert [slot.place for slot in part.slots] == [part.slots[0].place] * 4
    assert part.slots[0].place is not None


def fits(value: Any, kind: dict[str, Any], definitions: dict[str, Any]) -> bool:
    """Say whether plain data is as a JSON Schema says, of the few words that ours uses."""
    if "$ref" in kind:
        return fits(value, definitions[kind["$ref"].rpartition("/")[2]], definitions)
    if "anyOf" in kind:
        return any(fits(value, one, definitions) for one in kind["anyOf"])
    match kind.get("type"):
        case "object" if "properties" in kind:
            return (
                isinstance(value, dict)
                and list(value) == kind["required"]
                and all(fits(value[name], of, definitions) for name, of in kind["properties"].items())
            )
        case "object":
            return isinstance(value, dict) and all(
                fits(one, kind["additionalProperties"], definitions) for one in value.values()
            )
        case "array":
            return isinstance(value, list) and all(fits(one, kind["items"], definitions) for one in value)
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        case "string":
            return isinstance(value, str)
        case "boolean":
            return isinstance(value, bool)
        case "null":
            return value is None
        case None:
            return isinstance(value, int | str | bool | list | None)
    raise AssertionError(kind)


def test_frames_follow_their_schema() -> None:
    kinds = [(Frame, schema(Frame)), (Reference, schema(Reference))]
    assert not fits({"version": 1}, kinds[0][1], kinds[0][1]["$defs"])
    for name in ("chalice_and_wand", "arcanity", "classics/go_fish"):
        told = json.loads(to_json(reference(bundled(name))))
        assert fits(told, kinds[1][1], kinds[1][1]["$defs"])
        for state in list(decisions(name, 3))[::20]:
            for seat in (None, *range(state.game.num_players)):
                shown = json.loads(to_json(frame(information_state(state, seat))))
                assert fits(shown, kinds[0][1], kinds[0][1]["$defs"])


@pytest.mark.parametrize("name", ["chalice_and_wand", "classics/hearts"])
def test_frames_made_one_after_another_equal_frames_made_anew(name: str) -> None:
    """Also where a decision is taken back, players are renamed, and nothing changes."""
    states = list(decisions(name, 3))[:120:3]
    for seat in (None, 1):
        made, explainer = SeatFrames(), None if seat is None else ScoreExplainer(states[0].game, seat)
        for number, state in enumerate([*states, states[-1], states[7]]):
            info, names = information_state(state, seat), Names({0: "Ada"} if number % 9 > 5 else {})
            scores = {} if explainer is None else explainer.explained(state, info)
            since = max(0, len(info.events) - 40)
            for _ in range(2):
                assert made.json(info, since, names, scores) == to_json(frame(info, since, names, scores))


@pytest.mark.parametrize("name", ["chalice_and_wand", "classics/gin_rummy"])
def test_an_action_that_always_completes_its_decision_does(name: str) -> None:
    found = set()
    for state in list(decisions(name, 3))[:40]:
        for action in state.legal_actions():
            decision = state.decision_data()
            assert decision is not None
            following = state.clone()
            following.apply_action(action)
            found.add((completes(decision, action), following.is_unfinished()))
    assert found == {(True, False), (False, True)}


def test_the_table_is_a_stage_of_dump() -> None:
    dumped = json.loads(run("dump", "classics/kuhn_poker", "--stage", "table").stdout)
    assert [option["words"] for option in dumped["frame"]["pending"]["options"]] == [["pass"], ["bet"]]
    assert dumped["schema"]["frame"] == json.loads(json.dumps(schema(Frame)))
    assert dumped["reference"]["title"] == "Kuhn Poker"


def test_the_page_on_the_table_names_every_field() -> None:
    page = (Path(__file__).parents[2] / "docs" / "table.md").read_text(encoding="utf-8")
    for kind in (Frame, Reference):
        for name, definition in schema(kind)["$defs"].items():
            assert f"`{name}`" in page, name
            for field in definition["properties"]:
                assert re.search(rf"`{field}`", page), (name, field)


def test_notebooks_show_what_everybody_sees_and_escape_texts() -> None:
    game = load_text(OFFERS.replace('game "', 'game "<b>&'), 2)
    assert "<b>" not in game._repr_html_()
    assert "&lt;b&gt;&amp;" in game._repr_html_()
    state = game.new_initial_state()
    state.resolve_chance(random.Random(1))
    shown = state._repr_html_()
    assert "<b>" not in shown
    assert "unseen" in shown
    for zone in state.observation(0).zones:
        if zone.owner == 0 and zone.cards and game.place_viewers[zone.place] != game.everyone:
            assert not any(f">{game.texts.face(face)}<" in shown for face in zone.cards)
