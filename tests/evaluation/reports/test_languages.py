"""Verdicts and reports have the same bytes whatever language the pages speak."""

from collections.abc import Callable, Iterable

import pytest
from django.utils import translation

from annotation.models import Person, Project
from evaluation.models import Run, Verdict
from evaluation.reports.exports.as_csv import long_pieces, wide_pieces
from evaluation.reports.exports.as_json import json_pieces
from evaluation.reports.exports.as_junit import junit_pieces
from tests.evaluation.views.worlds import LOSSY, run_with


@pytest.mark.parametrize("pieces", [json_pieces, long_pieces, wide_pieces, junit_pieces])
def test_a_report_has_the_same_bytes_in_german(
    pieces: Callable[[Run], Iterable[str]], run: Run
) -> None:
    def written(language: str) -> str:
        with translation.override(language):
            return "".join(pieces(run))

    assert written("de") == written("en")


def test_a_run_that_a_german_page_started_comes_to_the_same_verdicts(
    run: Run, study: Project, engineer: Person
) -> None:
    with translation.override("de"):
        again = run_with(engineer, study, {"cand": LOSSY})

    def decided(of: Run) -> list[tuple[str, str]]:
        return [(v.sha256, v.content["sentence"]) for v in Verdict.objects.current(of)]

    assert again.conditions.sha256 == run.conditions.sha256
    assert again.result_sha256 == run.result_sha256
    assert decided(again) == decided(run)
