import pytest

from contracts.twins import Known
from tests.contracts.twins.asking import changes, flips, value_of, words_of

WORKS = ("Is the Tarlow works open?", "Yes.", "And the Ormskar works?", "Yes, since May.")
ORMSKAR = {"name": "Ormskar works", "from_turn": 2}


def test_the_two_change_places_and_the_pronoun_stays() -> None:
    (twin,) = flips("referent", ORMSKAR, *WORKS, "How many work at [its] docks?")
    assert twin.texts[0] == "Is the Ormskar works open?"
    assert twin.texts[2:] == (
        "And the Tarlow works?", "Yes, since May.", "How many work at its docks?",
    )  # fmt: skip
    assert words_of(twin) == "its"
    assert value_of(twin).items() >= {"name": "Tarlow works", "from_turn": 2}.items()
    assert (twin.was, twin.now) == ("Ormskar works", "Tarlow works")


@pytest.mark.parametrize(
    ("turns", "value", "known"),
    [
        # Names that are not made alike are found in the study.
        (("Is Ann here?", "And Bob?", "Is [he] well?"), {"name": "Bob", "from_turn": 1}, ("Ann",)),
        (("Harbor Rail or not?", "Harbor Freight?", "Is [it] up?"),
         {"name": "Harbor Freight", "from_turn": 1}, ()),
        (("Is 🚆 Harbor Rail up?", "Harbor Freight’s up.", "Why is [it]?"),
         {"name": "Harbor Freight", "from_turn": 1}, ()),
        (("The Upper Weir?", "The Lower Weir?", "Who built [the weir]?"),
         {"name": "Lower Weir", "from_turn": 1}, ()),
    ],
)  # fmt: skip
def test_one_twin_for_two_that_were_mentioned(
    turns: tuple[str, ...], value: dict[str, object], known: tuple[str, ...]
) -> None:
    names = Known(names=(*known, str(value["name"]))) if known else Known()
    found = changes(flips("referent", value, *turns, known=names), "referent")
    assert len(found) == 1


@pytest.mark.parametrize(
    "turns",
    [
        # One only; the other mentioned last; named in the question; "the" before one of them only.
        ("Is the Ormskar works open?", "Yes.", "The Ormskar works?", "Yes.", "Is [it] big?"),
        (*WORKS[:3], "Not the Tarlow works.", "Is [it] big?"),
        (*WORKS, "Is [it] bigger than the Tarlow works?"),
        ("Is Tarlow works open?", "Yes.", "And the Ormskar works?", "Yes.", "Is [it] big?"),
    ],
)
def test_nothing_is_proposed_where_the_swap_would_not_turn_the_referent(
    turns: tuple[str, ...],
) -> None:
    assert changes(flips("referent", ORMSKAR, *turns), "referent") == {}


def test_a_request_of_one_turn_has_no_such_twin() -> None:
    value = {"name": "Ormskar works", "from_turn": None}
    assert flips("referent", value, "Is [it] bigger than the Tarlow works?") == ()
