"""Noninterference by self-composition: hidden information must not change anything that a viewer is shown.

A play runs twice in lockstep.  The two runs differ only in information that is hidden from one viewer: unseen cards
have changed places, a hidden variable has another value, another player has made another hidden decision, or chance has
another outcome that the viewer does not see.  Everything that the viewer is shown must be equal.  If it is not, either
a statement of the rules has published something (`say`, `show`, a card that becomes visible, a variable that the viewer
sees, a player's decision), or something leaks: the course of play depends on hidden information, or the interpreter
shows what the declarations hide.

- `traced`: the side effects of each statement, and who knows which card, by the declarations alone.
- `shown`: everything that a viewer is shown.
- `lockstep`: two plays in lockstep, from the start or from a state after an exchange.
- `leak_site`: the statement that reveals a difference, and whether it publishes.
- `check`: the fuzzer's check at a state of a play.

The package computes visibility by itself, independent of the event log; it uses only the texts of events.  It tests one
exchange at a time in random plays, so it can miss a leak.
"""
