import pytest

from contracts.twins import Known, names
from tests.contracts.twins.asking import changes, flips, value_of, words_of

KNOWN = Known(
    names=("Harbor Rail", "Harbor Freight", "Harbor Rail Services", "Ormskar works"),
    groups=(("Harbor Rail", "Acme Group"), ("Velden Bank", "Oke Trust"), ("Rail Ltd", "Kestrels")),
)
RAIL = {"name": "Harbor Rail"}


@pytest.mark.parametrize(
    ("name", "text", "twin"),
    [
        ("Harbor Rail", "What did [Harbor Rail] earn?", "What did Acme Group earn?"),
        ("Harbor Rail", "What did [Harbor Rail] earn?", "What did Harbor Freight earn?"),
        ("Harbor Rail", "What did [Harbor Rail] earn?", "What did Harbor Rail Services earn?"),
        ("Harbor Rail", "what did [harbor rail] earn?", "what did acme group earn?"),
        ("Harbor Rail", "Is it [a Harbor Rail] line?", "Is it an Acme Group line?"),
        ("Kestrels", "Are [Kestrels]' fares up?", "Are Rail Ltd's fares up?"),
        ("Rail Ltd", "Are [Rail Ltd]’s fares up?", "Are Kestrels’ fares up?"),
        ("Velden Bank", "[VELDEN BANK] ceo?", "OKE TRUST ceo?"),
    ],
)
def test_a_name_is_flipped_to_one_of_its_group_or_one_that_is_called_alike(
    name: str, text: str, twin: str
) -> None:
    found = [one for one in flips("referent", {"name": name}, text, known=KNOWN)]
    assert twin in {one.texts[0] for one in found if one.family == "organisation"}


def test_the_name_is_flipped_in_every_turn() -> None:
    turns = ("Who owns [Harbor Rail]?", "Velden owns Harbor Rail.", "And its profit?")
    found = {one.now: one for one in flips("referent", RAIL, *turns, known=KNOWN)}
    twin = found["Acme Group"]
    assert twin.texts == ("Who owns Acme Group?", "Velden owns Acme Group.", "And its profit?")
    assert (words_of(twin), value_of(twin)["name"]) == ("Acme Group", "Acme Group")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("What did [it] earn?", RAIL),
        ("What did [Harbor Rail] earn, and Acme Group?", RAIL),
        ("What did [Harbor Rail] or HR earn?", RAIL | {"aliases": ["HR"]}),
        ("Does [Harbor Rail] own Harbor Rail Services?", RAIL),
        ("What did [HaRbOr RaIl] earn?", RAIL),
        ("كم ربحت شركة [Harbor Rail] في السنة الماضية من عملياتها؟", RAIL),
        ("What did [Harbor] earn?", {"name": "Harbor or Acme Group", "unresolved": True}),
    ],
)
def test_nothing_is_proposed_where_another_name_would_stay_wrong(
    text: str, value: dict[str, object]
) -> None:
    assert "Acme Group" not in changes(flips("referent", value, text, known=KNOWN), "organisation")


def test_a_name_that_nothing_is_like_has_no_twin() -> None:
    assert flips("referent", {"name": "Solo"}, "What did [Solo] earn?", known=KNOWN) == ()


def test_without_the_studys_names_nothing_is_proposed() -> None:
    assert flips("referent", RAIL, "What did [Harbor Rail] earn?") == ()


def test_of_many_names_alike_all_lead_back() -> None:
    known = Known(names=tuple(f"Harbor Line {letter}" for letter in "ABCDEFGHIJKLMNOP"))
    found = flips("referent", {"name": "Harbor Line P"}, "Who runs [Harbor Line P]?", known=known)
    assert len(changes(found, "organisation")) == 15


def test_each_name_of_a_large_study_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    many = tuple(f"Harbor Unit{n}" for n in range(2500)) + tuple(f"Unit{n}" for n in range(2500))
    large = Known(names=("Harbor Rail", *many), groups=(("Harbor Rail", *many[:2500]),))
    read: list[str] = []
    split = names.split
    monkeypatch.setattr(names, "split", lambda joined: read.append(joined) or split(joined))
    folds: list[object] = []
    folded = names.folded
    monkeypatch.setattr(names, "folded", lambda value: folds.append(value) or folded(value))
    flips("referent", RAIL, "What did [Harbor Rail] earn?", known=large)
    assert len(read) == len(large.names) + 2501  # the names, and those of the group
    assert len(folds) < 2 * len(read)


@pytest.mark.parametrize("place", [0, 1200, 2500])
def test_of_very_many_alike_the_nearest_are_proposed_and_lead_back(place: int) -> None:
    many = [f"Harbor Unit{n}" for n in range(2500)]
    known = Known(names=(*many[:place], "Harbor Rail", *many[place:]))
    found = flips("referent", RAIL, "What did [Harbor Rail] earn?", known=known)
    assert len(changes(found, "organisation")) == names.NEAR


def test_names_that_share_the_first_word_come_before_those_that_share_the_last() -> None:
    rails = tuple(f"Place{n} Rail" for n in range(names.MOST))
    known = Known(names=("Harbor Rail", *rails, "Harbor Freight"))
    assert names.others_like("Harbor Rail", known)[:2] == ("Harbor Freight", "Place0 Rail")
