"""The pages of agreement, their files and the command."""

import csv
import io
import json
from collections.abc import Callable, Iterator
from http import HTTPStatus
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from kombu.exceptions import OperationalError as QueueUnreachable

from annotation.models import Person, Project
from annotation.services import exposure
from annotation.services.projects import create_project, set_member
from contracts.models import AgreementSnapshot, Constraint
from contracts.services import agreement as services
from contracts.views import agreement as views
from tests.contracts.conftest import BEFORE, UNTIL, Sealer

ClientOf = Callable[[Person], Client]
PLACE = "/p/study/agreement/"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "RESAMPLES", 50)
    monkeypatch.setattr(views, "RESAMPLES", 50)


@pytest.fixture
def study(
    seal: Sealer, project: Project, annotator_a: Person, annotator_b: Person
) -> Iterator[Project]:
    """r1 has two sheets that differ in the relation of the time."""
    seal(annotator_a, BEFORE)
    seal(annotator_b, UNTIL)
    yield project


def page(browser: Client, address: str = PLACE, **more: Any) -> str:
    response = browser.get(address, **more)
    assert response.status_code == HTTPStatus.OK
    return response.content.decode()


def table(response: Any) -> list[dict[str, str]]:
    text = b"".join(response.streaming_content).decode()
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_the_page_says_what_it_counts_before_its_numbers(
    study: Project, engineer: Person, client_of: ClientOf
) -> None:
    said = page(client_of(engineer))
    assert "1 of 1 request of the study" in said
    assert "0 of 1: in no figure" in said
    assert "0 sheets sealed after their annotators were shown something" in said


def test_an_undefined_number_is_a_dash_with_its_reason_below(
    study: Project, engineer: Person, client_of: ClientOf
) -> None:
    said = page(client_of(engineer))
    assert 'href="#why-value-1"' in said
    assert '<li id="why-value-1">' in said
    assert "no variation: every rating is the same" in said
    assert "one request alone: nothing to resample" in said  # why there is no interval


def test_every_number_leads_to_the_pairs_behind_it(
    study: Project, engineer: Person, client_of: ClientOf
) -> None:
    there = f"{PLACE}pairs/?question=value&amp;kind=time"
    browser = client_of(engineer)
    assert f'<a href="{there}">0.000</a>' in page(browser)
    said = page(browser, there.replace("&amp;", "&"))
    assert "before 2021" in said and "until 2021" in said
    assert "1 unit: 1 differs, 0 are one-sided" in said


def test_an_empty_page_says_what_it_is_for(
    project: Project, owner: Person, client_of: ClientOf
) -> None:
    assert "No sheet is sealed yet" in page(client_of(owner))


def test_beyond_what_a_page_can_work_out_it_says_where_the_intervals_are(
    study: Project, owner: Person, client_of: ClientOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "WITH_INTERVALS", 0)
    assert "A frozen table has them" in page(client_of(owner))


def test_figures_expose_nobody_and_pairs_whoever_reads_them(
    study: Project, engineer: Person, client_of: ClientOf
) -> None:
    browser = client_of(engineer)
    for address in (PLACE, f"{PLACE}requests/", f"{PLACE}table.csv"):
        browser.get(address)
    assert not exposure.was_exposed(person=engineer, project=study, subject="r1")
    page(browser, f"{PLACE}pairs/")
    assert exposure.exposures(person=engineer, project=study).get().content == {"what": "sheets"}
    assert not study.seats.filter(state="submitted", read_at=None).exists()


def test_reviewers_have_no_names_unless_an_owner_wants_them(
    study: Project, owner: Person, engineer: Person, client_of: ClientOf
) -> None:
    there = f"{PLACE}pairs/?names=1"
    assert "annotator-a" not in page(client_of(engineer), there)
    assert "annotator-a" not in page(client_of(owner), f"{PLACE}pairs/")
    assert "annotator-a" in page(client_of(owner), there)


def test_only_differences_are_listed_on_demand(
    study: Project, owner: Person, client_of: ClientOf
) -> None:
    said = page(client_of(owner), f"{PLACE}pairs/?question=value&differences=1")
    assert "Units 1 to 1 of 1" in said and "Harbor Holdings" not in said


def test_a_figure_that_does_not_exist_is_not_found(
    study: Project, owner: Person, client_of: ClientOf
) -> None:
    for asked in ("question=mood", "question=value&kind=mood"):
        found = client_of(owner).get(f"{PLACE}pairs/?{asked}")
        assert found.status_code == HTTPStatus.NOT_FOUND


def test_requests_stand_lowest_first(
    study: Project,
    other: object,
    seal: Sealer,
    annotator_a: Person,
    annotator_b: Person,
    owner: Person,
    client_of: ClientOf,
) -> None:
    for person in (annotator_a, annotator_b):
        seal(person, [("referent", "parcel fees", {"name": "parcel fees"})])
    browser = client_of(owner)
    keys = [row["key"] for row in browser.get(f"{PLACE}requests/").context["rows"]]
    back = [row["key"] for row in browser.get(f"{PLACE}requests/?sort=-agreement").context["rows"]]
    assert (keys, back) == (["r1", "r2"], ["r2", "r1"])


def test_the_tables_come_as_csv(study: Project, owner: Person, client_of: ClientOf) -> None:
    rows = table(client_of(owner).get(f"{PLACE}table.csv"))
    assert len(rows) == 25  # three questions of seven kinds and all of them, and ambiguity
    time = next(r for r in rows if (r["question"], r["kind"]) == ("value", "time"))
    assert (time["raw"], time["units"], time["requests"], time["ac1"]) == ("0.0", "1", "1", "")
    assert "open" in time["ac1_reason"]


def test_pairs_come_as_csv_whose_cells_no_spreadsheet_runs(
    study: Project, owner: Person, client_of: ClientOf
) -> None:
    Constraint.objects.filter(kind="referent", sheet__isnull=False).update(value={"name": "=1+1"})
    browser = client_of(owner)
    asked = {"question": "value", "kind": "referent"}
    rows = table(browser.post(f"{PLACE}pairs.csv", asked))
    assert [row["says"] for row in rows] == ["'=1+1", "'=1+1"]
    assert {row["agreed"] for row in rows} == {"true"}
    assert exposure.was_exposed(person=owner, project=study, subject="r1")


def test_a_table_is_frozen_read_worked_out_again_and_taken_along(
    study: Project, owner: Person, client_of: ClientOf
) -> None:
    browser = client_of(owner)
    there = browser.post(f"{PLACE}freeze/")["Location"]
    frozen = AgreementSnapshot.objects.get()
    assert frozen.sha256 in page(browser, there)
    again = browser.post(f"{there}again/").content.decode()
    assert "the table comes out the same" in again
    content = json.loads(browser.get(f"{there}json/").content)
    assert content["sha256"] == frozen.sha256
    assert str(frozen.public_id)[:8] in page(browser)


def test_a_table_that_does_not_come_out_the_same_says_why(
    study: Project, owner: Person, client_of: ClientOf
) -> None:
    browser = client_of(owner)
    there = browser.post(f"{PLACE}freeze/")["Location"]
    Constraint.objects.filter(kind="time", sheet__isnull=False).update(materiality="minor")
    again = browser.post(f"{there}again/").content.decode()
    assert "2 of its 2 sheets are not what they were" in again


def test_with_one_sheet_freezing_says_what_is_missing(
    seal: Sealer, project: Project, annotator_a: Person, owner: Person, client_of: ClientOf
) -> None:
    seal(annotator_a, BEFORE)
    said = client_of(owner).post(f"{PLACE}freeze/", follow=True).content.decode()
    assert "There is nothing to freeze: no request has two sheets." in said


def test_a_large_study_is_frozen_by_a_worker_and_says_so_when_there_is_none(
    study: Project, owner: Person, client_of: ClientOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[tuple[int, int]] = []
    monkeypatch.setattr(views, "FROZEN_AT_ONCE", 0)
    monkeypatch.setattr(views.freeze_agreement, "delay", lambda *ids: sent.append(ids))
    browser = client_of(owner)
    assert "A worker freezes" in browser.post(f"{PLACE}freeze/", follow=True).content.decode()
    assert sent == [(study.pk, owner.pk)]

    def unreachable(*_ids: int) -> None:
        raise QueueUnreachable

    monkeypatch.setattr(views.freeze_agreement, "delay", unreachable)
    said = browser.post(f"{PLACE}freeze/", follow=True).content.decode()
    assert "nothing was frozen" in said


@pytest.mark.parametrize("path", ["", "pairs/", "requests/", "table.csv"])
@pytest.mark.parametrize("roles", [["annotator", "owner"], ["annotator", "engineer"]], ids="+".join)
def test_whoever_annotates_sees_none_of_it(
    study: Project,
    owner: Person,
    stranger: Person,
    client_of: ClientOf,
    roles: list[str],
    path: str,
) -> None:
    set_member(actor=owner, project=study, person=stranger, roles=roles)
    browser = client_of(stranger)
    assert browser.get(f"{PLACE}{path}").status_code == HTTPStatus.FORBIDDEN
    assert f'href="{PLACE}"' not in page(browser, "/p/study/")


@pytest.mark.parametrize("path", ["freeze/", "pairs.csv"])
def test_an_adjudicator_sends_nothing_there(
    study: Project, adjudicator: Person, client_of: ClientOf, path: str
) -> None:
    answer = client_of(adjudicator).post(f"{PLACE}{path}")
    assert answer.status_code == HTTPStatus.FORBIDDEN


def test_a_snapshot_of_another_study_is_not_found(
    study: Project, owner: Person, client_of: ClientOf
) -> None:
    frozen = services.freeze(actor=owner, project=study)
    create_project(actor=owner, slug="second", name="Second")
    there = f"/p/second/agreement/snapshots/{frozen.public_id}/"
    browser = client_of(owner)
    assert browser.get(there).status_code == HTTPStatus.NOT_FOUND
    assert browser.post(f"{there}again/").status_code == HTTPStatus.NOT_FOUND


# ---------------------------------------------------------------- the command


def run(*words: str) -> str:
    out = io.StringIO()
    call_command("agreement", "study", *words, stdout=out)
    return out.getvalue()


def test_the_command_prints_the_table_with_what_it_counts(study: Project) -> None:
    said = run("--resamples", "20")
    assert "1 of 1 requests have two sheets or more" in said
    assert any(row.split()[:3] == ["value", "time", "0.000"] for row in said.splitlines())


def test_the_command_gives_json_of_the_shape_in_the_docs(study: Project) -> None:
    said = json.loads(run("--json", "--resamples", "0"))
    assert set(said) == {
        *("project", "requests", "sheets", "reviewers", "intervals", "reason", "figures"),
    }
    assert said["requests"] == {"of_study": 1, "two_or_more": 1, "one": 0}
    assert said["figures"][-1]["question"] == "ambiguity"
    assert set(said["figures"][0]["alpha"]) == {"value", "reason", "interval"}


def test_the_command_without_sheets_gives_a_sentence(project: Project) -> None:
    assert "There is no table: no request has a sealed sheet yet." in run()


def test_the_command_freezes_and_works_out_again(study: Project) -> None:
    named = run("--freeze").split()[0]
    assert "It comes out the same." in run("--snapshot", named[:8])
    assert json.loads(run("--snapshot", named, "--json"))["recomputed"]["same"] is True
    Constraint.objects.filter(sheet__isnull=False).update(materiality="minor")
    with pytest.raises(CommandError, match="does not come out the same"):
        run("--snapshot", named)


def test_the_command_names_a_snapshot_that_is_not_there(study: Project) -> None:
    with pytest.raises(CommandError, match="0 frozen tables"):
        run("--snapshot", "abc")
