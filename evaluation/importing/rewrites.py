from typing import Any

from django.utils.translation import gettext_lazy as _

from annotation.importing.fields import Fields
from annotation.importing.kinds import register
from annotation.importing.problems import Problems
from annotation.importing.rows import Row
from annotation.models import Project
from evaluation.importing.arms import ArmFile, Reader
from evaluation.importing.measures import measures
from evaluation.importing.unknown import Unknown
from evaluation.models import UploadedRewrite, UploadedRun
from evaluation.records import REWRITE_KINDS


@register
class RewritesFile(ArmFile):
    """rewrites.jsonl: what a team's own rewriter gave, as one arm. Only for requests whose
    contract stands.
    """

    name = "rewrites"
    label = _("Rewrites of a candidate (rewrites.jsonl)")
    columns = (
        "request",
        "kind",
        "queries",
        "filters",
        "clarification",
        "fell_back",
        "latency_ms",
        "tokens",
        "cost_usd",
        "metadata",
    )
    required = ("request", "kind")
    rows = UploadedRewrite
    other_rows = UploadedRun
    entry = "rewrites.imported"

    def reader(self, project: Project, problems: Problems, unknown: Unknown) -> Reader:
        return _content


def _content(fields: Fields, _row: Row) -> dict[str, Any]:
    kind = fields.choice("kind", REWRITE_KINDS)
    queries = fields.texts("queries") or []
    filters = fields.object("filters")
    clarification = fields.text("clarification", required=False)
    fell_back = fields.flag("fell_back")
    asks = kind == "clarification" or bool(clarification)
    if fell_back and not queries:
        sentence = "it fell back: give the original query that was searched in place of a rewrite."
        fields.fault("queries", "missing", sentence)
    elif kind not in (None, "error") and not queries and not asks:
        fields.fault("queries", "missing", "a rewrite needs a query or a clarification.")
    return {
        "kind": "unchanged" if fell_back else kind,
        "queries": queries,
        "filters": filters,
        "clarification": clarification,
        **({"fell_back": True} if fell_back else {}),
        **measures(fields),
    }
