"""More invented requests with several constraints: the fourth set.

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

VESSELS = (
    "Tell me how many vessels the dredging firm scrapped since 2009 at more"
    " than 3 million US dollars in total, as recorded in the salvage "
    "register.",
    (
        day("since 2009", "since", "2009"),
        number(
            "more than 3 million US dollars in total",
            ">",
            3_000_000,
            currency="USD",
            aggregation="total",
        ),
        source("salvage register"),
    ),
)
TENDER = (
    "Who audited the sealed tender, other than interns, and on the strength"
    " of which invoices above 18,000 forint?",
    (
        status("sealed", "open"),
        but("interns", "other than interns"),
        number("above 18,000 forint", ">", 18000, currency="HUF"),
    ),
)
ELECTIONS = (
    "Were the annulled elections in Tarn monitored by fewer than 30 "
    "observers, none of them paid, by the observers' diary?",
    (
        status("annulled", "valid"),
        number("fewer than 30 observers", "<", 30, unit="observers", aggregation="count"),
        but("paid", "none of them paid", "negate"),
        source("observers' diary"),
    ),
)
MERGER = (
    "Explain the tentative merger plan of Sorrel Dairies for 2016, barring "
    "cheese plants, using the board minutes.",
    (
        status("tentative", "confirmed"),
        day("for 2016", "during", "2016", "2016"),
        but("cheese plants", "barring cheese plants"),
        source("board minutes"),
    ),
)
TAXIS = (
    "Any licensed taxis with a fare no higher than 2.40 euros per kilometre"
    " that never skid, according to the road tests?",
    (
        status("licensed", "unlicensed"),
        number(
            "no higher than 2.40 euros per kilometre",
            "<=",
            2.4,
            currency="EUR",
            aggregation="per_unit",
        ),
        but("skidding", "never skid", "negate"),
        source("road tests"),
    ),
)
STONES = (
    "Do the disputed boundary stones lie within 4 km of the river, going by"
    " the land survey of the 1950s?",
    (
        status("disputed", "undisputed", "accepted"),
        number("within 4 km", "<=", 4, unit="km"),
        source("land survey"),
        day("of the 1950s", "during", "1950", "1959"),
    ),
)
RENTS = (
    "rents that did not climb by the end of 2014, dormitories only, from the tenants' union data",
    (
        but("climb in rents", "did not climb", "negate"),
        day("by the end of 2014", "by", None, "2014-12-31"),
        but("everything but dormitories", "dormitories only"),
    ),
)
APPEALS = (
    "Summarise the pending appeals of fishermen about quotas below 75 "
    "tonnes, apart from herring, in the court file.",
    (
        status("pending", "decided", "dismissed"),
        number("below 75 tonnes", "<", 75, unit="tonnes"),
        but("herring", "apart from herring"),
        source("court file"),
    ),
)
REACTORS = (
    "Which of the decommissioned reactors had an average output of at least"
    " 600 MW between 1985 and 1989?",
    (
        status("decommissioned", "running"),
        number("average output of at least 600 MW", ">=", 600, unit="MW", aggregation="average"),
        day("between 1985 and 1989", "during", "1985", "1989"),
    ),
)
NURSES = (
    "Can a registered nurse with under 5 years of practice work "
    "unsupervised, as per the ward rules?",
    (
        status("registered", "unregistered"),
        number("under 5 years", "<", 5, unit="years"),
        but("supervised", "unsupervised", "negate"),
        source("ward rules"),
    ),
)
CASES: list[Case] = [
    (
        VESSELS,
        (
            "vessels scrapped by the dredging firm from 2009 onwards for over USD "
            "3m altogether, salvage register",
        ),
        {},
        "sss",
    ),
    (
        VESSELS,
        (
            "vessels scrapped by the dredging firm until 2009",
            "scrap value of over 3 million US dollars a year",
        ),
        {},
        "aad",
    ),
    (VESSELS, ("dredging firm scrapped vessels",), {"date": {"gte": "2009"}}, "fdd"),
    (VESSELS, ("dredging company shipbreaking, total above 3 million euros, hearsay",), {}, "daa"),
    (
        VESSELS,
        (
            "number of vessels the dredging firm has scrapped after 2009, total "
            "cost above $3 million",
        ),
        {"source": "salvage register"},
        "asf",
    ),
    (
        TENDER,
        ("auditors of the sealed tender excluding interns, invoices over HUF 18,000",),
        {},
        "sss",
    ),
    (
        TENDER,
        ("auditors of the open tender", "interns who audited invoices above 18,000 forint"),
        {},
        "aas",
    ),
    (TENDER, ("who checked the tender in the procurement office",), {}, "ddd"),
    (TENDER, ("seald tender auditors, invoices of at least 18,000 forint, no interns",), {}, "ssa"),
    (TENDER, ("auditors of the tender, invoices above 81,000 forint",), {"sealed": True}, "fda"),
    (
        ELECTIONS,
        ("voided Tarn elections, under thirty unpaid observers, observers' diary",),
        {},
        "ssss",
    ),
    (
        ELECTIONS,
        ("valid elections in Tarn with 30 or more paid observers, radio broadcasts",),
        {},
        "aaa?",
    ),
    (ELECTIONS, ("Tarn election monitoring", "history of elections in Tarn"), {}, "dddd"),
    (
        ELECTIONS,
        ("annulled elections Tarn < 30 observers, paid observers, observer's diary",),
        {},
        "ssas",
    ),
    (ELECTIONS, ("quashed elections in Tarn, at most 29 observers, not paid",), {}, "sssd"),
    (
        MERGER,
        (
            "Sorrel Dairies preliminary merger plan 2016 without cheese plants, "
            "minutes of the board",
        ),
        {},
        "ssss",
    ),
    (
        MERGER,
        ("Sorrel Dairies confirmed merger plan 2017 for cheese plants, trade magazine",),
        {},
        "aaaa",
    ),
    (MERGER, ("Sorrel Dairies merger",), {"year": 2016, "status": "tentative"}, "ffdd"),
    (MERGER, ("Sorrel Dairies plans and company strategy",), {}, "dddd"),
    (
        MERGER,
        (
            "In 2016 Sorrel Dairies drew up a tentative merger plan covering all "
            "sites except cheese plants, as the board minutes show.",
        ),
        {},
        "ssss",
    ),
    (TAXIS, ("licensed taxis at most €2.40/km that do not skid, road tests",), {}, "ssss"),
    (
        TAXIS,
        ("unlicensed taxis above 2.40 euros per kilometre that skid, passenger complaints",),
        {},
        "aaaa",
    ),
    (TAXIS, ("taxi fares", "taxi safety on wet roads"), {}, "dddd"),
    (TAXIS, ("licensed taxis fare up to 2.40 pounds per kilometre no skidding",), {}, "sasd"),
    (
        TAXIS,
        ("licenced taxis, fare of 2.40 euros per kilometre or less",),
        {"source": "road tests"},
        "ssdf",
    ),
    (
        STONES,
        ("contested boundary stones no more than 4000 m from the river, 1950s land survey",),
        {},
        "ssss",
    ),
    (
        STONES,
        ("accepted boundary stones within 4 miles of the river, old photographs, 1960s",),
        {},
        "aaaa",
    ),
    (STONES, ("boundary stones near the river",), {}, "dddd"),
    (
        STONES,
        ("undisputed boundary stones more than 4 km from the river land survey 1950-1959",),
        {},
        "aass",
    ),
    (RENTS, ("dormitory rents only, flat or falling up to 31 December 2014",), {}, "sss"),
    (RENTS, ("rents that went up after 2014",), {}, "aad"),
    (RENTS, ("rents of dormitories exclusively, not climbing by 2014-12-31",), {}, "sss"),
    (RENTS, ("rent levels",), {}, "ddd"),
    (
        APPEALS,
        ("undecided fishermen's appeals, quotas under 75,000 kg, except herring, court file",),
        {},
        "ssss",
    ),
    (
        APPEALS,
        ("dismissed appeals of fishermen about herring quotas over 75 tonnes, village gossip",),
        {},
        "aaaa",
    ),
    (APPEALS, ("fishermen appeals quotas", "fishing rights litigation"), {}, "dddd"),
    (
        APPEALS,
        ("pending appeals fishermen quotas < 75 t -herring",),
        {"doc_type": "court file"},
        "sssf",
    ),
    (APPEALS, ("appeals still pending on quotas below 57 tonnes with herring",), {}, "saad"),
    (REACTORS, ("mothballed reactors with a mean output of 600 MW or more 1985-1989",), {}, "sss"),
    (REACTORS, ("running reactors, median output of at least 600 MW, 1985 to 1989",), {}, "aas"),
    (
        REACTORS,
        ("reactors average output at least 0.6 GW",),
        {"status": "decommissioned", "year": {"gte": 1985, "lte": 1989}},
        "fsf",
    ),
    (REACTORS, ("nuclear reactor output",), {}, "ddd"),
    (REACTORS, ("decommissioned reactors averaging over 600 MW from 1990 to 1995",), {}, "saa"),
    (
        NURSES,
        ("registered nurse < 60 months practice working without supervision, ward rules",),
        {},
        "ssss",
    ),
    (
        NURSES,
        (
            "unregistered nurse with more than 5 years of practice working "
            "supervised, union newsletter",
        ),
        {},
        "aaaa",
    ),
    (NURSES, ("nurse working hours", "nursing staff"), {}, "dddd"),
    (
        NURSES,
        ("can an registerd nurse with less than five years practice work unsupervised",),
        {},
        "sssd",
    ),
]
