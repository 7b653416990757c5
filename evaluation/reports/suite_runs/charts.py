"""The charts of a run over variation sets: curves over the rate, and both halves side by side."""

import math
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from evaluation.charting.shapes import Bar, Bars, Group, Lines, Part, Picture, Series
from evaluation.reports.charts.drawn import drawn
from evaluation.reports.charts.result_charts import Chart
from evaluation.reports.charts.words import in_words, interval, interval_words
from evaluation.reports.figures import percent
from evaluation.reports.suite_runs.tables import estimate_cell
from evaluation.reports.suite_runs.words import NAMES
from evaluation.robustness.study import CLEAN_SET, STANDARD

Result = Mapping[str, Any]


def charts(result: Result, measure: str) -> list[Chart]:
    """The charts under one measure. Never raises because something cannot be drawn."""
    families = list(dict.fromkeys(curve["family"] for curve in result["curves"]))
    return [
        *(_curve(result, measure, family, n) for n, family in enumerate(families, start=1)),
        *(_halves(result, measure, name, n) for n, name in enumerate(_varied(result), start=1)),
    ]


def _curve(result: Result, measure: str, family: str, n: int) -> Chart:
    name = str(NAMES[measure])
    title = _("%(measure)s by the share of questions that are varied (%(family)s)") % {
        "measure": name,
        "family": family,
    }
    curves = [curve for curve in result["curves"] if curve["family"] == family]
    head = (_("pipeline"), *(_at(point) for point in curves[0]["points"]))
    rows = tuple(
        (
            curve["pipeline"],
            *(in_words(estimate_cell(point["measures"][measure])) for point in curve["points"]),
        )
        for curve in curves
    )
    series = tuple(
        Series(
            curve["pipeline"],
            tuple(
                (point["rate"], told["value"], interval(told))
                for point in curve["points"]
                if (told := point["measures"][measure])["value"] is not None
            ),
            curve["pipeline"] == STANDARD,
        )
        for curve in curves
    )
    drawable = [one for one in series if one.points]
    if not drawable:
        return _chart(f"curve-{n}", title, "", None, head, rows, _("Nothing has a value."))
    lead = _("Lines, one for each pipeline: across, the share of questions varied; upwards, %(m)s.")
    told = [f"{row[0]}: {', '.join(row[1:])}." for row in rows]
    description = " ".join([lead % {"m": name}, *told])
    rates = sorted({point["rate"] for curve in curves for point in curve["points"]})
    picture = Lines(
        title,
        description,
        tuple(drawable),
        _("share of questions varied"),
        name,
        tuple((rate, f"{100 * rate:g} %") for rate in rates),
        _ticks(drawable),
    )
    first = picture.y_ticks[0][0]
    note = _("The axis begins at %(low)s.") % {"low": percent(first)} if first > 0 else ""
    levels = interval_words(p["measures"][measure] for c in curves for p in c["points"])
    said = _("Upright lines: %(interval)s.") % {"interval": levels} if levels else ""
    return _chart(f"curve-{n}", title, description, picture, head, rows, f"{said} {note}".strip())


def _halves(result: Result, measure: str, name: str, n: int) -> Chart:
    title = _("%(measure)s on what is varied in %(set)s and on what is not") % {
        "measure": str(NAMES[measure]),
        "set": name,
    }
    told = {
        (row["pipeline"], row["part"]): row["measures"][measure]
        for row in result["scores"]
        if row["set"] == name
    }
    parts = (("clean", _("not varied"), "empty"), ("corrupted", _("varied"), "solid"))
    head = (_("pipeline"), *(label for _part, label, _look in parts))
    rows = tuple(
        (pipeline, *(in_words(estimate_cell(told[pipeline, part])) for part, _l, _k in parts))
        for pipeline in result["pipelines"]
    )
    groups = tuple(
        Group(
            pipeline,
            tuple(_bar(label, told[pipeline, part], look) for part, label, look in parts),
        )
        for pipeline in result["pipelines"]
    )
    if all(estimate["value"] is None for estimate in told.values()):
        return _chart(f"halves-{n}", title, "", None, head, rows, _("Nothing has a value."))
    levels = interval_words(told.values())
    intervals = (("interval", levels),) if levels else ()
    key = (("empty", parts[0][1]), ("solid", parts[1][1]), *intervals)
    sentences = [f"{row[0]}: {row[1]}; {row[2]}." for row in rows]
    lead = _("Bars, two for each pipeline: the requests in their own words, and those varied.")
    picture = Bars(title, " ".join([lead, *sentences]), groups, key)
    note = _("Both bars are of other requests: a difference between them is not an error’s alone.")
    return _chart(f"halves-{n}", title, picture.description, picture, head, rows, note)


def _bar(name: str, estimate: Mapping[str, Any], look: str) -> Bar:
    if estimate["value"] is None:
        return Bar(name, _("no value"))
    value = f"{percent(estimate['value'])}, n = {estimate['rows'] or estimate['n']}"
    return Bar(name, value, (Part(estimate["value"], look),), interval(estimate))


def _chart(
    name: str,
    title: str,
    description: str,
    picture: Picture | None,
    head: tuple[str, ...],
    rows: tuple[tuple[str, ...], ...],
    note: str,
) -> Chart:
    svg = SafeString("")
    if picture:
        whose = sha256(title.encode()).hexdigest()[:8]
        svg = drawn(picture, prefix=f"chart-{name}-{whose}")
        if not svg:
            failed = _("This chart could not be drawn; its numbers stand in the table.")
            note = f"{failed} {note}".strip()
    return Chart(name, title, description, svg, head, rows, note)


def _varied(result: Result) -> list[str]:
    return [one["name"] for one in result["sets"] if one["name"] != CLEAN_SET and one["kinds"]]


def _at(point: Mapping[str, Any]) -> str:
    return f"{100 * point['rate']:g} % ({point['set']})"


def _ticks(series: Sequence[Series]) -> tuple[tuple[float, str], ...]:
    """Three to six tens of percent round everything that is drawn.

    >>> _ticks([Series("a", ((0.0, 0.52, (0.41, 0.6)), (0.2, 0.38, None)))])
    ((0.3, '30 %'), (0.4, '40 %'), (0.5, '50 %'), (0.6, '60 %'))
    """
    values = [y for one in series for _x, y, _interval in one.points]
    values += [end for one in series for _x, _y, ends in one.points if ends for end in ends]
    low = max(0, math.floor(round(10 * min(values), 9)))
    high = min(10, math.ceil(round(10 * max(values), 9)))
    if high - low < 2:
        low, high = (max(0, high - 2), high) if high >= 2 else (0, 2)
    step = 1 if high - low <= 5 else 2
    low -= (high - low) % step
    low = max(0, low)
    tens = list(range(low, high + 1, step))
    if tens[-1] < high:
        tens.append(tens[-1] + step)
    return tuple((ten / 10, f"{10 * ten} %") for ten in tens)
