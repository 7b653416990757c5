"""Two worlds that differ in others' work alone look the same, byte for byte, to an annotator."""

import re
from collections.abc import Callable
from difflib import unified_diff

import pytest
from django.db import transaction
from django.test import Client

from annotation.models import Person, Project, Request
from annotation.services import paraphrases, seats
from annotation.services.drafts import Sent, save_draft
from annotation.services.exports import begin_export
from annotation.services.imports import import_file
from annotation.services.projects import set_member, settings_hash
from annotation.services.rewrites import warnings_of
from contracts.models import Gold
from contracts.services import sheets, training
from contracts.services.bench.approving import approve
from contracts.services.bench.deciding import take_all
from contracts.services.bench.opening import open_adjudication
from tests.annotation.api.conftest import program
from tests.annotation.conftest import lines
from tests.contracts.conftest import BEFORE, TEXT, TURNS, make_request, marked, take
from tests.contracts.test_training import KNOWN, gold

__all__ = ["program"]

Clients = Callable[[Person], Client]
PAGES = (
    "", "desk/", "consent/", "guidelines/", "people/", "settings/", "requests/", "requests/r1/",
    "corpus/", "import/", "exports/", "exports/mine/", "ledger/", "work/", "bench/", "training/",
    "bench/gaps/", "desk/settled/", "contracts/under/general/1/",
    "agreement/", "agreement/pairs/", "agreement/requests/", "agreement/table.csv",
    "runs/", "protocols/", "judgements/", "suites/", "suites/variations/",
    "suites/variations/review/",
)  # fmt: skip
RESOURCES = (
    "", "progress/", "requests/", "requests/r1/", "requests/r1/progress/", "seats/", "sheets/",
    "contracts/", "contracts/r1/", "human-rewrites/", "imports/", "exports/", "people/",
    "guidelines/",
)  # fmt: skip
ROLES = (["annotator"], ["annotator", "engineer"], ["annotator", "owner"],
         ["annotator", "adjudicator"])  # fmt: skip


@pytest.fixture
def study(project: Project) -> Project:
    """Six requests of one class, sheets and paraphrases wanted of each."""
    for number in range(1, 7):
        make_request(project, f"r{number}", TEXT, TURNS)
    project.paraphrases_per_request = 2
    project.save()
    return project


def masked(page: str) -> list[str]:
    """Lines without what differs between any two answers: tokens, ids of forms, clocks."""
    page = re.sub(r'value="[A-Za-z0-9]{64}"|csrf[^"]*":\s*"[^"]*"', "", page)
    page = re.sub(r"(?<=[\"' ])[A-Za-z0-9_-]{22,}(?=[\"' ])", "", page)
    return re.sub(r"\d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT[^\"<]*", "", page).splitlines()


def seen(browser: Client, api: Client) -> dict[str, list[str]]:
    """Every page and every list, as the person is shown it."""
    addresses = [f"/p/study/{page}" for page in PAGES] + ["/", "/api/v1/me/"]
    found = {there: browser.get(there, follow=True).content.decode() for there in addresses}
    for path in RESOURCES:
        found[path] = api.get(f"/api/v1/projects/study/{path}").content.decode()
    return {there: masked(page) for there, page in found.items()}


def others_work(study: Project, owner: Person, engineer: Person, a: Person, b: Person) -> None:
    """Sheets sealed, retracted, put aside, given up and brought in, paraphrases, an export."""
    for person in (a, b):
        sheets.seal_sheet(actor=person, seat=marked(take(person, study), BEFORE))
    again = marked(take(a, study), BEFORE)
    sheets.seal_sheet(actor=a, seat=again)
    seats.retract(actor=a, seat=again)
    seats.cannot_judge(actor=b, seat=take(b, study), reason="too hard for me")
    take(b, study)
    row = {"request": "r6", "annotator": b.username, **KNOWN}
    import_file(actor=engineer, project=study, kind="sheets", filename="s.jsonl", data=lines([row]))
    seat = take(b, study, "paraphrase")
    paraphrases.show_answers(actor=b, seat=seat)
    seat = save_draft(seat=seat, draft={"text": "words of b"}, sent=Sent(0))
    marks = [warning.mark for warning in warnings_of(seat, seat.draft)]
    seat = save_draft(seat=seat, draft={"text": "words of b", "meant": marks}, sent=Sent(1))
    paraphrases.seal_paraphrase(actor=b, seat=seat)
    list(begin_export(actor=owner, project=study, kind_name="sheets").pieces())


def differing(before: dict[str, list[str]], after: dict[str, list[str]]) -> dict[str, list[str]]:
    return {
        there: [line for line in unified_diff(before[there], after[there], n=0, lineterm="")]
        for there in before
        if before[there] != after[there]
    }


@pytest.mark.parametrize("roles", ROLES, ids="+".join)
def test_what_others_did_changes_no_page_of_an_annotator(
    study: Project,
    owner: Person,
    engineer: Person,
    annotator_a: Person,
    annotator_b: Person,
    stranger: Person,
    client_of: Clients,
    program: Callable[..., Client],
    roles: list[str],
) -> None:
    set_member(actor=owner, project=study, person=stranger, roles=roles)
    browser, api = client_of(stranger), program(stranger)
    seen(browser, api)  # what a first look writes down is written now
    before = seen(browser, api)
    others_work(study, owner, engineer, annotator_a, annotator_b)
    found = differing(before, seen(browser, api))
    if "adjudicator" in roles:  # r1 is sealed by all who may: they adjudicate it, and nothing else
        told = "".join(found.pop("/p/study/bench/"))
        assert re.findall(r">(r\d)<", told) == ["r1"]
    assert found == {}


@pytest.mark.parametrize("roles", ROLES[:3], ids="+".join)
def test_what_the_bench_did_changes_no_page_of_an_annotator(
    study: Project,
    owner: Person,
    adjudicator: Person,
    annotator_a: Person,
    annotator_b: Person,
    stranger: Person,
    client_of: Clients,
    program: Callable[..., Client],
    roles: list[str],
) -> None:
    for person in (annotator_a, annotator_b):
        sheets.seal_sheet(actor=person, seat=marked(take(person, study), BEFORE))
    set_member(actor=owner, project=study, person=stranger, roles=roles)
    browser, api = client_of(stranger), program(stranger)
    seen(browser, api)
    before = seen(browser, api)
    opened = open_adjudication(actor=adjudicator, request=Request.objects.get(key="r1"))
    take_all(actor=adjudicator, adjudication=opened, side="a")
    approve(actor=adjudicator, adjudication=opened)
    # Contracts are no secret of the bench: whoever may see the requests sees which have one.
    tell = {"requests/", "suites/", "suites/variations/"}  # the latter whether there is any
    shown = {f"/p/study/{page}" for page in tell} | {"contracts/", "contracts/r1/"}
    shown = shown if len(roles) > 1 else set()
    assert differing(before, seen(browser, api)).keys() == shown


@pytest.mark.parametrize("roles", ROLES, ids="+".join)
def test_that_an_item_is_silent_changes_no_page_of_an_annotator(
    study: Project,
    owner: Person,
    stranger: Person,
    client_of: Clients,
    program: Callable[..., Client],
    roles: list[str],
) -> None:
    training.set_training(actor=owner, project=study, required=False, pass_mark=0.8)
    set_member(actor=owner, project=study, person=stranger, roles=roles)
    browser, api = client_of(stranger), program(stranger)
    seen(browser, api)
    before = seen(browser, api)
    gold(Request.objects.get(key="r3"), owner, Gold.Use.SILENT)
    assert differing(before, seen(browser, api)) == {}


@pytest.mark.parametrize("roles", ROLES[1:], ids="+".join)
def test_what_others_did_changes_no_refusal_to_an_annotator(
    study: Project,
    owner: Person,
    engineer: Person,
    annotator_a: Person,
    annotator_b: Person,
    stranger: Person,
    client_of: Clients,
    roles: list[str],
) -> None:
    set_member(actor=owner, project=study, person=stranger, roles=roles)
    sheets.seal_sheet(actor=stranger, seat=marked(take(stranger, study), BEFORE))
    browser, own, fifth = client_of(stranger), study.seats.get(), study.requests.get(key="r5")
    sent: dict[str, dict[str, str]] = {
        "settings/needs/": {f"{study.request_classes.get().pk}-sheet": "1"},
        "settings/": {
            "name": "Study",
            "lease_minutes": "30",
            "reviewers_per_request": "2",
            "paraphrases_per_request": "0",
            "seen": settings_hash(study),
        },
        "work/requeue/": {"seat": str(own.public_id)},
        "exports/sheets/": {},
        "exports/ledger/": {},
        f"bench/open/{fifth.pk}/": {},
    }

    def answers() -> dict[str, tuple[int, list[str]]]:
        found = {}
        with transaction.atomic():
            for path, words in sent.items():
                page = browser.post(f"/p/study/{path}", words, headers={"HX-Request": "true"})
                found[path] = (page.status_code, masked(page.content.decode()))
            transaction.set_rollback(True)
        return found

    before = answers()
    others_work(study, owner, engineer, annotator_a, annotator_b)
    assert answers() == before
