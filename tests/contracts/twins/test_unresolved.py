import pytest

from contracts.twins import Known, propose
from tests.contracts.twins.asking import changes, flips, value_of, words_of

KNOWN = Known(names=("Harbor Rail", "Harbor Freight", "Ormskar works", "Tarlow works"))
RAIL = {"name": "Harbor Rail"}


def test_a_name_is_cut_to_what_two_share() -> None:
    found = flips("referent", RAIL, "What did [Harbor Rail] earn in 2022?", known=KNOWN)
    (twin,) = (one for one in found if one.family == "unresolved")
    assert (twin.texts, words_of(twin)) == (("What did Harbor earn in 2022?",), "Harbor")
    assert value_of(twin)["name"] == "Harbor Freight or Harbor Rail"
    assert value_of(twin)["unresolved"] is True
    assert twin.terms.ambiguity.unresolved
    assert twin.terms.ambiguity.readings == (
        "What did Harbor Freight earn in 2022?", "What did Harbor Rail earn in 2022?",
    )  # fmt: skip


def test_every_name_that_shares_it_is_a_reading() -> None:
    known = Known(names=(*KNOWN.names, "Harbor Grid"))
    found = flips("referent", RAIL, "What did [Harbor Rail] earn?", known=known)
    (twin,) = (one for one in found if one.family == "unresolved")
    assert value_of(twin)["name"] == "Harbor Freight, Harbor Grid or Harbor Rail"
    assert len(twin.terms.ambiguity.readings) == 3


def test_each_reading_leads_back_to_a_request_that_means_it() -> None:
    found = flips("referent", RAIL, "What did [Harbor Rail] earn?", known=KNOWN)
    (twin,) = (one for one in found if one.family == "unresolved")
    back = propose(twin.texts, twin.terms, "c1", KNOWN)
    assert {one.texts[0] for one in back} == {
        "What did Harbor Rail earn?", "What did Harbor Freight earn?",
    }  # fmt: skip
    assert not any(one.terms.ambiguity.unresolved for one in back)


def test_both_are_named_in_the_turn_that_named_one() -> None:
    turns = ("Where is the report of the Ormskar works?", "Here.", "How many ran [it] in 2022?")
    value = {"name": "Ormskar works", "from_turn": 0}
    (twin,) = flips("referent", value, *turns, known=KNOWN)
    assert twin.texts[0] == "Where is the report of the Ormskar works and the Tarlow works?"
    assert twin.texts[1:] == ("Here.", "How many ran it in 2022?")
    assert twin.terms.ambiguity.readings[1] == "How many ran the Tarlow works in 2022?"
    assert value_of(twin)["from_turn"] is None


@pytest.mark.parametrize(
    ("turns", "value"),
    [
        # A verb or an article that would have to change; "they" would mean both; named again later.
        (("Ormskar works is open.", "How big is [it]?"), {"from_turn": 0}),
        (("Is Ormskar works open?", "How big is [it]?"), {"from_turn": 0}),
        (("Tell me of Ormskar works.", "How big are [they]?"), {"from_turn": 0}),
        (("Of Ormskar works?", "Ormskar works.", "Is [it] up?"), {"from_turn": 0}),
        (("Of Ormskar works?", "Or Tarlow works?", "Is [it] up?"), {"from_turn": 0}),
        (("Of Ormskar works, please.", "Is [Ormskar works] up?"), {"from_turn": None}),
    ],
)
def test_nothing_is_proposed_where_two_would_not_fit(
    turns: tuple[str, ...], value: dict[str, object]
) -> None:
    found = flips("referent", {"name": "Ormskar works", **value}, *turns, known=KNOWN)
    assert changes(found, "unresolved") == {}


def test_a_word_that_names_a_kind_of_thing_is_no_name_by_itself() -> None:
    known = Known(names=("Project Lantern", "Project Sluice"))
    found = flips("referent", {"name": "Project Sluice"}, "Who runs [Project Sluice]?", known=known)
    assert changes(found, "unresolved") == {}
    assert changes(found, "organisation") == {"Project Lantern": "Project Sluice"}
