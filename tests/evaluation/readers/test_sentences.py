import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.readers.sentences import split_sentences


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("It rose 1.2 % to 4.5. Then it fell.", ["It rose 1.2 % to 4.5.", "Then it fell."]),
        ("Costs, e.g. Fuel, rose. So did pay.", ["Costs, e.g. Fuel, rose.", "So did pay."]),
        ("Harbor Holdings plc. London owns it.", ["Harbor Holdings plc. London owns it."]),
        ("J. R. Smith left. He was 60.", ["J. R. Smith left.", "He was 60."]),
        ("Dr. Lee spoke. Mr. Ito did not.", ["Dr. Lee spoke.", "Mr. Ito did not."]),
        ("See No. 5 there.", ["See No. 5 there."]),
        ('He said "No." Then he left.', ['He said "No."', "Then he left."]),
        ("It cost approx. 5. then more", ["It cost approx. 5. then more"]),
        ("Heading\n\nText here.", ["Heading", "Text here."]),
        ("wrapped\nline. Next.", ["wrapped line.", "Next."]),
        ("\u7b2c\u4e00\u3002\u7b2c\u4e8c\u3002", ["\u7b2c\u4e00\u3002", "\u7b2c\u4e8c\u3002"]),
        (" \n ", []),
    ],
)
def test_sentences_are_split(text: str, sentences: list[str]) -> None:
    assert split_sentences(text) == sentences


@given(st.text(alphabet="aB1. !?\n\"')\u3002", max_size=60))
def test_nothing_but_white_space_is_lost(text: str) -> None:
    assert "".join("".join(split_sentences(text)).split()) == "".join(text.split())
