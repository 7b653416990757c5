"""Paraphrases that no list can know: the judge may be unsure of them, never sure of the wrong.

"k" marks a rewrite that keeps the constraint, "l" one that loses it, by the definitions alone.
"""

from typing import Any

import pytest

from evaluation.records import KEPT, LOST
from tests.evaluation.scoring.preservation.judging import Asked, amount, time


def quantity(text: str, words: str, value: dict[str, Any]) -> Asked:
    return Asked(text, "quantity", value, words)


def polarity(text: str, words: str, mode: str, target: str) -> Asked:
    return Asked(text, "polarity", {"mode": mode, "target": target}, words)


def status(text: str, words: str, value: str, *rivals: str) -> Asked:
    return Asked(text, "status", {"value": value, "rivals": list(rivals)}, words)


def evidence(text: str, words: str, source: str) -> Asked:
    return Asked(text, "evidence", {"source": source}, words)


def when(text: str, words: str, value: dict[str, Any], reference: str | None = None) -> Asked:
    return Asked(text, "time", value, words, reference_date=reference)


ACT = status("Output of the active mines in Tarn", "active", "active", "closed")
VAC = status("Prices of vacant houses in Pell", "vacant", "vacant", "occupied")
RET = status("Speeches of the retired judge on fishing", "retired", "retired", "sitting")
SIG = status("Where is the signed lease?", "signed", "signed", "unsigned")
ELE = status("Who is the elected chair of the guild?", "elected", "elected", "appointed")
OPEN = status("Are the open pools heated?", "open", "open", "closed")
EXP = status("Fines for expired permits of vendors", "expired", "expired", "valid")
DRA = status("What does the draft bylaw say on dogs?", "draft", "draft", "adopted")
CAN = status("Refunds for cancelled flights to Mora", "cancelled", "cancelled", "delayed")
REG = status(
    "Do registered nurses need a visa in Ostia?", "registered", "registered", "unregistered"
)
ANN = evidence(
    "According to the annual report, how many pilots left?",
    "According to the annual report",
    "annual report",
)
SUR = evidence("How happy are nurses, by the staff survey?", "by the staff survey", "staff survey")
ODO = evidence(
    "Mileage of vans going by the odometer book", "going by the odometer book", "odometer book"
)
WIT = evidence(
    "What caused the fire, per witness statements?", "per witness statements", "witness statements"
)
CEN = evidence("Population of Brigg, from the census", "from the census", "census")
MAP = evidence("Where is the old well, by the parish map?", "by the parish map", "parish map")
INS = polarity("Which drivers are not insured?", "not insured", "negate", "insured")
TOY = polarity("Recalls in spring, except for toys", "except for toys", "exclude", "toys")
ANS = polarity(
    "Which letters were never answered by the mayor?", "never answered", "negate", "answered"
)
WOR = polarity("Which lifts do not work on Sundays?", "do not work", "negate", "working")
SUG = polarity(
    "Jams without added sugar at the fair", "without added sugar", "exclude", "added sugar"
)
CLO = polarity("Shops that aren't closed in August", "aren't closed", "negate", "closed in August")
RNG = quantity(
    "Claims of 200 to 500 euros",
    "200 to 500 euros",
    amount("between", 200, high=500, currency="EUR"),
)
MIN = quantity(
    "Queues shorter than 90 minutes", "shorter than 90 minutes", amount("<", 90, unit="minutes")
)
MON = quantity(
    "Courses of at least 18 months", "at least 18 months", amount(">=", 18, unit="months")
)
KM = quantity("Trails longer than 10 km", "longer than 10 km", amount(">", 10, unit="km"))
PCT = quantity(
    "Banks with a rate above 4.5 percent", "above 4.5 percent", amount(">", 4.5, unit="percent")
)
DOZ = quantity("Hostels with 24 beds", "24 beds", amount("=", 24, unit="beds", aggregation="count"))
MLN = quantity(
    "Firms with sales over 2.5 million dollars",
    "over 2.5 million dollars",
    amount(">", 2500000, currency="USD"),
)
AGE = quantity("Widows aged 65 or older in Holt", "65 or older", amount(">=", 65, unit="years"))
BEF = when("Barns built before 1900", "before 1900", time("before", end="1900"))
Y19 = when("Floods in 2019", "in 2019", time("on", "2019", "2019"))
LY = when(
    "Sales last quarter",
    "last quarter",
    time("during", "2022-Q4", "2022-Q4", reference_date="2023-02-10"),
    "2023-02-10",
)
DEC = when("Ships lost in the 1870s", "in the 1870s", time("during", "1870", "1879"))
CASES: list[tuple[Asked, str, str]] = [
    (ACT, "Tarn mines still working output", "k"),
    (ACT, "working mines Tarn production", "k"),
    (ACT, "Tarn mines in operation", "k"),
    (ACT, "Tarn mines that have shut", "l"),
    (ACT, "Tarn mines output statistics", "l"),
    (ACT, "dormant mines in Tarn", "l"),
    (VAC, "prices of houses nobody lives in, Pell", "k"),
    (VAC, "unoccupied houses Pell", "k"),
    (VAC, "tenanted houses in Pell", "l"),
    (VAC, "house prices Pell market", "l"),
    (RET, "former judge speeches fishing", "k"),
    (RET, "ex-judge on fishing", "k"),
    (RET, "sitting judge fishing speech", "l"),
    (RET, "judge speeches fishing rights", "l"),
    (SIG, "lease bearing a signature", "k"),
    (SIG, "executed lease copy", "k"),
    (SIG, "where to find the lease agreement", "l"),
    (SIG, "lease signing ceremony", "l"),
    (ELE, "guild chair chosen by vote", "k"),
    (ELE, "chair of the guild", "l"),
    (ELE, "guild chair by election", "k"),
    (ELE, "nominated guild chair", "l"),
    (OPEN, "heated pools currently open", "k"),
    (OPEN, "open-air heated pools", "l"),
    (OPEN, "pools not closed heated", "k"),
    (OPEN, "heated pools", "l"),
    (EXP, "permits that are no longer valid fines vendors", "k"),
    (EXP, "out-of-date vendor permits fines", "k"),
    (EXP, "lapsed vendor permits", "k"),
    (EXP, "fines for vendors without permits", "l"),
    (DRA, "draft dog bylaw", "k"),
    (DRA, "dog bylaw not yet adopted", "k"),
    (DRA, "dog bylaw as passed", "l"),
    (DRA, "bylaw on dogs leash", "l"),
    (CAN, "refund flight Mora called off", "k"),
    (CAN, "refund for scrapped flight Mora", "k"),
    (CAN, "refund delayed flight Mora", "l"),
    (CAN, "airline refunds Mora", "l"),
    (CAN, "cancellation refunds flights Mora", "k"),
    (REG, "nurse visa Ostia", "l"),
    (REG, "RN visa requirement Ostia", "k"),
    (ANN, "yearly report pilots left", "k"),
    (ANN, "pilots who left in the company's report for the year", "k"),
    (ANN, "annual statement pilots leaving", "k"),
    (ANN, "pilot turnover newspaper", "l"),
    (ANN, "pilots leaving", "l"),
    (ANN, "quarterly report pilots left", "l"),
    (SUR, "employee survey nurse happiness", "k"),
    (SUR, "staff poll nurses happy", "k"),
    (SUR, "nurse happiness", "l"),
    (SUR, "happiness of nurses on social media", "l"),
    (SUR, "survey of staff: nurses' happiness", "k"),
    (ODO, "van mileage log", "k"),
    (ODO, "vans distance", "l"),
    (ODO, "vans distance, insurance filings", "l"),
    (WIT, "fire cause eyewitness accounts", "k"),
    (WIT, "fire cause testimony of witnesses", "k"),
    (WIT, "fire cause insurance audit", "l"),
    (WIT, "what caused the fire", "l"),
    (CEN, "Brigg population count census 1901", "k"),
    (CEN, "Brigg inhabitants number", "l"),
    (CEN, "Brigg population per enumeration", "k"),
    (MAP, "old well location parish plan", "k"),
    (MAP, "old well on the map of the parish", "k"),
    (MAP, "old well location gossip", "l"),
    (INS, "drivers whose insurance has lapsed", "k"),
    (INS, "drivers with insurance", "l"),
    (INS, "drivers lacking cover", "k"),
    (TOY, "recalls in spring leave toys out", "k"),
    (TOY, "spring recalls but skip toys", "k"),
    (TOY, "spring recalls of non-toy products", "k"),
    (TOY, "spring recalls including toys", "l"),
    (TOY, "toys recalled in spring, nothing else", "l"),
    (TOY, "everything recalled in spring apart from playthings", "k"),
    (TOY, "all spring recalls", "l"),
    (ANS, "letters ignored by the mayor", "k"),
    (ANS, "letters awaiting a reply from the mayor", "k"),
    (ANS, "mayor letters replies", "l"),
    (ANS, "letters left unanswered", "k"),
    (ANS, "the mayor's answers to letters", "l"),
    (WOR, "lifts out of order on Sundays", "k"),
    (WOR, "lifts working on Sundays", "l"),
    (WOR, "Sunday lift outages", "k"),
    (WOR, "lifts Sundays", "l"),
    (SUG, "jams with no sugar added", "k"),
    (SUG, "unsweetened jams fair", "k"),
    (SUG, "sugar-free jams at the fair", "k"),
    (SUG, "jams at the fair", "l"),
    (SUG, "jams with added sugar", "l"),
    (CLO, "shops open in August", "k"),
    (CLO, "shops closed in August", "l"),
    (CLO, "August closing of shops", "l"),
    (RNG, "claims of at least 200 and at most 500 euros", "k"),
    (RNG, "claims from EUR 200 up to EUR 500", "k"),
    (RNG, "claims 200€ - 500€", "k"),
    (RNG, "claims over 200 euros", "l"),
    (RNG, "claims of 200 to 5000 euros", "l"),
    (MIN, "queues under 1 h 30 min", "k"),
    (MIN, "queues under an hour and a half", "k"),
    (MIN, "queues under 1.5 h", "k"),
    (MIN, "queues over 90 min", "l"),
    (MIN, "queues under 90 seconds", "l"),
    (MON, "courses of a year and a half or more", "k"),
    (MON, "courses of 1.5 years or longer", "k"),
    (MON, "courses of eighteen months minimum", "k"),
    (MON, "courses of at least 18 weeks", "l"),
    (MON, "long courses", "l"),
    (KM, "trails over 6.2 miles", "k"),
    (KM, "trails over 10,000 metres", "k"),
    (KM, "trails over 10 miles", "l"),
    (KM, "trails 10 km or longer", "l"),
    (PCT, "banks with a rate over 4.5%", "k"),
    (PCT, "banks with rate over 4½ percent", "k"),
    (PCT, "bank rate higher than 450 basis points", "k"),
    (PCT, "bank rates over 5.4%", "l"),
    (PCT, "banks with high rates", "l"),
    (DOZ, "hostels with two dozen beds", "k"),
    (DOZ, "24-bed hostels", "k"),
    (DOZ, "hostel beds: 24", "k"),
    (DOZ, "hostels with 42 beds", "l"),
    (DOZ, "hostels open 24 hours", "l"),
    (MLN, "firms with more than $2.5M in sales", "k"),
    (MLN, "sales > USD 2,500,000", "k"),
    (MLN, "sales over two and a half million dollars", "k"),
    (MLN, "sales over $2.5bn", "l"),
    (MLN, "sales over 2.5 million Canadian dollars", "l"),
    (AGE, "Holt widows 65+", "k"),
    (AGE, "Holt widows over 64", "k"),
    (AGE, "Holt widows 65 and over", "k"),
    (AGE, "Holt widows under 65", "l"),
    (AGE, "elderly widows Holt", "l"),
    (AGE, "Holt widows over 65", "l"),
    (BEF, "pre-1900 barns", "k"),
    (BEF, "19th century and older barns", "k"),
    (BEF, "barns built up to 1899", "k"),
    (BEF, "barns built after 1900", "l"),
    (BEF, "barns built in 1900", "l"),
    (BEF, "old barns", "l"),
    (Y19, "floods 2019", "k"),
    (Y19, "floods between January and December 2019", "k"),
    (Y19, "floods since 2019", "l"),
    (Y19, "floods 2018", "l"),
    (Y19, "recent floods", "l"),
    (LY, "sales Q4 2022", "k"),
    (LY, "sales October through December 2022", "k"),
    (LY, "sales Q1 2023", "l"),
    (LY, "sales fourth quarter", "k"),
    (DEC, "ships lost 1870-79", "k"),
    (DEC, "ships lost 1870 to 1879", "k"),
    (DEC, "ships lost in the eighteen-seventies", "k"),
    (DEC, "ships lost in the 1970s", "l"),
    (DEC, "ships lost in the 70s", "k"),
]


@pytest.mark.parametrize(("asked", "query", "side"), CASES)
def test_a_paraphrase_is_never_surely_judged_wrong(asked: Asked, query: str, side: str) -> None:
    assert asked.label(query) not in (LOST if side == "k" else KEPT)
