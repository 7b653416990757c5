"""The forms in which a run leaves as a file, and what each is for."""

from collections.abc import Callable, Generator
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from evaluation.models import Run
from evaluation.reports.exports.as_csv import long_pieces, wide_pieces
from evaluation.reports.exports.as_html import html_pieces
from evaluation.reports.exports.as_json import json_pieces
from evaluation.reports.exports.as_junit import junit_pieces


@dataclass(frozen=True, slots=True)
class Form:
    """One form: its pieces of text in their order, and how a browser takes them."""

    label: str | Promise
    purpose: str | Promise
    suffix: str
    content_type: str
    pieces: Callable[[Run], Generator[str, None, None]]

    def filename(self, run: Run) -> str:
        """Made of names of ours alone: nothing in it needs to be escaped."""
        return f"{run.project.slug}-run-{run.number}{self.suffix}"


FORMS = {
    "html": Form(
        _("Report"),
        _(
            "Everything that the page of the run says, for every candidate and class, in one file "
            "that needs no other: to read, to print or to save as PDF, to send."
        ),
        ".html",
        "text/html; charset=utf-8",
        html_pieces,
    ),
    "json": Form(
        _("Figures and rows"),
        _(
            "Every figure with the rows that it is computed from, so that anybody can compute all "
            "of it again."
        ),
        ".json",
        "application/json; charset=utf-8",
        json_pieces,
    ),
    "csv": Form(
        _("Table, a line for each constraint"),
        _("For statistics: each arm, request and constraint, who judged it and by what words."),
        "-constraints.csv",
        "text/csv; charset=utf-8; header=present",
        long_pieces,
    ),
    "csv-wide": Form(
        _("Table, a line for each request"),
        _("For reading and sorting: what every arm made of a request, side by side."),
        "-requests.csv",
        "text/csv; charset=utf-8; header=present",
        wide_pieces,
    ),
    "junit": Form(
        _("Rules as tests"),
        _(
            "For a build server: a suite for each candidate and class, a test for each rule, which "
            "fails with the rule’s sentence."
        ),
        "-junit.xml",
        "application/xml; charset=utf-8",
        junit_pieces,
    ),
}
