"""The documents are tested: every sample in them is run."""
