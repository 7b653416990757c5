"""Invented cases over five kinds, in many styles of rewriting.

The labels were written down from the definitions of the four labels alone, before the judge saw a
single case: a form that means the same is stated, a filter of equal value filtered, something else
in the place altered, nothing about it dropped.
"""

from typing import Any

import pytest

from tests.evaluation.scoring.preservation.judging import Asked, amount, time

Case = tuple[Asked, tuple[str, ...], dict[str, Any], str]


def quantity(text: str, words: str, value: dict[str, Any], *admissible: str) -> Asked:
    return Asked(text, "quantity", value, words, admissible=admissible)


def polarity(text: str, words: str, mode: str, target: str, *admissible: str) -> Asked:
    value = {"mode": mode, "target": target}
    return Asked(text, "polarity", value, words, admissible=admissible)


def status(text: str, words: str, value: str, *rivals: str) -> Asked:
    return Asked(text, "status", {"value": value, "rivals": list(rivals)}, words)


def evidence(text: str, words: str, source: str, *admissible: str) -> Asked:
    return Asked(text, "evidence", {"source": source}, words, admissible=admissible)


def when(text: str, words: str, value: dict[str, Any], reference: str | None = None) -> Asked:
    return Asked(text, "time", value, words, reference_date=reference)


HIVES = quantity("Which apiaries keep at least 40 hives?", "at least 40 hives",
                 amount(">=", 40, unit="hives", aggregation="count"))  # fmt: skip
CABLE = quantity("Cables thicker than 2.5 cm on the quay?", "thicker than 2.5 cm",
                 amount(">", 2.5, unit="cm"))  # fmt: skip
BRIDGES = quantity("List bridges lower than 4.5 m on the canal.", "lower than 4.5 m",
                   amount("<", 4.5, unit="m"))  # fmt: skip
GRANTS = quantity("Theatre grants above 1.2 million pounds sterling, please",
                  "above 1.2 million pounds sterling",
                  amount(">", 1_200_000, currency="GBP"))  # fmt: skip
SPREAD = quantity("Has the loan margin risen by 75 basis points or more?",
                  "by 75 basis points or more",
                  amount(">=", 75, unit="basis points"))  # fmt: skip
RENT = quantity("Flats with a rent of at most 900 euros a month in Lunde?",
                "at most 900 euros a month",
                amount("<=", 900, currency="EUR", aggregation="monthly"))  # fmt: skip
SHARE = quantity("Villages where a third of homes stand empty, or more than 12 percent of shops",
                 "more than 12 percent", amount(">", 12, unit="percent"))  # fmt: skip
WAIT = quantity("Clinics with an average wait of less than 90 minutes", "less than 90 minutes",
                amount("<", 90, unit="minutes", aggregation="average"))  # fmt: skip
WINGS = quantity("Gliders with exactly 3 seats?", "exactly 3 seats",
                 amount("=", 3, unit="seats", aggregation="count"))  # fmt: skip
FREEZE = quantity("Vaccines stored below 5 degrees Celsius", "below 5 degrees Celsius",
                  amount("<", 5, unit="degrees Celsius"))  # fmt: skip
LAND = quantity("Farms larger than 250 acres with sheep", "larger than 250 acres",
                amount(">", 250, unit="acres"))  # fmt: skip
SPAN = quantity("Bonds of 300 to 800 Swedish kronor for lockers", "300 to 800 Swedish kronor",
                amount("between", 300, high=800, currency="SEK"))  # fmt: skip
TRIO = quantity("Did three surgeons operate on more than one patient that night?",
                "three surgeons",
                amount("=", 3, unit="surgeons", aggregation="count"))  # fmt: skip
RIDES = quantity("Which lifts carry over 600 skiers an hour?", "over 600 skiers an hour",
                 amount(">", 600, unit="skiers", aggregation="rate"))  # fmt: skip

QUANTITIES: list[Case] = [
    (HIVES, ("apiaries with forty or more hives",), {}, "stated"),
    (HIVES, ("apiaries >= 40 hives",), {}, "stated"),
    (HIVES, ("apiaries no fewer than 40 hives",), {}, "stated"),
    (HIVES, ("apiaries with more than 40 hives",), {}, "altered"),
    (HIVES, ("apiaries hives",), {}, "dropped"),
    (HIVES, ("apiaries", "which beekeepers have hives"), {}, "dropped"),
    (HIVES, ("apiaries",), {"hives": {"gte": 40}}, "filtered"),
    (HIVES, ("apiaries with atleast 40 hives",), {}, "stated"),
    (HIVES, ("apiaries with at laest 40 hives pls",), {}, "stated"),
    (HIVES, ("apiaries with no more than 40 hives",), {}, "altered"),
    (CABLE, ("quay cables > 25 mm",), {}, "stated"),
    (CABLE, ("quay cables thicker than two inches",), {}, "altered"),
    (CABLE, ("quay cables thinner than 2.5 cm",), {}, "altered"),
    (CABLE, ("quay cables over 25 millimeters in diameter",), {}, "stated"),
    (CABLE, ("quay cables thickness",), {}, "dropped"),
    (BRIDGES, ("canal bridges with a clearance under 450 cm",), {}, "stated"),
    (BRIDGES, ("canal bridges lower than 5.4 m",), {}, "altered"),
    (BRIDGES, ("low canal bridges", "headroom of bridges in metres"), {}, "dropped"),
    (GRANTS, ("theatre grants over £1,200,000",), {}, "stated"),
    (GRANTS, ("theatre grants > GBP 1.2m",), {}, "stated"),
    (GRANTS, ("theatre grants above 1.2 million euros",), {}, "altered"),
    (GRANTS, ("theatre grants above 12 million pounds sterling",), {}, "altered"),
    (GRANTS, ("theatre funding", "big theatre grants"), {}, "dropped"),
    (SPREAD, ("loan margin up 0.75 percentage points or more",), {}, "stated"),
    (SPREAD, ("loan margin rise of at least 75 bps",), {}, "stated"),
    (SPREAD, ("loan margin rise of at least 7.5 percentage points",), {}, "altered"),
    (RENT, ("Lunde flats up to €900 monthly rent",), {}, "stated"),
    (RENT, ("Lunde flats, rent not more than 900 EUR per month",), {}, "stated"),
    (RENT, ("Lunde flats, rent of at most 900 euros a year",), {}, "altered"),
    (RENT, ("cheap flats in Lunde",), {}, "dropped"),
    (SHARE, ("villages with over twelve per cent of shops vacant",), {}, "stated"),
    (SHARE, ("villages with under 12% of shops vacant",), {}, "altered"),
    (WAIT, ("clinics with mean waiting time under 1.5 hours",), {}, "stated"),
    (WAIT, ("clinics with median wait of less than 90 minutes",), {}, "altered"),
    (WAIT, ("clinics waiting times",), {}, "dropped"),
    (WINGS, ("three-seat gliders",), {}, "stated"),
    (WINGS, ("gliders that seat four",), {}, "altered"),
    (WINGS, ("gliders with at least 3 seats",), {}, "altered"),
    (FREEZE, ("vaccines kept under 5 °C",), {}, "stated"),
    (FREEZE, ("vaccines kept below 41 degrees Fahrenheit",), {}, "stated"),
    (FREEZE, ("vaccines kept below 5 degrees Fahrenheit",), {}, "altered"),
    (LAND, ("sheep farms of more than 250 hectares",), {}, "altered"),
    (LAND, ("sheep farms exceeding two hundred and fifty acres",), {}, "stated"),
    (SPAN, ("locker bonds between SEK 300 and SEK 800",), {}, "stated"),
    (SPAN, ("locker bonds 300–800 Swedish kronor",), {}, "stated"),
    (SPAN, ("locker bonds of 300 to 800 Danish kroner",), {}, "altered"),
    (TRIO, ("did surgeons operate on more than one patient that night",), {}, "dropped"),
    (TRIO, ("did 3 surgeons operate on several patients that night",), {}, "stated"),
    (RIDES, ("ski lifts with a capacity above 600 skiers per hour",), {}, "stated"),
    (RIDES, ("ski lifts with a capacity above 600 skiers per day",), {}, "altered"),
]  # fmt: skip

MOSS = polarity("Which roofs are not covered with moss?", "not covered with moss", "negate",
                "covered with moss")  # fmt: skip
TOYS = polarity("Recalls in spring, except for toys", "except for toys", "exclude", "toys")
STAFF = polarity("Unpaid shifts at the bakery, other than those of apprentices",
                 "other than those of apprentices", "exclude", "shifts of apprentices")  # fmt: skip
LICENCE = polarity("Which stalls trade without a licence?", "without a licence", "negate",
                   "licence")  # fmt: skip
LEGAL = polarity("Is it not illegal to ring the bells at night?", "not illegal", "negate",
                 "illegal", "legal")  # fmt: skip
FERRY = polarity("Timetables for the lake, ferries only", "ferries only", "exclude",
                 "everything but ferries")  # fmt: skip
STEADY = polarity("Orchards where yields did not drop in 2017", "did not drop", "negate",
                  "drop in yields")  # fmt: skip
RISING = polarity("Towns where fares did not rise last winter", "did not rise", "negate",
                  "rise in fares")  # fmt: skip
NOBODY = polarity("Nobody forgot to lock the vault, did they?", "Nobody forgot to lock", "negate",
                  "forgetting to lock")  # fmt: skip
NUTS = polarity("Recipes for winter cakes with no nuts", "with no nuts", "exclude", "nuts")
ANSWERED = polarity("Which letters were never answered by the mayor?", "never answered", "negate",
                    "answered")  # fmt: skip

POLARITIES: list[Case] = [
    (MOSS, ("roofs free of moss cover",), {}, "stated"),
    (MOSS, ("roofs that aren't covered with moss",), {}, "stated"),
    (MOSS, ("moss-covered roofs",), {}, "altered"),
    (MOSS, ("roofs covered with moss",), {}, "altered"),
    (MOSS, ("roof types", "roofs in the village"), {}, "dropped"),
    (TOYS, ("spring recalls excluding toys",), {}, "stated"),
    (TOYS, ("spring recalls (no toys)",), {}, "stated"),
    (TOYS, ("spring recalls, toys not included",), {}, "stated"),
    (TOYS, ("spring toy recalls",), {}, "altered"),
    (TOYS, ("spring recalls", "product recalls list"), {}, "dropped"),
    (TOYS, ("spring recalls",), {"category": {"ne": "toys"}}, "filtered"),
    (TOYS, ("spring recalls",), {"category": "toys"}, "altered"),
    (TOYS, ("spring recalls with the excpetion of toys",), {}, "stated"),
    (TOYS, ("spring recalls save for toys",), {}, "stated"),
    (STAFF, ("unpaid bakery shifts excluding apprentice shifts",), {}, "stated"),
    (STAFF, ("unpaid bakery shifts of apprentices",), {}, "altered"),
    (STAFF, ("unpaid bakery shifts",), {}, "dropped"),
    (LICENCE, ("unlicensed stalls",), {}, "stated"),
    (LICENCE, ("stalls lacking a licence",), {}, "stated"),
    (LICENCE, ("stalls with a licence",), {}, "altered"),
    (LICENCE, ("market stalls trading",), {}, "dropped"),
    (LEGAL, ("is ringing bells at night legal",), {}, "stated"),
    (LEGAL, ("is it illegal to ring bells at night",), {}, "altered"),
    (LEGAL, ("illegality of ringing bells at night",), {}, "altered"),
    (LEGAL, ("ringing bells at night",), {}, "dropped"),
    (FERRY, ("lake timetables exclusively for ferries",), {}, "stated"),
    (FERRY, ("lake timetables",), {}, "dropped"),
    (STEADY, ("orchards with stable or rising yields 2017",), {}, "stated"),
    (STEADY, ("orchards where yields increased in 2017",), {}, "altered"),
    (STEADY, ("orchards where yields fell in 2017",), {}, "altered"),
    (STEADY, ("orchard yields 2017",), {}, "dropped"),
    (RISING, ("towns where fares stayed flat or fell last winter",), {}, "stated"),
    (RISING, ("towns where fares went up last winter",), {}, "altered"),
    (NOBODY, ("did everyone remember to lock the vault",), {}, "stated"),
    (NOBODY, ("who forgot to lock the vault",), {}, "altered"),
    (NUTS, ("nut-free winter cake recipes",), {}, "stated"),
    (NUTS, ("winter cake recipes -nuts",), {}, "stated"),
    (NUTS, ("winter cake recipes with nuts",), {}, "altered"),
    (NUTS, ("hearty winter cakes to bake",), {}, "dropped"),
    (ANSWERED, ("unanswered letters to the mayor",), {}, "stated"),
    (ANSWERED, ("letters that the mayor answered",), {}, "altered"),
    (ANSWERED, ("letters to the mayor",), {"answered": False}, "filtered"),
]  # fmt: skip

LEASE = status("Where is the signed lease of the boathouse kept?", "signed", "signed", "unsigned")
TRIAL = status("Side effects in the completed trial of the eye drops", "completed", "completed",
               "ongoing", "halted")  # fmt: skip
BUDGET = status("What does the draft budget say about street trees?", "draft", "draft", "adopted",
                "final")  # fmt: skip
CLAIM = status("Claims of divers that were rejected by the fund in 2018", "rejected", "rejected",
               "accepted", "pending")  # fmt: skip
STOPS = status("Show tram stops that are closed near the fair", "closed", "closed", "open")
BREED = status("Prices of the registered bulls sold at Marrow", "registered", "registered",
               "unregistered")  # fmt: skip

STATUSES: list[Case] = [
    (LEASE, ("boathouse lease, signed copy",), {}, "stated"),
    (LEASE, ("signd boathouse lease",), {}, "stated"),
    (LEASE, ("unsigned boathouse lease",), {}, "altered"),
    (LEASE, ("boathouse lease", "tenancy papers of the boathouse"), {}, "dropped"),
    (LEASE, ("boathouse lease",), {"status": "signed"}, "filtered"),
    (LEASE, ("boathouse lease",), {"status": "unsigned"}, "altered"),
    (TRIAL, ("side effects of the eye drops in the finished trial",), {}, "stated"),
    (TRIAL, ("side effects of the eye drops in the ongoing trial",), {}, "altered"),
    (TRIAL, ("eye drops trial adverse reactions",), {}, "dropped"),
    (TRIAL, ("eye drops complted trial side effects",), {}, "stated"),
    (TRIAL, ("side effects in the completed versus the ongoing eye drop trial",), {}, "stated"),
    (BUDGET, ("street trees in the adopted budget",), {}, "altered"),
    (BUDGET, ("street trees in the municipal budget",), {}, "dropped"),
    (BUDGET, ("How much money goes to street trees? The draft budget sets aside funds for "
              "planting along main roads.",), {}, "stated"),
    (BUDGET, ("trees budget",), {"version": "final"}, "altered"),
    (CLAIM, ("divers' claims the fund turned down in 2018",), {}, "stated"),
    (CLAIM, ("divers' claims the fund accepted in 2018",), {}, "altered"),
    (CLAIM, ("divers claims fund 2018", "compensation paid to divers"), {}, "dropped"),
    (CLAIM, ("diver claims not rejected by the fund in 2018",), {}, "altered"),
    (STOPS, ("shut tram stops near the fair",), {}, "stated"),
    (STOPS, ("tram stops near the fairground map",), {}, "dropped"),
    (STOPS, ("tram stops near the fair that are still open",), {}, "altered"),
    (BREED, ("Marrow sale prices bulls registered",), {}, "stated"),
    (BREED, ("Marrow cattle auction prices",), {}, "dropped"),
    (BREED, ("prices of unregistered bulls sold at Marrow",), {}, "altered"),
]  # fmt: skip

LOGBOOK = evidence("By the ship's logbook, when did the brig reach Tern Bay?",
                   "By the ship's logbook", "ship's logbook")  # fmt: skip
AUDIT = evidence("According to the energy audit, which schools leak heat?",
                 "According to the energy audit", "energy audit")  # fmt: skip
PARISH = evidence("How many twins were born in Skarn, going by the parish register?",
                  "going by the parish register", "parish register")  # fmt: skip
TRIALS = evidence("Does the ointment work, based on clinical trials?",
                  "based on clinical trials", "clinical trials")  # fmt: skip
SENSOR = evidence("Peak flow of the brook, sensor readings only", "sensor readings only",
                  "sensor readings")  # fmt: skip

EVIDENCES: list[Case] = [
    (LOGBOOK, ("brig arrival at Tern Bay, ship's log book",), {}, "stated"),
    (LOGBOOK, ("brig Tern Bay arrival ships logbok",), {}, "stated"),
    (LOGBOOK, ("brig arrival at Tern Bay according to newspapers",), {}, "altered"),
    (LOGBOOK, ("brig arrival at Tern Bay, harbour master's letter",), {}, "altered"),
    (LOGBOOK, ("when did the brig reach Tern Bay",), {}, "dropped"),
    (LOGBOOK, ("brig arrival Tern Bay",), {"source": "ship's logbook"}, "filtered"),
    (LOGBOOK, ("brig arrival Tern Bay",), {"source": "harbour register"}, "altered"),
    (AUDIT, ("schools leaking heat, energy audit",), {}, "stated"),
    (AUDIT, ("schools leaking heat per parents' blog",), {}, "altered"),
    (AUDIT, ("heat loss in schools", "insulation of school buildings"), {}, "dropped"),
    (AUDIT, ("The energy audit lists the schools that leak heat through old windows.",), {},
     "stated"),
    (AUDIT, ("schools leaking heat enrgy audit",), {}, "stated"),
    (AUDIT, ("schools leaking heat, fuel receipts",), {}, "altered"),
    (PARISH, ("twin births in Skarn, church register of the parish",), {}, "stated"),
    (PARISH, ("twin births in Skarn, oral history interviews",), {}, "altered"),
    (PARISH, ("twin births in Skarn",), {"doc_type": "parish register"}, "filtered"),
    (PARISH, ("number of twins Skarn births statistics",), {}, "dropped"),
    (TRIALS, ("ointment efficacy clinical trial evidence",), {}, "stated"),
    (TRIALS, ("ointment efficacy, customer reviews",), {}, "altered"),
    (TRIALS, ("does the ointment work", "ointment effectiveness and dosage"), {}, "dropped"),
    (SENSOR, ("brook peak flow from sensor readings",), {}, "stated"),
    (SENSOR, ("brook peak flow, eyewitness accounts",), {}, "altered"),
    (SENSOR, ("maximum discharge of the brook",), {}, "dropped"),
]  # fmt: skip

OPENED = when("Which kilns opened after March 2008?", "after March 2008",
              time("after", start="2008-03"))  # fmt: skip
SOLD = when("Barges sold no later than 2011", "no later than 2011", time("by", end="2011"))
HALF = when("Egg prices in the third quarter of 2016", "in the third quarter of 2016",
            time("during", "2016-Q3", "2016-Q3"))  # fmt: skip
YEARS = when("Storms from 1994 to 1999", "from 1994 to 1999", time("during", "1994", "1999"))
DECADE = when("Folk songs collected in the 1930s", "in the 1930s",
              time("during", "1930", "1939"))  # fmt: skip
LAST = when("Permits issued last month", "last month",
            time("during", "2022-12", "2022-12", reference_date="2023-01-15"),
            "2023-01-15")  # fmt: skip
FISCAL = when("Toll income in fiscal year 2019", "in fiscal year 2019",
              time("during", "2019", "2019", calendar="fiscal"))  # fmt: skip
BIRTH = when("Poets born on 7 May 1841", "on 7 May 1841", time("on", "1841-05-07", "1841-05-07"))

TIMES: list[Case] = [
    (OPENED, ("kilns opened since April 2008",), {}, "stated"),
    (OPENED, ("kilns opened since March 2008",), {}, "altered"),
    (OPENED, ("kilns opened in March 2008",), {}, "altered"),
    (OPENED, ("kilns opened",), {"opened": {"gt": "2008-03-31"}}, "filtered"),
    (OPENED, ("when kilns open",), {}, "dropped"),
    (SOLD, ("barges sold in 2011 or earlier",), {}, "stated"),
    (SOLD, ("barges sold before 2012",), {}, "stated"),
    (SOLD, ("barges sold in 2011",), {}, "altered"),
    (HALF, ("egg prices July-September 2016",), {}, "stated"),
    (HALF, ("egg prices Q3 '16",), {}, "stated"),
    (HALF, ("egg prices Q2 2016",), {}, "altered"),
    (YEARS, ("storms 1994-1999",), {}, "stated"),
    (YEARS, ("storms between 1994 and 1996",), {}, "altered"),
    (YEARS, ("storms",), {"year": {"gte": 1994, "lte": 1999}}, "filtered"),
    (DECADE, ("folk songs collected between 1930 and 1939",), {}, "stated"),
    (DECADE, ("folk songs collected in the thirties",), {}, "stated"),
    (DECADE, ("folk songs collected in the 1940s",), {}, "altered"),
    (LAST, ("permits issued in December 2022",), {}, "stated"),
    (LAST, ("permits issued in January 2023",), {}, "altered"),
    (FISCAL, ("FY2019 toll income",), {}, "stated"),
    (FISCAL, ("toll income in calendar year 2019",), {}, "altered"),
    (BIRTH, ("poets born 1841-05-07",), {}, "stated"),
    (BIRTH, ("poets born 7 May 1814",), {}, "altered"),
    (BIRTH, ("poets birthdays",), {}, "dropped"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "queries", "filters", "label"),
    [*QUANTITIES, *POLARITIES, *STATUSES, *EVIDENCES, *TIMES],
)
def test_an_own_case_is_judged_as_the_definitions_say(
    asked: Asked, queries: tuple[str, ...], filters: dict[str, Any], label: str
) -> None:
    assert asked.label(*queries, filters=filters) == label
