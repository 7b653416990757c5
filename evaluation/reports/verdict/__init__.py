"""The verdict page of a run."""
