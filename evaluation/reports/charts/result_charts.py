"""The charts of a run: five pictures, described, each with its numbers as a table.

The verdict page and the HTML report show the same ones. `static/css/charts.css` gives them the
colours of light and dark; without it they have those of light.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from evaluation.reports.charts.bars import families_chart, gains_chart, kinds_chart, stages_chart
from evaluation.reports.charts.cost import cost_chart
from evaluation.reports.charts.drawn import drawn
from evaluation.reports.charts.words import Charted
from evaluation.scoring.scorecard import ALL_CLASSES


@dataclass(frozen=True, slots=True)
class Chart:
    """One chart: `svg` is safe markup, or empty where there is nothing to draw or it could not be
    drawn; `head` and `rows` have every number of it as text (the first cell of a row names it), and
    `note` what a reader must know of it.
    """

    name: str
    title: str
    description: str
    svg: SafeString
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str


def charts(
    result: Mapping[str, Any],
    columns: Sequence[str],
    candidate: str | None,
    scope: str = ALL_CLASSES,
) -> tuple[Chart, ...]:
    """Return the charts of a finished run in the reader's language.

    `columns` are the arms to compare, `candidate` the one that is compared with the original;
    `scope` is "all" or a request class (regressions, stages and families have one picture for all).
    Never raises because something cannot be drawn.
    """
    whose = sha256(f"{candidate}\n{scope}".encode()).hexdigest()[:8]
    return tuple(_chart(charted, whose) for charted in _charted(result, columns, candidate, scope))


def _charted(
    result: Mapping[str, Any], columns: Sequence[str], candidate: str | None, scope: str
) -> tuple[Charted, ...]:
    return (
        kinds_chart(result, columns, candidate, scope),
        gains_chart(result, candidate),
        stages_chart(result, columns, candidate),
        families_chart(result, candidate),
        cost_chart(result, candidate, scope),
    )


def _chart(charted: Charted, whose: str) -> Chart:
    svg, note = SafeString(""), charted.note
    if charted.picture:
        svg = drawn(charted.picture, prefix=f"chart-{charted.name}-{whose}")
        if not svg:
            failed = _("This chart could not be drawn; its numbers stand in the table.")
            note = f"{failed} {note}".strip()
    return Chart(
        charted.name, charted.title, charted.description, svg, charted.head, charted.rows, note
    )
