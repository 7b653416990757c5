"""Verdicts and reports have the same bytes whatever language the pages speak."""

from collections.abc import Callable
from io import StringIO
from typing import TextIO

import pytest
from django.utils import translation

from annotation.models import Person, Project
from evaluation.models import Run, Verdict
from evaluation.reports.export import write_csv, write_json
from tests.evaluation.views.worlds import LOSSY, run_with


@pytest.mark.parametrize("write", [write_json, write_csv])
def test_a_report_has_the_same_bytes_in_german(
    write: Callable[[Run, TextIO], None], run: Run
) -> None:
    def written(language: str) -> str:
        with translation.override(language):
            file = StringIO()
            write(run, file)
            return file.getvalue()

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
