"""The knowledge of players: events, visibility, observations, information states, tensors."""
