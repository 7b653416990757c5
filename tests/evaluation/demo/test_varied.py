"""The demo's suite: its sets nest, it is started once, and its result says what errors cost."""

import pytest

from annotation.models import Project
from evaluation.demo.loading import load_demo
from evaluation.demo.varied import demo_sets, demo_suite
from evaluation.models import SuiteRun, VariationSet
from evaluation.suites.execution import work
from evaluation.varying.filling import fill

pytestmark = pytest.mark.django_db


@pytest.fixture
def project(settings) -> Project:
    settings.DEMO = True
    return load_demo()


def varied(made: VariationSet) -> dict[str, str]:
    rows = made.items.exclude(variation=None).select_related("request", "variation")
    return {row.request.key: row.variation.text for row in rows}


def test_the_demo_has_two_sets_of_which_one_lies_in_the_other_and_one_suite(project):
    smaller, larger = demo_sets(project)
    assert demo_suite(project) is None  # nothing is made yet
    for one in (smaller, larger):
        fill(one)
        one.refresh_from_db()
        assert one.state == VariationSet.State.MADE
    assert varied(smaller).items() <= varied(larger).items()
    run = demo_suite(project)
    assert run is not None and demo_suite(project) == run
    assert demo_sets(project) == [smaller, larger]
    work(run.pk, worker="here", seconds=120.0)
    run.refresh_from_db()
    assert run.state == SuiteRun.State.FINISHED, run.error
    assert run.rows.count() == run.total
