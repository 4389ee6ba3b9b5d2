"""The terminal: who is asked there, what is read, and what is told."""
