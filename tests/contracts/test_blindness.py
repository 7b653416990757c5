"""Every call that an annotator can make gets the same answer whatever the others did; and the probe
that says so finds each of the leaks planted here.
"""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.handlers.base import BaseHandler
from django.core.management import CommandError, call_command
from django.db import connection
from django.http import HttpResponse, HttpResponseRedirect
from django.test import Client
from django.utils import timezone

from annotation.blindness import asking, facts, probe, routes
from annotation.models import LedgerEntry, Person, Project, Request, Seat
from annotation.services import blindness, ledger, seats
from annotation.services.exports import begin_export
from annotation.services.exposure import expose
from annotation.services.imports import import_file
from annotation.services.projects import Refused, set_member
from contracts.models import Admission, Gold, PracticeSheet, Sheet
from contracts.services import admission, sheets, training
from contracts.services.bench import opening
from evaluation.models import Judgement, Protocol, Run
from evaluation.runs.conclusion import conclude
from evaluation.services.taking_back import take_back
from tests.annotation.conftest import lines
from tests.api.world import suite_run
from tests.contracts.conftest import BEFORE, TEXT, TURNS, make_request, marked, take
from tests.contracts.test_training import KNOWN, gold
from tests.evaluation.judging import by_two, say
from tests.evaluation.runs import small_study
from tests.evaluation.views.worlds import LOSSY, run_with

ROLES = (["annotator"], ["annotator", "owner"], ["annotator", "engineer"],
         ["annotator", "adjudicator"])  # fmt: skip


@pytest.fixture
def study(project: Project, annotator_a: Person, annotator_b: Person, stranger: Person) -> Project:
    """Five requests; a sealed one, gave one up and drafts a third; the stranger will annotate."""
    for number in range(1, 6):
        make_request(project, f"r{number}", TEXT, TURNS)
    sheets.seal_sheet(actor=annotator_a, seat=marked(take(annotator_a, project), BEFORE))
    seats.cannot_judge(actor=annotator_a, seat=take(annotator_a, project), reason="too hard")
    marked(take(annotator_a, project), BEFORE)
    return project


@pytest.fixture
def reader(study: Project, owner: Person, stranger: Person) -> Person:
    """A second annotator, at work on a draft."""
    set_member(actor=owner, project=study, person=stranger, roles=["annotator"])
    marked(take(stranger, study), BEFORE)
    return stranger


@pytest.fixture
def whole(
    study: Project,
    reader: Person,
    owner: Person,
    engineer: Person,
    adjudicator: Person,
    annotator_a: Person,
    annotator_b: Person,
) -> Project:
    """The same with everything else that is hidden: a candidate's run of requests that want
    paraphrases, a suite over variations of them, known contracts, an open adjudication, a sheet
    sealed after an exposure.
    """
    small_study.fill(study)
    run_with(engineer, study, {"cand": LOSSY})
    suite_run(engineer, study)
    Project.objects.filter(pk=study.pk).update(paraphrases_per_request=1)
    study.refresh_from_db()
    for key in ("r6", "r7"):
        make_request(study, key, TEXT, TURNS)
    training.set_training(actor=owner, project=study, required=False, pass_mark=0.8)
    gold(study.requests.get(key="r4"), owner, Gold.Use.SILENT)
    known = gold(study.requests.get(key="r7"), owner, Gold.Use.PRACTICE)
    PracticeSheet.objects.create(
        gold=known, person=annotator_a, seat=Seat.objects.filter(holder=annotator_a)[0],
        content={}, found=1, wanted=2, added=0, sealed_at=timezone.now(),
    )  # fmt: skip
    rows = [{"request": "r6", "annotator": p.username, **KNOWN} for p in (annotator_a, annotator_b)]
    import_file(actor=engineer, project=study, kind="sheets", filename="s.jsonl", data=lines(rows))
    opening.open_adjudication(actor=adjudicator, request=study.requests.get(key="r6"))
    return study


def altered(project: Project, person: Person) -> Callable[[], list[int]]:
    each = facts.alterations(project, person)
    return lambda: [alter() for _fact, alter in each]


def said(found: probe.Found) -> list[str]:
    return [f"{leak.call}: {leak.found}" for leak in found.leaks]


@pytest.mark.parametrize("roles", ROLES, ids="+".join)
def test_no_call_tells_an_annotator_what_others_did(
    whole: Project, owner: Person, reader: Person, roles: list[str]
) -> None:
    set_member(actor=owner, project=whole, person=reader, roles=roles)
    every = facts.alterations(whole, reader)
    found = probe.compare_worlds(probe.probe_of(whole, reader), every, most=5, seconds=60)
    assert said(found) == []
    assert found.unsteady == []
    assert found.routes >= {r.name for r in routes.every_route()} - {"demo-log-in"}
    assert found.statuses.get(500, 0) == 0
    assert found.calls > 1_000 and found.read > 200 and found.statuses[200] > 100


@pytest.mark.parametrize("roles", ROLES, ids="+".join)
def test_every_hidden_fact_has_something_to_alter(
    whole: Project, owner: Person, reader: Person, roles: list[str]
) -> None:
    set_member(actor=owner, project=whole, person=reader, roles=roles)
    with asking.undone():
        rows = {name: alter() for name, alter in facts.alterations(whole, reader)}
    # Whoever has a further role knows contracts, the bench, and that runs are there.
    known = {"contract", "bench", "given-up"} if len(roles) > 1 else set()
    known |= {"run"} if len(roles) > 1 else set()
    known |= {"open-words"}  # nobody judged anything here
    assert {name for name, n in rows.items() if not n} <= known | {"words"}, rows


@pytest.mark.parametrize("role", ["engineer", "owner"])
def test_no_call_tells_who_may_still_judge_what_others_said(
    whole: Project,
    owner: Person,
    engineer: Person,
    adjudicator: Person,
    stranger: Person,
    role: str,
) -> None:
    run = by_two(whole.runs.get())
    rules = {**run.protocol.content, "judging": "human_for_all"}
    Protocol.objects.filter(pk=run.protocol_id).update(content=rules)
    run = Run.objects.select_related("protocol").get(pk=run.pk)
    items = list(Judgement.objects.waiting(run))
    for item in items[:3]:
        say(adjudicator, item, "dropped")
    take_back(actor=adjudicator, judgement=items[2])
    conclude(run.pk)  # results and rows know these words
    set_member(actor=owner, project=whole, person=stranger, roles=["adjudicator", role])
    every = [(n, alter) for n, alter in facts.alterations(whole, stranger) if n == "open-words"]
    with asking.undone():
        assert [alter() for _name, alter in every] == [3]
    found = probe.compare_worlds(probe.probe_of(whole, stranger), every, most=5, seconds=60)
    assert said(found) == []
    assert found.routes >= {"ledger", "case", "run", "run-export", "judgements"}
    assert found.statuses.get(500, 0) == 0 and found.read > 200


def test_without_sparing_every_call_is_asked_in_both_worlds(study: Project, reader: Person) -> None:
    asked = probe.probe_of(study, reader, sparing=False)
    few = ("desk", "health", "home")
    found = probe.compare_worlds(asked, facts.alterations(study, reader), few)
    assert said(found) == []
    assert found.read == found.calls > 60


def test_no_call_tells_that_others_sealed_imported_and_exported_meanwhile(
    study: Project, owner: Person, engineer: Person, annotator_b: Person, reader: Person
) -> None:
    def happens() -> None:
        sheets.seal_sheet(actor=annotator_b, seat=marked(take(annotator_b, study), BEFORE))
        row = {"request": "r5", "annotator": annotator_b.username, **KNOWN}
        data = lines([row])
        import_file(actor=engineer, project=study, kind="sheets", filename="s.jsonl", data=data)
        list(begin_export(actor=owner, project=study, kind_name="sheets").pieces())

    # What r1 has no seat left for is no longer the reader's next item: they hold another.
    found = probe.compare_after(probe.probe_of(study, reader), happens, READ_ONLY)
    assert said(found) == []


READ_ONLY = ("project", "home", "desk", "sheet", "seat-history", "exports-mine", "guidelines",
             "api-progress", "api-seats", "api-seat", "api-sheets", "api-requests", "api-me",
             "api-human-rewrites", "ledger", "requests", "request", "settled")  # fmt: skip


# The leaks: each gets the number of peers' standing sheets and the answer to spoil.
Spoil = Callable[[int, Any, HttpResponse], HttpResponse]


def header(name: str, words: str) -> Spoil:
    def spoil(n: int, _request: Any, answer: HttpResponse) -> HttpResponse:
        answer[name] = words % n
        return answer

    return spoil


def body(words: str) -> Spoil:
    def spoil(n: int, _request: Any, answer: HttpResponse) -> HttpResponse:
        answer.content = answer.content + (words % n).encode()
        return answer

    return spoil


def cookie(n: int, _request: Any, answer: HttpResponse) -> HttpResponse:
    answer.set_cookie("seen", str(n))
    return answer


def session_age(n: int, _request: Any, answer: HttpResponse) -> HttpResponse:
    answer.set_cookie("sessionid", "x" * 32, max_age=1_000 + n)
    return answer


def query(n: int, _request: Any, answer: HttpResponse) -> HttpResponse:
    for _time in range(n):
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    return answer


def moved(n: int, _request: Any, answer: HttpResponse) -> HttpResponse:
    return HttpResponseRedirect(f"/?done={n}")


def not_found(n: int, _request: Any, answer: HttpResponse) -> HttpResponse:
    answer.status_code = 403 if n else 404
    return answer


def order(n: int, _request: Any, answer: HttpResponse) -> HttpResponse:
    answer.content = answer.content + (
        b"<li>r1</li><li>r2</li>" if n else b"<li>r2</li><li>r1</li>"
    )
    return answer


def when(condition: Callable[[Any], bool], spoil: Spoil) -> Spoil:
    def spoiled(n: int, request: Any, answer: HttpResponse) -> HttpResponse:
        return spoil(n, request, answer) if condition(request) else answer

    return spoiled


PLANTED: dict[str, Spoil] = {
    "a header": header("X-Done", "%d"),
    "an ETag": header("ETag", '"%d"'),
    "Last-Modified": header("Last-Modified", "Mon, 0%d Jan 2024 00:00:00 GMT"),
    "Vary": header("Vary", "X-%d"),
    "Cache-Control": header("Cache-Control", "max-age=%d"),
    "the length": header("Content-Length", "%d"),
    "the time it took": header("Server-Timing", "db;dur=%d"),
    "a cookie": cookie,
    "the age of a cookie": session_age,
    "a word": body(" %d of 2 done"),
    "a hidden input": body('<input type="hidden" name="seen" value="%d">'),
    "a comment": body("<!-- %d -->"),
    "an id that counts": body('<a href="/sheets/%d/">next</a>'),
    "a past moment": body("last active 2024-01-0%d 10:00:00"),
    "a redirect": moved,
    "403 instead of 404": not_found,
    "the order": order,
    "one query more": query,
    "an option": when(lambda r: r.method == "OPTIONS", header("Allow", "GET, X%d")),
    "HEAD alone": when(lambda r: r.method == "HEAD", header("X-Done", "%d")),
    "an error text": when(lambda r: r.method == "DELETE", body("%d others wait")),
    "htmx alone": when(lambda r: "HX-Request" in r.headers, header("HX-Trigger", "%d")),
    "JSON alone": when(lambda r: "json" in r.headers.get("Accept", ""), body("%d")),
    "a filter alone": when(lambda r: "annotated_count" in r.GET, body("%d")),
    "a page alone": when(lambda r: "page" in r.GET, body("%d")),
    "a question of a cache": when(
        lambda r: "If-None-Match" in r.headers, header("X-Fresh", "%d")
    ),
}  # fmt: skip


class Leaky(BaseHandler):
    """The site, with one leak in every answer."""

    def __init__(self, reader: Person, spoil: Spoil) -> None:
        self.reader, self.spoil = reader, spoil
        self.load_middleware()

    def get_response(self, request: Any) -> Any:
        answer = super().get_response(request)
        answer.setdefault("ETag", '"steady"')
        peers = Sheet.objects.standing().exclude(annotator=self.reader)
        return self.spoil(peers.count(), request, answer)


@pytest.mark.parametrize("planted", PLANTED)
def test_a_planted_leak_is_found(study: Project, reader: Person, planted: str) -> None:
    leaky = Leaky(reader, PLANTED[planted])
    spoilt = probe.probe_of(study, reader, leaky)
    every = facts.alterations(study, reader)
    found = probe.compare_worlds(spoilt, every, only=["guidelines"], most=1)
    assert [leak.fact for leak in found.leaks] == ["sheet"], planted


def test_without_a_leak_the_same_calls_tell_nothing(study: Project, reader: Person) -> None:
    sound = probe.probe_of(study, reader, Leaky(reader, lambda _n, _request, answer: answer))
    found = probe.compare_worlds(sound, [("all", altered(study, reader))], only=["guidelines"])
    assert said(found) == [] and found.unsteady == []


# The check on a live project


def counts(project: Project) -> list[int]:
    return [rows.count() for rows in (Seat.objects, Sheet.objects, project.ledger, Request.objects)]


def test_a_check_leaves_nothing_but_its_entry(
    study: Project, owner: Person, reader: Person
) -> None:
    before, hashes = counts(study), list(Sheet.objects.values_list("sha256", "retracted_at"))
    report = blindness.check_blindness(actor=owner, project=study, only=["desk", "desk-next"])
    seats_, sheets_, entries, requests = before
    assert counts(study) == [seats_, sheets_, entries + 1, requests]
    assert list(Sheet.objects.values_list("sha256", "retracted_at")) == hashes
    assert (len(report.people), report.of, report.leaks, report.unsteady) == (3, 3, [], [])
    assert report.facts["label"] == 2 and report.facts["sheet"] == 1
    entry = study.ledger.get(kind="blindness.checked")
    assert entry.content["differences"] == 0 and entry.content["calls"] == report.calls > 30


def test_the_command_says_how_much_was_tried(
    study: Project, reader: Person, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("check_blindness", "study", "--route=desk", f"--person={reader.username}")
    assert "Differences: 0 of" in capsys.readouterr().out


def test_who_annotates_has_nothing_checked(study: Project, owner: Person, reader: Person) -> None:
    set_member(actor=owner, project=study, person=owner, roles=["owner", "annotator"])
    with pytest.raises(CommandError, match="annotate"):
        call_command("check_blindness", "study")


def test_the_page_shows_checks_marked_sheets_and_exposures(
    study: Project, owner: Person, client_of: Callable[[Person], Client]
) -> None:
    _mark(study)
    blindness.check_blindness(actor=owner, project=study, only=["desk"])
    page = client_of(owner).get("/p/study/blindness/").content.decode()
    assert "0 of" in page and "Shown before: answers" in page and "r1, by" in page


def test_the_page_is_closed_to_owners_who_annotate(
    study: Project, owner: Person, client_of: Callable[[Person], Client]
) -> None:
    set_member(actor=owner, project=study, person=owner, roles=["owner", "annotator"])
    assert client_of(owner).get("/p/study/blindness/").status_code == 403


# Admission


def _mark(study: Project) -> Sheet:
    """The sealed sheet of r1, as if its annotator had been shown the answers before."""
    sheet = Sheet.objects.get()
    expose(person=sheet.annotator, project=study, subject="r1", what="answers")
    Sheet.objects.update(sealed_at=ledger.database_time())
    return Sheet.objects.get()


def test_a_sheet_sealed_after_an_exposure_is_left_out_until_an_owner_admits_it(
    study: Project, owner: Person
) -> None:
    sheet = _mark(study)
    assert sheets.left_out(study) == {sheet.pk}
    admission.admit(actor=owner, sheet=sheet, reason=" They saw the title alone. ")
    assert sheets.left_out(study) == set()
    (marked_sheet,) = admission.marked_sheets(actor=owner, project=study)
    assert marked_sheet.admission and marked_sheet.admission.reason == "They saw the title alone."
    assert marked_sheet.shown[0][0] == "answers"
    entry = study.ledger.get(kind="sheet.admitted")
    assert entry.content["reason"] == "They saw the title alone."


@pytest.mark.parametrize("reason, words", [(" ", "Say why"), ("x" * 2001, "2000")])
def test_an_admission_needs_a_reason(
    study: Project, owner: Person, reason: str, words: str
) -> None:
    with pytest.raises(Refused, match=words):
        admission.admit(actor=owner, sheet=_mark(study), reason=reason)


def test_a_sheet_is_admitted_once_and_a_blind_one_never(study: Project, owner: Person) -> None:
    with pytest.raises(Refused, match="counts already"):
        admission.admit(actor=owner, sheet=Sheet.objects.get(), reason="because")
    sheet = _mark(study)
    admission.admit(actor=owner, sheet=sheet, reason="because")
    with pytest.raises(Refused, match="already"):
        admission.admit(actor=owner, sheet=sheet, reason="because")
    assert Admission.objects.count() == 1


def test_an_owner_admits_on_the_page(
    study: Project, owner: Person, client_of: Callable[[Person], Client]
) -> None:
    there, browser = f"/p/study/blindness/admit/{_mark(study).pk}/", client_of(owner)
    assert browser.post(there, {"reason": ""}).status_code == 422
    page = browser.post(there, {"reason": "the title alone"}, follow=True).content.decode()
    assert "the title alone" in page and "admitted" in page


def test_an_admission_is_hidden_from_whoever_annotates(
    study: Project, owner: Person, reader: Person
) -> None:
    admission.admit(actor=owner, sheet=_mark(study), reason="because")
    shown = LedgerEntry.objects.filter(project=study).visible_to(reader, annotates=True)
    assert not shown.filter(kind="sheet.admitted").exists()
