import pytest

from annotation.models import Person, Project
from annotation.services.projects import Refused
from evaluation.models import Run
from evaluation.runs import tasks
from evaluation.services.runs import start_run
from tests.evaluation.runs.small_study import begin, freeze, upload


def test_a_run_has_one_case_for_every_arm_and_request_with_a_contract(
    study: Project, engineer: Person
) -> None:
    run = begin(engineer, study, ["original", "human", "keywords"])
    cases = run.cases.values_list("arm__name", "request__key")
    assert sorted(cases) == [
        (arm, key) for arm in ("human", "keywords", "original") for key in ("a", "b", "c")
    ]


def test_every_case_of_a_new_run_waits(study: Project, engineer: Person) -> None:
    run = begin(engineer, study, ["original"])
    assert (run.state, set(run.cases.values_list("state", flat=True))) == ("queued", {"pending"})


def test_runs_are_numbered_from_one_within_the_project(study: Project, engineer: Person) -> None:
    arms = (["original"], ["original", "human"])
    assert [begin(engineer, study, names).number for names in arms] == [1, 2]


def test_a_double_click_gives_the_run_that_is_not_over_yet(
    study: Project, engineer: Person
) -> None:
    assert begin(engineer, study, ["original"]) == begin(engineer, study, ["original"])


def test_a_run_without_the_original_is_refused(study: Project, engineer: Person) -> None:
    with pytest.raises(Refused, match="needs the arm “original”"):
        begin(engineer, study, ["human"])


def test_an_unknown_arm_is_refused_with_the_known_names(study: Project, engineer: Person) -> None:
    with pytest.raises(Refused, match="There is no arm “nobody”.*original, human.*keywords"):
        begin(engineer, study, ["original", "nobody"])


def test_a_run_without_a_protocol_is_refused_where_verdicts_are_wanted(
    study: Project, engineer: Person
) -> None:
    with pytest.raises(Refused, match="Register a protocol first"):
        start_run(
            actor=engineer,
            project=study,
            protocol=None,
            conditions=freeze(engineer, study),
            arm_names=["original"],
        )


def test_a_refused_run_leaves_nothing_behind(study: Project, engineer: Person) -> None:
    with pytest.raises(Refused):
        begin(engineer, study, ["original", "nobody"])
    assert not Run.objects.exists()


def test_an_arm_that_needs_a_model_is_refused_where_none_is(
    study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INTACT_BUNDLED_LLM", "0")
    with pytest.raises(Refused, match="needs a language model and none is set"):
        begin(engineer, study, ["original", "prompt"])


def test_the_arms_are_frozen_with_the_run(study: Project, engineer: Person) -> None:
    upload(study, "cand", {"a": "Alder Foods revenue"})
    run = begin(engineer, study, ["original", "cand"])
    assert set(run.arm_content) == {"original", "cand"}
    assert len(run.arm_content["cand"]["rewrites"]) == 64


def test_workers_are_told_when_the_transaction_stands(
    study: Project,
    engineer: Person,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks,
) -> None:
    sent = []
    monkeypatch.setattr(tasks.work_on_run, "delay", lambda *args: sent.append(args))
    with django_capture_on_commit_callbacks(execute=True):
        run = begin(engineer, study, ["original"])
        assert sent == []
    assert sent == [(run.pk,), (run.pk,)]


def test_the_start_is_in_the_ledger(study: Project, engineer: Person) -> None:
    run = begin(engineer, study, ["original"])
    entry = study.ledger.get(kind="run.started")
    assert entry.content["conditions"] == run.conditions.sha256
