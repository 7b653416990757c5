"""A run knows the twin pairs and controls of its own time, whatever came to stand or went since."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.models import Person, Project
from contracts.models import Control, TwinPair
from evaluation.models import Run
from evaluation.reports.comparing.record import comparison_record, side_named
from evaluation.reports.exports.verifying import verify_run
from evaluation.runs.conclusion import conclude
from evaluation.runs.inputs import pairs_are_as_frozen, pairs_then, read_inputs
from evaluation.runs.takeover import Takeover
from tests.evaluation.runs.pair_study import CONTROLS, SWAPPED
from tests.evaluation.runs.small_study import TWINS, begin, finish, freeze, take_in, upload


@pytest.fixture
def run(study: Project, engineer: Person) -> Run:
    """A finished run without pairs, of which one is imported afterwards."""
    study.twin_pairs.all().delete()
    upload(study, "swapped", SWAPPED)
    found = finish(begin(engineer, study, ["original", "swapped"]))
    take_in(study, "twins", [{**TWINS[0], "id": "t2"}, *CONTROLS])
    return found


def test_pairs_and_controls_that_are_imported_later_change_no_finished_run(run: Run) -> None:
    before = run.result_sha256
    assert verify_run(run).differences == ()
    conclude(run.pk)
    run.refresh_from_db()
    assert (run.result_sha256, run.verdicts.filter(version=2).count()) == (before, 0)
    assert not read_inputs(run).near_misses and pairs_are_as_frozen(run)


def test_nor_those_that_are_approved_later(run: Run, engineer: Person) -> None:
    later = timezone.now() + timedelta(seconds=1)
    TwinPair.objects.filter(project=run.project).update(approved_by=engineer, approved_at=later)
    assert not pairs_then(run).exists()
    TwinPair.objects.update(approved_at=run.conditions.frozen_at)
    assert pairs_then(run).count() == 1


def test_conditions_that_are_frozen_now_have_them(run: Run, engineer: Person) -> None:
    now = freeze(engineer, run.project)
    assert now.pk != run.conditions_id
    run.conditions = now
    assert [pair.key for pair in pairs_then(run)] == ["t2"] and pairs_are_as_frozen(run)


def test_controls_alone_are_counted_by_the_next_run_under_the_same_conditions(
    study: Project, engineer: Person
) -> None:
    first = finish(begin(engineer, study, ["original"]))
    take_in(study, "twins", CONTROLS)
    second = begin(engineer, study, ["original", "human"])
    assert second.conditions_id == first.conditions_id
    result = finish(second).result
    assert result and len(result["controls"]["judged"]) == Control.objects.count() == 2


def test_a_comparison_draws_by_the_pairs_of_the_run(run: Run) -> None:
    sides = [side_named(run.project, f"1:{arm}") for arm in ("original", "swapped")]
    n_bases = [
        score["difference"]["clusters"]
        for scope in comparison_record(*sides)["scopes"]
        for score in scope["scores"].values()
        if score["difference"].get("clusters")
    ]
    assert n_bases == []


def test_takeover_asks_for_no_pair_that_came_later(run: Run, engineer: Person) -> None:
    run.pk, run.number = None, 2  # another run under the same Conditions
    run.save()
    assert Takeover(run)._twins == {}


def test_pairs_that_were_deleted_since_are_told_on_the_page(
    study: Project, engineer: Person, client: object
) -> None:
    run = finish(begin(engineer, study, ["original", "human"]))
    told = "Twin pairs were changed or deleted since the conditions were frozen"
    client.force_login(engineer)  # type: ignore[attr-defined]

    def page() -> str:
        return client.get(reverse("run", args=["study", 1])).content.decode()  # type: ignore[attr-defined,no-any-return]

    assert told not in page()
    study.twin_pairs.all().delete()
    assert told in page() and not pairs_are_as_frozen(run)


def test_freezing_again_without_a_change_gives_the_same_conditions(
    study: Project, engineer: Person
) -> None:
    first = freeze(engineer, study)
    assert freeze(engineer, study) == first
    assert first.frozen_at <= timezone.now()
