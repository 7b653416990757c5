"""One line of run.jsonl: what a pipeline logged of a request. No Django here.

What was not logged is left out of what is kept, so that it can be told from what came to nothing:
no answer is not an abstention, and no hits are not an empty result.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from annotation.importing.fields import Fields
from annotation.importing.rows import Row
from evaluation.importing.hits import citations_of, hits_of
from evaluation.importing.measures import calls, measures
from evaluation.importing.unknown import Unknown
from evaluation.records import REWRITE_KINDS

# What became of a request in the pipeline; all but the first two are failures, never scored.
LOGGED_STATUSES = (
    "ok",
    "abstained",
    "provider_error",
    "rate_limited",
    "timed_out",
    "truncated",
    "not_run",
)
_OPTIONAL = (
    "kind",
    "queries",
    "filters",
    "fell_back",
    "status",
    "error",
    "tokens",
    "cost_usd",
    "calls",
)


@dataclass(frozen=True)
class LoggedLine:
    """Reads lines against the ids of the corpus's `documents`."""

    documents: Collection[str]
    unknown: Unknown

    def read(self, fields: Fields, row: Row) -> dict[str, Any]:
        """Return the content to keep. Faults are added to the fields."""
        hits = hits_of(fields, self.documents, self.unknown)
        content: dict[str, Any] = {
            "citations": citations_of(fields, hits, self.documents, self.unknown),
            "clarification": fields.text("clarification", required=False) or None,
            **_rewrite(fields),
            "fell_back": fields.flag("fell_back") or None,
            **measures(fields),
            "calls": calls(fields),
        }
        if hits is not None:
            content["hits"] = hits
        content |= _outcome(fields, row)
        content = {k: v for k, v in content.items() if k not in _OPTIONAL or v is not None}
        if "fell_back" in content and "kind" in content:
            content["kind"] = "unchanged"  # as a service's reply: never something that it wrote
        if (
            not content.keys() & {"hits", "answer", "kind", "status"}
            and not content["clarification"]
        ):
            sentence = "the row logs nothing: give hits, queries, an answer or a status."
            fields.fault("", "nothing_logged", sentence)
        return content


def _rewrite(fields: Fields) -> dict[str, Any]:
    """What was searched, where the line says so. Several queries are sub-queries unless it names
    another kind.
    """
    queries = fields.texts("queries") or []
    filters = fields.object("filters")
    named = fields.text("kind", required=False)
    kind = fields.choice("kind", REWRITE_KINDS) if named is not None else None
    if named is None and queries:
        kind = "standalone" if len(queries) == 1 else "subqueries"
    if kind is None:
        if filters:
            fields.fault("filters", "missing", "filters need the queries that they were sent with.")
        return {}
    if not queries and kind not in ("error", "clarification"):
        fields.fault("queries", "missing", f"a rewrite of kind {kind} needs a query.")
    return {"kind": kind, "queries": queries, "filters": filters}


def _outcome(fields: Fields, row: Row) -> dict[str, Any]:
    """The answer where one was logged (null: the pipeline abstained), and what went wrong."""
    given = "answer" in row.values
    answer = fields.text("answer", required=False)
    if answer is not None and not answer.strip():
        sentence = "the answer is empty: write null where the pipeline gave none."
        fields.fault("answer", "empty_text", sentence)
    error = fields.text("error", required=False) or None
    named = fields.text("status", required=False)
    status = fields.choice("status", LOGGED_STATUSES) if named is not None else None
    if error and named is None:
        status = "provider_error"
    if status == "abstained" and answer is not None:
        fields.fault("status", "contradiction", "the status is abstained, yet there is an answer.")
    if status == "ok" and (error or (given and answer is None)):
        said = "an error" if error else "the answer null (abstained)"
        fields.fault("status", "contradiction", f"the status is ok, yet there is {said}.")
    said_nothing = given or status == "abstained"
    return {
        **({"answer": answer} if said_nothing else {}),
        "status": None if status == "ok" else status,
        "error": error,
    }
