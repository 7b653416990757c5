"""The constraint matrix: which rows, and what they show."""
