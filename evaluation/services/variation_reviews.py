"""People look at a sample of each kind of variation: is the meaning kept, is the category right?

Two people look at each item, neither knowing what the other said. Nobody sees a request here that
they may still annotate, and nobody judges a paraphrase of their own.
"""

from collections.abc import Collection
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.db.models import Count, QuerySet
from django.utils.translation import gettext as _

from annotation.canonical import content_hash
from annotation.models import HumanRewrite, Person, Project
from annotation.permissions import require
from annotation.services import ledger
from annotation.services.exposure import expose, exposures
from annotation.services.projects import Refused, lock
from annotation.services.still_open import still_open_to
from evaluation.models import VariationItem, VariationReview, VariationSet
from evaluation.services.showing import RESULTS, REWRITE
from evaluation.varying.human import version_of
from evaluation.varying.making import HUMAN

REVIEWERS = 2
_TOLD_OF = "reviews of variations "
LONGEST_NOTE = 2000


@dataclass(frozen=True, slots=True)
class Ahead:
    """The next item for a person, and how many wait for them with it."""

    item: VariationItem | None
    left: int


def look_ahead(
    *, actor: Person, project: Project, first: int | None = None, later: Collection[int] = ()
) -> Ahead:
    """Return the next item for this person, in an order of their own: the one that they took back
    `first`, what they put off `later`.
    """
    require(actor, "review_variations", project)
    pks = list(waiting_for(actor=actor, project=project).order_by().values_list("pk", flat=True))
    if not pks:
        return Ahead(None, 0)

    def place(pk: int) -> tuple[bool, bool, str]:
        return pk != first, pk in later, content_hash(["variation", pk, actor.pk])

    return Ahead(_shown().get(pk=min(pks, key=place)), len(pks))


def waiting_for(*, actor: Person, project: Project) -> QuerySet[VariationItem]:
    """What waits for this person: drawn, of a made set, and not looked at by them or two others.
    Nothing of a set of which they were shown what others said.
    """
    mine = still_open_to(person=actor, project=project).order_by()
    own = [version_of(one) for one in HumanRewrite.objects.filter(author=actor).only("pk")]
    rows = _drawn(project).alias(said=Count("reviews")).filter(said__lt=REVIEWERS)
    rows = rows.exclude(pk__in=VariationReview.objects.filter(person=actor).values("item"))
    rows = rows.exclude(request__in=mine.values("pk"))
    rows = rows.exclude(set__number__in=_sets_told_of(actor, project))
    return rows.exclude(variation__kind=HUMAN, variation__version__in=own)


def asked_of(*, actor: Person, project: Project, pk: int) -> VariationItem | None:
    """Return an item that people look at, reviewed or not; None if there is no such item for this
    person.
    """
    require(actor, "review_variations", project)
    mine = still_open_to(person=actor, project=project).order_by()
    found = _drawn(project).exclude(request__in=mine.values("pk")).filter(pk=pk).first()
    return _shown().get(pk=found.pk) if found else None


def show(*, actor: Person, item: VariationItem) -> None:
    """Note that the person sees what was made of this request."""
    request = item.request
    expose(person=actor, project=request.project, subject=request.key, what=REWRITE)


def show_reviews(*, actor: Person, of: VariationSet) -> None:
    """Note that the person sees what others said of the set: from then on they review none of it,
    and take nothing back.
    """
    expose(person=actor, project=of.project, subject=f"{_TOLD_OF}{of.number}", what=RESULTS)


@transaction.atomic
def review(
    *, actor: Person, item: VariationItem, meaning_kept: bool, category_right: bool, note: str = ""
) -> VariationReview:
    """Record what the person says of one variation. Raises Refused where two others did so first,
    where they did already, and for a paraphrase of their own.
    """
    project = item.set.project
    require(actor, "review_variations", project)
    lock(project)
    if item.reviews.filter(person=actor).exists():
        raise Refused(_("You reviewed this already: your first word stands, and nothing changed."))
    if item.set.number in _sets_told_of(actor, project):
        raise Refused(_("You were shown what others say of this set, so you review none of it."))
    if not waiting_for(actor=actor, project=project).filter(pk=item.pk).exists():
        raise Refused(_("Two other people reviewed this a moment ago."))
    try:
        with transaction.atomic():
            said = VariationReview.objects.create(
                item=item,
                person=actor,
                meaning_kept=meaning_kept,
                category_right=category_right,
                note=note.strip()[:LONGEST_NOTE],
            )
    except IntegrityError as fault:
        raise Refused(_("You reviewed this already, and nothing changed.")) from fault
    _record(actor, item, "variation.reviewed")
    return said


def last_review(*, actor: Person, project: Project) -> VariationReview | None:
    """Return the person's newest review in the project, which they may take back."""
    rows = VariationReview.objects.filter(person=actor, item__set__project=project)
    found = rows.select_related("item__request", "item__variation", "item__set").order_by("-pk")
    last = found.first()
    if last is None or last.item.variation is None:
        return None
    if last.item.set.number in _sets_told_of(actor, project):
        return None
    mine = still_open_to(person=actor, project=project)
    return None if mine.filter(pk=last.item.request_id).exists() else last


@transaction.atomic
def take_back(*, actor: Person, item: VariationItem) -> VariationReview:
    """Take back the person's newest review, which is that of this item; return it as it was.
    Raises Refused where it is not, so that a second press reaches no other.
    """
    project = item.set.project
    require(actor, "review_variations", project)
    lock(project)
    if item.set.number in _sets_told_of(actor, project):
        raise Refused(_("You were shown what others say of this set: your reviews of it stand."))
    last = last_review(actor=actor, project=project)
    if last is None or last.item_id != item.pk:
        if item.reviews.filter(person=actor).exists():
            why = _("You reviewed another since: only your newest review can be taken back.")
        else:
            why = _("You took this review back already; nothing changed.")
        raise Refused(why)
    VariationReview.objects.filter(pk=last.pk).delete()
    _record(actor, item, "variation.review_taken_back")
    return last


def _sets_told_of(actor: Person, project: Project) -> list[int]:
    """The numbers of the sets of which the person was shown what others said."""
    rows = exposures(person=actor, project=project).filter(subject__startswith=_TOLD_OF)
    return [int(one.removeprefix(_TOLD_OF)) for one in rows.values_list("subject", flat=True)]


def _drawn(project: Project) -> QuerySet[VariationItem]:
    return VariationItem.objects.filter(
        set__project=project,
        set__state=VariationSet.State.MADE,
        sampled=True,
        variation__isnull=False,
    )


def _shown() -> QuerySet[VariationItem]:
    rows = VariationItem.objects.select_related("set__project", "request__project", "variation")
    return rows.prefetch_related("request__turns").defer("set__manifest")


def _record(actor: Person, item: VariationItem, kind: str) -> None:
    """That it was done, and not what was said: the other reviewer may read the ledger."""
    ledger.record(
        project=item.set.project,
        kind=kind,
        subject=item.request.key,
        content={"set": item.set.number},
        actor=actor,
    )
