"""Statuses, sources, and words that mean nothing here."""

from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.sources import source_families
from evaluation.scoring.preservation.standings.statuses import families, is_slip, opposites
from tests.evaluation.scoring.preservation.judging import Asked
from tests.evaluation.scoring.preservation.roles.registry import (
    SEALED,
    SOLBERG,
    TIDES,
    TRUST,
    added,
    entries,
    role,
)

# ---------------------------------------------------------------- statuses


@role("statuses")
def a_status_is_found_as_a_rival_and_as_an_addition(phrase: str, _: str) -> None:
    asked = Asked("sealed leases", "status", {"value": "sealed", "rivals": [phrase]}, "sealed")
    assert asked.label(f"{phrase} leases") == "altered"
    assert added(TRUST, f"{phrase} dams of Velden Trust") == ["status"]


@role("states")
def a_state_before_a_noun_of_the_request_is_added(phrase: str, _: str) -> None:
    assert added(TRUST, f"{phrase} dams of Velden Trust") == ["status"]


@role("status_kin")
def a_status_that_the_request_says_otherwise_is_not_added(phrase: str, meaning: str) -> None:
    assert added(SOLBERG, f"{phrase} dams of Solberg") == ["status"]
    for kin in meaning.split():
        asked = Asked(f"{kin} dams of Solberg", "referent", SOLBERG.value, "Solberg")
        assert added(asked, f"{phrase} dams of Solberg") == []


@role("status_families")
def a_status_has_its_families(phrase: str, meaning: str) -> None:
    assert families(phrase) == set(meaning.split())


@role("status_opposites")
def families_are_opposites(phrase: str, meaning: str) -> None:
    named = {one for _, names in entries("status_families") for one in names.split()}
    assert {phrase, *meaning.split()} <= named
    for word, names in entries("status_families"):
        if phrase in names.split():
            assert set(meaning.split()) <= opposites(word)


@role("confusable_slips")
def a_word_of_its_own_is_no_slip(phrase: str, _: str) -> None:
    swapped = phrase[:1] + phrase[2:3] + phrase[1:2] + phrase[3:]
    assert not is_slip(phrase, swapped)


@role("status_carriers")
def a_carrier_stands_for_the_thing_itself(phrase: str, _: str) -> None:
    assert SEALED.label(f"leases sealed {phrase}") == "stated"


@role("status_qualifiers")
def a_qualified_status_is_for_a_person(phrase: str, _: str) -> None:
    assert SEALED.label(f"leases {phrase} sealed") == "unsure"


# ---------------------------------------------------------------- sources


@role("sources")
def a_status_before_a_source_is_its_own(phrase: str, meaning: str) -> None:
    assert added(TRUST, "dams of Velden Trust interim") == ["status"]
    assert "status" not in added(TRUST, f"dams of Velden Trust interim {phrase}")
    if meaning == "informal":
        assert TIDES.label(f"wrecks according to the {phrase}") == "altered"


@role("source_cues")
def a_cited_source_forbids_dropped(phrase: str, _: str) -> None:
    assert TIDES.label(f"wrecks {phrase} Zorn") not in ("dropped", "stated")


@role("authorities")
def somebody_else_is_cited_in_the_place_of_a_record(phrase: str, meaning: str) -> None:
    person = meaning == "person"
    value = {"source": "harbour log" if person else "coroner's report"}
    asked = Asked(f"wrecks per the {value['source']}", "evidence", value, f"the {value['source']}")
    expected = "unsure" if phrase == "coroner" else "altered"
    assert asked.label(f"wrecks according to the {phrase}") == expected


@role("source_openers")
def a_source_is_asked_for(phrase: str, _: str) -> None:
    assert TIDES.label(f"wrecks {phrase} the tide log") == "stated"


@role("saying", "source_results")
def a_source_says(phrase: str, _: str) -> None:
    assert TIDES.label(f"the tide log {phrase} wrecks") == "stated"


@role("source_families", "own_sources")
def a_source_has_its_families(phrase: str, meaning: str) -> None:
    assert source_families(phrase) == set(meaning.split())


@role("topical_sources")
def a_source_that_is_mostly_a_topic_cites_nothing(phrase: str, _: str) -> None:
    asked = Asked("wrecks per the gazette", "evidence", {"source": "gazette"}, "the gazette")
    assert asked.label(f"the {phrase} and wrecks of") == "dropped"
    assert asked.label("the diary and wrecks of") == "altered"


@role("source_twins")
def a_twin_of_the_noun_names_the_same_source(phrase: str, group: str) -> None:
    groups = set(group.split())
    others = [
        one
        for one, names in entries("source_twins")
        if groups & set(names.split()) and one != phrase
    ]
    assert others
    for other in others:
        value = {"source": f"harbour {other}"}
        asked = Asked(f"wrecks per the harbour {other}", "evidence", value, f"harbour {other}")
        assert asked.label(f"wrecks per the harbour {phrase}") == "stated"


@role("source_fillers")
def a_word_put_into_a_source_makes_it_no_other(phrase: str, _: str) -> None:
    assert TIDES.label(f"wrecks per the tide {phrase} log") == "stated"


@role("source_documents")
def a_kind_of_source_that_nobody_asked_for_is_added(phrase: str, _: str) -> None:
    assert added(TRUST, f"dams of Velden Trust according to the {phrase}") == ["evidence"]


@role("citing")
def a_cited_source_that_nobody_asked_for_is_added(phrase: str, _: str) -> None:
    assert added(TRUST, f"dams of Velden Trust {phrase} newspapers") == ["evidence"]


@role("document_openers")
def a_document_after_it_is_added(phrase: str, _: str) -> None:
    assert added(TRUST, f"dams of Velden Trust {phrase} the newspapers") == ["evidence"]


@role("after_documents")
def a_document_may_be_followed_by_it(phrase: str, _: str) -> None:
    query = f"dams of Velden Trust in the newspapers {phrase} storms"
    assert added(TRUST, query) == ["evidence"]


@role("source_fields")
def a_filter_with_a_source_adds_one(phrase: str, _: str) -> None:
    assert added(SEALED, "sealed leases", {phrase: "Talbrook"}) == ["evidence"]


# ---------------------------------------------------------------- words without a meaning here


@role("fillers", "openers", "operators_vocabulary", "stopwords")
def a_harmless_word_is_no_status(phrase: str, _: str) -> None:
    denies = any(phrase == word for word, _ in entries("negations")) or phrase == "without"
    assert SEALED.label(f"{phrase}, leases") == ("unsure" if denies else "dropped")
    assert added(SEALED, f"sealed leases {phrase}") == []


@role("same_sources")
def another_name_of_the_same_kind_of_source(phrase: str, group: str) -> None:
    others = [one for one, names in entries("same_sources") if names == group and one != phrase]
    asked = Asked("how many left", "evidence", {"source": phrase})
    assert others
    for other in others:
        assert asked.label(f"how many left, {other}") == "stated"


@role("qualifier_kin")
def a_source_with_a_kindred_qualifier_may_be_the_same(phrase: str, meaning: str) -> None:
    kin = lexicon.table("qualifier_kin")
    others = [one for one, group in kin.items() if group == meaning and one != phrase]
    asked = Asked("how many left", "evidence", {"source": f"{phrase} report"})
    assert others and asked.label(f"how many left, {others[0]} report") in ("stated", "unsure")
