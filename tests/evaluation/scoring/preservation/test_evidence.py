import pytest

from tests.evaluation.scoring.preservation.judging import Asked

REPORT = Asked(
    "According to the annual report, how many pilots left?",
    "evidence",
    {"source": "annual report"},
    "According to the annual report",
    admissible=("yearly accounts",),
)


@pytest.mark.parametrize(
    ("query", "label"),
    [
        ("pilots who left, annual reports", "stated"),
        ("pilots who left per yearly accounts", "stated"),
        ("pilots who left", "dropped"),
        ("annual pilot losses", "dropped"),
        ("pilots who left according to the press", "altered"),
        ("pilots who left, staff ledger", "altered"),
    ],
)
def test_a_source_is_stated_altered_or_dropped(query: str, label: str) -> None:
    assert REPORT.label(query) == label


@pytest.mark.parametrize(
    "query",
    ["pilots who left, report", "pilots who left, yearly memo", "pilots who left, yearly report"],
)
def test_a_partial_or_unlisted_source_is_unsure(query: str) -> None:
    assert REPORT.label(query) == "unsure"


@pytest.mark.parametrize(
    ("filters", "label"),
    [
        ({"doc_type": "annual report"}, "filtered"),
        ({"source": "press"}, "altered"),
        ({"doc_type": "memo"}, "unsure"),
    ],
)
def test_a_filter_carries_the_source_or_another(filters: dict, label: str) -> None:
    assert REPORT.label("pilots who left", filters=filters) == label


@pytest.mark.parametrize(
    "query",
    [
        "pilots who left before the annual report",
        "pilots who left after annual report",
        "who signed the annual report, pilots",
        "author of the annual report on pilots",
        "annual report author pilots",
        "pilots dispute annual report",
    ],
)
def test_a_source_that_is_only_talked_about_is_unsure(query: str) -> None:
    assert REPORT.label(query) == "unsure"


@pytest.mark.parametrize(
    "query",
    [
        "pilots who left, from the annual report",
        "source: annual report, pilots who left",
        "pilots who left as stated in the annual report",
        "annual report pilots left",
        "what the annual report says of pilots",
    ],
)
def test_a_source_after_a_source_word_or_in_apposition_is_stated(query: str) -> None:
    assert REPORT.label(query) == "stated"


@pytest.mark.parametrize("field", ["author", "written_by", "title", "publisher"])
def test_a_filter_on_another_role_is_no_source_filter(field: str) -> None:
    assert REPORT.label("pilots who left", filters={field: "annual report"}) == "unsure"


@pytest.mark.parametrize(
    "query",
    [
        "findings of the inspection by the fire brigade on the tunnel",
        "how safe is the tunnel? find fire brigade inspection",
    ],
)
def test_what_a_source_found_asks_for_it(query: str) -> None:
    value = {"source": "fire brigade inspection"}
    text = "How safe is the tunnel by the fire brigade inspection?"
    assert Asked(text, "evidence", value, "the fire brigade inspection").label(query) == "stated"


def test_another_body_in_the_place_of_a_body_is_altered() -> None:
    text = "What is the number of tenant complaints, as reported by the ombudsman?"
    asked = Asked(text, "evidence", {"source": "ombudsman"}, "as reported by the ombudsman")
    assert asked.label("tenant complaints according to the mayor") == "altered"
    assert asked.label("tenant complaints according to the ombudsman") == "stated"
    assert asked.label("tenant complaints count") == "dropped"


def test_a_website_is_asked_for_with_on() -> None:
    value = {"source": "museum's website"}
    asked = Asked("Carers on the museum's website?", "evidence", value, "museum's website")
    assert asked.label("carer admission on the website of the museum") == "stated"
