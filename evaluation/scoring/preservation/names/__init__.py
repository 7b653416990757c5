"""Whose name stands where: its forms, other names in its place, and what its absence means."""
