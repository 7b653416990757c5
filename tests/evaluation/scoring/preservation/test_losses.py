"""Invented cases about what was lost: negations, sources and numbers, in many styles of rewriting.

The labels were written down from the definitions of the four labels alone, before the judge saw a
single case: the opposite of a negation, another source or another number in the place is altered,
silence about it dropped.
"""

from typing import Any

import pytest

from tests.evaluation.scoring.preservation.judging import Asked, amount
from tests.evaluation.scoring.preservation.test_one_constraint import (
    Case,
    evidence,
    polarity,
    quantity,
)  # fmt: skip

HEATED = polarity("Which greenhouses in Vell are not heated?", "not heated", "negate",
                  "heated")  # fmt: skip
LIGHTS = polarity("Show all lighthouses except those that are automated",
                  "except those that are automated", "exclude",
                  "automated lighthouses")  # fmt: skip
RENEWED = polarity("Which permits have not yet been renewed by the harbour office?",
                   "not yet been renewed", "negate", "renewed")  # fmt: skip
CAPTAIN = polarity("Who among the Osprey players has never captained the team?",
                   "never captained the team", "negate", "captained the team")  # fmt: skip
NIGHT = polarity("Only night trains to Harl, please", "Only night trains", "exclude",
                 "everything but night trains")  # fmt: skip
STEW = polarity("Recipes for stew without garlic", "without garlic", "exclude", "garlic")
POWER = polarity("Neither solar nor wind: which other power stations supply Trell?",
                 "Neither solar nor wind", "exclude", "solar and wind")  # fmt: skip
SALE = polarity("Paintings by Orla Finch that are not for sale", "not for sale", "negate",
                "for sale")  # fmt: skip
DUNMOOR = polarity("Which clinics, apart from the one in Dunmoor, offer dialysis?",
                   "apart from the one in Dunmoor", "exclude", "clinic in Dunmoor")  # fmt: skip
OSTER = polarity("Flights to the islands that do not stop in Oster", "do not stop in Oster",
                 "negate", "stop in Oster")  # fmt: skip
SEALS = polarity("Why are the seals at Gull Point not afraid of boats?", "not afraid of boats",
                 "negate", "afraid of boats")  # fmt: skip
WELLS = polarity("List unregistered wells in Corvale", "unregistered", "negate", "registered")

POLARITIES: list[Case] = [
    (HEATED, ("heated greenhouses Vell",), {}, "altered"),
    (HEATED, ("greenhouses in Vell and their owners",), {}, "dropped"),
    (HEATED, ("I am looking for greenhouses in Vell, in particular for those greenhouses which "
              "are heated during the cold months.",), {}, "altered"),
    (HEATED, ("greenhouses in Vell without heating",), {}, "stated"),
    (HEATED, ("greenhosues Vell not haeted",), {}, "stated"),
    (LIGHTS, ("automated lighthouses list",), {}, "altered"),
    (LIGHTS, ("list of lighthouses",), {}, "dropped"),
    (LIGHTS, ("lighthouses on the coast", "history of lighthouses", "automated lighthouses"), {},
     "altered"),
    (LIGHTS, ("non-automated lighthouses",), {}, "stated"),
    (RENEWED, ("permits renewed by the harbour office",), {}, "altered"),
    (RENEWED, ("harbour office permit fees",), {}, "dropped"),
    (RENEWED, ("Sure! Here is the search query: permits already renewed by the harbour office",),
     {}, "altered"),
    (RENEWED, ("permits still to be renewed by the harbour office",), {}, "stated"),
    (CAPTAIN, ("Osprey players who captained the team",), {}, "altered"),
    (CAPTAIN, ("Osprey players", "Osprey squad list"), {}, "dropped"),
    (NIGHT, ("trains to Harl",), {}, "dropped"),
    (NIGHT, ("Harl railway station timetable",), {}, "dropped"),
    (NIGHT, ("night trains to Harl, no other trains",), {}, "stated"),
    (STEW, ("garlic stew recipes",), {}, "altered"),
    (STEW, ("stew recipes", "how to cook stew"), {}, "dropped"),
    (STEW, ("A classic stew is made of beef, carrots and onions, which are browned slowly in a "
            "heavy pot. Potatoes are added in the last hour.",), {}, "dropped"),
    (STEW, ("Crushed garlic is stirred into the stew once the meat is brown.",), {}, "altered"),
    (STEW, ("no-garlic stew recipes",), {}, "stated"),
    (POWER, ("solar and wind power stations supplying Trell",), {}, "altered"),
    (POWER, ("power stations supplying Trell",), {}, "dropped"),
    (POWER, ("Trell power stations other than solar or wind",), {}, "stated"),
    (SALE, ("Orla Finch paintings for sale",), {}, "altered"),
    (SALE, ("Orla Finch paintings",), {}, "dropped"),
    (DUNMOOR, ("dialysis at the clinic in Dunmoor",), {}, "altered"),
    (DUNMOOR, ("clinics offering dialysis",), {}, "dropped"),
    (DUNMOOR, ("dialysis clinics outside Dunmoor",), {}, "stated"),
    (OSTER, ("flights to the islands with a stop in Oster",), {}, "altered"),
    (SEALS, ("why are seals at Gull Point afraid of boats",), {}, "altered"),
    (WELLS, ("registered wells Corvale",), {}, "altered"),
    (WELLS, ("Corvale wells lacking registration",), {}, "stated"),
]  # fmt: skip

TIDES = evidence("According to the tide tables, when is high water at Sole Bay?",
                 "According to the tide tables", "tide tables")  # fmt: skip
CORONER = evidence("What does the coroner's report say about the cause of the fire in Weld Street?",
                   "the coroner's report", "coroner's report")  # fmt: skip
HERONS = evidence("How many herons nest at Lake Ilm, based on the aerial survey?",
                  "based on the aerial survey", "aerial survey")  # fmt: skip
MILLS = evidence("By the shareholders' register, who owns Petral Mills?",
                 "By the shareholders' register", "shareholders' register")  # fmt: skip
BALM = evidence("Side effects of the balm as listed in the package leaflet",
                "as listed in the package leaflet", "package leaflet")  # fmt: skip
RAIN = evidence("Rainfall at Nork in May, only from official station data",
                "only from official station data", "official station data")  # fmt: skip
MERGER = evidence("Ask the minutes: did the board discuss the Ferrol merger?", "the minutes",
                  "minutes")  # fmt: skip
FAN = evidence("Per the Eurolabs test, how loud is the Quietor fan?", "Per the Eurolabs test",
               "Eurolabs test")  # fmt: skip

EVIDENCES: list[Case] = [
    (TIDES, ("high water at Sole Bay",), {}, "dropped"),
    (TIDES, ("Sole Bay high water time according to local fishermen",), {}, "altered"),
    (TIDES, ("Sole Bay high water per the weather forecast",), {}, "altered"),
    (TIDES, ("tide tables Sole Bay high water",), {}, "stated"),
    (TIDES, ("high tide times Sole Bay",), {}, "dropped"),
    (TIDES, ("tide tabels Sole Bay hihg water",), {}, "stated"),
    (CORONER, ("cause of Weld Street fire",), {}, "dropped"),
    (CORONER, ("Weld Street fire cause, insurance report",), {}, "altered"),
    (CORONER, ("Weld Street fire cause according to the fire brigade",), {}, "altered"),
    (CORONER, ("coroner report Weld Street fire cause",), {}, "stated"),
    (CORONER, ("The fire in Weld Street was caused by a faulty heater in a first-floor flat and "
               "spread quickly through the stairwell.",), {}, "dropped"),
    (CORONER, ("cause of the fire in Weld Street",), {"source": "newspaper"}, "altered"),
    (HERONS, ("number of heron nests Lake Ilm",), {}, "dropped"),
    (HERONS, ("heron nests Lake Ilm, ground survey",), {}, "altered"),
    (HERONS, ("heron nests at Lake Ilm from the aerial survey",), {}, "stated"),
    (HERONS, ("herons Lake Ilm",), {"source": "aerial survey"}, "filtered"),
    (HERONS, ("herons at Lake Ilm according to a volunteer's diary",), {}, "altered"),
    (MILLS, ("who owns Petral Mills",), {}, "dropped"),
    (MILLS, ("Petral Mills shareholders", "Petral Mills owner"), {}, "dropped"),
    (MILLS, ("Petral Mills ownership, land register",), {}, "altered"),
    (MILLS, ("Petral Mills ownership as stated on the company website",), {}, "altered"),
    (MILLS, ("shareholder register Petral Mills owner",), {}, "stated"),
    (BALM, ("side effects of the balm",), {}, "dropped"),
    (BALM, ("balm side effects patient forum",), {}, "altered"),
    (BALM, ("balm side effects according to a medical textbook",), {}, "altered"),
    (BALM, ("balm package leaflet side effects",), {}, "stated"),
    (BALM, ("Okay, let me rewrite this. Query: balm side effects\nQuery: balm side effects\n"
            "Query: side effects of the balm",), {}, "dropped"),
    (RAIN, ("Nork rainfall May",), {}, "dropped"),
    (RAIN, ("Nork rainfall May hobby weather blog",), {}, "altered"),
    (RAIN, ("official station data Nork rainfall May",), {}, "stated"),
    (MERGER, ("did the board discuss the Ferrol merger",), {}, "dropped"),
    (MERGER, ("Ferrol merger press release",), {}, "altered"),
    (MERGER, ("board minutes Ferrol merger",), {}, "stated"),
    (FAN, ("Quietor fan loudness",), {}, "dropped"),
]  # fmt: skip

PONDS = quantity("Which ponds are deeper than 6 metres?", "deeper than 6 metres",
                 amount(">", 6, unit="m"))  # fmt: skip
LIBRARIES = quantity(
    "Councils that spent at least 3 million euros on libraries",
    "at least 3 million euros",
    amount(">=", 3_000_000, currency="EUR"),
)
VOTES = quantity("Did fewer than 15 delegates vote against the motion?",
                 "fewer than 15 delegates",
                 amount("<", 15, unit="delegates", aggregation="count"))  # fmt: skip
HOTELS = quantity("Hotels whose average room rate is 120 dollars or less", "120 dollars or less",
                  amount("<=", 120, currency="USD", aggregation="average"))  # fmt: skip
TERMS = quantity("Sentences of exactly 18 months for fraud", "exactly 18 months",
                 amount("=", 18, unit="months"))  # fmt: skip

QUANTITIES: list[Case] = [
    (PONDS, ("deep ponds",), {}, "dropped"),
    (PONDS, ("ponds less than 6 metres deep",), {}, "altered"),
    (PONDS, ("ponds deeper than 6 feet",), {}, "altered"),
    (PONDS, ("how many metres deep are the ponds",), {}, "dropped"),
    (PONDS, ("ponds with a depth above 6m",), {}, "stated"),
    (LIBRARIES, ("council library spending in euros",), {}, "dropped"),
    (LIBRARIES, ("councils that spent 3 million euros at most on libraries",), {}, "altered"),
    (LIBRARIES, ("councils spending >= €3m on libraries",), {}, "stated"),
    (LIBRARIES, ("Let me think. The user wants councils and libraries. Rewritten query: council "
                 "spending on libraries",), {}, "dropped"),
    (LIBRARIES, ("councils that spent at least 3 billion euros on libraries",), {}, "altered"),
    (VOTES, ("delegates who voted against the motion",), {}, "dropped"),
    (VOTES, ("did at least 15 delegates vote against the motion",), {}, "altered"),
    (VOTES, ("number of delegates voting against the motion", "motion vote result"), {}, "dropped"),
    (VOTES, ("less than fifteen delegates vote against motion",), {}, "stated"),
    (HOTELS, ("affordable hotels", "hotels average room rate dollars"), {}, "dropped"),
    (HOTELS, ("hotels with an average room rate over 120 dollars",), {}, "altered"),
    (HOTELS, ("hotels with average room rate <= $120",), {}, "stated"),
    (TERMS, ("length of fraud sentences in months",), {}, "dropped"),
    (TERMS, ("fraud sentences of 18 years",), {}, "altered"),
    (TERMS, ("18-month sentences for fraud",), {}, "stated"),
]  # fmt: skip


VACCINE = polarity("Are there travellers to Ondra who were never vaccinated against yellow fever?",
                   "never vaccinated", "negate", "vaccinated")  # fmt: skip
KENNEL = polarity("Kennels in Storrow that accept every breed but terriers", "every breed but "
                  "terriers", "exclude", "terriers")  # fmt: skip
ROUTES = polarity("Mountain routes not suitable for children", "not suitable for children",
                  "negate", "suitable for children")  # fmt: skip
SALT = polarity("Which of the wells do not contain salt water?", "do not contain salt water",
                "negate", "contain salt water")  # fmt: skip
TAXES = polarity("What does a Pellworth flat cost a month, not counting parking?",
                 "not counting parking", "exclude", "parking")  # fmt: skip
STATE = polarity("Only state schools in Quarnby with a sixth form", "Only state schools",
                 "exclude", "everything but state schools")  # fmt: skip
PAID = polarity("Invoices of the tannery that remain unpaid", "unpaid", "negate", "paid")

FRESH_POLARITIES: list[Case] = [
    (VACCINE, ("travellers to Ondra vaccinated against yellow fever",), {}, "altered"),
    (VACCINE, ("yellow fever Ondra travellers", "travel advice for Ondra"), {}, "dropped"),
    (VACCINE, ("unvaccinated travellers to Ondra yellow fever",), {}, "stated"),
    (VACCINE, ("I'd be glad to help you with that! Query: vaccinated travellers Ondra yellow "
               "fever",), {}, "altered"),
    (KENNEL, ("kennels in Storrow that accept terriers",), {}, "altered"),
    (KENNEL, ("kennels in Storrow all breeds accepted",), {}, "dropped"),
    (KENNEL, ("Storrow kennels no terriers",), {}, "stated"),
    (KENNEL, ("Storrow kennels",), {"breed": "terriers"}, "altered"),
    (ROUTES, ("mountain routes for children", "mountain routes suitable for children"), {},
     "altered"),
    (ROUTES, ("difficult mountain routes list",), {}, "dropped"),
    (ROUTES, ("mountain routes unsuitable for children",), {}, "stated"),
    (SALT, ("wells containing salt water",), {}, "altered"),
    (SALT, ("wells list", "location of wells"), {}, "dropped"),
    (TAXES, ("monthly cost of a Pellworth flat including parking",), {}, "altered"),
    (TAXES, ("monthly cost of a Pellworth flat",), {}, "dropped"),
    (STATE, ("schools in Quarnby with a sixth form",), {}, "dropped"),
    (PAID, ("paid tannery invoices",), {}, "altered"),
    (PAID, ("tannery invoices",), {}, "dropped"),
]  # fmt: skip

MINUTES = evidence("What did the harbour pilots earn, going by the wage ledgers?",
                   "going by the wage ledgers", "wage ledgers")  # fmt: skip
DEED = evidence("From the title deed, what are the borders of Larkfield?", "From the title deed",
                "title deed")  # fmt: skip
SATELLITE = evidence("How far has the Orn glacier retreated, judged from satellite images only?",
                     "judged from satellite images only", "satellite images")  # fmt: skip
RULING = evidence("Which damages were awarded to Mrs Quill in the judgment of the court?",
                  "in the judgment of the court", "court judgment")  # fmt: skip
AUDITED = evidence("According to its annual accounts, how many barges does Velm Lines run?",
                   "According to its annual accounts", "annual accounts")  # fmt: skip

FRESH_EVIDENCES: list[Case] = [
    (MINUTES, ("harbour pilots' earnings",), {}, "dropped"),
    (MINUTES, ("wages of harbour pilots", "harbour pilot pay"), {}, "dropped"),
    (MINUTES, ("harbour pilots' earnings according to tax returns",), {}, "altered"),
    (MINUTES, ("wage ledgers harbour pilots earnings",), {}, "stated"),
    (DEED, ("borders of Larkfield",), {}, "dropped"),
    (DEED, ("Larkfield borders according to the neighbours",), {}, "altered"),
    (DEED, ("title deed Larkfield borders",), {}, "stated"),
    (SATELLITE, ("Orn glacier retreat",), {}, "dropped"),
    (SATELLITE, ("Orn glacier retreat from climbers' diaries",), {}, "altered"),
    (SATELLITE, ("The Orn glacier has retreated by several kilometres since the last century, and "
                 "the valley below is now covered with young birch trees.",), {}, "dropped"),
    (RULING, ("damages awarded to Mrs Quill",), {}, "dropped"),
    (RULING, ("Mrs Quill damages newspaper report",), {}, "altered"),
    (AUDITED, ("number of barges Velm Lines runs",), {}, "dropped"),
    (AUDITED, ("Velm Lines barges according to ship spotters' blog",), {}, "altered"),
]  # fmt: skip

LOAD = quantity("Can a Hopper van carry more than 900 kg?", "more than 900 kg",
                amount(">", 900, unit="kg"))  # fmt: skip
QUORUM = quantity("Meetings with a turnout of at least 30 percent", "at least 30 percent",
                  amount(">=", 30, unit="percent"))  # fmt: skip

FRESH_QUANTITIES: list[Case] = [
    (LOAD, ("Hopper van payload",), {}, "dropped"),
    (LOAD, ("Hopper van payload in kg",), {}, "dropped"),
    (LOAD, ("can a Hopper van carry up to 900 kg",), {}, "altered"),
    (LOAD, ("can a Hopper van carry more than 900 lbs",), {}, "altered"),
    (QUORUM, ("meetings with a high turnout percentage",), {}, "dropped"),
    (QUORUM, ("meetings with a turnout below 30%",), {}, "altered"),
    (QUORUM, ("meetings with 30% turnout or more",), {}, "stated"),
]  # fmt: skip


THIRD: list[Case] = [
    (HEATED, ("Greenhouses that are heated. Vell greenhouses. Heated greenhouses in Vell, heated "
              "greenhouses. Heated.",), {}, "altered"),
    (HEATED, ("I want to find out which greenhouses in Vell are heated",), {}, "altered"),
    (HEATED, ("heated greenhouses in Vell without insulation",), {}, "altered"),
    (SALE, ("Orla Finch paintings for sale online", "Orla Finch prices"), {}, "altered"),
    (SALE, ("Orla Finch biography", "Orla Finch paintings list"), {}, "dropped"),
    (OSTER, ("Can you find out for me which flights to the islands stop in Oster?",), {},
     "altered"),
    (OSTER, ("flights to the islands, none of which stop in Oster",), {}, "stated"),
    (LIGHTS, ("all lighthouses, no automated ones",), {}, "stated"),
    (TOYS_OUT := polarity("Recalled goods in spring, toys left aside", "toys left aside", "exclude",
                          "toys"), ("recalled toys in spring",), {}, "altered"),
    (TOYS_OUT, ("recalled goods in spring",), {}, "dropped"),
    (TOYS_OUT, ("goods recalled in spring", "recalled toys", "recalled tools"), {}, "altered"),
    (TIDES, ("high water Sole Bay as stated on the tourist board's website",), {}, "altered"),
    (TIDES, ("high water at Sole Bay, newspaper",), {}, "altered"),
    (CORONER, ("Weld Street fire cause, police report",), {}, "altered"),
    (CORONER, ("Weld Street fire cause as reported by residents",), {}, "altered"),
    (HERONS, ("herons nest Lake Ilm how many", "Lake Ilm birds"), {}, "dropped"),
    (BALM, ("balm side effects, according to customers",), {}, "altered"),
    (MERGER, ("Ferrol merger according to analysts",), {}, "altered"),
    (PONDS, ("ponds deeper than the average",), {}, "dropped"),
    (LOAD, ("how much can a Hopper van carry",), {}, "dropped"),
    (QUORUM, ("turnout at meetings in percent", "how many came to the meetings"), {}, "dropped"),
]  # fmt: skip

# The manufacturer may be Eurolabs, the map may be the deed's, electricity may be the heating.
LEFT_TO_A_PERSON: list[Case] = [
    (FAN, ("Quietor fan noise according to the manufacturer",), {}, "altered"),
    (DEED, ("borders of Larkfield on the tourist map",), {}, "altered"),
    (HEATED, ("heated greenhouses Vell", "greenhouses without electricity in Vell"), {}, "altered"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "queries", "filters", "label"),
    [
        *POLARITIES,
        *EVIDENCES,
        *QUANTITIES,
        *FRESH_POLARITIES,
        *FRESH_EVIDENCES,
        *FRESH_QUANTITIES,
        *THIRD,
    ],
)
def test_an_own_loss_is_judged_as_the_definitions_say(
    asked: Asked, queries: tuple[str, ...], filters: dict[str, Any], label: str
) -> None:
    assert asked.label(*queries, filters=filters) == label


# What is kept, or may be: nothing here may be called a loss.
KEPT = [
    (RENEWED, ("permits to be renewed by the harbour office",), {}),
    (RENEWED, ("permits yet to be renewed by the harbour office",), {}),
    (NIGHT, ("trains to Harl between 22:00 and 6:00",), {}),
    (NIGHT, ("sleeper trains to Harl",), {}),
    (NIGHT, ("trains to Harl",), {"time_of_day": "night"}),
    (TOYS_OUT, ("recalled goods in spring !toys",), {}),
    (TOYS_OUT, ("recalled goods in spring ! toys",), {}),
    (TOYS_OUT, ("recalled toys in spring", "recalls excluding playthings"), {}),
    (DUNMOOR, ("dialysis clinics outside of Dunmoor",), {}),
    (DUNMOOR, ("dialysis clinics elsewhere than dunmoor clinic",), {}),
    (CORONER, ("Weld Street fire cause according to the coroner",), {}),
    (HERONS, ("herons at Lake Ilm according to residents",), {}),
    (MILLS, ("Petral Mills owner, according to shareholders",), {}),
    (FAN, ("Quietor fan noise, according to Eurolabs",), {}),
    (QUORUM, ("meetings with 30% turnout or more",), {}),
    (STEW, ("stew recipes for people who avoid garlic",), {}),
    (HEATED, ("greenhouses in Vell that lack any heating",), {}),
    (SALE, ("Orla Finch paintings in museums not for sale",), {}),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "queries", "filters"), KEPT)
def test_what_may_be_kept_is_never_called_lost(
    asked: Asked, queries: tuple[str, ...], filters: dict[str, Any]
) -> None:
    assert asked.label(*queries, filters=filters) in ("stated", "filtered", "unsure")


def test_a_nonstop_flight_to_a_place_is_no_flight_that_does_not_stop_there() -> None:
    assert OSTER.label("nonstop flights to the islands and Oster") != "stated"


@pytest.mark.parametrize(("asked", "queries", "filters", "label"), LEFT_TO_A_PERSON)
def test_an_own_loss_that_could_be_none_is_left_to_a_person(
    asked: Asked, queries: tuple[str, ...], filters: dict[str, Any], label: str
) -> None:
    assert asked.label(*queries, filters=filters) in (label, "unsure")
