"""Cost against completeness: every arm a point, those of unknown cost apart. Knows no model."""

import math
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from evaluation.charting.shapes import Point, Points
from evaluation.reports.charts.words import Charted, arms_in, in_words, interval, scope_words
from evaluation.reports.figures import dollars, mean_cell, rate_cell

_COMPLETE = "critical_completeness"


def cost_chart(result: Mapping[str, Any], candidate: str | None, scope: str) -> Charted:
    """What a request costs under each arm of the run, and how often nothing critical was lost."""
    title = _("Cost against critical completeness: %(scope)s") % {"scope": scope_words(scope)}
    rows = arms_in(result, scope)
    head = (_("arm"), _("cost per request"), _("critical completeness"))
    table = tuple(
        (
            row["arm"],
            in_words(mean_cell(row["measured"]["cost"], dollars)),
            in_words(rate_cell(row["scores"][_COMPLETE]["estimate"])),
        )
        for row in rows
    )
    costs = {row["arm"]: row["measured"]["cost"] for row in rows}
    measured = [arm for arm, cost in costs.items() if cost["value"] is not None]
    unknown = ", ".join(arm for arm in costs if arm not in measured)
    known = [row for row in rows if row["scores"][_COMPLETE]["estimate"]["value"] is not None]
    if not measured:
        note = _("No arm's cost was measured, so nothing is drawn.")
        return Charted("cost", title, "", None, head, table, note)
    if not any(row["arm"] in measured for row in known):
        note = _("No arm with a known cost has a completeness, so nothing is drawn.")
        return Charted("cost", title, "", None, head, table, note)
    note = _("Cost not measured: %(arms)s.") % {"arms": unknown} if unknown else ""
    lead = _(
        "Points, one for each arm: across, the mean cost of a request; upwards, the requests with "
        "every critical constraint kept."
    )
    told = [f"{arm}: {cost}, {complete}." for arm, cost, complete in table]
    description = " ".join([lead, *told])
    points = tuple(_point(row, row["arm"] == candidate) for row in known)
    ticks = _ticks(max(_reach(costs[arm]) for arm in measured))
    picture = Points(
        title,
        description,
        points,
        _("USD per request"),
        _("critical completeness"),
        ticks,
        _("not measured"),
    )
    return Charted("cost", title, description, picture, head, table, note)


def _point(row: Mapping[str, Any], strong: bool) -> Point:
    cost, complete = row["measured"]["cost"], row["scores"][_COMPLETE]["estimate"]
    return Point(
        row["arm"], cost["value"], complete["value"], interval(cost), interval(complete), strong
    )


def _reach(cost: Mapping[str, Any]) -> float:
    """The greatest cost that has to fit on the axis."""
    return max(float(cost["value"]), float(cost["high"] or 0.0))


def _ticks(most: float) -> tuple[tuple[float, str], ...]:
    """0, the half and the whole of a round number that is not below `most`.

    >>> _ticks(0.0035)
    ((0.0, '0'), (0.002, '0.002'), (0.004, '0.004'))
    """
    if most <= 0:
        most = 1.0
    power = math.floor(math.log10(most))
    step = next(n for n in (1, 2, 4, 6, 8, 10, 20) if float(f"{n}e{power}") >= most)
    half, whole = float(f"{step * 5}e{power - 1}"), float(f"{step}e{power}")
    return tuple((value, _bare(value)) for value in (0.0, half, whole))


def _bare(value: float) -> str:
    """A round number without powers of ten or noughts at its end."""
    return f"{value:.12f}".rstrip("0").rstrip(".")
