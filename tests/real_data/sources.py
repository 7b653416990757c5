"""Public data sets as the product's own files: corpus, requests, and what an arm uploads.

The data lie beside the project and are not part of it; where they are not, nothing is measured.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evaluation.converting.mtrag import convert

FOLDER = Path(__file__).parents[2] / ".." / "shared" / "data"
Rows = list[dict[str, Any]]
# The noisy forms of a question: typed again by people or by machine, read aloud (by people or a
# machine) and recognised, translated from other languages by machine.
NOISY = (
    "keyboard_natural",
    "keyboard_synthetic",
    "asr_natural",
    "asr_synthetic",
    "translation_natural",
    "translation_synthetic",
)
CHANGED = {True: "changed", False: "as it was"}


@dataclass(frozen=True)
class Source:
    """The rows of a project's files. `uploads` are the rows of each arm by its name, `kind` says
    whether they are "rewrites" or a "run".
    """

    corpus: Rows
    requests: Rows
    uploads: dict[str, Rows] = field(default_factory=dict)
    kind: str = "rewrites"


def is_here(name: str) -> bool:
    return (FOLDER / name).is_dir()


def multihop(name: str) -> Source:
    """A data set of questions with gold paragraphs: 2wiki, hotpotqa or musique."""
    questions = _read(f"multihop-{name}", "questions")
    uploads = {"sub-questions": [_decomposed(q) for q in questions]} if name == "musique" else {}
    return Source(_corpus(f"multihop-{name}"), [_question(q, name) for q in questions], uploads)


def cast2022() -> Source:
    """TREC CAsT 2022, each turn with the organisers' own response as its one gold document. Turns
    without a response are left out.
    """
    corpus = _read("cast-rewrites", "cast2022_responses")
    answered = {document["doc_id"] for document in corpus}
    turns = [turn for turn in _read("cast-rewrites", "cast2022") if turn["qid"] in answered]
    requests = [
        {"id": t["qid"], "class": "cast-2022", "text": t["raw"], "evidence": [[t["qid"]]]}
        for t in turns
    ]
    uploads = {
        "automatic": [standalone(t["qid"], t["automatic"]["track_baseline"]) for t in turns],
        "manual": [standalone(t["qid"], t["manual"]) for t in turns],
    }
    return Source([_document(d) for d in corpus], requests, uploads)


def hipporag() -> Source:
    """101 questions over HippoRAG's 2Wiki corpus, and the saved rankings of four systems for all
    of them and for 51 as logged runs.

    The class is "multi-hop" as the published figures counted it: what their list names, without
    the strings with a letter beyond ASCII. A title that a system returned twice counts once, one
    that is none of the corpus has no document.
    """
    questions = _read("hipporag-2wiki-101", "questions")
    requests = [
        _question(q, "multi-hop" if q["multihop_only_101"] and q["question"].isascii() else "other")
        for q in questions
    ]
    uploads: dict[str, Rows] = {}
    for row in _read("hipporag-2wiki-101", "runs"):
        found = dict.fromkeys(d for d in row["retrieved_doc_ids"] if d is not None)
        hits = [{"id": d, "rank": r, "score": -r} for r, d in enumerate(found, start=1)]
        uploads.setdefault(f"{row['run']}-{row['subset']}", []).append(
            {"request": row["qid"], "hits": hits}
        )
    return Source(_corpus("hipporag-2wiki-101"), requests, uploads, kind="run")


def mtrag() -> Source:
    """MTRAG's conversations with their automatic rewrites, by the product's own converter."""
    converted = convert(_read("mtrag-mini", "corpus"), _read("mtrag-mini", "tasks"))
    uploads = {"automatic": list(converted.rewrites)}
    return Source(list(converted.corpus), list(converted.requests), uploads)


def noiseqa(changed: str = NOISY[0]) -> Source:
    """XQuAD's questions with the paragraph that each was asked of as its gold document, and their
    six noisy forms as the rewrites of an arm each. The class says whether the form `changed`
    differs from the clean question.
    """
    questions = _read("noiseqa", "questions")
    requests = [_question(q, CHANGED[q[changed] != q["question"]]) for q in questions]
    uploads = {form: [standalone(q["qid"], q[form]) for q in questions] for form in NOISY}
    return Source(_corpus("noiseqa"), requests, uploads)


def in_place(step: dict[str, Any], answers: dict[str, str]) -> str:
    """A sub-question as it can be searched: ">>" is a blank, "#n" the answer of step n."""
    return re.sub(r"#(\d+)", lambda n: answers[n[1]], step["question"].replace(">>", " "))


def _decomposed(question: dict[str, Any]) -> dict[str, Any]:
    steps = question["decomposition"]
    answers = {str(step["step"]): step["answer"] for step in steps}
    queries = [in_place(step, answers) for step in steps]
    return {"request": question["qid"], "kind": "subqueries", "queries": queries}


def standalone(key: str, query: str) -> dict[str, Any]:
    """A row of rewrites: one query instead of the request."""
    return {"request": key, "kind": "standalone", "queries": [query]}


def _question(question: dict[str, Any], request_class: str) -> dict[str, Any]:
    return {
        "id": question["qid"],
        "class": request_class,
        "text": question["question"],
        "evidence": [[document] for document in question["gold_doc_ids"]],
    }


def _corpus(name: str) -> Rows:
    return [_document(document) for document in _read(name, "corpus")]


def _document(document: dict[str, Any]) -> dict[str, Any]:
    return {"_id": document["doc_id"], "title": document["title"], "text": document["text"]}


def _read(name: str, file: str) -> Rows:
    lines: Iterable[str] = (FOLDER / name / f"{file}.jsonl").read_text(encoding="utf-8").split("\n")
    return [json.loads(line) for line in lines if line]
