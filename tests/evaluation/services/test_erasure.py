"""Whoever is erased leaves judgements and verdicts as they were."""

from annotation.models import Person
from annotation.services.erasure import erase_person
from annotation.services.ledger import first_altered, first_broken
from annotation.services.projects import set_member
from evaluation.models import Judgement, Run, Verdict
from evaluation.services.judgements import queue
from tests.evaluation.services.test_settling import as_the_matcher, settle_all


def found(run: Run) -> tuple[list[str], list[tuple[int, str, str]], str]:
    """The hashes of the verdicts, the judgements by whom, and the hash of the results."""
    run.refresh_from_db()
    verdicts = Verdict.objects.current(run).order_by("pk").values_list("sha256", flat=True)
    judged = Judgement.objects.filter(case__run=run).order_by("pk")
    return list(verdicts), list(judged.values_list("pk", "judgement", "by")), run.result_sha256


def test_verdicts_and_judgements_stay_when_their_people_are_erased(
    run: Run, inline: None, adjudicator: Person, engineer: Person
) -> None:
    settle_all(run, adjudicator, as_the_matcher)
    before = found(run)
    for person in (adjudicator, engineer):
        erase_person(actor=None, person=person)
    assert found(run) == before and before[0]
    project = run.project
    assert first_broken(project) is None and first_altered(project) is None


def test_what_an_erased_person_settled_is_asked_of_nobody_again(
    run: Run, inline: None, adjudicator: Person, owner: Person, stranger: Person
) -> None:
    settle_all(run, adjudicator, as_the_matcher)
    erase_person(actor=None, person=adjudicator)
    set_member(actor=owner, project=run.project, person=stranger, roles=["adjudicator"])
    assert not queue(run).exists()
