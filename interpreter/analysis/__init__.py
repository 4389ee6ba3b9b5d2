"""The meaning of specs: names, types, bounds, and who may know what, before anybody plays."""
