"""The judge as a whole: its invariants, additions, and the worked cases where they are present."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.terms import ConstraintTerms, ContractTerms
from evaluation.records import KEPT, LOST, JudgedRewrite, RequestText, Rewrite
from evaluation.scoring.preservation import judge_rewrite
from evaluation.scoring.preservation.finding import MATCHERS, matcher
from tests.evaluation.scoring.preservation.judging import Asked, amount, time

CASES = Path(__file__).resolve().parents[4].parent / "shared" / "judge" / "cases.jsonl"

REQUEST = RequestText(
    "r1", "Which approved dams over 15 m did Velden Trust open before 1990, per the tide log?"
)
CONSTRAINTS = (
    ConstraintTerms("c1", "status", "critical", {"value": "approved", "rivals": ["proposed"]}),
    ConstraintTerms("c2", "quantity", "critical", amount(">", 15, unit="m")),
    ConstraintTerms(
        "c3", "referent", "critical", {"name": "Velden Trust", "aliases": [], "from_turn": None}
    ),
    ConstraintTerms("c4", "time", "critical", time("before", end="1990")),
    ConstraintTerms("c5", "evidence", "minor", {"source": "tide log"}),
    ConstraintTerms("c6", "polarity", "critical", {"mode": "exclude", "target": "weirs"}),
    ConstraintTerms(
        "c7", "comparison", "minor", {"sets": ["dams"], "direction": "increase", "measure": None}
    ),
)
PARTS = {
    "c1": ("approved dams", "proposed dams", "dams"),
    "c2": ("over 15 m", "under 15 m", "over 1500 cm", ""),
    "c3": ("Velden Trust", "Velden Mutual", ""),
    "c4": ("before 1990", "after 1990", "1990", ""),
    "c5": ("tide log", "press", ""),
    "c6": ("except weirs", "weirs", ""),
    "c7": ("increase", "decline", ""),
}
FILTERS = (
    {},
    {"status": "approved"},
    {"date": {"lt": "1990"}},
    {"entity": "Orla Bank"},
    {"source": "tide log"},
)
FILLERS = ("please tell me", "can you show me", "I would like to know about", "find")

queries = st.tuples(*(st.sampled_from(PARTS[c.id]) for c in CONSTRAINTS)).map(
    lambda parts: " ".join(part for part in parts if part)
)
rewrites = st.builds(
    lambda texts, filters: Rewrite("subqueries", tuple(texts), filters),
    st.lists(queries, min_size=1, max_size=2),
    st.sampled_from(FILTERS),
)


def by_id(judged: JudgedRewrite) -> dict[str, str]:
    return {item.constraint: item.judgement for item in judged.judgements}


@given(rewrites, st.permutations(CONSTRAINTS))
@settings(max_examples=60, deadline=None)
def test_the_order_of_the_constraints_never_matters(
    rewrite: Rewrite, order: list[ConstraintTerms]
) -> None:
    straight = judge_rewrite(REQUEST, ContractTerms(CONSTRAINTS), rewrite)
    shuffled = judge_rewrite(REQUEST, ContractTerms(tuple(order)), rewrite)
    assert (by_id(shuffled), shuffled.added) == (by_id(straight), straight.added)


@given(rewrites, st.sampled_from(FILLERS))
@settings(max_examples=60, deadline=None)
def test_harmless_filler_never_changes_a_judgement(rewrite: Rewrite, filler: str) -> None:
    contract = ContractTerms(CONSTRAINTS)
    longer = Rewrite(rewrite.kind, tuple(f"{filler} {q}" for q in rewrite.queries), rewrite.filters)
    assert by_id(judge_rewrite(REQUEST, contract, longer)) == by_id(
        judge_rewrite(REQUEST, contract, rewrite)
    )


@given(rewrites)
@settings(max_examples=60, deadline=None)
def test_deleting_the_words_that_state_a_constraint_never_leaves_it_stated(
    rewrite: Rewrite,
) -> None:
    contract = ContractTerms(CONSTRAINTS)
    for judgement in judge_rewrite(REQUEST, contract, rewrite).judgements:
        if judgement.judgement == "stated":
            texts = rewrite.queries
            while True:  # a second query may state it in the same or in other words
                found = {
                    j.constraint: j
                    for j in judge_rewrite(
                        REQUEST, contract, Rewrite("subqueries", texts)
                    ).judgements
                }[judgement.constraint]
                if found.judgement != "stated":
                    break
                shorter = tuple(text.replace(found.quote, "") for text in texts)
                assert shorter != texts
                texts = shorter


@given(rewrites)
@settings(max_examples=60, deadline=None)
def test_every_quote_is_a_part_of_what_was_emitted(rewrite: Rewrite) -> None:
    emitted = [*rewrite.queries, json.dumps(dict(rewrite.filters))]
    judged = judge_rewrite(REQUEST, ContractTerms(CONSTRAINTS), rewrite)
    assert all(any(j.quote in text for text in emitted) for j in judged.judgements)


@given(st.text(max_size=60), st.text(max_size=20))
@settings(max_examples=60, deadline=None)
def test_any_text_is_judged_without_an_error(query: str, value: str) -> None:
    rewrite = Rewrite("standalone", (query,), {"status": value, "date": value})
    judged = judge_rewrite(REQUEST, ContractTerms(CONSTRAINTS), rewrite)
    assert [j.constraint for j in judged.judgements] == [c.id for c in CONSTRAINTS]


@pytest.mark.parametrize("texts", [(), ("",), ("?",)])
def test_a_rewrite_with_nothing_in_it_drops_everything(texts: tuple[str, ...]) -> None:
    judged = judge_rewrite(REQUEST, ContractTerms(CONSTRAINTS), Rewrite("clarification", texts))
    assert set(by_id(judged).values()) == {"dropped"}


def test_an_unknown_kind_is_unsure() -> None:
    contract = ContractTerms((ConstraintTerms("c1", "colour", "minor", {"value": "red"}),))
    assert by_id(judge_rewrite(REQUEST, contract, Rewrite("standalone", ("dams",)))) == {
        "c1": "unsure"
    }


def test_a_kind_has_one_matcher_only() -> None:
    with pytest.raises(ValueError, match="two matchers for the kind “time”"):
        matcher("time")(MATCHERS["time"])


PLAIN = Asked(
    "Who signed the sealed lease?", "status", {"value": "sealed", "rivals": ["open"]}, "sealed"
)


@pytest.mark.parametrize(
    ("query", "filters", "added"),
    [
        ("who signed the sealed lease in 2014", {}, [("time", "in 2014")]),
        ("who signed the sealed draft lease", {}, [("status", "draft")]),
        ("who signed the sealed lease", {"year": 2014}, [("time", "2014")]),
        ("who signed the sealed lease", {}, []),
    ],
)
def test_a_restriction_that_the_request_lacks_is_added(
    query: str, filters: dict, added: list
) -> None:
    judged = PLAIN.judge_all(query, filters=filters)
    assert [(item.kind, item.quote) for item in judged.added] == added


def test_the_details_of_a_hypothetical_passage_are_not_added() -> None:
    judged = PLAIN.judge_all("The sealed lease was signed in 2014.", kind="hypothetical")
    assert judged.added == ()


def test_what_stands_in_the_place_of_a_time_is_not_added() -> None:
    asked = Asked("Dams of 1990?", "time", time("on", "1990", "1990"), "1990")
    assert asked.judge_all("dams of 1991").added == ()


def test_the_worked_cases_are_decided_rightly() -> None:
    """Labels: 128 cases labelled twice, independently, from definitions and not from this judge."""
    if not CASES.exists():
        pytest.skip(f"The worked cases are not at {CASES}.")
    expected, given_ = [], []
    for line in CASES.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        judged = judge_rewrite(
            RequestText.from_json(case["request"]),
            ContractTerms.from_json(case["contract"]),
            Rewrite.from_json(case["rewrite"]),
        )
        for item in judged.judgements:
            expected.append(case["expected"][item.constraint])
            given_.append(item.judgement)
    pairs = list(zip(expected, given_, strict=True))
    decided = [right == said for right, said in pairs if said != "unsure"]
    alarms = [said in LOST for right, said in pairs if right in KEPT]
    losses = [said in LOST for right, said in pairs if right in LOST]
    assert all(decided)
    assert not any(alarms)
    assert len(decided) / len(pairs) >= 0.88
    assert sum(losses) / len(losses) >= 0.80
