from collections.abc import Callable, Iterator
from http import HTTPStatus

import pytest
from django.test import Client
from django.utils import timezone

from annotation import progress
from annotation.desk import WORK_KINDS
from annotation.models import Person, Project, Seat
from annotation.next_acts import next_acts
from annotation.places import PLACES, Place
from annotation.services.projects import create_project, set_member
from tests.annotation.plain_work import plain_work

ClientOf = Callable[[Person], Client]
NEW = {"name": "New study", "slug": "new-study", "purpose": "acceptance"}


def page(client: Client, path: str) -> str:
    return client.get(path).content.decode()


def seal(project: Project, person: Person, slot: int) -> None:
    now = timezone.now()
    Seat.objects.create(
        project=project, request=project.requests.get(key="r1"), kind="test-work", slot=slot,
        holder=person, state=Seat.State.SUBMITTED, taken_at=now, leased_until=now, position=1,
    )  # fmt: skip


@pytest.fixture
def work() -> Iterator[None]:
    plain_work("test-work", lambda _project: 2)
    yield
    del WORK_KINDS["test-work"]


def test_home_lists_my_projects_and_no_others(
    project: Project, engineer: Person, stranger: Person, client_of: ClientOf
) -> None:
    create_project(actor=stranger, slug="other", name="Other study")
    shown = page(client_of(engineer), "/")
    assert "Study" in shown and "Other study" not in shown


def test_an_empty_home_says_what_it_is_for_and_offers_a_project(
    stranger: Person, client_of: ClientOf
) -> None:
    shown = page(client_of(stranger), "/")
    assert "You are in no project yet" in shown and "/projects/new/" in shown


def test_home_offers_only_what_the_role_can_do(
    project: Project, owner: Person, adjudicator: Person, client_of: ClientOf
) -> None:
    assert "/p/study/import/" in page(client_of(owner), "/")
    assert "/p/study/import/" not in page(client_of(adjudicator), "/")


def test_a_registered_place_whose_page_is_not_served_is_left_out(
    project: Project, annotator_a: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "annotation.places.PLACES", [*PLACES, Place("no-such-page", "Nothing", "annotate", 1)]
    )
    assert "Nothing" not in [act.label for act in next_acts(annotator_a, project)]


def test_whoever_creates_a_project_owns_it(stranger: Person, client_of: ClientOf) -> None:
    assert client_of(stranger).post("/projects/new/", NEW)["Location"] == "/p/new-study/"
    membership = Project.objects.get(slug="new-study").memberships.get()
    assert (membership.person, membership.role_names) == (stranger, ("owner",))


def test_a_short_name_that_is_taken_is_refused(
    project: Project, stranger: Person, client_of: ClientOf
) -> None:
    response = client_of(stranger).post("/projects/new/", {**NEW, "slug": "study"})
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "This short name is taken" in response.content.decode()


def test_an_empty_study_names_the_next_step(
    project: Project, owner: Person, annotator_a: Person, client_of: ClientOf
) -> None:
    assert "no corpus yet" in page(client_of(owner), "/p/study/")
    assert "An owner or an engineer imports them" in page(client_of(annotator_a), "/p/study/")


def test_an_owner_sees_names_and_the_work_of_all(
    filled: Project, owner: Person, annotator_a: Person, work: None, client_of: ClientOf
) -> None:
    seal(filled, annotator_a, 1)
    shown = page(client_of(owner), "/p/study/")
    assert "annotator-b" in shown and "Test work, done" in shown and "1 of 4" in shown


def test_an_annotator_sees_their_own_work_and_nobody_elses(
    filled: Project, annotator_a: Person, annotator_b: Person, work: None, client_of: ClientOf
) -> None:
    seal(filled, annotator_b, 1)
    before = page(client_of(annotator_a), "/p/study/")
    assert "annotator-b" not in before and "Test work" not in before
    seal(filled, annotator_a, 2)
    assert "1 of 2" in page(client_of(annotator_a), "/p/study/")


def test_an_owner_who_annotates_is_told_about_their_own_work_only(
    filled: Project, owner: Person, annotator_b: Person, work: None
) -> None:
    set_member(actor=owner, project=filled, person=owner, roles=["owner", "annotator"])
    seal(filled, annotator_b, 1)
    assert not progress.sees_all_counts(owner, filled)
    assert progress.own_counts(owner, filled) == []


def test_another_app_adds_a_count(filled: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "COUNTS", [("Contracts", lambda project: (1, 2))])
    assert progress.all_counts(filled) == [progress.Count("Contracts", 1, 2)]


def test_home_and_study_lead_back_to_the_item_at_work(
    filled: Project, annotator_a: Person, annotator_b: Person, client_of: ClientOf
) -> None:
    taken = client_of(annotator_a).post("/p/study/desk/next/sheet/")["Location"]
    for path in ("/", "/p/study/"):
        shown = page(client_of(annotator_a), path)
        assert "You are at work on r1 (Contract sheet)." in shown and taken in shown
        assert "at work on" not in page(client_of(annotator_b), path)
