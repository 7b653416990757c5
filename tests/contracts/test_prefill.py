"""What the words of a mark say plainly, and what they leave open.

Right values of dates are ISO 8601's, of currencies ISO 4217's, of numbers and their scales CLDR's
(https://cldr.unicode.org: German "1.234,5 Mio." is 1,234.5 million); `values.time_bounds` has the
quarters.
"""

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts import language
from contracts.prefill import first_value
from contracts.terms import KINDS
from contracts.values import FIELDS, complete_value, value_faults

TODAY = date(2024, 6, 30)


@pytest.fixture(scope="module", autouse=True)
def libraries() -> None:
    """Marks do not wait for the slow libraries; here they are there."""
    language.load()


PLAIN = [
    ("at least 5 %", {"operator": ">=", "value": 5.0, "unit": "%"}),
    ("more than 12 metres", {"operator": ">", "value": 12.0, "unit": "metres"}),
    ("less than 4.1 percent", {"operator": "<", "value": 4.1, "unit": "%"}),
    ("at most 7,000,000", {"operator": "<=", "value": 7_000_000.0}),
    ("no more than 3 units", {"operator": "<=", "value": 3.0, "unit": "units"}),
    ("over €1.92 million", {"operator": ">", "value": 1_920_000.0, "currency": "EUR"}),
    ("1,92 million", {"operator": "=", "value": 1_920_000.0}),
    ("below EUR 20", {"operator": "<", "value": 20.0, "currency": "EUR"}),
    ("under 12kg", {"operator": "<", "value": 12.0, "unit": "kg"}),
    ("above 1,500 GBP", {"operator": ">", "value": 1500.0, "currency": "GBP"}),
    ("between 5 and 10 %", {"operator": "between", "value": 5.0, "high": 10.0, "unit": "%"}),
    ("between £5 and £10", {"operator": "between", "value": 5.0, "high": 10.0, "currency": "GBP"}),
    ("3 years or more", {"operator": ">=", "value": 3.0, "unit": "years"}),
    ("$5", {"operator": "=", "value": 5.0}),
    ("2021", {"operator": "=", "value": 2021.0}),
    ("EUR 1.2 billion", {"operator": "=", "value": 1.2e9, "currency": "EUR"}),
    ("at least 4.1 %", {"operator": ">=", "value": 4.1, "unit": "%"}),
    ("1.234,5 Mio. EUR", {"operator": "=", "value": 1_234_500_000.0, "currency": "EUR"}),
    ("rund 1,5 Millionen Euro", {"operator": "about", "value": 1.5e6, "currency": "EUR"}),
    ("mindestens 5 Prozent", {"operator": ">=", "value": 5.0, "unit": "%"}),
    ("au moins 5 %", {"operator": ">=", "value": 5.0, "unit": "%"}),
    ("7.000.000", {"operator": "=", "value": 7_000_000.0}),
    ("€5m", {"operator": "=", "value": 5e6, "currency": "EUR"}),
    ("$5m", {"operator": "=", "value": 5e6}),
    ("US$ 5 million", {"operator": "=", "value": 5e6, "currency": "USD"}),
    ("12 Swiss francs", {"operator": "=", "value": 12.0, "currency": "CHF"}),
    ("twelve employees", {"operator": "=", "value": 12.0, "unit": "employees"}),
    ("twenty-five people", {"operator": "=", "value": 25.0, "unit": "people"}),
    ("12 square metres", {"operator": "=", "value": 12.0, "unit": "square metres"}),
    ("31 minutes", {"operator": "=", "value": 31.0, "unit": "minutes"}),
    ("5 kilometres per hour", {"operator": "=", "value": 5.0, "unit": "kilometres per hour"}),
    ("5 % of revenue", {"operator": "=", "value": 5.0, "unit": "%"}),
    ("12 employees per site",
     {"operator": "=", "value": 12.0, "unit": "employees", "aggregation": "per_unit"}),
    ("an average of 5 %", {"operator": "=", "value": 5.0, "unit": "%", "aggregation": "average"}),
    ("a total of 300 staff",
     {"operator": "=", "value": 300.0, "unit": "staff", "aggregation": "total"}),
    ("5 million EUR per year",
     {"operator": "=", "value": 5e6, "currency": "EUR", "aggregation": "annual"}),
    ("between 5 million and 10 million", {"operator": "between", "value": 5e6, "high": 1e7}),
    ("median income", {"aggregation": "median"}),
    ("how many employees", {"aggregation": "count"}),
]  # fmt: skip
OPEN = [
    "30.06.2022", "1.2.3", "2022-06-30", "1.500 t", "1,2,3", "FY23", "the 12th", "5 m",
    "30 June 2022", "5 May", "5m", "(4)",
    "3 of 12", "5-10 %", "30/06", "many", "²", "٣", "10:30", "#3", "v2.1.0", "5b", "minus 5 %",
    "two thirds of members", "one of them", "1 in 5", "average annual growth", "5 mil millones",
    "mehr als 1.500 t", "a dozen", "810 c.e.",
]  # fmt: skip


@pytest.mark.parametrize(("words", "said"), PLAIN)
def test_what_a_quantity_says_plainly_is_filled_in(words: str, said: dict[str, object]) -> None:
    assert first_value("quantity", words) == said


@pytest.mark.parametrize("words", OPEN)
def test_what_may_be_no_number_stays_empty(words: str) -> None:
    assert first_value("quantity", words) == {}


@pytest.mark.parametrize(
    "words", ["not over 5 %", "nearly 5 %", "about 5 % or more", "a rise of 5 %"]
)
def test_an_operator_that_is_not_plain_stays_empty(words: str) -> None:
    assert first_value("quantity", words) == {"value": 5.0, "unit": "%"}


def test_a_scale_that_may_belong_to_both_ends_leaves_them_empty() -> None:
    assert first_value("quantity", "between 5 and 10 million") == {"operator": "between"}


TIMES = [
    ("before 2021", {"relation": "before", "end": "2021"}),
    ("after 30 June 2022", {"relation": "after", "start": "2022-06-30"}),
    ("by 30.06.2022", {"relation": "by", "end": "2022-06-30"}),
    ("30.06.2022", {"relation": "on", "start": "2022-06-30"}),
    ("June 30th, 2022", {"relation": "on", "start": "2022-06-30"}),
    ("2022-06-30", {"relation": "on", "start": "2022-06-30"}),
    ("Q1 2023", {"relation": "on", "start": "2023-Q1"}),
    ("the first quarter of 2023", {"relation": "on", "start": "2023-Q1"}),
    ("H1 2022", {"relation": "on", "start": "2022-01", "end": "2022-06"}),
    ("since Q1 2023", {"relation": "since", "start": "2023-Q1"}),
    ("until March 2020", {"relation": "until", "end": "2020-03"}),
    ("during 2019", {"relation": "during", "start": "2019"}),
    ("as of 31 December 2023", {"relation": "as_of", "start": "2023-12-31"}),
    ("between 2019 and 2021", {"relation": "between", "start": "2019", "end": "2021"}),
    ("from March to June 2022", {"relation": "between", "start": "2022-03", "end": "2022-06"}),
    ("between 5 and 10 May 2022",
     {"relation": "between", "start": "2022-05-05", "end": "2022-05-10"}),
    ("2019–2021", {"relation": "between", "start": "2019", "end": "2021"}),
    ("the 1990s", {"relation": "on", "start": "1990", "end": "1999"}),
    ("in FY23", {"relation": "on", "start": "2023", "calendar": "fiscal"}),
    ("fiscal year 2023", {"relation": "on", "start": "2023", "calendar": "fiscal"}),
    ("Q1 FY23", {"relation": "on", "start": "2023-Q1", "calendar": "fiscal"}),
    ("not before 2021", {"relation": "since", "start": "2021"}),
    ("no later than 2021", {"relation": "by", "end": "2021"}),
    ("2021 or later", {"relation": "since", "start": "2021"}),
    ("by the end of 2021", {"relation": "by", "end": "2021-12-31"}),
    ("revenue before 2021", {"relation": "before", "end": "2021"}),
    ("before the merger", {"relation": "before"}),
    ("before the 2021 election", {"relation": "before"}),
    ("vor dem 30. Juni 2022", {"relation": "before", "end": "2022-06-30"}),
    ("zwischen 2019 und 2021", {"relation": "between", "start": "2019", "end": "2021"}),
    ("avant le 30 juin 2022", {"relation": "before", "end": "2022-06-30"}),
    ("antes del 30 de junio de 2022", {"relation": "before", "end": "2022-06-30"}),
    ("30 giugno 2022", {"relation": "on", "start": "2022-06-30"}),
]  # fmt: skip
NO_TIMES = [
    "03/04/2022", "24 months", "31 minutes", "June", "5 May", "early 2022", "summer 2022", "10:30",
    "in 2019 and 2021", "from 2021 to 2019", "at the end of 2021", "18% from the", "31 June 2022",
    "not in 2021", "2019-20", "12th century", "2021 revenue", "in the 2000s", "last year", "today",
    "the last year", "the previous year",
]  # fmt: skip


@pytest.mark.parametrize(("words", "said"), TIMES)
def test_what_a_time_says_plainly_is_filled_in(words: str, said: dict[str, object]) -> None:
    assert first_value("time", words) == said


@pytest.mark.parametrize("words", NO_TIMES)
def test_what_may_be_several_times_or_none_stays_empty(words: str) -> None:
    assert first_value("time", words) == {}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("last year", {"relation": "on", "start": "2023"}),
        ("this year", {"relation": "on", "start": "2024"}),
        ("last quarter", {"relation": "on", "start": "2024-Q1"}),
        ("since last year", {"relation": "since", "start": "2023"}),
        ("yesterday", {"relation": "on", "start": "2024-06-29"}),
        ("two years ago", {"relation": "on", "start": "2022"}),
        ("current", {"relation": "as_of", "start": "2024-06-30"}),
        ("as of today", {"relation": "as_of", "start": "2024-06-30"}),
        ("in the last 12 months", {}),
        ("latest", {}),
    ],
)
def test_relative_wording_is_resolved_on_the_requests_date(
    words: str, said: dict[str, object]
) -> None:
    found = first_value("time", words, reference_date=TODAY)
    assert found == said | {"reference_date": "2024-06-30"}


def test_a_date_whose_order_the_language_settles_is_read() -> None:
    texts = ["Wie hoch war der Umsatz vor dem 03.04.2022?"]
    found = first_value("time", "03.04.2022", request_texts=texts)
    assert found == {"relation": "on", "start": "2022-04-03"}


OTHERS = [
    ("comparison", "higher than Germany", {"direction": "higher", "sets": ["Germany"]}),
    ("comparison", "earlier than 2021", {"direction": "earlier", "sets": ["2021"]}),
    ("comparison", "more employees than Shell",
     {"direction": "higher", "sets": ["Shell"], "measure": "employees"}),
    ("comparison", "increase from 2020 to 2021",
     {"direction": "increase", "sets": ["2020", "2021"]}),
    ("comparison", "the same as 2020", {"direction": "same", "sets": ["2020"]}),
    ("comparison", "the difference between cats and dogs",
     {"direction": "difference", "sets": ["cats", "dogs"]}),
    ("comparison", "Germany versus France", {"sets": ["Germany", "France"]}),
    ("comparison", "compared with 2020", {"sets": ["2020"]}),
    ("comparison", "more expensive than gold", {}),
    ("comparison", "more than 5 %", {}),
    ("comparison", "more than how many copies", {}),
    ("comparison", "higher than that", {"direction": "higher"}),
    ("comparison", "revenue", {}),
    ("polarity", "excluding one-off items", {"mode": "exclude", "target": "one-off items"}),
    ("polarity", "did not approve", {"mode": "negate", "target": "approve"}),
    ("polarity", "isn’t available", {"mode": "negate", "target": "available"}),
    ("polarity", "ohne Einmaleffekte", {"mode": "exclude", "target": "Einmaleffekte"}),
    ("polarity", "no longer active", {"mode": "negate", "target": "active"}),
    ("polarity", "no more than 5", {}),
    ("polarity", "not only Germany", {}),
    ("status", "approved", {"value": "approved"}),
    ("status", "approved, not draft", {"value": "approved", "rivals": ["draft"]}),
    ("evidence", "according to the annual report", {"source": "annual report"}),
    ("evidence", "annual report", {"source": "annual report"}),
    ("referent", "Harbor Rail", {"name": "Harbor Rail"}),
    ("referent", "its parent", {"name": "its parent"}),
    ("referent", "it", {}),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "words", "said"), OTHERS)
def test_what_the_other_kinds_say_plainly(kind: str, words: str, said: dict[str, object]) -> None:
    assert first_value(kind, words) == said


@pytest.mark.parametrize(
    ("words", "earlier", "said"),
    [
        ("it", ["Who owns Harbor Rail?"], {"name": "Harbor Rail", "from_turn": 0}),
        ("the company", ["Who owns Harbor Rail?"], {"name": "Harbor Rail", "from_turn": 0}),
        ("it", ["Who owns Harbor Rail and Siemens?"], {}),
        ("it", ["How was the revenue of Harbor Rail?"], {}),  # the revenue may be meant
        ("he", ["Who owns Harbor Rail?"], {}),
        ("it", ["Who owns Harbor Rail?", "Nobody.", "Why?"], {}),  # named too far back
        ("it", ["Wem gehört die Hafenbahn?"], {}),
        ("they", ["Who owns Harbor Rail?"], {}),
    ],
)
def test_a_pronoun_is_resolved_only_where_one_thing_can_be_meant(
    words: str, earlier: list[str], said: dict[str, object]
) -> None:
    texts = [*earlier, f"And where is {words}?"]
    assert first_value("referent", words, request_texts=texts) == said


@settings(deadline=None, max_examples=300)
@given(st.sampled_from(KINDS), st.text(max_size=40))
def test_any_words_are_read_without_an_error(kind: str, words: str) -> None:
    found = first_value(kind, words, request_texts=[words, words], reference_date=TODAY)
    assert all(FIELDS[kind][name].check(value) is None for name, value in found.items())


@settings(deadline=None, max_examples=300)
@given(st.text(alphabet="0123456789.,-%€ $()amndbetwfyQ/", max_size=20))
def test_what_is_filled_in_fits_together(words: str) -> None:
    for kind in ("time", "quantity"):
        found = first_value(kind, words, reference_date=TODAY)
        faults = value_faults(kind, complete_value(kind, found))
        assert all("missing" in fault.said for fault in faults)
