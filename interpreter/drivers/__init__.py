"""Play games: agents, sessions, transcripts, saved plays, and checks over all settings of a spec."""
