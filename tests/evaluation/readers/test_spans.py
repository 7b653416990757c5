import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.readers.spans import asked_for, shortest_value


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("When did it open?", "date"),
        ("On what date did it open?", "date"),
        ("In which fiscal year did it open?", "year"),
        ("How many ships does it run?", "number"),
        ("How much did it earn?", "amount"),
        ("Who opened it?", "name"),
        ("Whose plan was it?", "name"),
        ("Who opened it, and when?", "name"),
        ("What is it?", ""),
        ("Whenever it rains", ""),
    ],
)
def test_the_first_wh_word_says_what_is_asked_for(question: str, kind: str) -> None:
    assert asked_for(question) == kind


@pytest.mark.parametrize(
    ("question", "sentence", "value"),
    [
        ("When did it open?", "It opened on 12 March 2021 with 4 trains.", "12 March 2021"),
        ("When did it open?", "It opened in 2021 with 4 trains.", "2021"),
        (
            "When was it, May 2021 or later?",
            "May 2021 was too early; June 2022 it was.",
            "June 2022",
        ),
        ("What year was it?", "It opened on 12 March 2021.", "2021"),
        ("How many trains ran in 2021?", "In 2021 there were 14 trains for EUR 3.", "14"),
        ("How many ran?", "Twenty-two trains ran.", "Twenty-two"),
        ("How much was earned?", "It earned EUR 1.2 billion in 2022, up 4 %.", "EUR 1.2 billion"),
        ("How much did it rise?", "It rose by 4 % in 2022.", "4 %"),
        (
            "Who approved the Norrby plan?",
            "Norrby asked the Ministry of Ports.",
            "Ministry of Ports",
        ),
        ("Who audits it?", "After that Öberg & Partner signed.", "Öberg & Partner"),
        ("Who gave it?", "Approval came from Anna Lind.", "Anna Lind"),
        ("When in May 2021 was it?", "In May 2021, and again in 2022.", "2022"),
    ],
)
def test_the_shortest_value_that_fits_is_found(question: str, sentence: str, value: str) -> None:
    assert shortest_value(question, sentence) == value


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("What rose?", "Revenue rose 4 % in 2022."),
        ("When did it open?", "It opened late."),
        ("Who runs it?", "It is run by them."),
        ("Who approved it?", "Approval was given."),
        ("Who runs Harbor Rail?", "Harbor Rail runs itself."),
        ("Was it 2022 or what year was it?", "It was 2022."),
    ],
)
def test_nothing_fits_where_the_kind_is_missing_or_was_asked_with(
    question: str, sentence: str
) -> None:
    assert shortest_value(question, sentence) == ""


def test_of_equally_short_values_the_first_is_taken() -> None:
    assert shortest_value("What year?", "Either 2021 or 2022.") == "2021"


@given(
    st.sampled_from(["When?", "What year?", "How many?", "How much?", "Who?"]),
    st.text(alphabet="aB 1290.,%€-'&of\nМ", max_size=40),
)
def test_a_value_is_words_of_its_sentence(question: str, sentence: str) -> None:
    value = shortest_value(question, sentence)
    assert " ".join(value.split()) in " ".join(sentence.split())
