"""Names and denials written otherwise: ordinals, umlauts, half an hour, fields, bare titles.

The labels follow from the definitions: another notation states, another name is altered, a bare
noun states no referent, and a filter with the opposite value is altered.
"""

from typing import Any

import pytest

from tests.evaluation.scoring.preservation.judging import Asked, amount


def named(text: str, name: str, *turns: str, words: str | None = None) -> Asked:
    value = {"name": name, "aliases": [], "from_turn": 0 if turns else None, "unresolved": False}
    return Asked(text, "referent", value, words or name, turns=turns)


def denied(text: str, words: str, target: str, mode: str = "negate") -> Asked:
    return Asked(text, "polarity", {"mode": mode, "target": target}, words)


FIFTH = named("Who first played it?", "Fifth Sonata", "When was the Fifth Sonata written?",
              words="it")  # fmt: skip
LUEN = named("Trams in Lün", "Lün")
AARD = named("Who runs the Aardal clinic?", "Aardal clinic")
LINDT = named("Trains to Linnau", "Linnau")
JUDGE = named("Was he ever fined?", "Judge Pavel Orr", "Who is Judge Pavel Orr?", words="he")
SHORT = Asked("Quartets that last over half an hour", "quantity", amount(">", 0.5, unit="hour"),
              "over half an hour")  # fmt: skip
NUTS = denied("Cakes free of eggs", "free of eggs", "eggs")
FREE = denied("Museums where entry is not free, barring Mondays", "barring Mondays", "Mondays",
              "exclude")  # fmt: skip
LEAD = denied("Solders that contain no lead", "contain no lead", "contain lead")
MODULES = Asked("Optional drills of the Kelda fire course", "status",
                {"value": "optional", "rivals": ["assessed"]}, "Optional")  # fmt: skip
BOOK = Asked("What does the planning handbook say on sheds over 3 m?", "evidence",
             {"source": "planning handbook"}, "planning handbook")  # fmt: skip

LABELLED: list[tuple[Asked, str, dict[str, Any], str]] = [
    (FIFTH, "first performer of the 5th Sonata", {}, "stated"),
    (FIFTH, "first performer of Sonata No. 5", {}, "stated"),
    (FIFTH, "first performer of the 6th Sonata", {}, "altered"),
    (LUEN, "trams in Luen", {}, "stated"),
    (AARD, "head of the Aardal clinc", {}, "stated"),
    (AARD, "head of the Aardal warehouse", {}, "altered"),
    (LINDT, "trains to Linnua", {}, "stated"),
    (LINDT, "trains to Linnou", {}, "unsure"),
    (JUDGE, "was the judge ever fined", {}, "dropped"),
    (JUDGE, "was the judge Orr ever fined", {}, "stated"),
    (SHORT, "quartets longer than 30 minutes", {}, "stated"),
    (SHORT, "quartets shorter than half an hour", {}, "altered"),
    (NUTS, "cakes", {"contains_eggs": False}, "filtered"),
    (NUTS, "cakes", {"has_eggs": True}, "altered"),
    (NUTS, "cakes", {"egg_colour": False}, "dropped"),
    (FREE, "museums where entry is free", {}, "dropped"),
    (FREE, "museums where entry is not free except on Mondays", {}, "stated"),
    (LEAD, "lead solders", {}, "altered"),
    (LEAD, "lead-free solders", {}, "stated"),
    (MODULES, "elective drills of the Kelda fire course", {}, "stated"),
    (MODULES, "mandatory drills of the Kelda fire course", {}, "altered"),
    (BOOK, "sheds over 300 cm planning handbook", {}, "stated"),
    (BOOK, "who wrote the planning handbook on sheds", {}, "unsure"),
]


@pytest.mark.parametrize(("asked", "query", "filters", "label"), LABELLED)
def test_the_definitions_decide(
    asked: Asked, query: str, filters: dict[str, Any], label: str
) -> None:
    assert asked.label(query, filters=filters) == label


def test_a_bound_said_as_half_an_hour_is_no_addition() -> None:
    assert SHORT.judge_all("quartets longer than 30 minutes").added == ()
