"""The sections of docs/query-variations.md for which something is trained, from what the commands
of the measures printed.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.real_data.page import p_value, percent, points
from tests.real_data.variations_page import section, table

RETRIEVERS = "Trained retrievers"
CORRECTOR = "A trained corrector"
TITLES = (RETRIEVERS, CORRECTOR)
MODELS = ("MiniLM", "R1", "R2")
MOST_LOST = 0.01  # of the clean questions' recall
_SURE = 0.05

_SETTINGS = {
    "epochs": "epochs", "batch": "batch", "lr": "learning rate", "rank": "rank", "k": "documents",
    "passage_words": "words of each", "threads": "threads",
}  # fmt: skip
_WHY = {"differ": "too much changed", "lines": "several lines"}

Rows = Sequence[Mapping[str, Any]]


def retrievers_as_told(file: Path) -> str:
    """The section of what `python -m tests.real_data.training_measures FOLDER` printed."""
    told = json.loads(file.read_text(encoding="utf-8"))
    return retriever_tables(told)


def retriever_tables(told: Mapping[str, Any]) -> str:
    """The section of what was tried, measured and compared."""
    by_place = {(r["model"], r["data"], r["form"]): r for r in told["measured"]}
    asked: dict[tuple[str, str], int] = {}
    for row in told["measured"]:
        place = (row["data"], row["form"])
        asked[place] = max(row["n"], asked.get(place, 0))
    recalls = [
        [data, form, n, *(_cell(by_place.get((model, data, form)), n) for model in MODELS)]
        for (data, form), n in asked.items()
    ]
    compared = [
        [
            f"{one['before']} → {one['after']}",
            one["data"],
            one["form"],
            points(one["difference"]),
            f"{points(one['low'])} to {points(one['high'])}",
            p_value(one["sign_flip_p"]),
            f"{one['worse']}, {one['better']} of {one['n']}",
        ]
        for one in told["compared"]
    ]
    return section(
        RETRIEVERS,
        told["about"],
        table(("settings", *told["tried"][0]["means"]), [
            [one["model"], *(percent(value) for value in one["means"].values())]
            for one in told["tried"]
        ]),
        told["method"],
        table(("data", "form", "n", *MODELS), recalls),
        "Compared question by question, all draws of a question together: the difference of "
        "Recall@5 with the interval of 10,000 bootstrap samples of questions, the sign-flip test, "
        "and how many questions got worse and better.",
        table(
            ("models", "data", "form", "difference", "95 %", "p", "worse, better"), compared
        ),
        verdict(told["compared"]),
    )  # fmt: skip


def _cell(row: Mapping[str, Any] | None, n: int) -> str:
    """A recall, with the number of its questions where they are fewer than the others'."""
    if row is None:
        return ""
    return percent(row["recall"]) + (f" ({row['n']})" if row["n"] != n else "")


def verdict(pairs: Rows) -> str:
    """Say whether R2 beat R1 on corrupted questions and what it lost on the clean ones."""
    found = {one["form"]: one for one in pairs if _is_asked(one, "hotpotqa")}
    clean = found.pop("clean")
    sure = [one for one in found.values() if one["low"] > 0 and one["sign_flip_p"] < _SURE]
    others = [one for one in found.values() if one not in sure]
    kept = clean["difference"] >= -MOST_LOST
    said = [f"On HotpotQA R2 found more than R1 at: {_listed(sure)}."] if sure else []
    if others:
        said.append(f"That it finds more was not shown at: {_listed(others)}.")
    lost = (
        f"On clean questions the difference is {points(clean['difference'])} points, "
        f"{'at most' if kept else 'more than'} the one that may be lost"
    )
    if clean["low"] < -MOST_LOST <= clean["high"]:
        lost += (
            f"; the interval ({points(clean['low'])} to {points(clean['high'])}) has room for "
            "less and for more"
        )
    said.append(f"{lost}.")
    said.append(
        "So what the training is for, more on corrupted questions for at most one point on clean "
        + ("ones, was reached." if kept and not others else "ones, was not reached in full.")
    )
    if transfer := [one for one in pairs if _is_asked(one, "noiseqa")]:
        moved = [one for one in transfer if one["sign_flip_p"] < _SURE]
        said.append(
            f"On NoiseQA R1 and R2 differ at: {_listed(moved)}."
            if moved
            else "On NoiseQA R1 and R2 cannot be told apart."
        )
    return " ".join(said)


def _listed(rows: Rows) -> str:
    return ", ".join(f"{one['form']} ({points(one['difference'])})" for one in rows)


def _is_asked(one: Mapping[str, Any], data: str) -> bool:
    return (one["before"], one["after"], one["data"]) == ("R1", "R2", data)


def corrector_as_told(file: Path) -> str:
    """The section of what `python -m tests.real_data.corrector_measures --base FOLDER` printed."""
    row = json.loads(file.read_text(encoding="utf-8"))
    rates, settings = row["rates"], row["settings"]
    cells = [
        f"{row['pairs']} ({row['identity']} clean)",
        ", ".join(f"{loss:.2f}" for loss in row["losses"]),
        f"{rates['n_fixed']} of {rates['n_errors']}",
        f"{rates['n_overcorrected']} of {rates['n_clean']}",
        f"{row['refused']} of {row['n']}",
        " → ".join(percent(row[f"recall_{when}"]) for when in ("before", "after")),
        percent(row["recall_clean"]),
    ]
    why = "; ".join(f"{_WHY.get(one, one)}: {count}" for one, count in row["why"].items())
    learnt = ", ".join(
        f"{said} {settings[name]}" for name, said in _SETTINGS.items() if name in settings
    )
    return section(
        CORRECTOR,
        f"`ra_qcg` on the bundled SmolLM2 (`local_model`, here {row['model']}), trained on "
        f"HotpotQA's first questions, half of them with made errors ({learnt}), asked for "
        f"{row['n']} of NoiseQA's questions that people retyped, of which it saw none. The source "
        "trains on 1,000 pairs for three epochs. *Fixed* and *changed* are of the questions with "
        "and without an error (punctuation and capitals are none); *kept* is how often a guard "
        "refused its text, so that the entered one stands. Recall@5 is BM25's over these "
        "questions, before and after, and for their clean form.",
        table(
            ("pairs", "loss", "fixed", "changed", "kept", "before → after", "clean"), [cells]
        ),
        f"What the guards refused: {why}." if why else "The guards refused nothing.",
        corrector_verdict(row),
    )  # fmt: skip


def corrector_verdict(row: Mapping[str, Any]) -> str:
    """Say whether it was worth anything here."""
    rates = row["rates"]
    recalls = row["recall_before"], row["recall_after"]
    if rates["n_fixed"] <= rates["n_overcorrected"] or recalls[1] < recalls[0]:
        return (
            "So trained, it is worth nothing: it does not repair more than it damages. More "
            "questions, epochs and a larger model are what it would need."
        )
    said = "It repaired more than it damaged. So few questions show that it works, not how well"
    if recalls[0] == recalls[1]:
        said += ", and what is found did not change"
    return f"{said}."


def not_measured(title: str) -> str:
    """The section of what was not measured yet."""
    return section(title, "Not measured yet: the command's help says how.")
