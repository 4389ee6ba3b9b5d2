"""What a generated game runs on: states, zones, chance, events, observations, choices of sets."""
