from collections import Counter
from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext_lazy as _

from annotation.importing.kinds import Option, register
from annotation.importing.mapping import as_utf8
from annotation.importing.problems import Problems
from annotation.importing.source import Source
from annotation.models import Corpus, Project
from evaluation.importing.arms import ArmFile, ArmRow, Reader
from evaluation.importing.logged import LoggedLine
from evaluation.importing.trec import trec_rows
from evaluation.importing.unknown import Unknown
from evaluation.models import UploadedRewrite, UploadedRun

FAILURES = frozenset({"provider_error", "rate_limited", "timed_out", "truncated", "not_run"})


@register
class RunFile(ArmFile):
    """run.jsonl, or a TREC run: what a team's own pipeline searched, found and answered, as one
    arm. Nothing is executed; every score is computed for which something was logged.
    """

    name = "run"
    label = _("Logged pipeline run (run.jsonl, or a TREC run)")
    formats = ("jsonl", "csv", "trec")
    columns = (
        "request",
        "kind",
        "queries",
        "filters",
        "hits",
        "answer",
        "citations",
        "clarification",
        "fell_back",
        "status",
        "error",
        "latency_ms",
        "tokens",
        "cost_usd",
        "calls",
        "metadata",
    )
    options = (
        Option(
            "allow_unknown",
            _("Leave out requests and documents that the project does not have"),
            help=_("They are counted. Without this box a file that names any is refused."),
            flag=True,
        ),
        Option(
            "missing_not_run",
            _("Requests that a TREC run leaves out were not run"),
            help=_("Without this box they were asked and nothing was found, which scores 0."),
            flag=True,
        ),
    )
    rows = UploadedRun
    other_rows = UploadedRewrite
    entry = "run.imported"

    def take(self, project: Project, source: Source, problems: Problems, target: str) -> Any:
        unknown = Unknown(allowed=bool(source.options.get("allow_unknown")))
        trec = source.reading.format == "trec"
        if trec:
            text = as_utf8(source.data, source.reading.encoding, problems)
            rows = source.watched(trec_rows(text, problems)) if text is not None else iter(())
        else:
            rows = source.rows(problems, self.shape)
        parsed = self.check_rows(project, rows, problems, target, unknown)
        unknown.tell(problems)
        _tell_contents(parsed, problems)
        lacking = self.lacking(project, parsed, target)
        if trec and not source.options.get("missing_not_run"):
            return parsed + _nothing_found(lacking, problems)
        self._tell_missing(project, lacking, problems, target)
        return parsed

    def reader(self, project: Project, problems: Problems, unknown: Unknown) -> Reader | None:
        corpus = Corpus.objects.latest_of(project)
        if corpus is None:
            problems.add(None, "", "no_corpus", "import the corpus first: hits name its documents.")
            return None
        documents = set(corpus.documents.values_list("key", flat=True))
        return LoggedLine(documents, unknown).read

    def _tell_missing(
        self, project: Project, lacking: Sequence[Any], problems: Problems, target: str
    ) -> None:
        """A request without a row is not run, unless the arm has a rewrite of it to search here."""
        rewritten = self._others(project, target).keys()
        here = sum(request.key in rewritten for request in lacking)
        if missing := len(lacking) - here:
            problems.note(f"Requests that the file leaves out, counted as not run: {missing}.")
        if here:
            problems.note(f"Not in the file, but rewritten and so searched here: {here}.")


def _nothing_found(lacking: Sequence[Any], problems: Problems) -> list[ArmRow]:
    """A request that a TREC run leaves out was asked, and nothing was found: it scores 0."""
    if lacking:
        problems.note(
            f"{len(lacking)} requests are not in the run: they come in with no documents, "
            "which scores 0."
        )
    return [
        ArmRow(
            request,
            {"hits": [], "citations": [], "clarification": None, "latency_ms": None},
            in_file=False,
        )
        for request in lacking
    ]


def _tell_contents(parsed: Sequence[ArmRow], problems: Problems) -> None:
    """Count what the rows have, so that everybody sees which scores there can be."""
    rows = [row.content for row in parsed]
    answers = [row for row in rows if "answer" in row]
    logged = {
        "hits": sum("hits" in row for row in rows),
        "queries": sum("kind" in row for row in rows),
        "answers": len(answers),
    }
    told = ", ".join(f"{name} of {count}" for name, count in logged.items())
    nothing = sum(row["answer"] is None for row in answers)
    problems.note(
        f"Requests in the file: {len(rows)}. Logged: {told}; abstained: {nothing}. What is not "
        "logged is not scored."
    )
    failures = Counter(row["status"] for row in rows if row.get("status") in FAILURES)
    if failures:
        told = ", ".join(f"{name} {count}" for name, count in sorted(failures.items()))
        problems.note(f"Failed in the pipeline, counted and never scored: {told}.")
    if deepest := max((len(row.get("hits") or ()) for row in rows), default=0):
        problems.note(
            f"Hits in the longest list: {deepest}. Freeze k = {deepest} where the original search "
            "shall find as many."
        )
    if unjudged := sum(1 for row in parsed if not row.request.evidence):
        problems.note(
            f"{unjudged} of {len(parsed)} requests have no evidence recorded: evidence is not "
            "scored for them."
        )
    answered = [row for row in parsed if "answer" in row.content]
    if ungraded := sum(1 for row in answered if not row.request.answers):
        problems.note(
            f"{ungraded} of {len(answered)} requests with an answer have no accepted answers: "
            "theirs is not scored."
        )
    if fell_back := sum("fell_back" in row for row in rows):
        problems.note(
            f"Fell back to the original: {fell_back} of {len(rows)}. They are scored as that "
            "search and never count as rewritten."
        )
