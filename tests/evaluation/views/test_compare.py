"""The page that compares two sides, its command and its address for programs."""

import json
from collections.abc import Callable
from html import unescape
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Person, Project
from annotation.services.projects import set_member
from evaluation.models import Run
from evaluation.reports.comparing import record as run_compare
from evaluation.reports.comparing.words import change_rows, comparison_lines
from evaluation.services.comparing import compare_sides
from evaluation.services.runs import start_run
from tests.evaluation.runs import small_study
from tests.evaluation.runs.small_study import begin, finish, register, upload
from tests.evaluation.views.test_matrix import other, wide_run
from tests.evaluation.views.worlds import KEPT, LOSSY, run_with

Clients = Callable[[Person], Client]
COMPARE = reverse("compare", args=["study"])
API = reverse("api-run-compare", args=["study"])


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    run_compare._kept.clear()


@pytest.fixture
def two(run: Run, engineer: Person) -> tuple[str, str]:
    """Two sides of two runs under equal conditions: the second alters the year of request a."""
    upload(run.project, "better", KEPT)
    second = finish(
        start_run(
            actor=engineer,
            project=run.project,
            protocol=run.protocol,
            conditions=run.conditions,
            arm_names=["original", "better"],
        )
    )
    return f"{second.number}:better", "1:cand"


def text_of(response: Any) -> str:
    return unescape(response.content.decode())


def test_two_runs_are_compared_request_by_request(
    two: tuple[str, str], engineer: Person, client_of: Clients
) -> None:
    page = client_of(engineer).get(COMPARE, {"a": two[0], "b": two[1]})
    (row,) = page.context["requests"]
    assert (row.request, row.critical) == ("a", True)
    assert [(m.row.kind, m.before[0], m.after[0]) for m in row.lost] == [
        ("time", "stated", "altered")
    ]
    assert reverse("case", args=["study", 1, "a"]) in text_of(page)
    assert "<ins>2021</ins>" in text_of(page)


def test_the_sentences_and_the_table_say_the_same(
    two: tuple[str, str], engineer: Person, client_of: Clients
) -> None:
    page = client_of(engineer).get(COMPARE, {"a": two[0], "b": two[1]})
    lines = comparison_lines(page.context["record"])
    assert lines == page.context["lines"]
    for row in page.context["rows"]:
        if not row.difference.missing:
            said = next(line for line in lines if line.startswith(f"{row.label}: "))
            assert f"B − A is {row.difference.text} points" in said and row.test.text in said


def test_that_people_judged_one_side_only_is_said(
    two: tuple[str, str], run: Run, engineer: Person
) -> None:
    *_sides, record = compare_sides(actor=engineer, project=run.project, a=two[0], b=two[1])
    assert not any(line.startswith("People judged") for line in comparison_lines(record))
    judged = {"time": {"matcher": 1, "person": 2, "model": 0, "open": 0}}
    lines = comparison_lines({**record, "a": {**record["a"], "judged": judged}})
    assert any(line.startswith("People judged 2 of 3 constraints under A") for line in lines)


def test_a_difference_that_leaves_requests_out_says_over_how_many_in_its_cell(
    two: tuple[str, str], run: Run, engineer: Person
) -> None:
    *_sides, record = compare_sides(actor=engineer, project=run.project, a=two[0], b=two[1])
    scope = record["scopes"][0]
    name = "critical_completeness"
    change = scope["scores"][name]
    fewer = {**change, "difference": {**change["difference"], "rows": 1, "n": 1}}
    for told, note in ((change, ""), (fewer, "over the 1 settled under both")):
        rows = change_rows({**scope, "scores": {**scope["scores"], name: told}})
        assert next(row for row in rows if row.score == name).difference.note == note


def test_swapped_sides_turn_regressions_into_gains(
    two: tuple[str, str], engineer: Person, run: Run
) -> None:
    there, back = (
        compare_sides(actor=engineer, project=run.project, a=a, b=b)[2] for a, b in (two, two[::-1])
    )
    first, second = (record["scopes"][0]["answers"] for record in (there, back))
    assert (first["lost"], first["gained"]) == (second["gained"], second["lost"])
    assert {r["request"] for r in there["requests"]} == {r["request"] for r in back["requests"]}


def test_each_side_stands_as_its_own_run_says(
    two: tuple[str, str], engineer: Person, run: Run
) -> None:
    *_sides, record = compare_sides(actor=engineer, project=run.project, a=two[0], b=two[1])
    (own,) = [
        row
        for row in (run.result or {})["scorecard"]["arms"]
        if (row["arm"], row["scope"]) == ("cand", "all")
    ]
    said = record["scopes"][0]["b"]["scores"]["supported_correct"]
    assert said == own["scores"]["supported_correct"]["estimate"]


def test_runs_under_other_conditions_are_refused_with_what_differs(
    run: Run, engineer: Person, client_of: Clients
) -> None:
    finish(begin(engineer, run.project, ["original", "cand"], k=1))
    page = client_of(engineer).get(COMPARE, {"a": "1:cand", "b": "2:cand"})
    assert page.status_code == 409 and "record" not in page.context
    (one,) = page.context["refused"].differences
    assert (one.what, one.a, one.b) == ("Documents per request", "2", "1")
    assert "extend run 2 by the arm “cand”" in text_of(page)


def under_two_protocols(study: Project, engineer: Person, **other: Any) -> None:
    """Run 1 under the study's protocol, run 2 under one that says something else."""
    second = register(engineer, study, name="other", **other)
    first = run_with(engineer, study, {"cand": LOSSY})
    finish(
        start_run(
            actor=engineer,
            project=study,
            protocol=second,
            conditions=first.conditions,
            arm_names=["original", "cand"],
        )
    )


def test_runs_that_are_judged_by_others_are_refused(
    study: Project, engineer: Person, client_of: Clients
) -> None:
    under_two_protocols(study, engineer, judging="human_for_all")
    page = client_of(engineer).get(COMPARE, {"a": "1:cand", "b": "2:cand"})
    assert page.status_code == 409
    (one,) = page.context["refused"].differences
    assert (one.a, one.b) == ("automatic", "human_for_all")


def test_protocols_that_compute_otherwise_give_way_to_the_defaults(
    study: Project, engineer: Person
) -> None:
    under_two_protocols(study, engineer, alpha=0.2)
    *_sides, record = compare_sides(actor=engineer, project=study, a="1:cand", b="2:cand")
    assert not record["protocols_alike"] and record["settings"]["level"] == 0.95
    assert "computed by default" in comparison_lines(record)[-1]


@pytest.mark.parametrize(
    ("a", "b", "status", "said"),
    [
        ("1:cand", "1:cand", 409, "the same arm of the same run"),
        ("1:cand", "9:cand", 404, "names no arm of a run here"),
        ("1:cand", "1:nobody", 404, "Its arms are cand, human, original."),
        ("1:cand", "x", 404, "Write RUN:ARM"),
    ],
)
def test_what_names_no_two_sides_is_answered_with_a_sentence(
    a: str, b: str, status: int, said: str, run: Run, engineer: Person, client_of: Clients
) -> None:
    page = client_of(engineer).get(COMPARE, {"a": a, "b": b})
    assert page.status_code == status and said in text_of(page)


def test_without_sides_the_page_offers_every_finished_run(
    run: Run, engineer: Person, client_of: Clients
) -> None:
    begin(engineer, run.project, ["original", "cand"], k=1)  # not finished
    page = client_of(engineer).get(COMPARE, {"b": "1:cand"})
    found = [sorted(side.name for side in sides) for _run, sides in page.context["choices"]]
    assert found == [["1:cand", "1:human", "1:original"]]
    assert '<option value="1:cand" selected>run 1 · cand</option>' in text_of(page)


@pytest.mark.parametrize(
    ("filters", "wanted"),
    [
        ({}, ["a"]),
        ({"show": "better"}, []),
        ({"show": "all"}, ["a"]),
        ({"show": "failed"}, []),
        ({"class": "follow-up"}, []),
        ({"class": "dated-fact"}, ["a"]),
        ({"score": "silent_when_resolved", "show": "worse"}, []),
        ({"score": "critical_completeness", "show": "worse"}, ["a"]),
    ],
)
def test_filters_narrow_the_requests(
    filters: dict[str, str],
    wanted: list[str],
    two: tuple[str, str],
    engineer: Person,
    client_of: Clients,
) -> None:
    page = client_of(engineer).get(COMPARE, {"a": two[0], "b": two[1], **filters})
    assert [row.request for row in page.context["requests"]] == wanted


def test_htmx_swaps_the_requests_alone(
    two: tuple[str, str], engineer: Person, client_of: Clients
) -> None:
    part = client_of(engineer).get(COMPARE, {"a": two[0], "b": two[1]}, HTTP_HX_REQUEST="true")
    assert part.content.startswith(b'<div id="compared">')


def test_a_failed_case_is_counted_and_bounded(
    run: Run, engineer: Person, client_of: Clients
) -> None:
    case = run.cases.get(arm__name="cand", request__key="b")
    case.outcome["outcome"] |= {"status": "timed_out"}
    case.save(update_fields=["outcome"])
    page = client_of(engineer).get(COMPARE, {"a": "1:human", "b": "1:cand", "show": "failed"})
    assert [row.request for row in page.context["requests"]] == ["b"]
    text = text_of(page)
    assert "B: 1 of 3 cases have no result (timed out: 1)" in text and "B timed out: 1" in text


def test_the_record_is_computed_once(
    run: Run, engineer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = compare_sides(actor=engineer, project=run.project, a="1:human", b="1:cand")[2]
    monkeypatch.setattr(run_compare, "read_outcomes", lambda side: pytest.fail("read again"))
    again = compare_sides(actor=engineer, project=run.project, a="1:human", b="1:cand")[2]
    assert again is first


def test_twice_the_requests_need_no_more_queries(
    project: Project, owner: Person, engineer: Person, client_of: Clients
) -> None:
    counts = []
    for run in (wide_run(project, engineer, 5), wide_run(other(owner, engineer), engineer, 10)):
        address = reverse("compare", args=[run.project.slug])
        sides = {"a": f"{run.number}:original", "b": f"{run.number}:cand"}
        client = client_of(engineer)
        client.get(address, sides)  # the first visit is recorded
        with CaptureQueriesContext(connection) as queries:
            assert len(client.get(address, sides).context["requests"]) in (5, 10)
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_that_both_runs_were_shown_is_recorded(
    two: tuple[str, str], run: Run, engineer: Person, client_of: Clients
) -> None:
    client_of(engineer).get(COMPARE, {"a": two[0], "b": two[1]})
    shown = run.project.ledger.filter(kind="exposed", actor=engineer)
    assert {"run 1", "run 2"} <= set(shown.values_list("subject", flat=True))


def test_who_may_still_annotate_a_request_sees_no_comparison(
    project: Project, engineer: Person, owner: Person, annotator_a: Person, client_of: Clients
) -> None:
    small_study.fill(project)
    run_with(engineer, project, {"cand": LOSSY})
    Project.objects.filter(pk=project.pk).update(paraphrases_per_request=1)
    roles = ["annotator", "engineer"]
    set_member(actor=owner, project=project, person=annotator_a, roles=roles)
    sides = {"a": "1:human", "b": "1:cand"}
    for address in (COMPARE, API):
        answer = client_of(annotator_a).get(address, sides)
        assert answer.status_code == 403 and "3 of the 3 requests" in text_of(answer)
    assert client_of(annotator_a).get(COMPARE).context["choices"] == []


def test_a_run_of_another_project_is_no_side_here(
    run: Run, owner: Person, engineer: Person, client_of: Clients
) -> None:
    elsewhere = other(owner, engineer)
    there = reverse("compare", args=[elsewhere.slug])
    page = client_of(engineer).get(there, {"a": "1:human", "b": "1:cand"})
    assert page.status_code == 404 and "names no arm of a run here" in text_of(page)


def test_a_program_gets_the_record_of_the_page(
    two: tuple[str, str], run: Run, engineer: Person, client_of: Clients
) -> None:
    answer = client_of(engineer).get(API, {"a": two[0], "b": two[1]}).json()
    *_sides, record = compare_sides(actor=engineer, project=run.project, a=two[0], b=two[1])
    void = {"void": {"a": None, "b": None}}
    assert answer == json.loads(json.dumps(record)) | void


def test_a_program_is_told_what_differs(run: Run, engineer: Person, client_of: Clients) -> None:
    finish(begin(engineer, run.project, ["original", "cand"], k=1))
    answer = client_of(engineer).get(API, {"a": "1:cand", "b": "2:cand"})
    assert answer.status_code == 422
    assert answer.json()["differences"] == [
        {"what": "Documents per request", "path": "", "a": "2", "b": "1"}
    ]


def test_the_command_prints_the_sentences_of_the_page(two: tuple[str, str], run: Run) -> None:
    out = StringIO()
    call_command("compare", f"study/{two[0]}", f"study/{two[1]}", stdout=out)
    assert "1 requests regressed, the gravest first\n  a: time c2 altered" in out.getvalue()
    assert "Critical completeness: B − A is −33.3 points" in out.getvalue()


def test_the_command_prints_one_json_object(two: tuple[str, str]) -> None:
    out = StringIO()
    call_command("compare", *two, "--project", "study", "--json", stdout=out)
    record = json.loads(out.getvalue())
    assert (record["schema"], record["a"]["arm"]) == ("run_comparison/1", "better")


@pytest.mark.parametrize(
    ("a", "b", "said"),
    [
        ("study/1:cand", "study/7:cand", "There is no run"),
        ("study/1", "study/1:cand", "names no side"),
        ("study/1:cand", "study/1:cand", "the same arm of the same run"),
        ("study/1:cand", "study/2:cand", "Documents per request : A 2 | B 1"),
    ],
)
def test_the_command_ends_with_3_and_a_sentence_when_it_cannot(
    a: str, b: str, said: str, run: Run, engineer: Person
) -> None:
    if "/2:" in b:
        finish(begin(engineer, run.project, ["original", "cand"], k=1))
    err = StringIO()
    with pytest.raises(SystemExit) as end:
        call_command("compare", a, b, stderr=err)
    assert end.value.code == 3 and said in err.getvalue()


def test_the_list_of_runs_and_the_run_lead_there(
    run: Run, engineer: Person, client_of: Clients
) -> None:
    client = client_of(engineer)
    assert f'href="{COMPARE}"' in text_of(client.get(reverse("runs", args=["study"])))
    page = text_of(client.get(reverse("run", args=["study", 1])))
    assert f'href="{COMPARE}?a=1:original&b=1:cand"' in page
