"""The bench costs as few queries for sixty constraints as for six."""

import pytest

from tests.bench.bench_page import opened

ACTS = ("queue", "open", "page", "decide", "take_all", "approve")


@pytest.mark.django_db
def test_the_bench_asks_the_same_number_of_queries_for_any_number_of_constraints() -> None:
    few, many = (opened(constraints) for constraints in (6, 60))
    assert [few[act]["queries"] for act in ACTS] == [many[act]["queries"] for act in ACTS]
