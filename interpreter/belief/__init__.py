"""Belief: the plays that a player cannot distinguish from the true one, with their likelihoods.

- `evidence`: what one player has seen of a play, and the comparison of another play with it.
- `enumeration`: all worlds, where these are few.
- `particle_filter`: sequential importance resampling, where the game is not available in C.
- `mixing`: whether Markov chains have converged; the chains themselves are in C (`interpreter.native.belief`).
- `belief`: chooses among these, and carries the worlds along with the play.

All of it can be interrupted at any turn of a play (`interpreter.engine.interruption`), so that agents keep to their
time.
"""
