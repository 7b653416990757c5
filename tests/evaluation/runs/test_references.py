"""The human arm has the references that were frozen when its run started."""

from django.utils import timezone

from annotation.canonical import content_hash
from annotation.models import HumanRewrite, Person, Project
from evaluation.models import Run
from tests.evaluation.runs.small_study import begin, case_of, finish

ANOTHER = "What did Alder Foods earn in fiscal year 2022?"


def taken_back_and_rewritten(study: Project, by: Person) -> None:
    """The author of the reference of "a" withdrew it, and somebody else wrote another one."""
    first = HumanRewrite.objects.filter(request__key="a", request__project=study)
    first.update(withdrawn_at=timezone.now())
    request = study.requests.get(key="a")
    HumanRewrite.objects.create(
        request=request,
        author=by,
        kind=HumanRewrite.Kind.STANDALONE,
        text=ANOTHER,
        sealed_at=timezone.now(),
        sha256=content_hash({"text": ANOTHER}),
    )


def queries(run: Run, request: str) -> list[str]:
    return list(case_of(run, "human", request).stages.get(stage="rewrite").content["queries"])


def test_what_was_rewritten_between_two_runs_is_not_taken_over(
    study: Project, engineer: Person, annotator_b: Person
) -> None:
    first = finish(begin(engineer, study, ["original", "human"]))
    taken_back_and_rewritten(study, annotator_b)
    run = finish(begin(engineer, study, ["original", "human"]))
    assert queries(run, "a") == [ANOTHER] and queries(first, "a") != [ANOTHER]
    assert case_of(run, "human", "b").stages.get(stage="rewrite").taken_from == first


def test_a_run_does_not_take_a_reference_that_it_did_not_freeze(
    study: Project, engineer: Person, annotator_b: Person
) -> None:
    run = begin(engineer, study, ["original", "human"])
    taken_back_and_rewritten(study, annotator_b)
    finish(run)
    assert case_of(run, "human", "a").status == "not_run"
    assert case_of(run, "human", "b").status == "ok"
