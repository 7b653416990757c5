"""Rewrites in many styles and what they do to a referent. The labels follow from the definitions of
`stated`, `altered` and `dropped` alone and were set before the matcher was tuned."""

from typing import Any

import pytest

from tests.evaluation.scoring.preservation.judging import Asked


def named(text: str, name: str, words: str | None = None, **more: Any) -> Asked:
    value = {"name": name, "aliases": more.pop("aliases", []), "from_turn": more.pop("turn", None)}
    return Asked(text, "referent", value, words if words is not None else name, **more)


FERRY = named("How many passengers did Halvorsen Ferries carry?", "Halvorsen Ferries")
BANK = named(
    "What deposits does the Marrow Vale Savings Bank hold?",
    "Marrow Vale Savings Bank",
    aliases=["MVSB"],
)
AGENCY = named(
    "What fines did the Coastal Waters Protection Agency impose?",
    "Coastal Waters Protection Agency",
)
POET = named("Which prizes did Ilse Tarnowska win?", "Ilse Tarnowska")
PLACE = named("What is the population of Château-Brûlant?", "Château-Brûlant")
DRUG = named("What are the side effects of relostatin?", "relostatin")
UNIT = named(
    "What did Pinder Logistics GmbH, the subsidiary of Pinder Group, invest?",
    "Pinder Logistics GmbH",
)
BAND = named(
    "When did they release their second album?",
    "The Copper Foxes",
    "they",
    turn=0,
    turns=("Who founded The Copper Foxes?", "Marta Quill founded The Copper Foxes in Ardmoor."),
)
RIVER = named(
    "How long is it?",
    "Oskel River",
    "it",
    turn=1,
    turns=("Where does the Tamber River rise?", "And where does the Oskel River flow?"),
)
TWO_FIRMS = named(
    "And what did it pay its director?",
    "Brackwell Foundry",
    "it",
    turn=2,
    turns=(
        "What did Sunder Mills earn?",
        "Sunder Mills earned 4 million.",
        "Did Brackwell Foundry earn more?",
    ),
)
DOCTOR = named("Where did Dr. Anselm Roth practise?", "Anselm Roth")
MUSEUM = named(
    "When does the Harrow Lane Museum of Clocks open?",
    "Harrow Lane Museum of Clocks",
)
PORT = named("What is the depth of the harbour at Lindewitt?", "Lindewitt")
LAW = named("Who must register under the Riverbank Use Act?", "Riverbank Use Act")
SOFT = named("Does TideMapper 3 read shapefiles?", "TideMapper 3")
CAT = named(
    "Are grey-legged marmosets endangered?", "grey-legged marmoset", "grey-legged marmosets"
)
CAPTAIN = named(
    "When did he die?",
    "Tobias Erle",
    "he",
    turn=0,
    turns=("Tobias Erle commanded the Ondine; his brother Ruprecht Erle built it.",),
)

WORDINGS = [
    # names, inflected, folded, hyphenated, abbreviated
    (FERRY, ["halvorsen ferries passengers carried"], "stated"),
    (FERRY, ["Halvorsen Ferries' passenger numbers"], "stated"),
    (FERRY, ["halvorsen ferry passenger statistics"], "stated"),
    (FERRY, ["Halversen Ferries passengers"], "stated"),
    (FERRY, ["passengers carried by HALVORSEN-FERRIES"], "stated"),
    (
        FERRY,
        ["ridership figures of the shipping company Halvorsen Ferries, annual report"],
        "stated",
    ),
    (BANK, ["MVSB deposits total"], "stated"),
    (BANK, ["deposits of the Marow Vale Savings Bank"], "stated"),
    (BANK, ["how much money is deposited at marrow vale savings bank"], "stated"),
    (AGENCY, ["CWPA fines imposed"], "stated"),
    (AGENCY, ["penalties issued by the coastal waters protection agency"], "stated"),
    (POET, ["Ilse Tarnowska's literary awards"], "stated"),
    (POET, ["prizes won by Ilse Tarnowksa"], "stated"),
    (POET, ["Tarnowska, Ilse: list of awards"], "stated"),
    (PLACE, ["chateau brulant inhabitants"], "stated"),
    (PLACE, ["how many people live in Chateau-Brulant"], "stated"),
    (DRUG, ["relostatine adverse effects"], "stated"),
    (DRUG, ["RELOSTATIN side-effects profile", "adverse reactions"], "stated"),
    (UNIT, ["capital spending Pinder Logistics"], "stated"),
    (BAND, ["release date second album Copper Foxes"], "stated"),
    (BAND, ["When did The Copper Foxes, founded by Marta Quill, release album two?"], "stated"),
    (RIVER, ["length of the Oskel River in kilometres"], "stated"),
    (RIVER, ["How long is the river Oskel?"], "stated"),
    (TWO_FIRMS, ["Brackwell Foundry director pay"], "stated"),
    (TWO_FIRMS, ["Sunder Mills earnings", "Brackwell Foundry director salary"], "stated"),
    (DOCTOR, ["Doctor Anselm Roth medical practice location"], "stated"),
    (
        MUSEUM,
        ["opening hours of Harrow Lane's clock museum (Harrow Lane Museum of Clocks)"],
        "stated",
    ),
    (PORT, ["harbor depth Lindewit"], "stated"),
    (LAW, ["riverbank use act registration duty"], "stated"),
    (SOFT, ["TideMapper 3 shapefile support"], "stated"),
    (SOFT, ["tide mapper 3 shp import"], "stated"),
    (CAT, ["conservation status of the gray-legged marmoset"], "stated"),
    (CAPTAIN, ["death date of Tobias Erle"], "stated"),
    # another thing in its place
    (FERRY, ["passengers carried by Halvorsen Coaches"], "altered"),
    (FERRY, ["How many passengers did Larsmo Ferries carry?"], "altered"),
    (BANK, ["deposits at Dunmere Savings Bank"], "altered"),
    (AGENCY, ["fines imposed by the Coastal Roads Protection Agency"], "altered"),
    (POET, ["prizes won by Jurek Tarnowska"], "altered"),
    (UNIT, ["What did Pinder Group invest?"], "altered"),
    (UNIT, ["investments of Pinder Logistics GmbH's parent company"], "altered"),
    (BAND, ["When did Marta Quill release her second album?"], "altered"),
    (RIVER, ["How long is the Tamber River?"], "altered"),
    (TWO_FIRMS, ["What did Sunder Mills pay its director?"], "altered"),
    (DOCTOR, ["Where did Anselm Kessler practise?"], "altered"),
    (PORT, ["What is the depth of the harbour at Norvik?"], "altered"),
    (LAW, ["Who must register under the Riverbank Drainage Act?"], "altered"),
    (SOFT, ["Does TideMapper 2 read shapefiles?"], "altered"),
    (CAPTAIN, ["When did Ruprecht Erle die?"], "altered"),
    # nothing of it left
    (FERRY, ["How many passengers did the company carry?"], "dropped"),
    (FERRY, ["passengers carried per year"], "dropped"),
    (BANK, ["What deposits does the bank hold?"], "dropped"),
    (AGENCY, ["which fines did the agency impose"], "dropped"),
    (AGENCY, ["fines imposed list"], "dropped"),
    (POET, ["Which prizes did she win?"], "dropped"),
    (PLACE, ["What is the population of the town?"], "dropped"),
    (UNIT, ["What did the subsidiary invest?"], "dropped"),
    (BAND, ["When did they release their second album?"], "dropped"),
    (BAND, ["second album release date of the band"], "dropped"),
    (RIVER, ["How long is the river?"], "dropped"),
    (TWO_FIRMS, ["director pay at that company"], "dropped"),
    (MUSEUM, ["museum opening hours"], "dropped"),
    (LAW, ["Who must register under this act?"], "dropped"),
    (CAPTAIN, ["When did the captain die?"], "dropped"),
    (PORT, ["harbour depth chart"], "dropped"),
]


def test_an_unknown_plain_word_in_the_place_may_be_another_name() -> None:
    """Another drug, or the same by another name: only somebody who knows drugs can tell."""
    assert DRUG.label("What are the side effects of pravelomide?") == "unsure"


@pytest.mark.parametrize(("asked", "queries", "label"), WORDINGS)
def test_a_wording_does_to_the_referent_what_the_definitions_say(
    asked: Asked, queries: list[str], label: str
) -> None:
    assert asked.label(*queries) == label
