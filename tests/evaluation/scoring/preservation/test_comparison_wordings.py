"""Rewrites in many styles and what they do to a comparison. The labels follow from the definitions
of `stated`, `altered` and `dropped` alone and were set before the matcher was tuned."""

from typing import Any

import pytest

from tests.evaluation.scoring.preservation.judging import Asked


def compared(text: str, direction: str, *sets: str, **more: Any) -> Asked:
    value = {"sets": list(sets), "direction": direction, "measure": more.pop("measure", None)}
    return Asked(text, "comparison", value, **more)


LAKES = compared("Is Lake Orrin deeper than Lake Tull?", "higher", "Lake Orrin", "Lake Tull")
PLAYS = compared(
    "Which was staged first, The Salt Road or Winter Glass?",
    "earlier",
    "The Salt Road",
    "Winter Glass",
)
CITIES = compared(
    "Which city has more trams, Brunnau or Kelz?", "higher", "Brunnau", "Kelz", measure="trams"
)
OILS = compared(
    "What is the difference between linseed oil and tung oil?",
    "difference",
    "linseed oil",
    "tung oil",
)
SINGERS = compared(
    "Who is younger, Petra Lund or Gail Moss?", "later", "Petra Lund", "Gail Moss", measure="age"
)
BORN = compared(
    "Were Ivo Brand and Mats Rehn born in the same town?", "same", "Ivo Brand", "Mats Rehn"
)
EXPORTS = compared("Did timber exports from Varn increase?", "increase", "timber exports")
STAFF = compared("Has the staff of the mill shrunk?", "decrease", "staff")
FEES = compared(
    "Are night fares higher than day fares in Kelz?", "higher", "night fares", "day fares"
)
WOODS = compared(
    "How do oak floors compare with cork floors?", "difference", "oak floors", "cork floors"
)

WORDINGS = [
    (LAKES, ["lake tull shallower than lake orrin"], "stated"),
    (LAKES, ["Is the depth of Lake Orrin greater than that of Lake Tull?"], "stated"),
    (LAKES, ["depth of Lake Orrin", "depth of Lake Tull", "deeper lake Orrin or Tull"], "stated"),
    (LAKES, ["Does Lake Orrin exceed Lake Tull in depth?"], "stated"),
    (PLAYS, ["earlier premiere: Winter Glass or The Salt Road"], "stated"),
    (PLAYS, ["The Salt Road vs Winter Glass, which premiered first?"], "stated"),
    (
        PLAYS,
        ["premiere of The Salt Road", "premiere of Winter Glass", "which one is older"],
        "stated",
    ),
    (CITIES, ["Does Brunnau or Kelz have the larger number of trams"], "stated"),
    (CITIES, ["most trams Kelz Brunnau"], "stated"),
    (CITIES, ["Brunau or Kelz, more trams?"], "stated"),
    (OILS, ["linseed vs tung oil"], "stated"),
    (OILS, ["tung oil compared to linseed oil"], "stated"),
    (OILS, ["How do linseed and tung oils differ?"], "stated"),
    (OILS, ["pros and cons linseed oil tung oil difference"], "stated"),
    (OILS, ["Linseed oil dries slowly, whereas tung oil forms a harder film."], "stated"),
    (SINGERS, ["younger singer: Gail Moss or Petra Lund"], "stated"),
    (
        SINGERS,
        ["Petra Lund birth date", "Gail Moss birth date", "Lund or Moss born later"],
        "stated",
    ),
    (BORN, ["do Mats Rehn and Ivo Brand share the same birthplace"], "stated"),
    (BORN, ["Ivo Brand Mats Rehn identical town of birth?"], "stated"),
    (EXPORTS, ["growth in timber exports from Varn"], "stated"),
    (EXPORTS, ["Varn timber exports rose"], "stated"),
    (EXPORTS, ["timber exports Varn upward trend"], "stated"),
    (STAFF, ["mill staff reduction"], "stated"),
    (STAFF, ["staff of the mill has decreased"], "stated"),
    (FEES, ["day fares lower than night fares Kelz"], "stated"),
    (FEES, ["are night fares in Kelz more expensive than day fares"], "stated"),
    (WOODS, ["cork versus oak floors"], "stated"),
    # another set, or the other direction
    (LAKES, ["Is Lake Tull deeper than Lake Orrin?"], "altered"),
    (LAKES, ["Is Lake Orrin shallower than Lake Tull?"], "altered"),
    (LAKES, ["Is Lake Orrin deeper than Lake Vess?"], "altered"),
    (PLAYS, ["Which was staged last, The Salt Road or Winter Glass?"], "altered"),
    (PLAYS, ["Which was staged first, The Salt Road or Summer Glass?"], "altered"),
    (CITIES, ["Which city has fewer trams, Brunnau or Kelz?"], "altered"),
    (CITIES, ["more trams: Brunnau or Oderstedt"], "altered"),
    (OILS, ["difference between linseed oil and walnut oil"], "altered"),
    (SINGERS, ["Who is older, Petra Lund or Gail Moss?"], "altered"),
    (SINGERS, ["Who is younger, Petra Lund or Nora Moss?"], "altered"),
    (BORN, ["Were Ivo Brand and Karl Rehn born in the same town?"], "altered"),
    (EXPORTS, ["Did timber exports from Varn fall?"], "altered"),
    (STAFF, ["mill staff growth"], "altered"),
    (FEES, ["Are night fares lower than day fares in Kelz?"], "altered"),
    (FEES, ["Are night fares higher than weekend fares in Kelz?"], "altered"),
    (WOODS, ["oak floors versus bamboo floors"], "altered"),
    # a set gone, nothing in its place
    (LAKES, ["How deep is Lake Orrin?"], "dropped"),
    (LAKES, ["deeper lake Tull"], "dropped"),
    (PLAYS, ["When was The Salt Road first staged?"], "dropped"),
    (CITIES, ["number of trams in Kelz"], "dropped"),
    (CITIES, ["Which city has more trams?"], "dropped"),
    (OILS, ["properties of tung oil"], "dropped"),
    (OILS, ["What is the difference between the two oils?"], "dropped"),
    (SINGERS, ["age of Petra Lund"], "dropped"),
    (SINGERS, ["who is the younger one"], "dropped"),
    (BORN, ["In which town was Ivo Brand born?"], "dropped"),
    (FEES, ["night fares in Kelz"], "dropped"),
    (WOODS, ["cork floors"], "dropped"),
]


@pytest.mark.parametrize(("asked", "queries", "label"), WORDINGS)
def test_a_wording_does_to_the_comparison_what_the_definitions_say(
    asked: Asked, queries: list[str], label: str
) -> None:
    assert asked.label(*queries) == label
