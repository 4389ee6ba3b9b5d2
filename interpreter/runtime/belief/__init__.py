"""Worlds that a player cannot tell from the true one: proposals, and those that fit."""
