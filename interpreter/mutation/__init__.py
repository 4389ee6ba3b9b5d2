"""Mutation testing: change one detail of the rules at a time, and see whether the tests of a spec notice."""
