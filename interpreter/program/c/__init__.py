"""Print a program as C99: the second printer, behind the passes that Python's shares (`generate_c`)."""
