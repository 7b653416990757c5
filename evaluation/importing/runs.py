from collections import Counter
from typing import Any, TypeGuard

from django.utils.translation import gettext_lazy as _

from annotation.importing.fields import Fields, composed
from annotation.importing.kinds import register
from annotation.importing.mapping import as_utf8
from annotation.importing.problems import Problems
from annotation.importing.showing import quoted
from annotation.importing.source import Source
from annotation.models import Corpus, Project
from evaluation.importing.arms import ArmFile, ArmRow, Reader
from evaluation.importing.trec import trec_rows
from evaluation.models import UploadedRun

MAX_RANK = 1_000_000
_HIT = ("id", "rank", "score", "query", "found")


@register
class RunFile(ArmFile):
    """run.jsonl, or a TREC run: the documents and answers that a team's own pipeline logged for one
    arm. Nothing is executed.
    """

    name = "run"
    label = _("Logged pipeline run (run.jsonl, or a TREC run)")
    formats = ("jsonl", "csv", "trec")
    columns = (
        "request",
        "hits",
        "answer",
        "citations",
        "clarification",
        "latency_ms",
        "metadata",
    )
    rows = UploadedRun
    entry = "run.imported"

    def take(self, project: Project, source: Source, problems: Problems, target: str) -> Any:
        if source.reading.format != "trec":
            parsed: list[ArmRow] = super().take(project, source, problems, target)
            self.tell_coverage(project, parsed, problems, target)
            return parsed
        text = as_utf8(source.data, source.reading.encoding, problems)
        rows = source.watched(trec_rows(text, problems)) if text is not None else ()
        parsed = self.check(project, rows, problems, target)
        self.tell_coverage(project, parsed, problems, target)
        return parsed + self._nothing_found(project, parsed, problems, target)

    def _nothing_found(
        self, project: Project, parsed: list[ArmRow], problems: Problems, target: str
    ) -> list[ArmRow]:
        """A request that a TREC run leaves out was asked, and nothing was found: it scores 0."""
        lacking = self.lacking(project, parsed, target)
        if lacking:
            problems.note(
                f"{len(lacking)} requests are not in the run: they come in with no documents, "
                "which scores 0."
            )
        return [ArmRow(request, _nothing()) for request in lacking]

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
                "citations": [composed(key) for key in fields.texts("citations") or []],
                "clarification": fields.text("clarification", required=False),
                "latency_ms": fields.number("latency_ms", least=0),
            }

        return content


def _nothing() -> dict[str, Any]:
    """The content of a row whose request was asked, and for which nothing was found."""
    return {
        "hits": [],
        "answer": None,
        "citations": [],
        "clarification": None,
        "latency_ms": None,
    }


def _hits(fields: Fields, documents: set[str]) -> list[dict[str, Any]]:
    hits: list[dict[str, Any]] = []
    seen: set[str] = set()
    for position, given in enumerate(fields.objects("hits") or [], start=1):
        key = given.get("id")
        hit = {**given, "id": composed(key) if isinstance(key, str) else key}
        fault = _hit_fault(hit, seen, documents)
        if fault:
            fields.fault("hits", fault[0], f"hit {position}: {fault[1]}", part=position)
            continue
        seen.add(hit["id"])
        kept = {**{part: hit[part] for part in _HIT[:3]}, "query": hit.get("query", 0)}
        hits.append({**kept, "found": hit["found"]} if hit.get("found") else kept)
        if others := sorted(given.keys() - set(_HIT)):
            sentence = f"hit {position}: {', '.join(map(quoted, others))} is not kept."
            fields.warn("hits", "not_kept", sentence)
    _warn_of_ties(fields, hits)
    # Ranks of several sub-queries may be equal: the higher id comes first, as in a TREC run.
    hits.sort(key=lambda hit: hit["id"], reverse=True)
    return sorted(hits, key=lambda hit: hit["rank"])


def _hit_fault(hit: dict[str, Any], seen: set[str], documents: set[str]) -> tuple[str, str] | None:
    key, rank, score, query = hit["id"], hit.get("rank"), hit.get("score"), hit.get("query", 0)
    if not isinstance(key, str) or key not in documents:
        return "unknown_document", f"the corpus has no document {quoted(key)}."
    if key in seen:
        return "duplicate_hit", f"{quoted(key)} stands twice."
    if not _is_count(rank) or not 1 <= rank <= MAX_RANK:
        return "bad_rank", f"the rank must be 1, 2, 3 …, not {quoted(rank)}."
    if isinstance(score, bool) or not isinstance(score, int | float):
        return "bad_score", f"the score must be a number such as 9.1, not {quoted(score)}."
    if not _is_count(query) or not 0 <= query <= MAX_RANK:
        return "bad_query", f"the query must be 0, 1, 2 …, not {quoted(query)}."
    if not _names_lists(hit.get("found")):
        return (
            "bad_found",
            'found must be a list of {"query": 0, "rank": 1}, each with "by" or not.',
        )
    return None


def _names_lists(found: object) -> bool:
    """Return whether `found` can be the lists that a fused hit stood in; most hits have none."""
    if found is None:
        return True
    return isinstance(found, list) and all(
        isinstance(one, dict)
        and one.keys() <= {"query", "rank", "by"}
        and _is_count(one.get("query"))
        and _is_count(one.get("rank"))
        and 0 <= one["query"] <= MAX_RANK
        and 1 <= one["rank"] <= MAX_RANK
        and isinstance(one.get("by", ""), str)
        for one in found
    )


def _warn_of_ties(fields: Fields, hits: list[dict[str, Any]]) -> None:
    places = Counter((hit["query"], hit["rank"]) for hit in hits)
    tied = sorted(rank for (_query, rank), count in places.items() if count > 1)
    if tied:
        ranks = ", ".join(map(str, tied[:10]))
        fields.warn("hits", "tied_rank", f"hits share the rank {ranks}: the higher id comes first.")


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)
