"""From a folder of MTRAG tasks (multi-turn conversations with relevant passages) to our files.

The source has `corpus.jsonl` (doc_id, domain, title, text) and `tasks.jsonl` (qid, domain, turn,
input, gold_doc_ids, automatic_rewrite and more). Katsis et al., "MTRAG: A Multi-Turn Conversational
Benchmark for Evaluating Retrieval-Augmented Generation Systems" (2025), section 3. No Django here.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from evaluation.converting.source import SourceError, needed

SPEAKERS = {"user": "user", "agent": "assistant"}
KEPT_IN_METADATA = ("conversation_id", "turn", "question_type", "answerability")


@dataclass(frozen=True)
class Converted:
    """The rows of three files, and how many tasks were left out because they have no rewrite."""

    corpus: tuple[dict[str, Any], ...]
    requests: tuple[dict[str, Any], ...]
    rewrites: tuple[dict[str, Any], ...]
    without_rewrite: int


def convert(
    documents: Iterable[Mapping[str, Any]], tasks: Iterable[Mapping[str, Any]]
) -> Converted:
    """Return corpus, requests and rewrites in the order of the source.

    A task becomes a request whose text is its last turn, whose turns are those before it, whose
    class is its domain, and whose evidence is every relevant passage as one required item. Its
    automatic rewrite becomes a rewrite of kind "standalone". Raises SourceError for a row that
    lacks a field or whose last turn is not the user's.
    """
    corpus = tuple(_document(row, number) for number, row in enumerate(documents, start=1))
    requests, rewrites, without = [], [], 0
    for number, task in enumerate(tasks, start=1):
        if not task.get("automatic_rewrite"):
            without += 1
            continue
        request = _request(task, number)
        requests.append(request)
        rewrites.append(
            {
                "request": request["id"],
                "kind": "standalone",
                "queries": [task["automatic_rewrite"]],
            }
        )
    return Converted(corpus, tuple(requests), tuple(rewrites), without)


def _document(row: Mapping[str, Any], number: int) -> dict[str, Any]:
    key, title, text, domain = needed(
        row, ("doc_id", "title", "text", "domain"), "corpus.jsonl", number
    )
    return {"_id": key, "title": title, "text": text, "metadata": {"domain": domain}}


def _request(task: Mapping[str, Any], number: int) -> dict[str, Any]:
    key, domain, turns, gold = needed(
        task, ("qid", "domain", "input", "gold_doc_ids"), "tasks.jsonl", number
    )
    if not turns or turns[-1].get("speaker") != "user":
        raise SourceError(f"tasks.jsonl, row {number}: the last turn is not the user's.")
    return {
        "id": key,
        "class": domain,
        "turns": [_turn(turn, number) for turn in turns[:-1]],
        "text": turns[-1]["text"],
        "evidence": [[document] for document in gold],
        "metadata": {name: task[name] for name in KEPT_IN_METADATA if name in task},
    }


def _turn(turn: Mapping[str, Any], number: int) -> dict[str, str]:
    speaker, text = needed(turn, ("speaker", "text"), "tasks.jsonl", number)
    if speaker not in SPEAKERS:
        raise SourceError(f"tasks.jsonl, row {number}: the speaker “{speaker}” is not known.")
    return {"role": SPEAKERS[speaker], "text": text}
