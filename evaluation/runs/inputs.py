"""What a run's cases need to know about their requests, read once for a whole run."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from annotation.models import Request
from contracts.models import TwinPair
from contracts.terms import ConstraintTerms
from evaluation.models import Case, Run
from evaluation.records import RequestText, Turn
from evaluation.scoring.pairs import Twins


@dataclass(frozen=True)
class RunInputs:
    """Twin pairs of the run's requests, and what each request must be told apart from."""

    pairs: tuple[TwinPair, ...]
    # request pk -> (pair, constraint)
    foreign: Mapping[int, tuple[tuple[str, ConstraintTerms], ...]]
    near_misses: Mapping[int, frozenset[str]]  # request pk -> documents of its twins' evidence

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
    near: dict[int, set[str]] = {}
    for pair in pairs:
        for own, other in ((pair.base, pair.twin), (pair.twin, pair.base)):
            constraint = terms[other.pk].get(pair.constraint)
            if constraint is not None:
                foreign.setdefault(own.pk, []).append((pair.key, constraint))
            near.setdefault(own.pk, set()).update(_documents(other) - _documents(own))
    return RunInputs(
        pairs,
        {pk: tuple(found) for pk, found in foreign.items()},
        {pk: frozenset(found) for pk, found in near.items()},
    )


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
