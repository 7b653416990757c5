"""The cases before and after one in a list that a reader walks through."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.models import Request


@dataclass(frozen=True, slots=True)
class Beside:
    """The keys of the requests before and after, empty at either end, and the place `at` of `of`:
    0 where the list does not have this one.
    """

    before: str
    after: str
    at: int
    of: int


def beside(in_order: Sequence[int], asked: Request) -> Beside:
    """Return what stands beside the request in a list of ids; one query."""
    if asked.pk not in in_order:
        first = _keys(in_order[:1])
        return Beside("", first.get(in_order[0], "") if in_order else "", 0, len(in_order))
    at = in_order.index(asked.pk)
    ids = [at - 1, at + 1]
    near = [in_order[n] if 0 <= n < len(in_order) else 0 for n in ids]
    keys = _keys(near)
    return Beside(keys.get(near[0], ""), keys.get(near[1], ""), at + 1, len(in_order))


def _keys(ids: Sequence[int]) -> dict[int, str]:
    return dict(Request.objects.filter(pk__in=ids).values_list("pk", "key"))
