"""Making the items of a set: resumable, by one process at a time.

An item is open while it has neither a variation nor a reason why it has none. Items are kept fifty
at a time, and at least every second, so that a process that was killed loses that and nothing else.
"""

import logging
import random
import time

from django.db import DatabaseError, InterfaceError, transaction
from django.utils import timezone

from annotation.canonical import content_hash
from annotation.processes import process_name
from annotation.services import ledger
from annotation.services.projects import lock
from evaluation.gates import GateSettingsError
from evaluation.generation.errors import EndpointError
from evaluation.generation.local import LocalServerError
from evaluation.models import VariationItem, VariationSet
from evaluation.registry import PartError
from evaluation.varying import human
from evaluation.varying.leases import Lost, give_back, hold, take
from evaluation.varying.making import HUMAN, RecipeChanged, makers_of
from evaluation.varying.patience import PAUSE_S
from evaluation.varying.sealing import manifest_of, sealed_items
from evaluation.varying.work import Report, Work, open_items

__all__ = ["PAUSE_S", "fill", "open_items", "seal"]

State = VariationSet.State
# With these no item of the set can be made: they fail it with their sentence.
SET_FAULTS = (RecipeChanged, PartError, EndpointError, LocalServerError, GateSettingsError)

log = logging.getLogger(__name__)


def fill(
    of: VariationSet,
    *,
    seconds: float = 1e9,
    report: Report | None = None,
    worker: str | None = None,
) -> bool:
    """Work on the set for so many seconds; return whether something is left for this process.
    `report` is told how many items were made. Where another process has the set, or it is made,
    there is nothing to do.

    What is wrong with the whole set (another version of a maker than it began with, a model that
    stays away) fails it with a sentence; what it has is kept, and `try_again` goes on from there.
    """
    worker = worker or process_name()
    if not take(of, worker):
        return False
    try:
        _copy_paraphrases(of, worker)
        if open_items(of).exists():
            work = Work(of, worker, makers_of(of.recipe), report)
            if work.until(time.monotonic() + seconds):
                return True
        seal(of, worker)
    except Lost:
        log.info("set of variations %s is another process's now", of.pk)
    except SET_FAULTS as fault:
        _fail(of, worker, str(fault))
    except (DatabaseError, InterfaceError):
        raise  # nothing is wrong with the set: it is taken up again
    except Exception as fault:
        log.exception("set of variations %s cannot be made", of.pk)
        _fail(of, worker, f"It could not be made ({type(fault).__name__}); the log says more.")
    finally:
        give_back(of, worker)
    return False


@transaction.atomic
def _copy_paraphrases(of: VariationSet, worker: str) -> None:
    """Nobody withdraws or retracts a text while it is copied: both wait for the same lock."""
    if not open_items(of).filter(kind=HUMAN).exists():
        return
    lock(of.project)
    hold(of, worker)
    items = list(open_items(of).filter(kind=HUMAN).select_related("request"))
    which = int(of.recipe["parameters"].get(HUMAN, {}).get("which", 1))
    copies = human.copied(list(human.standing([item.request for item in items], which).values()))
    for item in items:
        item.variation = copies.get(item.request_id)
        item.why = "" if item.variation else human.none_there(which)
    VariationItem.objects.bulk_update(items, ["variation", "why"], batch_size=200)


@transaction.atomic
def seal(of: VariationSet, worker: str) -> None:
    """Close the set: draw what people look at, write down what it is. Raises Lost where another
    process has it.
    """
    lock(of.project)
    hold(of, worker)
    if open_items(of).exists():
        raise Lost
    _draw(of)
    manifest = manifest_of(of.recipe, sealed_items(of))
    sha256 = content_hash(manifest)
    VariationSet.objects.filter(pk=of.pk).update(
        state=State.MADE,
        error="",
        notice="",
        manifest=manifest,
        sha256=sha256,
        made_at=timezone.now(),
    )
    ledger.record(
        project=of.project,
        kind="variations.sealed",
        subject=f"variations {of.number}",
        content={"sha256": sha256, "name": of.name, "items": len(manifest["items"])},
        actor=of.made_by,
    )


def _draw(of: VariationSet) -> None:
    """Mark the items of each kind that people look at: as many as the recipe says, drawn by its
    seed from those that have a variation.
    """
    of.items.update(sampled=False)
    most, chosen = int(of.recipe["review_per_kind"]), []
    for kind in of.recipe["kinds"]:
        there = of.items.filter(kind=kind, variation__isnull=False).order_by("position")
        pks = list(there.values_list("pk", flat=True))
        draws = random.Random(f"review\0{kind}\0{of.recipe['seed']}")  # noqa: S311 to be repeated
        chosen += draws.sample(pks, min(most, len(pks)))
    of.items.filter(pk__in=chosen).update(sampled=True)


def _fail(of: VariationSet, worker: str, error: str) -> None:
    rows = VariationSet.objects.filter(pk=of.pk, state=State.MAKING, worker=worker)
    rows.update(state=State.FAILED, error=error, notice="")
