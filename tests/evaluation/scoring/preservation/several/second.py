"""More invented requests with several constraints: the third set.

It was written before the judge saw it, and its labels follow from the definitions alone.
"""

from tests.evaluation.scoring.preservation.several.asking import (
    Case,
    but,
    day,
    number,
    source,
    status,
)

GREENHOUSES = (
    "Which of the leased greenhouses used more than 900 litres of water a "
    "day in July 2014, per the meter readings?",
    (
        status("leased", "owned"),
        number("more than 900 litres of water a day", ">", 900, unit="litres", aggregation="rate"),
        day("in July 2014", "on", "2014-07", "2014-07"),
        source("meter readings"),
    ),
)
CHARITIES = (
    "Did any audited charity spend under 8 percent on staff, not counting "
    "volunteers, between 2010 and 2012?",
    (
        status("audited", "unaudited"),
        number("under 8 percent", "<", 8, unit="percent"),
        but("volunteers", "not counting volunteers"),
        day("between 2010 and 2012", "during", "2010", "2012"),
    ),
)
TRAMS = (
    "List the trams that were not modernised before 1995 and carry up to "
    "120 passengers, from the depot ledger.",
    (
        but("modernised", "not modernised", "negate"),
        day("before 1995", "before", None, "1995"),
        number("up to 120 passengers", "<=", 120, unit="passengers", aggregation="count"),
        source("depot ledger"),
    ),
)
MEMO = (
    "What does the unpublished memo by the port say about cranes, gantry "
    "cranes aside, that lift 60 t or less?",
    (
        status("unpublished", "published"),
        but("gantry cranes", "gantry cranes aside"),
        number("60 t or less", "<=", 60, unit="t"),
    ),
)
TRAINS = (
    "How long were the suspended night trains out of use, according to the dispatcher's diary?",
    (status("suspended", "running"), source("dispatcher's diary")),
)
MILK = (
    "Is it not unlawful to sell raw milk under the repealed act?",
    (but("unlawful", "not unlawful", "negate"), status("repealed", "enacted", "amended")),
)
HOTELS = (
    "Hotels whose occupancy did not fall in Q2 2018, hostels excepted, based on booking statistics",
    (
        but("fall in occupancy", "did not fall", "negate"),
        day("in Q2 2018", "during", "2018-Q2", "2018-Q2"),
        but("hostels", "hostels excepted"),
        source("booking statistics"),
    ),
)
ALLOTMENTS = (
    "Are there vacant allotments of at least 200 square metres that cost "
    "less than 85 Swiss francs a year?",
    (
        status("vacant", "occupied"),
        number("at least 200 square metres", ">=", 200, unit="square metres"),
        number("less than 85 Swiss francs a year", "<", 85, currency="CHF", aggregation="annual"),
    ),
)
PATIENTS = (
    "Which patients on the shortlisted trial took no aspirin for exactly 14"
    " days, by the nurses' protocol?",
    (
        status("shortlisted", "rejected"),
        but("aspirin", "no aspirin", "exclude"),
        number("exactly 14 days", "=", 14, unit="days"),
        source("nurses' protocol"),
    ),
)
BUSES = (
    "In the confirmed timetable, which buses other than school buses run at"
    " least every 20 minutes since August 2020?",
    (
        status("confirmed", "provisional", "draft"),
        but("school buses", "other than school buses"),
        day("since August 2020", "since", "2020-08"),
    ),
)
PUPILS = (
    "Which pupils failed to hand in the certified translation by 3 May 2017?",
    (
        but("handing in the translation", "failed to hand in", "negate"),
        status("certified", "uncertified"),
        day("by 3 May 2017", "by", None, "2017-05-03"),
    ),
)
PLOTS = (
    "Average yield above 5.5 tonnes per hectare on unirrigated plots, yield map",
    (
        number("above 5.5 tonnes per hectare", ">", 5.5, unit="tonnes", aggregation="average"),
        status("unirrigated", "irrigated"),
        source("yield map"),
    ),
)
CASES: list[Case] = [
    (
        GREENHOUSES,
        ("rented greenhouses using over 900 l of water per day in July 2014, meter readings",),
        {},
        "ssss",
    ),
    (
        GREENHOUSES,
        ("own greenhouses water consumption more than 900 litres a week 07/2014",),
        {},
        "?asd",
    ),
    (
        GREENHOUSES,
        ("greenhouse watering", "irrigation demand of greenhouses in summer 2014"),
        {},
        "dd?d",
    ),
    (
        GREENHOUSES,
        (
            "hired greenhouses with a water use of at least 900 litres a day in "
            "July 2014, according to the owners' interviews",
        ),
        {},
        "sasa",
    ),
    (
        GREENHOUSES,
        (
            "A leased greenhouse used more than 900 litres of water a day in July "
            "2014. The meter readings show a peak during the heat wave, when "
            "shading was not yet in place.",
        ),
        {},
        "ssss",
    ),
    (GREENHOUSES, ("leased greenhouses 0.9 m3 water daily or more july 2014",), {}, "s?sd"),
    (
        GREENHOUSES,
        ("greenhouses",),
        {"status": "leased", "month": "2014-07", "source": "meter readings"},
        "fdff",
    ),
    (
        CHARITIES,
        ("audited charities with staff costs below 8% 2010-2012, volunteers not counted",),
        {},
        "ssss",
    ),
    (
        CHARITIES,
        ("unaudited charities volunteers staff costs 8 % or more 2010 to 2013",),
        {},
        "aaaa",
    ),
    (CHARITIES, ("charity staffing costs",), {}, "dddd"),
    (
        CHARITIES,
        (
            "charities with audited accounts, staff share under eight percent, "
            "excluding volunteers, 2010 through 2012",
        ),
        {},
        "?sss",
    ),
    (CHARITIES, ("audited charities spending less than 8 percentage points on staff",), {}, "s?dd"),
    (TRAMS, ("unmodernised trams up to 120 passengers, depot ledger, before 1995",), {}, "ssss"),
    (
        TRAMS,
        ("trams modernised after 1995 that carry over 120 passengers, fan magazine",),
        {},
        "aaaa",
    ),
    (
        TRAMS,
        ("trams carrying no more than 120 passengers and never modernised prior to 1995",),
        {},
        "sssd",
    ),
    (TRAMS, ("old trams", "passenger capacity of trams"), {}, "dddd"),
    (TRAMS, ("trams with 120 or fewer passengers, not modernised by 1995",), {}, "sasd"),
    (
        TRAMS,
        ("trams",),
        {"modernised": False, "passengers": {"lte": 120}, "year": {"lt": 1995}},
        "fffd",
    ),
    (MEMO, ("unpublished port memo on cranes except gantry cranes, max. 60 t",), {}, "sss"),
    (MEMO, ("published port memo gantry cranes lifting more than 60 t",), {}, "aaa"),
    (MEMO, ("port memo on cranes",), {}, "ddd"),
    (
        MEMO,
        (
            "port memo that was not published, cranes lifting 60,000 kg or less "
            "without gantry cranes",
        ),
        {},
        "sss",
    ),
    (MEMO, ("port memorandum, not released, cranes up to 60 tonnes",), {}, "??s"),
    (TRAINS, ("suspended night trains duration, dispatcher diary",), {}, "ss"),
    (TRAINS, ("how long did night trains keep running",), {}, "ad"),
    (TRAINS, ("night trains paused, passengers' letters",), {}, "sa"),
    (TRAINS, ("night train service history",), {}, "dd"),
    (TRAINS, ("night train interruption length by the diary of the dispatcher",), {}, "?s"),
    (MILK, ("is selling raw milk lawful under the repealed act",), {}, "ss"),
    (MILK, ("is selling raw milk unlawful under the amended act",), {}, "aa"),
    (MILK, ("unlawfulness of selling raw milk",), {}, "ad"),
    (MILK, ("raw milk sale rules",), {}, "dd"),
    (MILK, ("selling raw milk isn't unlawful, rescinded act",), {}, "ss"),
    (
        HOTELS,
        (
            "hotels with stable or growing occupancy in the second quarter of 2018,"
            " no hostels, booking statistics",
        ),
        {},
        "ssss",
    ),
    (HOTELS, ("hotels and hostels where occupancy grew in Q3 2018, review site",), {}, "aaa?"),
    (HOTELS, ("hotel occupancy April to June 2018",), {}, "dsdd"),
    (
        HOTELS,
        ("hotels where occupancy did not decline, April-June 2018, hostels excluded",),
        {"source": "booking statistics"},
        "sssf",
    ),
    (HOTELS, ("hostels where occupancy fell Q2 2018",), {}, "asad"),
    (ALLOTMENTS, ("empty allotments >= 200 m² under CHF 85 annually",), {}, "sss"),
    (
        ALLOTMENTS,
        ("occupied allotments of 200 sq m at most for less than 85 euros a year",),
        {},
        "aaa",
    ),
    (ALLOTMENTS, ("allotments to let", "size of an allotment", "yearly fee"), {}, "ddd"),
    (
        ALLOTMENTS,
        ("vacant allotments from 0.02 hectares upwards, below 85 Swiss francs per month",),
        {},
        "ssa",
    ),
    (ALLOTMENTS, ("vacant allotments",), {"area_m2": {"gte": 200}}, "sfd"),
    (
        PATIENTS,
        ("patients on the shortlisted trial without aspirin for two weeks, nurses' protocol",),
        {},
        "ssss",
    ),
    (
        PATIENTS,
        ("patients on the rejected trial who took aspirin for 14 weeks, patient forum",),
        {},
        "aaaa",
    ),
    (PATIENTS, ("patients trial aspirin-free 14 days",), {}, "dssd"),
    (PATIENTS, ("clinical trial patients",), {}, "dddd"),
    (BUSES, ("confirmed timetable, buses excluding school buses from August 2020 on",), {}, "sss"),
    (BUSES, ("draft timetable school buses before August 2020",), {}, "aaa"),
    (BUSES, ("bus timetable",), {"status": "confirmed"}, "fdd"),
    (
        BUSES,
        ("buses (not school buses) every 20 minutes since 08/2020, definitive timetable",),
        {},
        "?ss",
    ),
    (PUPILS, ("pupils who did not hand in the certified translation by 2017-05-03",), {}, "sss"),
    (PUPILS, ("pupils who handed in the certified translation after 3 May 2017",), {}, "asa"),
    (PUPILS, ("translation deadlines for pupils",), {}, "ddd"),
    (
        PUPILS,
        ("pupils without a handed-in uncertified translation up to and including May 3, 2017",),
        {},
        "?as",
    ),
    (PLOTS, ("mean yield over 5.5 t/ha, unirrigated plots, yield map",), {}, "sss"),
    (PLOTS, ("total yield above 5.5 tonnes on irrigated plots, farmers' blog",), {}, "aaa"),
    (PLOTS, ("plots not irrigated with an average yield > 5500 kg per hectare",), {}, "ssd"),
    (PLOTS, ("crop yields of plots",), {}, "ddd"),
]
