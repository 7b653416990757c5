"""Whoever is erased leaves every file, every contract and every seal as they were."""

import json

import pytest

from annotation.exporting.kinds import EXPORT_KINDS
from annotation.importing.problems import ImportRefused
from annotation.models import Person, Project
from annotation.services.erasure import erase_person
from annotation.services.exports import keep_pseudonyms
from annotation.services.ledger import first_altered, first_broken
from annotation.services.projects import set_member
from contracts.models import Contract
from tests.contracts.exporting.conftest import TakeIn, Write
from tests.contracts.exporting.test_round_trips import copied

ANNOTATORS = ("annotator-a", "annotator-b")
OTHERS = ("adjudicator", "engineer")  # words that stand in files as roles too


def erase_all(names: tuple[str, ...] = ANNOTATORS + OTHERS) -> dict[str, str]:
    """Erase these people; return the old names with the new ones."""
    return {
        name: erase_person(actor=None, person=Person.objects.get(username=name)).username
        for name in names
    }


def files(project: Project, write: Write, **how: bool) -> dict[str, bytes]:
    kinds = [kind for kind in EXPORT_KINDS if kind != "ledger"]
    return {kind: write(project, kind, **how) for kind in kinds}


def test_every_file_under_pseudonyms_is_the_same_to_the_last_byte(
    worked: Project, write: Write
) -> None:
    before = files(worked, write)
    erase_all()
    assert files(worked, write) == before


def test_in_named_files_only_the_names_are_others(worked: Project, write: Write) -> None:
    before = files(worked, write, named=True)
    new = erase_all(ANNOTATORS)
    after = files(worked, write, named=True)
    assert not [kind for kind, data in after.items() for old in new if old.encode() in data]
    # In the order of names a list of people may change: each line is compared without order.
    for kind, data in before.items():
        for old, now in new.items():
            data = data.replace(old.encode(), now.encode())
        assert sorted(data) == sorted(after[kind]), kind


def test_what_was_sealed_is_still_checked_against_the_ledger(
    worked: Project, contract: Contract
) -> None:
    erase_all()
    assert first_broken(worked) is None and first_altered(worked) is None
    Contract.objects.filter(pk=contract.pk).update(content={})
    assert "contract.approved" in str(first_altered(worked))


def test_the_ledger_goes_out_under_the_pseudonym_or_the_meaningless_name(
    worked: Project, write: Write, owner: Person
) -> None:
    keep_pseudonyms(actor=owner, project=worked, people={"p9": "annotator-a"})
    new = erase_all()
    for named, shown in ((True, new["annotator-a"]), (False, "p9")):
        data = write(worked, "ledger", named=named)
        rows = [json.loads(line) for line in data.splitlines()]
        assert not [old for old in ANNOTATORS if f'"{old}"'.encode() in data]
        approved = next(row for row in rows if row["kind"] == "contract.approved")
        assert shown in approved["content"]["annotators"]


def test_the_names_of_living_members_stay_out_of_a_pseudonymous_ledger(
    worked: Project, write: Write, owner: Person
) -> None:
    keep_pseudonyms(actor=owner, project=worked, people={"p9": "annotator-a"})
    rows = [json.loads(line) for line in write(worked, "ledger").splitlines()]
    kept = next(row for row in rows if row["kind"] == "pseudonyms.kept")
    assert kept["content"] == {"p9": "p9"}


def test_a_study_with_erased_people_comes_back_with_the_same_bytes(
    worked: Project, copy: Project, write: Write, put_in: TakeIn
) -> None:
    erase_all()
    assert copied(worked, copy, write, put_in, named=True) == []
    assert first_altered(copy) is None


def test_a_file_from_before_does_not_reach_the_erased_person_by_the_old_name(
    worked: Project, copy: Project, write: Write, put_in: TakeIn
) -> None:
    data = write(worked, "sheets", named=True)
    for kind in ("corpus", "requests"):
        put_in(copy, kind, write(worked, kind))
    erase_all()
    with pytest.raises(ImportRefused) as told:
        put_in(copy, "sheets", data)
    assert {p.code for p in told.value.problems.shown} == {"unknown_person"}


def test_a_file_with_the_old_name_of_a_new_member_must_say_whom_it_means(
    worked: Project, copy: Project, write: Write, put_in: TakeIn, owner: Person
) -> None:
    data = write(worked, "sheets", named=True)
    for kind in ("corpus", "requests"):
        put_in(copy, kind, write(worked, kind))
    new = erase_all()
    for name in ("annotator-a", "annotator-b"):
        person = Person.objects.create_user(name)
        set_member(actor=owner, project=copy, person=person, roles=["annotator"])
    with pytest.raises(ImportRefused) as told:
        put_in(copy, "sheets", data)
    assert {p.code for p in told.value.problems.shown} == {"erased_name"}
    said = f"annotator-a={new['annotator-a']}, annotator-b=annotator-b"
    assert put_in(copy, "sheets", data, said=said).written == 2
