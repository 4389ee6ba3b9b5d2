"""Print a program as C99: the second printer, after the passes that Python's shares (`generate_c`)."""
