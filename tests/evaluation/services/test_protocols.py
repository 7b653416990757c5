"""Rules are registered before the results that they decide, and a newer version voids the older."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied

from annotation.models import Person, Project
from annotation.services.projects import Refused
from evaluation.models import Case, Run, Verdict
from evaluation.runs.seen import first_results
from evaluation.services.protocols import register_protocol, registered_reach, void_by
from evaluation.services.runs import cancel_run, extend_run, resume_run, retry_failed, start_run
from tests.evaluation.runs.small_study import begin, finish, freeze, register
from tests.evaluation.services.test_extending import bring

RULE: dict[str, Any] = {
    "completeness_floor": 0.5, "regression_ceiling": 0.9, "min_requests": 1, "families": {},
}  # fmt: skip


@pytest.fixture
def run(study: Project, engineer: Person) -> Run:
    """Every request with a contract (a, b, c) has a result."""
    return finish(begin(engineer, study, ["original", "human"]))


def start(engineer: Person, run: Run, **changed: Any) -> Run:
    """Start a run like this one, under another protocol or other Conditions."""
    wanted = {"protocol": run.protocol, "conditions": run.conditions, **changed}
    return start_run(actor=engineer, project=run.project, arm_names=["original"], **wanted)


def test_the_same_rules_give_the_same_protocol(project: Project, engineer: Person) -> None:
    assert register(engineer, project) == register(engineer, project)


def test_the_same_rules_are_taken_again_whatever_has_a_result(run: Run, engineer: Person) -> None:
    assert register(engineer, run.project) == run.protocol


def test_other_rules_give_the_next_version_and_supersede(
    project: Project, engineer: Person
) -> None:
    first = register(engineer, project)
    second = register(engineer, project, judging="human_for_all")
    assert (second.version, second.supersedes) == (2, first)


def test_rules_that_cannot_be_used_are_refused_with_every_fault(
    project: Project, engineer: Person
) -> None:
    with pytest.raises(Refused, match=r"(?s)alpha must be.*judging"):
        register_protocol(actor=engineer, project=project, content={"name": "x", "alpha": 2})


def test_an_annotator_registers_no_protocol(project: Project, annotator_a: Person) -> None:
    with pytest.raises(PermissionDenied):
        register(annotator_a, project)


def test_the_ledger_says_how_many_runs_there_were_before(
    project: Project, engineer: Person
) -> None:
    register(engineer, project)
    assert project.ledger.get(kind="protocol.registered").content["runs_before"] == 0


@pytest.mark.parametrize("name", ["gate", "another"])
def test_rules_are_refused_once_every_request_has_a_result(
    name: str, run: Run, engineer: Person
) -> None:
    with pytest.raises(Refused) as refused:
        register(engineer, run.project, judging="human_for_all", name=name)
    said = str(refused.value)
    assert said.startswith("Too late for these rules: all 3 requests that they would decide have a")
    assert "(since run 1, 20" in said
    assert said.endswith("Settle new requests first, or run on under gate 1, which stands.")
    assert run.project.protocols.count() == 1


def test_a_run_without_a_protocol_counts_too(run: Run, engineer: Person) -> None:
    Run.objects.update(protocol=None)
    with pytest.raises(Refused, match="Too late for these rules"):
        register(engineer, run.project, judging="human_for_all")


def test_cancelling_a_run_does_not_unsee_what_it_gave(study: Project, engineer: Person) -> None:
    run = begin(engineer, study, ["original"])
    Case.objects.filter(run=run).update(state="done", closed_at=run.created_at)
    cancel_run(actor=engineer, run=run)
    with pytest.raises(Refused, match="Too late for these rules"):
        register(engineer, study, judging="human_for_all")


def test_a_run_whose_cases_all_wait_hinders_no_registration(
    study: Project, engineer: Person
) -> None:
    begin(engineer, study, ["original"])
    assert register(engineer, study, judging="human_for_all").version == 2


def test_only_the_classes_that_the_rules_name_are_asked(run: Run, engineer: Person) -> None:
    bring(run.project)  # a request of the class “plain”, without a result
    with pytest.raises(Refused, match="all 2 requests that they would decide"):
        register(engineer, run.project, classes={"dated-fact": RULE})
    late = register(engineer, run.project, classes={"dated-fact": RULE, "plain": RULE})
    assert registered_reach(late) is not None


def test_page_and_ledger_say_on_how_many_requests_it_can_decide(run: Run, engineer: Person) -> None:
    bring(run.project)
    late = register(engineer, run.project, judging="human_for_all")
    content = run.project.ledger.get(kind="protocol.registered", subject="gate 2").content
    assert (content["open_requests"], content["seen_requests"]) == (1, 3)
    assert content["voids"] == run.protocol.sha256
    reach = registered_reach(late)
    assert reach and (reach.open, reach.seen, reach.total) == (1, 3, 4)


def test_a_run_under_a_superseded_protocol_is_refused(run: Run, engineer: Person) -> None:
    bring(run.project)
    register(engineer, run.project, judging="human_for_all")
    with pytest.raises(Refused, match="gate 1 is superseded by version 2.*the run under gate 2"):
        start(engineer, run)


def test_extending_and_retrying_under_a_superseded_protocol_are_refused(
    run: Run, engineer: Person
) -> None:
    bring(run.project)
    register(engineer, run.project, judging="human_for_all")
    Case.objects.filter(pk=run.cases.first().pk).update(state="failed")
    with pytest.raises(Refused, match="superseded"):
        extend_run(actor=engineer, run=run, arm_names=["keywords"])
    with pytest.raises(Refused, match="superseded"):
        retry_failed(actor=engineer, run=run)


def test_a_run_that_is_under_way_is_resumed_all_the_same(study: Project, engineer: Person) -> None:
    run = begin(engineer, study, ["original", "human"])
    register(engineer, study, judging="human_for_all")
    assert finish(resume_run(actor=engineer, run=run)).state == "finished"


def test_a_run_over_requests_that_had_results_is_refused(run: Run, engineer: Person) -> None:
    bring(run.project)
    late = register(engineer, run.project, judging="human_for_all")
    with pytest.raises(Refused) as refused:
        start(engineer, run, protocol=late, conditions=freeze(engineer, run.project))
    said = str(refused.value)
    assert said.startswith("3 of the 4 requests of these Conditions had a result (since run 1, 20")
    assert "before gate 2 was registered" in said
    assert said.endswith("freeze Conditions with only those (`evaluate --only-unseen`).")


def test_a_run_over_new_requests_only_is_started(run: Run, engineer: Person) -> None:
    bring(run.project)
    late = register(engineer, run.project, judging="human_for_all")
    only = freeze(engineer, run.project, only_unseen=True)
    started = start(engineer, run, protocol=late, conditions=only)
    assert set(started.cases.values_list("request__key", flat=True)) == {"d"}


def test_results_under_the_rules_themselves_hinder_no_further_run(
    run: Run, engineer: Person
) -> None:
    assert start(engineer, run).number == 2


def test_what_took_all_over_from_an_earlier_run_changes_nothing(run: Run, engineer: Person) -> None:
    before = first_results(run.project)
    again = finish(start(engineer, run))
    assert set(again.cases.values_list("state", "closed_at")) == {("done", None)}
    assert first_results(run.project) == before


def test_the_newest_version_voids_all_before_it(project: Project, engineer: Person) -> None:
    first = register(engineer, project)
    second = register(engineer, project, judging="human_for_all")
    third = register(engineer, project, judging="human_for_critical")
    assert [void_by(protocol) for protocol in (first, second, third)] == [third, third, None]


def test_what_was_decided_is_not_changed_by_being_void(run: Run, engineer: Person) -> None:
    before = list(Verdict.objects.filter(run=run).values())
    bring(run.project)
    register(engineer, run.project, judging="human_for_all")
    assert list(Verdict.objects.filter(run=run).values()) == before


def test_the_moment_of_registration_is_the_clock_that_closes_cases(
    run: Run, engineer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    from django.utils import timezone

    bring(run.project)
    ahead = timezone.now() + timedelta(days=1)
    monkeypatch.setattr(timezone, "now", lambda: ahead)  # this machine's clock is wrong
    late = register(engineer, run.project, judging="human_for_all")
    closed = max(result.at for result in first_results(run.project).values())
    assert closed < late.registered_at < ahead - timedelta(hours=23)


@pytest.mark.parametrize(
    ("after", "refused"), [(-1, True), (0, True), (1, False)], ids=["before", "same", "after"]
)
def test_a_case_that_closes_while_rules_are_registered_is_told_by_its_time(
    after: int, refused: bool, study: Project, engineer: Person
) -> None:
    """Its transaction ends after the registration counted: the run's start finds it."""
    run = begin(engineer, study, ["original"])
    late = register(engineer, study, judging="human_for_all")
    at = late.registered_at + timedelta(milliseconds=after)
    Case.objects.filter(run=run, request__key="a").update(state="done", closed_at=at)
    try:
        start(engineer, run, protocol=late)
    except Refused as told:
        assert refused and "1 of the 3 requests of these Conditions had a result" in str(told)
    else:
        assert not refused
