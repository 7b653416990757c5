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
        ("weir plan not yet approved", "altered"),
        ("unapproved weir plan", "altered"),
        ("weir plan", "dropped"),
    ],
)
def test_a_status_is_stated_altered_or_dropped(query: str, label: str) -> None:
    assert PLAN.label(query) == label


@pytest.mark.parametrize(
    "query",
    [
        "weir plan approval",
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


PLAIN = Asked(
    "Where is the final rule on nets?", "status", {"value": "final", "rivals": ["draft"]}, "final"
)


@pytest.mark.parametrize("query", ["semi-final rule on nets", "rule on nets, quarter-final"])
def test_a_compound_with_the_status_word_is_unsure(query: str) -> None:
    assert PLAIN.label(query) == "unsure"


@pytest.mark.parametrize(
    "query", ["nets rule final payment", "rule on final catch nets", "draft horses, rule on nets"]
)
def test_the_status_word_before_a_foreign_noun_is_unsure(query: str) -> None:
    assert PLAIN.label(query) == "unsure"


@pytest.mark.parametrize(
    "query", ["final nets rule", "rule on nets, final", "final version of the rule on nets"]
)
def test_the_status_word_on_its_topic_is_stated(query: str) -> None:
    assert PLAIN.label(query) == "stated"


@pytest.mark.parametrize("query", ["rule on nets soon final", "nets rule that is to be final"])
def test_a_status_to_come_is_unsure(query: str) -> None:
    assert PLAIN.label(query) == "unsure"
