"""Games as native code: the same machine and the same rules, carried out by C instead of Python.

`make_native(game)` rewrites the Python that a game was compiled to, with the machine and the helpers under it, for
Cython, builds an extension module and lets the game run on that.  Plays, texts, faults and saves stay the same to the
letter; only the time differs.  What writes events, and what nobody waits for, stays Python.
"""
