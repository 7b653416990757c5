"""What the tests of judging share: audits drawn by hand, protocols of two people, words given."""

from collections.abc import Callable

from annotation.models import Person
from annotation.services.projects import set_member
from evaluation.models import AuditItem, Judgement, Protocol, Run, StageResult
from evaluation.services.judgements import queue, settle

# What an uploaded rewriter made of the small study's requests.
CANDIDATE = {
    "a": "Alder Foods revenue fiscal year 2022",
    "b": "Alder Foods revenue fiscal year 2023",
    "c": "Norrby ferry plan approved by which ministry",
}


def draw(run: Run, *judgements: Judgement) -> None:
    """Let exactly these be the run's audit."""
    AuditItem.objects.filter(judgement__case__run=run).delete()
    AuditItem.objects.bulk_create([AuditItem(judgement=one) for one in judgements])


def with_filters(run: Run) -> None:
    """Let every rewrite of the run have a filter, so that “filtered” can be said of it."""
    for row in StageResult.objects.filter(case__run=run, stage=StageResult.Stage.REWRITE):
        row.content = {**row.content, "filters": {"fiscal_year": 2022}}
        row.save(update_fields=["content"])


def by_two(run: Run) -> Run:
    """Let two people judge each item of the run; its audit is empty."""
    draw(run)
    content = {**run.protocol.content, "judges": 2}
    Protocol.objects.filter(pk=run.protocol_id).update(content=content)
    return Run.objects.select_related("protocol", "project").get(pk=run.pk)


def judge_called(name: str, run: Run) -> Person:
    """One more adjudicator."""
    person = Person.objects.create_user(name)
    set_member(
        actor=run.project.created_by, project=run.project, person=person, roles=["adjudicator"]
    )
    return person


def item_of(run: Run, arm: str, request: str, constraint: str) -> Judgement:
    """The judge's row."""
    return Judgement.objects.by_matcher().get(
        case__run=run,
        case__arm__name=arm,
        case__request__key=request,
        constraint__key=constraint,
    )


def say(person: Person, item: Judgement, word: str) -> Judgement:
    fresh = Judgement.objects.select_related("case__run__protocol", "case__request__project")
    return settle(actor=person, judgement=fresh.get(pk=item.pk), outcome=word)


def settle_all(run: Run, actor: Person, outcome: Callable[[Judgement], str]) -> None:
    for judgement in list(queue(run)):
        settle(actor=actor, judgement=judgement, outcome=outcome(judgement))


def as_the_matcher(judgement: Judgement) -> str:
    return "stated" if judgement.judgement in ("stated", "filtered") else "dropped"
