"""The printer of Python, for an optimised program; it makes no optimisation itself."""
