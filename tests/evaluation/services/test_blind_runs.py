"""No candidate's output exists for a request that somebody may still annotate."""

import pytest

from contracts.work import sheets_open_to
from evaluation.models import Case
from tests.api.world import build


@pytest.mark.django_db
def test_a_run_has_no_case_of_a_request_that_is_still_open_to_an_annotator() -> None:
    world = build()
    in_runs = set(Case.objects.values_list("request", flat=True))
    assert in_runs
    for name in ("annotator", "annotator-a"):
        still_open = sheets_open_to(world.project, world.people[name])
        assert still_open.exists()
        assert not in_runs & set(still_open.values_list("pk", flat=True))
