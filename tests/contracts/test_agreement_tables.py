"""Which sheets count, and the table that is frozen: what a study lead puts into a paper."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from annotation.models import Person, Project, Request, Seat
from annotation.services import exposure, ledger, seats
from annotation.services.projects import Refused, set_member
from contracts.counted import basis
from contracts.models import Admission, AgreementSnapshot, Constraint, Gold, Sheet
from contracts.services import agreement as services
from contracts.services import sheets
from contracts.tasks import freeze_agreement
from contracts.terms import Ambiguity, ConstraintTerms, ContractTerms, Span
from tests.contracts.conftest import BEFORE, TEXT, UNTIL, Sealer, make_request, marked, take
from tests.contracts.test_training import gold


def terms(*names: str) -> ContractTerms:
    """A sheet with one referent for each name."""
    found = [
        ConstraintTerms(f"c{n}", "referent", "critical", {"name": name}, Span(0, 4 * n, 4 * n + 3))
        for n, name in enumerate(names)
    ]
    return ContractTerms(tuple(found), Ambiguity())


def sealed(asked: Request, person: Person, said: ContractTerms, **more: object) -> Sheet:
    """A sheet as the database holds it, sealed now."""
    sheet = Sheet.objects.create(
        request=asked, annotator=person, sealed_at=timezone.now(), sha256=said.sha256, **more
    )
    Constraint.objects.bulk_create(Constraint.rows(said, sheet=sheet))
    return sheet


@pytest.fixture
def pair(asked: Request, annotator_a: Person, annotator_b: Person) -> tuple[Sheet, Sheet]:
    """Two sheets of r1 that differ."""
    return (
        sealed(asked, annotator_a, terms("Harbor Rail")),
        sealed(asked, annotator_b, terms("Harbor Holdings")),
    )


def hashes(project: Project) -> list[str]:
    return [one.sheet.sha256 for one in basis(project).counted]


def test_sheets_are_counted_under_pseudonyms(pair: tuple[Sheet, Sheet], project: Project) -> None:
    found = services.reviewed(project)
    names = set(project.memberships.values_list("pseudonym", flat=True))
    assert [one.request for one in found] == ["r1"]
    assert {name for name, _terms in found[0].sheets} < names


def test_what_a_reviewer_said_before_the_bench_sent_it_back_counts(
    pair: tuple[Sheet, Sheet], project: Project
) -> None:
    first, other = pair
    Sheet.objects.filter(pk=first.pk).update(sent_back=True, retracted_at=timezone.now())
    sealed(first.request, first.annotator, terms("Harbor Holdings"))
    assert hashes(project) == [first.sha256, other.sha256]


def test_a_sheet_that_its_annotator_retracted_does_not_count(
    pair: tuple[Sheet, Sheet], project: Project
) -> None:
    first, other = pair
    Sheet.objects.filter(pk=first.pk).update(retracted_at=timezone.now())
    assert hashes(project) == [other.sha256]
    again = sealed(first.request, first.annotator, terms("Harbor"))
    assert hashes(project) == [other.sha256, again.sha256]


def show(sheet: Sheet) -> None:
    """The annotator was shown the answer before they sealed."""
    project, key = sheet.request.project, sheet.request.key
    exposure.expose(person=sheet.annotator, project=project, subject=key, what="answers")
    later = timezone.now() + timedelta(seconds=1)
    Sheet.objects.filter(pk=sheet.pk).update(sealed_at=later)


def test_a_sheet_sealed_after_its_annotator_was_shown_something_is_left_out_and_counted(
    pair: tuple[Sheet, Sheet], project: Project
) -> None:
    show(pair[0])
    found = basis(project)
    assert [one.sheet for one in found.counted] == [pair[1]]
    assert [one.sheet for one in found.left_out] == [pair[0]]


def test_an_admitted_sheet_counts_and_its_reason_is_in_the_report(
    pair: tuple[Sheet, Sheet], project: Project, owner: Person
) -> None:
    show(pair[0])
    Admission.objects.create(sheet=pair[0], by=owner, reason="It was written on paper before.")
    found = basis(project)
    content = services.content_of(found, services.table_of(found), resamples=0)
    assert content["sheets"]["left_out"] == 0
    admitted = content["sheets"]["admitted"]
    assert [one["reason"] for one in admitted] == ["It was written on paper before."]


def test_requests_outside_the_study_are_left_out(
    pair: tuple[Sheet, Sheet], other: Request, project: Project, owner: Person
) -> None:
    gold(pair[0].request, owner, Gold.Use.SILENT)
    found = basis(project)
    assert (found.requests, found.counted) == (1, [])


def test_removing_a_member_changes_no_figure(
    pair: tuple[Sheet, Sheet], project: Project, annotator_a: Person
) -> None:
    before = basis(project).inputs
    project.memberships.filter(person=annotator_a).update(ended_at=timezone.now())
    assert basis(project).inputs == before


def test_fifty_requests_need_no_more_queries_than_five(
    project: Project,
    annotator_a: Person,
    annotator_b: Person,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    def more(first: int, last: int) -> None:
        for number in range(first, last):
            asked = make_request(project, f"q{number}", TEXT)
            for person in (annotator_a, annotator_b):
                sealed(asked, person, terms("Harbor", str(number)))

    more(0, 5)
    with django_assert_num_queries(6):
        assert len(services.reviewed(project)) == 5
    more(5, 50)
    with django_assert_num_queries(6):
        assert len(services.reviewed(project)) == 50


# ---------------------------------------------------------------- frozen tables


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "RESAMPLES", 50)


def test_a_frozen_table_holds_the_numbers_and_the_hashes_of_its_sheets(
    pair: tuple[Sheet, Sheet], project: Project, owner: Person
) -> None:
    frozen = services.freeze(actor=owner, project=project)
    named = [sha256 for _request, of in frozen.inputs["sheets"] for sha256, _name in of]
    assert sorted(named) == sorted(sheet.sha256 for sheet in pair)
    value = next(
        row
        for row in frozen.content["figures"]
        if (row["question"], row["kind"]) == ("value", "referent")
    )
    assert (value["raw"]["value"], value["units"]) == (0.0, 1)
    entry = project.ledger.get(kind="agreement.frozen")
    assert entry.content["sha256"] == frozen.sha256
    assert entry.subject == str(frozen.public_id)


def test_freezing_the_same_sheets_again_gives_the_same_snapshot(
    pair: tuple[Sheet, Sheet], project: Project, owner: Person, engineer: Person
) -> None:
    first = services.freeze(actor=owner, project=project)
    assert services.freeze(actor=engineer, project=project) == first
    assert project.ledger.filter(kind="agreement.frozen").count() == 1


def test_a_further_sheet_gives_another_snapshot_and_the_first_comes_out_the_same(
    pair: tuple[Sheet, Sheet], other: Request, project: Project, owner: Person
) -> None:
    first = services.freeze(actor=owner, project=project)
    sealed(other, pair[0].annotator, terms("Harbor"))
    assert services.freeze(actor=owner, project=project) != first
    assert services.recompute(first) == (True, (), False)


def test_a_frozen_table_comes_out_the_same_after_the_bench_sent_a_sheet_back(
    pair: tuple[Sheet, Sheet], project: Project, owner: Person
) -> None:
    frozen = services.freeze(actor=owner, project=project)
    Sheet.objects.filter(pk=pair[0].pk).update(sent_back=True, retracted_at=timezone.now())
    sealed(pair[0].request, pair[0].annotator, terms("Harbor Holdings"))
    assert services.recompute(frozen).same


def test_a_changed_sheet_is_told_with_its_request(
    pair: tuple[Sheet, Sheet], project: Project, owner: Person
) -> None:
    frozen = services.freeze(actor=owner, project=project)
    pair[0].constraints.update(value={"name": "something else"})
    found = services.recompute(frozen)
    assert not found.same and "1 of its 2 sheets" in found.differs[0] and "r1" in found.differs[0]


def test_a_changed_number_is_told_by_its_row(
    pair: tuple[Sheet, Sheet], project: Project, owner: Person
) -> None:
    frozen = services.freeze(actor=owner, project=project)
    frozen.content["figures"][0]["units"] += 1
    differs = services.recompute(frozen).differs
    assert "changed after it was frozen" in differs[0]
    assert differs[1] == "presence, referent: units is 1, was 2."


def test_an_interval_that_changed_is_told_though_its_coefficient_did_not(
    pair: tuple[Sheet, Sheet], project: Project, owner: Person
) -> None:
    frozen = services.freeze(actor=owner, project=project)
    row = frozen.content["figures"][0]
    row["raw"]["interval"] = {"low": 0.5, "high": 1.0}
    differs = services.recompute(frozen).differs
    assert differs[1] == "presence, referent: raw is 1.0 [None, None], was 1.0 [0.5, 1.0]."


def test_the_ledger_finds_a_snapshot_that_was_changed(
    pair: tuple[Sheet, Sheet], project: Project, owner: Person
) -> None:
    frozen = services.freeze(actor=owner, project=project)
    ours = [kind for kind in ledger.SEALS if kind == "agreement.frozen"]
    assert ours and services.SNAPSHOTS.hashes(project)
    frozen.content["reviewers"] = 3
    frozen.save()
    assert "agreement.frozen" in str(ledger.first_altered(project))


def test_other_code_is_told_and_freezes_anew(
    pair: tuple[Sheet, Sheet], project: Project, owner: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = services.freeze(actor=owner, project=project)
    monkeypatch.setattr(services, "code_sha256", lambda: "f" * 64)
    assert services.recompute(first) == (True, (), True)
    assert services.freeze(actor=owner, project=project) != first


def test_nothing_that_is_frozen_can_be_retracted(
    seal: Sealer, project: Project, annotator_a: Person, annotator_b: Person, owner: Person
) -> None:
    seal(annotator_a, BEFORE)
    seal(annotator_b, UNTIL)
    services.freeze(actor=owner, project=project)
    seat = Seat.objects.get(holder=annotator_a, kind="sheet", state=Seat.State.SUBMITTED)
    with pytest.raises(Refused, match="no longer be retracted"):
        seats.retract(actor=annotator_a, seat=seat)


def test_figures_alone_stop_no_retraction_and_expose_nobody(
    seal: Sealer, project: Project, annotator_a: Person, owner: Person
) -> None:
    seal(annotator_a, BEFORE)
    services.table_of(basis(project))
    seat = Seat.objects.get(holder=annotator_a, kind="sheet", state=Seat.State.SUBMITTED)
    seats.retract(actor=annotator_a, seat=seat)
    assert not exposure.exposures(person=owner, project=project).exists()


def test_nothing_is_frozen_while_no_request_has_two_sheets(
    asked: Request, project: Project, owner: Person, annotator_a: Person
) -> None:
    sealed(asked, annotator_a, terms("Harbor"))
    with pytest.raises(Refused, match="no request has two sheets"):
        services.freeze(actor=owner, project=project)


@pytest.mark.parametrize("roles", [["adjudicator"], ["annotator", "engineer"]], ids="+".join)
def test_whoever_adjudicates_or_annotates_here_freezes_nothing(
    pair: tuple[Sheet, Sheet], project: Project, owner: Person, stranger: Person, roles: list[str]
) -> None:
    set_member(actor=owner, project=project, person=stranger, roles=roles)
    with pytest.raises(PermissionDenied):
        services.freeze(actor=stranger, project=project)


def test_a_worker_that_gets_the_task_twice_freezes_once(
    pair: tuple[Sheet, Sheet], project: Project, owner: Person
) -> None:
    for _delivery in range(2):
        freeze_agreement(project.pk, owner.pk)
    assert AgreementSnapshot.objects.count() == 1


def test_the_adjudicator_is_no_rater(
    seal: Sealer,
    project: Project,
    annotator_a: Person,
    annotator_b: Person,
    adjudicator: Person,
    contract: Callable[[], None],
) -> None:
    table = services.table_of(basis(project))
    assert (table.requests, len(table.reviewers)) == (1, 2)
    assert table.figure("value", "time").raw.value == 0.0  # though it is settled by now


def test_two_reviewers_at_their_desks_are_counted_as_they_sealed(
    seal: Sealer, project: Project, annotator_a: Person, annotator_b: Person
) -> None:
    seal(annotator_a, BEFORE)
    sheets.seal_sheet(actor=annotator_b, seat=marked(take(annotator_b, project), UNTIL))
    table = services.table_of(basis(project))
    assert table.figure("value", "referent").raw.value == 1.0
    assert table.figure("value", "time").raw.value == 0.0
