"""Filters, sub-queries and rates: what each does to a constraint, in invented requests.

The labels follow from the definitions: a filter with another value is altered, one sub-query that
states a constraint is enough, and a comparison is looked for in all sub-queries together.
"""

from typing import Any

import pytest

from tests.evaluation.scoring.preservation.judging import Asked, amount, time
from tests.evaluation.scoring.preservation.several.asking import (
    assert_labels,
    but,
    judged,
    number,
    status,
)


def referent(text: str, name: str) -> Asked:
    return Asked(text, "referent", {"name": name, "aliases": []}, name)


def compared(text: str, direction: str, *sets: str, measure: str | None = None) -> Asked:
    return Asked(
        text, "comparison", {"sets": list(sets), "direction": direction, "measure": measure}
    )


NORVIK = referent("Which singles did Norvik Records press?", "Norvik Records")
LATVIA = referent("Ice hockey results of Latvia", "Latvia")
ROUNDS = referent("ward rounds with tilvarin", "tilvarin")
RENT = Asked("Rooms below 70 euros", "quantity", amount("<", 70, currency="EUR"), "below 70 euros")
FARES = compared("Compare fares of Kelz Tram and Varn Tram", "difference",
                 "Kelz Tram", "Varn Tram", measure="fares")  # fmt: skip
COOLERS = compared("Is the copper cooler quieter than the fin cooler?", "lower",
                   "copper cooler", "fin cooler", measure="noise")  # fmt: skip
ONLY = Asked("Fines in 2019, ferries only", "polarity",
             {"mode": "exclude", "target": "everything but ferries"}, "ferries only")  # fmt: skip
FLOW = Asked("Weirs that pass over 30 cubic metres a second", "quantity",
             amount(">", 30, unit="cubic metres a second"),
             "over 30 cubic metres a second")  # fmt: skip
SPEED = Asked("Trains faster than 120 kilometres per hour", "quantity",
              amount(">", 120, unit="kilometres per hour", aggregation="rate"),
              "faster than 120 kilometres per hour")  # fmt: skip
THEFTS = Asked("Districts with a theft rate above 15 per 1,000 households", "quantity",
               amount(">", 15, unit="per 1,000 households", aggregation="rate"),
               "theft rate above 15 per 1,000 households")  # fmt: skip
TOURS = Asked("Chamber tours since autumn 2003", "time", time("since", "2003-09"),
              "since autumn 2003")  # fmt: skip
LETTERS = Asked("affidavits on the flood", "evidence", {"source": "affidavits"}, "affidavits")

LABELLED: list[tuple[Asked, tuple[str, ...], dict[str, Any], str]] = [
    # one word of a proper name replaced, in a filter as in a query
    (NORVIK, ("singles",), {"label": "Norvik Publishing"}, "altered"),
    (NORVIK, ("singles",), {"entity": "Norvik Studios"}, "altered"),
    (NORVIK, ("singles",), {"label": "Norvik Records"}, "filtered"),
    (NORVIK, ("singles",), {"label": "Norvik Record"}, "filtered"),
    (NORVIK, ("singles",), {"label": ["Norvik Studios", "Norvik Records"]}, "unsure"),
    # another place, and a field of its own kind
    (LATVIA, ("ice hockey results",), {"country": "Estonia"}, "altered"),
    (LATVIA, ("ice hockey results",), {"country": "Latvia"}, "filtered"),
    (LATVIA, ("ice hockey results",), {"league": "Premier"}, "dropped"),
    (ROUNDS, ("ward rounds",), {"drug": "Malvarox"}, "unsure"),
    (ROUNDS, ("ward rounds",), {"country": "Estonia"}, "dropped"),
    # money in a field that names its currency
    (RENT, ("rooms",), {"price_eur": {"lt": 70}}, "filtered"),
    (RENT, ("rooms",), {"price_eur": {"gt": 70}}, "altered"),
    (RENT, ("rooms",), {"price_usd": {"lt": 70}}, "altered"),
    (RENT, ("rooms",), {"price_euros": {"lt": 90}}, "altered"),
    (RENT, ("rooms",), {"games_won": {"lt": 90}}, "unsure"),
    (RENT, ("rooms",), {"price": {"lt": 90}}, "unsure"),
    # the same asked of each set, one query each
    (FARES, ("Kelz Tram fares", "Varn Tram fares"), {}, "stated"),
    (FARES, ("fares of the Varn Tram", "fares Kelz Tram", "tram history"), {}, "stated"),
    (FARES, ("Kelz Tram fares", "Varn Tram timetable"), {}, "unsure"),
    (FARES, ("Kelz Tram", "Varn Tram"), {}, "unsure"),
    # a bound and a noun in -er order no sets
    (COOLERS, ("copper cooler louder than fin cooler", "cooler housings larger than 5 cm"), {},
     "altered"),
    (COOLERS, ("copper cooler quieter than fin cooler", "bench tests of the cooler"), {},
     "stated"),
    (COOLERS, ("fin cooler louder than copper cooler", "larger housings"), {}, "stated"),
    # "only" in any of the queries
    (ONLY, ("ferry fines 2019", "only ferries, fines of 2019"), {}, "stated"),
    (ONLY, ("ferry fines 2019", "fines of ferries"), {}, "unsure"),
    # spans of time inside a unit
    (FLOW, ("weirs passing more than 30 m³/s",), {}, "stated"),
    (FLOW, ("weirs passing more than 30,000 litres per second",), {}, "stated"),
    (FLOW, ("weirs passing more than 30 litres per second",), {}, "altered"),
    (SPEED, ("trains above 120 km/h",), {}, "stated"),
    (SPEED, ("trains above 120 kph",), {}, "stated"),
    (SPEED, ("trains above 120 mph",), {}, "altered"),
    # a rate and a count
    (THEFTS, ("districts with more than 15 thefts",), {}, "altered"),
    (THEFTS, ("districts with more than 15 thefts for every 1,000 households",), {}, "unsure"),
    (THEFTS, ("theft rate over 15 per 1,000 households, districts",), {}, "stated"),
    # bounds of a season
    (TOURS, ("chamber tours before autumn 2003",), {}, "altered"),
    (TOURS, ("chamber tours since fall 2003",), {}, "stated"),
    (TOURS, ("chamber tours before spring 2003",), {}, "unsure"),
    # a source among words for like ones
    (LETTERS, ("flood affidavits testimony evidence inundation",), {}, "stated"),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "queries", "filters", "label"), LABELLED)
def test_the_definitions_decide(
    asked: Asked, queries: tuple[str, ...], filters: dict[str, Any], label: str
) -> None:
    assert asked.label(*queries, filters=filters) == label


PLAYERS = (
    "Which players were not paid in the provisional season?",
    (but("paid", "not paid", "negate"), status("provisional", "final")),
)
MEMBERS = (
    "Which registered members were not insured?",
    (but("insured", "not insured", "negate"), status("registered", "unregistered")),
)


def test_a_prefix_that_denies_is_no_word_for_a_status() -> None:
    assert_labels(PLAYERS, ("unpaid players in the season",), {}, "sd")
    assert_labels(MEMBERS, ("uninsured members",), {}, "sd")
    # "unlisted" denies nothing that the contract denies: it may be the opposite of the status
    assert [one.judgement for one in judged(MEMBERS, ("uninsured, unlisted members",), {})][
        1
    ] == "unsure"


SONGS = ("Songs that last at least 90 seconds", (number("at least 90 seconds", ">=", 90,
                                                         unit="seconds"),))  # fmt: skip


def added(asked: Any, *queries: str) -> list[str]:
    text, parts = asked
    one = Asked(text, parts[0].kind, parts[0].value, parts[0].words)
    return [found.kind for found in one.judge_all(*queries).added]


def test_a_bound_in_another_unit_is_no_addition() -> None:
    assert added(SONGS, "songs with a length of 1.5 minutes or more") == []
    assert added(SONGS, "songs of at least 90 seconds, 3 MB or less") == ["quantity"]


@pytest.mark.parametrize(
    ("query", "kinds"),
    [
        ("players older than 30 years, licensed", ["status"]),
        ("players older than 30 years, licensed by the league", []),
        ("players in Kelz older than 30 years with no contract", ["polarity"]),
        ("more players older than 30 years in Kelz than in Varn", ["comparison"]),
    ],
)
def test_what_is_added_behind_the_request(query: str, kinds: list[str]) -> None:
    asked = Asked("players older than 30 years in Kelz", "quantity",
                  amount(">", 30, unit="years"), "older than 30 years")  # fmt: skip
    found = asked.judge_all(query).added
    assert [one.kind for one in found if one.kind != "referent"] == kinds


def test_a_lack_that_may_say_a_word_of_the_request_is_no_addition() -> None:
    asked = Asked("off-grid cabins under 40 m2", "quantity", amount("<", 40, unit="m2"),
                  "under 40 m2")  # fmt: skip
    assert asked.judge_all("cabins under 40 m2 with no electricity").added == ()
    contract = asked.judge_all("off-grid cabins under 40 m2 with no electricity").added
    assert [one.kind for one in contract] == ["polarity"]


TIMBER = compared("Does the treated timber outlive the raw timber?", "higher",
                  "treated timber", "raw timber", measure="durability")  # fmt: skip
SOILS = Asked("Lichens that thrive above pH 6", "quantity", amount(">", 6, unit="pH"),
              "above pH 6")  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "query", "label"),
    [
        (TIMBER, "treated timber outlives raw timber", "stated"),
        (TIMBER, "does raw timber outlive treated timber", "altered"),
        (TIMBER, "treated timber and raw timber", "unsure"),
        (SOILS, "lichens thriving below pH 6", "altered"),
        (SOILS, "lichens that thrive at pH > 6", "stated"),
        (SOILS, "lichens that thrive above pH 7", "altered"),
        (SOILS, "thriving lichens", "dropped"),
    ],
)
def test_verbs_between_sets_and_scales_before_numbers(asked: Asked, query: str, label: str) -> None:
    assert asked.label(query) == label
