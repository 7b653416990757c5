"""Training data from our own files: requests.jsonl (or .csv) with evidence, and corpus.jsonl.

The same strict reading as an import: every fault has its row. No project is needed.
"""

from typing import Any

from annotation.importing.fields import Fields, composed
from annotation.importing.problems import Problems
from annotation.importing.reading import read_rows
from evaluation.records import Document
from evaluation.retrieval.embedding import passage_of
from evaluation.training.pairs import Question, TrainingError

_SHOWN = 5


def questions_of(data: bytes, filename: str) -> list[Question]:
    """Return the requests that have text and evidence; those without evidence are left out.

    Every id of every item of the evidence is a gold passage. A request with turns before it is left
    out too: alone it does not say what is asked. Raises TrainingError with what cannot be read.
    """
    problems = Problems(filename)
    found = []
    for row in read_rows(data, filename, problems):
        fields = Fields(row, problems)
        key, text = fields.id("id"), fields.text("text")
        golds, answers = _golds(fields), fields.texts("answers") or []
        if key is not None and text is not None and golds and not fields.objects("turns"):
            found.append(Question(key, text, golds, tuple(answers)))
    _refuse(problems)
    return found


def passages_of(data: bytes, filename: str) -> dict[str, str]:
    """Return what is embedded of each document of a corpus, by its id. Raises TrainingError."""
    problems = Problems(filename)
    found: dict[str, str] = {}
    for row in read_rows(data, filename, problems):
        fields = Fields(row, problems)
        key = fields.id("_id")
        title, text = (fields.text(name, required=False) or "" for name in ("title", "text"))
        if key is None:
            continue
        if key in found:
            fields.fault("_id", "repeated_id", f"the id “{key}” stands twice.")
        if passage := passage_of(Document(key, title, text)):
            found[key] = passage
    _refuse(problems)
    return found


def golds_of(evidence: object) -> tuple[str, ...]:
    """Return every document id of an evidence (lists of ids that satisfy one item each), once."""
    items: list[Any] = evidence if isinstance(evidence, list) else []
    return tuple(dict.fromkeys(composed(key) for item in items for key in item))


def _golds(fields: Fields) -> tuple[str, ...]:
    evidence = fields.json("evidence")
    if evidence is None:
        return ()
    if not isinstance(evidence, list) or not all(
        isinstance(item, list) and all(isinstance(key, str) for key in item) for item in evidence
    ):
        sentence = "expected lists of document ids, one list for each item."
        fields.fault("evidence", "not_a_list", sentence)
        return ()
    return golds_of(evidence)


def _refuse(problems: Problems) -> None:
    if problems.total:
        more = problems.total - _SHOWN
        lines = [str(problem) for problem in problems.shown[:_SHOWN]]
        raise TrainingError("\n".join(lines + ([f"… and {more} more."] if more > 0 else [])))
