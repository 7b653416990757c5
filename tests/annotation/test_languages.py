"""The language of the pages: whose choice it is, what follows it, and what stays as it is."""

from collections.abc import Callable, Iterator

import pytest
from django.forms import DateField
from django.test import Client
from django.urls import reverse
from django.utils import formats, translation

from annotation.models import ImportJob, LedgerEntry, Person, Project
from annotation.services import import_work
from annotation.services.preferences import prefer
from annotation.services.projects import set_member
from tests.conftest import PASSWORD

ClientOf = Callable[[Person], Client]
pytestmark = pytest.mark.django_db
GERMAN, ENGLISH = "Das nächste Stück nehmen", "Take the next item"


@pytest.fixture(autouse=True)
def _back_to_english() -> Iterator[None]:
    """Django leaves the language of the last request on in the thread."""
    yield
    translation.deactivate()


def choose(client: Client, language: str, back: str = "/log-in/") -> str:
    answer = client.post(reverse("language"), {"language": language, "next": back})
    return str(answer["Location"])


def page(client: Client, address: str, **headers: str) -> str:
    return client.get(address, headers=headers).content.decode()


def test_the_desk_speaks_german_to_whoever_chose_it(
    client_of: ClientOf, annotator_a: Person, filled: Project
) -> None:
    client = client_of(annotator_a)
    assert ENGLISH in page(client, "/p/study/desk/")
    choose(client, "de")
    shown = page(client, "/p/study/desk/")
    assert '<html lang="de">' in shown
    assert GERMAN in shown


def test_the_choice_goes_with_the_person_to_another_browser(
    client_of: ClientOf, annotator_a: Person, filled: Project
) -> None:
    choose(client_of(annotator_a), "de")
    assert GERMAN in page(client_of(annotator_a), "/p/study/desk/")


def test_ones_own_choice_goes_before_that_of_the_last_person_at_this_browser(
    client_of: ClientOf, annotator_a: Person, annotator_b: Person, filled: Project
) -> None:
    prefer(actor=annotator_b, name="language", value="en")
    client = client_of(annotator_a)
    choose(client, "de")
    client.force_login(annotator_b)
    assert '<html lang="en">' in page(client, "/p/study/desk/")


@pytest.mark.parametrize(
    ("accepted", "spoken"),
    [("de-AT,de;q=0.9", "de"), ("fr,de;q=0.5", "de"), ("fr", "en"), ("", "en"), ("xx,,;q", "en")],
)
def test_a_visitor_is_answered_in_a_language_of_the_browser_that_exists(
    accepted: str, spoken: str
) -> None:
    shown = page(Client(), "/log-in/", accept_language=accepted)
    assert f'<html lang="{spoken}">' in shown


def test_a_visitor_can_choose_on_the_log_in_page() -> None:
    client = Client()
    assert choose(client, "de", "/log-in/?next=/account/") == "/log-in/?next=/account/"
    assert "Anmelden" in page(client, "/log-in/", accept_language="en")


def test_the_account_page_offers_every_language_by_its_own_name(
    client_of: ClientOf, annotator_a: Person
) -> None:
    shown = page(client_of(annotator_a), "/account/")
    assert 'lang="de" aria-pressed="false">Deutsch<' in shown
    assert 'lang="en" aria-pressed="true">English<' in shown


def test_the_switch_leads_nobody_to_another_site() -> None:
    assert choose(Client(), "de", "https://elsewhere.example/") == "/"


@pytest.mark.parametrize("language", ["xx", "", "fr", "de\x00"])
def test_a_language_that_does_not_exist_is_not_kept(
    language: str, client_of: ClientOf, annotator_a: Person
) -> None:
    client = client_of(annotator_a)
    choose(client, language)
    annotator_a.refresh_from_db()
    assert annotator_a.preferences == {}
    assert '<html lang="en">' in page(client, "/account/")


@pytest.mark.parametrize("stored", ["xx", 5, None, ["de"], {"de": 1}])
def test_a_broken_preference_leaves_english(
    stored: object, client_of: ClientOf, annotator_a: Person
) -> None:
    prefer(actor=annotator_a, name="language", value=stored)
    assert '<html lang="en">' in page(client_of(annotator_a), "/account/")


def test_a_refusal_speaks_the_language_too(client_of: ClientOf, annotator_a: Person) -> None:
    client = client_of(annotator_a)
    choose(client, "de")
    assert "Hier gibt es nichts für Sie" in page(client, "/nowhere/")


def test_the_api_speaks_english_to_everybody(
    client_of: ClientOf, annotator_a: Person, filled: Project
) -> None:
    client = client_of(annotator_a)
    choose(client, "de")
    for address in ("/api/v1/projects/nowhere/", "/api/nowhere"):
        answer = client.get(address, headers={"accept-language": "de"})
        assert answer.json()["detail"].startswith("There is nothing at this address")


def test_figures_keep_their_bytes_in_german() -> None:
    with translation.override("de"):
        assert [formats.localize(n) for n in (0.58, 1284, 1.5e6)] == ["0.58", "1284", "1500000.0"]


def test_a_date_field_shows_what_a_browser_takes_in_german() -> None:
    with translation.override("de"):
        assert formats.get_format("DATE_INPUT_FORMATS")[0] == "%Y-%m-%d"
        assert DateField().clean("30.04.2023") == DateField().clean("2023-04-30")


def test_what_became_of_an_import_is_kept_in_english_whoever_waits_for_it(
    project: Project, owner: Person
) -> None:
    job = ImportJob.objects.create(
        project=project, created_by=owner, kind="corpus", filename="c.jsonl", size=1,
        state=ImportJob.State.QUEUED, mapping={},
    )  # fmt: skip
    with translation.override("de"):
        import_work.run(job.pk)
    job.refresh_from_db()
    assert job.report == {"said": "The uploaded file is gone: upload it again."}


def test_the_ledger_says_the_same_in_every_language(
    project: Project, owner: Person, stranger: Person, client_of: ClientOf
) -> None:
    def entry(language: str, roles: list[str]) -> tuple[str, object]:
        with translation.override(language):
            set_member(actor=owner, project=project, person=stranger, roles=roles)
        last = LedgerEntry.objects.filter(project=project).latest("sequence")
        return last.kind, last.content

    english = entry("en", ["engineer"])
    entry("en", ["annotator"])
    assert entry("de", ["engineer"]) == english


def test_logging_in_by_password_leaves_the_visitors_language_to_whoever_chose_none(
    annotator_a: Person, filled: Project
) -> None:
    client = Client()
    choose(client, "de")
    client.post("/log-in/", {"username": annotator_a.username, "password": PASSWORD})
    assert GERMAN in page(client, "/p/study/desk/")


def test_choices_that_are_filled_in_speak_the_language_too(
    client_of: ClientOf, annotator_a: Person
) -> None:
    client = client_of(annotator_a)
    choose(client, "de")
    assert "90 Tage" in page(client, "/account/tokens/")


def test_a_missing_role_is_named_in_the_language(
    client_of: ClientOf, annotator_a: Person, filled: Project
) -> None:
    client = client_of(annotator_a)
    choose(client, "de")
    assert "die Rolle Leitung" in page(client, "/p/study/settings/")
