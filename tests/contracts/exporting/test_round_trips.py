"""Export, import into an empty project, export again: the same bytes."""

import json
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.models import Membership, Project, Seat
from annotation.services.ledger import first_altered
from contracts.models import Contract, Sheet
from tests.contracts.exporting.conftest import BACK, SAID, TakeIn, Write


def copied(source: Project, copy: Project, write: Write, put_in: TakeIn, **how: Any) -> list[str]:
    """Put every file of the source into the copy; return the kinds whose files then differ."""
    said = how.pop("said", "")
    first = {kind: write(source, kind, **how) for kind in BACK}
    for kind, data in first.items():
        if data:
            put_in(
                copy, kind, data, said=said if kind not in ("corpus", "requests", "twins") else ""
            )
    return [kind for kind in BACK if write(copy, kind, **how) != first[kind]]


@pytest.mark.parametrize("how", [{"named": True}, {"said": SAID}], ids=["named", "pseudonymous"])
def test_a_study_comes_back_with_the_same_bytes(
    how: dict[str, Any], worked: Project, copy: Project, write: Write, put_in: TakeIn
) -> None:
    assert copied(worked, copy, write, put_in, **how) == []


def test_the_file_of_requests_comes_back_as_csv(
    worked: Project, copy: Project, write: Write, put_in: TakeIn
) -> None:
    first = write(worked, "requests", "csv")
    put_in(copy, "corpus", write(worked, "corpus"))
    put_in(copy, "requests", first, "csv")
    assert write(copy, "requests", "csv") == first
    assert write(copy, "requests") == write(worked, "requests")


@pytest.mark.parametrize("kind", ["annotations", "annotations-wide"])
def test_the_tables_of_a_copy_are_those_of_the_study(
    kind: str, worked: Project, copy: Project, write: Write, put_in: TakeIn
) -> None:
    first = rows_without_times(write(worked, kind, "jsonl"))
    copied(worked, copy, write, put_in, said=SAID)
    assert rows_without_times(write(copy, kind, "jsonl")) == first


def rows_without_times(data: bytes) -> list[dict[str, Any]]:
    """A contract is approved where it is imported: that time is the server's."""
    rows = [json.loads(line) for line in data.splitlines()]
    return [
        {name: value for name, value in row.items() if name != "sealed_at"}
        if row.get("role") == "adjudicator"
        else row
        for row in rows
    ]


def test_an_imported_sheet_was_sealed_when_it_was_sealed_there(
    worked: Project, copy: Project, write: Write, put_in: TakeIn
) -> None:
    Seat.objects.filter(project=worked, kind="sheet").update(active_seconds=61)
    copied(worked, copy, write, put_in, named=True)
    there, here = (
        Sheet.objects.by_request(project).values_list(
            "annotator", "sealed_at", "seat__active_seconds"
        )
        for project in (worked, copy)
    )
    assert set(there) == set(here) and first_altered(copy) is None


def test_an_imported_contract_keeps_the_number_of_its_version(
    worked: Project, copy: Project, write: Write, put_in: TakeIn
) -> None:
    Contract.objects.filter(request__project=worked).update(version=3)
    assert copied(worked, copy, write, put_in, named=True) == []
    assert Contract.objects.current(copy).get().version == 3 and first_altered(copy) is None


def test_members_keep_the_pseudonyms_of_the_file_and_nobody_shares_one(
    worked: Project, copy: Project, write: Write, put_in: TakeIn
) -> None:
    copied(worked, copy, write, put_in, said=SAID)
    pairs = [
        set(Membership.objects.filter(project=p).values_list("person__username", "pseudonym"))
        for p in (worked, copy)
    ]
    assert pairs[0] == pairs[1]


def test_pseudonyms_that_were_handed_out_are_never_moved(
    worked: Project, copy: Project, write: Write, put_in: TakeIn
) -> None:
    before = dict(Membership.objects.filter(project=copy).values_list("person", "pseudonym"))
    write(copy, "corpus")
    copied(worked, copy, write, put_in, said=SAID)
    assert (
        dict(Membership.objects.filter(project=copy).values_list("person", "pseudonym")) == before
    )


# ---------------------------------------------------------------- any study

LETTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\x00")
ODD = st.sampled_from(
    [
        "=1+1",
        "'=x",
        "+-@",
        "\u2028",
        "\u0645\u0631",
        "👩🏽‍🔬",
        '"',
        "a,b",
        "\r\n",
        "\t",
        "é",
        "e\u0301",
    ]
)
WORDS = (
    st.lists(st.text(LETTERS, max_size=8) | ODD, min_size=1, max_size=4)
    .map("".join)
    .filter(str.strip)
)
VALUES = {
    "referent": st.fixed_dictionaries(
        {"name": WORDS}, optional={"aliases": st.lists(WORDS, max_size=2)}
    ),
    "polarity": st.fixed_dictionaries(
        {"target": WORDS, "mode": st.sampled_from(["negate", "exclude"])}
    ),
    "status": st.fixed_dictionaries({"value": WORDS, "rivals": st.lists(WORDS, max_size=2)}),
    "evidence": st.fixed_dictionaries({"source": WORDS}),
    "quantity": st.fixed_dictionaries(
        {"operator": st.sampled_from(["<", "="]), "value": st.integers(0, 99) | st.floats(0, 9)}
    ),
}  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(-9, 9) | WORDS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(WORDS, inner, max_size=2),
    max_leaves=4,
)


@st.composite
def constraints(draw: st.DrawFn, text: str) -> list[dict[str, Any]]:
    kinds = draw(st.lists(st.sampled_from(sorted(VALUES)), min_size=1, max_size=3))
    found = []
    for number, kind in enumerate(kinds, start=1):
        start = draw(st.integers(0, len(text) - 1))
        end = draw(st.integers(start + 1, len(text)))
        span = {"turn": 1, "start": start, "end": end}
        found.append({
            "id": f"c{number}", "kind": kind, "value": draw(VALUES[kind]),
            "span": span if text[start:end].strip() else None,
            "materiality": draw(st.sampled_from(["critical", "minor"])),
            "admissible": draw(st.lists(WORDS, max_size=2, unique=True)),
        })  # fmt: skip
    return found


@st.composite
def contracted(draw: st.DrawFn, texts: list[str]) -> list[list[dict[str, Any]]]:
    """The constraints of each request; those of the second are the first's but for the status."""
    asked = {
        "id": "status", "kind": "status", "value": {"value": draw(WORDS), "rivals": []},
        "span": None, "materiality": "critical", "admissible": draw(st.lists(WORDS, max_size=2)),
    }  # fmt: skip
    other = {**asked, "value": {"value": f"{asked['value']['value']} x", "rivals": []}}
    first, *others = [draw(constraints(text)) for text in (texts[0], *texts[2:])]
    second = [{**one, "span": None} for one in first]
    return [[asked, *first], [other, *second], *others]


@st.composite
def studies(draw: st.DrawFn) -> dict[str, list[dict[str, Any]]]:
    texts = draw(st.lists(WORDS, min_size=2, max_size=3, unique=True))
    asked = {f"r{n}": text for n, text in enumerate(texts)}
    study: dict[str, list[dict[str, Any]]] = {
        "corpus": [{"_id": "=d1", "text": draw(WORDS), "metadata": {"k": draw(JSON)}}],
        "requests": [
            {"id": key, "class": "c", "text": text,
             "turns": [{"role": "user", "text": draw(WORDS)}],
             "answers": draw(st.none() | st.lists(WORDS.map(lambda t: f"x{t}"), max_size=2)),
             "reference_date": draw(st.none() | st.dates().map(str)), "metadata": {"k": draw(JSON)}}
            for key, text in asked.items()
        ],
        "sheets": [
            {"request": key, "annotator": who, "constraints": draw(constraints(text))}
            for key, text in asked.items() for who in ("annotator-b", "annotator-a")
        ],
        "contracts": [
            {"request": key, "constraints": demanded, "adjudicator": "adjudicator",
             "annotators": ["annotator-b", "annotator-a"], "version": draw(st.integers(1, 4)),
             "admissible_rewrites": draw(st.lists(WORDS, max_size=2))}
            for key, demanded in zip(asked, draw(contracted(texts)), strict=True)
        ],
        "paraphrases": [
            {"request": key, "author": "engineer", "text": draw(WORDS)} for key in asked
        ],
        "twins": [
            {"id": "t1", "family": "status", "base": "r0", "twin": "r1", "constraint": "status"},
            {"id": "x1", "family": "control", "base": "r0", "accepts": [draw(WORDS)]},
        ],
    }  # fmt: skip
    return study


class _Undo(Exception):
    """Ends an example: whatever it wrote is gone."""


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(study=studies(), named=st.booleans())
def test_any_study_comes_back_with_the_same_bytes(
    study: dict[str, list[dict[str, Any]]],
    named: bool,
    project: Project,
    copy: Project,
    write: Write,
    put_in: TakeIn,
) -> None:
    how: dict[str, Any] = {"named": True} if named else {"said": SAID}
    try:
        with transaction.atomic():
            for kind, rows in study.items():
                put_in(project, kind, "\n".join(json.dumps(row) for row in rows).encode())
            csv = write(project, "requests", "csv")
            assert copied(project, copy, write, put_in, **how) == []
            assert write(copy, "requests", "csv") == csv
            raise _Undo
    except _Undo:
        pass


def test_a_contract_on_which_the_reviewers_agreed_comes_back_as_one(
    worked: Project, copy: Project, write: Write, put_in: TakeIn
) -> None:
    Contract.objects.filter(request__project=worked).update(adjudicator=None)
    assert copied(worked, copy, write, put_in, said=SAID) == []
    assert Contract.objects.current(copy).get().adjudicator is None
    assert copy.ledger.get(kind="contract.approved").content["agreed"] is True


def test_without_the_column_whoever_brings_a_contract_in_is_its_adjudicator(
    worked: Project, copy: Project, write: Write, put_in: TakeIn
) -> None:
    for kind in ("corpus", "requests"):
        put_in(copy, kind, write(worked, kind))
    line = json.loads(write(worked, "contracts", named=True).splitlines()[0])
    put_in(
        copy,
        "contracts",
        json.dumps({k: v for k, v in line.items() if k != "adjudicator"}).encode(),
    )
    contract = Contract.objects.current(copy).get()
    assert contract.adjudicator and contract.adjudicator.username == "owner"
