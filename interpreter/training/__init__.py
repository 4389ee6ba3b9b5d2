"""Learned policies: a network for any game, trained by self-play in C on this machine.

`network` is a trained network: its policy file, and what it makes of a state.  `trainer` trains one, in rounds that
`learner` carries out in parallel.  The arithmetic is in `interpreter/native/c`: `memory.h` and `inputs.h` have what a
network reads, `net.h` the network, `learn.h` the self-play.
"""

from __future__ import annotations

from importlib.util import find_spec

from interpreter.agents.thinking import AgentError

if find_spec("numpy") is None:
    raise AgentError("trained networks need numpy: pip install 'cardgame[solve]'")
