"""Noninterference by self-composition: what a player may not know must not change what that player is shown.

A play is carried out twice, in step, and the two differ only in what one viewer cannot know: unseen cards have changed
places, a hidden variable has another value, another player has made another hidden decision, chance has answered
otherwise where nobody looks.  All that the viewer is shown must be the same to the letter.  Where it is not, either a
statement of the rules has published something (`say`, `show`, a card that comes into sight, a variable that the viewer
sees, a player's decision) or something leaks: the rules let what happens depend on hidden things, or the machinery
shows what the declarations hide.

- `watched`: what each statement does, and who knows which card, by the declarations alone.
- `shown`: everything that a viewer is shown.
- `lockstep`: two plays side by side, from a state in which something was exchanged, or from the start.
- `blame`: which statement reveals it, and whether it publishes.
- `check`: what the fuzzer makes of it at a state of a play.

It knows nothing of events but their texts: who sees what is worked out here a second time.  It finds what a viewer
could learn from one exchange at a time, in the plays that were tried; it proves nothing of all others.
"""
