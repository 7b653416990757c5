from typing import Any

import pytest

from tests.contracts.twins.asking import changes, flips, value_of

HIGHER = {"sets": ["2022", "2021"], "direction": "higher", "measure": "use"}
UP = {"sets": ["tariffs"], "direction": "increase"}
OVER = {"operator": ">", "value": 50, "unit": "employees"}
STAFF = {"mode": "exclude", "target": "temporary staff"}

FLIPPED: list[tuple[str, str, dict[str, Any], str, dict[str, Any]]] = [
    ("comparison", "Was [use higher in 2022 than in 2021]?", HIGHER,
     "use lower in 2022 than in 2021", {"direction": "lower", "sets": ["2022", "2021"]}),
    ("comparison", "Which tariffs [INCREASED]?", UP, "DECREASED", {"direction": "decrease"}),
    ("comparison", "Was there [an increase] in tariffs?", UP, "a decrease", {}),
    ("comparison", "Which had [more sites than Harbor Rail]?",
     {"sets": ["Harbor Rail"], "direction": "higher", "measure": "sites"},
     "fewer sites than Harbor Rail", {"direction": "lower"}),
    ("comparison", "Which had [more profit than Harbor Rail]?",
     {"sets": ["Harbor Rail"], "direction": "higher"}, "less profit than Harbor Rail", {}),
    ("comparison", "Was it [done earlier than the lock]?",
     {"sets": ["the lock"], "direction": "earlier"}, "done later than the lock",
     {"direction": "later"}),
    ("comparison", "The [difference in the injury rate of A and B]?",
     {"sets": ["A", "B"], "direction": "difference", "measure": "injury rate"},
     "difference in the injury count of A and B", {"measure": "injury count"}),
    ("quantity", "Firms with [more than 50 employees]?", OVER, "fewer than 50 employees",
     {"operator": "<"}),
    ("quantity", "Homes using [more than 120 cubic metres]?",
     {"operator": ">", "value": 120, "unit": "cubic metres"}, "less than 120 cubic metres", {}),
    ("quantity", "Loans of [at least EUR 5]?", {"operator": ">=", "value": 5, "currency": "EUR"},
     "at most EUR 5", {"operator": "<="}),
    ("quantity", "Loans of [no more than 5 %]?", {"operator": "<=", "value": 5, "unit": "%"},
     "no less than 5 %", {"operator": ">="}),
    ("quantity", "Is x [> 5]?", {"operator": ">", "value": 5}, "< 5", {"operator": "<"}),
    ("quantity", "Is the [number of accidents above 5]?",
     {"operator": ">", "value": 5, "aggregation": "count"}, "rate of accidents above 5",
     {"aggregation": "rate"}),
    ("polarity", "Employees, [excluding temporary staff]?", STAFF,
     "including only temporary staff", {"target": "everything but temporary staff"}),
    ("polarity", "Employees, [excluding temporary staff]?", STAFF, "excluding permanent staff",
     {"target": "permanent staff"}),
    ("polarity", "Tariffs, [old ones excluded]?", {"mode": "exclude", "target": "old ones"},
     "old ones only", {}),
    ("polarity", "Which sites did [not increase]?", {"mode": "negate", "target": "increase"},
     "not decrease", {"target": "decrease"}),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "text", "value", "now", "said"), FLIPPED)
def test_a_direction_is_flipped_in_words_and_value(
    kind: str, text: str, value: dict[str, Any], now: str, said: dict[str, Any]
) -> None:
    found = {one.now: one for one in flips(kind, value, text) if one.family == "direction"}
    assert now in found
    assert value_of(found[now]).items() >= said.items()


NOT_FLIPPED: list[tuple[str, str, dict[str, Any]]] = [
    ("comparison", "Did [use rise more in 2022 than in 2021]?", HIGHER),
    ("comparison", "How did [use in 2022 compare with 2021]?", HIGHER),
    ("comparison", "Which had [lower use in 2022]?", HIGHER),
    ("comparison", "Which was [higher, and later, in 2022]?", HIGHER | {"direction": "later"}),
    ("quantity", "Firms with [50 employees]?", OVER | {"operator": "="}),
    ("quantity", "Firms with [50+ employees]?", OVER),
    ("polarity", "An airline [without a licence]?", {"mode": "exclude", "target": "a licence"}),
    ("polarity", "Dues, [net of rebates]?", {"mode": "exclude", "target": "rebates"}),
    ("polarity", "Which did [not sink]?", {"mode": "negate", "target": "sink"}),
]


@pytest.mark.parametrize(("kind", "text", "value"), NOT_FLIPPED)
def test_words_that_leave_the_direction_open_are_left(
    kind: str, text: str, value: dict[str, Any]
) -> None:
    assert changes(flips(kind, value, text), "direction") == {}
