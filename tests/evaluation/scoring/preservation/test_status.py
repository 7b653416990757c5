import pytest

from tests.evaluation.scoring.preservation.judging import Asked

PLAN = Asked(
    "Where is the approved plan for the weir?",
    "status",
    {"value": "approved", "rivals": ["proposed"]},
    "approved",
    admissible=("signed off",),
)


@pytest.mark.parametrize(
    ("query", "label"),
    [
        ("approved weir plan", "stated"),
        ("weir plan that was signed off", "stated"),
        ("proposed weir plan", "altered"),
        ("weir plan not approved", "altered"),
        ("weir plan", "dropped"),
    ],
)
def test_a_status_is_stated_altered_or_dropped(query: str, label: str) -> None:
    assert PLAN.label(query) == label


@pytest.mark.parametrize(
    "query",
    [
        "weir plan approval",
        "unapproved weir plan",
        "weir plan not yet approved",
        "adopted weir plan",
        "approved and proposed weir plans",
        "weir plan in force",
    ],
)
def test_a_related_word_or_a_possible_synonym_is_unsure(query: str) -> None:
    assert PLAN.label(query) == "unsure"


@pytest.mark.parametrize(
    ("filters", "label"),
    [
        ({"status": "approved"}, "filtered"),
        ({"approved": True}, "filtered"),
        ({"status": "proposed"}, "altered"),
        ({"status": ["approved", "proposed"]}, "unsure"),
        ({"status": {"ne": "proposed"}}, "unsure"),
        ({"status": "valid"}, "unsure"),
    ],
)
def test_a_filter_carries_the_status_or_a_rival(filters: dict, label: str) -> None:
    assert PLAN.label("weir plan", filters=filters) == label
