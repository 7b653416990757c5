"""The rules against the demo study's contracts, and against the matchers that judge rewrites: they
read words by themselves and know nothing of twins.
"""

import json
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from contracts.terms import ContractTerms
from contracts.twins import Flip, Known, Side, expansions, faults_of_pair, propose
from evaluation.records import RequestText, Rewrite, Turn
from evaluation.scoring.preservation.judge import judge_rewrite

STUDY = Path(__file__).parents[3] / "evaluation" / "demo" / "study"
Asked = tuple[str, tuple[str, ...], ContractTerms]


def rows(name: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in (STUDY / name).read_text().splitlines()]


@cache
def contracts() -> tuple[Asked, ...]:
    texts = {
        str(row["id"]): (*(turn["text"] for turn in row.get("turns", ())), str(row["text"]))  # type: ignore[attr-defined]
        for row in rows("requests.jsonl")
    }
    return tuple(
        (str(row["request"]), texts[str(row["request"])], ContractTerms.from_json(row))
        for row in rows("contracts.jsonl")
    )


@cache
def known() -> Known:
    names = Counter(
        str(one.value["name"])
        for _, _, terms in contracts()
        for one in terms.constraints
        if one.kind == "referent"
    )
    return Known(names=tuple(name for name, _ in names.most_common()))


@cache
def proposed() -> tuple[tuple[Asked, Flip], ...]:
    return tuple(
        (asked, flip)
        for asked in contracts()
        for one in asked[2].critical
        for flip in propose(asked[1], asked[2], one.id, known())
    )


@pytest.mark.parametrize(
    ("kind", "least"),
    [("time", 0.9), ("status", 0.8), ("comparison", 0.8), ("polarity", 0.8), ("quantity", 0.8),
     ("referent", 0.6)],
)  # fmt: skip
def test_most_critical_constraints_of_a_kind_have_a_twin(kind: str, least: float) -> None:
    flipped = {(asked[0], flip.constraint) for asked, flip in proposed()}
    ids = [(key, one.id) for key, _, terms in contracts() for one in terms.critical
           if one.kind == kind]  # fmt: skip
    assert ids
    assert sum(one in flipped for one in ids) >= least * len(ids)


def test_most_twins_that_people_made_for_the_study_are_proposed() -> None:
    # The others change a figure or an earlier answer too, or skip a year.
    texts = {key: words for key, words, _ in contracts()}
    made = {(asked[0], flip.family, flip.texts) for asked, flip in proposed()}
    pairs = [row for row in rows("twins.jsonl") if row["family"] != "control"]
    found = [(row["base"], row["family"], texts[str(row["twin"])]) in made for row in pairs]
    assert sum(found) >= 0.5 * len(pairs)


def test_the_pairs_of_the_study_have_no_fault_of_their_contracts() -> None:
    sides = {key: Side(words, terms) for key, words, terms in contracts()}
    for row in rows("twins.jsonl"):
        if row["family"] != "control":
            base, twin = sides[str(row["base"])], sides[str(row["twin"])]
            found = faults_of_pair(str(row["family"]), str(row["constraint"]), base, twin)
            assert [fault.code for fault in found if not fault.excusable] == [], row["id"]


def test_a_flip_of_the_study_leads_back() -> None:
    for (key, texts, _), flip in proposed()[::5]:  # each costs as much as its request did
        back = propose(flip.texts, flip.terms, flip.constraint, known())
        assert texts in {one.texts for one in back}, (key, flip.now)


def judged(texts: tuple[str, ...], terms: ContractTerms, query: str) -> dict[str, str]:
    request = RequestText("r", texts[-1], tuple(Turn("user", text) for text in texts[:-1]))
    found = judge_rewrite(request, terms, Rewrite("standalone", (query,)))
    return {one.constraint: one.judgement for one in found.judgements}


def in_its_last_turn(flip: Flip) -> bool:
    span = next(one.span for one in flip.terms.constraints if one.id == flip.constraint)
    return flip.family not in ("referent", "unresolved") and span is not None and (
        span.turn == len(flip.texts) - 1
    )  # fmt: skip


def test_the_matchers_find_the_flipped_demand_in_the_twins_words() -> None:
    for (key, _, _), flip in proposed():
        if in_its_last_turn(flip):
            said = judged(flip.texts, flip.terms, flip.texts[-1])[flip.constraint]
            assert said in ("stated", "unsure"), (key, flip.now)


def test_the_matchers_do_not_find_it_in_the_words_of_the_request() -> None:
    for (key, texts, terms), flip in proposed():
        # A measure is no part of what the matcher of comparisons certifies.
        value = next(one.value for one in terms.constraints if one.id == flip.constraint)
        turned = next(one.value for one in flip.terms.constraints if one.id == flip.constraint)
        measured = value.get("measure") != turned.get("measure")
        if in_its_last_turn(flip) and not measured:
            said = judged(flip.texts, flip.terms, texts[-1])[flip.constraint]
            assert said not in ("stated", "filtered"), (key, flip.now)


def test_the_matchers_find_every_demand_in_an_expansion() -> None:
    made = [(key, texts, terms, one) for key, texts, terms in contracts()
            for one in expansions(texts, terms)]  # fmt: skip
    assert len({key for key, *_ in made}) >= 0.5 * len(contracts())
    for key, texts, terms, text in made:
        lost = {"altered", "dropped"} & set(judged(texts, terms, text).values())
        assert not lost, (key, text)
