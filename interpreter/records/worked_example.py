"""Worked examples of the end of a game: seeded plays of random moves, with the numbers of the engine.

An example shows how the last points were scored, part by part, and who won.  The play is over, so all cards are shown.
A game that can end at once, by `end game`, gets an example of that and one of a play that goes on to its last step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.symbols import Zone
from interpreter.analysis.types import Player, base_of
from interpreter.engine.faults import RuleError
from interpreter.engine.game import Game, State
from interpreter.engine.outcome import Outcome, Termination
from interpreter.english.words import capital, integer, is_adjective, number_of_words, with_kind, words
from interpreter.knowledge.events import Assigned, Chosen
from interpreter.records.session import Session, random_agents
from interpreter.rulebook.page import Block, Heading, Paragraph, Row, Table, plain, verbatim
from interpreter.table.reasons import UNKNOWN_PROVENANCE, ProvenanceRecorder, Sum, scoring_variables
from interpreter.table.reference import MOST_WORDS, addressed

SEEDS = range(1, 21)
"""Plays that are tried; the first that ends by the rules is shown, if possible one with a winner."""
FURTHER = 6
"""So many of them are tried where one of each way to end is wanted and one is there."""
MOST_CARDS = 26
"""Cards of a place that are listed; of more the number is shown."""


@attrs.frozen
class _Scoring:
    """A number of the result that changed: whose it is, its variable, and of what the change is made."""

    whose: str
    variable: str
    before: int
    after: int
    sums: tuple[Sum, ...]


@attrs.frozen
class _Play:
    """A play that ended by the rules, and whether it ended at once."""

    state: State
    outcome: Outcome
    recorder: ProvenanceRecorder
    seed: int
    at_once: bool


def worked_example(game: Game, phrases: Mapping[Span, str]) -> tuple[Block, ...]:
    """Return the examples of a game, nothing where no play ends by the rules.

    `phrases` are the rulebook's words for values, by where they stand in the spec.
    """
    blocks: list[Block] = []
    count = f"{game.num_players} players" if game.num_players > 1 else "1 player"
    plays = _plays(game)
    for play in plays:
        lead = f"The computer played this game with {count}; all moves were chosen at random (seed {play.seed})."
        if blocks:
            lead = f"Another play, with the seed {play.seed}."
        if len(plays) > 1:
            last = next(e for e in reversed(play.recorder.log) if isinstance(e, Chosen))
            way = f"The game ends at once when player {last.player + 1} chooses to {words(last.verb)}."
            lead += f" {way}" if play.at_once else " The game goes on to the last step of the sequence of play."
        blocks += [Paragraph(lead)]
        if scorings := _last_scorings(game, play.recorder):
            rows = tuple(_scoring_row(game, one, phrases) for one in scorings)
            whose = "Player" if all(one.whose.isdecimal() for one in scorings) else "Whose"
            blocks += [Paragraph("The last changes of the numbers that decide the result:"),
                       Table((whose, "Number", "Before", "Change", "After"), rows)]  # fmt: skip
        blocks += [Paragraph("The game ends like this:"), _final(game, play.state, play.outcome)]
    return (Heading("Example", 3), *blocks) if blocks else ()


def _plays(game: Game) -> list[_Play]:
    """Return the plays to show: one, or one of each way to end; if possible with a winner."""
    found: dict[bool, _Play] = {}
    ends = _before_an_end(game)
    for seed in SEEDS:
        session = Session(game, random_agents(game, seed), seed, take_forced=True)
        try:
            outcome = session.play()
        except RuleError:
            continue
        if outcome.termination is not Termination.FINISHED:
            continue
        recorder = ProvenanceRecorder(game, None, 0)
        recorder.begin()
        for item in session.state.entries[1::2]:
            if recorder.to_act >= 0:
                recorder.apply_unchecked(item)
            else:
                recorder.apply_item(item)
        last = max((n for n, (span, *_) in recorder.recorded.items() if span is not None), default=None)
        at_once = last is not None and recorder.recorded[last][0] in ends
        known = found.get(at_once)
        if known is None or (outcome.winners and not known.outcome.winners):
            found[at_once] = _Play(session.state, outcome, recorder, seed, at_once)
        decided = all(p.outcome.winners or p.outcome.cooperative for p in found.values())
        if decided and (len(found) > bool(ends) or seed > FURTHER):
            break
    return sorted(found.values(), key=lambda play: play.seed)


def _before_an_end(game: Game) -> set[Span]:
    """Return the statements next to an `end game`: where the last event of a play comes from one, the game ended so."""
    found: set[Span] = set()
    waiting = [phase.body for phase in game.rules.every_phase]
    while waiting:
        block = waiting.pop()
        tests = [inner for stmt in block if isinstance(stmt, core.If) for inner in core.blocks_inside(stmt)]
        if any(isinstance(stmt, core.End) and stmt.phase is None for part in (block, *tests) for stmt in part):
            found |= {stmt.span for stmt in core.statements(block)}
        waiting += [inner for stmt in block for inner in core.blocks_inside(stmt)]
    return found


def _zones_read(game: Game) -> set[Zone]:
    """Return the zones that the result reads."""
    parts = [p for line in game.rules.results if line.what != "returns" for p in core.walk_with_definitions(line.value)]
    return {p.zone for p in parts if isinstance(p, core.ZoneRef)}


def _last_scorings(game: Game, recorder: ProvenanceRecorder) -> list[_Scoring]:
    """Return the changes of the numbers of the result after the last decision that changed one, worked out in full."""
    variables = scoring_variables(game)
    found: list[_Scoring] = []
    fresh = True
    for number, event in enumerate(recorder.log):
        match event:
            case Chosen():
                fresh = True
            case Assigned(place=place, value=after, before=before, first=False) if (
                game.variables[place][0] in variables and after is not None and before is not None
            ):
                found, fresh = ([] if fresh else found), False
                slot = game.data.slots[place]
                player = slot.index and isinstance(base_of(slot.types[0]), Player)
                whose = str(slot.index[0] + 1) if player else (
                    game.texts.value(slot.types[0], slot.index[0]) if slot.index else "all")  # fmt: skip
                sums = recorder.recorded.get(number, UNKNOWN_PROVENANCE)[1]
                found.append(_Scoring(whose, slot.variable, before, after, sums))
            case _:  # No other event changes a number.
                pass
    return found


def _scoring_row(game: Game, one: _Scoring, phrases: Mapping[Span, str]) -> Row:
    change = one.after - one.before
    parts = []
    owner = int(one.whose) - 1 if one.whose.isdecimal() else None
    for part in (p for made in one.sums for p in made.parts):
        name = addressed(phrases.get(part.span, ""), part, owner, owner)
        name = "" if plain(name).isdecimal() else name
        name = name if part.face is None else f"`{verbatim(game.texts.face(part.face))}`"
        name = name if number_of_words(name) <= MOST_WORDS else ""
        number = integer(-part.value if part.minus else part.value)
        minus = "minus " if part.minus else ""
        parts.append(number if not name or plain(name) == number else f"{minus}{name}: {integer(part.value)}")
    said = integer(change) if change <= 0 else f"+{change}"
    because = f" ({'; '.join(parts)})" if parts and parts != [integer(change)] else ""
    return Row((one.whose, words(one.variable), integer(one.before), said + because, integer(one.after)))


def _final(game: Game, state: State, outcome: Outcome) -> Table:
    """Return the last table: the cards that count, the score, and who won."""
    shown = [z for z in sorted(_zones_read(game), key=lambda z: z.base) if len(z.indices) <= 1]
    shown = [z for z in shown if any(state.zones[n] for n in range(z.base, z.base + z.places))]
    called = {z: f"{words(z.name)} cards" if is_adjective(z.name) else with_kind(z.name, z.kind) for z in shown}
    head = ["Player", *(capital(called[z]) for z in shown)]
    head += ["Score"] if outcome.scores is not None else []
    head += [] if outcome.cooperative else ["Result"]
    negated = any(line.what == "score" and _is_negative(line.value) for line in game.rules.results)
    sign = -1 if negated else 1  # The book says that the lowest wins.
    rows = []
    for player in range(1 if outcome.cooperative else game.num_players):
        cells = ["all" if outcome.cooperative else str(player + 1)]
        for zone in shown:
            place = zone.base + (player if zone.owner_index is not None else 0)
            cells.append(_cards(game, state.zones[place]))
        cells += [f"**{integer(sign * outcome.scores[player])}**"] if outcome.scores is not None else []
        if not outcome.cooperative:
            cells.append("wins" if player in outcome.winners else "" if outcome.winners else "draw")
        rows.append(Row(tuple(cells)))
    return Table(tuple(head), tuple(rows))


def _is_negative(value: core.Expr) -> bool:
    """Whether a value is minus a variable, which core writes as 0 minus that."""
    match value:
        case core.Op(op="-", args=(core.Const(value=0), core.VarRef())):
            return True
    return False


def _cards(game: Game, cards: Sequence[int]) -> str:
    if len(cards) > MOST_CARDS:
        return f"{len(cards)} cards"
    faces = sorted(game.card_faces[card] for card in cards)
    return " ".join(f"`{verbatim(game.texts.face(face))}`" for face in faces) or "none"
