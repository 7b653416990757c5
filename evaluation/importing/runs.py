from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

from django.utils.translation import gettext_lazy as _

from annotation.importing.fields import Fields
from annotation.importing.kinds import FileKind, register
from annotation.importing.problems import Problems
from annotation.importing.reading import Row
from annotation.models import Corpus, Person, Project, Request
from annotation.services import ledger
from contracts.importing.rows import Known
from evaluation.importing.rewrites import (
    check_arm,
    check_blind,
    contracted_keys,
    uploaded_arm,
)
from evaluation.models import UploadedRun


@dataclass(frozen=True)
class _Logged:
    request: Request
    content: dict[str, Any]


@register
class RunFile(FileKind):
    """run.jsonl: the documents and answers that a team's own pipeline logged for one arm. Nothing
    is executed.
    """

    name = "run"
    label = _("Logged pipeline run (run.jsonl)")
    columns = ("request", "hits", "answer", "citations", "clarification", "latency_ms")
    target = "arm"

    def check(
        self, project: Project, rows: Sequence[Row], problems: Problems, target: str
    ) -> list[_Logged]:
        known = Known(project)
        contracted = contracted_keys(project)
        present = check_arm(project, problems, target, "uploaded_runs")
        corpus = Corpus.objects.latest_of(project)
        if corpus is None:
            problems.add(None, "", "no_corpus", "import the corpus first: hits name its documents.")
            return []
        documents = set(corpus.documents.values_list("key", flat=True))
        parsed = []
        for row in rows:
            fields = Fields(row, problems)
            request = known.request(fields)
            content = {
                "hits": _hits(fields, documents),
                "answer": fields.text("answer", required=False),
                "citations": fields.texts("citations") or [],
                "clarification": fields.text("clarification", required=False),
                "latency_ms": fields.number("latency_ms"),
            }
            if request is None:
                continue
            check_blind(project, fields, request, contracted)
            if request.key in present:
                fields.fault("request", "duplicate_id", f"“{request.key}” is there already.")
            present.add(request.key)
            parsed.append(_Logged(request, content))
        return parsed

    def load(self, project: Project, parsed: list[_Logged], actor: Person, target: str) -> int:
        arm = uploaded_arm(project, target)
        UploadedRun.objects.bulk_create(
            UploadedRun(arm=arm, request=r.request, content=r.content) for r in parsed
        )
        ledger.record(
            project=project,
            kind="run.imported",
            subject=f"arm {target}",
            content={"rows": len(parsed)},
            actor=actor,
        )
        return len(parsed)


def _hits(fields: Fields, documents: set[str]) -> list[dict[str, Any]]:
    hits: list[dict[str, Any]] = []
    seen: set[str] = set()
    for position, hit in enumerate(fields.objects("hits") or [], start=1):
        key, rank, score = hit.get("id"), hit.get("rank"), hit.get("score")
        query = hit.get("query", 0)
        if not isinstance(key, str) or key not in documents:
            fields.fault("hits", "unknown_document", f"hit {position}: no document “{key}”.")
        elif key in seen:
            fields.fault("hits", "duplicate_hit", f"hit {position}: “{key}” stands twice.")
        elif not _is_count(rank) or rank < 1:
            fields.fault("hits", "bad_rank", f"hit {position}: the rank must be 1, 2, 3 …")
        elif isinstance(score, bool) or not isinstance(score, int | float):
            fields.fault("hits", "bad_score", f"hit {position}: the score must be a number.")
        elif not _is_count(query) or query < 0:
            fields.fault("hits", "bad_query", f"hit {position}: the query must be 0, 1, 2 …")
        else:
            seen.add(key)
            hits.append({"id": key, "rank": rank, "score": score, "query": query})
    # Ranks of several sub-queries may be equal: the id decides, the same way each time.
    return sorted(hits, key=lambda hit: (hit["rank"], hit["id"]))


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)
