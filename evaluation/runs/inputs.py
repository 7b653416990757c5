"""What a run's cases need to know about their requests, read once for a whole run."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from annotation.models import Request
from contracts.models import TwinPair
from contracts.terms import ConstraintTerms, ContractTerms
from evaluation.models import Case, Run
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
    def clusters(self) -> dict[str, str]:
        """Each twin's base request, so that pairs are resampled together."""
        return {pair.twin.key: pair.base.key for pair in self.pairs}


def read_inputs(run: Run) -> RunInputs:
    """Read the pairs whose both sides are in the run, with the constraint that tells them apart."""
    terms = {
        request: {c["id"]: ConstraintTerms.from_json(c) for c in content["constraints"]}
        for request, content in Case.objects.filter(run=run, contract__isnull=False)
        .values_list("request_id", "contract__content")
        .distinct()
    }
    pairs = tuple(
        pair
        for pair in run.project.twin_pairs.select_related("base", "twin")
        if pair.base_id in terms and pair.twin_id in terms
    )
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

    They are judged on the frozen contracts by the same judge as the arms' rewrites.
    """
    cases = (
        Case.objects.filter(run=run, contract__isnull=False)
        .select_related("request__request_class", "contract")
        .prefetch_related("request__turns")
        .order_by("pk")
    )
    controls = list(run.project.controls.order_by("key"))
    wanted = {control.base_id for control in controls}
    found = {case.request_id: case for case in cases.filter(request__in=wanted)}
    return [
        judge_control(
            control.key,
            request_text(case.request, run.conditions.content),
            case.request.request_class.name,
            ContractTerms.from_json(case.contract.content),
            control.accepts,
        )
        for control in controls
        if (case := found.get(control.base_id)) and case.contract
    ]


def request_text(request: Request, frozen: Mapping[str, Any]) -> RequestText:
    """Return what a rewriter may see of the request, under the Conditions' content."""
    own = request.reference_date
    return RequestText(
        id=request.key,
        text=request.text,
        turns=tuple(Turn(turn.role, turn.text) for turn in request.turns.all()),
        reference_date=own.isoformat() if own else frozen.get("reference_date"),
    )


def twins_of(pair: TwinPair, foreign_in: Mapping[str, Mapping[str, Any]]) -> Twins:
    """Return the pair for scoring; `foreign_in` maps a request id to its judgements of foreign
    constraints. What the matcher left unsure there counts as not judged: no person is asked about
    a constraint that the request does not have.
    """

    def foreign(key: str) -> str | None:
        judgement = foreign_in.get(key, {}).get(pair.key)
        return None if judgement == "unsure" else judgement

    return Twins(
        id=pair.key,
        family=pair.family,
        base=pair.base.key,
        twin=pair.twin.key,
        constraint=pair.constraint,
        twins_in_base=foreign(pair.base.key),
        bases_in_twin=foreign(pair.twin.key),
    )


def _documents(request: Request) -> set[str]:
    return {key for item in request.evidence or [] for key in item}
