"""A study small enough to annotate by hand in a test: six documents and three requests."""

import json
from pathlib import Path
from typing import Any

REPORT = "{name} reported revenue of EUR {amount} for {year}, as its annual report says."


def _report(key: str, name: str, amount: str, year: int) -> dict[str, Any]:
    return {
        "_id": key,
        "title": f"{name} annual report {year}",
        "text": REPORT.format(name=name, amount=amount, year=year),
        "metadata": {"entity": name, "date": f"{year}-12-31"},
    }


CORPUS = [
    _report("d1", "Harbor Holdings", "1.2 billion", 2020),
    _report("d2", "Harbor Holdings", "1.5 billion", 2022),
    _report("d3", "Harbor Rail", "310 million", 2020),
    _report("d4", "Harbor Rail", "325 million", 2022),
    {"_id": "d5", "title": "Staff", "text": "Harbor Rail employed 2,140 people in 2022."},
    {"_id": "d6", "title": "Canteen", "text": "The canteen serves soup on Tuesdays."},
]
REQUESTS = [
    {
        "id": "h1",
        "class": "dated-fact",
        "turns": [
            {"role": "user", "text": "What revenue did Harbor Rail report for 2020?"},
            {"role": "assistant", "text": "EUR 310 million."},
        ],
        "text": "And its parent Harbor Holdings in 2020?",
        "answers": ["EUR 1.2 billion"],
        "evidence": [["d1"]],
    },
    {
        "id": "h2",
        "class": "dated-fact",
        "text": "What revenue did Harbor Rail report for 2022?",
        "answers": ["EUR 325 million"],
        "evidence": [["d4"]],
    },
    {
        "id": "h3",
        "class": "dated-fact",
        "text": "How many people did Harbor Rail employ in 2022?",
        "answers": ["2,140"],
        "evidence": [["d5"]],
    },
]
# What a person presses to mark the name and the year of each request with the keyboard alone.
MARKS = {
    "h1": (["ArrowRight"] * 4 + ["Shift+ArrowRight", "r"], ["ArrowRight"] * 2 + ["t"]),
    "h2": (["ArrowRight"] * 4 + ["Shift+ArrowRight", "r"], ["ArrowRight"] * 3 + ["t"]),
    "h3": (["ArrowRight"] * 5 + ["Shift+ArrowRight", "r"], ["ArrowRight"] * 3 + ["t"]),
}
REFERENCES = {
    "h1": "What revenue did Harbor Holdings report in 2020?",
    "h2": "What revenue did Harbor Rail report for the year 2022?",
    "h3": "How many people were employed by Harbor Rail in 2022?",
}
# The second loses the year; the third misspells the name, which only a person may call kept.
REWRITES = [
    {"request": "h1", "kind": "standalone", "queries": ["Harbor Holdings revenue 2020"]},
    {"request": "h2", "kind": "standalone", "queries": ["Harbor Rail revenue 2020"]},
    {"request": "h3", "kind": "standalone", "queries": ["Harbor Rial people employed 2022"]},
]


def write(folder: Path, name: str, rows: list[dict[str, Any]]) -> Path:
    """Write a .jsonl file and return its path."""
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path
