"""What may happen to a rewrite without changing what it keeps, and what may not."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.terms import ConstraintTerms, ContractTerms
from evaluation.records import KEPT, LOST, RequestText, Rewrite
from evaluation.scoring.preservation import judge_rewrite
from tests.evaluation.demo.study import CONTRACTS, REQUESTS, STANDALONE
from tests.evaluation.scoring.preservation.judging import amount, time

REQUEST = RequestText(
    "r1",
    "Which approved dams over 15 m did Velden Trust open before 1990, per the tide log, except "
    "weirs?",
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
)
# How each constraint may be worded: kept, lost in another value, or not at all.
PARTS = (
    ("approved dams", "proposed dams", "dams"),
    ("over 15 m", "under 15 m", "more than 1500 cm", ""),
    ("of Velden Trust", "of Velden Mutual", ""),
    ("before 1990", "after 1990", "in 1985", ""),
    ("per the tide log", "according to the press", ""),
    ("except weirs", "weirs", ""),
)
IN_FRONT = (
    "please tell me about", "can you show me", "I would like to know about", "find",
    "I am looking for", "Hello, could you give me", "I want to learn about", "tell me",
    "Help me find", "I was wondering about", "what are the",
)  # fmt: skip
BEHIND = ("please", "thanks", "thank you", "? Please help", ". Thank you", ", please")

queries = st.tuples(*(st.sampled_from(part) for part in PARTS)).map(
    lambda parts: " ".join(part for part in parts if part)
)
several = st.lists(queries, min_size=1, max_size=3).map(tuple)
many = settings(max_examples=80, deadline=None)


def labels(*texts: str, constraints=CONSTRAINTS) -> dict[str, str]:
    judged = judge_rewrite(REQUEST, ContractTerms(constraints), Rewrite("subqueries", texts))
    return {one.constraint: one.judgement for one in judged.judgements}


@given(several, st.sampled_from(IN_FRONT))
@many
def test_harmless_words_in_front_change_nothing(texts, words):
    assert labels(*(f"{words} {text}" for text in texts)) == labels(*texts)


@given(several, st.sampled_from(BEHIND))
@many
def test_harmless_words_behind_change_nothing(texts, words):
    assert labels(*(f"{text} {words}".replace(" ,", ",") for text in texts)) == labels(*texts)


@given(several, st.sampled_from(IN_FRONT), st.sampled_from(BEHIND))
@many
def test_harmless_words_on_both_sides_change_nothing(texts, front, behind):
    assert labels(*(f"{front} {text} {behind}" for text in texts)) == labels(*texts)


@given(several.flatmap(lambda texts: st.tuples(st.just(texts), st.permutations(texts))))
@many
def test_the_order_of_the_sub_queries_never_matters(both):
    texts, shuffled = both
    assert labels(*shuffled) == labels(*texts)


@given(several)
@many
def test_saying_it_twice_changes_nothing(texts):
    assert labels(*texts, *texts) == labels(*texts)


@given(several, st.permutations(CONSTRAINTS))
@many
def test_the_order_of_the_constraints_never_matters(texts, order):
    assert labels(*texts, constraints=tuple(order)) == labels(*texts)


@given(several)
@many
def test_a_silent_sub_query_takes_nothing_back(texts):
    before, after = labels(*texts), labels(*texts, "how dams are built")
    assert [c for c, label in before.items() if label == "stated" and after[c] != label] == []


@given(several)
@many
def test_small_letters_never_turn_a_kept_constraint_into_a_lost_one_or_back(texts):
    """A namesake may become doubtful without its capitals, and that is all."""
    before, after = labels(*texts), labels(*(text.lower() for text in texts))
    for constraint, label in before.items():
        assert (after[constraint] == label) or constraint == "c3" and label != "stated"
        assert not (label in KEPT and after[constraint] in LOST)
        assert not (label in LOST and after[constraint] in KEPT)


@given(st.data())
@many
def test_a_constraint_whose_words_are_taken_out_is_no_longer_stated(data):
    """Each wording that is kept, put among the others and taken out again."""
    parts = [data.draw(st.sampled_from(part)) for part in PARTS]
    place = data.draw(st.integers(0, len(PARTS) - 1))
    kept = {0: "dams", **dict.fromkeys(range(1, len(PARTS)), "")}
    parts[place] = kept[place]
    text = " ".join(part for part in parts if part)
    assert labels(text)[CONSTRAINTS[place].id] != "stated"


# ---------------------------------------------------------------- on the demo study


def judged(request: str, *texts: str):
    return judge_rewrite(
        RequestText.from_json(REQUESTS[request]),
        ContractTerms.from_json(CONTRACTS[request]),
        Rewrite("subqueries", texts),
    ).judgements


RESOLVED = sorted(key for key in CONTRACTS if not CONTRACTS[key]["ambiguity"]["unresolved"])


@pytest.mark.parametrize("request_id", RESOLVED)
def test_the_quoted_words_taken_out_of_a_reference_state_their_constraint_no_more(request_id):
    text = STANDALONE[request_id]["text"]
    for number, first in enumerate(judged(request_id, text)):
        rest, found = text, first
        while found.judgement == "stated":
            assert found.quote and found.quote in rest
            rest = rest.replace(found.quote, " ")
            found = judged(request_id, rest)[number]


@pytest.mark.parametrize("request_id", RESOLVED)
def test_a_reference_states_the_same_with_a_polite_frame(request_id):
    text = STANDALONE[request_id]["text"]
    framed = f"Please tell me: {text} Thank you."
    assert [one.judgement for one in judged(request_id, framed)] == [
        one.judgement for one in judged(request_id, text)
    ]


@pytest.mark.parametrize("request_id", RESOLVED)
def test_a_reference_in_small_letters_states_no_less(request_id):
    text = STANDALONE[request_id]["text"]
    before, after = judged(request_id, text), judged(request_id, text.lower())
    assert [
        (one.constraint, other.judgement)
        for one, other in zip(before, after, strict=True)
        if one.judgement == "stated" and other.judgement != "stated"
    ] == []


@pytest.mark.parametrize(
    "written",
    [
        lambda text: unicodedata.normalize("NFD", text),
        lambda text: text.replace(" ", "  "),
        lambda text: text.replace("'", "’"),
        lambda text: text.rstrip("?."),
        lambda text: f" {text} \n",
    ],
    ids=["decomposed", "wide blanks", "curly apostrophes", "no full stop", "outer blanks"],
)
@pytest.mark.parametrize("request_id", RESOLVED)
def test_how_a_reference_is_typed_changes_nothing(request_id, written):
    text = STANDALONE[request_id]["text"]
    assert [one.judgement for one in judged(request_id, written(text))] == [
        one.judgement for one in judged(request_id, text)
    ]


@pytest.mark.parametrize("request_id", RESOLVED)
def test_the_other_order_of_its_constraints_changes_no_judgement(request_id):
    text, contract = STANDALONE[request_id]["text"], CONTRACTS[request_id]
    turned = ContractTerms.from_json(contract | {"constraints": contract["constraints"][::-1]})
    request = RequestText.from_json(REQUESTS[request_id])
    found = judge_rewrite(request, turned, Rewrite("standalone", (text,))).judgements
    assert [(one.constraint, one.judgement) for one in found][::-1] == [
        (one.constraint, one.judgement) for one in judged(request_id, text)
    ]
