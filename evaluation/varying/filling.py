"""Making the items of a set: resumable, and by several processes at once if there are.

An item is open while it has neither a variation nor a reason why it has none. Each is written once,
by compare-and-swap, so that a process that was killed loses what it had in hand and nothing else.
"""

import logging
import random
import time
from collections.abc import Callable, Sequence
from typing import Any

from django.db import DatabaseError, InterfaceError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotation.canonical import content_hash
from annotation.processes import process_name
from annotation.services import ledger
from annotation.services.projects import lock
from evaluation.generation.errors import (
    EmptyCompletion,
    EndpointError,
    InvalidCompletion,
    TruncatedCompletion,
)
from evaluation.models import Variation, VariationItem, VariationSet
from evaluation.registry import PartError
from evaluation.variations import Maker, Variant
from evaluation.varying import human
from evaluation.varying.making import (
    HUMAN,
    RecipeChanged,
    kept,
    makers_of,
    source_of,
    there_already,
)
from evaluation.varying.sealing import manifest_of, sealed_items

State = VariationSet.State
KEPT_AT_ONCE, KEPT_EVERY_S = 50, 1.0
# What a model says that is no text: it is this item's, not the endpoint's.
OF_THE_ITEM = (EmptyCompletion, InvalidCompletion, TruncatedCompletion)
PATIENCE_S, PAUSE_S = 120.0, 2.0
_AWAY_SINCE: dict[int, float] = {}

log = logging.getLogger(__name__)
Report = Callable[[int], None]


def open_items(of: VariationSet) -> QuerySet[VariationItem]:
    """The items that are still to be made."""
    return of.items.filter(variation=None, why="").exclude(kind="")


def fill(of: VariationSet, *, seconds: float = 1e9, report: Report | None = None) -> bool:
    """Work on the set for so many seconds; return whether something is left to do. `report` is
    told how many items were made.

    What is wrong with the whole set (another version of a maker than it began with, a model that
    stays away) fails it with a sentence; what it has is kept, and `try_again` goes on from there.
    """
    until = time.monotonic() + seconds
    if not VariationSet.objects.filter(pk=of.pk, state=State.MAKING).exists():
        return False
    try:
        _copy_paraphrases(of)
        left = _make(of, until, report)
    except (RecipeChanged, PartError, EndpointError) as fault:
        _AWAY_SINCE.pop(of.pk, None)
        _fail(of, str(fault))
        return False
    except (DatabaseError, InterfaceError):
        raise  # nothing is wrong with the set: it is taken up again
    except Exception as fault:
        log.exception("set of variations %s cannot be made", of.pk)
        _fail(of, f"It could not be made ({type(fault).__name__}); the log says more.")
        return False
    if not left:
        _AWAY_SINCE.pop(of.pk, None)
        seal(of)
    return left


def _make(of: VariationSet, until: float, report: Report | None) -> bool:
    todo = open_items(of).exclude(kind=HUMAN)
    pks = list(todo.values_list("pk", flat=True))
    if not pks:
        return False
    makers = makers_of(of.recipe)
    # Processes that work beside each other begin at different places.
    random.Random(process_name()).shuffle(pks)  # noqa: S311 in which order, nothing else
    for begin in range(0, len(pks), KEPT_AT_ONCE):
        rows = todo.filter(pk__in=pks[begin : begin + KEPT_AT_ONCE]).select_related("request")
        if not _make_some(of, makers, list(rows), until, report):
            return True
    return open_items(of).exists()


def _make_some(
    of: VariationSet,
    makers: dict[str, Maker],
    items: Sequence[VariationItem],
    until: float,
    report: Report | None,
) -> bool:
    """Make these and keep them, at least every second; whether there is time for more."""
    made: list[tuple[VariationItem, Variation | Variant]] = []
    kept_at = time.monotonic()
    try:
        for item in items:
            found = _made(of, makers[item.kind], item)
            if found is None:
                return False  # the model is away: others wait too
            made.append((item, found))
            if time.monotonic() - kept_at > KEPT_EVERY_S or time.monotonic() > until:
                _keep(makers, made, report)
                made, kept_at = [], time.monotonic()
                if kept_at > until:
                    return False
    finally:
        _keep(makers, made, report)
    return True


def _made(of: VariationSet, maker: Maker, item: VariationItem) -> Variation | Variant | None:
    """What came of one item; None where its model is away and may come back."""
    seed = int(of.recipe["seed"])
    there = there_already(maker, item.request, seed)
    if there is not None:
        return there
    try:
        found = maker.vary(source_of(item.request), seed=seed)
    except OF_THE_ITEM as fault:
        return Variant(
            item.kind, None, maker.generator_name, maker.version, seed, 1, why=str(fault)
        )
    except EndpointError:
        since = _AWAY_SINCE.setdefault(of.pk, time.monotonic())
        if time.monotonic() - since > PATIENCE_S:
            raise
        return None
    _AWAY_SINCE.pop(of.pk, None)
    return found


@transaction.atomic
def _keep(
    makers: dict[str, Maker],
    made: Sequence[tuple[VariationItem, Variation | Variant]],
    report: Report | None,
) -> None:
    for item, found in made:
        values: dict[str, Any]
        if isinstance(found, Variation):
            values = {"variation": found, "rejected": found.validation.get("rejected", [])}
        else:
            values = {"rejected": [one.to_json() for one in found.rejected]}
            if found.text is None:
                values["why"] = found.why or "No text could be made of it."
            else:
                values["variation"] = kept(makers[item.kind], item.request, found)
        VariationItem.objects.filter(pk=item.pk, variation=None, why="").update(**values)
    if report and made:
        report(len(made))


@transaction.atomic
def _copy_paraphrases(of: VariationSet) -> None:
    """Nobody withdraws or retracts a text while it is copied: both wait for the same lock."""
    if not open_items(of).filter(kind=HUMAN).exists():
        return
    lock(of.project)
    items = list(open_items(of).filter(kind=HUMAN).select_related("request"))
    which = int(of.recipe["parameters"].get(HUMAN, {}).get("which", 1))
    copies = human.copied(list(human.standing([item.request for item in items], which).values()))
    for item in items:
        item.variation = copies.get(item.request_id)
        item.why = "" if item.variation else human.none_there(which)
    VariationItem.objects.bulk_update(items, ["variation", "why"], batch_size=200)


@transaction.atomic
def seal(of: VariationSet) -> None:
    """Close the set if nothing of it is open: draw what people look at, write down what it is."""
    lock(of.project)
    now = VariationSet.objects.filter(pk=of.pk, state=State.MAKING)
    if not now.exists() or open_items(of).exists():
        return
    _draw(of)
    manifest = manifest_of(of.recipe, sealed_items(of))
    sha256 = content_hash(manifest)
    now.update(state=State.MADE, error="", manifest=manifest, sha256=sha256, made_at=timezone.now())
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


def _fail(of: VariationSet, error: str) -> None:
    VariationSet.objects.filter(pk=of.pk, state=State.MAKING).update(
        state=State.FAILED, error=error
    )
