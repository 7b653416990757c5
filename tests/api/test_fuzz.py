"""A bounded round of `python -m tests.api.fuzz`, the same examples every time."""

import pytest
from rest_framework.response import Response

from annotation.api import operations
from tests.api.fuzzing import Tally, campaign
from tests.api.world import World, build

pytestmark = pytest.mark.django_db
EXAMPLES = 4
AS = ("owner", "engineer", "annotator", "stranger")


# The world's only run is finished; tests/evaluation/views/test_api.py does these on others.
REFUSED_OF_A_FINISHED_RUN = {
    f"POST /api/v1/projects/{{slug}}/runs/{{number}}/{act}/"
    for act in ("pause", "cancel", "retry", "conclude", "extend")
}
# Two sides are not met by chance; tests/evaluation/views/test_compare.py names them.
COMPARED = "GET /api/v1/projects/{slug}/runs/compare/"


@pytest.fixture
def world(db: None) -> World:
    return build()


def test_every_operation_holds_to_its_description_for_every_role(world: World) -> None:
    tally = Tally()
    for role in AS:
        tally.add(campaign(world, role, EXAMPLES))
    assert not tally.failures, "\n\n".join(tally.failures[:10])
    assert not [name for name, counts in tally.statuses.items() if max(counts) >= 500]
    never = set(tally.never_succeeded()) - REFUSED_OF_A_FINISHED_RUN - {COMPARED}
    assert len(never) <= 0.05 * len(tally.statuses), never


def test_an_answer_that_breaks_its_description_is_found(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(operations, "_shown", lambda declared, found: {"leak": 1})
    failures = campaign(world, "owner", 2).failures
    assert any("GET /api/v1/me/" in told and "schema" in told for told in failures)


def test_an_address_that_lets_everybody_in_is_found(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(operations.Resource, "permission_classes", [])
    monkeypatch.setattr(operations, "_done", lambda *rest: Response({}))
    failures = campaign(world, "owner", 2).failures
    assert any("authentication" in told.lower() for told in failures)
