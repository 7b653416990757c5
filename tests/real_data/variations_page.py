"""docs/query-variations.md: each section measured and put into words and a table."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from evaluation.variations.base import build_maker
from tests.real_data import corrector_measures, sources, variation_measures
from tests.real_data.figures import ORIGINAL, STUDIES
from tests.real_data.page import p_value, percent, points
from tests.real_data.studies import Change, Concluded, project_of, run_of

SEEDS = (7, 8, 9, 10, 11)
SETS = {"errors-20": 0.2, "errors-40": 0.4}
SET_ROWS = (
    ("0 %", ORIGINAL, "all"),
    ("20 %", "errors-20", "all"),
    ("40 %", "errors-40", "all"),
    ("those varied at 40 %: clean", ORIGINAL, "varied"),
    ("those varied at 40 %: varied", "errors-40", "varied"),
)
VARIED = {True: "varied", False: "clean"}

INTRODUCTION = """# Query variations

Written by `python -m tests.real_data.variations --write`; `tests/walk/test_query_variations.py`
asserts the parts that need no training. The data are public and not part of this project (their
sources: `docs/real-data.md`); without them the command says which are missing.

Every number comes from the product's own parts: the makers of typing errors, the choice of the
sets, the retrievers and rewriters; and where a run is named, from the scorecard of a concluded
run. Shares are in per cent."""

# (characters, words) of another simulation, 1,000 questions of each data set, the library's own
# defaults, one pass; and the published growth.
_ELSEWHERE = {
    ("hotpotqa", "spelling 3"): {0.2: 0.28, 0.4: 0.56},
    ("hotpotqa", "keyboard 3"): {0.2: 0.20, 0.4: 0.37},
    ("2wiki", "spelling 3"): {0.2: 0.37, 0.4: 0.71},
    ("2wiki", "keyboard 3"): {0.2: 0.27, 0.4: 0.52},
}
# Of 1,000 HotpotQA questions elsewhere: unchanged, digits changed (of those with digits), some
# capitalised word lost, mean growth in characters and words.
_DAMAGE = {
    "keyboard, default": (0.0, 0.90, 0.90, 0.68, 0.80),
    "keyboard, letters only, split on spaces": (0.0, 0.0, 0.87, -0.12, 0.0),
    "visual, default": (0.006, 0.99, 0.70, 0.63, 0.75),
    "visual, least 1, split on spaces": (0.0, 0.98, 0.71, -0.12, 0.0),
    "spelling, default": (0.0, 0.12, 0.52, 1.99, 0.75),
    "spelling, split on spaces": (0.0, 0.08, 0.44, 1.09, 0.0),
}
_TITLES = {"hotpotqa": "HotpotQA", "2wiki": "2WikiMultiHopQA"}


def page(sections: Iterable[str], end: str) -> str:
    """Return the whole page."""
    return "\n\n".join([INTRODUCTION, *sections, end]) + "\n"


def ending(machine: str, seconds: float) -> str:
    """The last line; `seconds` are those of everything but training."""
    return f"Measured in {seconds:.0f} s, without training, on {machine}."


def growth() -> str:
    """How much longer a set is than its clean form, by which the mix 3:1:1 is told."""
    rows = [
        [
            _TITLES[name],
            row["mix"],
            percent(row["rate"], 0),
            f"{row['varied']:.0f} of {row['questions']}",
            f"{row['characters']:+.2f}",
            f"{_ELSEWHERE[name, row['mix']][row['rate']]:+.2f}",
            f"{row['published']:+.1f}",
        ]
        for name in _TITLES
        for row in variation_measures.growth_rows(name, seeds=SEEDS)
    ]
    head = (
        "data", "mix", "rate", "varied", "characters here", "another simulation", "published",
    )  # fmt: skip
    return section(
        "How much longer the sets are",
        "Spelling, keyboard and visual errors at 3:1:1. The source (QE-RAG, Table 1) prints how "
        "much longer the mean question of its sets is, but not which of the three has the 3. "
        f"Here: the mean of {len(SEEDS)} sets, mode `paper`. Another simulation: 1,000 questions, "
        "the library's defaults.",
        table(head, rows),
        "Both agree: the published growth is that of the mix with three spelling errors, which is "
        "the default.",
    )


def damage() -> str:
    """What typing errors break, of the library alone and of the makers."""
    library = [
        [
            row["setting"],
            _pair(row["unchanged"], other[0]),
            _pair(row["digits_changed"], other[1]),
            _pair(row["name_lost"], other[2]),
            f"{row['characters']:+.2f} ({other[3]:+.2f})",
            f"{row['words']:+.2f} ({other[4]:+.2f})",
        ]
        for row in variation_measures.library_rows("hotpotqa")
        if (other := _DAMAGE[row["setting"]])
    ]
    made = [
        [
            row["kind"],
            row["mode"],
            percent(row["none"]),
            percent(row["number_changed"]),
            percent(row["entity_token_changed"]),
            percent(row["negation_changed"]),
            percent(row["temporal_or_comparative_changed"]),
            f"{row['edit_distance']:.1f}",
            f"{row['characters']:+.2f}",
        ]
        for row in variation_measures.kind_rows("hotpotqa")
    ]
    apart = variation_measures.round_trip_share("hotpotqa")
    return section(
        "What typing errors break",
        "nlpaug 1.1.11 by itself, one pass over the 350 HotpotQA questions; in brackets the same "
        "over 1,000 questions elsewhere. *Digits changed* is of the questions with digits; it also "
        f"counts letters that became digits. {percent(apart)} % of the questions differ after the "
        "library's tokens are only put together again (39 % elsewhere). The -0.12 elsewhere are "
        "blanks at the ends, which are taken off here before.",
        table(
            ("setting", "unchanged", "digits changed", "a name lost", "characters", "words"),
            library,
        ),
        "The makers of this project, tries and refusals included. `paper` does as the source does; "
        "`protect` leaves names, numbers, negations and words of time and comparison as they are.",
        table(
            (
                "kind", "mode", "none could stand", "number", "name", "negation",
                "time or comparison", "edits", "characters",
            ),
            made,
        ),
    )  # fmt: skip


def hotpotqa_sets() -> str:
    """BM25 on sets of 0, 20 and 40 % of typing errors: one run, the sets as the arms' rewrites."""
    with project_of(sets_source()) as project:
        found = run_of(project, *SETS, k=5)
        rows = [set_row(found, *one) for one in SET_ROWS]
    return section(
        "BM25 on HotpotQA with typing errors",
        "The sets of the mix with three spelling errors, mode `paper`, seed 7; the 20 % set lies "
        "inside the 40 % set. One run over the 4,931 paragraphs, each set as the rewrites of an "
        "arm; the difference is that of Recall@5 from the clean questions, with the interval of "
        "10,000 bootstrap samples of requests and the sign-flip test.",
        table(
            ("set", "Recall@2", "Recall@5", "n", "difference", "95 %", "worse, better", "p"), rows
        ),
    )


def sets_source() -> sources.Source:
    """HotpotQA with both sets as arms; the class says whether a request is varied in the larger."""
    asked = variation_measures.questions("hotpotqa")
    makers = {kind: build_maker(kind, {"mode": "paper"}) for kind in variation_measures.KINDS}
    mix = variation_measures.MIXES["spelling 3"]
    made = {
        arm: variation_measures.members(asked, makers, rate, mix, variation_measures.SEED)
        for arm, rate in SETS.items()
    }
    varied = {one.key for one in made["errors-40"] if one.text != one.original}
    whole = sources.multihop("hotpotqa")
    return sources.Source(
        whole.corpus,
        [{**row, "class": VARIED[row["id"] in varied]} for row in whole.requests],
        {arm: [sources.standalone(one.key, one.text) for one in made[arm]] for arm in SETS},
    )


def set_row(run: Concluded, said: str, arm: str, scope: str) -> list[str]:
    """The line of a set: its recalls, and its change from the clean questions."""
    two, five = run.recall_at(2, arm, scope), run.recall(arm, scope)
    changed = [""] * 4 if arm == ORIGINAL else _difference(run.against_original(arm, scope))
    return [said, percent(two["value"]), percent(five["value"]), str(five["n"]), *changed]


def noiseqa() -> str:
    """Noise of people beside noise that was made."""
    figures = [f for f in STUDIES["noiseqa"].measure() if f.key.endswith("@5/all")]
    rows = [
        [
            figure.what.removesuffix(": Recall@5"),
            percent(figure.value),
            *(_difference(figure.change) if figure.change else [""] * 4),
        ]
        for figure in figures
    ]
    return section(
        "Noise of people and made noise",
        "NoiseQA: 820 questions over 240 paragraphs, BM25, Recall@5; all figures and those of "
        "another BM25 stand in `docs/real-data.md`. The corpus is small: what is lost here is "
        "less than what a large corpus loses.",
        table(("form", "Recall@5", "difference", "95 %", "worse, better", "p"), rows),
    )


def correctors(folder: Path) -> str:
    """Correction without a model, on real typed queries and on NoiseQA."""
    typed = [
        [row.checker, f"{row.restored} of {row.n}", f"{row.harmed} of {row.n}"]
        for row in corrector_measures.typo_table()
    ]
    noisy = [
        [
            row.form,
            f"{row.rates.n_fixed} of {row.rates.n_errors}",
            f"{row.rates.n_overcorrected} of {row.rates.n_clean}",
            percent(row.recall_clean),
            f"{percent(row.recall_before)} → {percent(row.recall_after)}",
            f"{percent(row.recall_before_typed)} → {percent(row.recall_after_typed)}",
        ]
        for row in corrector_measures.noisy_table(folder)
    ]
    return section(
        "Correction without a model",
        "DL-Typo (https://github.com/ielab/CharacterBERT-DR, commit 92f08aa13c64): 39 of its 60 "
        "real queries with typos. *Restored* are those of the typed ones that become what people "
        "wrote, *harmed* those of the right ones that change. The recorded checkers are the data "
        "set's own columns.",
        table(("checker", "restored", "harmed"), typed),
        "NoiseQA's typed questions before and after `typed_query`, which knows the corpus's words: "
        "how many of those with an error become the clean question, how many of those without are "
        "changed, and BM25's Recall@5 over all and over those with an error alone.",
        table(
            ("form", "fixed", "changed", "clean", "before → after", "with an error"), noisy
        ),
    )  # fmt: skip


def _difference(change: Change) -> list[str]:
    difference = change.difference
    return [
        points(difference["value"]),
        f"{points(difference['low'])} to {points(difference['high'])}",
        f"{change.worse}, {change.better} of {change.tested}",
        p_value(change.test["value"]),
    ]


def _pair(share: float, other: float) -> str:
    return f"{percent(share)} ({percent(other)})"


def section(title: str, *blocks: str) -> str:
    return "\n\n".join([f"## {title}", *blocks])


def table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)
