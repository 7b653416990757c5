from dataclasses import replace

from contracts.twins import expansions
from tests.contracts.twins.asking import asked, unresolved

FISCAL = {"relation": "on", "start": "2022", "calendar": "fiscal"}
TEXTS, TERMS = asked("time", FISCAL, "Profit for [fiscal year 2022]?", admissible=("FY2022",))


def test_another_wording_is_spelled_out_and_the_demand_said_again() -> None:
    assert expansions(TEXTS, TERMS) == (
        "Profit for fiscal year 2022 (FY2022)?", "Profit for fiscal year 2022; FY2022",
    )  # fmt: skip


def test_an_alias_is_spelled_out() -> None:
    value = {"name": "Office for National Statistics", "aliases": ["ONS"]}
    texts, terms = asked("referent", value, "What did [the ONS] say?")
    assert expansions(texts, terms)[0] == (
        "What did the ONS (Office for National Statistics) say?"
    )  # fmt: skip


def test_an_accepted_rewrite_is_added_in_other_words() -> None:
    terms = replace(TERMS, admissible_rewrites=("net profit FY2022", TEXTS[0].upper()))
    assert expansions(TEXTS, terms)[2:] == (
        "Profit for fiscal year 2022? In other words: net profit FY2022",
    )


def test_a_pronoun_is_followed_by_the_name_it_stands_for() -> None:
    value = {"name": "Ormskar works", "aliases": ["Ormskar"], "from_turn": 0}
    texts, terms = asked("referent", value, "The Ormskar works?", "How big is [it]?")
    assert expansions(texts, terms) == ("How big is it; Ormskar works, Ormskar",)


def test_the_rivals_of_a_status_are_not_said() -> None:
    texts, terms = asked("status", {"value": "draft", "rivals": ["final"]}, "The [draft] policy?")
    assert expansions(texts, terms) == ("The draft policy; draft",)


def test_without_other_words_the_value_is_said_as_a_phrase() -> None:
    texts, terms = asked("polarity", {"mode": "exclude", "target": "VAT"}, "Price [without VAT]?")
    assert expansions(texts, terms) == ("Price without VAT; excludes VAT",)


def test_a_request_that_is_to_be_clarified_has_no_expansion() -> None:
    assert expansions(TEXTS, unresolved(TERMS, "one", "two")) == ()


def test_no_text_and_unsound_values_give_none() -> None:
    broken = replace(TERMS.constraints[0], value={"relation": "someday"})
    assert expansions((), TERMS) == expansions(("",), TERMS) == ()
    assert expansions(TEXTS, replace(TERMS, constraints=(broken,))) == ()
