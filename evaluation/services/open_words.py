"""What people said of an item that is not settled is told to nobody who may still judge it."""

from django.db.models import Exists, OuterRef
from django.db.models.fields.json import KT

from annotation.models import LedgerEntry, Person, Project
from annotation.models.ledger import LedgerQuerySet
from annotation.permissions import may
from evaluation.models import Judgement, Run
from evaluation.models.judgements import JudgementQuerySet

KINDS = ("judgement.settled", "judgement.taken_back")


def words_hidden_from(*, reader: Person, project: Project) -> JudgementQuerySet:
    """Return others' words on items that nobody's word settles and that the reader may still
    judge, also those that were taken back.
    """
    if not may(reader, "judge", project).allowed:
        return Judgement.objects.none()
    said = Judgement.objects.filter(
        person__isnull=False, takes_back=None, case__run__project=project
    )
    said = said.exclude(case__run__state=Run.State.CANCELLED).exclude(person=reader)
    return said.undecided().unseen_by(reader)


def entries_hidden_from(project: Project, reader: Person) -> LedgerQuerySet | None:
    """Return the ledger's entries of these words; None where there are none.

    An entry does not say of which run and arm it is: all of the same person about the same
    constraint of the request are hidden until every one of these items is settled.
    """
    hidden = words_hidden_from(reader=reader, project=project)
    if not hidden.exists():
        return None
    told = hidden.filter(
        case__request__key=OuterRef("subject"),
        constraint__key=OuterRef("of_constraint"),
        person=OuterRef("actor"),
    )
    entries = LedgerEntry.objects.filter(project=project, kind__in=KINDS)
    return entries.annotate(of_constraint=KT("content__constraint")).filter(Exists(told))
