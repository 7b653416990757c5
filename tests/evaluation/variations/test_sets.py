import json
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.variations import Source, build_maker
from evaluation.variations.sets import (
    Member,
    SetError,
    how_many,
    largest_remainder,
    manifest_of,
    manifest_sha256,
    nested_kinds,
    plan,
    table_one,
)

MIX = {"spelling": 3, "keyboard": 1, "visual": 1}
mixes = st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 9), min_size=1, max_size=6)
keys = st.lists(st.text(max_size=8), unique=True, max_size=40)


def kinds(count: int, rate: float, mix: dict[str, int] = MIX, seed: int = 7) -> dict[str, str]:
    names = [f"q{at}" for at in range(count)]
    return {one.key: one.kind for one in plan(names, rate=rate, mix=mix, seed=seed) if one.kind}


# QE-RAG: 1,000 test items have 200 and 400 with an error, 3:1:1.
@pytest.mark.parametrize(("rate", "counts"), [(0.2, (120, 40, 40)), (0.4, (240, 80, 80))])
def test_a_thousand_requests_at_three_to_one_to_one(
    rate: float, counts: tuple[int, int, int]
) -> None:
    found = Counter(kinds(1000, rate).values())
    assert tuple(found[kind] for kind in MIX) == counts


@pytest.mark.parametrize("requests", range(0, 60))
def test_three_to_one_to_one_is_the_largest_remainder_at_every_size(requests: int) -> None:
    given = Counter(nested_kinds(requests, MIX))
    assert {kind: given[kind] for kind in MIX} == largest_remainder(requests, MIX)


@given(st.integers(1, 6), st.integers(0, 60))
def test_equal_weights_are_the_largest_remainder_at_every_size(k: int, count: int) -> None:
    mix = dict.fromkeys("abcdef"[:k], 2)
    given = Counter(nested_kinds(count, mix))
    assert {kind: given[kind] for kind in mix} == largest_remainder(count, mix)


@given(st.integers(1, 50), st.integers(1, 50), st.integers(0, 120))
def test_two_kinds_are_the_largest_remainder_at_every_size(a: int, b: int, count: int) -> None:
    mix = {"a": a, "b": b}
    given = Counter(nested_kinds(count, mix))
    assert {kind: given[kind] for kind in mix} == largest_remainder(count, mix)


# Tijdeman 1980: no kind is further than 1 - 1/(2k - 2) from its quota, at any size.
@given(mixes, st.integers(0, 80))
def test_every_beginning_keeps_each_kind_near_its_quota(mix: dict[str, int], count: int) -> None:
    given = Counter(nested_kinds(count, mix))
    total, k = sum(mix.values()), len(mix)
    most = 1 - Fraction(1, 2 * k - 2) if k > 1 else 0
    for kind, weight in mix.items():
        assert abs(given[kind] - Fraction(count * weight, total)) <= most


@given(mixes, st.integers(0, 5))
def test_whole_quotas_are_met_exactly(mix: dict[str, int], times: int) -> None:
    given = Counter(nested_kinds(times * sum(mix.values()), mix))
    assert dict(given) == {kind: times * w for kind, w in mix.items() if times}


@given(keys, mixes, st.floats(0, 1), st.floats(0, 1), st.integers(0, 99))
def test_a_smaller_set_lies_inside_a_larger_one_with_the_same_kinds(
    names: list[str], mix: dict[str, int], one: float, other: float, seed: int
) -> None:
    small, large = sorted((one, other))
    inside = {p.key: p.kind for p in plan(names, rate=small, mix=mix, seed=seed) if p.kind}
    around = {p.key: p.kind for p in plan(names, rate=large, mix=mix, seed=seed) if p.kind}
    assert inside.items() <= around.items()
    assert len(inside) == how_many(len(names), small)


@given(keys, mixes, st.integers(0, 99), st.randoms())
def test_the_order_of_requests_and_of_kinds_counts_for_nothing(
    names: list[str], mix: dict[str, int], seed: int, shuffling: Any
) -> None:
    planned = plan(names, rate=0.5, mix=mix, seed=seed)
    assert [one.key for one in planned] == names
    mixed, other = list(names), list(mix)
    shuffling.shuffle(mixed)
    shuffling.shuffle(other)
    again = plan(mixed, rate=0.5, mix={kind: mix[kind] for kind in other}, seed=seed)
    assert set(again) == set(planned)


def test_the_largest_remainder_itself_is_not_nested() -> None:
    # The Alabama paradox in its usual small example: of 10 seats the third state has 2, of 11 one.
    mix = {"a": 6, "b": 6, "c": 2}
    assert largest_remainder(10, mix)["c"] == 2
    assert largest_remainder(11, mix)["c"] == 1
    assert Counter(nested_kinds(11, mix))["c"] >= Counter(nested_kinds(10, mix))["c"]


def test_another_seed_takes_others() -> None:
    assert kinds(100, 0.2, seed=1) != kinds(100, 0.2, seed=2)


def test_a_new_request_moves_no_other_in_the_order() -> None:
    before, after = list(kinds(50, 1.0)), kinds(51, 1.0)
    assert set(before) <= set(after)


@pytest.mark.parametrize(
    ("requests", "rate", "count"), [(10, 0.25, 3), (7, 0.35, 2), (350, 0.2, 70), (3, 0.1, 0)]
)
def test_a_rate_is_rounded_to_whole_requests_a_half_up(
    requests: int, rate: float, count: int
) -> None:
    assert how_many(requests, rate) == count


@pytest.mark.parametrize(
    ("names", "rate", "mix", "why"),
    [
        (["a", "a"], 0.5, MIX, '"a" is named twice'),
        (["a"], 1.5, MIX, "between 0 and 1"),
        (["a"], float("nan"), MIX, "between 0 and 1"),
        (["a"], 1.0, {}, "No kind of variation has a weight"),
        (["a"], 1.0, {"spelling": 0}, "No kind of variation has a weight"),
        (["a"], 1.0, {"spelling": -1}, "must be 0 or more"),
    ],
)
def test_what_cannot_be_planned_is_refused(
    names: list[str], rate: float, mix: dict[str, int], why: str
) -> None:
    with pytest.raises(SetError, match=why):
        plan(names, rate=rate, mix=mix, seed=1)


def test_a_rate_of_none_leaves_all_clean() -> None:
    assert kinds(10, 0) == {}


def test_table_one_by_hand() -> None:
    found = table_one(["who won", "a cup"], ["who wo n", "a cup"])
    assert (found.n, found.changed) == (2, 1)
    assert (found.mean_characters, found.mean_words) == (6.5, 2.5)
    assert (found.delta_characters, found.delta_words) == (0.5, 0.5)


def test_table_one_of_nothing_has_no_means() -> None:
    assert table_one([], []).mean_characters is None
    with pytest.raises(SetError, match="1 clean texts and 0"):
        table_one(["a"], [])


def _members(rate: float) -> list[Member]:
    sources = [Source(f"q{at}", f"which company made the film number {at}") for at in range(10)]
    sources[3] = Source("q3", "language")
    makers = {kind: build_maker(kind, {}) for kind in MIX}
    planned = plan([source.key for source in sources], rate=rate, mix=MIX, seed=7)
    return [
        Member(s.key, s.text, p.kind, makers[p.kind].vary(s, seed=7) if p.kind else None)
        for s, p in zip(sources, planned, strict=True)
    ]


def _manifest(rate: float) -> dict[str, Any]:
    parts = {kind: build_maker(kind, {}).describe() for kind in MIX}
    return manifest_of(_members(rate), seed=7, rate=rate, mix=MIX, parts=parts)


def test_a_manifest_is_json_and_always_the_same() -> None:
    manifest = _manifest(1.0)
    assert json.loads(json.dumps(manifest)) == manifest
    assert manifest_sha256(manifest) == manifest_sha256(_manifest(1.0))
    assert manifest_sha256(manifest) != manifest_sha256(_manifest(0.5))


def test_a_manifest_counts_what_was_made_and_why_not() -> None:
    manifest = _manifest(1.0)
    counts = manifest["counts"]
    assert sum(counts[kind]["planned"] for kind in counts) == 10
    assert sum(counts[kind]["made"] for kind in counts) == 9
    [why] = [why for kind in counts for why in counts[kind]["none"]]
    assert "is one word" in why
    assert manifest["items"][3]["varied"] is None


def test_a_request_in_both_sets_has_the_same_text_in_both() -> None:
    small = {m.key: m.text for m in _members(0.2) if m.kind}
    large = {m.key: m.text for m in _members(0.4) if m.kind}
    assert len(small) == 2
    assert small.items() <= large.items()


def test_a_clean_item_has_its_text_and_no_kind() -> None:
    clean = [item for item in _manifest(0.2)["items"] if not item["kind"]]
    assert len(clean) == 8
    assert set(clean[0]) == {"key", "kind", "clean"}
