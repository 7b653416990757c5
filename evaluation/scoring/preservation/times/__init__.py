"""Dates and periods, as the texts write them, and as intervals."""
