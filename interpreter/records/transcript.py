"""Transcripts: a play as text, which people read and `replay` checks.

A transcript (playthrough) begins with what the play needs to be dealt again: format, spec, digest,
players, options, seed.  Then comes every chance event and every decision with what was reported by it, and
before each decision what the player to act saw; at the end the rules reached and the outcome.  All of
it follows from the head and the decisions, so `replay` computes it again and compares line by line.
It shows hidden cards, so it belongs to plays that are over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

import attrs

from grammar.diagnostics import CardgameError
from interpreter.engine.faults import RuleError
from interpreter.english.words import by_number
from interpreter.knowledge.events import Assigned, Event, Eyes
from interpreter.records.retelling import Said, retell
from interpreter.records.saves import MOST_PLAYERS, replay_decisions
from interpreter.records.session import Session, random_agents, resolve_from_seed
from interpreter.text.names import Names
from interpreter.text.narrate import narrate

if TYPE_CHECKING:
    from collections.abc import Callable

    from interpreter.engine.game import Game, State
    from interpreter.engine.machine import HistoryItem

FIRST_LINE = "cardgame transcript 1"
_HEAD = re.compile(r"(spec|digest|game|players|seed): (.*)")
_OPTION = re.compile(r"option (\S+) = (.*)")
_SEAT = re.compile(r"seat (\d{1,9}): (.{1,100})")
_NAME = re.compile(r"name (\d{1,9}): (.*)")
_DECISION = re.compile(r"\d+ (?:player (\d{1,9})|([^\W\d_][\w'-]*)): (.*)")


class TranscriptError(CardgameError, ValueError):
    """A file that is no transcript, or a damaged one."""


@attrs.frozen
class Head:
    """The data with which a play can be dealt again.  `decisions` are (line of the file, player from 0, sentence).

    `seats` say who played, by player, as they were written down.
    """

    spec: str
    digest: str
    players: int
    options: dict[str, str]
    seed: int
    decisions: tuple[tuple[int, int, str], ...]
    names: Names = attrs.field(factory=Names)
    seats: dict[int, str] = attrs.field(factory=dict)


@attrs.frozen
class Difference:
    """The first line, counted from 1, where a transcript is not what its play gives; None where a text ends."""

    line: int
    written: str | None
    computed: str | None


# ---- writing


def playthrough(game: Game, seed: int, spec: str | None = None) -> str:
    """Return the transcript of a play in which every player chooses at random.

    `spec` is what the head calls the spec; by default the name of its file without folder and ending.
    """
    session = Session(game, random_agents(game, seed), seed)
    session.play()
    return record(game, spec or _plain_name(game), seed, [item for _, item in session.state.history()])


def _plain_name(game: Game) -> str:
    name: str = re.split(r"[/\\]", game.rules.source_name)[-1]
    return name.removesuffix(".cardgame")


def record(
    game: Game,
    spec: str,
    seed: int,
    history: Iterable[HistoryItem],
    names: Names | None = None,
    seats: Mapping[int, str] | None = None,
) -> str:
    """Return the transcript of a play from its history; a fault of the rules ends it as a line of its own.

    Players who have a name are called by it.  `seats` say who played, where that is known, by player.
    """
    return "\n".join(_lines(game, spec, seed, history, names or Names(), seats or {})) + "\n"


def _lines(
    game: Game, spec: str, seed: int, history: Iterable[HistoryItem], names: Names, seats: Mapping[int, str]
) -> Iterator[str]:
    yield FIRST_LINE
    yield f"spec: {spec}"
    yield f"digest: {game.digest}"
    yield f"game: {game.title}"
    yield f"players: {game.num_players}"
    for name, value in game.option_texts().items():
        yield f"option {name} = {value}"
    for player, name in sorted(names.by_player.items()):
        yield f"name {player + 1}: {name}"
    for player, who in sorted(seats.items()):
        yield f"seat {player + 1}: {who}"
    yield f"seed: {seed}"
    shown = 0
    state: State | None = None
    for number, said in enumerate(retell(game, history), 1):
        yield ""
        yield from _said(number, said, names)
        if said.fault is not None:
            yield f"fault: {said.fault.code} {said.fault.message}"
            return
        events = said.after.events()
        yield from map(names.put, _event_lines(game, events[shown:]))
        shown = len(events)
        state = said.after
    yield ""
    if state is None or not state.is_terminal():
        yield "unfinished"
        return
    yield from map(names.put, _end(state))


def _said(number: int, said: Said, names: Names) -> Iterator[str]:
    if said.actor < 0:
        yield f"{number} chance: {said.text}"
        return
    before = said.before
    for line in before.observation_string(said.actor).splitlines():
        yield f"    {names.put(line)}"
    yield f"    asked: {names.put(before.prompt())}"
    yield f"    legal: {', '.join(before.action_to_string(a) for a in before.legal_actions())}"
    yield f"{number} {names.of(said.actor)}: {said.text}{'' if said.whole else ' ...'}"


def _event_lines(game: Game, events: list[Event]) -> Iterator[str]:
    """Yield events as they were, each followed by what those saw who did not see all of it."""
    everything = Eyes(lambda _viewers: True, game.num_players + 1)
    for event in events:
        if isinstance(event, Assigned) and event.first:
            continue  # The first values of a phase are in the rules.
        known = event.view(everything) or event
        whole = narrate(game, known)
        yield f"  {whole}"
        views = [event.seen_by(p) for p in range(game.num_players)]
        said = ["nothing" if view is None else narrate(game, view) for view in views]
        for seen in dict.fromkeys(v for v in said if v != whole):
            yield f"    {by_number([p for p, v in enumerate(said) if v == seen])} saw: {seen}"


def _end(state: State) -> Iterator[str]:
    outcome = state.outcome()
    assert outcome is not None
    tags = sorted(state.reached(), key=_by_number)
    yield f"rules reached: {' '.join(tags) or 'none'}"
    yield f"decisions: {state.num_actions} small actions"
    yield f"ended: {outcome.termination.value}"
    if outcome.scores is not None:
        yield f"scores: {' '.join(map(str, outcome.scores))}"
    if not outcome.cooperative:
        yield f"winners: {' '.join(str(w + 1) for w in outcome.winners) or 'none'}"
    yield f"returns: {' '.join(f'{r:g}' for r in outcome.returns)}"
    yield f"outcome: {outcome.describe()}"


def _by_number(tag: str) -> tuple[str | int, ...]:
    """Return a key that puts R2 before R10."""
    return tuple(part.zfill(9) if part.isdigit() else part for part in re.split(r"(\d+)", tag))


# ---- reading


def read_head(text: str) -> Head:
    """Return what a transcript says is needed to play it again.  Raises TranscriptError."""
    lines = text.splitlines()
    if not lines or lines[0].strip() != FIRST_LINE:
        raise TranscriptError(f"this is no transcript: its first line is not `{FIRST_LINE}`")
    found: dict[str, str] = {}
    options: dict[str, str] = {}
    decisions: list[tuple[int, int, str]] = []
    named: dict[str, int] = {}
    seats: dict[int, str] = {}
    for number, line in enumerate(lines[1:], 2):
        if head := _HEAD.fullmatch(line):
            found.setdefault(head[1], head[2])
        elif option := _OPTION.fullmatch(line):
            options[option[1]] = option[2]
        elif not decisions and (name := _NAME.fullmatch(line)):
            named[name[2]] = int(name[1]) - 1
        elif not decisions and (seat := _SEAT.fullmatch(line)):
            seats.setdefault(int(seat[1]) - 1, seat[2])
        elif decision := _DECISION.fullmatch(line):
            player = int(decision[1]) - 1 if decision[1] else named.get(decision[2])
            if player is not None:
                decisions.append((number, player, decision[3]))
    for key in ("spec", "digest", "players", "seed"):
        if key not in found:
            raise TranscriptError(f"this transcript is damaged: its head does not say `{key}: ..`")
    for key in ("players", "seed"):
        if not re.fullmatch(r"-?\d{1,30}", found[key]):
            raise TranscriptError(f"this transcript is damaged: `{key}: {found[key]}` is no number")
    if not 1 <= int(found["players"]) <= MOST_PLAYERS:
        raise TranscriptError(f"this transcript is damaged: nobody plays with {found['players']} players")
    try:
        names = Names({player: name for name, player in named.items()})
    except ValueError as error:
        raise TranscriptError(f"this transcript is damaged: {error}") from None
    return Head(
        found["spec"],
        found["digest"],
        int(found["players"]),
        options,
        int(found["seed"]),
        tuple(decisions),
        names,
        seats,
    )


def replay(text: str, load: Callable[[Head], Game]) -> Difference | None:
    """Play a transcript again; return the first difference, None where every line is the same.

    `load` finds the game of a head.  Raises TranscriptError where the play cannot be carried out.
    """
    head = read_head(text)
    game = load(head)
    if head.digest != game.digest:
        line = text.splitlines().index(f"digest: {head.digest}") + 1
        return Difference(line, f"digest: {head.digest}", f"digest: {game.digest}")
    found = replay_decisions(game, head.seed, [(player, sentence) for _, player, sentence in head.decisions])
    if not found.divergence and found.state.is_chance_node():
        with suppress(RuleError):  # `record` meets the same fault and writes it down.
            resolve_from_seed(found.state, head.seed)
    computed = record(game, head.spec, head.seed, [item for _, item in found.state.history()], head.names, head.seats)
    if not found.divergence or found.fault is not None:
        return first_difference(text, computed)
    line, _, sentence = head.decisions[found.decisions]
    why = found.state.explain(sentence).message if found.state.current_player() >= 0 else ""
    what = f"{found.divergence}: {why}" if why else found.divergence
    # An earlier line may differ already; the line that says "unfinished" is left out.
    done = computed.splitlines()[:-1]
    earlier = first_difference("\n".join(text.splitlines()[: len(done)]), "\n".join(done))
    if earlier is None or earlier.line >= line:
        raise TranscriptError(f"line {line}: {what}")
    return earlier


def first_difference(written: str, computed: str) -> Difference | None:
    """Return the first line in which two texts differ."""
    left, right = written.splitlines(), computed.splitlines()
    if left == right:
        return None
    line = next((n for n, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right)))
    return Difference(
        line + 1, left[line] if line < len(left) else None, right[line] if line < len(right) else None
    )  # fmt: skip
