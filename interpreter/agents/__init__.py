"""Agents: programs and people that choose for a player, each with a view of what that player has seen.

from interpreter import load
from interpreter.agents import agent
from interpreter.records.session import Session

game = load("chalice_and_wand")
Session(game, [agent("search:200", game), agent("random", game)], seed=1).play()

`registry` reads names and budgets. `view` is what an agent may know, with the player's belief. Agents that search keep
to a clock that can be stopped (`thinking`).  The kinds: `random`, `greedy` (flat Monte Carlo), `search`, `solve`.
"""

from interpreter.agents.random import RandomAgent, SmallRandomAgent
from interpreter.agents.registry import KINDS, AgentName, agent, read_name
from interpreter.agents.thinking import Advice, AgentError, Budget, Clock, Estimate, OnProgress, Thinker
from interpreter.agents.view import Agent, AgentView, Beliefs

__all__ = [
    "KINDS", "Advice", "Agent", "AgentError", "AgentName", "AgentView", "Beliefs", "Budget", "Clock", "Estimate",
    "OnProgress", "RandomAgent", "SmallRandomAgent", "Thinker", "agent", "read_name",
]  # fmt: skip
