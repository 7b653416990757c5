"""The tasks that make a set: in slices, and taken up again when their message is lost."""

import pytest

from annotation.models import Person, Project
from annotation.processes import process_name
from evaluation.models import VariationSet
from evaluation.varying import filling, tasks
from evaluation.varying.leases import take
from tests.evaluation.runs.fixtures import study
from tests.evaluation.varied import begun, made, makers

__all__ = ["makers", "study"]

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("makers")]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sets about which a message was sent."""
    found: list[int] = []
    monkeypatch.setattr(tasks.fill_variation_set, "delay", found.append)
    monkeypatch.setattr(
        tasks.fill_variation_set, "apply_async", lambda args, **more: found.append(args[0])
    )
    return found


def test_a_set_is_sent_to_the_workers_when_it_is_begun(
    study: Project, engineer: Person, sent: list[int],
    django_capture_on_commit_callbacks: pytest.FixtureRequest,
) -> None:  # fmt: skip
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        found = begun(engineer, study)
    assert set(sent) == {found.pk}


def test_the_task_makes_the_set_and_sends_nothing_more(
    study: Project, engineer: Person, sent: list[int]
) -> None:
    found = begun(engineer, study)
    tasks.fill_variation_set(found.pk)
    assert VariationSet.objects.get().state == "made" and sent == []


def test_what_is_left_after_a_slice_is_sent_again(
    study: Project, engineer: Person, sent: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "SECONDS_PER_TASK", 0.0)
    found = begun(engineer, study)
    tasks.fill_variation_set(found.pk)
    assert sent == [found.pk] and filling.open_items(found).count() == 2


def test_a_task_of_a_set_that_is_made_or_gone_does_nothing(
    study: Project, engineer: Person, sent: list[int]
) -> None:
    tasks.fill_variation_set(made(engineer, study).pk)
    tasks.fill_variation_set(999_999)
    assert sent == []


def test_a_set_on_which_nobody_works_is_sent_again(
    study: Project, engineer: Person, sent: list[int]
) -> None:
    found = begun(engineer, study)
    tasks.sweep_variation_sets()
    assert sent == [found.pk]
    assert take(found, "elsewhere:1:1")
    tasks.sweep_variation_sets()
    assert sent == [found.pk]


def test_a_set_whose_process_ended_here_is_sent_again(
    study: Project, engineer: Person, sent: list[int]
) -> None:
    host = process_name().partition(":")[0]
    found = begun(engineer, study)
    assert take(found, f"{host}:1:1")  # the first process began at another tick
    tasks.sweep_variation_sets()
    assert sent == [found.pk]


def test_a_made_set_is_not_swept(study: Project, engineer: Person, sent: list[int]) -> None:
    made(engineer, study)
    tasks.sweep_variation_sets()
    assert sent == []
