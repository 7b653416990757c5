"""The whole way with real conversations: convert, import, run, and read Recall@5 off the rows."""

import io
from pathlib import Path
from statistics import fmean

import pytest
from django.core.management import call_command

from annotation.models import Person, Project
from evaluation.management.commands import evaluate
from evaluation.models import Run

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / ".." / "shared" / "data" / "mtrag-mini"


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
