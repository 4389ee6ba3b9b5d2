"""Belief: Markov chains (Metropolis and Hastings) over the plays that a player cannot tell from the true one.

- `trajectories`, `tokens`: a play as the steps it took, and the unseen cards in it.
- `proposals`, `proposer`: a step of a chain, other cards or hidden choices, and its odds.
- `traced`, `seen`: what one player sees of a play, in a form that is quick to compare.
- `walk`: one chain; `mixing`: whether chains have forgotten where they began.
- `enumeration`: all worlds, where these are few; `carrying`: worlds taken along when more has happened.
- `belief`: all of it in one object.

All of it can be left at any turn of a play (`interpreter.runtime.interruption`), so that agents keep to their time.
"""
