"""Constraints by kind; the counts are made by hand from the judgements above the tests."""

from evaluation.scoring.completeness import preservation
from evaluation.scoring.kinds import count_kinds
from evaluation.scoring.outcomes import CaseOutcome, Judged
from evaluation.scoring.result import result_of


def judged(*rows: tuple[str, str, bool]) -> tuple[Judged, ...]:
    return tuple(
        Judged(f"c{n}", kind, critical, word) for n, (kind, word, critical) in enumerate(rows)
    )


def outcome(request: str, arm: str, request_class: str, *rows, **fields) -> CaseOutcome:  # type: ignore[no-untyped-def]
    return CaseOutcome(request, request_class, arm, judgements=judged(*rows), **fields)


OUTCOMES = [
    outcome("r1", "cand", "dated", ("time", "stated", True), ("referent", "dropped", True)),
    outcome("r2", "cand", "dated", ("time", "filtered", False), ("time", "altered", True)),
    outcome("r3", "cand", "plain", ("time", "unsure", True)),
    outcome("r4", "cand", "plain", ("time", "dropped", True), unresolved=True),
    outcome("r5", "cand", "plain", ("time", "dropped", True), status="timed_out"),
    outcome("r1", "original", "dated", ("time", "stated", True)),
]


def test_every_word_is_counted_as_kept_lost_or_open_and_the_critical_ones_apart() -> None:
    assert count_kinds(OUTCOMES)["cand"]["all"]["time"] == {
        "kept": 2,
        "lost": 1,
        "open": 1,
        "n": 4,
        "critical": {"kept": 1, "lost": 1, "open": 1, "n": 3},
    }


def test_unresolved_and_failed_cases_are_not_counted() -> None:
    assert count_kinds(OUTCOMES)["cand"]["plain"]["time"]["n"] == 1


def test_scopes_begin_with_all_and_kinds_stand_in_the_order_of_contracts() -> None:
    found = count_kinds(OUTCOMES)
    assert list(found) == ["cand", "original"]
    assert list(found["cand"]) == ["all", "dated", "plain"]
    assert list(found["cand"]["all"]) == ["referent", "time"]


def test_over_the_kinds_they_add_up_to_constraint_preservation() -> None:
    mine = [each for each in OUTCOMES if each.arm == "cand"]
    kinds = count_kinds(mine)["cand"]["all"].values()
    pooled = preservation(mine, level=0.95, resamples=100, seed=1).pooled.worst
    assert (sum(k["kept"] for k in kinds), sum(k["n"] for k in kinds)) == (2, 5)
    assert pooled.value == 2 / 5


def test_the_result_of_a_run_has_them() -> None:
    with_both = [each for each in OUTCOMES if each.request == "r1"]
    found = result_of(with_both, [], [], clusters={}, protocol=None)
    assert found["kinds"] == count_kinds(with_both)
