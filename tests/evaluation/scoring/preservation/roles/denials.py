"""Negations, exclusions and what ends or weakens them."""

from evaluation.scoring.preservation.text import read_text, root
from evaluation.scoring.preservation.wording import denied, without_prefix
from tests.evaluation.scoring.preservation.judging import Asked
from tests.evaluation.scoring.preservation.roles.registry import (
    TRUST,
    UNINSURED,
    added,
    entries,
    role,
)  # fmt: skip


def _denies(before: str, after: str = "") -> bool:
    text = read_text(f"{before} yachts {after}".strip())
    at = text.stems.index("yacht")
    return bool(denied(text, at, at + 1))


@role("negations", "exclusions")
def a_negation_reaches_the_word_after_it(phrase: str, _: str) -> None:
    assert not _denies("boats,")
    assert _denies(f"boats {phrase}")


@role("exclusions_after")
def an_exclusion_reaches_the_word_before_it(phrase: str, _: str) -> None:
    assert _denies("boats,", phrase)


@role("negating_prefixes")
def a_prefix_comes_off(phrase: str, _: str) -> None:
    assert without_prefix(f"{phrase}licensed") == root("licensed")


@role("between_denied")
def a_word_that_lets_the_negation_through(phrase: str, _: str) -> None:
    assert UNINSURED.label(f"boats not {phrase} insured") == "stated"


@role("hedges")
def a_hedged_denial_is_for_a_person(phrase: str, _: str) -> None:
    assert UNINSURED.label(f"boats not {phrase} insured") == "unsure"


@role("indefinites")
def but_after_it_leaves_something_out(phrase: str, _: str) -> None:
    assert _denies(f"{phrase} but")


@role("turns")
def a_turn_ends_the_reach_of_a_negation(phrase: str, _: str) -> None:
    assert _denies("not big")
    assert not _denies(f"not big {phrase}")


@role("only")
def only_the_named_things(phrase: str, _: str) -> None:
    asked = Asked(
        "only ferries", "polarity", {"mode": "exclude", "target": "everything but ferries"}
    )
    assert asked.label(f"{phrase} ferries") == "stated"
    assert asked.label("ferries") != "stated"


@role("steady")
def no_change_or_the_other_direction_states_a_denied_change(phrase: str, _: str) -> None:
    asked = Asked("did not sink", "polarity", {"mode": "negate", "target": "sink"}, "did not sink")
    assert asked.label(f"{phrase} or rising") == "stated"


@role("exclusions_plain")
def an_exclusion_that_nobody_asked_for_is_added(phrase: str, meaning: str) -> None:
    comma = "," if meaning == "loose" else ""
    assert added(TRUST, f"dams of Velden Trust{comma} {phrase} weirs") == ["polarity"]


@role("exclusions_behind")
def an_exclusion_behind_its_target_is_added(phrase: str, _: str) -> None:
    assert added(TRUST, f"dams of Velden Trust, weirs {phrase}") == ["polarity"]


@role("antonyms")
def the_antonym_says_what_the_denial_says(phrase: str, meaning: str) -> None:
    denied_word = {"mode": "negate", "target": phrase}
    asked = Asked(f"who did not {phrase}", "polarity", denied_word, f"not {phrase}")
    assert asked.label(f"who did {meaning}") == "stated"


@role("light_verbs")
def a_verb_that_adds_nothing_to_its_thing(phrase: str, _: str) -> None:
    value = {"mode": "negate", "target": f"{phrase} celery"}
    asked = Asked(f"soups that do not {phrase} celery", "polarity", value, f"not {phrase} celery")
    assert asked.label("soups without celery") == "stated"
    assert asked.label("soups with celery") == "altered"


@role("removers")
def a_word_that_leaves_out_forbids_asserted(phrase: str, _: str) -> None:
    assert UNINSURED.label("boats insured") == "altered"
    assert UNINSURED.label(f"boats, {phrase} insured") in ("stated", "unsure")


@role("reversing")
def a_word_that_may_deny_forbids_dropped(phrase: str, _: str) -> None:
    """The list holds roots, so each must be its own root, and some word must have it."""
    assert root(phrase) == phrase
    assert UNINSURED.label("boats") == "dropped"
    words = (phrase, *(f"{phrase}{ending}" for ending in ("e", "y", "ed", "ing")))
    assert any(UNINSURED.label(f"boats {word}") == "unsure" for word in words)


@role("reversing_phrases")
def a_phrase_that_may_deny_forbids_asserted(phrase: str, _: str) -> None:
    assert UNINSURED.label("boats that were insured") == "altered"
    assert UNINSURED.label(f"boats that {phrase} be insured") == "unsure"


@role("synonyms")
def a_synonym_of_the_target_is_asserted_and_denied_as_the_target(phrase: str, group: str) -> None:
    groups = set(group.split())
    others = [
        one for one, names in entries("synonyms") if groups & set(names.split()) and one != phrase
    ]
    assert others
    for other in others:
        target = {"mode": "negate", "target": other}
        asked = Asked(f"boats that do not {other}", "polarity", target, f"not {other}")
        assert asked.label(f"boats {phrase}") in ("altered", "unsure")
        assert asked.label(f"boats not {phrase}") == "stated"
