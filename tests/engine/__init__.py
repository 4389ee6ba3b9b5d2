"""Tests of running games: states, actions, chance, knowledge."""
