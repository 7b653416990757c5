"""One request under every arm of a run."""
