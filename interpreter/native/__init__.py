"""Games as native code: the program printed as C (`interpreter.program.c`), built, kept, loaded and called.

`make_native(game)` lets `game.random_playouts` run in C.  What people look at (events, explanations) stays Python,
which is the reference: tests play both side by side.

- `compiling`, `library`: a library of a game, built by the system's compiler and kept.
- `plays` (`c/play.h`): one play, with chance recorded on a tape or replayed from one, and many random plays.
- `native_state` (`c/explicit_chance.h`, `c/explicit.h`, `c/fast_states.c`): a `State` whose steps such a library takes,
  through a module of CPython, until a query needs the machine of Python.  Its plays wait for chance: cards of a
  shuffled pile lie in some order but are unknown; where a card is needed C stops, takes the answer, and goes on from
  the last mark.
- `vector` (`c/vector.h`): many plays side by side in arrays that C fills.
- `c/counted.h`: random plays that are counted for `interpreter.simulate`.
- `tapes`: a play of Python carried over to C and back: answers of chance, and what tokens became.
- `plays.WatchedGame` (`c/watch.h`): a second library whose steps fold what each player sees into a hash of 128 bits.
- `belief` (`c/belief.h`), `search` (`c/search.h`): worlds, and the tree search over them.
"""
