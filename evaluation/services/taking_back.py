"""A person takes back the word that they gave last on an item of the judgement queue.

However long ago it was given: the item waits again, for them first, and a run whose scores knew the
word is concluded again without it. Other people's words on the item stay, but none of them decides
any more than it would alone. Copies of the word in later runs go with it.
"""

from collections.abc import Iterable

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from annotation.models import Person, Project
from annotation.permissions import require
from annotation.services import ledger
from annotation.services.projects import Refused, lock
from annotation.services.still_open import still_open_to
from evaluation.models import Judgement, Run
from evaluation.scoring.deciding import who_decides
from evaluation.services.runs import reconclude


def last_word(*, actor: Person, project: Project) -> Judgement | None:
    """Return the person's newest word in the project's queue, if they may take it back: not of a
    request that they may annotate by now, whose rewrite they must not see.
    """
    rows = Judgement.objects.words().filter(person=actor, case__run__project=project, copy_of=None)
    last = rows.select_related("case__request__project", "case__run__protocol", "constraint")
    last = last.defer("case__outcome", "case__run__result", "case__run__arm_content")
    found = last.order_by("-pk").first()
    if found is None or found.case.run.state != Run.State.FINISHED:
        return None
    mine = still_open_to(person=actor, project=project)
    return None if mine.filter(pk=found.case.request_id).exists() else found


def earlier_word(*, actor: Person, judgement: Judgement) -> Judgement | None:
    """Return what the person said of the item and took back, the newest if they did so often."""
    own = Judgement.objects.filter(case=judgement.case_id, constraint=judgement.constraint_id)
    own = own.filter(person=actor, stands=False, takes_back=None)
    return own.order_by("-pk").first()


@transaction.atomic
def take_back(*, actor: Person, judgement: Judgement) -> Judgement:
    """Take back the person's word on the item of the judge's row `judgement`; return the row that
    does. Raises Refused where it is not their newest one, or they took it back already: a second
    press reaches no other word.
    """
    project = judgement.case.request.project
    require(actor, "judge", project)
    lock(project)  # before the items, as everybody who judges does
    _lock(Q(case=judgement.case, constraint=judgement.constraint))
    word = last_word(actor=actor, project=project)
    if word is None or (word.case_id, word.constraint_id) != _item(judgement):
        raise Refused(_why_not(actor, judgement))
    copies = list(word.copies.filter(stands=True).select_related("case__run__protocol"))
    if copies:
        _lock(*(Q(case=copy.case_id, constraint=copy.constraint_id) for copy in copies))
    for copy in copies:
        _take_back(copy)
    back = _take_back(word)  # after its copies: it is the first that waits again
    ledger.record(
        project=project,
        kind="judgement.taken_back",
        subject=judgement.case.request.key,
        content={"constraint": judgement.constraint.key, "judgement": word.judgement},
        actor=actor,
    )
    return back


def _lock(*items: Q) -> None:
    """Let nobody else judge these items or take back a word on them, until the transaction ends."""
    wanted = Q()
    for item in items:
        wanted |= item
    list(Judgement.objects.filter(wanted).order_by("pk").select_for_update().values_list("pk"))


def _take_back(word: Judgement) -> Judgement:
    """Take one row back, and let the words that are left decide what they decide."""
    back = Judgement.objects.create(
        case=word.case,
        constraint_id=word.constraint_id,
        person_id=word.person_id,
        takes_back=word,
        stands=False,
        by="person",
    )
    Judgement.objects.filter(pk=word.pk).update(stands=False, decides=False)
    same = Judgement.objects.words().filter(case=word.case, constraint=word.constraint_id)
    left = list(same.order_by("pk"))
    _decide(left, judges=word.case.run.judges)
    # A first word of two was in no score; whatever else was said may have been counted.
    if (word.decides or left) and word.case.run.state == Run.State.FINISHED:
        reconclude(word.case.run)
    return back


def _decide(words: Iterable[Judgement], *, judges: int) -> None:
    rows = list(words)
    Judgement.objects.filter(pk__in=[row.pk for row in rows], decides=True).update(decides=False)
    at = who_decides([row.judgement for row in rows], judges=judges)
    if at is not None:
        Judgement.objects.filter(pk=rows[at].pk).update(decides=True)


def _item(judgement: Judgement) -> tuple[int, int]:
    return judgement.case_id, judgement.constraint_id


def _why_not(actor: Person, judgement: Judgement) -> str:
    stands = Judgement.objects.words().filter(
        person=actor, case=judgement.case_id, constraint=judgement.constraint_id
    )
    if stands.exists():
        return _("You have judged another item since: only your newest word can be taken back.")
    return _("You took this word back already; nothing changed.")
