"""The quote of “altered” is the words that alter: they are in the rewrite, and they are not those
that would state the constraint.
"""

import json
from pathlib import Path

import pytest

from contracts.terms import ConstraintTerms, ContractTerms
from evaluation.records import ConstraintJudgement, RequestText, Rewrite
from evaluation.scoring.preservation import judge_rewrite
from evaluation.scoring.preservation.filters import read_filters
from evaluation.scoring.preservation.text import read_text
from tests.evaluation.scoring.preservation.judging import Asked, amount, time

HERE = Path(__file__).parent
FILES = (*sorted(HERE.glob("phenomena/*.jsonl")), *sorted(HERE.glob("wordings/*.jsonl")))
CASES = [json.loads(line) for file in FILES for line in file.read_text("utf-8").splitlines()]
Altered = tuple[RequestText, ConstraintTerms, Rewrite, ConstraintJudgement]


def judged(request: RequestText, contract: ContractTerms, rewrite: Rewrite) -> list[Altered]:
    rows = judge_rewrite(request, contract, rewrite).judgements
    return [
        (request, terms, rewrite, row)
        for terms, row in zip(contract.constraints, rows, strict=True)
    ]


@pytest.fixture(scope="module")
def altered() -> list[Altered]:
    read = [
        (
            RequestText.from_json(case["request"]),
            ContractTerms.from_json(case["contract"]),
            Rewrite.from_json(case["rewrite"]),
        )
        for case in CASES
    ]
    return [one for each in read for one in judged(*each) if one[3].judgement == "altered"]


def words_of(text: str) -> tuple[str, ...]:
    return read_text(text).stems


def test_there_are_many_of_every_kind(altered: list[Altered]) -> None:
    kinds = {terms.kind for _request, terms, _rewrite, _row in altered}
    assert len(altered) > 400
    assert kinds >= {"time", "quantity", "polarity", "comparison", "referent", "status", "evidence"}


def test_each_has_a_quote_and_it_is_in_the_rewrite(altered: list[Altered]) -> None:
    for _request, terms, rewrite, row in altered:
        emitted = [*rewrite.queries, *(term.shown for term in read_filters(rewrite.filters))]
        assert row.quote and any(row.quote in text for text in emitted), (terms, rewrite)


def test_no_quote_is_the_words_that_the_request_states_it_by(altered: list[Altered]) -> None:
    for request, terms, rewrite, row in altered:
        asked = Rewrite("original", request.texts, {})
        own = judge_rewrite(request, ContractTerms((terms,)), asked).judgements[0]
        if own.judgement == "stated":
            assert words_of(row.quote) != words_of(own.quote), (terms, rewrite)
        if terms.span:
            marked = request.texts[terms.span.turn][terms.span.start : terms.span.end]
            assert words_of(row.quote) != words_of(marked), (terms, rewrite)


LEAVE = Asked(
    "Which grades are away for more than 90 days, taken in the median?",
    "quantity",
    amount(">", 90, unit="days", aggregation="median"),
    "more than 90 days, taken in the median",
)
LOANS = Asked(
    "Which loans of more than 5 million euros a year went to farms?",
    "quantity",
    amount(">", 5_000_000, currency="EUR", aggregation="annual"),
    "more than 5 million euros a year",
)
TRIPS = Asked(
    "Which ferries make more than 40 trips a day?",
    "quantity",
    amount(">", 40, unit="trips", aggregation="rate"),
    "more than 40 trips a day",
)
CANALS = Asked(
    "Is the Ketter canal longer than the Osk canal?",
    "comparison",
    {"sets": ["Ketter canal", "Osk canal"], "direction": "higher", "measure": "length"},
    "longer than",
)
SPRING = Asked(
    "Who failed Latin in spring 1899?",
    "time",
    time("during", "1899-03", "1899-05"),
    "in spring 1899",
)


@pytest.mark.parametrize(
    ("asked", "query", "quote"),
    [
        (LEAVE, "grades away for more than 90 days on average", "on average"),
        (LEAVE, "grades away for more than 60 days in the median", "more than 60 days"),
        (LOANS, "farm loans above 5 million euros in total", "in total"),
        (LOANS, "farm loans above 5 million dollars a year", "above 5 million dollars"),
        (TRIPS, "ferries making more than 40 trips an hour", "more than 40 trips an hour"),
        (CANALS, "Osk canal longer than the Ketter?", "Osk canal longer than the Ketter"),
        (CANALS, "is the Ketter canal shorter than the Osk canal", "shorter"),
        (SPRING, "who failed Latin autumn 1899", "autumn 1899"),
    ],
)  # fmt: skip
def test_what_is_quoted_are_the_words_that_changed(asked: Asked, query: str, quote: str) -> None:
    found = asked.judge(query)
    assert (found.judgement, found.quote) == ("altered", quote)


def test_a_filter_that_leaves_the_source_out_is_named_with_its_field() -> None:
    """Its value is the very word that was asked for; that it is left out is in the sentence."""
    name = {"name": "Velden Trust", "aliases": [], "from_turn": None}
    asked = Asked("What did Velden Trust earn?", "referent", name, "Velden Trust")
    found = asked.judge("yearly earnings", filters={"entity": {"ne": "Velden Trust"}})
    assert found.judgement == "altered" and "leaves the referent out" in found.why
