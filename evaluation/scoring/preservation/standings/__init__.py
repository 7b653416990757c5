"""Statuses, their rivals, and what makes them doubtful."""
