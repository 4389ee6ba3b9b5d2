"""Words for states and actions: texts, sentences, what happened, why something is not legal."""
