"""Play a game many times, on as many processes or machines as there are: work is a range of numbers of plays.

A play is made by the seed of the run and its number, so it is the same wherever it is played, and what plays come to
is whole numbers that add up (`interpreter.simulate.counts`).  Executors are given blocks of plays
(`interpreter.sharing`), and their counts are joined in the order of the numbers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from functools import lru_cache
from hashlib import sha256
from random import Random
from typing import TYPE_CHECKING

import attrs

from interpreter.agents import AgentView, Beliefs, Budget, Thinker, read_name
from interpreter.agents.thinking import LEAST_SECONDS
from interpreter.engine.chance import below
from interpreter.engine.faults import IllegalActionError, RuleError
from interpreter.engine.interruption import check
from interpreter.kept import Kept
from interpreter.loader import revive
from interpreter.native.library import NativeUnavailableError
from interpreter.records.session import resolve_from_seed
from interpreter.setting import Setting
from interpreter.sharing import Executors, share_out
from interpreter.simulate.counts import Counts
from interpreter.simulate.recording import CountedGame, Layout, Recorder, Row

if TYPE_CHECKING:
    from interpreter.engine.game import Game, State

RANDOM = "random-small"
"""The name of the player that chooses evenly among the legal small actions."""

NATIVE_BLOCK, BLOCK, LONG_BLOCK = 500, 5, 1
"""Plays of one piece of work: of random plays in C, of others, of those in which an agent thinks."""

WEIGHED = 8
"""Of so many decisions of an agent that thinks one is weighed twice, to estimate how much the choice matters."""

GAP = 1000
"""Rounding of the difference of two expectations."""


@attrs.frozen
class Work:
    """Plays of one game: what makes each of them, but for its number.

    `seats` are the names of the agents, one for each seat; in the next play everybody sits one seat further.  With
    `native` plays are random and carried out in C, which draws otherwise than Python.
    """

    text: str
    setting: Setting
    seats: tuple[str, ...]
    seed: int
    native: bool
    loaded_native: bool = False
    """Whether the game that was loaded is native: what it is remembered by, where it is at hand."""

    @classmethod
    def of(cls, game: Game, seats: Sequence[str], seed: int, *, native: bool | None = None) -> Work:
        """Return the work of playing a game; it runs in C if possible, unless `native` says otherwise.

        Raises NativeUnavailableError if `native` is true and C is not available.
        """
        random = all(name == RANDOM for name in seats)
        if native is None:
            try:
                native = random and CountedGame.of(game) is not None
            except NativeUnavailableError:
                native = False
        # The pickled form of the game: this process finds the same game by it, another one compiles it.
        _, (text, setting, loaded_native) = game.__reduce__()
        return cls(text, setting, tuple(seats), seed, native, loaded_native)

    def game(self) -> Game:
        """Return the game: in the process that loaded it the same one, in another a compiled copy."""
        return revive(self.text, self.setting, self.loaded_native)

    @property
    def block(self) -> int:
        """How many plays are one piece of work."""
        if self.native:
            return NATIVE_BLOCK
        return LONG_BLOCK if any(read_name(name).thinks for name in self.seats) else BLOCK

    def sitting(self, number: int) -> tuple[str, ...]:
        """Return who sits where in a play."""
        turn = number % len(self.seats)
        return self.seats[turn:] + self.seats[:turn]

    def digest(self) -> str:
        """Return a text that only the same work has."""
        parts = [self.text, self.setting.players, self.setting.options, self.seats, self.seed, self.native]
        return sha256(json.dumps(parts, default=str).encode()).hexdigest()


def play_block(work: Work, first: int, count: int) -> Counts:
    """Play so many plays from number `first` on, in this process.  Raises RuleError, IllegalActionError."""
    game = work.game()
    layout = _layout(game)
    counts = Counts.of(layout)
    rows, counts.totals, notes = played(work, game, first, count)
    mixed = len(set(work.seats)) > 1
    counts.add(layout, rows, (lambda place: work.sitting(first + place)) if mixed else None)
    for name, values in notes.items():
        counts.note(name, values)
    return counts


def played(work: Work, game: Game, first: int, count: int) -> tuple[list[Row], list[int], dict[str, list[int]]]:
    """Play so many plays from number `first` on; return them, their totals, and what agents noted.

    Notes are `gap`, by how much a choice mattered (parts of GAP), and `signal`, whether thinking had one (1) or all
    iterations of a decision ended alike (0).

    Raises RuleError, IllegalActionError.
    """
    if work.native:
        seed = int.from_bytes(sha256(str(work.seed).encode()).digest()[:8], "little")
        totals, rows = CountedGame.of(game).counted(_layout(game), seed, first, count)
        return rows, totals, {}
    player = _Player(work, game)
    return [player.play(number) for number in range(first, first + count)], player.recorder.totals, player.notes


@lru_cache(maxsize=8)
def _layout(game: Game) -> Layout:
    return Layout(game)


class _Player:
    """Plays in Python, and counts."""

    def __init__(self, work: Work, game: Game) -> None:
        self.work = work
        self.game = game
        self.recorder = Recorder(_layout(game))
        self.names = {name: read_name(name) for name in work.seats}
        self.notes: dict[str, list[int]] = {"gap": [], "signal": []}

    def play(self, number: int) -> Row:
        """Play once, and each play with an odd number a second time with the same deal."""
        row = self._once(number, f"{self.work.seed}/{number}", self.recorder.play, weigh=True)
        if number % 2 == 0:
            return row
        twin = self._once(number, f"{self.work.seed}/{number}/again", _to_the_end, weigh=False)
        return self.recorder.with_second(row, twin.outcome)

    def _once(
        self,
        number: int,
        later: str,
        play: Callable[[State, Callable[[State], None], Callable[[State], int | Sequence[int]]], Row],
        *,
        weigh: bool,
    ) -> Row:
        """Play once: the deal follows from the seed and the number alone, all that comes later from `later` too."""
        state = self.game.new_initial_state()
        if state.is_chance_node():
            resolve_from_seed(state, _number(f"{self.work.seed}/{number}"))
        dice = _number(later)

        def settle(state: State) -> None:
            if state.is_chance_node():
                resolve_from_seed(state, dice)

        settle(state)
        return play(state, settle, self._choosing(number, later, weigh=weigh))

    def _choosing(self, number: int, later: str, *, weigh: bool) -> Callable[[State], int | Sequence[int]]:
        """Return who chooses: evenly among small actions, or the agents in the order in which they sit."""
        rng = Random(f"{later}/actions")
        if all(name == RANDOM for name in self.work.seats):
            return lambda state: (legal := state.legal_actions())[below(rng, len(legal))]
        names = self.work.sitting(number)
        agents = [self.names[name].make(self.game, f"{later}/{seat}") for seat, name in enumerate(names)]
        beliefs = Beliefs(f"{later}/belief")

        def choose(state: State) -> int | Sequence[int]:
            check()
            legal = state.legal_actions()
            if len(legal) == 1:
                return legal[0]
            seat = state.current_player()
            view = AgentView(state, beliefs)
            if weigh and self.names[names[seat]].thinks and below(rng, WEIGHED) == 0:
                self._weigh(names[seat], view, f"{later}/{state.num_actions}")
            agent = agents[seat]
            chosen = agent.act(view)
            if isinstance(agent, Thinker) and agent.decided:
                self.notes["signal"].append(1 - agent.blind)
                agent.decided = agent.blind = 0
            return chosen

        return choose

    def _weigh(self, name: str, view: AgentView, seed: str) -> None:
        """Note what the best choice is worth more than the average.

        Half of the budget says which is best, the other half by how much.
        """
        known = self.names[name]
        budget = known.budget
        half = (
            Budget(iterations=max(1, budget.iterations // 2))
            if budget.iterations is not None
            else Budget(seconds=max(LEAST_SECONDS, (budget.seconds or 0) / 2))
        )
        first, second = (attrs.evolve(known, budget=half).make(self.game, f"{seed}/{part}") for part in (1, 2))
        assert isinstance(first, Thinker)
        assert isinstance(second, Thinker)
        ranked, other = first.think(view), second.think(view)
        if not ranked.has_values or len(other.estimates) < 2:
            return
        best = other.estimate_of(ranked.estimates[0].actions)
        if best is not None:
            average = sum(estimate.value for estimate in other.estimates) / len(other.estimates)
            self.notes["gap"].append(round(GAP * (best.value - average)))


def _to_the_end(
    state: State, settle: Callable[[State], None], choose: Callable[[State], int | Sequence[int]]
) -> Row:  # fmt: skip
    while not state.is_terminal():
        state.apply_action(choose(state))
        settle(state)
    outcome = state.outcome()
    assert outcome is not None
    return Row(outcome, state.num_actions, ())


def _number(text: str) -> int:
    return int.from_bytes(sha256(text.encode()).digest()[:6], "big")


# ---- many


@attrs.define
class Run:
    """Plays numbered from 0 up to `plays`: the `counts` of the first `done`, and blocks beyond these, by number.

    `stopped` says that the user stopped it.
    """

    work: Work
    plays: int
    counts: Counts
    done: int = 0
    beyond: dict[int, Counts] = attrs.field(factory=dict)
    stopped: bool = False

    @classmethod
    def of(cls, game: Game, work: Work, plays: int) -> Run:
        """Return a run of which nothing is played."""
        return cls(work, plays, Counts.of(Layout(game)))

    @property
    def played(self) -> int:
        """How many plays are done, those beyond a gap too."""
        return self.done + sum(counts.plays for counts in self.beyond.values())

    def pieces(self) -> Iterator[tuple[int, int]]:
        """Give what is left to do: the first number and how many, piece by piece."""
        block = self.work.block
        for first in range(self.done, self.plays, block):
            if first not in self.beyond:
                yield first, min(block, self.plays - first)

    def add(self, first: int, counts: Counts) -> None:
        """Add a piece that was played."""
        self.beyond[first] = counts
        while self.done in self.beyond:
            joined = self.beyond.pop(self.done)
            self.counts.join(joined)
            self.done += joined.plays

    def carry_out(self, executor: Executors | None = None, on_progress: Callable[[Run], object] | None = None) -> None:
        """Play what is left, here or by executors; `on_progress` is called after each piece; true stops the run.

        Ctrl-C stops it, with what is done until then.  Raises RuleError, IllegalActionError, BrokenExecutor.
        """
        faults: list[tuple[int, int]] = []

        def take(piece: tuple[int, int], future: Future[Counts]) -> bool:
            try:
                self.add(piece[0], future.result())
            except (RuleError, IllegalActionError):
                faults.append(piece)
            return bool(on_progress is not None and on_progress(self)) or (bool(faults) and self.done >= min(faults)[0])

        try:
            share_out(executor, lambda pool, piece: pool.submit(play_block, self.work, *piece), self.pieces, take)
            if faults and self.done >= min(faults)[0]:
                # The first fault by number of the play, reported for the game that was loaded here, with its file.
                self.add(min(faults)[0], play_block(self.work, *min(faults)))
        except KeyboardInterrupt:
            self.stopped = True

    # ---- kept in a file

    def digest(self) -> str:
        """Return a text that only the same run has, but for its number of plays."""
        return self.work.digest()

    def save(self, kept: Kept) -> None:
        """Keep what is done in a file.  Raises OSError."""
        beyond = {str(first): self.beyond[first].data() for first in sorted(self.beyond)}
        kept.keep(self.digest(), {"counts": self.counts.data(), "done": self.done, "beyond": beyond})

    def resume(self, kept: Kept) -> None:
        """Take up what a file keeps of this run.  Raises ValueError where that is damaged, or of more plays."""
        data = kept.find(self.digest())
        if data is None:
            return
        try:
            counts, done = Counts.read(data["counts"]), int(data["done"])
            beyond = {int(first): Counts.read(part) for first, part in data["beyond"].items()}
            if len(counts.totals) != len(self.counts.totals):
                raise ValueError("another number of totals")
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise kept.damaged(error) from error
        if done > self.plays or any(first + part.plays > self.plays for first, part in beyond.items()):
            raise ValueError(f"`{kept.path}` keeps a run of more than {self.plays:,} plays")
        self.counts, self.done, self.beyond = counts, done, beyond
