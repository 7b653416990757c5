"""Names, places and kinds of things."""

from evaluation.scoring.preservation.names.names import own_places
from tests.evaluation.scoring.preservation.judging import Asked
from tests.evaluation.scoring.preservation.roles.registry import (
    SEALED,
    SOLBERG,
    TRUST,
    added,
    role,
)


@role("legal_forms")
def a_legal_form_makes_no_longer_name(phrase: str, _: str) -> None:
    for form in (phrase.upper(), phrase.capitalize()):
        assert TRUST.label(f"dams of Velden Trust {form}") == "stated"


@role("likeness")
def others_of_its_kind_are_not_the_thing_itself(phrase: str, _: str) -> None:
    assert TRUST.label(f"dams of firms {phrase} Velden Trust") in ("altered", "unsure")


@role("likeness_sure")
def these_leave_the_thing_itself_out_for_certain(phrase: str, _: str) -> None:
    assert TRUST.label(f"dams of firms {phrase} Velden Trust") == "altered"


@role("relations")
def a_name_may_only_point_to_another_thing(phrase: str, _: str) -> None:
    assert SOLBERG.label(f"dams Solberg {phrase}") in ("altered", "unsure")


@role("other_houses")
def another_house_is_another_thing(phrase: str, _: str) -> None:
    assert TRUST.label(f"dams Velden Trust {phrase}") == "altered"


@role("kinds_of_thing")
def a_kind_does_not_tell_a_name_from_others(phrase: str, _: str) -> None:
    assert own_places(f"Solberg {phrase.capitalize()}") == (0,)


@role("any_kind")
def a_wide_kind_makes_no_other_thing_of_a_name(phrase: str, _: str) -> None:
    assert SOLBERG.label(f"dams of the Solberg {phrase}") == "stated"


@role("plain_adjectives")
def an_adjective_makes_no_other_thing_of_a_kind(phrase: str, _: str) -> None:
    asked = Asked("bamboo floors", "referent", {"name": "bamboo floors", "aliases": []})
    assert asked.label("cork floors") == "altered"
    assert asked.label(f"{phrase} floors") != "altered"


@role("titles")
def a_title_is_no_part_of_a_name(phrase: str, _: str) -> None:
    asked = Asked("letters of Anna Roe", "referent", {"name": "Anna Roe", "aliases": []})
    assert asked.label(f"letters of {phrase.capitalize()} Anna Roe") == "stated"


@role("name_openers", "name_roles")
def a_name_after_it_is_added(phrase: str, _: str) -> None:
    assert added(SEALED, f"sealed leases {phrase} Talbrook") == ["referent"]


@role("no_names")
def a_capital_that_names_nothing_is_not_added(phrase: str, _: str) -> None:
    assert added(SEALED, "sealed leases by Talbrook") == ["referent"]
    assert "referent" not in added(SEALED, f"sealed leases by {phrase.capitalize()}")


@role("place_openers")
def a_place_after_it_is_added(phrase: str, _: str) -> None:
    assert added(SEALED, f"sealed leases {phrase} Norway") == ["referent"]


@role("places")
def a_place_is_added_unless_the_request_has_it(phrase: str, _: str) -> None:
    place = phrase.upper() if len(phrase) < 4 else phrase.title()
    assert added(SEALED, f"sealed leases in {place}") == ["referent"]
    asked = Asked(f"sealed leases in {place}", "status", {"value": "sealed", "rivals": []})
    assert added(asked, f"sealed leases in {place}") == []


@role("place_adjectives")
def an_adjective_of_a_place_is_added(phrase: str, _: str) -> None:
    assert added(SEALED, f"sealed {phrase.title()} leases") == ["referent"]


@role("search_fields")
def a_filter_that_steers_the_search_adds_nothing(phrase: str, _: str) -> None:
    assert added(SEALED, "sealed leases", {phrase: "Talbrook"}) == []


@role("topic_fields")
def a_topic_is_vocabulary_unless_it_is_a_name(phrase: str, _: str) -> None:
    assert added(SEALED, "sealed leases", {phrase: "wool trade"}) == []
    assert added(SEALED, "sealed leases", {phrase: "Talbrook"}) == ["referent"]


@role("daughters")
def a_daughter_is_not_its_house(phrase: str, _: str) -> None:
    name = f"Velden Trust {phrase.capitalize()}"
    asked = Asked(f"dams of {name}", "referent", {"name": name, "aliases": []}, name)
    assert asked.label(f"dams of {name}") == "stated"
    assert asked.label("dams of Velden Trust") == "altered"


@role("adjective_openers")
def the_adjective_of_a_place_restricts_after_it(phrase: str, _: str) -> None:
    assert added(SEALED, f"sealed leases {phrase} Austrian law") == ["referent"]


@role("german_words")
def capitals_name_nothing_in_a_german_text(phrase: str, _: str) -> None:
    assert added(SEALED, f"sealed leases by Talbrook {phrase}") == []
