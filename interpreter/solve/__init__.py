"""Exact answers for small games: the game tree, equilibria by CFR+, backward induction, joint optima."""

from __future__ import annotations

from importlib.util import find_spec

from interpreter.agents.thinking import AgentError

if find_spec("numpy") is None:
    raise AgentError("solving needs numpy: pip install 'cardgame[solve]'")
