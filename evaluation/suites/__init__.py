"""Runs of robustness suites: what is frozen, which rows there are, and how they are computed."""
