"""The ledger tells whoever annotates nothing of others' work: neither entries, nor numbers from
which their count could be seen.
"""

from collections.abc import Callable

import pytest
from django.db import transaction
from django.test import Client

from annotation.models import Person, Project
from annotation.services import ledger
from annotation.services.projects import set_member

ClientOf = Callable[[Person], Client]
TELLING = (
    "exposed",
    "exported",
    "export.begun",
    "sheet.sealed",
    "sheet.retracted",
    "sheet.requeued",
    "qualification.requeued",
    "adjudication.opened",
    "contract.approved",
    "paraphrase.sealed",
    "paraphrase.withdrawn",
    "standalone.sealed",
    "gold.added",
)


def record(project: Project, actor: Person, kind: str, subject: str = "r1") -> None:
    with transaction.atomic():
        ledger.record(project=project, kind=kind, subject=subject, content={}, actor=actor)


def _content(page: bytes) -> bytes:
    """The page without what is new in every answer: its head and the form that logs out."""
    return page.partition(b"<h1>")[2].partition(b"</main>")[0]


@pytest.fixture
def both(filled: Project, owner: Person, engineer: Person) -> Person:
    """The engineer, who annotates too."""
    set_member(actor=owner, project=filled, person=engineer, roles=["engineer", "annotator"])
    return engineer


@pytest.mark.parametrize("kind", TELLING)
def test_a_peers_act_changes_nothing_on_the_page(
    filled: Project, both: Person, annotator_a: Person, client_of: ClientOf, kind: str
) -> None:
    browser = client_of(both)
    before = browser.get("/p/study/ledger/")
    record(filled, annotator_a, kind)
    after = browser.get("/p/study/ledger/")
    shown = [[(e.kind, e.subject) for e in page.context["page"]] for page in (before, after)]
    assert shown[0] == shown[1]
    table = [
        page.content.partition(b"<h1>")[2].partition(b"</main>")[0] for page in (before, after)
    ]
    assert table[0] == table[1]


@pytest.mark.parametrize("kind", TELLING)
def test_an_engineer_who_does_not_annotate_reads_all(
    filled: Project, engineer: Person, annotator_a: Person, client_of: ClientOf, kind: str
) -> None:
    record(filled, annotator_a, kind)
    page = client_of(engineer).get("/p/study/ledger/")
    assert page.context["page"][0].kind == kind
    assert f"all {filled.ledger.count()} entries were checked" in page.content.decode()


@pytest.mark.parametrize("kind", TELLING)
def test_their_own_acts_are_listed(
    filled: Project, both: Person, client_of: ClientOf, kind: str
) -> None:
    record(filled, both, kind)
    assert client_of(both).get("/p/study/ledger/").context["page"][0].kind == kind


def test_no_number_tells_how_many_entries_are_left_out(
    filled: Project, both: Person, annotator_a: Person, client_of: ClientOf
) -> None:
    for number in range(3):
        record(filled, annotator_a, "sheet.sealed", f"r{number}")
    record(filled, both, "sheet.sealed", "own")
    page = client_of(both).get("/p/study/ledger/").content.decode()
    assert "entries were checked" not in page and ">number<" not in page
    assert f'"n">{filled.ledger.count()}<' not in page
    assert "is not listed for whoever annotates" in page


def test_a_pure_annotator_does_not_reach_it(
    filled: Project, annotator_a: Person, client_of: ClientOf
) -> None:
    assert client_of(annotator_a).get("/p/study/ledger/").status_code == 403
