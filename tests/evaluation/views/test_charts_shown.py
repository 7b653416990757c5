"""The charts and the negative outcomes on the verdict page."""

import re
from collections.abc import Callable
from html import unescape
from io import StringIO

import pytest
from django.core.cache import caches
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Person, Project
from evaluation.charting import drawing
from evaluation.models import Run, Verdict
from evaluation.reports.charts import warming
from evaluation.reports.charts.warming import draw_ahead
from evaluation.runs.tasks import conclude_run, draw_charts, work_on_run
from tests.evaluation.runs.small_study import begin, finish
from tests.evaluation.views.worlds import KEPT, LOSSY, run_with

PAGE = "/p/study/runs/1/"
ClientOf = Callable[[Person], Client]


@pytest.fixture(autouse=True)
def apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Messages to workers go nowhere, and no drawing is left from another test."""
    monkeypatch.setattr(work_on_run, "delay", lambda run_id: None)
    monkeypatch.setattr(draw_charts, "delay", lambda run_id: None)
    caches["charts"].clear()


def words(response) -> str:  # type: ignore[no-untyped-def]
    return " ".join(unescape(response.content.decode()).split())


def test_the_page_has_five_charts_with_a_table_behind_each_that_has_numbers(
    run: Run, engineer: Person, client_of: ClientOf
) -> None:
    response = client_of(engineer).get(PAGE)
    page = response.content.decode()
    charts = response.context["report"].charts
    assert [chart.name for chart in charts] == ["kinds", "gains", "stages", "families", "cost"]
    assert page.count("The same numbers as a table") == sum(bool(chart.rows) for chart in charts)
    assert page.count('role="img"') == sum(bool(chart.svg) for chart in charts) == 4
    for chart in charts:
        for cell in (cell for row in chart.rows for cell in row):
            assert cell in unescape(page)


def test_no_id_occurs_twice_on_the_page(run: Run, engineer: Person, client_of: ClientOf) -> None:
    ids = re.findall(r'\bid="([^"]+)"', client_of(engineer).get(PAGE).content.decode())
    assert sorted(ids) == sorted(set(ids))


def test_a_class_has_its_own_chart_of_kinds(
    run: Run, engineer: Person, client_of: ClientOf
) -> None:
    response = client_of(engineer).get(PAGE, {"class": "follow-up"})
    titles = [chart.title for chart in response.context["report"].charts]
    assert titles[0] == "Constraints kept, by kind and arm: follow-up"


def test_a_run_concluded_before_kinds_were_counted_says_so_until_it_is_computed_again(
    run: Run, engineer: Person, client_of: ClientOf
) -> None:
    client, sentence = client_of(engineer), "concluded before constraints were counted by kind"
    del run.result["kinds"]
    Run.objects.filter(pk=run.pk).update(result=run.result)
    before = words(client.get(PAGE))
    out = StringIO()
    call_command("runs", "study", "1", "--compute", stdout=out)
    run.refresh_from_db()
    assert out.getvalue() == (f"The results of run 1 are computed again: {run.result_sha256}.\n")
    assert (sentence in before, sentence in words(client.get(PAGE))) == (True, False)


def test_computing_again_changes_no_verdict(run: Run) -> None:
    before = list(Verdict.objects.order_by("pk").values_list("pk", "version", "sha256"))
    call_command("runs", "study", "1", "--compute", stdout=StringIO())
    assert list(Verdict.objects.order_by("pk").values_list("pk", "version", "sha256")) == before


def test_a_run_that_is_not_finished_has_nothing_to_compute_again(
    study: Project, engineer: Person
) -> None:
    begin(engineer, study, ["original"])
    with pytest.raises(CommandError, match="only a finished run has results"):
        call_command("runs", "study", "1", "--compute", stdout=StringIO())


def test_the_page_stands_though_nothing_can_be_drawn(
    run: Run, engineer: Person, client_of: ClientOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_args: object, **_more: object) -> str:
        raise ImportError("the library is gone")

    monkeypatch.setattr(drawing, "draw", broken)
    response = client_of(engineer).get(PAGE)
    assert response.status_code == 200
    assert "This chart could not be drawn; its numbers stand in the table." in words(response)


def test_drawn_ahead_the_page_draws_nothing(
    run: Run, engineer: Person, client_of: ClientOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw_charts(run.pk)
    monkeypatch.setattr(drawing, "draw", lambda *_a, **_k: pytest.fail("drawn by the page"))
    for scope in ("all", "follow-up"):
        assert b"could not be drawn" not in client_of(engineer).get(PAGE, {"class": scope}).content


def test_drawing_ahead_stops_when_its_time_is_over(run: Run) -> None:
    assert draw_ahead(run.pk, seconds=-1) == 0
    assert draw_ahead(run.pk) > 0


def test_a_run_without_a_result_has_nothing_to_draw(study: Project, engineer: Person) -> None:
    assert draw_ahead(begin(engineer, study, ["original"]).pk) == 0


def test_a_run_is_concluded_though_its_charts_cannot_be_drawn(
    study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    monkeypatch.setattr(draw_charts, "delay", asked.append)
    monkeypatch.setattr(drawing, "draw", lambda *_a, **_k: 1 / 0)
    run = finish(begin(engineer, study, ["original", "human"]))
    conclude_run(run.pk)
    draw_charts(run.pk)
    run.refresh_from_db()
    assert (asked, run.state) == ([run.pk], Run.State.FINISHED)


def test_negative_outcomes_of_every_arm_stand_whatever_is_chosen(
    study: Project, engineer: Person, client_of: ClientOf
) -> None:
    run = run_with(engineer, study, {"cand": LOSSY, "kept": KEPT})
    arm = Verdict.objects.filter(run=run, arm__name="cand").first()
    assert arm is not None
    arm.outcome = "fallback"
    arm.content["outcome"] = "fallback"
    arm.save()
    run.result["scorecard"]["arms"][0]["statuses"] = {"ok": 2, "timed_out": 1}
    Run.objects.filter(pk=run.pk).update(result=run.result)
    client = client_of(engineer)
    for chosen in ({}, {"arm": "kept"}, {"arm": "cand", "class": "follow-up"}):
        page = words(client.get(PAGE, chosen))
        assert f"Falls back in 1 of 2 classes: {arm.content['request_class']}." in page
        assert "1 of 3 cases failed and have no score: 1 timed out." in page
        assert 'id="limits"' in page


def test_the_page_asks_as_much_for_three_candidates_as_for_one(
    study: Project, engineer: Person, client_of: ClientOf
) -> None:
    run_with(engineer, study, {"cand": LOSSY})
    run_with(engineer, study, {"cand2": LOSSY, "cand3": KEPT, "cand4": KEPT})
    client = client_of(engineer)
    counts = []
    for number in (1, 2):
        client.get(f"/p/study/runs/{number}/")
        with CaptureQueriesContext(connection) as asked:
            client.get(f"/p/study/runs/{number}/")
        counts.append(len(asked))
    assert counts[0] == counts[1]


def test_a_run_without_a_candidate_draws_what_it_has(
    study: Project, engineer: Person, client_of: ClientOf
) -> None:
    finish(begin(engineer, study, ["original", "human"]))
    response = client_of(engineer).get(reverse("run", args=["study", 1]))
    drawn = {chart.name: bool(chart.svg) for chart in response.context["report"].charts}
    assert drawn["kinds"] and drawn["stages"] and not drawn["gains"]
    assert warming.draw_ahead(Run.objects.get().pk) > 0
