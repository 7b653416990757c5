"""A benchmark in the form of BEIR: corpus.jsonl, queries.jsonl, qrels/SPLIT.tsv.

Nandan Thakur et al., “BEIR: A Heterogenous Benchmark for Zero-shot Evaluation of Information
Retrieval Models”, NeurIPS 2021. A judgement of grade 1 or more makes its document one required item
of evidence, so that evidence recall is BEIR's recall; grades of 0 and below are no evidence.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext_lazy as _

from annotation.importing.corpus import CorpusFile, NewCorpus, NewDocument, document_of
from annotation.importing.csv_rows import csv_rows
from annotation.importing.fields import Fields, composed, id_fault
from annotation.importing.kinds import FileKind, Option, register
from annotation.importing.look_alikes import NewNames
from annotation.importing.mapping import Reading
from annotation.importing.problems import Problems
from annotation.importing.reading import lines_of, stream_rows
from annotation.importing.requests import MAX_CLASS, Classes, NewRequest, RequestsFile
from annotation.importing.rows import Row, Shape, letters
from annotation.importing.showing import quoted
from annotation.importing.source import Source
from annotation.models import Person, Project

CORPUS, QUERIES = "corpus.jsonl", "queries.jsonl"
QREL_COLUMNS = ("query-id", "corpus-id", "score")
_GRADE = re.compile(r"-?\d{1,9}(\.0+)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class _Query:
    key: str
    text: str
    metadata: dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Benchmark:
    corpus: NewCorpus
    requests: list[NewRequest]


@dataclass
class _Judgements:
    """What the qrels say: the relevant documents of each query, and what they name in vain."""

    relevant: dict[str, list[str]] = field(default_factory=dict)
    count: int = 0
    strange_documents: int = 0
    strange_queries: int = 0


@register
class BeirFolder(FileKind):
    """A BEIR folder: its corpus becomes the next version, the queries of one split requests."""

    name = "beir"
    label = _("Benchmark in BEIR form (a folder as .zip or .tar.gz)")
    columns = (CORPUS, QUERIES, "qrels/test.tsv")
    folder = True
    formats = ()
    options = (
        Option("split", _("Split"), "test", _("The file in qrels whose queries come in.")),
        Option("class", _("Class of the requests"), "beir"),
        Option(
            "allow_missing",
            _("Leave out judgements that name no document or query of the folder"),
            flag=True,
        ),
    )
    depends_on = RequestsFile.depends_on

    def take(self, project: Project, source: Source, problems: Problems, target: str) -> Any:
        """Read the three files one after the other; queries without a judgement stay out."""
        members = source.members or {}
        split = source.options.get("split") or "test"
        name = source.options.get("class") or "beir"
        qrels = f"qrels/{split}.tsv"
        if not _all_there(members, qrels, problems) or not _class_holds(project, name, problems):
            return None

        def rows(member: str, shape: Shape) -> Iterable[Row]:
            problems.file = member
            return source.watched(stream_rows(members[member], member, problems, shape))

        shape = Shape(("_id", "title", "text", "metadata"), ("_id", "text"))
        documents = _documents(rows(CORPUS, shape), problems)
        queries = _queries(project, rows(QUERIES, Shape(("_id", "text", "metadata"))), problems)
        tsv = Reading(format="csv", delimiter="\t")
        problems.file = qrels
        if not _has_header(members[qrels], problems):
            return None
        strict = Shape(QREL_COLUMNS, QREL_COLUMNS, others=False)
        judged = _judgements(
            source.watched(csv_rows(lines_of(members[qrels]), strict, problems, tsv)),
            {d.key for d in documents},
            queries,
            problems,
            allow_missing=bool(source.options.get("allow_missing")),
        )
        problems.file = problems.file_named
        _tell(problems, queries, judged, qrels, allowed=bool(source.options.get("allow_missing")))
        requests = [_request(queries[key], name, found) for key, found in judged.relevant.items()]
        return _Benchmark(NewCorpus.of(documents), requests)

    def load(self, project: Project, parsed: _Benchmark, actor: Person, target: str) -> int:
        written = CorpusFile().load(project, parsed.corpus, actor, "")
        return written + RequestsFile().load(project, parsed.requests, actor, "")


def _all_there(members: Any, qrels: str, problems: Problems) -> bool:
    lacking = [name for name in (CORPUS, QUERIES, qrels) if name not in members]
    if not lacking:
        return True
    splits = sorted(n for n in members if n.startswith("qrels/") and n.endswith(".tsv"))
    found = ", ".join(splits or sorted(members)[:10]) or "nothing"
    problems.add(
        None,
        "",
        "missing_file",
        f"the folder lacks {', '.join(map(quoted, lacking))}. Found: {found}.",
    )
    return False


def _has_header(qrels: bytes, problems: Problems) -> bool:
    """Whether the first line names a column; TREC's qrels do not, and have a column more."""
    first = next((line for line in lines_of(qrels) if line.strip()), b"")
    names = {letters(name) for name in first.decode("utf-8", "replace").split("\t")}
    if names & {letters(name) for name in QREL_COLUMNS}:
        return True
    sentence = f"the first line must name the columns, parted by tabs: {', '.join(QREL_COLUMNS)}."
    problems.add(1, "", "no_header", sentence)
    return False


def _class_holds(project: Project, name: str, problems: Problems) -> bool:
    before = problems.total
    if fault := id_fault(name, what="class", longest=MAX_CLASS):
        problems.add(None, "class", "bad_name", fault)
    else:
        known = Classes(project.request_classes.values_list("name", flat=True))
        known.check(Fields(Row(0, {}), problems), composed(name))
    return problems.total == before


def _documents(rows: Iterable[Row], problems: Problems) -> list[NewDocument]:
    names = NewNames()
    found = (document_of(Fields(row, problems), names) for row in rows)
    return [document for document in found if document]


def _queries(project: Project, rows: Iterable[Row], problems: Problems) -> dict[str, _Query]:
    names = NewNames(project.requests.values_list("key", flat=True), "request")
    found = {}
    for row in rows:
        fields = Fields(row, problems)
        key, text = fields.id("_id"), fields.text("text")
        metadata = fields.rest_metadata("metadata")
        if key is not None:
            names.check(fields, "_id", key)
        if key is not None and text is not None:
            found[key] = _Query(key, text, metadata)
    return found


def _judgements(
    rows: Iterable[Row],
    documents: set[str],
    queries: dict[str, _Query],
    problems: Problems,
    *,
    allow_missing: bool,
) -> _Judgements:
    judged = _Judgements()
    first: dict[tuple[str, str], int] = {}
    for row in rows:
        fields = Fields(row, problems)
        query, document, grade = fields.id("query-id"), fields.id("corpus-id"), _grade(fields)
        judged.count += 1
        if query is None or document is None or grade is None:
            continue
        earlier = first.setdefault((query, document), row.number)
        if earlier != row.number:
            sentence = f"{quoted(query)} and {quoted(document)} stand on row {earlier} already."
            fields.fault("corpus-id", "duplicate_qrel", sentence)
            continue
        judged.strange_queries += query not in queries
        judged.strange_documents += document not in documents
        if query not in queries or document not in documents:
            if not allow_missing:
                _refuse_strange(fields, query, document, queries)
            if query not in queries:
                continue
        relevant = judged.relevant.setdefault(query, [])
        if grade >= 1 and document in documents:
            relevant.append(document)
    return judged


def _refuse_strange(fields: Fields, query: str, document: str, queries: dict[str, _Query]) -> None:
    if query not in queries:
        sentence = f"{QUERIES} has no query {quoted(query)}."
        fields.fault("query-id", "unknown_query", sentence)
    else:
        sentence = f"{CORPUS} has no document {quoted(document)}."
        fields.fault("corpus-id", "unknown_document", sentence)


def _grade(fields: Fields) -> int | None:
    value = fields.text("score")
    if value is not None and not _GRADE.fullmatch(value):
        sentence = f"the grade must be a whole number, not {quoted(value)}."
        fields.fault("score", "bad_grade", sentence)
        return None
    return int(value.partition(".")[0]) if value is not None else None


def _tell(
    problems: Problems,
    queries: dict[str, _Query],
    judged: _Judgements,
    qrels: str,
    *,
    allowed: bool,
) -> None:
    """Count what does not meet: nothing of it disappears without a word."""
    strange = judged.strange_documents + judged.strange_queries
    if strange:
        said = (
            f"{judged.strange_documents} of {judged.count} judgements name a document, and "
            f"{judged.strange_queries} a query, that the folder does not have"
        )
        fate = "they are left out." if allowed else "mend them, or allow missing ones by name."
        problems.note(f"{said}: {fate}")
    if unjudged := len(queries) - len(judged.relevant):
        problems.note(
            f"{unjudged} of {len(queries)} queries have no judgement in {qrels}: they are left out."
        )
    if empty := sum(1 for found in judged.relevant.values() if not found):
        problems.note(
            f"{empty} of {len(judged.relevant)} queries have no document of grade 1 or more: they "
            "come in without evidence, and evidence is not scored for them."
        )


def _request(query: _Query, name: str, found: list[str]) -> NewRequest:
    evidence = [[document] for document in found] or None
    return NewRequest(
        query.key, composed(name), query.text, [], None, None, evidence, query.metadata
    )
