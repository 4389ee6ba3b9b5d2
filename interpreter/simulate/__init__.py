"""Simulation: statistics of many plays of a game, and comparisons of two games."""
