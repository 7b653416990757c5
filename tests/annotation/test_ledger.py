import pytest
from django.db import connection, transaction

from annotation.models import LedgerEntry, Person, Project
from annotation.models.ledger import AppendOnly
from annotation.services import ledger


def append(project: Project, actor: Person, subject: str) -> LedgerEntry:
    with transaction.atomic():
        return ledger.record(
            project=project, kind="test", subject=subject, content={"a": 1}, actor=actor
        )


def tamper(sql: str, *values: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)


def test_each_entry_names_the_hash_of_the_one_before(project: Project, owner: Person) -> None:
    first, second = append(project, owner, "a"), append(project, owner, "b")
    assert second.previous_hash == first.hash
    assert second.sequence == first.sequence + 1


def test_an_untouched_chain_holds(project: Project, owner: Person) -> None:
    append(project, owner, "a")
    assert ledger.first_broken(project) is None


@pytest.mark.parametrize(
    "column, value",
    [("subject", "forged"), ("content", '{"a": 2}'), ("at", "2020"), ("actor_id", None)],
)
def test_a_change_behind_the_back_of_the_application_shows(
    column: str, value: object, project: Project, owner: Person
) -> None:
    entry = append(project, owner, "a")
    append(project, owner, "b")
    tamper(f"UPDATE annotation_ledgerentry SET {column} = %s WHERE id = %s", value, entry.pk)  # noqa: S608 column is ours
    broken = ledger.first_broken(project)
    assert broken is not None and broken.sequence == entry.sequence


def test_a_removed_entry_shows(project: Project, owner: Person) -> None:
    entry = append(project, owner, "a")
    append(project, owner, "b")
    tamper("DELETE FROM annotation_ledgerentry WHERE id = %s", entry.pk)
    broken = ledger.first_broken(project)
    assert broken is not None and "missing" in broken.reason


def test_a_forged_entry_with_a_right_hash_of_its_own_breaks_the_next(
    project: Project, owner: Person
) -> None:
    entry, following = append(project, owner, "a"), append(project, owner, "b")
    entry.subject = "forged"
    tamper(
        "UPDATE annotation_ledgerentry SET subject = %s, hash = %s WHERE id = %s",
        "forged",
        entry.computed_hash(),
        entry.pk,
    )
    broken = ledger.first_broken(project)
    assert broken is not None and broken.sequence == following.sequence


def test_an_entry_cannot_be_changed_or_deleted(project: Project, owner: Person) -> None:
    entry = append(project, owner, "a")
    for act in (entry.save, entry.delete, LedgerEntry.objects.all().delete):
        with pytest.raises(AppendOnly):
            act()
    with pytest.raises(AppendOnly):
        LedgerEntry.objects.update(subject="x")


@pytest.mark.django_db(transaction=True)
def test_an_entry_outside_a_transaction_is_refused(project: Project, owner: Person) -> None:
    with pytest.raises(RuntimeError):
        ledger.record(project=project, kind="test", subject="a", content={}, actor=owner)
