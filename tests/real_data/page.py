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

DIFFERENCES = """## What differs from another BM25

Lucene's variant (its IDF is never negative; the constant k1 + 1 is left out, which changes no
order), and how words are cut: text is normalised (NFKC), a possessive 's goes, `1,200` is `1200`,
decimals stay whole, the underscore parts words, and equal scores fall to the lower id. On these
sets that moves recall by less than one point."""


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
    return "\n\n".join(
        [f"## {study.title}", f"Source: {study.source}.", "\n".join(rows), study.noted]
    )


def row(figure: Figure) -> str:
    """The line of the table that a figure has."""
    counted = f"{figure.hits} of {figure.n}" if figure.hits is not None else str(figure.n)
    cells = [
        figure.what,
        _percent(figure.value),
        counted,
        _beside(figure.other),
        _beside(figure.published),
    ]
    return "| " + " | ".join(cells) + " |"


def _beside(figure: Beside | None) -> str:
    return "" if figure is None else f"{_percent(figure.value)} ({figure.n:,})"


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"
