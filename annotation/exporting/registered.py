"""Importing this registers every kind of export of this app."""

from annotation.exporting import corpus, ledger, paraphrases, requests, seats  # noqa: F401
