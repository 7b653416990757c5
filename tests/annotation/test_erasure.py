"""Erasing a person: what goes, what stays, what the ledger says, who may, and doing it twice."""

from collections.abc import Callable
from datetime import timedelta
from http import HTTPStatus
from io import StringIO
from uuid import uuid4

import pytest
from django.contrib.sessions.models import Session
from django.core.exceptions import PermissionDenied
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from django.utils import timezone

from annotation.erased import ErasedNames, entries_naming
from annotation.erasure_effects import effect_of
from annotation.importing import uploads
from annotation.models import (
    ApiToken,
    Attempts,
    HumanRewrite,
    IdempotentReply,
    ImportJob,
    Invitation,
    Person,
    Project,
    Revision,
    Seat,
)
from annotation.services import consent, erasure, seats
from annotation.services.drafts import Sent, save_draft
from annotation.services.erasure import erase_person
from annotation.services.exports import keep_pseudonyms
from annotation.services.invitations import holds, invite
from annotation.services.ledger import first_altered, first_broken
from annotation.services.log_in import count_password_check
from annotation.services.projects import Refused, change_project, end_membership, set_member
from annotation.services.tokens import create_token, find_token
from tests.annotation.test_paraphrases import OWN, sealed
from tests.conftest import PASSWORD
from tests.contracts.conftest import TEXT, TURNS, make_request, take

ClientOf = Callable[[Person], Client]
ANNA = "annotator-a"


@pytest.fixture
def study(project: Project) -> Project:
    """Two requests; the first wants two paraphrases."""
    make_request(project, "r1", TEXT, TURNS)
    make_request(project, "r2", "And before that?")
    project.paraphrases_per_request = 2
    project.save()
    return project


@pytest.fixture
def root(db: None) -> Person:
    """A superuser who is in no project."""
    return Person.objects.create_superuser("root", password=PASSWORD)


def told(*arguments: str) -> str:
    out = StringIO()
    call_command("erase_person", *arguments, stdout=out)
    return out.getvalue()


def drafted(person: Person, study: Project) -> Seat:
    seat = take(person, study, "paraphrase")
    return save_draft(seat=seat, draft={"text": "half a sentence"}, sent=Sent(0))


def erased(person: Person, **more: bool) -> Person:
    return erase_person(actor=None, person=person, **more)


def test_nothing_of_the_account_tells_who_they_were(study: Project, annotator_a: Person) -> None:
    Person.objects.filter(pk=annotator_a.pk).update(
        first_name="Anna",
        last_name="Berg",
        email="anna@example.org",
        preferences={"keys": {"seal": "z"}},
        last_login=timezone.now(),
        is_staff=True,
    )
    found = erased(annotator_a)
    assert found.username.startswith("erased-") and found.shown_name == found.username
    assert (found.first_name, found.last_name, found.email, found.preferences) == ("", "", "", {})
    assert not (found.is_active or found.is_staff or found.is_superuser or found.last_login)
    assert not found.has_usable_password() and found.erased_at


def test_whoever_is_logged_in_is_out_at_once(
    study: Project, annotator_a: Person, annotator_b: Person, client_of: ClientOf
) -> None:
    browser, others = client_of(annotator_a), client_of(annotator_b)
    erased(annotator_a)
    assert browser.get("/")["Location"].startswith("/log-in/")
    assert others.get("/").status_code == HTTPStatus.OK
    assert Session.objects.count() == 1


def test_the_old_name_and_password_open_nothing(
    study: Project, annotator_a: Person, client: Client
) -> None:
    new = erased(annotator_a).username
    for name in (ANNA, new):
        assert not client.login(username=name, password=PASSWORD)


def test_tokens_replies_and_counted_attempts_go(study: Project, annotator_a: Person) -> None:
    _token, text = create_token(actor=annotator_a, name="Anna's laptop", scopes=["read"])
    IdempotentReply.objects.create(person=annotator_a, key="k", fingerprint="f")
    count_password_check(username=ANNA, address="192.0.2.1")
    before = Attempts.objects.count()
    erased(annotator_a)
    assert find_token(text) is None and not ApiToken.objects.exists()
    assert not IdempotentReply.objects.exists()
    assert Attempts.objects.count() == before - 1


def test_replies_to_others_that_tell_the_old_name_go(
    study: Project, annotator_a: Person, owner: Person
) -> None:
    for key, name in (("1", ANNA), ("2", "annotator-b")):
        IdempotentReply.objects.create(
            person=owner, key=key, fingerprint="f", status=200, body={"username": name}
        )
    erased(annotator_a)
    assert list(IdempotentReply.objects.values_list("key", flat=True)) == ["2"]


def test_invitations_they_made_no_longer_hold(study: Project, owner: Person, root: Person) -> None:
    second = Person.objects.create_user("second")
    set_member(actor=owner, project=study, person=second, roles=["owner"])
    invitation, _token = invite(actor=second, project=study, roles=["annotator"])
    erased(second)
    assert not holds(Invitation.objects.get(pk=invitation.pk))


def test_the_note_of_the_invitation_they_used_goes(study: Project, annotator_a: Person) -> None:
    Invitation.objects.create(
        project=study,
        token_sha256="0" * 64,
        roles=["annotator"],
        note="for Anna",
        created_by=study.created_by,
        expires_at=timezone.now(),
        used_by=annotator_a,
    )
    erased(annotator_a)
    assert Invitation.objects.get().note == ""


def test_drafts_are_emptied_and_their_seats_are_free(
    study: Project, annotator_a: Person, annotator_b: Person
) -> None:
    seat = drafted(annotator_a, study)
    erased(annotator_a)
    seat.refresh_from_db()
    assert (seat.state, seat.draft) == ("returned", {})
    assert not Revision.objects.exclude(draft={}).exists()
    given = seats.take_next(actor=annotator_b, project=study, kind_name="paraphrase")
    assert given is not None and given.request == seat.request and given.draft == {}


def test_a_draft_that_was_put_aside_is_emptied_too(study: Project, annotator_a: Person) -> None:
    seat = drafted(annotator_a, study)
    seats.give_back(actor=annotator_a, seat=seat)
    erased(annotator_a)
    seat.refresh_from_db()
    assert seat.draft == {} and not Revision.objects.exclude(draft={}).exists()


def test_sealed_paraphrases_keep_their_texts(study: Project, annotator_a: Person) -> None:
    rewrite = sealed(annotator_a, study)
    erased(annotator_a)
    rewrite.refresh_from_db()
    assert rewrite.text == OWN and rewrite.author.username.startswith("erased-")
    assert HumanRewrite.objects.standing().count() == 1


def test_with_texts_they_are_deleted_as_by_a_withdrawal(
    study: Project, annotator_a: Person, owner: Person
) -> None:
    change_project(actor=owner, project=study, settings={"consent_text": "For research."})
    consent.give(actor=annotator_a, project=study, text_sha256=consent.text_hash(study))
    rewrite = sealed(annotator_a, study)
    erased(annotator_a, texts=True)
    rewrite.refresh_from_db()
    assert rewrite.text == "" and rewrite.withdrawn_at
    kinds = list(study.ledger.order_by("-sequence").values_list("kind", flat=True)[:3])
    assert kinds == ["consent.withdrawn", "paraphrase.withdrawn", "person.erased"]
    assert first_altered(study) is None


def test_with_texts_they_go_also_where_no_consent_was_asked(
    study: Project, annotator_a: Person
) -> None:
    rewrite = sealed(annotator_a, study)
    erased(annotator_a, texts=True)
    rewrite.refresh_from_db()
    assert rewrite.text == "" and first_altered(study) is None


def test_the_membership_ends_and_its_pseudonym_stays(study: Project, annotator_a: Person) -> None:
    before = study.memberships.get(person=annotator_a).pseudonym
    erased(annotator_a)
    membership = study.memberships.get(person=annotator_a)
    assert membership.ended_at and membership.pseudonym == before


def test_each_ledger_of_theirs_says_it_without_the_old_name(
    study: Project, annotator_a: Person, owner: Person
) -> None:
    end_membership(actor=owner, project=study, person=annotator_a)
    naming = entries_naming(study, ANNA)
    new = erased(annotator_a)
    entry = study.ledger.get(kind="person.erased")
    assert (entry.subject, entry.actor) == (new.username, None)
    assert ANNA not in str(entry.content)
    assert entries_naming(study, ANNA) == naming == 2  # member.set, member.ended


def test_the_ledger_holds_and_tells_whom_its_older_entries_mean(
    study: Project, annotator_a: Person
) -> None:
    sealed(annotator_a, study)
    new = erased(annotator_a).username
    assert first_broken(study) is None and first_altered(study) is None
    entry = study.ledger.get(kind="paraphrase.sealed")
    assert entry.content["author"] == ANNA
    assert ErasedNames(study).content_of(entry)["author"] == new


def test_a_row_changed_after_the_erasure_is_still_found(
    study: Project, annotator_a: Person
) -> None:
    sealed(annotator_a, study)
    erased(annotator_a)
    HumanRewrite.objects.update(text="Something else.")
    broken = first_altered(study)
    assert broken is not None and "paraphrase.sealed" in broken.reason


def test_somebody_new_with_the_old_name_is_somebody_else(
    study: Project, annotator_a: Person, owner: Person
) -> None:
    sealed(annotator_a, study)
    first = erased(annotator_a).username
    other = Person.objects.create_user(ANNA)
    set_member(actor=owner, project=study, person=other, roles=["annotator"])
    sealed(other, study)
    assert first_altered(study) is None
    names = ErasedNames(study)
    entries = study.ledger.filter(kind="paraphrase.sealed").order_by("sequence")
    assert [names.content_of(entry)["author"] for entry in entries] == [first, ANNA]
    second = erased(other).username
    names = ErasedNames(study)
    assert [names.content_of(entry)["author"] for entry in entries] == [first, second]
    assert first_altered(study) is None


def test_a_name_that_stood_only_as_a_key_is_replaced_too(
    study: Project, annotator_a: Person, owner: Person
) -> None:
    keep_pseudonyms(actor=owner, project=study, people={"p9": ANNA})
    new = erased(annotator_a).username
    entry = study.ledger.get(kind="pseudonyms.kept")
    assert ErasedNames(study).content_of(entry) == {new: "p9"}


def test_the_ledger_page_shows_the_meaningless_name(
    study: Project, annotator_a: Person, engineer: Person, client_of: ClientOf
) -> None:
    new = erased(annotator_a).username
    page = client_of(engineer).get("/p/study/ledger/").content.decode()
    assert ANNA not in page and page.count(new) == 2  # member.set, person.erased


def test_no_page_of_the_owner_has_the_old_name(
    study: Project, annotator_a: Person, owner: Person, client_of: ClientOf
) -> None:
    sealed(annotator_a, study)
    erased(annotator_a)
    browser = client_of(owner)
    for place in ("", "people/", "work/", "ledger/", "requests/r1/", "exports/", "settings/"):
        page = browser.get(f"/p/study/{place}")
        assert page.status_code == HTTPStatus.OK and ANNA not in page.content.decode(), place
    assert "erased" in browser.get("/p/study/people/").content.decode()
    assert "former member" in browser.get("/p/study/work/").content.decode()


def test_the_only_owner_of_a_project_is_refused_and_nothing_changed(
    study: Project, owner: Person
) -> None:
    with pytest.raises(Refused, match="only owner of “study”"):
        erased(owner)
    owner.refresh_from_db()
    assert owner.is_active and owner.username == "owner" and owner.erased_at is None
    assert effect_of(owner).refusals


def test_a_second_time_changes_nothing_more(study: Project, annotator_a: Person) -> None:
    sealed(annotator_a, study)
    first = erased(annotator_a)
    state = (first.username, first.password, first.erased_at, study.ledger.count())
    again = erased(Person.objects.get(pk=first.pk), texts=True)
    assert (again.username, again.password, again.erased_at, study.ledger.count()) == state
    assert HumanRewrite.objects.get().text == OWN


def test_a_fault_half_way_leaves_everything_as_it_was(
    study: Project, annotator_a: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: object) -> None:
        raise OSError("the disk is full")

    seat, entries = drafted(annotator_a, study), study.ledger.count()
    monkeypatch.setattr(erasure, "_forget_name", fail)
    with pytest.raises(OSError):
        erased(annotator_a)
    annotator_a.refresh_from_db()
    seat.refresh_from_db()
    assert (annotator_a.username, annotator_a.is_active, seat.state) == (ANNA, True, "held")
    assert seat.draft and study.ledger.count() == entries


def test_who_was_erased_comes_into_no_project_again(
    study: Project, annotator_a: Person, owner: Person, client_of: ClientOf
) -> None:
    gone = erased(annotator_a)
    with pytest.raises(Refused, match="erased for good"):
        set_member(actor=owner, project=study, person=gone, roles=["annotator"])
    response = client_of(owner).post(
        "/p/study/people/", {"username": gone.username, "roles": ["annotator"]}
    )
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY


def test_imports_on_their_way_stop_and_notes_of_others_lose_the_name(
    study: Project, annotator_a: Person, owner: Person, django_capture_on_commit_callbacks: Callable
) -> None:
    def job(person: Person, state: str) -> ImportJob:
        return ImportJob.objects.create(
            public_id=uuid4(), project=study, kind="paraphrases", filename="f.jsonl", size=1,
            sha256="0" * 64, created_by=person, state=state,
            mapping={"options": {"people": f"p1={ANNA}, p2=ben"}},
            report={"warnings": [{"message": f"“p1” is read as “{ANNA}”, whose it is."}]},
        )  # fmt: skip

    waiting, done = job(annotator_a, "uploaded"), job(owner, "done")
    uploads.path_of(waiting.public_id).write_text("x")
    with django_capture_on_commit_callbacks(execute=True):
        new = erased(annotator_a).username
    waiting.refresh_from_db()
    done.refresh_from_db()
    assert (waiting.state, done.state) == ("cancelled", "done")
    assert not uploads.path_of(waiting.public_id).exists()
    assert done.mapping["options"]["people"] == f"p1={new}, p2=ben"
    assert done.report["warnings"][0]["message"] == f"“p1” is read as “{new}”, whose it is."


def test_only_superusers_erase_and_not_themselves(
    study: Project, owner: Person, annotator_a: Person, root: Person
) -> None:
    for actor, person in ((owner, annotator_a), (annotator_a, annotator_a), (root, root)):
        with pytest.raises(PermissionDenied):
            erase_person(actor=actor, person=person)
    erase_person(actor=root, person=annotator_a)
    assert study.ledger.get(kind="person.erased").actor == root


def test_a_superuser_who_annotates_beside_them_is_not_told_their_counts(
    study: Project, owner: Person, annotator_a: Person, root: Person, client_of: ClientOf
) -> None:
    set_member(actor=owner, project=study, person=root, roles=["annotator"])
    response = client_of(root).get("/erase/", {"person": ANNA})
    assert response.status_code == HTTPStatus.FORBIDDEN
    assert "ask somebody else" in response.content.decode()


# The command


def test_without_yes_the_command_says_what_it_would_do_and_does_nothing(
    study: Project, annotator_a: Person
) -> None:
    sealed(annotator_a, study)
    create_token(actor=annotator_a, name="t", scopes=["read"], lifetime=timedelta(days=1))
    said = told(ANNA)
    for words in (
        "Membership of 1 project, of 1 ever.",
        "1 sealed item of work, under the pseudonym",
        "1 paraphrase whose text stands: the text stays. Withdrawn before: 0.",
        "0 drafts that were not sealed",
        "API tokens: 1. Sessions: 0.",
        "The username in 2 entries of ledgers, which cannot be changed",
        f"Nothing was changed. To do it: python manage.py erase_person {ANNA} --yes",
    ):
        assert words in said
    assert Person.objects.filter(username=ANNA, is_active=True).exists()


def test_with_texts_the_command_says_that_they_go(study: Project, annotator_a: Person) -> None:
    sealed(annotator_a, study)
    said = told(ANNA, "--texts")
    goes, stays = said.split("This stays:")
    assert "the text goes, its hash stays" in goes
    assert "0 sealed items of work" in stays and "to the last digit" not in stays
    assert f"erase_person {ANNA} --texts --yes" in said


def test_with_yes_the_command_erases_and_a_second_run_changes_nothing(
    study: Project, annotator_a: Person
) -> None:
    assert "Done. They stand as erased-" in told(ANNA, "--yes")
    new = Person.objects.get(pk=annotator_a.pk).username
    entries = study.ledger.count()
    assert "Nothing was changed." in told(new, "--yes")
    with pytest.raises(CommandError, match="Nobody is called"):
        told(ANNA, "--yes")
    assert study.ledger.count() == entries


def test_the_command_says_what_is_in_the_way(study: Project, owner: Person) -> None:
    assert "In the way: owner is the only owner of “study”" in told("owner")
    with pytest.raises(CommandError, match="name another owner first"):
        told("owner", "--yes")


# The page


def test_a_superuser_sees_the_effect_and_erases_by_typing_the_name(
    study: Project, annotator_a: Person, root: Person, client_of: ClientOf
) -> None:
    browser = client_of(root)
    page = browser.get("/erase/", {"person": ANNA})
    assert "This goes for good" in page.content.decode()
    sent = {"person": ANNA, "typed": ANNA, "seen": page.context["effect"].seen}
    response = browser.post("/erase/", sent)
    assert response["Location"] == "/erase/"
    assert "Erased. The account stands as erased-" in browser.get("/erase/").content.decode()
    assert Person.objects.get(pk=annotator_a.pk).erased_at


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"typed": "annotator-b"}, "nothing was erased"),
        ({"seen": "0" * 64}, "read it again"),
        ({"person": "nobody"}, "Nobody here is called “nobody”"),
    ],
)
def test_a_wrong_name_or_an_old_page_erases_nobody(
    wrong: dict[str, str],
    said: str,
    study: Project,
    annotator_a: Person,
    root: Person,
    client_of: ClientOf,
) -> None:
    sent = {"person": ANNA, "typed": ANNA, "seen": effect_of(annotator_a).seen} | wrong
    response = client_of(root).post("/erase/", sent)
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert said in response.content.decode()
    assert not Person.objects.exclude(erased_at=None).exists()


def test_the_page_does_not_offer_what_would_be_refused(
    study: Project, owner: Person, root: Person, client_of: ClientOf
) -> None:
    browser = client_of(root)
    page = browser.get("/erase/", {"person": "owner"}).content.decode()
    assert "name another owner first" in page and "Erase for good" not in page
    sent = {"person": "owner", "typed": "owner", "seen": effect_of(owner).seen}
    assert browser.post("/erase/", sent).status_code == HTTPStatus.UNPROCESSABLE_ENTITY


def test_everybody_else_is_shown_their_own_effect_alone_and_whom_to_ask(
    study: Project, annotator_a: Person, client_of: ClientOf
) -> None:
    browser = client_of(annotator_a)
    for asked in ({}, {"person": "annotator-b"}, {"person": "nobody"}):
        page = browser.get("/erase/", asked).content.decode().split("<footer")[0]
        assert f"erase_person {ANNA}" in page and "annotator-b" not in page
        assert "entries of ledgers" not in page and "Erase for good" not in page
    for name in ("annotator-b", "nobody", ANNA):
        response = browser.post("/erase/", {"person": name, "typed": name})
        assert response.status_code == HTTPStatus.FORBIDDEN
    assert "Erasing my account" in browser.get("/account/").content.decode()


def test_former_members_link_to_the_page_for_superusers_only(
    study: Project, owner: Person, annotator_a: Person, root: Person, client_of: ClientOf
) -> None:
    end_membership(actor=owner, project=study, person=annotator_a)
    set_member(actor=owner, project=study, person=root, roles=["owner"])
    link = f"/erase/?person={ANNA}"
    assert link in client_of(root).get("/p/study/people/").content.decode()
    assert link not in client_of(owner).get("/p/study/people/").content.decode()


def test_who_is_erased_has_nothing_left_to_erase(
    study: Project, annotator_a: Person, root: Person, client_of: ClientOf
) -> None:
    new = erased(annotator_a).username
    page = client_of(root).get("/erase/", {"person": new}).content.decode()
    assert "nothing left to erase" in page
