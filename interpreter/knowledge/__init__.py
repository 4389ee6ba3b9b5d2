"""What players know: events, who sees them, observations, information states, tensors."""
