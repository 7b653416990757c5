"""Invented requests with several constraints, and rewrites of them: three sets, each labelled from
the definitions before the judge saw it.
"""
