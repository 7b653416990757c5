"""Subordinate interrogatives have no inversion and no "do" (Huddleston and Pullum 2002, The
Cambridge Grammar of the English Language, chapter 11): what is wanted here follows from that.
"""

import pytest

from evaluation.generation.client import ChatClient
from evaluation.registry import PartError
from evaluation.variations import Source, Variant, build_maker
from evaluation.variations.questions import indirect
from evaluation.varying.making import maker_for
from tests.evaluation.generation.fake_endpoint import fake_endpoint, says


def vary(text: str, *, seed: int = 1, **parameters: object) -> Variant:
    return build_maker("declarative", parameters).vary(Source("q1", text), seed=seed)


@pytest.mark.parametrize(
    ("question", "clause"),
    [
        ("Who won Super Bowl XLIX?", "who won Super Bowl XLIX"),
        ("What year did Tesla die?", "what year Tesla died"),
        ("When did the war end?", "when the war ended"),
        ("Where does the train stop?", "where the train stops"),
        ("What did Lady Gaga sing?", "what Lady Gaga sang"),
        (
            "How many points did the Panthers defense surrender?",
            "how many points the Panthers defense surrendered",
        ),
        ("How many Grammys has Lady Gaga won?", "how many Grammys Lady Gaga has won"),
        ("What must a teacher have?", "what a teacher must have"),
        ("Where was the Summer Theatre located?", "where the Summer Theatre was located"),
        (
            "In which year was the King who made the 1925 Birthday Honours born?",
            "in which year the King who made the 1925 Birthday Honours was born",
        ),
        (
            "What country are Mudvayne and Hellyeah both from?",
            "what country Mudvayne and Hellyeah are both from",
        ),
        ("What is the population of Warsaw?", "the population of Warsaw"),
        ("What is the NASUWT?", "what the NASUWT is"),
        ("How many people were there in 1915?", "how many people there were in 1915"),
        ("What time is it?", "what time it is"),
        ("Why didn't the train stop?", "why the train did not stop"),
        ("Did Lewis Allen play Louie De Palma?", "whether Lewis Allen played Louie De Palma"),
        (
            "Is Ordos City more west than Yangzhong?",
            "whether Ordos City is more west than Yangzhong",
        ),
        ("Seal Harris was born in what county?", "in what county Seal Harris was born"),
        ("how many people live in Berlin", "how many people live in Berlin"),
        ("Can you tell me who wrote Hamlet?", "who wrote Hamlet"),
        ("Are Perry and West both singers?", "whether Perry and West are both singers"),
        (
            "How much heavier is oxygen 18 than oxygen 16?",
            "how much heavier oxygen 18 is than oxygen 16",
        ),
        (
            "What is the hymn known as in English?",
            "what the hymn is known as in English",
        ),
        (
            "What year did the movement that Tess Asplund protested in the viral image disband?",
            "what year the movement that Tess Asplund protested in the viral image disbanded",
        ),
        (
            "What team was the winner of Super Bowl XXXIII?",
            "what team was the winner of Super Bowl XXXIII",
        ),
        (
            "What was the capital of India when the Taj Mahal was commissioned?",
            "what the capital of India was when the Taj Mahal was commissioned",
        ),
        ("What are the attacks on teachers causing?", "what the attacks on teachers are causing"),
        (
            "What profession does Stephen Jay Gould and Ann Beattie have in common?",
            "what profession Stephen Jay Gould and Ann Beattie have in common",
        ),
        # Questions of Natural Questions, HotpotQA, MuSiQue, CondaQA and TimeQA that went wrong.
        (
            "when was the last time the los angeles lakers won a championship",
            "when the last time the los angeles lakers won a championship was",
        ),
        (
            "when's the last time philly won the superbowl",
            "when the last time philly won the superbowl is",
        ),
        ("what is an open university grade 3 pass", "what an open university grade 3 pass is"),
        ("when does the miz and maryse show start", "when the miz and maryse show starts"),
        (
            "What is the debt load for the US carried by the country Dai Jitao is from?",
            "the debt load for the US carried by the country Dai Jitao is from",
        ),
        (
            "Are Buried Country and South of the Border both films turned into stage performances?",
            "whether Buried Country and South of the Border are both films turned into stage "
            "performances",
        ),
        (
            "American actor and musician Jeff Goldblum had which wife from 1993 to 1997?",
            "which wife American actor and musician Jeff Goldblum had from 1993 to 1997",
        ),
        (
            "If Hoover had been in attendance, would he have been honored by the speech?",
            ", if Hoover had been in attendance, whether he would have been honored by the speech",
        ),
        ("who won the race in 1990\u2026", "who won the race in 1990"),
    ],
)
def test_the_verb_goes_behind_its_subject(question: str, clause: str) -> None:
    assert indirect(question).text == clause


def test_a_phrase_in_front_stays_a_phrase() -> None:
    text = vary("In the US, who decides on the rules?").text
    assert text is not None and text.endswith(" know, in the US, who decides on the rules.")


def test_the_draws_choose_the_opening() -> None:
    texts = {vary("Who won the race?", seed=seed).text for seed in range(20)}
    assert len(texts) > 2 and all(text and text.endswith("who won the race.") for text in texts)


def test_the_same_seed_gives_the_same_text() -> None:
    assert vary("Who won the race?", seed=3) == vary("Who won the race?", seed=3)


def test_a_further_question_says_so() -> None:
    text = vary("And who owned it?").text
    assert text is not None and " also " in text and text.endswith("who owned it.")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no words"),
        ("Tesla?", "one word"),
        ("12345 678", "no letters"),
        ("\U0001f600 \U0001f600", "no words"),
        ("Кто написал Гамлета?", "not read as English"),
        ("And its parent before 2021?", "no question word and no verb"),
        ("Name the longest river.", "is no question"),
        ("What if it rains?", 'asks "what if"'),
        ("A racer came second. What did this racer found?", "more than one sentence"),
        ("When was it built and who built it?", "asks two things"),
        # Of the same data: what was made of these was no English, so now they are left.
        ("which domain of life are humans members of", "where its subject ends"),
        ("What country was the author of Brand a citizen of?", "where its subject ends"),
        ("where was one direction what makes you beautiful filmed", "where its subject ends"),
        ("Who had the ownership of the egg known as Pelican in 1898?", "where its subject ends"),
        ("Which film has the director born first, Gold or Sugar?", "where its subject ends"),
        ("Where is the district that Knott is part of located in the UK?", "subject ends"),
        ("In 2001, which person was the chairman of the entity known as IAB?", "subject ends"),
        ("When did the group ruling the country start?", "its verb is not plain"),
        ("What award won by only twelve people has a man won?", "its verb is not plain"),
        ("S\u00fcli became part of what org. in 2010?", "cannot be brought to the front"),
        ("When the cakes were made, what was their official name?", "a clause stands before"),
        ("who won \ud800 the race?", "half a character"),
    ],
)
def test_what_no_rule_turns_around_is_left_with_the_reason(text: str, why: str) -> None:
    made = vary(text)
    assert made.text is None and why in made.why and made.rejected == ()


def test_a_model_writes_where_no_rule_applies() -> None:
    with fake_endpoint(says("I want to know its parent before 2021.")) as endpoint:
        client = ChatClient(endpoint.base_url, "", "fake")
        maker = build_maker("declarative", {"model": True}, generator=client)
        made = maker.vary(Source("q1", "And its parent before 2021?"), seed=1)
        by_rule = maker.vary(Source("q2", "Who won the race?"), seed=1)
        assert len(endpoint.requests) == 1
    assert made.text == "I want to know its parent before 2021."
    assert (made.generator, made.notes["how"]) == ("declarative+model", "model")
    assert by_rule.notes == {"how": "rule", "rule": "subject"}
    assert maker.describe()["prompts"].keys() == {"instruction", "asked"}


def test_a_models_question_is_rejected_and_kept() -> None:
    replies = [says(f"What about its parent before {year}?") for year in (2021, 2020, 2021)]
    with fake_endpoint(*replies) as endpoint:
        client = ChatClient(endpoint.base_url, "", "fake")
        maker = build_maker("declarative", {"model": True}, generator=client)
        made = maker.vary(Source("q1", "And its parent before 2021?"), seed=1)
    assert made.text is None and made.attempts == 3
    assert [one.text for one in made.rejected] == [
        "What about its parent before 2021?",
        "What about its parent before 2020?",
        "What about its parent before 2021?",
    ]
    assert "ends with a question mark" in made.why


def test_a_maker_is_built_with_a_model_where_it_is_set_to_ask_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client = ChatClient("http://127.0.0.1:9/v1", "", "fake")
    monkeypatch.setattr("evaluation.runs.generation.generator", lambda: client)
    asking = maker_for("declarative", {"model": True}, only_described=False)
    assert (asking.generator, asking.model()) == (client, client.identity())
    assert maker_for("declarative", {}, only_described=False).generator is None


def test_asking_a_model_needs_one() -> None:
    with pytest.raises(PartError, match="none is set"):
        build_maker("declarative", {"model": True})


@pytest.mark.parametrize(
    ("text", "passed"),
    [
        ("I want to know who won.", True),
        ("I want to know who won?", False),
        ("Who won it.", False),
        ("Who's the winner.", False),
        ("Did they win.", False),
    ],
)
def test_the_form_of_a_statement(text: str, passed: bool) -> None:
    assert build_maker("declarative", {}).form(text).passed is passed  # type: ignore[attr-defined]
