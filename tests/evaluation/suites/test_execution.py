"""A suite run from start to result: killed, resumed, cancelled, and what fails in it."""

import subprocess
from collections import Counter
from collections.abc import Callable

import pytest
from django.conf import settings
from django.utils import timezone

from annotation.models import Person, Project
from annotation.processes import process_name
from annotation.services.projects import Refused
from evaluation.generation.errors import EndpointAway, EndpointError
from evaluation.models import SuiteRow, SuiteRun, VariationSet
from evaluation.pipelines.base import Entry, PipelineError
from evaluation.readers.extractive import ExtractiveReader
from evaluation.registry import PartError
from evaluation.services.suites import cancel_suite, resume_suite, start_suite
from evaluation.suites import execution, tasks
from evaluation.suites.execution import work
from evaluation.suites.kit import Bench
from evaluation.suites.leases import take
from evaluation.suites.pipelines import Wanted, tokens_of
from evaluation.suites.tasks import unattended
from evaluation.suites.trials import Trial
from tests.evaluation.suites.pipelines_for_tests import Said
from tests.evaluation.suites.worlds import TYPOS, begin, finish, make_set, nested

Stumbling = Callable[[Said], None]


def gone() -> str:
    """The name of a process of this machine that ended."""
    ended = subprocess.Popen(["true"])
    ended.wait()
    host, _pid, _started = process_name().split(":")
    return f"{host}:{ended.pid}:1"


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each row was computed."""
    calls: Counter[str] = Counter()
    row = Bench.row

    def counting(self: Bench, label: str, entry: Entry) -> dict[str, object]:
        calls[f"{entry.request.id} {label} {entry.shown} {entry.searched}"] += 1
        return row(self, label, entry)

    monkeypatch.setattr(Bench, "row", counting)
    return calls


def test_a_run_computes_every_row_once_and_has_a_result(
    study: Project, engineer: Person, counted: Counter[str]
) -> None:
    run = finish(begin(engineer, study))
    assert (run.state, run.total, run.rows.count()) == ("finished", 6, 6)
    assert set(counted.values()) == {1} and len(counted) == 6
    scores = {(r["set"], r["part"]): r["measures"] for r in run.result["scores"]}
    assert scores["clean", "all"]["recall"]["value"] > scores["typos 50", "all"]["recall"]["value"]


def test_nested_sets_share_their_rows(study: Project, engineer: Person) -> None:
    both = begin(engineer, study, sets=nested(study))
    alone = begin(engineer, study, sets=[study.variation_sets.get(name="typos 50")])
    assert both.total == alone.total == 6


def test_a_killed_run_goes_on_with_what_is_missing_and_has_the_same_result(
    study: Project, engineer: Person, counted: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = finish(begin(engineer, study, four_conditions=True))
    counted.clear()
    run = begin(engineer, study, four_conditions=True)
    monkeypatch.setattr(execution, "BATCH", 1)
    row, made = Bench.row, []

    def killed_at_the_third(self: Bench, label: str, entry: Entry) -> dict[str, object]:
        made.append(label)
        if len(made) == 3:
            raise KeyboardInterrupt
        return row(self, label, entry)

    with monkeypatch.context() as patched:
        patched.setattr(Bench, "row", killed_at_the_third)
        patched.setattr(execution, "give_back", lambda *_: None)  # a killed process cannot
        with pytest.raises(KeyboardInterrupt):
            work(run.pk, worker=gone(), seconds=60.0)
    kept = run.rows.count()
    assert 0 < kept < run.total and unattended() == [run.pk]
    counted.clear()
    run = finish(SuiteRun.objects.get(pk=run.pk), worker="w2")
    assert sum(counted.values()) == run.total - kept
    assert run.state == "finished" and run.result_sha256 == whole.result_sha256


def test_rows_computed_side_by_side_give_the_same_result(
    study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = finish(begin(engineer, study, four_conditions=True))
    monkeypatch.setattr(ExtractiveReader, "remote", True)  # so that there are lanes
    lanes: list[int] = []
    until = execution.Worker.until

    def seen(self: execution.Worker, end: float, trials: list[Trial]) -> bool:
        lanes.append(self._bench.lanes)
        return until(self, end, trials)

    monkeypatch.setattr(execution.Worker, "until", seen)
    together = finish(begin(engineer, study, four_conditions=True))
    assert lanes[0] > 1 and together.result_sha256 == alone.result_sha256


def test_a_run_whose_workers_end_at_the_same_row_is_given_up_and_can_go_on(
    study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = begin(engineer, study)

    def killed(*_args: object) -> dict[str, object]:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Bench, "row", killed)
        patched.setattr(execution, "give_back", lambda *_: None)
        for _time in range(3):
            with pytest.raises(KeyboardInterrupt):
                work(run.pk, worker=gone(), seconds=60.0)
    run = finish(run)
    assert run.state == "failed" and run.error.startswith("3 workers in a row ended")
    assert finish(resume_suite(actor=engineer, run=run)).state == "finished"


def test_a_row_that_is_there_is_kept_whatever_another_worker_makes(
    study: Project, engineer: Person
) -> None:
    run = begin(engineer, study)
    request = study.requests.get(key="a")
    kept = {"status": "ok", "error": "", "answer": "EUR 10 million", "hits": []}
    SuiteRow.objects.create(run=run, request=request, key="standard|clean|clean", content=kept)
    finish(run)
    assert run.rows.get(request=request, key="standard|clean|clean").content == kept


def test_a_run_that_another_worker_has_is_left_to_it(study: Project, engineer: Person) -> None:
    run = begin(engineer, study)
    assert take(run, "w1") and not take(run, "w2")
    assert work(run.pk, worker="w2", seconds=60.0) is False
    assert run.rows.count() == 0


def test_a_slice_of_time_ends_with_rows_left_and_the_next_goes_on(
    study: Project, engineer: Person
) -> None:
    run = begin(engineer, study)
    assert work(run.pk, worker="w1", seconds=0.0) is True
    assert finish(run).state == "finished"


def test_the_task_sends_word_while_rows_are_left(
    study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = begin(engineer, study)
    sent: list[list[int]] = []
    monkeypatch.setattr(tasks, "SECONDS_PER_TASK", 0.0)
    monkeypatch.setattr(
        tasks.work_on_suite, "apply_async", lambda args, countdown: sent.append(args)
    )
    tasks.work_on_suite(run.pk)
    monkeypatch.setattr(tasks, "SECONDS_PER_TASK", 60.0)
    tasks.work_on_suite(run.pk)
    assert sent == [[run.pk]]


def test_a_cancelled_run_keeps_its_rows_and_stops(
    study: Project, engineer: Person, stumbling: Stumbling, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(execution, "BATCH", 1)
    stumbling(lambda entry: "x")
    run = begin(engineer, study, "stumbling")
    row, made = Bench.row, []

    def then_cancelled(self: Bench, label: str, entry: Entry) -> dict[str, object]:
        made.append(label)
        return row(self, label, entry)

    monkeypatch.setattr(Bench, "row", then_cancelled)
    keep = execution.Worker._keep

    def cancelled_after_the_first(self: execution.Worker) -> None:
        keep(self)
        if run.rows.exists() and not run.is_over:
            cancel_suite(actor=engineer, run=run)

    monkeypatch.setattr(execution.Worker, "_keep", cancelled_after_the_first)
    assert work(run.pk, worker="w1", seconds=60.0) is False
    run.refresh_from_db()
    assert run.state == "cancelled" and run.result is None
    assert 0 < run.rows.count() < run.total
    entry = study.ledger.get(kind="suite.cancelled")
    assert entry.content["of"] == run.total


def test_a_pipeline_that_gives_nothing_is_a_status_and_never_a_score(
    study: Project, engineer: Person, stumbling: Stumbling
) -> None:
    def said(entry: Entry) -> str:
        if entry.shown == TYPOS["a"]:
            raise PipelineError("No candidate could be read.", raw="???")
        return "EUR 10 million"

    stumbling(said)
    run = finish(begin(engineer, study, "stumbling"))
    failed = run.rows.get(content__status="failed")
    assert (failed.content["error"], failed.content["raw"], failed.content["attempts"]) == (
        "No candidate could be read.",
        "???",
        1,
    )
    coverage = run.result["coverage"]
    assert coverage["by_pipeline"]["stumbling"] == {"failed": 1, "ok": 5}
    assert coverage["reasons"] == {"No candidate could be read.": 1}


def test_failed_rows_are_tried_again_and_the_ledger_has_the_earlier_result(
    study: Project, engineer: Person, stumbling: Stumbling
) -> None:
    broken = [True]

    def said(_entry: Entry) -> str:
        if broken[0]:
            raise PipelineError("The model wrote nothing.")
        return "EUR 10 million"

    stumbling(said)
    run = finish(begin(engineer, study, "stumbling"))
    earlier = run.result_sha256
    broken[0] = False
    run = finish(resume_suite(actor=engineer, run=run))
    assert run.result["coverage"]["failed"] == 0 and run.result_sha256 != earlier
    entry = study.ledger.get(kind="suite.resumed")
    assert entry.content == {"failed_rows": 6, "result": earlier}
    with pytest.raises(Refused, match="No row of suite run 1 failed"):
        resume_suite(actor=engineer, run=run)


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (EndpointError("The model answered with a page."), "The model answered with a page."),
        (KeyError("x"), "A fault in the program (KeyError): the log says more."),
    ],
)
def test_a_row_is_tried_three_times_where_the_fault_may_be_another_s(
    fault: Exception, told: str, study: Project, engineer: Person, stumbling: Stumbling
) -> None:
    asked: list[str] = []

    def said(entry: Entry) -> str:
        asked.append(entry.shown)
        raise fault

    stumbling(said)
    run = finish(begin(engineer, study, "stumbling"))
    assert set(Counter(asked).values()) == {3}
    assert set(
        run.rows.filter(key__startswith="stumbling").values_list("content__error", flat=True)
    ) == {told}


def test_an_endpoint_that_is_away_is_waited_for_and_told_of(
    study: Project, engineer: Person, stumbling: Stumbling
) -> None:
    notices: list[str] = []
    away = [True]

    def said(_entry: Entry) -> str:
        if away[0]:
            away[0] = False
            raise EndpointAway("The model is away.", again_in=0.01)
        return "x"

    stumbling(said)
    run = begin(engineer, study, "stumbling")
    execution_report = lambda: notices.append(SuiteRun.objects.get(pk=run.pk).notice)  # noqa: E731
    work(run.pk, worker="w1", seconds=60.0, report=execution_report)
    run.refresh_from_db()
    assert run.state == "finished" and run.notice == ""
    assert run.rows.filter(content__status="failed").count() == 0


def test_an_endpoint_that_stays_away_stops_the_run_which_can_go_on_later(
    study: Project, engineer: Person, stumbling: Stumbling, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INTACT_ENDPOINT_PATIENCE_S", "0")
    away = [True]

    def said(_entry: Entry) -> str:
        if away[0]:
            raise EndpointAway("The model is away.", again_in=0.001)
        return "x"

    stumbling(said)
    run = finish(begin(engineer, study, "stumbling"))
    assert run.state == "failed"
    assert run.error == "The model is away. The run waited and stopped: go on when it is back."
    away[0] = False
    assert finish(resume_suite(actor=engineer, run=run)).state == "finished"


def test_other_code_than_was_frozen_stops_the_run(study: Project, engineer: Person) -> None:
    run = begin(engineer, study)
    run.content["code"]["sha256"] = "0" * 64
    run.save()
    assert finish(run).error.startswith("The code of this worker is not the code of this run")


def test_another_part_than_was_frozen_stops_the_run(study: Project, engineer: Person) -> None:
    run = begin(engineer, study)
    run.content["pipelines"][0]["version"] = "0"
    run.save()
    assert "was frozen with another version" in finish(run).error


def test_a_set_that_is_no_longer_what_was_frozen_stops_the_run(
    study: Project, engineer: Person
) -> None:
    run = begin(engineer, study)
    VariationSet.objects.filter(name="typos 25").update(sha256="0" * 64)
    assert "“typos 25” is not the one that this run froze" in finish(run).error


def test_a_pipeline_sees_no_other_wording_than_the_one_that_is_shown(
    study: Project, engineer: Person, stumbling: Stumbling
) -> None:
    stumbling(lambda entry: entry.shown)
    run = finish(begin(engineer, study, "stumbling", four_conditions=True))
    rows = run.rows.filter(key__startswith="stumbling").values_list("content", flat=True)
    assert all(row["notes"]["request"] == row["answer"] for row in rows)


def test_a_fault_of_a_worker_that_lost_the_run_does_not_stop_it(
    study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = begin(engineer, study)

    def lost_and_faulty(_self: Bench) -> None:
        SuiteRun.objects.filter(pk=run.pk).update(worker="w2")
        raise PartError("There is no model here.")

    monkeypatch.setattr(Bench, "prepare", lost_and_faulty)
    run = finish(run)
    assert (run.state, run.worker, run.error) == ("running", "w2", "")


def test_whoever_prepares_holds_the_run_for_as_long_as_a_task_may_take(
    study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INTACT_LEASE_S", "4")
    prepare, left = Bench.prepare, []

    def seen(self: Bench) -> None:
        until = SuiteRun.objects.get().leased_until
        assert until is not None
        left.append((until - timezone.now()).total_seconds())
        prepare(self)

    monkeypatch.setattr(Bench, "prepare", seen)
    finish(begin(engineer, study))
    assert left[0] > settings.CELERY_TASK_TIME_LIMIT - 30


def test_after_a_change_of_the_program_a_result_is_not_given_up_for_its_failed_rows(
    study: Project, engineer: Person, stumbling: Stumbling
) -> None:
    def said(_entry: Entry) -> str:
        raise PipelineError("The model wrote nothing.")

    stumbling(said)
    run = finish(begin(engineer, study, "stumbling"))
    run.content["code"]["sha256"] = "0" * 64
    run.save()
    with pytest.raises(Refused, match="The program has changed since suite run 1 was frozen"):
        resume_suite(actor=engineer, run=run)
    run.refresh_from_db()
    assert run.state == "finished" and run.result and run.rows.count() == run.total


def test_two_rewriters_stand_beside_each_other_with_parameters(
    study: Project, engineer: Person
) -> None:
    wanted = [Wanted.named("rewritten:keywords", {"max_words": n}) for n in (2, 8)]
    run = finish(begin(engineer, study, *wanted))
    labels = [one["label"] for one in run.content["pipelines"]]
    assert labels[1:] == ["rewritten:keywords(max_words=2)", "rewritten:keywords(max_words=8)"]
    assert run.state == "finished" and run.result["coverage"]["failed"] == 0


def test_an_empty_answer_scores_nothing_and_is_no_abstention(
    study: Project, engineer: Person, stumbling: Stumbling
) -> None:
    """As SuRe's where no candidate could be read."""
    stumbling(lambda _entry: "")
    run = finish(begin(engineer, study, "stumbling"))
    assert set(run.result["coverage"]["by_pipeline"]["stumbling"]) == {"ok"}
    (row,) = [
        row
        for row in run.result["scores"]
        if (row["pipeline"], row["set"], row["part"]) == ("stumbling", "clean", "all")
    ]
    answers = {name: told for name, told in row["measures"].items() if name != "recall"}
    assert {told["value"] for told in answers.values() if told["n"]} == {0.0}


def test_the_token_model_is_that_of_the_local_reader_s_own_folder(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []
    monkeypatch.setattr("evaluation.suites.pipelines.token_model", asked.append)
    monkeypatch.setattr("evaluation.suites.pipelines.tokens_here", lambda: asked.append("here"))
    tokens_of({"name": "local", "parameters": {"path": "/models/small"}})
    tokens_of({"name": "local", "parameters": {"path": ""}})
    tokens_of({"name": "extractive", "parameters": {}})
    assert asked == ["/models/small", "here", "here"]


def test_the_same_run_is_not_started_twice(study: Project, engineer: Person) -> None:
    assert begin(engineer, study) == begin(engineer, study)


def test_a_pipeline_that_cannot_be_had_here_is_refused_with_why(
    study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evaluation.offered.described_generator", lambda: None)
    with pytest.raises(Refused, match="hyde cannot be had here: it needs a language model"):
        begin(engineer, study, "hyde")


def test_a_set_that_is_not_made_is_refused(study: Project, engineer: Person) -> None:
    made = make_set(study, "new", TYPOS, rate=0.5)
    VariationSet.objects.filter(pk=made.pk).update(state="making")
    made.refresh_from_db()
    with pytest.raises(Refused, match="The set “new” is being made"):
        begin(engineer, study, sets=[made])


def test_only_an_engineer_starts_and_cancels(
    study: Project, owner: Person, engineer: Person
) -> None:
    from django.core.exceptions import PermissionDenied

    run = begin(engineer, study)
    with pytest.raises(PermissionDenied):
        cancel_suite(actor=owner, run=run)
    with pytest.raises(PermissionDenied):
        start_suite(actor=owner, project=study, sets=list(study.variation_sets.all()), pipelines=[])


def test_what_is_started_and_what_came_of_it_is_in_the_ledger(
    study: Project, engineer: Person
) -> None:
    run = finish(begin(engineer, study))
    started, finished = study.ledger.filter(kind__startswith="suite.").order_by("sequence")
    assert started.content["sha256"] == finished.content["run"] == run.sha256
    assert finished.content["result"] == run.result_sha256


def test_a_label_names_what_is_set() -> None:
    assert Wanted("rewritten", {"rewriter": "typed_query"}).label == "rewritten:typed_query"
    wanted = Wanted.named("rewritten:keywords", {"max_words": 8})
    assert wanted.parameters == {"rewriter": "keywords", "parameters": '{"max_words":8}'}
    assert wanted.label == "rewritten:keywords(max_words=8)"
    assert Wanted.named("hyde", {"n": 4}).label == "hyde(n=4)"
    assert len(Wanted("hyde", {"prompt": "x" * 300}).label) <= 60
