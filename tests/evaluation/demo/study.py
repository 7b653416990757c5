"""The demo study's files as plain objects, for the tests beside this module."""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[3] / "evaluation" / "demo" / "study"


def read(name: str) -> list[dict[str, Any]]:
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


DOCUMENTS = {document["_id"]: document for document in read("corpus.jsonl")}
CORPUS = {key: document["text"] for key, document in DOCUMENTS.items()}
REQUESTS = {request["id"]: request for request in read("requests.jsonl")}
PRACTICE = {request["id"]: request for request in read("practice.jsonl")}
CONTRACTS = {contract["request"]: contract for contract in read("contracts.jsonl")}
STANDALONE = {reference["request"]: reference for reference in read("standalone.jsonl")}
REWRITES = {rewrite["request"]: rewrite for rewrite in read("rewrites.jsonl")}
FIXTURES = read("twins.jsonl")
PAIRS = [fixture for fixture in FIXTURES if fixture["family"] != "control"]
CONTROLS = [fixture for fixture in FIXTURES if fixture["family"] == "control"]
# Both sides can be answered, so both have answers and evidence.
RESOLVED_PAIRS = [pair for pair in PAIRS if pair["family"] != "unresolved"]
SHEETS = read("sheets.jsonl")


def unresolved(request: str) -> bool:
    return bool(CONTRACTS[request]["ambiguity"]["unresolved"])


def texts(request: dict[str, Any]) -> list[str]:
    """Every turn's text, the current text last: what a span's turn counts."""
    return [*(turn["text"] for turn in request.get("turns", [])), request["text"]]


def evidence(request: dict[str, Any]) -> set[str]:
    return {document for item in request.get("evidence", []) for document in item}


def says(text: str, answers: list[str]) -> list[str]:
    return [answer for answer in answers if answer.casefold() in text.casefold()]
