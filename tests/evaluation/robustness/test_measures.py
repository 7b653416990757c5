"""One row under every measure; the answers' vectors are those of the rules' own tests."""

from typing import Any

import pytest

from evaluation.robustness.measures import MEASURES, Gold, score


def row(answer: str | None, *hits: str, status: str = "ok") -> dict[str, Any]:
    found = [{"id": key, "rank": n, "score": 1.0, "query": 0} for n, key in enumerate(hits, 1)]
    told = {"answer": answer, "hits": found, "retrievals": 2, "generations": 1}
    return {**told, "status": status, "error": ""}


GOLD = Gold("r", ("Barack Obama",), (("d1", "d2"), ("d9",)))


def test_every_measure_of_an_answer_and_its_documents() -> None:
    values = score(row("Barack Hussein Obama", "d2", "d3"), GOLD, k=3).values
    expected = {"em": 0, "f1": 0.8, "acc": 0, "inacc": 0, "typed": 0, "recall": 0.5}
    assert values == pytest.approx(expected)


def test_recall_is_of_the_first_k_documents_each_counted_once() -> None:
    assert score(row("x", "d3", "d3", "d1", "d9"), GOLD, k=2).values["recall"] == 0.5


def test_no_answer_is_worth_nothing_and_its_documents_count() -> None:
    found = score(row(None, "d1", "d9", status="abstained"), GOLD, k=3)
    assert [found.values[name] for name in ("em", "f1", "typed", "recall")] == [0, 0, 0, 1]


def test_a_failed_row_has_no_value() -> None:
    found = score({"status": "failed", "error": "It broke."}, GOLD, k=3)
    assert set(found.values) == set(MEASURES) and set(found.values.values()) == {None}
    assert found.error == "It broke."


def test_a_request_without_gold_has_reasons_in_its_place() -> None:
    found = score(row("x"), Gold("r"), k=3)
    assert found.values["f1"] is None and found.values["recall"] is None
    assert found.why["recall"] == "The request records no required evidence."


def test_a_gold_that_a_rule_refuses_leaves_that_rule_without_a_value() -> None:
    found = score(row("x"), Gold("r", ("the",)), k=3)
    assert found.values["inacc"] is None and "em" not in found.why
