from typing import Any, TypeGuard

from django.utils.translation import gettext_lazy as _

from annotation.importing.fields import Fields
from annotation.importing.kinds import register
from annotation.importing.problems import Problems
from annotation.models import Corpus, Project
from evaluation.importing.arms import ArmFile, Reader
from evaluation.models import UploadedRun


@register
class RunFile(ArmFile):
    """run.jsonl: the documents and answers that a team's own pipeline logged for one arm. Nothing
    is executed.
    """

    name = "run"
    label = _("Logged pipeline run (run.jsonl)")
    columns = ("request", "hits", "answer", "citations", "clarification", "latency_ms")
    rows = UploadedRun
    entry = "run.imported"

    def reader(self, project: Project, problems: Problems) -> Reader | None:
        corpus = Corpus.objects.latest_of(project)
        if corpus is None:
            problems.add(None, "", "no_corpus", "import the corpus first: hits name its documents.")
            return None
        documents = set(corpus.documents.values_list("key", flat=True))

        def content(fields: Fields) -> dict[str, Any]:
            return {
                "hits": _hits(fields, documents),
                "answer": fields.text("answer", required=False),
                "citations": fields.texts("citations") or [],
                "clarification": fields.text("clarification", required=False),
                "latency_ms": fields.number("latency_ms"),
            }

        return content


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
