"""Comparing two arms of finished runs, for whoever may see both runs' results."""

from typing import Any

from annotation.models import Person, Project
from annotation.permissions import require
from evaluation.reports.comparing.record import Side, comparison_record, side_named
from evaluation.services.showing import require_shown


def compare_sides(
    *, actor: Person, project: Project, a: str, b: str
) -> tuple[Side, Side, dict[str, Any]]:
    """Return both sides, each named RUN:ARM, and the record of B against A; that the actor was
    shown the results of their runs is recorded.

    Raises NotComparable, NoSuchSide, and Withheld where the actor may still annotate a request.
    """
    require(actor, "see_results", project)
    sides = side_named(project, a), side_named(project, b)
    for run in {side.run.pk: side.run for side in sides}.values():
        require_shown(actor=actor, run=run)
    return *sides, comparison_record(*sides)
