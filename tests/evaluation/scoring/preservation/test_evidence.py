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
