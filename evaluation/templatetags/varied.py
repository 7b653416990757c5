"""Numbers on the pages of sets of variations."""

from collections.abc import Mapping, Sequence

from django import template
from django.utils.formats import number_format

register = template.Library()


@register.filter
def at(counts: Mapping[str, int], name: str) -> int:
    """The count of a name; 0 where there is none."""
    return counts.get(name, 0)


@register.filter
def percent(share: float | None) -> str:
    """A share in percent, with one decimal."""
    return "–" if share is None else f"{number_format(round(100 * share, 1), 1)} %"


@register.filter
def signed(value: float | None) -> str:
    """A difference with its sign and two decimals."""
    if value is None:
        return "–"
    rounded = round(value, 2)
    size = number_format(abs(rounded), 2)
    return f"+{size}" if rounded > 0 else f"−{size}" if rounded < 0 else size


@register.filter
def number_of(notes: Sequence[str], note: str) -> int:
    """The number of a note among the notes, from 1."""
    return notes.index(note) + 1
