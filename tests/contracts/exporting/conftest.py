"""Two studies with the same people: one with work in it, and an empty one for its files."""

from collections.abc import Callable

import pytest
from django.db import transaction

from annotation.models import HumanRewrite, Person, Project, Request
from annotation.services.exports import begin_export
from annotation.services.imports import ImportReport, import_file
from annotation.services.projects import create_project, set_member
from annotation.services.rewrites import record_rewrite
from contracts.models import Contract, Control, TwinPair

# In this order: what a file names must stand before it.
BACK = ("corpus", "requests", "sheets", "contracts", "standalone", "paraphrases", "twins")
Write = Callable[..., bytes]
TakeIn = Callable[..., ImportReport]

SAID = "p1=owner,p2=annotator-a,p3=annotator-b,p4=adjudicator,p5=engineer"


def written(project: Project, actor: Person, kind: str, form: str = "", **how: bool) -> bytes:
    export = begin_export(actor=actor, project=project, kind_name=kind, form=form, **how)
    return b"".join(export.pieces())


@pytest.fixture
def write(owner: Person) -> Write:
    """Export as the owner: `write(project, "sheets", named=True)`."""

    def write_kind(project: Project, kind: str, form: str = "", **how: bool) -> bytes:
        return written(project, owner, kind, form, **how)

    return write_kind


@pytest.fixture
def copy(
    project: Project,
    owner: Person,
    annotator_a: Person,
    annotator_b: Person,
    adjudicator: Person,
    engineer: Person,
) -> Project:
    """An empty project in which the same people came in another order."""
    made = create_project(actor=owner, slug="copy", name="Copy")
    for person, role in (
        (engineer, "engineer"),
        (adjudicator, "adjudicator"),
        (annotator_b, "annotator"),
        (annotator_a, "annotator"),
    ):
        set_member(actor=owner, project=made, person=person, roles=[role])
    return made


@pytest.fixture
def put_in(owner: Person) -> TakeIn:
    """Import a file as the owner, saying who its pseudonyms are where it has people."""

    def put(
        project: Project, kind: str, data: bytes, form: str = "jsonl", said: str = ""
    ) -> ImportReport:
        return import_file(
            actor=owner,
            project=project,
            kind=kind,
            filename=f"{kind}.{form}",
            data=data,
            options={"people": said} if said else {},
        )

    return put


@pytest.fixture
def worked(contract: Contract, annotator_a: Person, engineer: Person, put_in: TakeIn) -> Project:
    """The study of which one request went all the way: two sheets, a contract, a reference, a
    paraphrase, a twin pair and a control.
    """
    project = contract.request.project
    put_in(project, "corpus", b'{"_id": "d17", "title": "", "text": "EUR 1.2 billion."}\n')
    twin = Request.objects.create(
        project=project,
        key="r2",
        request_class=contract.request.request_class,
        text="=And its parent after 2021,\n\u2028 \u0645\u0631\u062d\u0628\u0627 📦?",
        metadata={"b": 1, "a": [None, 2.5]},
        sha256="0" * 64,
        position=1,
    )
    for kind, person, text in (
        (HumanRewrite.Kind.STANDALONE, annotator_a, "@What did Harbor Holdings earn?"),
        (HumanRewrite.Kind.PARAPHRASE, engineer, "-And the parent, before 2021?\r\n\tPlease"),
    ):
        with transaction.atomic():
            record_rewrite(
                actor=person,
                author=person,
                request=contract.request,
                seat=None,
                kind=kind,
                text=text,
            )
    TwinPair.objects.create(
        project=project, key="t1", family="date", base=contract.request, twin=twin, constraint="c2"
    )
    Control.objects.create(project=project, key="x1", base=twin, accepts=["after 2021"])
    return project
