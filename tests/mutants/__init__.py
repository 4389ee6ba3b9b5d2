"""Mutation testing of everything that is read from outside: what is broken must end in words, and nothing else."""
