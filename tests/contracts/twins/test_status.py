from typing import Any

import pytest

from contracts.twins import propose
from tests.contracts.twins.asking import asked, flips, unresolved, value_of

FLIPPED: list[tuple[str, dict[str, Any], str, dict[str, Any]]] = [
    ("The [approved] tariff?", {"value": "approved", "rivals": ["proposed"]}, "proposed",
     {"value": "proposed", "rivals": ["approved"]}),
    ("The [approved] tariff?", {"value": "approved", "rivals": ["frozen", "dead"]}, "dead",
     {"rivals": ["frozen", "approved"]}),
    ("The [Draft] policy?", {"value": "draft"}, "Final", {"value": "final"}),
    ("The [PLANNED] spend?", {"value": "planned"}, "ACTUAL", {"value": "actual"}),
    ("The [audited] spend?", {"value": "audited"}, "unaudited", {"value": "unaudited"}),
    ("Is it [an unofficial] map?", {"value": "unofficial"}, "an official", {"value": "official"}),
    ("When did the board [approve] it?", {"value": "approved"}, "reject", {"value": "rejected"}),
    ("Who was [adopting] it?", {"value": "adopted"}, "proposing", {"value": "proposed"}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value", "now", "said"), FLIPPED)
def test_a_status_is_flipped_in_words_and_value(
    text: str, value: dict[str, Any], now: str, said: dict[str, Any]
) -> None:
    found = {one.now: one for one in flips("status", value, text)}
    assert now in found
    assert value_of(found[now]).items() >= said.items()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The tariff [in force]?", {"value": "approved"}),
        ("The [pre-approved] tariff?", {"value": "approved"}),
        ("The [licensed] wind farm?", {"value": "licensed to build", "rivals": ["planned"]}),
        ("The [approved] or the approved tariff?", {"value": "frozen"}),
        ("Der [genehmigte] Tarif?", {"value": "genehmigt"}),
        ("The [approved\u0301] tariff?", {"value": "approved"}),
    ],
)
def test_words_that_do_not_show_the_status_are_left(text: str, value: dict[str, Any]) -> None:
    assert flips("status", value, text) == ()


@pytest.mark.parametrize(
    ("text", "article"),
    [("Is [a final] report out?", "an original"), ("Is [a binding] one out?", "a non-binding")],
)
def test_the_article_stands_right_before_the_new_word(text: str, article: str) -> None:
    value = {"value": text.split()[2].strip("]"), "rivals": ["original"]}
    assert article in {one.now for one in flips("status", value, text)}


def test_the_readings_of_an_unresolved_request_turn_too() -> None:
    texts, terms = asked("status", {"value": "approved"}, "Who [approved] the plan?")
    open_terms = unresolved(terms, "Who approved the fleet plan?", "Who approved the harbour plan?")
    found = {one.now: one for one in propose(texts, open_terms, "c1")}
    assert found["rejected"].terms.ambiguity.readings[1] == "Who rejected the harbour plan?"


def test_nothing_is_proposed_where_a_reading_says_it_in_other_words() -> None:
    texts, terms = asked("status", {"value": "approved"}, "Who [approved] the plan?")
    open_terms = unresolved(terms, "Who gave the fleet plan their approval?", "And the other?")
    assert propose(texts, open_terms, "c1") == ()
