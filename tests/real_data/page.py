"""docs/real-data.md from what was measured."""

from collections.abc import Sequence

from tests.real_data.figures import Beside, Figure, Study

INTRODUCTION = """# Real data

Written by `python -m tests.real_data --write`; `tests/walk/test_real_data.py` asserts the same
figures. The data are public and not part of this project; without them the tests skip.

Every number was read off the scorecard of a concluded run in a project for retrieval only: files
imported, Conditions frozen, arms run, nothing computed beside. The retriever is `bm25` with its
defaults (k1 = 1.2, b = 0.75, title and text, no stop words) on exactly the corpus that is named;
recall is the mean over requests of the share of gold documents retrieved, and *all gold* the share
of requests of which every gold document was. Shares in per cent, with the requests that they are
over (beside them in brackets)."""

CHANGES = """Differences in points, from the comparison of two arms of one run: the interval is of
10,000 bootstrap samples of requests, *p* of the sign-flip test over requests (two-sided)."""

DIFFERENCES = """## What differs from another BM25

Lucene's variant (its IDF is never negative; the constant k1 + 1 is left out, which changes no
order), and how words are cut: text is normalised (NFKC), a possessive 's goes, `1,200` is `1200`,
decimals stay whole, the underscore parts words, and equal scores fall to the lower id. Over the
same questions that moves recall by less than one point."""


def page(found: Sequence[tuple[Study, list[Figure]]], machine: str, seconds: float) -> str:
    """Return the whole page in Markdown."""
    blocks = [INTRODUCTION]
    blocks += [_section(study, figures) for study, figures in found]
    blocks.append(DIFFERENCES)
    blocks.append(f"Measured in {seconds:.0f} s on {machine}.")
    return "\n\n".join(blocks) + "\n"


def _section(study: Study, figures: list[Figure]) -> str:
    rows = ["| figure | here | requests | another implementation | published |", "| --- " * 5 + "|"]
    rows += [row(figure) for figure in figures]
    blocks = [f"## {study.title}", f"Source: {study.source}.", "\n".join(rows), study.noted]
    if changed := [change_row(figure) for figure in figures if figure.change]:
        head = [
            "| against the original | difference | 95 % | worse, better | p |",
            "| --- " * 5 + "|",
        ]
        blocks += ["\n".join(head + changed), CHANGES]
    return "\n\n".join(blocks)


def row(figure: Figure) -> str:
    """The line of the table that a figure has."""
    counted = f"{figure.hits} of {figure.n}" if figure.hits is not None else str(figure.n)
    cells = [
        figure.what,
        percent(figure.value),
        counted,
        _beside(figure.other),
        _beside(figure.published),
    ]
    return "| " + " | ".join(cells) + " |"


def change_row(figure: Figure) -> str:
    """The line of the second table that a figure with a change has."""
    assert figure.change is not None
    change = figure.change
    difference = change.difference
    cells = [
        figure.what,
        points(difference["value"]),
        f"{points(difference['low'])} to {points(difference['high'])}",
        f"{change.worse}, {change.better} of {change.tested}",
        p_value(change.test["value"]),
    ]
    return "| " + " | ".join(cells) + " |"


def points(difference: float) -> str:
    """A difference of shares in points."""
    return f"{100 * difference:+.1f}"


def p_value(value: float | None) -> str:
    if value is None:
        return ""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _beside(figure: Beside | None) -> str:
    return "" if figure is None else f"{percent(figure.value)} ({figure.n:,})"


def percent(share: float | None, digits: int = 1) -> str:
    return "" if share is None else f"{100 * share:.{digits}f}"
