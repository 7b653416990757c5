"""Each constraint of a contract is judged for itself, in many styles of rewriting."""

from typing import Any

import pytest

from tests.evaluation.scoring.preservation.several import first, second, third
from tests.evaluation.scoring.preservation.several.asking import Asking, assert_labels

CASES = [*first.CASES, *second.CASES, *third.CASES]


@pytest.mark.parametrize(("asked", "queries", "filters", "letters"), CASES)
def test_each_constraint_is_judged_as_the_definitions_say(
    asked: Asking, queries: tuple[str, ...], filters: dict[str, Any], letters: str
) -> None:
    assert_labels(asked, queries, filters, letters)
