"""What the libraries read in words, against what CLDR, ISO 8601 and ISO 4217 say."""

import sys
from datetime import date
from decimal import Decimal

import pytest
from babel import Locale
from babel.dates import format_date
from babel.numbers import format_decimal
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts import language


@pytest.mark.parametrize("tongue", language.LANGUAGES)
def test_a_number_is_read_back_as_cldr_writes_it(tongue: str) -> None:
    written = format_decimal(Decimal("1234567.89"), locale=tongue)
    assert language.decimal_of(written, tongue) == Decimal("1234567.89")


@pytest.mark.parametrize("tongue", language.LANGUAGES)
@pytest.mark.parametrize("month", range(1, 13))
def test_a_date_is_read_back_as_cldr_writes_it(tongue: str, month: int) -> None:
    written = format_date(date(2022, month, 28), format="long", locale=tongue)
    found = language.date_in(written, tongue)
    assert found and found.iso == f"2022-{month:02}-28"


@pytest.mark.parametrize(
    ("first", "precision", "iso"),
    [
        (date(2022, 6, 30), "day", "2022-06-30"),
        (date(2022, 6, 1), "month", "2022-06"),
        (date(2022, 4, 1), "quarter", "2022-Q2"),
        (date(2022, 1, 1), "year", "2022"),
    ],
)
def test_a_moment_is_written_as_iso_8601_does(first: date, precision: str, iso: str) -> None:
    assert language.Moment(first, precision).iso == iso


@pytest.mark.parametrize("words", ["June", "30 June", "yesterday", "24 months", "18% from the", ""])
def test_what_needs_to_know_today_is_no_date(words: str) -> None:
    assert language.date_in(words, "en") is None


def test_an_order_of_day_and_month_that_is_not_plain_is_no_date() -> None:
    assert language.date_in("03/04/2022", "en") is None


def test_scales_are_those_of_cldr() -> None:
    assert language.scales("de")["mrd"] == 9  # "0 Mrd." in CLDR's short German formats
    assert language.scales("es")["mil millones"] == 9


def test_each_currency_has_its_iso_4217_code_but_a_sign_of_several_has_none() -> None:
    known = language.currencies()
    name = Locale.parse("en").currencies["CHF"].lower()
    assert (known["€"], known[f"{name}s"], known["SEK"]) == ("EUR", "CHF", "SEK")
    assert "$" not in known and "¥" not in known


@pytest.mark.parametrize(
    ("text", "tongue"),
    [
        ("How much was paid before 2021?", "en"),
        ("Wie hoch war der Umsatz vor dem 30. Juni 2022?", "de"),
        ("Quel était le chiffre d'affaires avant 2021 ?", "fr"),
        ("¿Cuál fue el resultado antes de 2021?", "es"),
        ("今天", None),
        ("FY23", None),
        ("", None),
    ],
)
def test_the_language_of_a_text_is_told_by_its_common_words(text: str, tongue: str | None) -> None:
    assert language.language_of(text) == tongue


def test_a_text_in_another_script_or_language_is_not_given_to_the_english_model() -> None:
    assert [
        language.reads_as_english(text)
        for text in ("Harbor Rail revenue", "Wie hoch war der Umsatz?", "שלום עולם", "2022", "")
    ] == [True, False, False, False, False]


def test_the_english_model_gives_places_in_code_points() -> None:
    text = "📦📦 Was Siemens founded in Berlin?"
    parsed = language.parsed_english(text)
    assert parsed and "Berlin" in [text[name.start : name.end] for name in parsed.names]


def test_who_does_not_wait_gets_none_while_a_library_is_not_there() -> None:
    slow = language._Lazy("slow", lambda: "loaded")
    assert (slow.get(wait=False), slow.get(), slow.get(wait=False)) == (None, "loaded", "loaded")


def test_a_library_that_is_missing_is_missed_without_an_error() -> None:
    def missing() -> None:
        raise ImportError("not here")

    assert language._Lazy("missing", missing).get() is None


def test_a_package_hidden_from_an_import_is_back_afterwards() -> None:
    with language._as_if_missing("calendar_of_no_one"), pytest.raises(ImportError):
        __import__("calendar_of_no_one")
    assert "calendar_of_no_one" not in sys.modules


@settings(deadline=None)  # the first text loads the libraries
@given(st.text(max_size=60))
def test_no_text_makes_a_library_raise(text: str) -> None:
    for tongue in ("en", "de"):
        language.date_in(text, tongue)
        language.decimal_of(text, tongue)
    language.amounts_in(text)
    language.parsed_english(text)
