"""Lockstep of three engines on random plays: the oracle (`tests.oracle`), printed Python and printed C.

    python -m tests.lockstep [--decisions N] [--seed N] [SPEC ..]

Each engine carries on a state of the same play.  At every step these are compared: whose turn it is, the node, zones,
marks on cards, variables, legal actions, chance outcomes and the prompt; at the end the outcome, all events and the
rule tags that were reached.  C is compared in what a native state gives without Python: player, legal actions, chance
outcomes, outcome.  Chance is answered outcome by outcome, and in some plays all piles at once.

A spec is a file, or the name of a bundled game; without any, all bundled games and variants are played, with the least
and the greatest number of players.  The exit code is 1 where engines differ.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn

import attrs

from interpreter import Game, RuleError, State, load
from interpreter.native.library import BuildError, NativeUnavailableError
from interpreter.native.native_state import ELSEWHERE, ExplicitGame, new_native_state
from tests import bundled
from tests.oracle import new_oracle_state

INTERNAL = frozenset({"CG901", "CG902"})
"""Faults of our own code, which differ from every meaning that a rule can have."""

LIMITS = frozenset({"CG806"})
"""Faults of a search for a set that takes too long; the oracle searches otherwise, so a play ends where one comes."""

PILES_AT_ONCE = 3
"""One play of so many answers all waiting piles at once."""


class DifferenceError(AssertionError):
    """Two engines do not agree on a play."""


@attrs.define
class Engines:
    """States of one play, by the name of the engine that carries each on; printed Python comes first."""

    game: Game
    library: ExplicitGame | None
    states: dict[str, State] = attrs.field(factory=dict)

    @classmethod
    def of(cls, game: Game, *flags: str) -> Engines:
        """Return the engines of a game; C is left out where there is no compiler, or no form of the game in C.

        `flags` are for the compiler.  Raises BuildError where it fails.
        """
        try:
            library = ExplicitGame(game, *flags)
        except BuildError:
            raise
        except NativeUnavailableError:
            return cls(game, None)
        return cls(game, None if library.beginning == ELSEWHERE else library)

    def begin(self) -> None:
        """Begin a play in every engine."""
        game, library = self.game, self.library
        starts: dict[str, Callable[[], State]] = {
            "python": game.new_python_state,
            "logged python": game.new_logged_state,
            "oracle": lambda: new_oracle_state(game),
        }
        if library is not None:
            starts["c"] = lambda: new_native_state(State, game, library)
        self.states = {name: start() for name, start in starts.items()}

    def play(self, seed: int, most: int, opening: Sequence[str] = ()) -> int:
        """Play some sentences, then at random up to so many decisions; return how many there were.

        Raises DifferenceError.
        """
        rng = random.Random(seed)
        self.begin()
        first = self.states["python"]
        for decision in range(most + 1):
            while first.is_chance_node():
                self.compare(AT_CHANCE)
                self.answer_chance(rng, all_piles=seed % PILES_AT_ONCE == 0)
            if first.is_terminal() or decision == most:
                break
            self.compare(AT_DECISION)
            legal = self.each("legal actions", lambda state: state.legal_actions())
            if legal is None:
                break
            action = first.string_to_action(opening[decision]) if decision < len(opening) else rng.choice(legal)
            self.each(f"action {action}", lambda state, action=action: state.apply_action(action))  # type: ignore[misc]
        self.compare(AT_END)
        return first.num_actions

    def answer_chance(self, rng: random.Random, *, all_piles: bool) -> None:
        """Let chance choose the same in every engine."""
        outcomes = self.each("chance outcomes", lambda state: state.chance_outcomes())
        if not outcomes:
            return
        answer: int | tuple[int, ...] = rng.choice(outcomes)[0]
        first = self.states["python"]
        if all_piles and first.awaited is not None:
            answer = first.draw_all(rng)
        self.each(f"chance {answer}", lambda state: state.apply_action(answer))

    def each(self, what: str, step: Callable[[State], Any]) -> Any:
        """Let every engine take the same step, and return what it gives: the same everywhere, a fault too.

        Where the first engine has worked too long the others take no step, and the play is over.  Raises
        DifferenceError.
        """
        found: dict[str, Any] = {}
        for name, state in self.states.items():
            found[name] = result_of(step, state)
            if isinstance(found[name], Fault) and found[name].code in LIMITS:
                self.states = {"python": self.states["python"]}
                return None
            if isinstance(found[name], Fault) and found[name].code in INTERNAL:
                self.differ(what, found)
        self.agree(what, found)
        result = found["python"]
        return None if isinstance(result, Fault) else result

    def compare(self, views: tuple[View, ...]) -> None:
        """Compare what the states of the engines are like.  Raises DifferenceError."""
        for view in views:
            self.agree(view.what, {e: view.read(self.states[e]) for e in view.engines if e in self.states})

    def agree(self, what: str, found: dict[str, Any]) -> None:
        """Raise DifferenceError where the engines do not give the same."""
        values = list(found.values())
        if any(value != values[0] for value in values):
            self.differ(what, found)

    def differ(self, what: str, found: dict[str, Any]) -> NoReturn:
        """Raise DifferenceError: engines do not give the same."""
        details = "\n".join(f"  {engine}: {value}" for engine, value in found.items())
        history = self.states["python"].history()
        raise DifferenceError(f"{what} differ after {len(history)} entries of the history {history}\n{details}")


@attrs.frozen
class Fault:
    """The code of a fault; its words are not compared."""

    code: str
    message: str = attrs.field(eq=False, default="")


def result_of(step: Callable[[State], Any], state: State) -> Any:
    """Return what a step gives, or the fault that it ends in."""
    try:
        return step(state)
    except RuleError as error:
        return Fault(error.code, error.message)


def without_unseen(event: Any) -> Any:
    """Return an event without the faces of cards that no player sees.

    Such a card may be determined when its event is written, or later: that depends on how much of a node is undone.
    """
    seen = getattr(event, "seen", ())
    if not seen:
        return event
    return attrs.evolve(event, cards=tuple(card if s else None for card, s in zip(event.cards, seen, strict=True)))


PYTHON = ("python", "logged python", "oracle")
LOGGED = ("logged python", "oracle")
EVERY = (*PYTHON, "c")


@attrs.frozen
class View:
    """Something to compare: what it is, how to read it from a state, and the engines whose states give it."""

    what: str
    read: Callable[[State], Any]
    engines: tuple[str, ...] = PYTHON


PROGRESS = (
    View("player to act", lambda state: state.current_player(), EVERY),
    View("number of small actions", lambda state: state.num_actions, EVERY),
    View("number of decisions", lambda state: state.num_decisions, EVERY),
    View("latest entry of the history", lambda state: state.entries[-2:], EVERY),
)
POSITION = (
    View("zones", lambda state: [list(zone) for zone in state.zones]),
    View("variables", lambda state: state.values[: len(state.game.variable_types)]),
    View("cards that lie open or face down", lambda state: dict(state.turned)),
    View("players of cards", lambda state: dict(state.played_by)),
)

AT_CHANCE = (*PROGRESS, View("card that chance determines", lambda state: state.awaited))
AT_DECISION = (
    *PROGRESS,
    *POSITION,
    View("node", lambda state: state.node),
    View("steps", lambda state: state.steps),
    View("prompt", lambda state: result_of(State.prompt, state)),
)
AT_END = (
    *PROGRESS,
    *POSITION,
    View("outcome", lambda state: state.outcome(), EVERY),
    View("events", lambda state: [without_unseen(event) for event in getattr(state, "log", ())], LOGGED),
    View("rule tags", lambda state: set(getattr(state, "tags", ())), LOGGED),
)
"""What is compared at the end of a play, or where it is broken off."""


def lockstep(engines: Engines, decisions: int, seed: int = 0) -> tuple[int, int, list[str]]:
    """Play a game until there were so many decisions; return the plays, the decisions and the differences."""
    plays = made = 0
    differences: list[str] = []
    while made < decisions and plays < decisions:
        try:
            made += engines.play(seed + plays, decisions - made)
        except DifferenceError as difference:
            differences.append(f"seed {seed + plays}: {difference}")
            made += 1
        plays += 1
    return plays, made, differences


def settings(specs: list[str]) -> Iterator[tuple[str, int]]:
    """Give specs with numbers of players: the least and the greatest of bundled ones, the least of others."""
    for spec in specs or bundled.EVERY:
        if spec in bundled.EVERY:
            yield from ((spec, players) for players in bundled.at_both_ends(spec))
        else:
            yield spec, load(spec).num_players


def main(arguments: list[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m tests.lockstep", description=__doc__)
    parser.add_argument("specs", nargs="*", metavar="SPEC")
    parser.add_argument("--decisions", type=int, default=100_000, help="decisions in all, shared among the settings")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    chosen = list(settings(given.specs))
    total = wrong = 0
    for spec, players in chosen:
        engines = Engines.of(load(spec, players))
        plays, decisions, differences = lockstep(engines, -(-given.decisions // len(chosen)), given.seed)
        print(f"{spec:34} {players} players {plays:6} plays {decisions:8} decisions {len(differences)} differences")
        for difference in differences[:3]:
            print(difference)
        sys.stdout.flush()
        total, wrong = total + decisions, wrong + len(differences)
    print(f"{total} decisions, {wrong} differences")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
