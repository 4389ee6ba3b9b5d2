"""Tests of `interpreter.table`: what a player is shown, as data."""
