"""Importing this registers every kind of export of this app."""

from contracts.exporting import (  # noqa: F401
    annotations,
    contracts,
    sheets,
    standalone,
    twins,
    wide,
)
