"""What an uploaded case brings along: the contents of the stages that need no computing. No Django
here.

An arm may have a line of rewrites.jsonl, a line of run.jsonl, or both, for a request. Nothing that
a team's own pipeline logged is computed again.
"""

from collections.abc import Mapping
from typing import Any

from evaluation.records import Answer, Rewrite
from evaluation.runs.stages import rewrite_given

NO_REWRITE = "The uploaded file has no rewrite for this request."
UNLOGGED = "The logged run does not say what was searched."
NO_HITS_LOGGED = "The logged run does not say what was retrieved."
Content = dict[str, Any]


def stages_of(
    rewrite: Mapping[str, Any] | None, run: Mapping[str, Any] | None
) -> dict[str, Content]:
    """Return the stages that are given, by name: `rewrite` always, `retrieve` and `answer` with a
    line of a `run`. What is not in it the run's own parts compute.

    Marks: `missing` on the rewrite: neither file has the request, the case is not run. `unlogged`
    on the rewrite or on the retrieval: the pipeline did not log it, so that nothing about it is
    judged or scored. An answer that was not logged has the status "not_applicable"; one that is
    null, or a question asked back instead, "abstained"; a failure has the status that was logged.
    """
    stages = {"rewrite": _rewrite(rewrite, run)}
    if run is not None:
        stages["retrieve"] = _retrieved(run)
        stages["answer"] = _answered(rewrite, run)
    return stages


def missing(why: str) -> Content:
    """There is nothing to run: the case is counted as not run, never as a loss."""
    return {**Rewrite(kind="error").to_json(), "error": why, "missing": True}


def _rewrite(rewrite: Mapping[str, Any] | None, run: Mapping[str, Any] | None) -> Content:
    if rewrite is not None:
        return rewrite_given(Rewrite.from_json(rewrite))
    if run is None:
        return missing(NO_REWRITE)
    fell_back = run.get("fell_back") is True
    if "kind" not in run:
        logged = Rewrite("error", clarification=run.get("clarification"), fell_back=fell_back)
        return {**logged.to_json(), "error": UNLOGGED, "unlogged": True}
    return rewrite_given(
        Rewrite(
            run["kind"],
            tuple(run.get("queries") or ()),
            run.get("filters") or {},
            run.get("clarification"),
            fell_back=fell_back,
        )
    )


def _retrieved(run: Mapping[str, Any]) -> Content:
    if run.get("hits") is None:
        return {"hits": [], "note": NO_HITS_LOGGED, "unlogged": True}
    return {"hits": run["hits"], "note": "uploaded"}


def _answered(rewrite: Mapping[str, Any] | None, run: Mapping[str, Any]) -> Content:
    """The logged latency, tokens, calls and cost are those of the whole pipeline: they stand here
    alone, and where nothing of the kind was logged there is no such key.
    """
    answer = Answer(
        run.get("answer"),
        tuple(run.get("citations") or ()),
        run.get("latency_ms"),
        run.get("tokens"),
    )
    asked_here = rewrite is not None and not rewrite.get("clarification")
    more = {key: run[key] for key in ("calls", "cost_usd") if run.get(key) is not None}
    if asked_here and run.get("clarification"):
        more["clarification"] = run["clarification"]
    return {**answer.to_json(), "status": _status(run), "error": run.get("error") or "", **more}


def _status(run: Mapping[str, Any]) -> str:
    if logged := run.get("status"):
        return str(logged)
    if run.get("answer") is not None:
        return "ok"
    asked = bool(run.get("clarification"))
    return "abstained" if "answer" in run or asked else "not_applicable"
