"""What is missing from a run over variation sets, and what its numbers do not tell."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

Result = Mapping[str, Any]


def coverage_lines(result: Result, total: int) -> list[str]:
    """What is missing, what failed, and what the reader must know of the numbers."""
    return list(_coverage(result, total))


def _coverage(result: Result, total: int) -> Iterator[str]:
    coverage = result["coverage"]
    yield _("%(n)d of %(of)d rows are there; %(failed)d of them failed.") % {
        "n": coverage["rows"],
        "of": total,
        "failed": coverage["failed"],
    }
    if coverage["failed"]:
        yield _(
            "A failed row has a status and no score: its request is in no mean of its pipeline."
        )
    if n := sum(counts.get("abstained", 0) for counts in coverage["by_pipeline"].values()):
        yield ngettext(
            "%(n)d row has no answer because its pipeline abstained: that counts as a wrong one.",
            "%(n)d rows have no answer because their pipeline abstained: that counts as a wrong "
            "one.",
            n,
        ) % {"n": n}
    if any(one["requests"] < coverage["requests"] for one in result["sets"]):
        yield _(
            "The sets do not hold the same requests: compare each with the clean wording of its "
            "own, as the differences do, and not with the column of all requests."
        )
    for one in result["sets"]:
        if n := one["without_variant"]:
            yield ngettext(
                "In %(set)s, %(n)d request has no variation because none could stand: it is left "
                "out of this set.",
                "In %(set)s, %(n)d requests have no variation because none could stand: they are "
                "left out of this set.",
                n,
            ) % {"set": one["name"], "n": n}
    if n := coverage["without_answers"]:
        if n == coverage["requests"]:
            yield _(
                "No request has a gold answer, so answers are not measured: only what was found is."
            )
        else:
            yield ngettext(
                "%(n)d of %(of)d requests has no gold answer: no measure of answers counts it.",
                "%(n)d of %(of)d requests have no gold answer: no measure of answers counts them.",
                n,
            ) % {"n": n, "of": coverage["requests"]}
    if n := coverage["without_evidence"]:
        yield ngettext(
            "%(n)d of %(of)d requests names no evidence: recall does not count it.",
            "%(n)d of %(of)d requests name no evidence: recall does not count them.",
            n,
        ) % {"n": n, "of": coverage["requests"]}
    if n := coverage["typed_golds"]:
        yield ngettext(
            "%(n)d request has a number, date or name as its gold answer: EM, F1 and acc delete "
            "punctuation there and may find “105” right for “10.5”. Typed match does not.",
            "%(n)d requests have a number, date or name as their gold answer: EM, F1 and acc "
            "delete punctuation there and may find “105” right for “10.5”. Typed match does not.",
            n,
        ) % {"n": n}
