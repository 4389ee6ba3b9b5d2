"""How fast games are played, measured; nothing here is part of the tests' verdict."""
