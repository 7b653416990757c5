"""Values and their faults in the language of a page; the English ones stand in test_values."""

from collections.abc import Iterator

import pytest
from django.utils import translation
from django.utils.translation import gettext

from contracts.forms import VALUE_FORMS
from contracts.phrases import describe_value
from contracts.values import value_faults


@pytest.fixture(autouse=True)
def _german() -> Iterator[None]:
    with translation.override("de"):
        yield


@pytest.mark.parametrize(
    ("kind", "value", "phrase"),
    [
        ("time", {"relation": "before", "end": "2021"}, "vor 2021"),
        ("time", {"relation": "by", "end": "2021-Q1"}, "bis spätestens Q1 2021"),
        ("time", {"relation": "between", "start": "2011", "end": "2015"}, "von 2011 bis 2015"),
        ("polarity", {"mode": "exclude", "target": "rebates"}, "ohne rebates"),
        ("quantity", {"operator": ">=", "value": 5, "aggregation": "annual"}, "≥ 5, jährlich"),
    ],
)
def test_a_value_is_said_in_german(kind: str, value: dict[str, object], phrase: str) -> None:
    assert describe_value(kind, value, gettext) == phrase


def test_thousands_cannot_be_taken_for_decimals_in_german() -> None:
    value = {"operator": "=", "value": 1200.5}
    assert describe_value("quantity", value, gettext) == "= 1\u202f200.5"


def test_words_that_a_person_typed_are_never_translated() -> None:
    assert describe_value("status", {"value": "critical", "rivals": ["minor"]}, gettext) == (
        "critical, nicht minor"
    )
    (fault,) = value_faults("time", {"relation": "on", "start": "minor"})
    assert fault.told(gettext)[0].startswith("ist “minor”; geben Sie ein Datum")


def test_without_a_translation_a_phrase_is_english_whatever_the_page_speaks() -> None:
    assert describe_value("time", {"relation": "before", "end": "2021"}) == "before 2021"


@pytest.mark.parametrize(
    ("kind", "field", "code", "said"),
    [
        ("time", "relation", "before", "vor"),
        ("time", "relation", "by", "bis spätestens"),
        ("polarity", "mode", "exclude", "ausschließen"),
        ("quantity", "operator", ">=", ">="),
    ],
)
def test_a_choice_says_german_words_and_sends_the_code(
    kind: str, field: str, code: str, said: str
) -> None:
    choices = getattr(VALUE_FORMS[kind].base_fields[field], "choices", ())
    assert str(dict(choices)[code]) == said
