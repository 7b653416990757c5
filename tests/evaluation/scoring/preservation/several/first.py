"""Invented requests with several constraints each, and rewrites of many styles.

A second set, written after the rules had been tuned on the first and before the judge saw it; the
labels follow from the definitions alone.
"""

from tests.evaluation.scoring.preservation.several.asking import (
    Case,
    but,
    day,
    number,
    source,
    status,
)

BARNS = (
    "Which of the insured barns held over 40 t of hay in 2008 without a sprinkler, by the "
    "fire log?",
    (
        status("insured", "uninsured"),
        number("over 40 t", ">", 40, unit="t"),
        day("in 2008", "on", "2008", "2008"),
        but("sprinkler", "without a sprinkler", "negate"),
        source("fire log"),
    ),
)
WELLS = (
    "Sum up the parish's repairs with the exception of roofs, those postponed after May 2013.",
    (
        but("roofs", "with the exception of roofs"),
        status("postponed", "finished"),
        day("after May 2013", "after", "2013-05"),
    ),
)
BOATS = (
    "Looking for boats of at most 7 berths whose mooring is paid, from the harbour book.",
    (
        number("at most 7 berths", "<=", 7, unit="berths", aggregation="count"),
        status("paid", "unpaid", "overdue"),
        source("harbour book"),
    ),
)
SEEDS = (
    "What do the field notes say about seedlings taller than 12 cm that were not watered?",
    (
        source("field notes"),
        number("taller than 12 cm", ">", 12, unit="cm"),
        but("watered", "not watered", "negate"),
    ),
)
TOLLS = (
    "Did the tunnel toll stay below 45 Norwegian kroner a trip once the approved plan began?",
    (
        number("below 45 Norwegian kroner a trip", "<", 45, currency="NOK", aggregation="per_unit"),
        status("approved", "proposed", "rejected"),
    ),
)
LOANS = (
    "Has the deposit rate at the dairy bank fallen by 25 basis points or more, per the rate sheet?",
    (
        number("by 25 basis points or more", ">=", 25, unit="basis points"),
        source("rate sheet"),
    ),
)
LAMPS = (
    "lanterns of at least 3 kW, certified, apart from ship lanterns, in the depot inventory",
    (
        number("at least 3 kW", ">=", 3, unit="kW"),
        status("certified", "uncertified"),
        but("ship lanterns", "apart from ship lanterns"),
        source("depot inventory"),
    ),
)
CHOIR = (
    "Nobody missed the provisional rehearsal before June 2019, right?",
    (
        but("missing the rehearsal", "Nobody missed", "negate"),
        status("provisional", "final"),
        day("before June 2019", "before", None, "2019-06"),
    ),
)
MILLS = (
    "mills where flour prices did not climb in the second half of 2011, see the market bulletin",
    (
        but("climb in flour prices", "did not climb", "negate"),
        day("in the second half of 2011", "during", "2011-07", "2011-12"),
        source("market bulletin"),
    ),
)
CLAIMS = (
    "Show claims between 150 and 900 Polish zloty still disputed, from the claims archive.",
    (
        number("between 150 and 900 Polish zloty", "between", 150, high=900, currency="PLN"),
        status("disputed", "undisputed", "settled"),
        source("claims archive"),
    ),
)
GATES = (
    "Are sluices wider than 1.5 km from town repaired, leaving out those run by millers?",
    (
        status("repaired", "broken"),
        but("sluices run by millers", "leaving out those run by millers"),
    ),
)
SHOPS = (
    "Only bakeries: opening hours in Pell since the amended decree of 1998",
    (
        but("everything but bakeries", "Only bakeries"),
        status("amended", "original"),
        day("since the amended decree of 1998", "since", "1998"),
    ),
)
CREWS = (
    "Can fewer than a dozen rangers patrol the reserve, according to the staffing plan?",
    (
        number("fewer than a dozen rangers", "<", 12, unit="rangers", aggregation="count"),
        source("staffing plan"),
    ),
)
TANKS = (
    "Tanks holding 0.5 m3 or more and not insulated, test protocol",
    (
        number("0.5 m3 or more", ">=", 0.5, unit="m3"),
        but("insulated", "not insulated", "negate"),
        source("test protocol"),
    ),
)

CASES: list[Case] = [
    (BARNS, ("uninsured barns hay 2008 fire log",), {}, "adsds"),
    (BARNS, ("insured barns > 40 tonnes hay 2008 no sprinkler fire log",), {}, "sssss"),
    (BARNS, ("barns storing hay 2009",), {}, "ddadd"),
    (BARNS, ("insured hay barns", "barns with a sprinkler in 2008 holding under 40 t"), {},
     "sasad"),
    (BARNS, ("hay barns with more than 40,000 kg",),
     {"year": 2008, "status": "insured", "source": "fire log"}, "fsfdf"),
    (BARNS, ("agricultural building fires", "storage of hay"), {}, "ddddd"),
    (BARNS, ("In 2008 an insured barn that held more than forty tonnes of hay and had no sprinkler "
             "appears in the fire log.",), {}, "sssss"),
    (WELLS, ("parish roof repairs that were finished after May 2013",), {}, "aas"),
    (WELLS, ("parish repairs", "church maintenance works later than May 2013"), {}, "dds"),
    (WELLS, ("parish repairs excluding roofs, put off after May 2013",), {}, "sss"),
    (WELLS, ("parish repairs bar roofs postponed in May 2013",), {}, "ssa"),
    (WELLS, ("parish repairs not on roofs",), {"status": "postponed", "date": {"gt": "2013-05-31"}},
     "sff"),
    (BOATS, ("boats with fewer than 7 berths, harbour book", "boats with an unpaid mooring"), {},
     "aas"),
    (BOATS, ("boats <= 7 berths paid mooring",), {}, "ssd"),
    (BOATS, ("boats up to seven berths, mooring fee paid, harbour bok",), {}, "sss"),
    (BOATS, ("boats for hire", "berths"), {}, "ddd"),
    (BOATS, ("boats 8 berths or more, mooring overdue, tourist brochure",), {}, "aaa"),
    (BOATS, ("boats mooring",), {"berths": {"lte": 7}, "source": "harbour book"}, "fdf"),
    (SEEDS, ("field notes on seedlings", "height of a seedling"), {}, "sdd"),
    (SEEDS, ("unwatered seedlings over 120 mm, field notes",), {}, "sss"),
    (SEEDS, ("watered seedlings taller than 12 cm in the field notes",), {}, "ssa"),
    (SEEDS, ("seedlings shorter than 12 cm that were not watered, gossip of gardeners",), {},
     "aas"),
    (SEEDS, ("seedlings that never got watered taler than 12 cm, feild notes",), {}, "sss"),
    (SEEDS, ("seedlings taller than 12 inches that were not watered",), {}, "das"),
    (TOLLS, ("tunnel toll under NOK 45 per trip approved plan",), {}, "ss"),
    (TOLLS, ("tunnel toll below 45 Danish kroner a trip under the rejected plan",), {}, "aa"),
    (TOLLS, ("tunnel toll",), {"plan_status": "approved"}, "df"),
    (TOLLS, ("tunnel toll over 45 Norwegian kroner a trip, plan not approved",), {}, "aa"),
    (LOANS, ("dairy bank deposit rate down at least 0.25 percentage points, rate sheet",), {},
     "ss"),
    (LOANS, ("dairy bank deposit rate cut of 2.5 percentage points or more, press",), {}, "aa"),
    (LOANS, ("dairy bank deposit rate",), {}, "dd"),
    (LOANS, ("dairy bank deposit rate fallen by under 25 bps per the rate sheet",), {}, "as"),
    (LAMPS, ("certified lanterns >= 3000 W except ship lanterns, depot inventory",), {}, "ssss"),
    (LAMPS, ("ship lanterns of at least 3 kW, uncertified, customer complaints",), {}, "saaa"),
    (LAMPS, ("lanterns", "power of lanterns in kW"), {}, "dddd"),
    (LAMPS, ("depot lanterns 3kW+ certified, no ship lanterns",), {}, "sssd"),
    (LAMPS, ("lanterns of less than 3 kW certified for indoor use other than ship lanterns",), {},
     "assd"),
    (CHOIR, ("did everybody attend the final rehearsal before June 2019",), {}, "sas"),
    (CHOIR, ("who missed the rehearsal before June 2019",), {}, "ads"),
    (CHOIR, ("choir rehearsal since June 2019",), {}, "dda"),
    (MILLS, ("mills where flour prices rose July to December 2011, market bulletin",), {}, "ass"),
    (MILLS, ("mills with steady or falling flour prices H2 2011",), {"source": "market bulletin"},
     "ssf"),
    (MILLS, ("mills, flour prices first half of 2011, bakers' forum",), {}, "daa"),
    (MILLS, ("mills where flour prices stayed flat or fell in 2011-07 to 2011-12",), {}, "ssd"),
    (CLAIMS, ("disputed claims of PLN 150 to PLN 900, claims archive",), {}, "sss"),
    (CLAIMS, ("undisputed claims between 150 and 900 euros",), {}, "aad"),
    (CLAIMS, ("claims between 150 and 950 zloty still contested",), {}, "asd"),
    (CLAIMS, ("claims still disputed",), {"amount_pln": {"gte": 150, "lte": 900}}, "fsd"),
    (GATES, ("repaired sluices away from town, miller-run ones excluded",), {}, "ss"),
    (GATES, ("broken sluices run by millers",), {}, "aa"),
    (GATES, ("sluice distances from town", "map of sluices"), {}, "dd"),
    (SHOPS, ("opening hours of bakeries only, Pell, amended decree from 1998 on",), {}, "sss"),
    (SHOPS, ("opening hours in Pell under the original decree before 1998",), {}, "daa"),
    (SHOPS, ("Pell shop hours",), {}, "ddd"),
    (CREWS, ("patrol of the reserve by under 12 rangers, staffing plan",), {}, "ss"),
    (CREWS, ("patrol of the reserve by at most 11 rangers",), {}, "sd"),
    (CREWS, ("patrol of the reserve by 12 rangers or more, visitor survey",), {}, "aa"),
    (CREWS, ("patrol of the reserve by fewer than two dozen rangers",), {}, "ad"),
    (TANKS, ("uninsulated tanks of 500 litres or more, test protocol",), {}, "sss"),
    (TANKS, ("insulated tanks of at least 50 litres, travel blog",), {}, "aaa"),
    (TANKS, ("tank volume", "tanks for water"), {}, "ddd"),
    (TANKS, ("tanks with a minimum of 0.5 cubic metres lacking insulation",), {}, "ssd"),
]  # fmt: skip
