"""Query variations on real data, beside the figures of others (docs/query-variations.md)."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import DjangoDbBlocker

from tests.real_data import corrector_measures, sources, variation_measures, variations
from tests.real_data import variations_page as page
from tests.real_data.studies import Concluded, project_of, run_of
from tests.real_data.variations_training import retrievers_as_told

# The fixture below needs the database before any test asks for it.
pytestmark = pytest.mark.django_db
on_real_data = pytest.mark.skipif(
    not all(map(sources.is_here, variations.NEEDED)),
    reason="the public data sets are not on this machine",
)


@pytest.fixture(scope="module")
def run(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Concluded]:
    """The run of HotpotQA's clean questions and both sets."""
    with django_db_blocker.unblock(), project_of(page.sets_source()) as project:
        yield run_of(project, *page.SETS, k=5)


@on_real_data
def test_the_published_growth_is_that_of_three_spelling_errors() -> None:
    """QE-RAG, Table 1: +.3 and +.6 characters for HotpotQA. Another simulation on 1,000 questions:
    +.28 and +.56 with three spelling errors, +.20 and +.37 with three keyboard errors.
    """
    grown = {
        (row["mix"], row["rate"]): row["characters"]
        for row in variation_measures.growth_rows("hotpotqa", seeds=page.SEEDS)
    }
    assert grown["spelling 3", 0.2] == pytest.approx(0.28, abs=0.1)
    assert grown["spelling 3", 0.4] == pytest.approx(0.56, abs=0.15)
    assert grown["keyboard 3", 0.2] == pytest.approx(0.20, abs=0.1)
    assert grown["keyboard 3", 0.4] == pytest.approx(0.37, abs=0.1)


@on_real_data
def test_bm25_finds_less_the_more_questions_have_errors(run: Concluded) -> None:
    clean, some, more = (run.recall(arm)["value"] for arm in ("original", *page.SETS))
    assert clean == pytest.approx(0.72, abs=0.02)  # another BM25, docs/real-data.md
    assert clean > some > more


@on_real_data
def test_only_questions_with_errors_lose_anything(run: Concluded) -> None:
    clean = run.against_original("errors-40", page.VARIED[False])
    assert (clean.worse, clean.better) == (0, 0)


@on_real_data
def test_the_page_says_what_the_sets_find(run: Concluded) -> None:
    written = variations.PAGE.read_text(encoding="utf-8")
    lines = [f"| {' | '.join(page.set_row(run, *one))} |" for one in page.SET_ROWS]
    assert [line for line in lines if line not in written] == []


@on_real_data
def test_the_page_says_what_checkers_restore() -> None:
    """The recorded columns are DL-Typo's own: of all 60 queries Bing restores 58, and
    pyspellchecker 27; here are 39 of them.
    """
    written = variations.PAGE.read_text(encoding="utf-8")
    rows = {row.checker: row for row in corrector_measures.typo_table()}
    bing, library = rows["Bing, as recorded"], rows["pyspellchecker, as recorded"]
    assert bing.restored / bing.n == pytest.approx(58 / 60, abs=0.05)
    assert library.restored / library.n == pytest.approx(27 / 60, abs=0.12)
    lines = [
        f"| {row.checker} | {row.restored} of {row.n} | {row.harmed} of {row.n} |"
        for row in rows.values()
    ]
    assert [line for line in lines if line not in written] == []


def test_the_page_names_no_path() -> None:
    written = variations.PAGE.read_text(encoding="utf-8")
    assert "shared" not in written and "/tmp" not in written  # noqa: S108 (looked for, not used)


def test_without_data_the_command_says_which_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["variations"])
    monkeypatch.setattr(sources, "is_here", lambda name: name == "noiseqa")
    with pytest.raises(SystemExit, match="HotpotQA, 2WikiMultiHopQA, DL-Typo"):
        variations.main()


def test_the_tables_of_trained_models_are_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(variations, "PAGE", tmp_path / "page.md")
    assert variations._kept() == {}
    end = page.ending("a machine", 12.0)
    text = page.page(["## One\n\na", "## Two\n\n| b |\n| c |"], end)
    variations.PAGE.write_text(text, encoding="utf-8")
    assert variations._kept() == {"One": "## One\n\na", "Two": "## Two\n\n| b |\n| c |"}
    assert variations._ended() == end


def test_what_training_measured_becomes_two_tables(tmp_path: Path) -> None:
    place = {"data": "hotpotqa", "form": "20 %", "n": 105}
    told = {
        "measured": [{"model": m, **place, "recall": r} for m, r in (("R1", 0.75), ("R2", 0.8))],
        "compared": [
            {**place, "before": "R1", "after": "R2", "difference": 0.05, "sign_flip_p": 0.0004}
            | {"lost": 2, "gained": 9, "mcnemar_p": 0.065}
        ],
    }
    (tmp_path / "told.json").write_text(json.dumps(told), encoding="utf-8")
    written = retrievers_as_told(tmp_path / "told.json")
    assert "| hotpotqa | 20 % | 105 | 75.0 | 80.0 |" in written
    assert "| R1 → R2 | hotpotqa | 20 % | +5.0 | < 0.001 | 2, 9 of 105 | 0.065 |" in written
