"""The agents by name: `random`, `search:2s`, `search:1000`, `policy:kuhn.policy`, `look:2s:kuhn.policy`.

A name is one word, and after colons a budget and a file where the agent takes them.  All commands read names here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import attrs

from grammar.suggest import did_you_mean
from interpreter.agents.random import RandomAgent, SmallRandomAgent
from interpreter.agents.thinking import AgentError, Budget, is_budget, read_budget, required_library

if TYPE_CHECKING:
    from interpreter.agents.view import Agent
    from interpreter.engine.game import Game

LONGEST_SHOWN = 60

POLICY = ".policy"
"""How a file ends that `search` may have in its name."""

Maker = Callable[["Game", "int | str", "AgentName"], "Agent"]


@attrs.frozen
class Kind:
    """A kind of agent: its name, what it does in a few words, and its budget where the name has none.

    `budget` is None for an agent that does not think.  `by_decision` is whether it is spent anew for each decision,
    `needs_c` whether it runs in C only, `takes_file` whether its name has a policy file; None where it may have one.
    """

    name: str
    about: str
    budget: Budget | None
    make: Maker
    by_decision: bool = True
    needs_c: bool = False
    takes_file: bool | None = False


def _search(game: Game, seed: int | str, name: AgentName, *, flat: bool = False) -> Agent:
    if name.file is not None:
        from interpreter.agents.policy import guided_search_agent  # late: views

        return guided_search_agent(game, seed, name.budget, name.file)
    from interpreter.agents.search import SearchAgent  # late: views

    return SearchAgent(game, seed, name.budget, flat=flat)


def _solve(game: Game, seed: int | str, name: AgentName) -> Agent:
    from interpreter.agents.solve import SolveAgent  # late: views

    return SolveAgent(game, seed, name.budget)


def _policy(game: Game, seed: int | str, name: AgentName) -> Agent:
    from interpreter.agents.policy import policy_agent  # late: views

    return policy_agent(game, seed, name.file or "")


def _look(game: Game, seed: int | str, name: AgentName) -> Agent:
    from interpreter.agents.policy import look_agent  # late: views

    return look_agent(game, seed, name.budget, name.file or "")


KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("random", "each whole sentence alike", None, lambda _game, seed, _: RandomAgent(seed)),
        Kind("random-small", "each small action alike", None, lambda _game, seed, _: SmallRandomAgent(seed)),
        Kind("greedy", "flat Monte Carlo: random plays after a sentence", Budget(100), partial(_search, flat=True)),
        Kind(
            "search",
            "looks ahead in worlds that it can believe; needs a C compiler",
            Budget(1_000),
            _search,
            needs_c=True,
            takes_file=None,
        ),
        Kind(
            "search-long",
            "the same with sixteen times the iterations",
            Budget(16_000),
            _search,
            needs_c=True,
            takes_file=None,
        ),
        Kind(
            "solve",
            "an equilibrium of a small game, or of an ending that is small; it searches until then",
            Budget(100),
            _solve,
            by_decision=False,
        ),
        Kind(
            "look",
            "looks ahead over the network in a file that `cardgame train` writes",
            Budget(1_000),
            _look,
            needs_c=True,
            takes_file=True,
        ),
        Kind(
            "policy",
            "the policy in a file that `cardgame solve` or `cardgame train` writes",
            None,
            _policy,
            takes_file=True,
        ),
    )
}
"""All agents, by name, the simplest first."""


@attrs.frozen
class AgentName:
    """The parsed name of an agent: the word for its kind, its budget, and its file if it takes one."""

    word: str
    budget: Budget
    file: str | None = None

    @property
    def kind(self) -> Kind:
        """The kind of agent that the word names."""
        return KINDS[self.word]

    def __str__(self) -> str:
        budget = [] if self.kind.budget in (None, self.budget) else [str(self.budget)]
        return ":".join([self.kind.name, *budget, *([] if self.file is None else [self.file])])

    @property
    def thinks(self) -> bool:
        """Whether the agent takes its time."""
        return self.kind.budget is not None

    def check(self, game: Game) -> None:
        """Raise AgentError where the agent cannot play a game for want of C, without preparing the agent."""
        if self.kind.needs_c:
            required_library(game)

    def make(self, game: Game, seed: int | str = 0) -> Agent:
        """Return the agent, which can sit in any seat of the game.  Raises AgentError where it cannot play it."""
        return self.kind.make(game, seed, self)


def read_name(text: str, others: tuple[str, ...] = ()) -> AgentName:
    """Return the agent that a name means; `others` are words that could be meant instead.

    Raises AgentError with what to write instead.
    """
    word, colon, rest = text.partition(":")
    kind = KINDS.get(word)
    if kind is None:
        shown = text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "..."
        help_ = did_you_mean(word, (*KINDS, *others)) or f"there are {', '.join((*others, *KINDS))}"
        raise AgentError(f"there is no agent `{shown}`; {help_}")
    budget = kind.budget or Budget()
    if kind.takes_file or (kind.takes_file is None and rest.endswith(POLICY)):
        first, more, file = rest.partition(":")
        if more and kind.budget is not None and is_budget(first):
            budget, rest = read_budget(first), file
        if not rest:
            raise AgentError(f"`{word}` takes a file: write {word}:FILE")
        return AgentName(word, budget, rest)
    if not colon:
        return AgentName(word, budget)
    if kind.budget is None:
        raise AgentError(f"`{word}` does not think, so it takes no budget: write `{word}`")
    try:
        return AgentName(word, read_budget(rest))
    except AgentError as error:
        if kind.takes_file is None:
            raise AgentError(f"{error}, or a file that ends in `{POLICY}`") from None
        raise


def agent(name: str, game: Game, seed: int | str = 0) -> Agent:
    """Return an agent by its name, such as `random`, `search:1000` or `search:2s`.

    It can sit in any seat; `seed` decides its own chance.  Raises AgentError for a name or a budget that there is not,
    and for a game that the agent cannot play.
    """
    return read_name(name).make(game, seed)
