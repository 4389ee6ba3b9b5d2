"""Who chooses for a player: programs and people, each behind a view of what their player has seen.

from interpreter import load
from interpreter.agents import agent
from interpreter.records.session import Session

game = load("chalice_and_wand")
Session(game, [agent("search:200", game), agent("random", game)], seed=1).play()

Names and budgets are read in `registry`; what an agent may know is a `view`, with the player's belief; whoever thinks
keeps to a clock that can be stopped (`thinking`).  The kinds: `random`, `greedy` (flat Monte Carlo), `search`, `solve`.
"""

from interpreter.agents.random import RandomAgent, SmallRandomAgent
from interpreter.agents.registry import KINDS, AgentName, agent, read_name
from interpreter.agents.thinking import Advice, AgentError, Budget, Clock, Estimate, Thinker, Watch
from interpreter.agents.view import Agent, AgentView, Beliefs

__all__ = [
    "KINDS", "Advice", "Agent", "AgentError", "AgentName", "AgentView", "Beliefs", "Budget", "Clock", "Estimate",
    "RandomAgent", "SmallRandomAgent", "Thinker", "Watch", "agent", "read_name",
]  # fmt: skip
