"""Figures of robustness suites: rows in, JSON-able figures out. Pure."""
