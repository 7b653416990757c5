import pytest

from contracts.language import parsed_english
from evaluation.registry import PartError
from evaluation.variations import Source, Variant, build_maker, grammar_checker, verbs
from evaluation.variations.grammar_rules import errors, with_error


def vary(text: str, *, seed: int = 1, **parameters: object) -> Variant:
    given = {"checker": "none", **parameters}
    return build_maker("grammar", given).vary(Source("q1", text), seed=seed)


def made_by(rule: str, text: str) -> set[str]:
    parsed = parsed_english(text)
    assert parsed is not None
    return {with_error(text, parsed, error) for error in errors(text, parsed).get(rule, [])}


@pytest.mark.parametrize(
    ("rule", "text", "faulty"),
    [
        # "When did the war ended?" is an example of the rule where it was asked for.
        ("tense_after_did", "When did the war end?", "When did the war ended?"),
        ("tense_after_did", "What did Lady Gaga sing?", "What did Lady Gaga sang?"),
        ("tense_after_did", "Where does the train stop?", "Where does the train stops?"),
        ("agreement", "When was the colony founded?", "When were the colony founded?"),
        ("agreement", "What is the basic unit of it?", "What are the basic unit of it?"),
        ("agreement", "Which airport serves Warsaw?", "Which airport serve Warsaw?"),
        ("agreement", "Where do the trains stop?", "Where does the trains stop?"),
        ("article", "Who is an actor in it?", "Who is a actor in it?"),
        ("article", "What is the name of the castle?", "What is name of the castle?"),
        ("article", "Which is the largest lake?", "Which is largest lake?"),
        ("wrong_number", "How many points did he score?", "How many point did he score?"),
        ("wrong_number", "Who is an actor in it?", "Who is an actors in it?"),
        ("wrong_number", "Who won nine games?", "Who won nine game?"),
        ("preposition", "Who won it in 2000?", "Who won it on 2000?"),
        ("preposition", "What do they have in common?", "What do they have on common?"),
        ("preposition", "Who was born in July?", "Who was born at July?"),
        ("preposition", "WHO WON IT IN 2000?", "WHO WON IT ON 2000?"),
        ("preposition", "What is the capital of Kenya?", "What is the capital to Kenya?"),
    ],
)
def test_a_rule_makes_its_error(rule: str, text: str, faulty: str) -> None:
    assert faulty in made_by(rule, text)


@pytest.mark.parametrize(
    "text",
    # "was part of" and "went to school" are right too.
    ["Ghaziabad was a part of which country?", "Who went to a school in Rome?"],
)
def test_an_article_stays_where_its_noun_may_do_without(text: str) -> None:
    assert text.replace(" a ", " ") not in made_by("article", text)


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("agreement", "Where is the team based?"),  # British English has both
        ("agreement", "Who was born first?"),
        ("tense_after_did", "What did he read?"),  # "read" is its own past
        ("tense_after_did", "Who did it?"),
        ("article", "Who is a European?"),  # the letter does not say the sound
        ("article", "What is the weather?"),
        ("wrong_number", "How many sheep did he have?"),
        ("wrong_number", "What is the point?"),
        ("preposition", "Who was in Rome?"),
        ("tense_after_did", "When did the group ruling the country start?"),  # "rulinged"
        ("tense_after_did", "when does brooklyn nine nine season 5 episode 12"),
        ("preposition", "Who was born in 1900s Paris?"),
    ],
)
def test_a_rule_leaves_out_what_it_is_not_sure_of(rule: str, text: str) -> None:
    assert made_by(rule, text) == set()


def test_the_notes_say_which_rule_and_token() -> None:
    made = vary("When did the war end?")
    assert made.text == "When did the war ended?" and made.edited == (4,)
    assert made.notes == {"rule": "tense_after_did", "token": 4, "from": "end", "to": "ended"}


def test_the_draws_choose_among_the_rules_that_apply() -> None:
    text = "How many points did the actor score in 2000?"
    rules = {vary(text, seed=seed).notes["rule"] for seed in range(40)}
    assert {"wrong_number", "preposition"} <= rules
    parsed = parsed_english(text)
    assert parsed is not None and len(errors(text, parsed)) >= 2


def test_the_same_seed_gives_the_same_error() -> None:
    text = "How many points did the actor score in 2000?"
    assert vary(text, seed=5) == vary(text, seed=5)


def test_numbers_and_names_are_kept() -> None:
    made = vary("Did Tesla win a prize in 1915?")
    kept = {check.validator: check.passed for check in made.checks}
    assert kept["facts_kept"] and made.text is not None and "1915" in made.text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no words"),
        ("Tesla", "one word"),
        ("1915 12", "no letters"),
        ("Wer hat den Hamlet geschrieben und wann?", "not read as English"),
        ("And its parent before 2021?", "No rule makes a grammar error"),
    ],
)
def test_without_a_sure_error_there_is_none(text: str, why: str) -> None:
    made = vary(text)
    assert made.text is None and why in made.why


def test_a_second_opinion_is_recorded_and_decides_nothing() -> None:
    made = vary("Who is an actor in it?", seed=2, checker="harper")
    opinion = made.checks[-1]
    assert (opinion.validator, opinion.version) == ("harper", grammar_checker.library_version())
    assert opinion.decides is False and set(opinion.values) == {
        "found",
        "source_found",
        "rules",
        "dialect",
    }


def test_a_checker_may_be_made_to_decide() -> None:
    made = vary("When did the war end?", checker="harper", must_be_found=True)
    assert made.text is None and made.attempts == 3  # Harper does not know this error
    assert made.rejected[0].text == "When did the war ended?"
    assert "finds no more errors" in made.why


def test_a_checker_that_decides_must_be_one() -> None:
    with pytest.raises(PartError, match="must_be_found needs a checker"):
        build_maker("grammar", {"checker": "none", "must_be_found": True})


@pytest.mark.parametrize(
    ("base", "past"),
    [
        ("end", "ended"),
        ("stop", "stopped"),
        ("visit", "visited"),
        ("carry", "carried"),
        ("play", "played"),
        ("prefer", "preferred"),
        ("panic", "panicked"),
        ("write", "wrote"),
        ("overtake", "overtook"),
        ("rewrite", "rewrote"),
        ("found", "founded"),
    ],
)
def test_past_forms(base: str, past: str) -> None:
    assert verbs.past(base) == past


@pytest.mark.parametrize(
    ("one", "more"),
    [("city", "cities"), ("day", "days"), ("box", "boxes"), ("man", "men"), ("church", "churches")],
)
def test_numbers_of_nouns(one: str, more: str) -> None:
    assert (verbs.plural(one), verbs.singular(more)) == (more, one)


@pytest.mark.parametrize("word", ["series", "sheep", "news", "headquarters"])
def test_nouns_alike_in_both_numbers(word: str) -> None:
    assert verbs.plural(word) is None and verbs.singular(word) is None
