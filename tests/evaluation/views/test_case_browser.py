"""The page of one case in real Chromium: fused, fallen back, cited, given up."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Person, Project
from evaluation.models import Case, Run
from tests.contracts.desk_browser import Desk, desk_at
from tests.evaluation.generation.fake_endpoint import Reply, fake_endpoint
from tests.evaluation.runs import fixtures
from tests.evaluation.runs.small_study import begin, case_of, finish, upload
from tests.evaluation.views.test_run_browser import faults
from tests.evaluation.views.worlds import LOSSY

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

study = fixtures.study
LONG = "https://rewriter.example.org:443/" + "a-very-long-path-without-a-blank/" * 6


@pytest.fixture
def desk(live_server: LiveServer) -> Iterator[Desk]:
    with desk_at(live_server) as made:
        yield made


def told(study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Arms whose cases fuse, fall back, and in one case are given up."""
    upload(study, "cand", {**LOSSY, "a": "Lark Bakery"})
    row = {"kind": "standalone", "queries": [], "fell_back": True, "tokens": {"in": 1240}}
    script = [Reply(body=json.dumps(row).encode())] * 3
    with fake_endpoint(*script) as service:
        monkeypatch.setenv("INTACT_OUTBOUND_HOSTS", "127.0.0.1")
        monkeypatch.setenv("INTACT_REWRITER_URL", service.origin)
        run = finish(begin(engineer, study, ("original", "cand", "http"), retriever="rrf", k=4))
    lost = case_of(run, "cand", "b")
    lost.stages.exclude(stage="rewrite").delete()
    Case.objects.filter(pk=lost.pk).update(
        state="dead", status="provider_error", error=LONG, attempts=3, outcome=None
    )
    return run


def test_it_fits_every_width_axe_finds_nothing_and_a_citation_leads_to_its_hit(
    study: Project, engineer: Person, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    told(study, engineer, monkeypatch)
    assert faults(desk, engineer, "1/cases/a/", "1/cases/b/") == []
    page = desk.tab(desk.sign_in(engineer), "/p/study/runs/1/cases/a/")
    link = page.locator("figure.citation a").first
    link.press("Enter")
    expect(page.locator(".hits li:target")).to_contain_text(link.inner_text().strip())
    expect(page.locator(".fell-back")).to_have_text("fell back to the original")
