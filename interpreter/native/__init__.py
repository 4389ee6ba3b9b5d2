"""Games as native code: the program printed as C (`interpreter.program.c`), built, kept, loaded and called.

`make_native(game)` lets `game.random_playouts` run in C.  What people look at (states, events, explanations) stays
Python, which is the reference: tests play both side by side.
"""
