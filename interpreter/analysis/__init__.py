"""The static analysis of specs: names, types, bounds, and who may know what."""
