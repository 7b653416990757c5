import pytest

from tests.evaluation.scoring.preservation.judging import Asked, amount

LOANS = Asked(
    "Which loans of more than 5 million euros a year went to farms?",
    "quantity",
    amount(">", 5_000_000, currency="EUR", aggregation="annual"),
    "more than 5 million euros a year",
)
PIPES = Asked(
    "Which pipes are longer than 30 m?", "quantity", amount(">", 30, unit="m"), "longer than 30 m"
)
CREWS = Asked(
    "Crews of two dozen or more?", "quantity", amount(">=", 24, unit="people"), "two dozen or more"
)
RANGE = Asked(
    "Grants of 200 to 500 francs?",
    "quantity",
    amount("between", 200, high=500, currency="CHF"),
    "200 to 500 francs",
)


@pytest.mark.parametrize(
    "query",
    [
        "farm loans above EUR 5m annually",
        "yearly farm loans over 5,000,000 euros",
        "loans > €5 million p.a. per year",
    ],
)
def test_another_notation_of_the_same_amount_is_stated(query: str) -> None:
    assert LOANS.label(query) == "stated"


@pytest.mark.parametrize(
    "query",
    [
        "loans above 6 million euros a year",
        "loans of at least 5 million euros a year",
        "loans above 5 million dollars a year",
        "loans above 5 billion euros a year",
        "loans above 5 million euros in total",
    ],
)
def test_another_amount_bound_currency_or_aggregation_is_altered(query: str) -> None:
    assert LOANS.label(query) == "altered"


@pytest.mark.parametrize(
    "query",
    [
        "loans above 5 million euros",
        "loans of 5 million euros a year",
        "loans above 5 million a year",
        "loans over half a million euros a year",
    ],
)
def test_an_amount_with_a_part_missing_is_unsure(query: str) -> None:
    assert LOANS.label(query) == "unsure"


@pytest.mark.parametrize(
    ("query", "label"),
    [
        ("pipes over 3000 cm", "stated"),
        ("pipes longer than thirty metres", "stated"),
        ("pipes longer than 30 ft", "altered"),
        ("pipes no longer than 30 m", "altered"),
    ],
)
def test_units_are_converted(query: str, label: str) -> None:
    assert PIPES.label(query) == label


def test_a_number_in_words_counts() -> None:
    assert CREWS.label("crews of at least 24 people") == "stated"


@pytest.mark.parametrize(
    ("query", "label"),
    [
        ("grants between CHF 200 and CHF 500", "stated"),
        ("grants of 200-500 Swiss francs", "stated"),
        ("grants between CHF 200 and CHF 600", "altered"),
    ],
)
def test_a_range_needs_both_ends(query: str, label: str) -> None:
    assert RANGE.label(query) == label


def test_a_bare_dollar_sign_does_not_state_singapore_dollars() -> None:
    asked = Asked("Fees under 60 Singapore dollars?", "quantity", amount("<", 60, currency="SGD"))
    assert asked.label("fees under $60") == "unsure"


def test_without_any_number_the_quantity_is_dropped() -> None:
    assert PIPES.label("long pipes") == "dropped"


def test_a_word_that_can_carry_a_number_forbids_dropped() -> None:
    assert CREWS.label("crews of several dozens") == "unsure"


@pytest.mark.parametrize(
    ("filters", "label"),
    [
        ({"length_m": {"gt": 30}}, "filtered"),
        ({"length_m": {"gte": 30}}, "altered"),
        ({"length": {"gt": 30}}, "unsure"),
        ({"length_cm": {"gt": 3000}}, "filtered"),
    ],
)
def test_a_filter_counts_when_its_field_names_the_unit(filters: dict, label: str) -> None:
    assert PIPES.label("pipes", filters=filters) == label
