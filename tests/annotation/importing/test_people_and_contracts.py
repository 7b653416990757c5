"""D46, D47, D49, D50 and D11 for the files of contracts."""

from typing import Any

import pytest
from django.db.models import Max
from django.utils import timezone

from annotation.models import Person, Project, Request, Seat
from contracts.models import Contract, Sheet, TwinPair
from tests.annotation.importing.conftest import Refusal, TakeIn, places
from tests.evaluation.runs.small_study import CONTRACTS, REFERENCES

pytestmark = pytest.mark.usefixtures("study")
CONSTRAINT = {
    "id": "c1",
    "kind": "time",
    "materiality": "critical",
    "span": {"turn": 0, "start": 0, "end": 4},
    "value": {"relation": "on", "start": "2022", "end": "2022", "calendar": "fiscal"},
    "admissible": [],
}


def sheet(**changed: Any) -> dict[str, Any]:
    return {"request": "a", "annotator": "annotator-b", "constraints": [CONSTRAINT], **changed}


def with_part(**changed: Any) -> dict[str, Any]:
    return sheet(constraints=[{**CONSTRAINT, **changed}])


def span(turn: object, start: object, end: object) -> dict[str, object]:
    return {"turn": turn, "start": start, "end": end}


def pair(**changed: Any) -> dict[str, Any]:
    return {
        "id": "t2",
        "family": "date",
        "base": "a",
        "twin": "open",
        "constraint": "c2",
        **changed,
    }


def standalone(**changed: Any) -> dict[str, Any]:
    return {"request": "open", "text": "Where is it?", "author": "annotator-a", **changed}


UNKNOWN = [
    pytest.param(
        "sheets", with_part(kind="Time"), "constraints", "referent, time, quantity", id="D46-kind"
    ),
    pytest.param(
        "sheets", with_part(materiality="high"), "constraints", "critical, minor", id="D46-weight"
    ),
    pytest.param(
        "sheets",
        with_part(value={"relation": "On", "start": "2022"}),
        "constraints",
        "on, before, after",
        id="D46-relation",
    ),
    pytest.param("twins", pair(family="Date"), "family", "date, organisation", id="D46-family"),
    pytest.param(
        "rewrites",
        {"request": "a", "kind": "Standalone", "queries": ["q"]},
        "kind",
        "standalone, expansion",
        id="D46-rewrite",
    ),
    pytest.param(
        "requests",
        {"id": "n", "class": "c", "text": "x", "turns": [{"role": "USER", "text": "y"}]},
        "turns",
        "user or assistant, not “USER”",
        id="D46-role",
    ),
    pytest.param(
        "sheets", with_part(quote="x"), "constraints", "allowed are id, kind", id="D46-part"
    ),
]


@pytest.mark.parametrize("kind, row, column, words", UNKNOWN)
def test_a_word_outside_its_list_is_refused_with_the_list(
    kind: str, row: dict[str, Any], column: str, words: str, refusal: Refusal
) -> None:
    (found,) = refusal(kind, [row], target="cand")
    assert found.column == column and words in found.message


SPANS = [
    pytest.param(span(0, 9, 4), id="D47-reversed"),
    pytest.param(span(0, 4, 4), id="D47-empty"),
    pytest.param(span(0, 0, 10_000), id="D47-too-far"),
    pytest.param(span(1, 0, 4), id="D47-no-such-turn"),
    pytest.param(span(-1, 0, 4), id="D47-negative-turn"),
    pytest.param(span(0, -4, 4), id="D47-negative-start"),
    pytest.param(span(0, 0, 4.0), id="D47-fraction"),
    pytest.param(span(0, True, 4), id="D47-true"),
    pytest.param(span(0, "0", "4"), id="D47-texts"),
    pytest.param(span(0, 0, 2**62), id="D47-huge"),
    pytest.param({"start": 0, "end": 4}, id="D47-no-turn"),
    pytest.param([0, 4], id="D47-list"),
]


@pytest.mark.parametrize("given", SPANS)
def test_a_span_that_marks_no_words_is_refused_with_its_constraint(
    given: object, refusal: Refusal
) -> None:
    (found,) = refusal("sheets", [with_part(span=given)])
    assert (found.column, found.code) == ("constraints", "bad_constraint")
    assert "span" in found.message and ("c1" in found.message or "constraint 1" in found.message)


def test_d47_spans_may_overlap(put_in: TakeIn) -> None:
    second = {**CONSTRAINT, "id": "c2", "span": span(0, 2, 6)}
    assert put_in("sheets", [sheet(constraints=[CONSTRAINT, second])]).written == 1


PARTS = [
    pytest.param(with_part(admissible="2022"), id="D35-text-for-a-list"),
    pytest.param(with_part(admissible=[""]), id="D35-empty-wording"),
    pytest.param(with_part(admissible={"a": 1}), id="D35-object-for-a-list"),
    pytest.param(with_part(admissible=7), id="D35-number-for-a-list"),
    pytest.param(with_part(id=7), id="D32-number-for-an-id"),
    pytest.param(with_part(id="c\u200b1"), id="D14-constraint-id"),
    pytest.param(with_part(id="c" * 41), id="D8-constraint-id"),
    pytest.param(with_part(value="2022"), id="D35-text-for-an-object"),
    pytest.param(with_part(value={"relation": ["on"], "start": {}}), id="D35-odd-values"),
    pytest.param(with_part(kind=["time"]), id="D35-list-for-a-kind"),
    pytest.param(with_part(materiality={}), id="D35-object-for-a-weight"),
    pytest.param(sheet(constraints=[CONSTRAINT, CONSTRAINT]), id="D11-constraint-twice"),
    pytest.param(sheet(constraints=[]), id="D20-no-constraint"),
    pytest.param(sheet(constraints=[CONSTRAINT] * 201), id="D9-201-constraints"),
]


@pytest.mark.parametrize("row", PARTS)
def test_a_constraint_of_another_shape_is_refused(row: dict[str, Any], refusal: Refusal) -> None:
    assert {p.column for p in refusal("sheets", [row])} == {"constraints"}


AMBIGUITY = [
    pytest.param({"readings": "x"}, id="D35-text-for-a-list"),
    pytest.param({"readings": [1]}, id="D35-number-for-a-text"),
    pytest.param({"unresolvd": True}, id="D26-unknown-mark"),
]


@pytest.mark.parametrize("given", AMBIGUITY)
def test_an_ambiguity_of_another_shape_is_refused(given: object, refusal: Refusal) -> None:
    assert places(refusal("sheets", [sheet(ambiguity=given)])) == [
        (1, "ambiguity", "bad_ambiguity")
    ]


def test_d49_two_sheets_of_one_person_name_both_rows(refusal: Refusal) -> None:
    (found,) = refusal("sheets", [sheet(), sheet(request="b"), sheet()])
    assert (found.row, found.column, found.code) == (3, "annotator", "duplicate_id")
    assert "stands on row 1" in found.message


def test_d49_a_second_sheet_in_another_file_is_refused(put_in: TakeIn, refusal: Refusal) -> None:
    put_in("sheets", [sheet()])
    row = sheet(constraints=[{**CONSTRAINT, "materiality": "minor"}])
    assert places(refusal("sheets", [row])) == [(1, "annotator", "present")]


def test_d49_two_people_may_have_a_sheet_of_one_request(put_in: TakeIn) -> None:
    put_in("sheets", [sheet(), sheet(annotator="annotator-a")])
    assert Sheet.objects.count() == 2


def test_a_sheet_of_somebody_at_work_on_the_request_is_refused(
    project: Project, annotator_b: Person, refusal: Refusal
) -> None:
    now = timezone.now()
    asked = Request.objects.get(key="a")
    Seat.objects.create(
        project=project,
        request=asked,
        kind="sheet",
        slot=1,
        position=asked.position,
        holder=annotator_b,
        taken_at=now,
        leased_until=now,
    )
    assert places(refusal("sheets", [sheet()])) == [(1, "annotator", "seated")]


PEOPLE = [
    pytest.param("sheets", sheet(annotator="eve@example.org"), "annotator", id="D50-annotator"),
    pytest.param("sheets", sheet(annotator="Annotator-B"), "annotator", id="D50-case"),
    pytest.param("sheets", sheet(annotator="stranger"), "annotator", id="D50-no-member"),
    pytest.param("standalone", standalone(author="eve"), "author", id="D50-author"),
    pytest.param(
        "contracts",
        {"request": "open", "constraints": [CONSTRAINT], "annotators": ["eve"]},
        "annotators",
        id="D50-annotators",
    ),
    pytest.param(
        "contracts",
        {"request": "open", "constraints": [CONSTRAINT], "adjudicator": "eve"},
        "adjudicator",
        id="D50-adjudicator",
    ),
]


@pytest.mark.parametrize("kind, row, column", PEOPLE)
def test_a_person_who_is_no_member_is_refused_and_never_made(
    kind: str, row: dict[str, Any], column: str, refusal: Refusal, stranger: Person
) -> None:
    assert places(refusal(kind, [row])) == [(1, column, "unknown_person")]
    assert not Person.objects.filter(username__startswith="eve").exists()


TWICE = [
    pytest.param("contracts", {**CONTRACTS[0], "request": "open"}, "request", id="D11-contracts"),
    pytest.param("standalone", standalone(), "request", id="D11-standalone"),
    pytest.param("twins", pair(), "id", id="D11-twins"),
    pytest.param(
        "rewrites",
        {"request": "a", "kind": "standalone", "queries": ["q"]},
        "request",
        id="D11-rewrites",
    ),
    pytest.param("run", {"request": "a", "hits": []}, "request", id="D11-run"),
]


@pytest.mark.parametrize("kind, row, column", TWICE)
def test_a_row_that_stands_twice_names_both_rows(
    kind: str, row: dict[str, Any], column: str, refusal: Refusal
) -> None:
    found = [p for p in refusal(kind, [row, row], target="cand") if p.code == "duplicate_id"]
    assert found[0].row == 2 and found[0].column == column and "row 1" in found[0].message


PRESENT = [
    pytest.param("contracts", CONTRACTS[0], "request", "present", id="D12-contract"),
    pytest.param(
        "standalone", standalone(request="a", text="x"), "request", "present", id="D12-standalone"
    ),
    pytest.param("twins", pair(id="t1"), "id", "present_id", id="D12-twin-id"),
    pytest.param("twins", pair(id="T1"), "id", "present_id", id="D13-twin-id"),
    pytest.param("twins", pair(base="a", twin="b"), "twin", "present", id="D12-pair"),
]


@pytest.mark.parametrize("kind, row, column, code", PRESENT)
def test_what_the_project_has_already_is_refused(
    kind: str, row: dict[str, Any], column: str, code: str, refusal: Refusal
) -> None:
    assert (column, code) in [(p.column, p.code) for p in refusal(kind, [row])]


PAIRS = [
    pytest.param(pair(base="a", twin="a"), "same_request", id="D53-own-twin"),
    pytest.param(pair(constraint="c" * 41), "bad_name", id="D8-constraint"),
    pytest.param(pair(constraint=2), "not_a_text", id="D32-constraint"),
    pytest.param(pair(accepts=["x"]), "not_of_a_pair", id="D26-accepts"),
    pytest.param(
        {"id": "x", "family": "control", "base": "a", "accepts": []}, "missing", id="D20-control"
    ),
    pytest.param(
        {"id": "x", "family": "control", "base": "a", "twin": "b", "accepts": ["y"]},
        "not_of_a_control",
        id="D26-twin",
    ),
]


@pytest.mark.parametrize("row, code", PAIRS)
def test_a_pair_that_is_none_is_refused(row: dict[str, Any], code: str, refusal: Refusal) -> None:
    assert [p.code for p in refusal("twins", [row])] == [code]


def test_d53_one_pair_under_two_ids_is_refused(refusal: Refusal) -> None:
    (found,) = refusal("twins", [pair(), pair(id="t3")])
    assert places([found]) == [(2, "twin", "duplicate_id")] and "row 1" in found.message
    assert TwinPair.objects.count() == 1


def test_d57_a_request_written_differently_is_pointed_at(refusal: Refusal) -> None:
    (found,) = refusal("standalone", [standalone(request="OPEN")])
    assert found.code == "unknown_request" and "is “open” meant?" in found.message


@pytest.mark.parametrize("version", ["1", 0, -1, True, 1.5, [1]])
def test_d32_a_version_is_a_number_from_1(version: object, refusal: Refusal) -> None:
    row = {"request": "open", "constraints": [CONSTRAINT], "version": version}
    assert places(refusal("contracts", [row])) == [(1, "version", "bad_number")]


@pytest.mark.parametrize("kind", ["contracts", "sheets"])
def test_d62_a_hash_of_other_terms_is_refused(kind: str, refusal: Refusal) -> None:
    row = {"request": "open", "constraints": [CONSTRAINT], "sha256": "0" * 64}
    if kind == "sheets":
        row["annotator"] = "annotator-a"
    assert places(refusal(kind, [row])) == [(1, "sha256", "hash_differs")]


def test_d43_a_reference_is_stored_exactly(put_in: TakeIn) -> None:
    put_in("standalone", [standalone(text=" <b>{{x}}</b> \u202e")])
    assert Request.objects.get(key="open").human_rewrites.get().text == " <b>{{x}}</b> \u202e"
    assert set(REFERENCES) == {"a", "b", "c"}


def test_d12_no_import_writes_a_second_version(refusal: Refusal) -> None:
    refusal("contracts", CONTRACTS[:1])
    assert Contract.objects.aggregate(Max("version"))["version__max"] == 1
