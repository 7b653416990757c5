"""One process at a time makes a set, and one that was killed leaves it to the next."""

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from annotation.models import Person, Project
from annotation.processes import process_name
from evaluation.generation.errors import (
    EndpointQuotaSpent,
    EndpointStatus,
    EndpointTimeout,
)
from evaluation.models import Variation, VariationItem, VariationSet
from evaluation.services.variations import fill, try_again
from evaluation.varying import work
from evaluation.varying.filling import open_items
from evaluation.varying.leases import Lost, take
from evaluation.varying.making import makers_of
from tests.evaluation.runs.fixtures import study
from tests.evaluation.varied import Loud, begun, makers

__all__ = ["makers", "study"]

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("makers")]
OTHER = "elsewhere:1:1"


def test_a_set_that_another_has_is_left_alone(study: Project, engineer: Person) -> None:
    found = begun(engineer, study)
    assert take(found, OTHER)
    assert not fill(found)
    assert open_items(found).count() == 3


def test_a_lease_that_ran_out_is_taken(study: Project, engineer: Person) -> None:
    found = begun(engineer, study)
    take(found, OTHER)
    VariationSet.objects.update(leased_until=timezone.now() - timedelta(seconds=1))
    assert not fill(found)
    found.refresh_from_db()
    assert (found.state, found.worker, found.leased_until) == ("made", "", None)


def test_what_a_killed_process_of_this_machine_had_is_taken_at_once(
    study: Project, engineer: Person
) -> None:
    found = begun(engineer, study)
    take(found, f"{process_name().partition(':')[0]}:1:1")
    fill(found)
    found.refresh_from_db()
    assert found.state == "made"


def test_whoever_lost_the_set_writes_nothing_more(
    study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = begun(engineer, study)
    take(found, "first")
    slow = work.Work(found, "first", makers_of(found.recipe))
    VariationSet.objects.update(worker=OTHER)
    with pytest.raises(Lost):
        slow.until(1e12)
    assert not Variation.objects.exists()
    assert open_items(found).count() == 3


def test_a_failed_set_is_free_for_whoever_goes_on(
    study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = begun(engineer, study)
    with monkeypatch.context() as patched:
        patched.setattr(Loud, "version", "2")
        fill(found, worker=OTHER)
    found.refresh_from_db()
    assert (found.state, found.worker) == ("failed", "")
    try_again(actor=engineer, of=found)
    fill(found)
    found.refresh_from_db()
    assert (found.state, found.error) == ("made", "")


def test_kinds_that_ask_a_model_are_made_side_by_side(
    study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of three items waits for the two others: one after the other would never end."""
    found, together = begun(engineer, study), threading.Barrier(3, timeout=20)
    vary = Loud.vary

    def meets(self: Loud, source: Any, **more: Any) -> Any:
        together.wait()
        return vary(self, source, **more)

    monkeypatch.setattr(Loud, "vary", meets)
    take(found, "one")
    asked = makers_of(found.recipe)
    monkeypatch.setattr(asked["loud"], "generator", object())
    assert not work.Work(found, "one", asked).until(1e12)
    assert open_items(found).count() == 0


def failing(monkeypatch: pytest.MonkeyPatch, key: str, fault: Exception) -> None:
    """The model stumbles over one request."""
    vary = Loud.vary

    def stumbles(self: Loud, source: Any, **more: Any) -> Any:
        if source.key == key:
            raise fault
        return vary(self, source, **more)

    monkeypatch.setattr(Loud, "vary", stumbles)


@pytest.mark.parametrize(
    "fault", [EndpointStatus("It is too long.", 413), EndpointTimeout("It took too long.")]
)
def test_a_request_over_which_the_model_stumbles_stops_no_other(
    study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    found = begun(engineer, study)
    failing(monkeypatch, "c", fault)
    assert not fill(found)
    found.refresh_from_db()
    assert found.state == "made"
    assert VariationItem.objects.get(variation=None).why == str(fault)


def test_an_account_with_nothing_left_is_not_waited_for(
    study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = begun(engineer, study)
    failing(monkeypatch, "c", EndpointQuotaSpent("Nothing is left.", 402))
    assert not fill(found)
    found.refresh_from_db()
    assert (found.state, found.error) == ("failed", "Nothing is left.")
    assert open_items(found).count() == 1
