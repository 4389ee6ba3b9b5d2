"""The fuzzer: random plays with checks of every state, and the search for leaks."""
