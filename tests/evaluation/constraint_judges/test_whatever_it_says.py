"""Whatever a model writes, it settles nothing without words that were emitted, and nothing else."""

import json
from collections.abc import Mapping
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from evaluation.constraint_judges.base import ConstraintJudge, OpenCase, Opinion
from evaluation.constraint_judges.endpoint import read_opinions
from evaluation.records import JUDGEMENTS
from evaluation.rewriters._replies import read_json
from tests.evaluation.constraint_judges.asking import CONTRACT, REQUEST, REWRITE, matched

EMITTED = (*REWRITE.queries, "country = Norway")
TEXTS = st.sampled_from(["AF", "about 2022", "AF revenue", "Norway", "", ".", "Alder"]) | st.text()
ENTRIES = st.fixed_dictionaries(
    {
        "constraint": st.sampled_from(["c1", "c2", "c3", "c9"]) | st.text(),
        "judgement": st.sampled_from(JUDGEMENTS) | st.text(),
        "quote": TEXTS,
        "why": st.text(),
    }
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner) | ENTRIES,
    max_leaves=8,
)


class Says(ConstraintJudge):
    """A judge that has its opinions already."""

    name, version = "says", "1"
    opinions: Mapping[str, Opinion]

    def judge(self, case: OpenCase) -> Mapping[str, Opinion]:
        return self.opinions


@given(st.lists(ENTRIES, min_size=1))
def test_every_settled_constraint_was_unsure_and_quotes_what_was_emitted(
    entries: list[dict[str, str]],
) -> None:
    judge = Says(None, None)
    judge.opinions = read_opinions({"judgements": entries}, ["c1", "c2"])
    for before, after in zip(
        matched(), judge.settle(REQUEST, CONTRACT, REWRITE, matched()), strict=True
    ):
        assert after.by == before.by or (before.judgement, after.by) == ("unsure", "says/1")
        assert after.judgement == before.judgement or after.by == "says/1"
        if after.by == "says/1":
            dropped = after.judgement == "dropped"
            assert dropped == (after.quote == "")
            assert any(after.quote in text for text in EMITTED)


@given(st.fixed_dictionaries({"judgements": JSON}) | JSON)
def test_any_json_is_read_or_refused_with_a_sentence(value: Any) -> None:
    try:
        found = read_opinions(read_json(json.dumps(value)), ["c1", "c2"])
    except ValueError as refusal:
        assert str(refusal)
    else:
        assert set(found) == {"c1", "c2"}
