"""Whatever stands in a line, it is kept or it is a fault with its row: reading it never breaks."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from annotation.importing.fields import Fields
from annotation.importing.problems import Problems
from annotation.importing.rows import Row
from evaluation.importing.logged import LOGGED_STATUSES, LoggedLine
from evaluation.importing.unknown import Unknown
from evaluation.runs.uploaded import stages_of

WORDS = st.sampled_from(["d1", "d2", "d9", "", "ok"])
SCALARS = st.none() | st.booleans() | st.integers(-2, 9) | WORDS
KEYS = st.sampled_from(["id", "rank", "score", "query", "found"])
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=12,
)
FIELDS = st.sampled_from(
    "hits answer citations clarification kind queries filters fell_back status error latency_ms "
    "tokens cost_usd calls".split()
)


@given(st.dictionaries(FIELDS, VALUES, max_size=8), st.booleans())
def test_any_line_is_kept_or_refused(values: dict[str, Any], allowed: bool) -> None:
    problems = Problems("run.jsonl")
    row = Row(4, {"request": "a", **values})
    reader = LoggedLine({"d1", "d2"}, Unknown(allowed=allowed))
    content = reader.read(Fields(row, problems), row)
    assert all(problem.row == 4 for problem in problems.shown)
    if not problems.total:
        stages = stages_of(None, content)
        assert stages["answer"]["status"] in (*LOGGED_STATUSES, "not_applicable")
        hits = [hit["id"] for hit in stages["retrieve"]["hits"]]
        assert len(hits) == len(set(hits)) and set(hits) <= {"d1", "d2"}
        assert "hits" not in content or set(stages["answer"]["citations"]) <= set(hits)
