"""Scenarios: what a play must come to, written down and carried out."""
