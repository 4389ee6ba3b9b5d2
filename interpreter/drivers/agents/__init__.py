"""Who chooses for a player: programs and people, each behind a view of what their player has seen."""

from interpreter.drivers.agents.random import RandomAgent
from interpreter.drivers.agents.view import Agent, AgentView

__all__ = ["Agent", "AgentView", "RandomAgent"]
