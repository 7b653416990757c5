"""Sets of variations: made by a recipe, tried again where they could not be, shown to whoever may
see them. What makes the texts is in `evaluation.varying`.
"""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from annotation.canonical import content_hash
from annotation.importing.look_alikes import drawn_key
from annotation.models import Person, Project, Request
from annotation.permissions import may, require
from annotation.services import ledger
from annotation.services.exposure import expose
from annotation.services.projects import Refused, lock
from annotation.services.still_open import still_open_to
from contracts.models import Contract
from evaluation.models import VariationItem, VariationSet
from evaluation.parameters import differences
from evaluation.registry import PartError, parse_parameters
from evaluation.robustness.study import CLEAN_SET
from evaluation.services.showing import RESULTS, bring_in
from evaluation.variations.base import ATTEMPTS, VARIATIONS
from evaluation.variations.sets import plan
from evaluation.varying import human
from evaluation.varying.filling import fill
from evaluation.varying.making import HUMAN, maker_for
from evaluation.varying.sealing import SCHEMA
from evaluation.varying.tasks import fill_variation_set

__all__ = [
    "PER_KIND",
    "Withheld",
    "counts_of",
    "fill",
    "inside",
    "kinds_known",
    "make_set",
    "name_fault",
    "none_varied",
    "open_to",
    "require_shown",
    "try_again",
    "withheld_sets",
]

State = VariationSet.State
PER_KIND = 20  # variations of each kind that people look at
MOST_PER_KIND = 1000
MOST_WEIGHT = 1000
MAX_NAME = 80
MAX_SEED = 2**63 - 1
_NAME = re.compile(r"[-\w]+", re.ASCII)


class Withheld(PermissionDenied):
    """`n` of the set's `of` requests are still open to whoever asks."""

    def __init__(self, n: int, of: int) -> None:
        self.n, self.of = n, of
        super().__init__(
            _(
                "You may still annotate %(n)d of the %(of)d requests of this set, so what was made "
                "of them stays unseen for you. Finish that work first."
            )
            % {"n": n, "of": of}
        )


def inside(project: Project) -> QuerySet[Request]:
    """The requests of the study that suites use, in their order: those with an approved contract,
    or all where the project takes none.
    """
    rows = project.requests.order_by("position", "pk")
    if not project.takes_contracts:
        return rows
    return rows.filter(pk__in=Contract.objects.current(project).order_by().values("request"))


def kinds_known() -> tuple[str, ...]:
    """Every kind that a set may have: the makers' names, and the one that people wrote."""
    return (*VARIATIONS.names(), HUMAN)


def counts_of(
    *, project: Project, kinds: Mapping[str, int], rate: float, seed: int
) -> dict[str, int]:
    """How many requests a set would have of each kind, and clean ones under "". Raises Refused for
    a recipe that cannot be followed.
    """
    _refuse_recipe(kinds, rate, seed)
    keys = list(inside(project).values_list("key", flat=True))
    if not keys:
        raise Refused(_nothing_inside(project))
    planned = Counter(one.kind for one in plan(keys, rate=rate, mix=kinds, seed=seed))
    return {kind: planned.get(kind, 0) for kind in (*kinds, "")}


def make_set(
    *,
    actor: Person,
    project: Project,
    name: str,
    kinds: Mapping[str, int],
    rate: float,
    seed: int,
    parameters: Mapping[str, Mapping[str, Any]] | None = None,
    per_kind: int = PER_KIND,
) -> VariationSet:
    """Write a set with its items and send it to the workers. `kinds` are weights by kind, `rate` is
    the share of requests that are varied, `parameters` are those of the kinds' makers (`which` of
    “human”: 1 or 2), `per_kind` how many of each kind people look at.

    The same recipe under the same name again is the set that is there.
    """
    require(actor, "run", project)
    _refuse_recipe(kinds, rate, seed)
    if not 0 <= per_kind <= MOST_PER_KIND:
        raise Refused(_("People look at 0 to %(most)d of each kind.") % {"most": MOST_PER_KIND})
    settings, parts = _parts(kinds, parameters or {})
    with transaction.atomic():
        lock(project)
        requests = list(inside(project).only("pk", "project", "key", "sha256"))
        if not requests:
            raise Refused(_nothing_inside(project))
        recipe = {
            "schema": SCHEMA,
            "kinds": dict(kinds),
            "rate": rate,
            "seed": seed,
            "attempts": ATTEMPTS,
            "parameters": settings,
            "parts": parts,
            "review_per_kind": per_kind,
            "requests": {
                "count": len(requests),
                "sha256": content_hash({one.key: one.sha256 for one in requests}),
            },
        }
        there = project.variation_sets.filter(name=name).first()
        if there and there.recipe == recipe:
            return there
        if fault := name_fault(project, name):
            raise Refused(fault)
        return _written(actor, project, name, recipe, requests)


@transaction.atomic
def try_again(*, actor: Person, of: VariationSet) -> VariationSet:
    """Go on with a set that could not be made: what it has is kept."""
    require(actor, "run", of.project)
    lock(of.project)
    again = VariationSet.objects.filter(pk=of.pk, state=State.FAILED)
    if again.update(state=State.MAKING, error="", worker="", leased_until=None):
        _send(of)
    of.refresh_from_db(fields=["state", "error"])
    return of


def none_varied(requests: int) -> str:
    """Why there is no set in which nothing is varied."""
    return _("At this rate none of the %(n)d requests would be varied: choose a higher one.") % {
        "n": requests
    }


def name_fault(project: Project, name: str) -> str:
    """Return why a new set cannot have this name, as a sentence; "" when it can."""
    if not name or len(name) > MAX_NAME or not _NAME.fullmatch(name):
        return _(
            "A set's name has at most %(most)d letters (a to z), digits, hyphens and underscores."
        ) % {"most": MAX_NAME}
    names = project.variation_sets.values_list("name", flat=True)
    drawn = _drawn(name)
    if drawn == _drawn(CLEAN_SET):
        return _(
            "A set cannot be called “%(clean)s”: runs call the requests as they are so. Choose "
            "another name."
        ) % {"clean": CLEAN_SET}
    there = next((one for one in names if _drawn(one) == drawn), None)
    if there is None:
        return ""
    if there == name:
        return _("The set “%(name)s” is there already, by another recipe: choose another name.") % {
            "name": name
        }
    return _("“%(name)s” looks like the set “%(there)s”: choose another name.") % {
        "name": name,
        "there": there,
    }


# ---------------------------------------------------------------- who may see what was made


def open_to(*, actor: Person, of: VariationSet) -> int:
    """How many of the set's requests the actor may still annotate: none for whoever does not."""
    if not may(actor, "annotate", of.project).allowed:
        return 0
    mine = still_open_to(person=actor, project=of.project).order_by()
    return of.items.filter(request__in=mine.values("pk")).count()


def withheld_sets(*, actor: Person, project: Project) -> set[int]:
    """The sets of which the actor is shown nothing but the recipe."""
    if not may(actor, "annotate", project).allowed:
        return set()
    mine = still_open_to(person=actor, project=project).order_by()
    items = VariationItem.objects.filter(set__project=project, request__in=mine.values("pk"))
    return set(items.order_by().values_list("set", flat=True).distinct())


def require_shown(*, actor: Person, of: VariationSet) -> None:
    """Record that the actor is shown what was made. Raises Withheld where they may still annotate
    one of the set's requests.
    """
    if n := open_to(actor=actor, of=of):
        raise Withheld(n, of.items.count())
    expose(person=actor, project=of.project, subject=f"variations {of.number}", what=RESULTS)
    bring_in(actor=actor, project=of.project, keys=of.items.values_list("request__key", flat=True))


# ---------------------------------------------------------------- how a set comes about


def _refuse_recipe(kinds: Mapping[str, int], rate: float, seed: int) -> None:
    if not kinds:
        raise Refused(_("Choose at least one kind of variation."))
    known = kinds_known()
    if strange := [kind for kind in kinds if kind not in known]:
        raise Refused(
            _("There is no variation “%(kind)s”. There are: %(known)s.")
            % {"kind": strange[0], "known": ", ".join(known)}
        )
    if any(not 1 <= weight <= MOST_WEIGHT for weight in kinds.values()):
        raise Refused(_("A weight is a whole number from 1 to %(most)d.") % {"most": MOST_WEIGHT})
    if not 0 < rate <= 1:
        raise Refused(_("The rate is the share of requests that are varied: above 0, at most 1."))
    if not 0 <= seed <= MAX_SEED:
        raise Refused(_("The seed is a whole number from 0 to 2⁶³ − 1."))


def _nothing_inside(project: Project) -> str:
    if project.takes_contracts:
        return _("No request has an approved contract yet: settle some on the bench.")
    return _("Import requests first.")


def _parts(
    kinds: Mapping[str, int], parameters: Mapping[str, Mapping[str, Any]]
) -> tuple[dict[str, dict[str, Any]], dict[str, Any]]:
    """The parameters that differ from the defaults, and everything frozen of the makers."""
    if strange := [kind for kind in parameters if kind not in kinds]:
        raise Refused(
            _("Parameters were given for “%(kind)s”, which is none of the kinds of this set.")
            % {"kind": strange[0]}
        )
    settings, parts = {}, {}
    for kind in kinds:
        given = dict(parameters.get(kind, {}))
        try:
            if kind == HUMAN:
                parse_parameters(human.Parameters, given, f'variation "{HUMAN}"')
                settings[kind] = given
                continue
            settings[kind] = differences(VARIATIONS.parameters(kind, given))
            parts[kind] = maker_for(kind, settings[kind], only_described=True).describe()
        except PartError as fault:
            raise Refused(str(fault)) from fault
    return {kind: given for kind, given in settings.items() if given}, parts


def _written(
    actor: Person,
    project: Project,
    name: str,
    recipe: dict[str, Any],
    requests: list[Request],
) -> VariationSet:
    kinds, rate, seed = recipe["kinds"], recipe["rate"], recipe["seed"]
    planned = plan([one.key for one in requests], rate=rate, mix=kinds, seed=seed)
    if not any(one.kind for one in planned):
        raise Refused(none_varied(len(requests)))
    last = project.variation_sets.order_by("-number").values_list("number", flat=True).first()
    made = VariationSet.objects.create(
        project=project, number=(last or 0) + 1, name=name, recipe=recipe, made_by=actor
    )
    VariationItem.objects.bulk_create(
        [
            VariationItem(set=made, request=request, position=position, kind=one.kind)
            for position, (request, one) in enumerate(zip(requests, planned, strict=True), start=1)
        ],
        batch_size=500,
    )
    ledger.record(
        project=project,
        kind="variations.begun",
        subject=f"variations {made.number}",
        content={"name": name, "recipe_sha256": content_hash(recipe)},
        actor=actor,
    )
    _send(made)
    return made


def _send(of: VariationSet) -> None:
    fill_variation_set.delay_on_commit(of.pk)


def _drawn(name: str) -> str:
    return drawn_key(name).replace("_", "-")
