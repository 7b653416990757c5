import pytest

from tests.evaluation.scoring.preservation.judging import Asked

NOT = Asked(
    "Which drivers are not insured?",
    "polarity",
    {"mode": "negate", "target": "insured"},
    "not insured",
)
EXCEPT = Asked(
    "Which drivers, apart from trainees, left?",
    "polarity",
    {"mode": "exclude", "target": "trainees"},
    "apart from trainees",
)
ONLY = Asked(
    "Noise at night, ports only?",
    "polarity",
    {"mode": "exclude", "target": "everything but ports"},
    "ports only",
)
STEADY = Asked(
    "Where did rents not sink?",
    "polarity",
    {"mode": "negate", "target": "sinking of rents"},
    "rents not sink",
)


@pytest.mark.parametrize(
    "query",
    [
        "drivers who are not insured",
        "uninsured drivers",
        "drivers without insurance",
        "drivers never insured",
    ],
)
def test_a_denied_target_is_stated(query: str) -> None:
    assert NOT.label(query) == "stated"


def test_the_target_without_its_negation_is_altered() -> None:
    assert NOT.label("insured drivers") == "altered"


def test_a_negation_of_something_else_is_unsure() -> None:
    assert NOT.label("insured drivers, not lorry owners at the depot") == "unsure"


@pytest.mark.parametrize(
    ("query", "label"),
    [
        ("drivers who are not uninsured", "altered"),
        ("drivers none of whom was ever uninsured", "unsure"),
    ],
)
def test_two_negations_side_by_side_assert_the_target(query: str, label: str) -> None:
    assert NOT.label(query) == label


@pytest.mark.parametrize(
    ("query", "label"),
    [
        ("drivers who left, excluding trainees", "stated"),
        ("drivers other than trainees", "stated"),
        ("drivers who left; trainees excluded", "stated"),
        ("drivers and trainees who left", "altered"),
        ("drivers who left", "dropped"),
    ],
)
def test_an_exclusion_is_stated_altered_or_dropped(query: str, label: str) -> None:
    assert EXCEPT.label(query) == label


@pytest.mark.parametrize(
    ("query", "label"),
    [
        ("night noise in ports only", "stated"),
        ("night noise in ports", "unsure"),
        ("night noise", "dropped"),
    ],
)
def test_only_excludes_everything_else(query: str, label: str) -> None:
    assert ONLY.label(query) == label


@pytest.mark.parametrize(
    ("query", "label"),
    [("where rents were flat or rising", "stated"), ("where rents rose", "altered")],
)
def test_no_fall_admits_no_change(query: str, label: str) -> None:
    assert STEADY.label(query) == label


@pytest.mark.parametrize(
    ("filters", "label"),
    [
        ({"insured": False}, "filtered"),
        ({"insured": True}, "altered"),
        ({"exclude_insured": True}, "filtered"),
    ],
)
def test_a_yes_no_filter_carries_a_negation(filters: dict, label: str) -> None:
    assert NOT.label("drivers", filters=filters) == label


SERVED = Asked(
    "Which islets are not reached by Orla Ferries?",
    "polarity",
    {"mode": "negate", "target": "reached by Orla Ferries"},
    "not reached by Orla Ferries",
)


@pytest.mark.parametrize(
    "query",
    [
        "no large islets reached by Orla Ferries",
        "islets without piers reached by Orla Ferries",
        "islets not far off and reached by Orla Ferries",
        "islets not inhabited but reached by Orla Ferries",
        "islets not only reached by Orla Ferries",
        "islets reached by nobody but Orla Ferries",
        "islets reached by none other than Orla Ferries",
        "islets rarely reached by Orla Ferries",
        "islets whether or not reached by Orla Ferries",
    ],
)
def test_a_negation_of_other_words_never_states_the_target(query: str) -> None:
    assert SERVED.label(query) == "unsure"


@pytest.mark.parametrize(
    "query",
    ["islets not currently reached by Orla Ferries", "small but not reached by Orla Ferries"],
)
def test_a_negation_right_before_the_target_states_it(query: str) -> None:
    assert SERVED.label(query) == "stated"


@pytest.mark.parametrize(
    "query", ["drivers not licensed but insured", "nothing but insured drivers"]
)
def test_but_ends_or_turns_a_negation(query: str) -> None:
    assert NOT.label(query) == "unsure"


@pytest.mark.parametrize(
    ("query", "label"),
    [
        ("drivers who left -trainees", "stated"),
        ('drivers who left -"trainees"', "stated"),
        ("-trainees drivers", "unsure"),
        ("drivers who left - trainees", "unsure"),
        ("drivers anyone but trainees", "unsure"),
    ],
)
def test_a_minus_sign_before_a_word_leaves_it_out(query: str, label: str) -> None:
    assert EXCEPT.label(query) == label


def test_a_minus_sign_before_two_words_is_unsure() -> None:
    asked = Asked(
        "Drivers except night crews?",
        "polarity",
        {"mode": "exclude", "target": "night crews"},
        "except night crews",
    )
    assert asked.label("drivers -night crews") == "unsure"


@pytest.mark.parametrize(
    ("query", "label"),
    [
        ("wine-free cafes", "stated"),
        ("cafes without wine", "stated"),
        ("cafes with wine", "altered"),
        ("cafes not without wine", "unsure"),
        ("cafes without food but with wine", "unsure"),
    ],
)
def test_a_thing_without_its_light_verb_is_denied_or_asserted(query: str, label: str) -> None:
    value = {"mode": "negate", "target": "serve wine"}
    asked = Asked("Cafes that do not serve wine?", "polarity", value, "do not serve wine")
    assert asked.label(query) == label


@pytest.mark.parametrize(
    ("query", "label"),
    [
        ("what did witnesses questioned by police not see", "altered"),
        ("witnesses questioned by police or not", "unsure"),
    ],
)
def test_a_negation_moved_to_another_verb_is_lost(query: str, label: str) -> None:
    value = {"mode": "negate", "target": "questioned by police"}
    text = "What did witnesses not questioned by police see?"
    assert Asked(text, "polarity", value, "not questioned by police").label(query) == label


@pytest.mark.parametrize(
    ("query", "label"),
    [
        ("museums that charge no entry fee in August", "altered"),
        ("museums that charge no entry fee, August excepted", "stated"),
        ("museums that charge no entry fee or rent in August", "unsure"),
    ],
)
def test_a_denial_of_another_thing_of_the_request_denies_no_target(query: str, label: str) -> None:
    value = {"mode": "exclude", "target": "August"}
    text = "Museums that charge no entry fee except in August?"
    assert Asked(text, "polarity", value, "except in August").label(query) == label


def test_the_noun_of_a_denied_verb_as_a_topic_is_a_loss() -> None:
    value = {"mode": "negate", "target": "interact with warfarin"}
    words = "don't interact with warfarin"
    asked = Asked(f"Drugs that {words}?", "polarity", value, words)
    assert asked.label("warfarin drug interactions") == "dropped"
    assert asked.label("drugs lacking warfarin interaction") == "stated"


def test_a_word_that_says_the_opposite_is_never_called_dropped() -> None:
    value = {"mode": "negate", "target": "running"}
    asked = Asked("Tram lines no longer running?", "polarity", value, "no longer running")
    assert asked.label("discontinued tram lines") == "unsure"
