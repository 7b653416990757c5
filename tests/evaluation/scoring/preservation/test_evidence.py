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
        ("pilots who left according to the press", "altered"),
    ],
)
def test_a_source_is_stated_altered_or_dropped(query: str, label: str) -> None:
    assert REPORT.label(query) == label


@pytest.mark.parametrize(
    "query", ["pilots who left, report", "pilots who left, staff ledger", "annual pilot losses"]
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
