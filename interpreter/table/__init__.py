"""The table as data: everything an interface shows a player, computed from the information state of a seat.

`information_state` is the one door from a state to what is shown.  All other modules here take its value.
"""
