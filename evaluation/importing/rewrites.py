from typing import Any

from django.utils.translation import gettext_lazy as _

from annotation.importing.fields import Fields
from annotation.importing.kinds import register
from annotation.importing.problems import Problems
from annotation.models import Project
from evaluation.importing.arms import ArmFile, Reader
from evaluation.models import UploadedRewrite
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
        "latency_ms",
        "tokens",
        "cost_usd",
        "metadata",
    )
    required = ("request", "kind")
    rows = UploadedRewrite
    entry = "rewrites.imported"

    def reader(self, project: Project, problems: Problems) -> Reader:
        return _content


def _content(fields: Fields) -> dict[str, Any]:
    kind = fields.choice("kind", REWRITE_KINDS)
    queries = fields.texts("queries") or []
    filters = fields.object("filters")
    clarification = fields.text("clarification", required=False)
    asks = kind == "clarification" or bool(clarification)
    if kind not in (None, "error") and not queries and not asks:
        fields.fault("queries", "missing", "a rewrite needs a query or a clarification.")
    return {
        "kind": kind,
        "queries": queries,
        "filters": filters,
        "clarification": clarification,
        "latency_ms": fields.number("latency_ms", least=0),
        "tokens": _tokens(fields),
        "cost_usd": fields.number("cost_usd", least=0),
    }


def _tokens(fields: Fields) -> dict[str, Any] | None:
    tokens = fields.object("tokens")
    if not all(isinstance(n, int) and n is not True and n >= 0 for n in tokens.values()):
        fields.fault("tokens", "bad_number", "every count of tokens must be a whole number from 0.")
    return tokens or None
