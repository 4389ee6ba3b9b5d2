"""The printer of Python: it prints what the passes leave, and decides nothing but how Python says it."""
