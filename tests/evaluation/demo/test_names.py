"""Everything in the study is invented: a name that is not on this list was not looked at."""

import re

from babel import Locale

from tests.evaluation.demo.study import read

# Places, companies, ships and people of the study. Each was made up for it.
INVENTED = set(
    """
    Aldmere Brackwell Braga Brenholt Brimstrand Castor Cobbet Corrand Corvane Dulmere Dunmouth
    Estermoor Fennick Hallowby Hallqvist Halmer Harrowfen Hexlow Hopefield José Kesselby Lamplight
    Lantern Lanternwatch Lisle Lodmar Marram Marrick Meridane Merrowby Núñez Orlow Ormskar Orrin
    Osgrave Ossendrift Osterby Ostling Pellgrove Quarrel Quell Quillan Rowe Saltmarsh Skellin
    Soltane Stern Talmere Tarlow Tennor Tessaly Tessel Threlmoor Varrow Vendel Vetherby Wexmere Zoë
    Ångström-Leclerc
    """.split()
)
# Ordinary words that stand in names ("Grey Heron", "Marrow Lane", "Remote Work Policy").
IN_NAMES = set(
    """
    Access Analytics Assurance Audit Bank Canal Daughters Data Ferries Grange Grey Grid Group
    Haulage Heat Heron Hill Kitchen Lab Laboratories Lane Lock Logistics Low Marina Marine Marrow
    Metering Mill Mutual Navigation Pantry Partners Pike Plover Policy Project Quay Remote Retention
    Rule Savings Securities Security Services Shipping Sluice Tariff Tern Tolling Transport Travel
    Upper Water Waterways Weir Work
    """.split()
)
CALENDAR = set(
    """
    January February March April May June July August September October November December Thursday
    Sunday Sundays
    """.split()
)
OTHERS = {"I", "EUR", "GWh", "MW"}
# A capital in the middle of a sentence; labels such as W3, H2 or FY2022 are none.
CAPITAL = re.compile(r"(?<![.?!:;(] )(?<!^)\b(?![A-Z]+\d)[^\W\d_][\w'’-]*")


def _every_text():
    for document in read("corpus.jsonl"):
        yield from (document["title"], document["text"])
    for name in ("requests.jsonl", "practice.jsonl"):
        for request in read(name):
            yield from (*(turn["text"] for turn in request.get("turns", [])), request["text"])
    for reference in read("standalone.jsonl"):
        yield reference["text"]
    for rewrite in read("rewrites.jsonl"):
        yield from (*rewrite["queries"], rewrite["clarification"] or "")


def test_every_name_in_the_study_is_on_the_list_of_invented_ones():
    known = INVENTED | IN_NAMES | CALENDAR | OTHERS
    found = {
        word
        for text in _every_text()
        for word in CAPITAL.findall(text)
        if word[0].isupper() and word not in known
    }
    assert found == set()


def test_the_study_names_no_country_that_the_cldr_knows():
    countries = set(Locale("en").territories.values())
    words = "\n".join(_every_text())
    named = {name for name in countries if re.search(rf"\b{re.escape(name)}\b", words)}
    assert named == set()
