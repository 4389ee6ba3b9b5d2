"""The engine that generated code runs on: games, states, chance, faults, results, choices of sets.

`game` has the public faces, `machine` what changes a state, `support` the helpers that generated code calls: a move
into a full zone, such as a hand at its limit ("hand is full"), ends there with the fault CG805.
"""
