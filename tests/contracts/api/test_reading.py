"""A sheet that a program sends: what is kept of it, and where each fault lies."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.models import Person, Request
from annotation.services.reading import Unreadable
from contracts.services.reading import read_sheet
from contracts.services.sheets import drafted
from contracts.terms import KINDS
from tests.contracts.conftest import TEXT, take

STUDY = "/api/v1/projects/study/"
JSON = {"content_type": "application/json"}


def constraint(**changed: Any) -> dict[str, Any]:
    start = TEXT.index("before 2021")
    return {
        "id": "c1",
        "kind": "time",
        "materiality": "critical",
        "span": {"turn": 2, "start": start, "end": start + len("before 2021")},
        "value": {"relation": "before", "start": None, "end": "2021", "calendar": "calendar"},
        "admissible": ["prior to 2021"],
        **changed,
    }


@pytest.fixture
def seat(asked: Request, annotator_a: Person) -> Any:
    return take(annotator_a, asked.project)


def faults(seat: Any, sent: Any) -> list[tuple[str, str]]:
    with pytest.raises(Unreadable) as refused:
        read_sheet(seat, sent)
    return [(fault.pointer, fault.code) for fault in refused.value.faults]


def test_a_whole_sheet_is_kept_as_it_was_sent(seat: Any) -> None:
    sent = {
        "constraints": [constraint()],
        "ambiguity": {"unresolved": True, "readings": ["the parent", "the group"]},
    }
    kept = read_sheet(seat, sent)
    assert kept["constraints"][0] == {
        **constraint(),
        "value": {**constraint()["value"], "reference_date": None},
    }
    assert kept["ambiguity"] == sent["ambiguity"]


def test_an_unfinished_value_is_kept_unfinished(seat: Any) -> None:
    kept = read_sheet(seat, {"constraints": [constraint(value={})]})
    assert "relation" not in kept["constraints"][0]["value"]


def test_nothing_at_all_is_an_empty_draft(seat: Any) -> None:
    assert read_sheet(seat, {})["constraints"] == []


@pytest.mark.parametrize(
    ("changed", "pointer", "code"),
    [
        ({"kind": "mood"}, "/kind", "unknown_value"),
        ({"kind": ["time"]}, "/kind", "unknown_value"),
        ({"id": ""}, "/id", "bad_id"),
        ({"id": 7}, "/id", "bad_id"),
        ({"id": "x" * 41}, "/id", "bad_id"),
        ({"materiality": "huge"}, "/materiality", "unknown_value"),
        ({"span": {"turn": 3, "start": 0, "end": 1}}, "/span/turn", "outside"),
        ({"span": {"turn": 2, "start": 5, "end": 5}}, "/span", "outside"),
        ({"span": {"turn": 2, "start": 0, "end": 999}}, "/span", "outside"),
        ({"span": {"turn": 2, "start": 3, "end": 4}}, "/span", "blank"),
        ({"span": {"turn": 2, "start": True, "end": 4}}, "/span", "bad_span"),
        ({"span": [2, 0, 1]}, "/span", "not_an_object"),
        ({"span": {"turn": 2, "start": 0, "end": 1, "words": "A"}}, "/span/words", "unknown_field"),
        ({"value": {"relation": "before", "end": "2021-13"}}, "/value/end", "bad_value"),
        ({"value": {"relation": "beside"}}, "/value/relation", "bad_value"),
        ({"value": {"when": "2021"}}, "/value/when", "unknown_field"),
        ({"value": "2021"}, "/value", "not_an_object"),
        ({"admissible": "prior"}, "/admissible", "not_a_list"),
        ({"admissible": [""]}, "/admissible", "not_a_list"),
        ({"note/~": 1}, "/note~1~0", "unknown_field"),
    ],
)
def test_each_fault_has_its_place(
    seat: Any, changed: dict[str, Any], pointer: str, code: str
) -> None:
    assert faults(seat, {"constraints": [constraint(**changed)]}) == [
        ("/constraints/0" + pointer, code)
    ]


def test_every_fault_is_told_at_once(seat: Any) -> None:
    sent = {
        "constraints": [constraint(kind="mood"), constraint(), constraint(), 4],
        "ambiguity": {"unresolved": "yes", "readings": [1], "sure": 1},
        "annotator": "p2",
    }
    assert faults(seat, {**sent}) == [("/annotator", "unknown_field")]
    del sent["annotator"]
    assert faults(seat, sent) == [
        ("/constraints/0/kind", "unknown_value"),
        ("/constraints/3", "not_an_object"),
        ("/constraints/1/id", "repeated_id"),
        ("/constraints/2/id", "repeated_id"),
        ("/ambiguity/sure", "unknown_field"),
    ]


def test_offsets_are_code_points(other: Request, annotator_a: Person) -> None:
    seat = take(annotator_a, other.project)
    if seat.request.key != other.key:  # the first item comes first
        from annotation.services import seats

        seats.give_back(actor=annotator_a, seat=seat)
        seat = take(annotator_a, other.project)
    text = other.text  # "📦parcel fees 2024"
    span = {"turn": 0, "start": 8, "end": 12}
    assert text[8:12] == "fees"
    sent = {"id": "c1", "kind": "status", "span": span, "value": {"value": "final"}}
    assert read_sheet(seat, {"constraints": [sent]})["constraints"][0]["span"] == span


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
nearly = st.fixed_dictionaries(
    {},
    optional={
        "constraints": st.lists(
            st.fixed_dictionaries(
                {},
                optional={
                    "id": st.just("c1") | anything,
                    "kind": st.sampled_from(KINDS) | anything,
                    "materiality": st.just("minor") | anything,
                    "span": st.fixed_dictionaries(
                        {
                            "turn": st.integers(-1, 3),
                            "start": st.integers(-1, 60),
                            "end": st.integers(-1, 60),
                        }
                    )
                    | anything,
                    "value": st.dictionaries(
                        st.sampled_from(["name", "relation", "end", "value", "mode"]), anything
                    )
                    | anything,
                    "admissible": anything,
                },
            ),
            max_size=3,
        )
        | anything,
        "ambiguity": anything,
        "admissible_rewrites": anything,
    },
)


@settings(
    max_examples=300, deadline=None, derandomize=True, database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)  # fmt: skip
@given(sent=nearly | anything)
def test_whatever_is_sent_is_read_or_refused_in_words(seat: Any, sent: Any) -> None:
    try:
        draft = read_sheet(seat, sent)
    except Unreadable as refused:
        assert refused.faults and all(f.message and f.code for f in refused.faults)
    else:
        seat.draft = draft
        assert drafted(seat).to_json() == draft  # the page can show what was kept


def test_a_faulty_draft_is_422_with_pointers_and_saves_nothing(
    seat: Any, program: Callable[..., Client], annotator_a: Person
) -> None:
    client = program(annotator_a)
    body = {"version": 0, "draft": {"constraints": [constraint(kind="mood")]}}
    answer = client.put(f"{STUDY}seats/{seat.public_id}/draft/", body, **JSON)
    told = answer.json()
    assert answer.status_code == 422 and told["type"].endswith(":unreadable-draft")
    assert told["errors"][0]["pointer"] == "/constraints/0/kind"
    seat.refresh_from_db()
    assert seat.draft_version == 0
