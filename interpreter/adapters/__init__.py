"""Other people's interfaces to a game.  Each needs an extra of its own, and nothing else needs it."""
