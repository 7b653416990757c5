"""What differs between two frozen contents."""

import pytest

from evaluation.reports.comparing.conditions import condition_differences

FROZEN = {
    "k": 5,
    "corpus": {"sha256": "a" * 64, "version": 1},
    "retriever": {"name": "bm25", "parameters": {"k1": 1.2, "b": 0.75}},
    "requests": {f"r{n}": "x" for n in range(8)},
    "contracts": {"r1": {"version": 1, "sha256": "c"}},
}


def differ(**changed: object) -> list[tuple[str, str, str, str]]:
    return [
        (one.what, one.path, one.a, one.b)
        for one in condition_differences(FROZEN, {**FROZEN, **changed})
    ]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"k": 3}, ("Documents per request", "", "5", "3")),
        (
            {"retriever": {"name": "bm25", "parameters": {"k1": 0.9, "b": 0.75}}},
            ("Retriever", "parameters.k1", "1.2", "0.9"),
        ),
        ({"support": {"name": "nli"}}, ("Judge of support", "", "none", "nli")),
        (
            {"corpus": {"sha256": "b" * 64, "version": 1}},
            ("Corpus", "sha256", "a" * 16 + "…", "b" * 16 + "…"),
        ),
        (
            {"requests": {}},
            ("Requests", "", "8: r0, r1, r2, r3, r4 …", "not there"),
        ),
        (
            {"requests": {**FROZEN["requests"], "s": "x"}},  # type: ignore[dict-item]
            ("Requests", "", "not there", "1: s"),
        ),
        (
            {"contracts": {"r1": {"version": 2, "sha256": "d"}}},
            ("Contracts", "", "1: r1", "the same keys with other content"),
        ),
    ],
)
def test_a_difference_is_named_exactly(
    changed: dict[str, object], said: tuple[str, str, str, str]
) -> None:
    assert differ(**changed) == [said]


def test_equal_contents_have_none() -> None:
    assert differ() == []
