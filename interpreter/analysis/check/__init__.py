"""The checker of names and types: from syntax to the checked language `core`, a module for each part of the grammar."""
