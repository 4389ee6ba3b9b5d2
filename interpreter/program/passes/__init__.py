"""The passes that make expressions quick: from tree to tree, one file each.

A pass gives an expression that has the same value, needs the same unseen cards and raises the same faults.  Each stays
because it pays where `interpreter.program.optimise` applies it.  Inlining and fusion pay in both languages.  Membership
(Go Fish takes half the time) and hoisting pay in Python alone: C has groups of cards, and conditions on a card, as sets
of bits, each worked out once for all cards.
"""
