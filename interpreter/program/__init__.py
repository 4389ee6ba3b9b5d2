"""The program: checked rules lowered to an explicit state machine, and printed as Python."""
