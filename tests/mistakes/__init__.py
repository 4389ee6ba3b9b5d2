"""A corpus of beginners' mistakes, and the quality of the messages that they get."""
