"""What a game is like, by playing it often: statistics of its design, and comparisons of two games."""
