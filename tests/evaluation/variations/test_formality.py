import pytest

from evaluation.generation.client import ChatClient
from evaluation.generation.errors import EndpointError
from evaluation.registry import PartError
from evaluation.variations import Source, Variant, build_maker
from evaluation.variations.formality import Features, features, less_formal, still_asks
from tests.evaluation.generation.fake_endpoint import Reply, fake_endpoint, says

SOURCE = Source("q1", "Who is the founder of Harbor Rail, established in 1915?", ("Ada Pine",))
GOOD = "Who's the guy that founded Harbor Rail, set up in 1915?"


def vary(*script: Reply | str, kind: str = "formality", source: Source = SOURCE) -> Variant:
    replies = [says(one) if isinstance(one, str) else one for one in script]
    with fake_endpoint(*replies) as endpoint:
        client = ChatClient(endpoint.base_url, "", "fake", max_retries=0)
        maker = build_maker(kind, {"similarity": False}, generator=client)
        made = maker.vary(source, seed=7)
        assert endpoint.script == []
    return made


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Who is the founder?", Features(0, 0, 0)),
        ("Who's the guy?", Features(1, 1, 0)),
        ("didn't they win", Features(1, 0, 2)),
        ("So what did i get?", Features(0, 2, 1)),
        ("It is John's car.", Features(0, 0, 0)),  # a possessive is no contraction
    ],
)
def test_features(text: str, found: Features) -> None:
    assert features(text) == found


def test_formality_falls_with_each_feature() -> None:
    assert features("so who's the guy").formality == -5
    check = less_formal(SOURCE, GOOD)
    assert check.passed and check.values["formality"] == -2 < check.values["source_formality"]


def test_a_text_without_such_words_is_no_less_formal() -> None:
    assert not less_formal(SOURCE, "Who founded Harbor Rail in 1915?").passed


def test_polite_words_are_no_casual_ones() -> None:
    assert not less_formal(SOURCE, "I would like to know who founded Harbor Rail in 1915.").passed


def test_a_request_without_capitals_may_be_written_with_them() -> None:
    source = Source("q2", "who is the founder of harbor rail")
    assert less_formal(source, "Who's the founder of harbor rail?").passed
    assert not less_formal(source, "Who is the founder of harbor rail?").passed


def test_a_question_stays_one() -> None:
    assert still_asks(SOURCE, GOOD).passed
    assert not still_asks(SOURCE, "Harbor Rail of 1915 was founded.").passed


def test_a_casual_text_stands() -> None:
    made = vary(GOOD)
    assert (made.text, made.attempts, made.rejected) == (GOOD, 1, ())
    assert made.notes["how"] == "model" and len(made.notes["prompt_sha256"]) == 64
    recorded = {check.validator: check.decides for check in made.checks}
    assert recorded["less_formal"] and recorded["adds_nothing"] and not recorded["length"]


def test_rejected_texts_are_kept_and_the_next_attempt_asks_anew() -> None:
    made = vary("Who founded Harbor Rail in 1915?", "Who's behind it?", GOOD)
    assert (made.text, made.attempts) == (GOOD, 3)
    first, second = made.rejected
    assert "no less formal" in first.why and "lacks what the request has" in second.why


def test_no_answer_comes_in() -> None:
    made = vary(*["So who's Ada Pine, of Harbor Rail, 1915?"] * 3)
    assert made.text is None and "It has an answer in it" in made.why


def test_a_reply_that_cannot_be_read_is_kept_as_it_came() -> None:
    made = vary("one line\nand another", says("cut off", "length"), GOOD)
    assert made.text == GOOD
    assert [one.text for one in made.rejected] == ["one line\nand another", "cut off"]
    assert "2 lines" in made.rejected[0].why and "cut at 160 tokens" in made.rejected[1].why


def test_an_empty_reply_is_a_rejected_attempt() -> None:
    made = vary(says(""), GOOD)
    assert made.text == GOOD and made.rejected[0].text == ""


def test_an_endpoint_that_fails_goes_through() -> None:
    with pytest.raises(EndpointError):
        vary(Reply(status=500))


def test_each_attempt_has_a_seed_of_its_own() -> None:
    with fake_endpoint(says("no"), says("no"), says("no")) as endpoint:
        client = ChatClient(endpoint.base_url, "", "fake")
        maker = build_maker("formality", {"similarity": False}, generator=client)
        maker.vary(SOURCE, seed=7)
        asked = [body for _path, _headers, body in endpoint.requests]
    assert len({body["seed"] for body in asked}) == 3
    assert all(SOURCE.text in body["messages"][-1]["content"] for body in asked)
    assert not any("Ada Pine" in str(body) for body in asked)


@pytest.mark.parametrize("text", ["", "Tesla", "1915", "\U0001f600"])
def test_bad_inputs_ask_nobody(text: str) -> None:
    made = vary(source=Source("q1", text))
    assert made.text is None and made.why


def test_it_needs_a_model() -> None:
    with pytest.raises(PartError, match="needs a language model"):
        build_maker("formality", {})
