"""Scenarios: tests of rules in the words of a game; reading, running and writing them."""
