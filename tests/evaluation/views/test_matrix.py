"""The constraint matrix and one case."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Person, Project
from evaluation.models import Judgement, Run
from evaluation.services.runs import start_run
from tests.evaluation.runs.small_study import finish, freeze, register, upload
from tests.evaluation.views.worlds import fill_wide

MATRIX = reverse("matrix", args=["study", 1])


def rows(client: Client, **filters: str) -> list[tuple[str, str]]:
    """(request, constraint) of every row, in the order of the page."""
    groups = client.get(MATRIX, filters).context["groups"]
    return [(group.request, row.constraint) for group in groups for row in group.rows]


def test_it_opens_on_what_was_lost(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    assert rows(client_of(engineer)) == [("a", "c2")]


def test_all_rows_come_with_the_lossy_request_first(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    found = rows(client_of(engineer), lost="0")
    assert found == [("a", "c1"), ("a", "c2"), ("b", "c1"), ("b", "c2"), ("c", "c1")]


@pytest.mark.parametrize(
    ("filters", "wanted"),
    [
        ({"lost": "new"}, [("a", "c2")]),
        ({"lost": "0", "kind": "time"}, [("a", "c2"), ("b", "c2")]),
        ({"lost": "0", "class": "follow-up"}, [("c", "c1")]),
        ({"lost": "0", "materiality": "minor"}, []),
        ({"stage": "rewrite"}, [("a", "c1"), ("a", "c2")]),
        ({"lost": "open"}, []),
    ],
)
def test_filters_narrow_the_rows(
    filters: dict[str, str],
    wanted: list[tuple[str, str]],
    run: Run,
    engineer: Person,
    client_of: Callable[[Person], Client],
) -> None:
    assert rows(client_of(engineer), **filters) == wanted


def test_a_loss_that_a_person_overruled_is_lost_no_more(
    run: Run, engineer: Person, adjudicator: Person, client_of: Callable[[Person], Client]
) -> None:
    lost = Judgement.objects.get(case__arm__name="cand", judgement__in=["altered", "dropped"])
    Judgement.objects.create(
        case=lost.case,
        constraint=lost.constraint,
        person=adjudicator,
        decides=True,
        judgement="stated",
        by="x",
    )
    assert rows(client_of(engineer), lost="1") == []


def test_an_unknown_arm_is_404(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    assert client_of(engineer).get(MATRIX, {"arm": "nobody"}).status_code == 404


def test_the_filter_form_works_without_htmx_and_swaps_the_table_with_it(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    client = client_of(engineer)
    whole = client.get(MATRIX, {"kind": "time", "lost": "0"}).content
    part = client.get(MATRIX, {"kind": "time", "lost": "0"}, HTTP_HX_REQUEST="true").content
    assert b"<html" in whole and part.startswith(b'<div id="matrix">')


def test_the_matrix_shows_the_words_that_changed(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    page = client_of(engineer).get(MATRIX).content.decode()
    assert "<ins>2021</ins>" in page


def test_the_case_shows_every_arm_with_its_loss_and_its_evidence(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    response = client_of(engineer).get(reverse("case", args=["study", 1, "a"]))
    cases = response.context["cases"]
    assert [case.arm.name for case in cases] == ["original", "human", "cand"]
    assert [case.shown.stage for case in cases][::2] == ["none", "rewrite"]
    marks = {hit.id: hit.mark for hit in cases[0].hits}
    assert marks == {"d1": "required", "d2": "near_miss"}


@pytest.mark.parametrize("page", ["run", "matrix", "case", "runs"])
def test_twice_the_requests_need_no_more_queries(
    page: str,
    project: Project,
    owner: Person,
    engineer: Person,
    client_of: Callable[[Person], Client],
) -> None:
    counts = []
    for run in (wide_run(project, engineer, 5), wide_run(other(owner, engineer), engineer, 10)):
        more = {"runs": [], "case": [run.number, "r00"]}.get(page, [run.number])
        address = reverse(page, args=[run.project.slug, *more])
        client = client_of(engineer)
        client.get(address)  # the first visit is recorded
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert client.get(address).status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1]


def other(owner: Person, engineer: Person) -> Project:
    from annotation.services.projects import create_project, set_member

    made = create_project(actor=owner, slug="other", name="Other")
    set_member(actor=owner, project=made, person=engineer, roles=["engineer"])
    return made


def wide_run(project: Project, engineer: Person, count: int) -> Run:
    upload(project, "cand", fill_wide(project, count))
    return finish(
        start_run(
            actor=engineer,
            project=project,
            protocol=register(engineer, project),
            conditions=freeze(engineer, project),
            arm_names=["original", "cand"],
        )
    )
