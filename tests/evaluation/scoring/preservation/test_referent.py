import pytest

from tests.evaluation.scoring.preservation.judging import Asked

TRUST = Asked(
    "What did Velden Trust earn?",
    "referent",
    {"name": "Velden Trust", "aliases": ["VT"], "from_turn": None, "unresolved": False},
    "Velden Trust",
)
PIER = Asked(
    "When was it built?",
    "referent",
    {"name": "south pier", "aliases": [], "from_turn": 1, "unresolved": False},
    "it",
    turns=("Tell me about the north pier.", "And the south pier?"),
)


@pytest.mark.parametrize(
    "query",
    [
        "velden trust earnings",
        "earnings of VELDEN TRUST plc",
        "Velden Trust's earnings",
        "VT earnings",
    ],
)
def test_a_name_or_alias_is_stated(query: str) -> None:
    assert TRUST.label(query) == "stated"


@pytest.mark.parametrize(
    "query",
    ["Great Velden Trust earnings", "Velden earnings", "earnings not of Velden Trust"],
)
def test_a_longer_shorter_or_denied_name_is_unsure(query: str) -> None:
    assert TRUST.label(query) == "unsure"


@pytest.mark.parametrize(
    "query",
    ["Veldn Trust earnings", "Trust Velden: earnings", "earnings of VeldenTrust", "velden-trust"],
)
def test_a_slip_or_another_notation_of_the_name_is_stated(query: str) -> None:
    assert TRUST.label(query) == "stated"


@pytest.mark.parametrize(
    "query",
    [
        "what did Velden Mutual earn",
        "Velden Trust Holdings earnings",
        "Orla Bank earnings",
        "velden insurance earnings",
        "earnings of companies other than Velden Trust",
    ],
)
def test_another_name_in_its_place_is_altered(query: str) -> None:
    assert TRUST.label(query) == "altered"


@pytest.mark.parametrize(
    ("query", "label"),
    [
        ("when was the south pier built", "stated"),
        ("when was the north pier built", "altered"),
        ("when was it built", "dropped"),
        ("when was the pier built", "dropped"),
    ],
)
def test_a_pronoun_is_resolved_to_the_right_turn_or_not(query: str, label: str) -> None:
    assert PIER.label(query) == label


@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("Zaïre Øst", "Zaire Ost rainfall"),
        ("محمد النور", "permits of محمد النور"),
        ("수진", "수진은 선출되었나"),
    ],
)
def test_folding_and_other_scripts_do_not_hide_a_name(name: str, query: str) -> None:
    asked = Asked(f"Where is {name}?", "referent", {"name": name, "aliases": [], "from_turn": None})
    assert asked.label(query) == "stated"


@pytest.mark.parametrize(
    ("query", "label"),
    [
        ("where did the chemist Ann Roe teach", "stated"),
        ("where did Ann Roe teach", "stated"),  # a listed alias
        ("Ann Roe the painter", "altered"),
        ("where did the painter Ann Roe teach", "altered"),
        ("Ann Roe (painter)", "altered"),
    ],
)
def test_a_namesake_is_another_person(query: str, label: str) -> None:
    value = {"name": "Ann Roe (chemist)", "aliases": ["Ann Roe"], "from_turn": None}
    assert Asked("Where did Ann Roe teach?", "referent", value).label(query) == label


def test_a_place_in_brackets_tells_namesakes_apart() -> None:
    value = {"name": "Orla Bank (Ghent)", "aliases": [], "from_turn": None}
    asked = Asked("Fees of Orla Bank (Ghent)?", "referent", value)
    assert asked.label("fees at Orla Bank in Ghent") == "stated"
    assert asked.label("fees at Orla Bank in Bruges") == "altered"
    assert asked.label("fees at Orla Bank") == "unsure"


@pytest.mark.parametrize(
    ("filters", "label"),
    [
        ({"entity": "Velden Trust"}, "filtered"),
        ({"entity": "Orla Bank"}, "altered"),
        ({"entity": {"ne": "Velden Trust"}}, "altered"),
        ({"entity": ["Velden Trust", "Orla Bank"]}, "unsure"),
    ],
)
def test_a_filter_carries_the_referent_or_another(filters: dict, label: str) -> None:
    assert TRUST.label("yearly earnings", filters=filters) == label


SOLBERG = Asked(
    "What did Solberg earn in Lund?",
    "referent",
    {"name": "Solberg", "aliases": [], "from_turn": None},
    "Solberg",
)


@pytest.mark.parametrize(
    "query",
    [
        "earnings of Solberg's rivals",
        "earnings of Solberg's largest customer",
        "earnings of Solberg's founder's firm",
        "parent of Solberg",
        "supplier to the Solberg group",
        "a former Solberg affiliate",
        "mills like Solberg",
        "mills owned by Solberg",
        "ex-Solberg earnings",
    ],
)
def test_a_name_that_leads_to_another_thing_is_altered(query: str) -> None:
    assert SOLBERG.label(query) == "altered"


@pytest.mark.parametrize(
    "query",
    ["the fund that owns Solberg", "Solberg-backed mill in Lund", "mills larger than Solberg"],
)
def test_a_name_that_points_to_another_thing_is_unsure(query: str) -> None:
    assert SOLBERG.label(query) == "unsure"


@pytest.mark.parametrize(
    "query", ["Solberg's earnings in Lund", "Solberg revenue", "Solberg, Lund"]
)
def test_the_named_thing_itself_is_stated(query: str) -> None:
    assert SOLBERG.label(query) == "stated"


def test_a_relation_that_the_request_asks_for_is_no_doubt() -> None:
    asked = Asked(
        "Who are Solberg's rivals?",
        "referent",
        {"name": "Solberg", "aliases": [], "from_turn": None},
        "Solberg",
    )
    assert asked.label("rivals of Solberg") == "stated"


def test_one_slip_in_a_short_word_of_a_name_is_unsure() -> None:
    asked = Asked("Who runs Harbor Rail?", "referent", {"name": "Harbor Rail"}, "Harbor Rail")
    assert asked.judge("Harbor Rial owner").judgement == "unsure"
    assert asked.judge("Harbor Mail owner").judgement == "altered"


def test_the_place_of_a_thing_is_not_the_thing() -> None:
    quay = Asked(
        "Fee at the town quay of Dunmouth?",
        "referent",
        {"name": "town quay of Dunmouth"},
        "town quay of Dunmouth",
    )
    assert quay.judge("fee in the town of Dunmouth").judgement != "stated"
    assert quay.judge("Dunmouth town quay fee").judgement == "stated"
    town = Asked("Who runs the town of Dunmouth?", "referent", {"name": "town of Dunmouth"})
    assert town.judge("who runs the town quay of Dunmouth").judgement != "stated"
