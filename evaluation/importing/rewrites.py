from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from annotation.canonical import content_hash
from annotation.importing.fields import Fields
from annotation.importing.kinds import FileKind, register
from annotation.importing.problems import Problems
from annotation.importing.reading import Row
from annotation.models import Person, Project, Request
from annotation.services import ledger
from contracts.importing.rows import Known
from evaluation.models import Arm, UploadedRewrite
from evaluation.records import REWRITE_KINDS


@dataclass(frozen=True)
class _Rewrite:
    request: Request
    content: dict[str, Any]


@register
class RewritesFile(FileKind):
    """rewrites.jsonl: what a team's own rewriter gave, as one arm. Only for requests whose
    contract stands.
    """

    name = "rewrites"
    label = _("Rewrites of a candidate (rewrites.jsonl)")
    columns = ("request", "kind", "queries", "filters", "clarification", "latency_ms", "tokens")
    target = "arm"

    def check(
        self, project: Project, rows: Sequence[Row], problems: Problems, target: str
    ) -> list[_Rewrite]:
        known = Known(project)
        contracted = contracted_keys(project)
        present = check_arm(project, problems, target, "uploaded_rewrites")
        parsed = []
        for row in rows:
            fields = Fields(row, problems)
            request = known.request(fields)
            content = _content(fields)
            if request is None:
                continue
            check_blind(project, fields, request, contracted)
            if request.key in present:
                fields.fault("request", "duplicate_id", f"“{request.key}” has a rewrite already.")
            present.add(request.key)
            parsed.append(_Rewrite(request, content))
        return parsed

    def load(self, project: Project, parsed: list[_Rewrite], actor: Person, target: str) -> int:
        arm = uploaded_arm(project, target)
        UploadedRewrite.objects.bulk_create(
            UploadedRewrite(arm=arm, request=r.request, content=r.content) for r in parsed
        )
        ledger.record(
            project=project,
            kind="rewrites.imported",
            subject=f"arm {target}",
            content={
                "rows": len(parsed),
                "sha256": content_hash([[r.request.key, r.content] for r in parsed]),
            },
            actor=actor,
        )
        return len(parsed)


def contracted_keys(project: Project) -> set[str]:
    return set(project.requests.filter(contracts__isnull=False).values_list("key", flat=True))


def check_arm(project: Project, problems: Problems, target: str, relation: str) -> set[str]:
    """Check the arm's name; return the request ids that it has rows for already."""
    if not target or target in Arm.RESERVED:
        problems.add(None, "", "bad_arm", "name the arm with --arm; original and human are taken.")
        return set()
    arm = project.arms.filter(name=target).first()
    if arm is None:
        return set()
    if arm.source != Arm.Source.UPLOADED:
        problems.add(None, "", "bad_arm", f"the arm “{target}” is run here, not uploaded.")
        return set()
    return set(getattr(arm, relation).values_list("request__key", flat=True))


def check_blind(project: Project, fields: Fields, request: Request, contracted: set[str]) -> None:
    """No candidate's output is stored for a request that people may still annotate."""
    if project.takes_contracts and request.key not in contracted:
        fields.fault(
            "request",
            "no_contract",
            f"“{request.key}” has no approved contract yet: its rewrites may come only after it.",
        )


def uploaded_arm(project: Project, name: str) -> Arm:
    arm, _created = Arm.objects.get_or_create(
        project=project, name=name, defaults={"source": Arm.Source.UPLOADED}
    )
    return arm


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
        "latency_ms": fields.number("latency_ms"),
        "tokens": fields.object("tokens") or None,
        "cost_usd": fields.number("cost_usd"),
    }
