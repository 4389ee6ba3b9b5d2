"""Records of plays: sessions, transcripts, saves and autosaves."""
