"""Sets of cards that are chosen: which picks can still become a legal set."""
