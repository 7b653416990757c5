"""The sections of docs/query-variations.md for which something is trained: minutes on two cores."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.real_data import corrector_measures, training_measures
from tests.real_data.page import p_value, percent, points
from tests.real_data.variations_page import section, table

RETRIEVERS = "Trained retrievers"
CORRECTOR = "A trained corrector"
TITLES = (RETRIEVERS, CORRECTOR)


def retrievers(folder: Path) -> str:
    """The bundled model and two trained ones; minutes, unless the folder has them."""
    rows = training_measures.measured(folder)
    pairs = (("R1", "R2"), ("MiniLM", "R1"), ("MiniLM", "R2"))
    compared = [asdict(one) for pair in pairs for one in training_measures.compared(rows, *pair)]
    return retriever_tables([asdict(row) for row in rows], compared)


def retrievers_as_told(file: Path) -> str:
    """The same from what `python -m tests.real_data.training_measures FOLDER` printed."""
    told = json.loads(file.read_text(encoding="utf-8"))
    return retriever_tables(told["measured"], told["compared"])


def retriever_tables(rows: list[dict[str, Any]], pairs: list[dict[str, Any]]) -> str:
    """The section of the rows of `Measured` and `Compared`."""
    models = list(dict.fromkeys(row["model"] for row in rows))
    by_place = {(row["model"], row["data"], row["form"]): row for row in rows}
    places = list(dict.fromkeys((row["data"], row["form"]) for row in rows))
    recalls = [
        [data, form, str(by_place[models[0], data, form]["n"])]
        + [percent(by_place[model, data, form]["recall"]) for model in models]
        for data, form in places
    ]
    compared = [
        [
            f"{one['before']} → {one['after']}",
            one["data"],
            one["form"],
            points(one["difference"]),
            p_value(one["sign_flip_p"]),
            f"{one['lost']}, {one['gained']} of {one['n']}",
            p_value(one["mcnemar_p"]),
        ]
        for one in pairs
    ]
    return section(
        RETRIEVERS,
        "The bundled sentence model as it is (MiniLM), trained on clean questions (R1), and on the "
        "same with 20 % of them corrupted (R2); HotpotQA's questions are split by a hash, 70 % to "
        "learn from. Forms are shares of corrupted questions, or NoiseQA's, from which nothing "
        "learns. Recall@5:",
        table(("data", "form", "n", *models), recalls),
        "Compared question by question: the difference of Recall@5 with the sign-flip test, and "
        "the questions that lost or gained their complete gold with McNemar's exact test.",
        table(
            ("models", "data", "form", "difference", "p", "lost, gained", "p (McNemar)"), compared
        ),
    )


def trained_corrector(base: Path, folder: Path) -> str:
    """A corrector trained on made errors, against no correction; minutes."""
    row = corrector_measures.trained_row(
        base, folder, settings=corrector_measures.CorrectorSettings()
    )
    rates = row.rates
    cells = [
        f"{row.pairs} ({row.identity} clean)",
        ", ".join(f"{loss:.2f}" for loss in row.losses),
        f"{rates.n_fixed} of {rates.n_errors}",
        f"{rates.n_overcorrected} of {rates.n_clean}",
        f"{row.refused} of {row.n}",
    ]
    return section(
        CORRECTOR,
        f"`ra_qcg` on the model {base.name}, trained on HotpotQA's questions with made errors, "
        "asked for NoiseQA's questions that people retyped. *Kept* is how often a guard refused "
        "its text, so that the entered one stands.",
        table(("pairs", "losses", "fixed", "changed", "kept"), [cells]),
    )


def not_measured(title: str) -> str:
    """The section of what was not measured yet."""
    return section(title, "Not measured yet: start the command without `--without-training`.")
