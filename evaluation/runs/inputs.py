"""What a run's cases need to know about their requests, read once for a whole run."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.canonical import content_hash
from annotation.models import Request
from annotation.models import Turn as RequestTurn
from contracts.models import Control, TwinPair
from contracts.terms import ConstraintTerms, ContractTerms
from evaluation.models import Case, Conditions, Run
from evaluation.records import RequestText, Turn
from evaluation.scoring.controls import ControlResult, judge_control
from evaluation.scoring.pairs import Twins


@dataclass(frozen=True)
class RunInputs:
    """Twin pairs of the run's requests, and what each request must be told apart from."""

    pairs: tuple[TwinPair, ...]
    # request pk -> (pair, constraint)
    foreign: Mapping[int, tuple[tuple[str, ConstraintTerms], ...]]
    # request pk -> documents that its twins require and it does not -> those twins' keys
    near_misses: Mapping[int, Mapping[str, tuple[str, ...]]]

    @property
    def sides(self) -> set[str]:
        """The requests that stand in a pair."""
        return {key for pair in self.pairs for key in (pair.base.key, pair.twin.key)}

    @property
    def clusters(self) -> dict[str, str]:
        """Each twin's base request, so that pairs are resampled together."""
        return clusters_of((pair.twin.key, pair.base.key) for pair in self.pairs)


def clusters_of(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Each twin's base request, from (twin, base) in the order of the pairs' keys."""
    return dict(pairs)


def pairs_then(run: Run) -> QuerySet[TwinPair]:
    """The project's pairs as they stood when the run's Conditions were frozen: what came to stand
    since changes no run.
    """
    return TwinPair.objects.standing_at(run.project, run.conditions.frozen_at)


def pairs_of(run: Run) -> QuerySet[TwinPair]:
    """Those of them whose both sides are in the run with a contract."""
    inside = _sides(run).values("request")
    return pairs_then(run).filter(base__in=inside, twin__in=inside)


def _pairs_with(run: Run, request: Request) -> QuerySet[TwinPair]:
    """The same in which the request stands: few, so that each is asked for by itself."""
    sides = _sides(run)
    return pairs_then(run).filter(
        Q(base=request) | Q(twin=request),
        Exists(sides.filter(request=OuterRef("base"))),
        Exists(sides.filter(request=OuterRef("twin"))),
    )


def _sides(run: Run) -> QuerySet[Case]:
    return Case.objects.filter(run=run, arm__name="original", contract__isnull=False).order_by()


def pairs_are_as_frozen(run: Run) -> bool:
    """Whether the pairs of that time are still those whose hash the Conditions have."""
    conditions = Conditions.objects.filter(pk=run.conditions_id)
    frozen = conditions.values_list("content__twins", flat=True).get()
    return frozen is None or frozen == hash_of_pairs(pairs_then(run))


def hash_of_pairs(pairs: QuerySet[TwinPair]) -> str:
    """The hash by which Conditions name twin pairs."""
    told = pairs.values_list("key", "family", "base__key", "twin__key", "constraint")
    return content_hash(sorted(told))


def read_inputs(run: Run, *, only: Request | None = None) -> RunInputs:
    """Read the run's pairs, with the constraint that tells them apart; `only` those in which this
    request stands.
    """
    wanted = pairs_of(run) if only is None else _pairs_with(run, only)
    pairs = tuple(wanted.select_related("base", "twin"))
    sides = {side for pair in pairs for side in (pair.base_id, pair.twin_id)}
    terms = {
        request: {c["id"]: ConstraintTerms.from_json(c) for c in content["constraints"]}
        for request, content in Case.objects.filter(
            run=run, arm__name="original", contract__isnull=False, request__in=sides
        ).values_list("request_id", "contract__content")
    }
    foreign: dict[int, list[tuple[str, ConstraintTerms]]] = {}
    near: dict[int, dict[str, tuple[str, ...]]] = {}
    for pair in pairs:
        for own, other in ((pair.base, pair.twin), (pair.twin, pair.base)):
            constraint = terms[other.pk].get(pair.constraint)
            if constraint is not None:
                foreign.setdefault(own.pk, []).append((pair.key, constraint))
            twins_of_document = near.setdefault(own.pk, {})
            for document in sorted(_documents(other) - _documents(own)):
                already = twins_of_document.get(document, ())
                twins_of_document[document] = (*already, other.key)
    return RunInputs(
        pairs,
        {pk: tuple(found) for pk, found in foreign.items()},
        near,
    )


def read_controls(run: Run) -> list[ControlResult]:
    """Judge the controls whose base request is in the run with a contract, by the controls' keys.
    Counted are those that stood when the run was started: Conditions say nothing of controls.

    They are judged on the frozen contracts by the same judge as the arms' rewrites.
    """
    cases = (
        Case.objects.filter(run=run, contract__isnull=False)
        .select_related("request__request_class", "contract")
        .prefetch_related("request__turns")
        .order_by("pk")
    )
    started = max(run.created_at, run.conditions.frozen_at)
    then = Control.objects.standing_at(run.project, started)
    controls = list(then.order_by("key"))
    wanted = {control.base_id for control in controls}
    found = {case.request_id: case for case in cases.filter(request__in=wanted)}
    return [
        judge_control(
            control.key,
            request_text(case.request, run.conditions.content, case.request.turns.all()),
            case.request.request_class.name,
            ContractTerms.from_json(case.contract.content),
            control.accepts,
        )
        for control in controls
        if (case := found.get(control.base_id)) and case.contract
    ]


def request_text(
    request: Request, frozen: Mapping[str, Any], turns: Iterable[RequestTurn]
) -> RequestText:
    """Return what a rewriter may see of the request, under the Conditions' content."""
    own = request.reference_date
    return RequestText(
        id=request.key,
        text=request.text,
        turns=tuple(Turn(turn.role, turn.text) for turn in turns),
        reference_date=own.isoformat() if own else frozen.get("reference_date"),
    )


def twins_of(pair: TwinPair) -> Twins:
    """Return the pair for scoring, under no arm yet."""
    return Twins(
        id=pair.key,
        family=pair.family,
        base=pair.base.key,
        twin=pair.twin.key,
        constraint=pair.constraint,
    )


def _documents(request: Request) -> set[str]:
    return {key for item in request.evidence or [] for key in item}
