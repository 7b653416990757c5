"""Rows of suites keep no word of a paraphrase whose author withdrew their consent."""

import json
from typing import Any

import pytest

from annotation.models import Person, Project
from annotation.services import consent
from evaluation.models import SuiteRow, SuiteRun
from evaluation.suites import leases
from evaluation.suites.copies import without_words
from evaluation.varying.human import GENERATOR, version_of
from tests.evaluation.suites.worlds import begin, finish, make_set
from tests.evaluation.varied import paraphrase

pytestmark = pytest.mark.django_db
SECRET = "zqxj alder revenue for the year 2022"


@pytest.fixture
def run(study: Project, engineer: Person, annotator_a: Person) -> SuiteRun:
    """A run over a set with a paraphrase of a and a clean wording of b."""
    written = paraphrase(study, annotator_a, "a", SECRET)
    of_people = make_set(study, "people", {"a": SECRET}, rate=0.5, kind="human", keys=("a", "b"))
    item = of_people.items.get(request__key="a")
    assert item.variation is not None
    item.variation.generator, item.variation.version = GENERATOR, version_of(written)
    item.variation.save()
    return begin(engineer, study, "standard", sets=[of_people], four_conditions=True)


def withdraw(project: Project, person: Person) -> None:
    project.consent_text = "Your texts are published."
    project.save()
    consent.give(actor=person, project=project, text_sha256=consent.text_hash(project))
    consent.withdraw(actor=person, project=project)


def measured() -> list[tuple[Any, ...]]:
    rows = SuiteRow.objects.order_by("key").values_list("key", "content")
    return [(key, one["answer"], one["hits"], one["status"]) for key, one in rows]


def told() -> str:
    return json.dumps(list(SuiteRow.objects.values_list("content", flat=True)))


def test_the_rows_lose_the_words_and_keep_what_was_found_and_answered(
    run: SuiteRun, study: Project, annotator_a: Person
) -> None:
    finish(run)
    assert SECRET in told()
    found = measured()
    withdraw(study, annotator_a)
    assert "zqxj" not in told()
    assert measured() == found


@pytest.mark.parametrize("name", ["shown", "raw"])
def test_whatever_a_row_tells_of_its_wording_goes(name: str) -> None:
    row = {name: SECRET, "notes": {"of": SECRET}, "searches": [SECRET], "error": f"Bad: {SECRET}"}
    assert SECRET not in json.dumps(without_words({**row, "status": "failed"}, SECRET))


def test_other_rows_stay_as_they_are(run: SuiteRun, study: Project, annotator_a: Person) -> None:
    finish(run)
    clean = SuiteRow.objects.filter(key__endswith="|clean|clean")
    before = list(clean.values())
    withdraw(study, annotator_a)
    assert len(before) == 2 and list(clean.values()) == before


def test_a_worker_with_the_words_in_memory_loses_the_run(
    run: SuiteRun, study: Project, annotator_a: Person
) -> None:
    assert leases.take(run, "w1") and leases.hold(run, "w1")
    withdraw(study, annotator_a)
    assert not leases.hold(run, "w1")
