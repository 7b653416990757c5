import pytest

from evaluation.generation.client import ChatClient
from evaluation.generation.errors import EndpointError
from evaluation.variations import Source, Variant, build_maker
from evaluation.variations.imperative import CLAUSES, FURTHER, NOUNS, VERBS
from tests.evaluation.generation.fake_endpoint import Reply, fake_endpoint, says


def vary(text: str, *, seed: int = 1) -> Variant:
    return build_maker("imperative", {}).vary(Source("q1", text), seed=seed)


def texts(question: str) -> set[str | None]:
    return {vary(question, seed=seed).text for seed in range(30)}


def test_a_command_asks_for_a_clause() -> None:
    assert texts("What year did Tesla die?") == {
        f"{verb} what year Tesla died." for verb in CLAUSES
    }


def test_a_command_asks_for_a_noun() -> None:
    assert texts("What is the population of Warsaw?") == {
        f"{verb} the population of Warsaw." for verb in NOUNS
    }


def test_a_noun_that_is_asked_for_is_named() -> None:
    made = texts("Which band features an Argentine actress?")
    assert "Name the band that features an Argentine actress." in made
    assert "Tell me which band features an Argentine actress." in made


def test_a_choice_is_not_named() -> None:
    made = texts("Which band is older, Soulfly or Slayer?")
    assert not any(text and "the band that" in text for text in made)


def test_every_opening_begins_with_a_verb_of_the_list() -> None:
    assert {way.split()[0].lower() for way in (*CLAUSES, *NOUNS, *FURTHER)} <= VERBS


@pytest.mark.parametrize(
    ("text", "passed"),
    [
        ("Name the band.", True),
        ("Please list the bands.", True),
        ("Find out who won?", False),
        ("I want to know who won.", False),
        ("The band of that name.", False),
        ("", False),
    ],
)
def test_the_form_of_a_command(text: str, passed: bool) -> None:
    assert build_maker("imperative", {}).form(text).passed is passed  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "text", ["", "Tesla", "1 2", "\U0001f600 ok?", "And its parent before 2021?"]
)
def test_bad_inputs_have_no_command(text: str) -> None:
    made = vary(text)
    assert made.text is None and made.why.endswith(".")


def test_an_endpoint_that_fails_goes_through() -> None:
    with fake_endpoint(Reply(status=500)) as endpoint:
        client = ChatClient(endpoint.base_url, "", "fake", max_retries=0)
        maker = build_maker("imperative", {"model": True}, generator=client)
        with pytest.raises(EndpointError):
            maker.vary(Source("q1", "And its parent before 2021?"), seed=1)


def test_a_reply_with_an_answer_in_it_is_rejected() -> None:
    with fake_endpoint(*[says("Tell me its parent, Acme, before 2021.")] * 3) as endpoint:
        client = ChatClient(endpoint.base_url, "", "fake")
        maker = build_maker("imperative", {"model": True}, generator=client)
        source = Source("q1", "And its parent before 2021?", ("Acme",))
        made = maker.vary(source, seed=1)
    assert made.text is None and len(made.rejected) == 3
    assert "It has an answer in it" in made.why
