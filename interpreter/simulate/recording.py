"""Play games of which statistics are counted: random plays in C, all others in Python.

Both count by `interpreter.simulate.collecting`.  Who leads is read from a copy that the rules bring to its end; where
that needs a card that nobody has drawn, or breaks a rule, nobody leads.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from ctypes import c_int64
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

import attrs

from interpreter.engine.faults import RuleError
from interpreter.engine.logged import log_of
from interpreter.engine.machine import Machine
from interpreter.engine.outcome import Outcome
from interpreter.native.plays import NativeGame
from interpreter.program.layout import hands_of
from interpreter.program.nodes import Decision
from interpreter.simulate import collecting
from interpreter.simulate.printing import print_c

if TYPE_CHECKING:
    from interpreter.engine.game import Game

Of = TypeVar("Of", bound=Machine)

NONE = -(2**63)
"""The placeholder for a number that does not exist."""

MEASURES = (
    "decisions", "forced", "legal", "turns", "rounds", "wait", "changes", "settled", "deficit", "led", "moved", "moves",
)  # fmt: skip
"""The first numbers of a play, in order; three numbers for each seat follow."""


@attrs.frozen
class Row:
    """One play: how it ended, its small actions, and its `numbers`.

    These are what `MEASURES` says, the decisions of each seat, what each seat won, and what it won in a second play of
    the same deal (`NONE` where there was none).
    """

    outcome: Outcome
    length: int
    numbers: Sequence[int]


@attrs.frozen(eq=False)
class Layout:
    """Offsets in the totals of a game."""

    game: Game

    @property
    def players(self) -> int:
        """How many players there are."""
        return self.game.num_players

    @cached_property
    def actions(self) -> int:
        """How many small actions there are."""
        return max(1, self.game.num_distinct_actions)

    @cached_property
    def tags(self) -> tuple[str, ...]:
        """The rule tags, in their order."""
        return self.game.rules.tag_names

    @property
    def moments(self) -> int:
        """How many numbers the moments of one thing are."""
        return self.players + 4

    @cached_property
    def places(self) -> list[int]:
        """Where each part of the totals begins, and where the last one ends (`collecting`)."""
        game, found = self.game, [0] * (collecting.TOTALS + 1)
        faces, nodes = max(1, game.num_faces), len(game.program.nodes)
        collecting.find_parts(found, self.actions, faces, nodes, len(game.shapes), len(self.tags), self.players)
        return found

    @cached_property
    def parts(self) -> dict[str, slice]:
        """The parts of the totals."""
        names = ("offered", "taken", "by action", "by face", "by node", "by block", "by tag")
        return dict(zip(names, map(slice, self.places, self.places[1:]), strict=False))

    @property
    def totals(self) -> int:
        """How many numbers the totals are."""
        return self.places[collecting.TOTALS]

    @cached_property
    def hands(self) -> list[tuple[int, int]]:
        """The places that are hands, with their owners."""
        return hands_of(self.game.program.rules)

    @cached_property
    def blocks(self) -> dict[int, int]:
        """The number of the block that each small action belongs to."""
        blocks = enumerate(self.game.shapes)
        return {action: number for number, b in blocks for action in range(b.base, b.base + b.size)}

    @cached_property
    def begins(self) -> frozenset[int]:
        """The nodes at which a whole decision begins."""
        nodes = self.game.program.nodes
        return frozenset(n.number for n in nodes if isinstance(n, Decision) and n.only is None)


class Recorder:
    """Plays one game in Python and counts its plays into `totals`."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.game = layout.game
        self.totals = [0] * layout.totals
        self._plays = 0
        self._last = [-1] * (len(self.game.shapes) + len(self.game.program.nodes))
        """In which play each block was met last, and each node."""

    def play(self, state: Of, settle: Callable[[Of], None], choose: Callable[[Of], int | Sequence[int]]) -> Row:
        """Play on from a beginning whose chance is settled, and count it.

        `settle` answers the chance that waits; `choose` gives a small action of the player to act, or several.  Raises
        RuleError, IllegalActionError.
        """
        layout, totals, parts, count = self.layout, self.totals, self.layout.places, self.layout.players
        play = [0] * (collecting.SEATS + collecting.LISTS * count)
        collecting.begin_play(play, count)
        did: list[set[int]] = [set() for _ in range(count)]
        held: list[set[int]] = [set() for _ in range(count)]
        waiting: list[int] = []
        while not state.is_terminal():
            legal, player = state.legal_actions(), state.current_player()
            for action in legal:
                totals[action] += 1
            if state.node in layout.begins:
                self._count_decision(state, play, len(legal), held)
            if len(legal) != 1:
                play[collecting.ALONE] = 0
            if not waiting:
                chosen = choose(state)
                waiting = [chosen] if isinstance(chosen, int) else list(chosen)
            action = waiting.pop(0)
            state.apply_action(action)
            totals[parts[collecting.TAKEN] + action] += 1
            block = layout.blocks[action]
            collecting.count_once(self._last, block, self._plays, totals, parts[collecting.BY_BLOCK] + block)
            did[player].add(action)
            settle(state)
        outcome = state.outcome()
        assert outcome is not None
        collecting.end_play(play, totals, parts, bits(outcome.winners))
        if outcome.scores is not None:
            collecting.compare_winner(play, count, bits(outcome.winners), list(outcome.scores))
        self._write_worth(play, collecting.WORTH, outcome)
        for part, things in ((collecting.BY_ACTION, did), (collecting.BY_FACE, map(self._faces, held))):
            for thing, seats in _seats_of(things).items():
                collecting.weigh(play, totals, parts[part] + thing * layout.moments, count, seats)
        reached = self.reached(state)
        for place, tag in enumerate(layout.tags, parts[collecting.BY_TAG]):
            totals[place] += tag in reached
        self._plays += 1
        self._write_worth(play, collecting.AGAIN, None)
        return Row(outcome, state.num_actions, play[collecting.DECISIONS : collecting.SEATS + 3 * count])

    def with_second(self, row: Row, outcome: Outcome) -> Row:
        """Return a row with what was won in a second play of the same deal."""
        play = [0] * collecting.DECISIONS + list(row.numbers)
        self._write_worth(play, collecting.AGAIN, outcome)
        return attrs.evolve(row, numbers=play[collecting.DECISIONS :])

    def _count_decision(self, state: Machine, play: list[int], legal: int, held: Sequence[set[int]]) -> None:
        """Count the beginning of a whole decision, and of a turn if it begins one; note which cards hands hold."""
        layout, node, player = self.layout, state.node, state.current_player()
        parts, count = layout.places, layout.players
        collecting.count_decision(play, self.totals, parts, count, player, node, legal)
        total = parts[collecting.BY_NODE] + 4 * node + 3
        collecting.count_once(self._last, len(self.game.shapes) + node, self._plays, self.totals, total)
        for place, owner in layout.hands:
            held[owner].update(self.cards_in(state, place))
        if player != play[collecting.LAST]:
            standing = None if self.game.cooperative or count == 1 else self.standing(state)
            if standing is not None and standing.scores is not None:
                collecting.compare_scores(play, count, list(standing.scores))
            collecting.count_turn(play, count, player, 0 if standing is None else bits(standing.winners))

    def _write_worth(self, play: list[int], which: int, outcome: Outcome | None) -> None:
        """Write what each seat won into a list of a play; `NONE` without an outcome."""
        count = self.layout.players
        if outcome is None:
            start = collecting.SEATS + which * count
            play[start : start + count] = [NONE] * count
        elif outcome.cooperative:
            collecting.share_score(play, which, count, list(outcome.scores or (0,) * count))
        else:
            collecting.share_win(play, which, count, bits(outcome.winners))

    def cards_in(self, state: Machine, place: int) -> Sequence[int]:
        """Return the cards that lie in a place; a number that is no card represents one that nobody has drawn."""
        return state.zones[place]

    def standing(self, state: Machine) -> Outcome | None:
        """Return how a play would have ended if it ended now; None where that is not known."""
        copy = state.clone()
        copy.steps = 0
        try:
            copy._run(copy.game.final)
        except RuleError:
            return None
        return copy.result

    def reached(self, state: Machine) -> frozenset[str]:
        """Return the rule tags that a play has reached at its end."""
        return frozenset(log_of(state).tags)

    def _faces(self, cards: Iterable[int]) -> set[int]:
        return {self.game.card_faces[card] for card in cards if card < self.game.num_cards}


def _seats_of(things: Iterable[set[int]]) -> dict[int, int]:
    """Return things that players had, each with the bits of these players."""
    found: dict[int, int] = {}
    for player, had in enumerate(things):
        for thing in had:
            found[thing] = found.get(thing, 0) | 1 << player
    return found


def bits(players: Iterable[int]) -> int:
    """Return players as bits."""
    return sum(1 << p for p in players)


def margin_of(outcome: Outcome) -> int | None:
    """Return how far the winner's score is from the next, on the side on which it wins; None without scores."""
    if outcome.scores is None or len(outcome.scores) < 2:
        return None
    ranked = sorted(outcome.scores)
    if outcome.winners and outcome.scores[outcome.winners[0]] == ranked[0] != ranked[-1]:
        return ranked[1] - ranked[0]
    return ranked[-1] - ranked[-2]


class CountedGame(NativeGame):
    """The library of one game that counts random plays; plain plays pay nothing for it.

    Raises NativeUnavailableError.
    """

    kind = "counting"

    @staticmethod
    def headers() -> dict[str, str]:
        """Return the header of the functions that count."""
        return {"collecting.h": print_c(inspect.getsource(collecting))}

    def counted(self, layout: Layout, seed: int, first: int, count: int) -> tuple[list[int], list[Row]]:
        """Return what so many plays from number `first` on come to: the totals, and a row for each play.

        Raises RuleError where a rule could not be carried out.
        """
        width = self.calls.game_row()
        totals, written = (c_int64 * layout.totals)(), (c_int64 * max(1, width * count))()
        done = self.calls.game_counted(seed, first, count, totals, written)
        numbers = list(written)
        if done < 0:
            raise self.fault(numbers[width * (-done - 1)])
        rows = [numbers[start : start + width] for start in range(0, width * count, width)]
        return list(totals), [Row(self.outcome(row), row[1], row[self.row :]) for row in rows]
