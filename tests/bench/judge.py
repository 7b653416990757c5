"""The judge over labelled cases: `python -m tests.bench.judge --cases FILE_OR_FOLDER … [--write]`.

Every argument is one set: a file in the shape of judge.jsonl with `expected` beside it, or a folder
of them (its `*.jsonl`). Without `--cases` the project's own held-out cases are measured; `--wrong`
lists what was decided wrongly, and `--write` puts the figures into docs/judge.md. Nothing here is
asserted by a test, so that nobody tunes the judge to the held-out cases.
"""

import argparse
import os
import platform
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from evaluation.judging_file import BrokenLine
from evaluation.labelled_cases import JudgedCase, judge_cases
from evaluation.scoring.judge_measures import (
    LABELS,
    UNSURE,
    JudgedConstraint,
    JudgeMeasures,
    Ratio,
    grouped,
    measure_additions,
    measure_judgements,
)  # fmt: skip
from evaluation.scoring.percentages import percentage
from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.quantities.units import measure as measure_of
from tests.bench.judge_page import TEXT

ROOT = Path(__file__).resolve().parents[2]
DOC = ROOT / "docs" / "judge.md"
OWN = ROOT / "tests" / "evaluation" / "scoring" / "preservation" / "cases"
HEAD = (
    "n", "accuracy where decided", "coverage", "losses found, of the critical ones",
    "false alarms, of the kept ones",
)  # fmt: skip


@dataclass(frozen=True)
class Measured:
    """One set of cases, judged, and how many seconds that took on one core."""

    title: str
    cases: tuple[JudgedCase, ...]
    seconds: float

    @property
    def constraints(self) -> list[JudgedConstraint]:
        return [one for case in self.cases for one in case.constraints]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.judge")
    parser.add_argument("--cases", type=Path, nargs="+", default=[OWN], metavar="FILE_OR_FOLDER")
    parser.add_argument("--wrong", action="store_true", help="list what was decided wrongly")
    parser.add_argument("--write", action="store_true", help=f"write {DOC.relative_to(ROOT)}")
    given = parser.parse_args()
    try:
        sets = [measure(path) for path in given.cases]
    except (OSError, BrokenLine) as fault:
        sys.exit(f"These cases cannot be measured: {fault}")
    text = page(sets)
    sys.stdout.write(text)
    if given.wrong:
        sys.stdout.write("".join(f"{line}\n" for one in sets for line in wrong(one)))
    if given.write:
        DOC.write_text(text, encoding="utf-8")


def measure(path: Path) -> Measured:
    """Judge the cases of a file or folder; raise BrokenLine for one that cannot be scored."""
    files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    if not files:
        raise BrokenLine(f"{path} has no file that ends in .jsonl.")
    lines = [line for file in files for line in file.read_text(encoding="utf-8").split("\n")]
    lines = [line for line in lines if line.strip()]
    list(judge_cases(lines[:1]))  # so that the word lists are read before the clock starts,
    measure_of("km")  # and the factors of the units
    began = time.process_time()
    cases = tuple(judge_cases(lines))
    return Measured(_title(path), cases, time.process_time() - began)


def _title(path: Path) -> str:
    own = path.resolve() == OWN or OWN in path.resolve().parents
    return "The project's own held-out cases" if own else "Worked cases from a folder that you name"


def wrong(one: Measured) -> Iterator[str]:
    """Yield a line for each constraint that was decided wrongly, and each wrong addition."""
    for case in one.cases:
        for row in case.constraints:
            if row.wrong:
                yield f"{row.case} {row.constraint} {row.kind}: {row.said}, not {row.expected}"
        if sorted(case.added_said) != sorted(case.added_expected):
            said, right = ", ".join(case.added_said), ", ".join(case.added_expected)
            yield f"{case.id} added: {said or 'nothing'}, not {right or 'nothing'}"


def page(sets: Sequence[Measured]) -> str:
    machine = f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"
    return TEXT.format(
        machine=machine,
        day=date.today().isoformat(),
        lists=_table(("list", "what stands in it", "entries"), _lists()),
        figures="\n\n".join(_figures(one) for one in sets),
    )


def _lists() -> Iterator[Sequence[str]]:
    for file in sorted(lexicon.FOLDER.glob("*.txt")):
        first = file.read_text(encoding="utf-8").partition("\n")[0]
        said = first.lstrip("# ") if first.startswith("#") else ""
        yield f"`{file.stem}`", said, str(len(lexicon.phrases(file.stem).entries))


def _figures(one: Measured) -> str:
    rows = one.constraints
    rate = len(one.cases) / one.seconds if one.seconds else 0
    return "\n\n".join(
        (
            f"### {one.title}",
            f"{len(one.cases)} cases with {len(rows)} labelled constraints. "
            f"{rate:.0f} rewrites a second on one core, reading the line and checking its contract "
            "included.",
            _table(("kind", *HEAD), _measures(grouped(rows, lambda row: row.kind), rows)),
            _added(one.cases),
            _table(
                ("right label", *LABELS, UNSURE),
                _confusion(grouped(rows, lambda row: row.expected)),
            ),
            _table(
                ("phenomenon", *HEAD),
                _measures(grouped(rows, lambda row: row.phenomenon), ()),
            ),
        )
    )


def _measures(
    groups: Mapping[str, list[JudgedConstraint]], everything: Sequence[JudgedConstraint]
) -> Iterator[Sequence[str]]:
    for name, rows in groups.items():
        yield name, *_cells(measure_judgements(rows))
    if everything:
        yield "**all**", *_cells(measure_judgements(everything))


def _cells(found: JudgeMeasures) -> Iterator[str]:
    yield str(found.n)
    for ratio in (
        found.accuracy_decided,
        found.coverage,
        found.critical_loss_recall,
        found.false_alarm_rate,
    ):
        yield _said(ratio)


def _said(ratio: Ratio) -> str:
    """A ratio in percent with its counts."""
    if ratio.value is None:
        return "none to count"
    return f"{percentage(ratio.value)} % ({ratio.part} of {ratio.whole})"


def _added(cases: Iterable[JudgedCase]) -> str:
    found = measure_additions((case.added_expected, case.added_said) for case in cases)
    f1 = "none to count" if found.f1.value is None else f"{found.f1.value:.3f} (n {found.f1.whole})"
    return _table(
        ("added restrictions", "precision", "recall", "F1", "alarms where nothing was added"),
        [
            (
                "of all kinds",
                _said(found.precision),
                _said(found.recall),
                f1,
                _said(found.false_alarm_rate),
            )
        ],
    )


def _confusion(groups: Mapping[str, list[JudgedConstraint]]) -> Iterator[Sequence[str]]:
    for label in LABELS:
        said = [row.said for row in groups.get(label, ())]
        yield (f"{label} ({len(said)})", *(str(said.count(one)) for one in (*LABELS, UNSURE)))


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = f"| {' | '.join(columns)} |\n|{' --- |' * len(columns)}"
    return "\n".join([head, *(f"| {' | '.join(row)} |" for row in rows)])


if __name__ == "__main__":
    main()
