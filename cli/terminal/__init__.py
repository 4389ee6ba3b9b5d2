"""The terminal: the players there, input, and output."""
