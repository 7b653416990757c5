"""A first guess at a constraint's value, from the marked words; the annotator corrects it."""

from contracts.prefill.first import first_value

__all__ = ["first_value"]
