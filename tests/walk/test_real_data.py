"""The whole way with real data: files in, arms run, figures read off the concluded run.

The figures beside are those of others: papers, benchmark pages, another BM25 (docs/real-data.md).
"""

import io
from collections.abc import Callable
from pathlib import Path
from statistics import fmean

import pytest
from django.core.management import call_command
from pytest_django import DjangoDbBlocker

from annotation.models import Person, Project
from evaluation.management.commands import evaluate
from evaluation.models import Run
from tests.real_data.__main__ import PAGE
from tests.real_data.figures import PUBLISHED_SHARES, STUDIES, Figure
from tests.real_data.page import change_row, row
from tests.real_data.sources import FOLDER, NOISY, is_here

SOURCE = FOLDER / "mtrag-mini"
FiguresOf = Callable[[str], dict[str, Figure]]


@pytest.fixture(scope="module")
def figures_of(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> FiguresOf:
    """Measure a data set once for all tests; skip where it is not on this machine."""
    found: dict[str, dict[str, Figure]] = {}

    def figures(name: str) -> dict[str, Figure]:
        study = STUDIES[name]
        if not is_here(study.folder):
            pytest.skip(f"the data of {study.title} are not on this machine")
        if name not in found:
            with django_db_blocker.unblock():
                found[name] = {figure.key: figure for figure in study.measure()}
        return found[name]

    return figures


@pytest.mark.parametrize("depth", [2, 5])
@pytest.mark.parametrize("name", ["2wiki", "hotpotqa", "musique", "hipporag"])
def test_bm25_finds_what_another_bm25_finds(name: str, depth: int, figures_of: FiguresOf) -> None:
    """Two points, because words are cut in another way: lower-cased runs of letters there."""
    found = figures_of(name)[f"bm25@{depth}"]
    assert found.other is not None
    assert (found.n, found.value) == (found.other.n, pytest.approx(found.other.value, abs=0.02))


def test_sub_questions_find_more_than_the_question_with_as_many_documents(
    figures_of: FiguresOf,
) -> None:
    found = figures_of("musique")
    assert found["sub@5"].value > found["bm25@5"].value + 0.2
    assert found["sub-complete@5"].value > found["whole-complete"].value + 0.3


def test_two_documents_for_each_sub_question_find_what_another_bm25_finds(
    figures_of: FiguresOf,
) -> None:
    """79.5 % and all gold for 61 % over all 100 questions, of which these are 65."""
    found = figures_of("musique")
    assert found["sub-two"].value == pytest.approx(0.795, abs=0.03)
    assert found["sub-two-complete"].value == pytest.approx(0.61, abs=0.03)


def test_rewritten_turns_find_more_than_raw_ones_and_peoples_most(figures_of: FiguresOf) -> None:
    found = figures_of("cast")
    assert found["original"].value < found["automatic"].value < found["manual"].value


@pytest.mark.parametrize("arm", ["original", "automatic", "manual"])
def test_turns_find_their_response_as_often_as_with_another_bm25(
    arm: str, figures_of: FiguresOf
) -> None:
    """Three points: 141 turns here, 199 there."""
    found = figures_of("cast")[arm]
    assert found.other is not None and found.value == pytest.approx(found.other.value, abs=0.03)


@pytest.mark.parametrize("scope", ["all", "multi-hop"])
@pytest.mark.parametrize("arm", PUBLISHED_SHARES)
def test_published_shares_come_out_of_saved_rankings(
    arm: str, scope: str, figures_of: FiguresOf
) -> None:
    """fast-graphrag, benchmarks/README.md, to the last digit."""
    found = figures_of("hipporag")[f"{arm}/{scope}"]
    assert found.published is not None
    assert (found.n, found.value) == (found.published.n, found.published.value)


@pytest.mark.parametrize("depth", [1, 5])
@pytest.mark.parametrize("form", ["original", *NOISY])
def test_noisy_questions_find_what_they_find_with_another_bm25(
    form: str, depth: int, figures_of: FiguresOf
) -> None:
    """Two points: 820 of the 1,190 questions that it has."""
    found = figures_of("noiseqa")[f"{form}@{depth}/all"]
    assert found.other is not None
    assert (found.n, found.value) == (820, pytest.approx(found.other.value, abs=0.02))


@pytest.mark.parametrize("depth", [1, 5])
def test_questions_that_people_typed_anew_lose_what_they_lose_with_another_bm25(
    depth: int, figures_of: FiguresOf
) -> None:
    """Another BM25 over the 614 that typing changed: clean 92.5 and 98.0, typed 87.6 and 96.1."""
    found = figures_of("noiseqa")
    clean, typed = (found[f"{arm}@{depth}/changed"] for arm in ("original", "keyboard_natural"))
    assert clean.other is not None and typed.other is not None
    lost = clean.other.value - typed.other.value
    assert clean.value - typed.value == pytest.approx(lost, abs=0.02)


@pytest.mark.parametrize("form", NOISY)
def test_every_noise_costs_more_than_chance_takes(form: str, figures_of: FiguresOf) -> None:
    change = figures_of("noiseqa")[f"{form}@5/all"].change
    assert change is not None and change.worse > change.better
    assert change.difference["high"] < 0 and change.test["value"] < 0.05


@pytest.mark.parametrize("name", STUDIES)
def test_the_page_says_what_is_measured(name: str, figures_of: FiguresOf) -> None:
    page = PAGE.read_text(encoding="utf-8")
    figures = figures_of(name).values()
    lines = [row(f) for f in figures] + [change_row(f) for f in figures if f.change]
    assert [line for line in lines if line not in page] == []


@pytest.fixture
def converted(tmp_path: Path) -> Path:
    if not (SOURCE / "tasks.jsonl").exists():
        pytest.skip("the conversations of mtrag-mini are not on this machine")
    call_command("convert_mtrag", SOURCE, tmp_path / "made", stdout=io.StringIO())
    return tmp_path / "made"


def recall_at_5(run: Run, arm: str) -> tuple[float, int]:
    """The mean share of required items retrieved, and over how many requests."""
    outcomes = [case.outcome["outcome"] for case in run.cases.filter(arm__name=arm)]
    shares = [o["evidence_hit"] / o["evidence_required"] for o in outcomes]
    return fmean(shares), len(shares)


def test_rewrites_find_more_than_last_turns(
    db: None, converted: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(evaluate, "worker_is_online", lambda: False)
    Person.objects.create_user("owner")
    made = "create_project mtrag --name MTRAG --owner owner --purpose retrieval"
    call_command(*made.split(), stdout=io.StringIO())
    call_command("set_member", "mtrag", "owner", "owner", "engineer", stdout=io.StringIO())
    for kind, arm in (("corpus", ()), ("requests", ()), ("rewrites", ("--arm", "automatic"))):
        file = converted / f"{kind}.jsonl"
        call_command("import_file", "mtrag", kind, file, *arm, stdout=io.StringIO())
    run_it = "evaluate mtrag --arms original,automatic --retriever bm25 --k 5"
    call_command(*run_it.split(), stdout=io.StringIO(), stderr=io.StringIO())

    run = Project.objects.get(slug="mtrag").runs.get()
    (original, requests), (rewritten, _same) = (
        recall_at_5(run, arm) for arm in ("original", "automatic")
    )
    with capsys.disabled():
        print(
            f"\nRecall@5 over {requests} requests: last turn {original:.3f}, "
            f"automatic rewrite {rewritten:.3f}"
        )
    # The collector of mtrag-mini measured 0.580 and 0.653 with a BM25 of their own, over the 113
    # tasks of which these are a part.
    assert rewritten > original
    assert 0.60 <= rewritten <= 0.72
    assert 0.52 <= original <= 0.64
