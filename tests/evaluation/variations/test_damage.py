import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.variations.damage import Damage, damage, entity_tokens
from evaluation.variations.protection import protected_tokens

FLAGS = [flag for flag in Damage.__slots__ if flag != "edit_distance"]


def raised(source: str, text: str, *answers: str) -> set[str]:
    found = damage(source, text, answers)
    return {flag for flag in FLAGS if getattr(found, flag)}


@pytest.mark.parametrize(
    ("source", "text", "flags"),
    [
        ("who won it", "who won it ", {"unchanged"}),
        ("the men's cup", "the men ' s cup", {"spacing_only"}),
        ("who won the cup", "who wom the cup", set()),
        ("won in 1999", "won in 1989", {"digits_changed", "number_changed"}),
        ("won in 1999", "w0n in 1999", {"digits_changed"}),
        ("won in 1999", "won in l999", {"digits_changed", "number_changed"}),
        ("so it went", "80 it went", {"digits_changed", "number_changed"}),
        ("did Ann go", "did Amn go", {"entity_token_changed"}),
        ("did Ann go", "did ann go", {"entity_token_changed"}),
        ("What did Ann do", "Whta did Ann do", set()),
        ("Ann did what", "Amn did what", {"entity_token_changed"}),
        (
            "it is not here",
            "it is now here",
            {"negation_changed", OTHER := "temporal_or_comparative_changed"},
        ),
        ("it is Not here", "it is not here", {"entity_token_changed"}),
        ("a knot here", "a nkot here", set()),
        ("we don't know", "we don ' t know", {"spacing_only"}),
        ("we don't know", "we do know", {"negation_changed"}),
        ("now he goes", "not he goes", {"negation_changed", OTHER}),
        ("made before it", "made befor it", {OTHER}),
        ("the last one", "the lost one", {OTHER}),
        ("a lastly one", "a lastyl one", set()),
    ],
)
def test_each_flag(source: str, text: str, flags: set[str]) -> None:
    assert raised(source, text) == flags


@pytest.mark.parametrize(
    ("source", "text", "answer", "leaks"),
    [
        ("who won", "who won ann lee", "Ann Lee", True),
        ("who won ann lee", "who wno ann lee", "Ann Lee", False),
        ("who won", "who ann leed", "Ann Lee", False),
        ("told ud", "told us", "US", True),  # as the check that rejects such a text has it
        ("told ud", "told US", "US", True),
        ("told us", "tokd us", "US", False),
        ("an amrican", "an american", "American", True),
        ("who won", "who won", "?!", False),
    ],
)
def test_an_answer_leaks_as_whole_words(source: str, text: str, answer: str, leaks: bool) -> None:
    assert damage(source, text, [answer]).answer_leak is leaks


# Levenshtein's own example.
def test_the_edit_distance_is_levenshteins() -> None:
    assert damage("kitten", "sitting").edit_distance == 3


def test_entity_tokens_have_a_capital_and_do_not_only_begin_a_sentence() -> None:
    text = "Which Briton owns iPods? Rome does. The rest"
    assert entity_tokens(text) == ("Briton", "iPods", "Rome")


@given(st.text(max_size=60), st.text(min_size=1, max_size=20))
def test_a_text_has_no_damage_beside_itself(text: str, answer: str) -> None:
    assert raised(text, text, answer) == {"unchanged"}


@given(st.text(max_size=40), st.text(max_size=40))
def test_a_distance_of_none_is_an_equal_text(source: str, text: str) -> None:
    found = damage(source, text)
    assert (found.edit_distance == 0) == (source == text)
    assert not (found.unchanged and found.spacing_only)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("who saw Ann in 1999?", {"Ann", "1999?"}),
        ('the "blue lake" film', {'"blue', 'lake"'}),
        ("the “blue lake” film", {"“blue", "lake”"}),
        ("the men's 'blue lake' cup", {"'blue", "lake'"}),
        ("is it not, or never?", {"not,", "never?"}),
        ("why it isn't and isn’t", {"isn't", "isn’t"}),
        ("a non-profit before it", {"non-profit", "before"}),
        ("is it deeper than that", {"deeper", "than"}),
        ("the knot and the vase", set()),
        ("the de\u0301ja vu film", {"de\u0301ja"}),  # its accent would stay on another letter
    ],
)
def test_what_is_left_alone(text: str, tokens: set[str]) -> None:
    assert protected_tokens(text) == tokens
