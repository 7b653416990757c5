"""Query variations on real data, beside the figures of others (docs/query-variations.md)."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import DjangoDbBlocker

from evaluation.training.pairs import Question
from tests.real_data import corrector_measures, sources, variation_measures, variations
from tests.real_data import variations_page as page
from tests.real_data.studies import Concluded, project_of, run_of
from tests.real_data.training_compared import parts, told
from tests.real_data.variations_training import (
    corrector_as_told,
    retrievers_as_told,
    verdict,
)

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


def test_what_training_measured_becomes_tables_and_a_verdict(tmp_path: Path) -> None:
    places = [{"data": "hotpotqa", "form": form, "n": 105} for form in ("clean", "all")]
    pair = {"before": "R1", "after": "R2", "worse": 2, "better": 9}
    known = {
        "about": "What was tried.",
        "tried": [{"model": "lr 1e-4", "means": {"clean": 0.7, "all": 0.5}}],
        "method": "How it was measured.",
        "measured": [
            {"model": m, **place, "recall": r}
            for place in places
            for m, r in (("R1", 0.75), ("R2", 0.8))
        ],
        "compared": [
            {**places[0], **pair, "difference": -0.004}
            | {"low": -0.02, "high": 0.01, "sign_flip_p": 0.5},
            {**places[1], **pair, "difference": 0.05}
            | {"low": 0.02, "high": 0.08, "sign_flip_p": 0.0004},
        ],
    }
    (tmp_path / "told.json").write_text(json.dumps(known), encoding="utf-8")
    written = retrievers_as_told(tmp_path / "told.json")
    assert "| lr 1e-4 | 70.0 | 50.0 |" in written
    assert "| hotpotqa | all | 105 |  | 75.0 | 80.0 |" in written
    line = "| R1 → R2 | hotpotqa | all | +5.0 | +2.0 to +8.0 | < 0.001 | 2, 9 of 105 |"
    assert line in written
    assert "R2 found more than R1 at: all (+5.0)." in written
    assert "at most the one that may be lost; the interval (-2.0 to +1.0)" in written
    assert "was reached." in written


def test_questions_that_share_a_gold_paragraph_come_into_one_part() -> None:
    golds = [("a", "b"), ("b", "c"), ("d", "e"), ("c", "f"), ("g",), ("h",)]
    questions = [Question(f"q{n}", "?", of) for n, of in enumerate(golds)]
    dealt = parts(questions, 2)
    assert sorted(one.id for part in dealt for one in part) == [f"q{n}" for n in range(6)]
    first, second = ({gold for one in part for gold in one.golds} for part in dealt)
    assert not first & second and [len(part) for part in dealt] == [3, 3]


def test_draws_of_a_question_are_one_cluster() -> None:
    r1 = {"all": {"q1": [0.5, 0.5], "q2": [1.0, 0.0], "q3": [0.0, 0.0]}}
    r2 = {"all": {"q1": [1.0, 0.5], "q2": [0.0, 1.0], "q3": [0.5, 0.5]}}
    (found,) = told([("data", "R1", r1), ("data", "R2", r2)])["compared"]
    assert (found["n"], found["draws"], found["worse"], found["better"]) == (3, 2, 0, 2)
    assert found["difference"] == pytest.approx(0.25)
    # Of the totals .5, 0 and 1 both that move must be positive or both negative: 2 of 4.
    assert found["sign_flip_p"] == pytest.approx(0.5)


def test_a_verdict_says_when_nothing_was_shown() -> None:
    pair = {"before": "R1", "after": "R2", "data": "hotpotqa", "sign_flip_p": 0.4}
    clean = {**pair, "form": "clean", "difference": -0.02, "low": -0.04, "high": 0.0}
    some = {**pair, "form": "20 %", "difference": 0.01, "low": -0.01, "high": 0.03}
    written = verdict([clean, some])
    assert "was not shown at: 20 % (+1.0)" in written and "-2.0 points, more than" in written
    assert "was not reached in full." in written


def test_a_corrector_that_repairs_nothing_is_said_to_be_worth_nothing(tmp_path: Path) -> None:
    known = {
        "model": "a model",
        "settings": {"rank": 8, "epochs": 1, "batch": 4, "lr": 5e-4, "k": 1}
        | {"passage_words": 40, "threads": 1},
        "pairs": 100,
        "identity": 50,
        "losses": [1.234],
        "n": 40,
        "rates": {"n_errors": 20, "n_fixed": 1, "n_clean": 20, "n_overcorrected": 3},
        "refused": 9,
        "why": {"looks like an answer": 9},
        "recall_clean": 1.0,
        "recall_before": 0.95,
        "recall_after": 0.9,
    }
    (tmp_path / "told.json").write_text(json.dumps(known), encoding="utf-8")
    written = corrector_as_told(tmp_path / "told.json")
    cells = "| 100 (50 clean) | 1.23 | 1 of 20 | 3 of 20 | 9 of 40 | 95.0 → 90.0 | 100.0 |"
    assert cells in written and "worth nothing" in written
