"""Numbers, units, money, and the bounds and spans that go with them."""

import pytest

from evaluation.scoring.preservation.quantities.aggregations import aggregations
from evaluation.scoring.preservation.quantities.numbers import find_quantities
from evaluation.scoring.preservation.quantities.units import measure
from evaluation.scoring.preservation.text import read_text
from tests.evaluation.scoring.preservation.roles.registry import BOATS, TRUST, added, role


@role("numbers")
def a_number_in_words(phrase: str, meaning: str) -> None:
    (found,) = find_quantities(read_text(f"exactly {phrase} boats"))
    assert found.value == float(meaning)


@role("scales")
def a_scale_multiplies(phrase: str, meaning: str) -> None:
    text = f"€3{phrase}" if len(phrase) == 1 else f"3 {phrase} boats"
    (found,) = find_quantities(read_text(text))
    assert found.value == 3 * float(meaning)


# One of each in the unit after it: SI brochure, and NIST SP 811 for the customary units.
_IN_SI = {
    "millimeter": (0.001, "metre"), "centimeter": (0.01, "metre"), "decimeter": (0.1, "metre"),
    "meter": (1, "metre"), "kilometer": (1000, "metre"), "foot": (0.3048, "metre"),
    "inch": (0.0254, "metre"), "yard": (0.9144, "metre"), "mile": (1609.344, "metre"),
    "nautical_mile": (1852, "metre"), "milligram": (1e-6, "kg"), "gram": (0.001, "kg"),
    "kilogram": (1, "kg"), "metric_ton": (1000, "kg"), "ounce": (0.028349523125, "kg"),
    "pound": (0.45359237, "kg"), "meter**2": (1, "m2"), "kilometer**2": (1e6, "m2"),
    "foot**2": (0.09290304, "m2"), "mile**2": (2589988.110336, "m2"), "hectare": (10_000, "m2"),
    "milliliter": (0.001, "litre"), "centiliter": (0.01, "litre"), "liter": (1, "litre"),
    "hectoliter": (100, "litre"), "meter**3": (1000, "litre"), "second": (1, "second"),
    "minute": (60, "second"), "hour": (3600, "second"), "day": (86_400, "second"),
    "week": (604_800, "second"), "fortnight": (1_209_600, "second"),
    "kilometer/hour": (1 / 3.6, "metre per second"), "mile/hour": (0.44704, "metre per second"),
    "knot": (1852 / 3600, "metre per second"), "meter/second": (1, "metre per second"),
    "meter**3/second": (1000, "litre per second"), "liter/second": (1, "litre per second"),
    "liter/minute": (1 / 60, "litre per second"), "hertz": (1, "hertz"),
    "kilohertz": (1000, "hertz"), "megahertz": (1e6, "hertz"), "gigahertz": (1e9, "hertz"),
    "microgram": (1e-9, "kg"),
    "watt": (1, "watt"), "kilowatt": (1000, "watt"), "megawatt": (1e6, "watt"),
    "gigawatt": (1e9, "watt"), "watt_hour": (1, "Wh"), "kilowatt_hour": (1000, "Wh"),
    "megawatt_hour": (1e6, "Wh"), "gigawatt_hour": (1e9, "Wh"), "kilojoule": (1 / 3.6, "Wh"),
    "megajoule": (1000 / 3.6, "Wh"), "kilocalorie": (4.184 / 3.6, "Wh"), "volt": (1, "volt"),
    "kilovolt": (1000, "volt"), "kilobyte": (1e-3, "megabyte"), "megabyte": (1, "megabyte"),
    "gigabyte": (1e3, "megabyte"), "terabyte": (1e6, "megabyte"), "hectopascal": (0.1, "kPa"),
    "kilopascal": (1, "kPa"), "psi": (6.894757293168, "kPa"),
}  # fmt: skip


@role("units")
def a_unit_is_that_unit(phrase: str, meaning: str) -> None:
    dimension, unit = meaning.split()
    asked = measure(phrase)
    assert asked is not None and asked.dimension == dimension
    (found,) = find_quantities(read_text(f"walls of 12 {phrase}"))
    assert (found.value, found.unit) == (12, asked)
    if unit == "degC":
        assert asked.base(12) == pytest.approx(285.15)
    elif unit == "degF":
        assert asked.base(53.6) == pytest.approx(285.15)
    elif unit in _IN_SI:
        factor, other = _IN_SI[unit]
        reference = measure(other)
        assert reference is not None and reference.dimension == dimension
        assert asked.base(12) == pytest.approx(reference.base(12 * factor))
    else:
        assert asked.base(12) == 12 * float(unit)


@role("currencies")
def a_currency_is_that_currency(phrase: str, meaning: str) -> None:
    for text in (f"over {phrase} 12", f"over 12 {phrase}"):
        (found,) = find_quantities(read_text(text))
        assert found.currency == meaning


@role("dollar_prefixes")
def letters_before_the_dollar_sign_name_its_country(phrase: str, meaning: str) -> None:
    (found,) = find_quantities(read_text(f"over {phrase.upper()}$12"))
    assert found.currency == meaning


@role("aggregations")
def an_aggregation_is_that_aggregation(phrase: str, meaning: str) -> None:
    assert meaning in aggregations(read_text(f"12 boats {phrase}"))


@role("operators_before")
def an_operator_before_a_number(phrase: str, meaning: str) -> None:
    upper = " and 20" if meaning == "between" else ""
    (found,) = find_quantities(read_text(f"{phrase} 12{upper} boats"))
    assert (found.operator, found.value) == (meaning, 12)


@role("operators_after")
def an_operator_after_a_number(phrase: str, meaning: str) -> None:
    for noun in (" boats", " m", ""):
        (found,) = find_quantities(read_text(f"12{noun} {phrase}"))
        assert (found.operator, found.value) == (meaning, 12)


@role("number_like")
def a_word_that_may_carry_a_number_forbids_dropped(phrase: str, _: str) -> None:
    assert BOATS.label("boats") == "dropped"
    assert BOATS.label(f"{phrase} boats") != "dropped"


@role("measuring")
def a_measure_narrows(phrase: str, _: str) -> None:
    assert added(TRUST, f"dams of Velden Trust {phrase} 30 kg") == ["quantity"]
