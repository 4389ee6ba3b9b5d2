"""The state machine of a spec as a picture: what is decided, by whom, what chance does, how play ends."""
