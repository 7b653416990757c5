"""People settle what the judge left open, and check a sample of what it was sure of, without seeing
which arm it is.

Where the Protocol wants two people, the second one's word decides if it is the first one's, and
else a third one's does, whatever it is.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.db.models import OuterRef, Prefetch, Q, QuerySet, Subquery
from django.utils.translation import gettext as _

from annotation.canonical import content_hash
from annotation.models import Person, Project, Request
from annotation.permissions import require
from annotation.services import ledger
from annotation.services.exposure import expose
from annotation.services.projects import Refused, lock
from annotation.services.still_open import still_open_to
from evaluation.models import AuditItem, Case, Judgement, Run, StageResult
from evaluation.models.judgements import JudgementQuerySet, wanted_by
from evaluation.scoring.deciding import who_decides
from evaluation.scoring.preservation.filters import read_filters
from evaluation.services.runs import reconclude
from evaluation.services.two_people import agreement_of

__all__ = [
    "CHOICES",
    "LOOKED",
    "Ahead",
    "NoFilter",
    "agreement_of",
    "asked_of",
    "finished_runs",
    "has_filter",
    "look_ahead",
    "next_to_judge",
    "queue",
    "row_of",
    "settle",
    "show",
    "waiting_for",
]

# A person decides: "unsure" is the matcher's word, "filtered" is seen in the filters.
CHOICES = ("stated", "filtered", "altered", "dropped")
# How many items are looked at to choose one; that many or more are not counted.
LOOKED = 50
FEW = 500
# An item: its judge's row, its case and its constraint.
_Item = tuple[int, int, int]


class NoFilter(Refused):
    """“filtered” was said of a rewrite that has no filter."""


@dataclass(frozen=True, slots=True)
class Ahead:
    """The next item for a person, and how many wait for them with it: `LOOKED` means that many or
    more.
    """

    judgement: Judgement | None
    left: int

    @property
    def more(self) -> bool:
        return self.left >= LOOKED


def queue(run: Run) -> QuerySet[Judgement]:
    """Return what is open in this run: unsure ones, and what the Protocol wants people for."""
    return Judgement.objects.waiting(run)


def waiting_for(*, actor: Person, run: Run) -> JudgementQuerySet:
    """What is open in this run for this person: nothing that they judged, and nothing of a request
    that they may still annotate.
    """
    mine = _closed_to(actor, run.project)
    return _for(actor, mine, Judgement.objects.waiting(run))


def look_ahead(*, actor: Person, project: Project, later: Collection[int] = ()) -> Ahead:
    """Return the next item for this person: what they took back last, then open ones, then those
    that check the judge, in an order that says nothing about the arm. What they put off comes
    `later`.
    """
    require(actor, "judge", project)
    runs, mine = finished_runs(project), _closed_to(actor, project)
    items = {item: 1 for item in _to_check(actor, mine, runs)}
    items |= {item: 0 for item in _open(actor, mine, runs)}
    items |= {item: -taken for item, taken in _returned(actor, mine, runs).items()}
    if not items:
        return Ahead(None, 0)

    def place(item: _Item) -> tuple[bool, int, str]:
        pk, case, constraint = item
        return pk in later, items[item], content_hash([case, constraint, actor.pk])

    return Ahead(_shown().get(pk=min(items, key=place)[0]), min(len(items), LOOKED))


def next_to_judge(*, actor: Person, project: Project) -> Judgement | None:
    """Return the next item for this person, or None."""
    return look_ahead(actor=actor, project=project).judgement


def asked_of(*, actor: Person, project: Project, pk: int) -> Judgement | None:
    """Return an item that people are asked to judge, settled or not; None if there is no such item,
    or it is of a request that this person may still annotate.
    """
    require(actor, "judge", project)
    of_project = Q(case__run__project=project, case__run__state=Run.State.FINISHED)
    found = _shown().of_judge().filter(of_project, pk=pk).first()
    if found is None:
        return None
    asked = Judgement.objects.filter(wanted_by(found.case.run) | Q(audit__isnull=False), pk=pk)
    mine = _closed_to(actor, project)
    return found if asked.exclude(case__request__in=mine).exists() else None


def row_of(word: Judgement) -> Judgement:
    """Return the judge's row of the item that a person's word is on."""
    return Judgement.objects.by_matcher().get(case=word.case_id, constraint=word.constraint_id)


def show(*, actor: Person, judgement: Judgement) -> None:
    """Note that the person sees this request's rewrite."""
    request = judgement.case.request
    expose(person=actor, project=request.project, subject=request.key, what="rewrite")


def finished_runs(project: Project) -> list[Run]:
    """The runs of which something can be judged, the newest first, without their results."""
    runs = project.runs.filter(state=Run.State.FINISHED).order_by("-number")
    found = list(runs.select_related("protocol").defer("result", "arm_content"))
    for run in found:
        run.project = project  # whose roles are read already
    return found


# ---------------------------------------------------------------- what a person decides


@transaction.atomic
def settle(*, actor: Person, judgement: Judgement, outcome: str, note: str = "") -> Judgement:
    """Record the person's judgement of the constraint; what decides prevails over the judge's. With
    the last open one, and with the last that checks the judge, scores are computed again.

    Raises NoFilter where “filtered” is said of a rewrite without a filter.
    """
    project, run = judgement.case.request.project, judgement.case.run
    require(actor, "judge", project)
    if judgement.person_id is not None:
        raise PermissionDenied(_("A person settled this already."))
    if outcome not in CHOICES:
        raise Refused(_("Choose stated, filtered, altered or dropped."))
    # Nothing is said while results are kept: what those do not count has a later time than theirs.
    lock(project)
    others = _said_so_far(judgement, actor)
    if outcome == "filtered" and not has_filter(judgement):
        raise NoFilter(
            _(
                "The rewrite has no filter, so nothing in it can be filtered. Choose stated, "
                "altered or dropped."
            )
        )
    try:
        with transaction.atomic():
            settled = Judgement.objects.create(
                case=judgement.case,
                constraint=judgement.constraint,
                person=actor,
                decides=who_decides([*others, outcome], judges=run.judges) is not None,
                judgement=outcome,
                by="person",
                quote=judgement.quote,
                why=note.strip(),
            )
    except IntegrityError as fault:
        raise Refused(_("Somebody settled this a moment ago.")) from fault
    ledger.record(
        project=project,
        kind="judgement.settled",
        subject=judgement.case.request.key,
        content={"constraint": judgement.constraint.key, "judgement": outcome},
        actor=actor,
    )
    if settled.decides and _is_last(judgement, run):
        reconclude(run)
    return settled


def has_filter(judgement: Judgement) -> bool:
    """Whether the rewrite that is judged has a condition beside its text."""
    rewrite = StageResult.Stage.REWRITE
    rows = [row for row in judgement.case.stages.all() if row.stage == rewrite]
    return any(read_filters(row.content.get("filters") or {}) for row in rows)


def _said_so_far(judgement: Judgement, actor: Person) -> list[str]:
    """The words of the people who judged the item before and decided nothing. Two who judge it at
    once wait here for each other. Raises Refused where it is settled, or the person said theirs.
    """
    Judgement.objects.select_for_update().get(pk=judgement.pk)
    said = Judgement.objects.words().filter(case=judgement.case, constraint=judgement.constraint)
    rows = list(said.order_by("pk"))
    if any(row.person_id == actor.pk for row in rows):
        raise Refused(_("You judged this already: your first word stands, and nothing changed."))
    if any(row.decides for row in rows):
        raise Refused(_("Somebody settled this a moment ago."))
    return [row.judgement for row in rows]


def _is_last(judgement: Judgement, run: Run) -> bool:
    """Whether nothing is open any more, or nothing is left to check, since this one was decided."""
    rows = Judgement.objects
    if rows.wanted(run).filter(pk=judgement.pk).exists():
        waiting = _waiting(run)
        # The next cases are looked at first: mostly something waits there.
        if not (waiting.filter(case__gte=judgement.case_id).exists() or waiting.exists()):
            return True
    drawn = AuditItem.objects.filter(judgement=judgement).exists()
    return drawn and not rows.audited(run).undecided().exists()


# ---------------------------------------------------------------- what waits for a person


def _closed_to(actor: Person, project: Project) -> QuerySet[Request]:
    """The requests that the person may still annotate: they must see no rewrite of them."""
    return still_open_to(person=actor, project=project).order_by()


def _for(actor: Person, mine: QuerySet[Request], rows: JudgementQuerySet) -> JudgementQuerySet:
    return rows.unseen_by(actor).exclude(case__request__in=mine)


def _shown() -> JudgementQuerySet:
    """With what a page shows of an item, and without the large results of its run."""
    rewrites = StageResult.objects.filter(stage=StageResult.Stage.REWRITE)
    return (
        Judgement.objects.select_related(
            "case__request__project", "case__run__protocol", "constraint"
        )
        .defer("case__outcome", "case__run__result", "case__run__arm_content")
        .prefetch_related("case__request__turns", Prefetch("case__stages", queryset=rewrites))
    )


def _to_check(actor: Person, mine: QuerySet[Request], runs: Sequence[Run]) -> list[_Item]:
    drawn = Judgement.objects.drawn().filter(case__run__in=runs)
    rows = _for(actor, mine, drawn.undecided())
    return list(_items(rows)[:LOOKED])


def _open(actor: Person, mine: QuerySet[Request], runs: Sequence[Run]) -> list[_Item]:
    """What is open for the person, of the newest run first, from a place on that is another one
    after each of their judgements: arms are mixed, and only as many rows are read as are needed.
    """
    last = Judgement.objects.filter(person=actor).order_by("-pk").values_list("pk", flat=True)
    turn = f"{actor.pk} {last.first() or 0}"
    found: list[_Item] = []
    for run in runs:
        if len(found) < LOOKED:
            rows = _for(actor, mine, _waiting(run))
            found += _from_a_place(rows, run, turn)[: LOOKED - len(found)]
    return found


def _returned(actor: Person, mine: QuerySet[Request], runs: Sequence[Run]) -> dict[_Item, int]:
    """What the person took back and has not judged again, each with when: the later, the more."""
    backs = Judgement.objects.filter(person=actor, takes_back__isnull=False, case__run__in=runs)
    newest = backs.order_by("-pk").values_list("case_id", "constraint_id", "pk")[:LOOKED]
    taken = {(case, constraint): pk for case, constraint, pk in reversed(newest)}
    if not taken:
        return {}
    of_these = Judgement.objects.of_judge().filter(case__in={case for case, _constraint in taken})
    items = _items(_for(actor, mine, of_these.undecided()))
    return {item: taken[item[1:]] for item in items if item[1:] in taken}


def _from_a_place(rows: JudgementQuerySet, run: Run, turn: str) -> list[_Item]:
    first, last = _first_and_last_case(run)
    begin = first + int(content_hash([run.pk, turn]), 16) % (last - first + 1)
    found = list(_items(rows.filter(case__gte=begin))[:LOOKED])
    if len(found) < LOOKED:
        found += _items(rows.filter(case__lt=begin))[: LOOKED - len(found)]
    if len(found) < LOOKED:
        _note_the_few(run)
    return found


def _waiting(run: Run) -> JudgementQuerySet:
    """What is open in the run, found by its ids where only a few are left."""
    few = cache.get(_few_key(run))
    rows = Judgement.objects.waiting(run)
    if few is None:
        return rows
    return rows.filter(pk__in=few) if few else rows.none()


def _note_the_few(run: Run) -> None:
    """What is settled is not open again until somebody takes their word back: when few are open,
    only they are looked at from now on, not all that were settled.
    """
    key = _few_key(run)  # of before the rows are read: a word taken back meanwhile makes it void
    if cache.get(key) is None:
        few = list(Judgement.objects.waiting(run).order_by().values_list("pk")[: FEW + 1])
        if len(few) <= FEW:
            cache.set(key, [pk for (pk,) in few], timeout=3600)


def _items(rows: JudgementQuerySet) -> QuerySet[Judgement, _Item]:
    """In no order, so that no more rows are read than are taken: the hash chooses among them."""
    return rows.order_by().values_list("pk", "case_id", "constraint_id")


def _first_and_last_case(run: Run) -> tuple[int, int]:
    own = Case.objects.filter(run=OuterRef("pk"))
    ends = Run.objects.filter(pk=run.pk).annotate(
        first=Subquery(own.order_by("pk").values("pk")[:1]),
        last=Subquery(own.order_by("-pk").values("pk")[:1]),
    )
    first, last = ends.values_list("first", "last").get()
    return first or 0, last or 0


def _few_key(run: Run) -> str:
    """Where it is kept what few are open in a run as it was concluded last, since the last word of
    it was taken back.
    """
    at = run.finished_at.isoformat() if run.finished_at else ""
    taken = Judgement.objects.filter(takes_back__isnull=False, case__run=run).order_by("-pk")
    last = taken.values_list("pk", flat=True).first()
    return content_hash(["few are open", run.project_id, run.pk, at, last])
