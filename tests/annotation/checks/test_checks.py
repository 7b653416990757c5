"""The live checks of a rewording. Numbers in words are those of num2words; the other right values
are plain English, or named beside the test.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from num2words import num2words

from annotation.checks import CODES, Demand, OwnText, check_rewrite
from annotation.checks.names import names
from annotation.checks.numbers import numbers
from annotation.checks.quotes import quoted_phrases

ASKED = "What did Harbor Rail pay in 2021?"


def codes(text: str, asked: str = ASKED, **rest: object) -> list[str]:
    kind = str(rest.pop("kind", "paraphrase"))
    turns = rest.pop("turns", ())
    found = check_rewrite(kind, text, [*turns, asked], **rest)  # type: ignore[arg-type,misc]
    return [warning.code for warning in found]


def words(text: str, asked: str, **rest: object) -> dict[str, tuple[str, ...]]:
    found = check_rewrite("paraphrase", text, [asked], **rest)  # type: ignore[arg-type]
    return {warning.code: warning.words for warning in found}


def test_a_good_paraphrase_has_no_warning() -> None:
    assert codes("harbor rail 2021 how much paid") == []


def test_an_empty_text_is_not_checked() -> None:
    assert codes("  \n") == []


@pytest.mark.parametrize(
    "text", [ASKED, "what did harbor rail pay in 2021", " What  did Harbor Rail\npay in 2021 ?! "]
)
def test_case_spaces_and_punctuation_make_no_new_text(text: str) -> None:
    assert codes(text) == ["same"]


def test_another_word_makes_a_new_text() -> None:
    assert "same" not in codes("What did Harbor Rail spend in 2021?")


def test_a_text_nearly_as_before_names_the_request_it_was_for() -> None:
    before = OwnText("r7", "Fees of Northern Line?", "please tell me all the fees that they took")
    found = words("Please tell me all the fees that they take", "Fees?", own_texts=[before])
    assert found == {"near-own": ("r7",)}


def test_requests_that_are_twins_may_have_texts_that_are() -> None:
    twin = OwnText("r2", "What did Harbor Rail pay in 2020?", "harbor rail payments made 2020")
    assert codes("harbor rail payments made 2021", own_texts=[twin]) == []


def test_an_own_text_of_the_same_request_is_compared_too() -> None:
    other = OwnText("r1", ASKED, "what harbor rail paid, 2021")
    assert codes("what Harbor Rail paid 2021", own_texts=[other]) == ["near-own"]


def test_a_paraphrase_reads_the_answer_that_it_uses() -> None:
    assert words("did Harbor Rail pay 4 million in 2021", ASKED, answers=["4 million"]) == {
        "names-answer": ("4 million",)
    }


def test_a_reference_does_not_read_the_answer_that_it_names() -> None:
    found = check_rewrite("standalone", "4 Million, Harbor Rail, 2021?", [ASKED], ["4 million"])
    assert [(w.code, w.words) for w in found] == [("names-answer", ())]


def test_another_answer_of_a_reference_asks_again() -> None:
    marks = {
        check_rewrite("standalone", f"{answer} Harbor Rail 2021", [ASKED], ["4 m", "5 m"])[0].mark
        for answer in ("4 m", "5 m")
    }
    assert len(marks) == 2


@pytest.mark.parametrize("answer", ["Harbor Rail", "2021"])
def test_an_answer_that_the_request_says_is_no_leak(answer: str) -> None:
    assert codes("harbor rail payments 2021", answers=[answer]) == []


def test_an_answer_is_found_as_whole_words_only() -> None:
    assert codes("harbor rail paid in 2021", answers=["1", "art", "har"]) == []


def test_an_answer_in_a_script_without_spaces_is_found() -> None:
    assert codes("東京の人口は", "日本の首都の人口は", answers=["東京"]) == ["names-answer"]


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ("over 1,500 parcels", "more than 1500 parcels"),
        ("over 1500 parcels", "more than fifteen hundred parcels"),
        ("top 12", "the best twelve"),
        ("the twelve best", "top 12"),
        ("EUR 1.2 billion", "1,200 million euros"),
        ("EUR 1.2bn", "1.2 billion euros"),
        ("1.500.000 Euro", "1,500,000 euros"),
        ("1 500 000 euros", "1.5 million"),
        ("4.0 %", "four percent"),
        ("on 2021-04-30", "on the 30th of April 2021"),
        ("revenue in FY23", "revenue, fiscal 2023"),
        ("revenue in 2023", "revenue fy23"),
        ("٣٤ كتابا", "34 كتابا"),
        ("which one of them", "which of them"),
    ],
)
def test_the_same_value_is_the_same_number(asked: str, text: str) -> None:
    assert "drops-number" not in codes(text, asked)


@pytest.mark.parametrize(
    ("asked", "text", "missing"),
    [
        ("over 1,500 parcels", "over 1.5 parcels", ("1,500",)),
        ("in 2021 and 2022", "in 2021", ("2022",)),
        ("between five and ten parcels", "from five parcels on", ("ten",)),
        ("more than EUR 1.2 billion", "more than EUR 1.2 million", ("1.2 billion",)),
        ("the two parcels of 20 kg", "parcels of 2 kg", ("20",)),
        ("version 1.2.3", "version 1.2", ("1.2.3",)),
    ],
)
def test_another_value_is_a_missing_number(asked: str, text: str, missing: tuple[str, ...]) -> None:
    assert words(text, asked) == {"drops-number": missing}


@given(st.integers(0, 999_999_999))
def test_english_number_words_have_the_value_that_num2words_gives_them(value: int) -> None:
    phrase = num2words(value).replace(",", "")
    assert [number.values for number in numbers(phrase)] == [{value}]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("How did Harbor Rail's parent do at IBM?", ["Harbor Rail", "IBM"]),
        ("Do I know it? I'm told so. Is it?", []),
        ("IBM and the iPhone 12, COVID-19", ["IBM", "iPhone", "COVID-19"]),
        ("WHAT DID THEY PAY", []),
        ("ما هي أرباح Siemens في 2021؟", ["Siemens"]),
        ("Какая столица у Франции?", ["Франции"]),
        ("Πού είναι η Αθήνα;", ["Αθήνα"]),
        ("the Plan B of Zürich", ["Plan B", "Zürich"]),
    ],
)
def test_names_are_capitals_within_a_sentence(text: str, found: list[str]) -> None:
    assert names(text) == found


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ("fees of Harbor Rail", "HARBOR RAIL fees"),
        ("fees of Harbour Rail", "harbor rail fees"),
        ("the mayor of Zürich", "mayor zurich"),
        ("exports of the UK", "exports of the United Kingdom"),
        ("exports of the United Kingdom", "uk exports"),
        ("sales in the U.S.", "sales in the US"),
        ("who owns Coca-Cola", "coca cola owner"),
    ],
)
def test_a_name_in_other_letters_is_the_same(asked: str, text: str) -> None:
    assert "drops-name" not in codes(text, asked)


@pytest.mark.parametrize(
    ("asked", "text", "missing"),
    [
        ("fees of Harbor Rail", "fees of Harbor", ("Harbor Rail",)),
        ("oil of Iran", "oil of Iraq", ("Iran",)),
        ("exports of the UK", "exports under kilos", ("UK",)),
        ("sales of IBM", "their sales", ("IBM",)),
    ],
)
def test_another_name_is_a_missing_one(asked: str, text: str, missing: tuple[str, ...]) -> None:
    assert words(text, asked) == {"drops-name": missing}


@pytest.mark.parametrize(
    "text", ["“a b”", '"a b"', "«a b»", "„a b“", "‚a b‘", "‘a b’", "「a b」", "»a b«", "『a b』"]
)
def test_every_style_of_quotation_marks_is_read(text: str) -> None:
    assert quoted_phrases(f"what is {text} here") == ["a b"]


def test_apostrophes_quote_nothing() -> None:
    assert quoted_phrases("it’s the users’ and Anna's 'own' don't") == []


def test_a_quoted_phrase_may_lose_its_marks_and_not_its_words() -> None:
    asked = "which memo is marked “final draft”"
    assert codes("memo marked final draft?", asked) == []
    assert words("memo that is the last draft?", asked) == {"drops-quote": ("final draft",)}


HOLDINGS = Demand(("Harbor Holdings", "HH"), ("Harbor Holdings", "HH"))


def test_a_name_of_a_turn_is_asked_for_when_the_contract_names_it() -> None:
    asked = {"turns": ["How is Harbor Holdings, with Northern Line?"], "kind": "standalone"}
    assert codes("and its fees?", "And its fees?!", **asked) == ["same"]
    assert codes("its charges", "And its fees?", **asked, demands=[HOLDINGS]) == ["drops-name"]


def test_another_wording_of_the_contract_is_enough() -> None:
    asked = {"turns": ["How is Harbor Holdings?"], "kind": "standalone", "demands": [HOLDINGS]}
    assert codes("fees of HH", "And its fees?", **asked) == []


def test_a_question_back_need_not_say_what_was_asked() -> None:
    assert codes("Which of them?", kind="standalone", clarification=True) == []


def test_what_is_confirmed_for_one_number_is_asked_again_for_another() -> None:
    asked = "in 2021 and 2022"
    one, other = (check_rewrite("paraphrase", text, [asked])[0] for text in ("2021", "2022"))
    assert one.code == other.code == "drops-number"
    assert one.mark != other.mark


TEXTS = st.text(max_size=60) | st.text(
    alphabet="aZ1 2,.'’“”„«»\"-٣東ß\u0301\n\x00ſıİ\ud800", max_size=40
)


@settings(max_examples=300)
@given(st.sampled_from(["paraphrase", "standalone"]), TEXTS, TEXTS, TEXTS, TEXTS, st.booleans())
def test_any_text_gets_the_same_answer_twice(
    kind: str, text: str, asked: str, turn: str, other: str, clarification: bool
) -> None:
    def answer() -> object:
        return check_rewrite(
            kind, text, [turn, asked], [other], [OwnText("r", turn, other)],
            demands=[Demand((turn, other), (other,))], clarification=clarification,
        )  # fmt: skip

    found = answer()
    assert found == answer()
    assert {warning.code for warning in found} <= set(CODES)  # type: ignore[attr-defined]
