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
        "loans over half a million euros a year",
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


SHOPS = Asked(
    "Shops with fewer than 9 clerks?",
    "quantity",
    amount("<", 9, unit="clerks", aggregation="count"),
    "fewer than 9 clerks",
)
SHIPS = Asked(
    "Docks with 400 ships a year?",
    "quantity",
    amount("=", 400, unit="ships", aggregation="rate"),
    "400 ships a year",
)
FEE = Asked("Fees over $70?", "quantity", amount(">", 70, currency="USD"), "over $70")


@pytest.mark.parametrize(
    ("query", "label"),
    [
        ("fees over US$70", "stated"),
        ("fees over A$70", "altered"),
        ("fees over C$ 70", "altered"),
        ("fees over Q$70", "unsure"),
        ("fees over NZ $70", "unsure"),
        ("fees over $70 Canadian", "unsure"),
        ("FEES OVER $70", "stated"),
    ],
)
def test_letters_or_a_nation_beside_a_dollar_sign_make_another_currency(
    query: str, label: str
) -> None:
    assert FEE.label(query) == label


@pytest.mark.parametrize("query", ["shops with fewer than 9 doors", "shops with under 9 owners"])
def test_the_number_of_another_noun_is_unsure(query: str) -> None:
    assert SHOPS.label(query) == "unsure"


@pytest.mark.parametrize(
    "query",
    ["shops with at most 8 clerks", "shops with 8 or fewer clerks", "shops, under 9 paid clerks"],
)
def test_neighbouring_whole_numbers_set_the_same_bound(query: str) -> None:
    assert SHOPS.label(query) == "stated"


def test_a_filter_with_the_neighbouring_whole_number_is_the_same_bound() -> None:
    assert SHOPS.label("shops", filters={"clerks": {"lte": 8}}) == "filtered"


def test_a_measured_bound_has_no_neighbouring_whole_number() -> None:
    assert PIPES.label("pipes of at least 31 m") == "altered"


@pytest.mark.parametrize(
    ("query", "label"),
    [
        ("docks with 400 ships a year", "stated"),
        ("docks with 400 ships a day", "altered"),
        ("docks with 400 ships weekly", "altered"),
        ("docks open every day, 400 ships", "unsure"),
        ("docks with 400 ships", "unsure"),
    ],
)
def test_a_rate_over_another_span_is_altered(query: str, label: str) -> None:
    assert SHIPS.label(query) == label
