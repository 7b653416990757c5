"""Which rows of the constraint matrix a reader asks for, and in which order.

A run may have tens of thousands of constraints. Which these are is read once; what decides about
them and may change (judgements, what is looked for) by one plain query each, and all of it is put
together here. Only a page of rows is loaded whole.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from contracts.models import Constraint
from contracts.terms import KINDS, MATERIALITIES
from evaluation.models import Arm, Case, Judgement, Run
from evaluation.records import KEPT, LOST
from evaluation.reports.matrix.search import constraints_with, requests_with
from evaluation.reports.matrix.search_words import words_of
from evaluation.scoring.localisation import STAGES

# What `lost` in an address may say.
ALL, ANY_LOST, NEWLY_LOST, GAINED, DISCORDANT = "0", "1", "new", "gained", "differs"
OPEN, NEAR_MISSED = "open", "near"
# What `sort` in an address may say; without it, requests that lost something come first.
LOST_FIRST, BY_REQUEST, BY_CLASS, BY_KIND, BY_MATERIALITY, BY_STAGE = (
    "", "request", "class", "kind", "materiality", "stage",
)  # fmt: skip
UNDETERMINED = "undetermined"
# Where the contract was lost first comes before where it was lost late, or not at all.
_STAGE_ORDER = {
    stage: at
    for at, stage in enumerate(
        ("clarification", *(s for s in STAGES if s not in ("clarification", "none")),
         UNDETERMINED, "none", "")
    )
}  # fmt: skip
_NAMED = 20  # requests without a constraint that are named
_OF_CASE = ("request", "request__key", "request__request_class__name")


@dataclass(frozen=True, slots=True)
class Filters:
    """What the reader wants to see; empty texts filter nothing. `words` is what they look for,
    `request` the key of the only request to show.
    """

    arm: Arm
    request_class: str = ""
    kind: str = ""
    materiality: str = ""
    stage: str = ""
    lost: str = ALL
    words: str = ""
    request: str = ""
    sort: str = LOST_FIRST

    @property
    def of_constraints(self) -> bool:
        """Whether they tell the constraints of one request apart."""
        return bool(self.kind or self.materiality or self.words) or self.lost not in (
            ALL,
            NEAR_MISSED,
        )


@dataclass(frozen=True, slots=True)
class RowsFound:
    """The ids of the constraints in their order, of how many requests they are, and how many
    constraints the arm's requests have in all. Of all `not_scored` are of unresolved requests, and
    of those found `found_not_scored`. `in_order` has these requests' ids, each where it
    comes first. `without` names requests that fit, but have no
    constraint to show; `without_of` is how many these are.
    """

    ids: tuple[int, ...]
    requests: int
    total: int
    without: tuple[str, ...] = ()
    without_of: int = 0
    not_scored: int = 0
    found_not_scored: int = 0
    in_order: tuple[int, ...] = ()


class _Row(NamedTuple):
    constraint: int
    kind: str
    materiality: str
    contract: int
    request: int
    key: str
    request_class: str
    unresolved: bool


@dataclass(frozen=True, slots=True)
class _Whole:
    """Every constraint that stands in a run under an arm, in the order of the requests, and the
    requests (id, key, class) that have none.
    """

    rows: tuple[_Row, ...]
    bare: tuple[tuple[int, str, str], ...]


def find_rows(run: Run, filters: Filters, original: Arm | None) -> RowsFound:
    """Return the rows that the filters leave, in the order that they ask for. The number of queries
    depends on the filters alone.
    """
    whole = _whole(run.pk, filters.arm.pk, run.finished_at)
    at_stage = _requests_wanted(run, filters)
    rows = _wanted(whole.rows, filters)
    if (judged := _judged_as_wanted(run, filters, original)) is not None:
        rows = [row for row in rows if row.constraint in judged]
    if at_stage is not None:
        rows = [row for row in rows if row.request in at_stage]
    for word in words_of(filters.words):
        rows = _with_word(run, filters.arm, word, rows)
    rows = _sorted(run, filters, rows)
    without = [] if filters.of_constraints else _without(whole, filters, at_stage)
    return RowsFound(
        ids=tuple(row.constraint for row in rows),
        requests=len({row.request for row in rows}),
        total=len(whole.rows),
        without=tuple(without[:_NAMED]),
        without_of=len(without),
        not_scored=sum(row.unresolved for row in whole.rows),
        found_not_scored=sum(row.unresolved for row in rows),
        in_order=tuple(dict.fromkeys(row.request for row in rows)),
    )


def critical_losses(run: Run, arm: Arm) -> Mapping[str, int]:
    """How many requests of each class lost a critical constraint under the arm: as many as the
    matrix shows of the class with these filters. One query.
    """
    lost = lost_under(run, arm).filter(constraint__materiality="critical").order_by()
    rows = lost.values_list("case__request__request_class__name")
    return dict(rows.annotate(n=Count("case__request", distinct=True)))


@lru_cache(4)
def _whole(run: int, arm: int, concluded: datetime | None) -> _Whole:
    """Read what does not change any more once a run is over: which constraints there are. Who
    visits a second page of a matrix does not have it read again; `concluded` keeps apart what was
    computed at different times.
    """
    constraints = Constraint.objects.filter(contract__cases__run=run, contract__cases__arm=arm)
    of_request = (f"contract__{name}" for name in (*_OF_CASE, "unresolved"))
    columns = ("pk", "kind", "materiality", "contract", *of_request)
    rows = constraints.order_by(
        "contract__request__position", "contract__request", "position", "pk"
    )
    names: dict[str, str] = {}  # equal texts once
    bare = Case.objects.filter(run=run, arm=arm).filter(
        ~Exists(Constraint.objects.filter(contract=OuterRef("contract")))
    )
    return _Whole(
        tuple(
            _Row._make(names.setdefault(v, v) if isinstance(v, str) else v for v in row)
            for row in rows.values_list(*columns)
        ),
        tuple(bare.order_by("request__position", "request").values_list(*_OF_CASE)),
    )


# ---------------------------------------------------------------- what was judged


def effective(run: Run, arm: Arm | None = None) -> QuerySet[Judgement]:
    """The judgements that count: a person's, or the matcher's where no person has judged."""
    by_person = Judgement.objects.by_people().filter(
        case=OuterRef("case"), constraint=OuterRef("constraint")
    )
    by_matcher = Q(person=None) & ~Exists(by_person)
    rows = Judgement.objects.filter(Q(decides=True) | by_matcher, case__run=run).order_by()
    return rows.filter(case__arm=arm) if arm else rows


def counting(run: Run, arm: Arm, outcomes: Collection[str]) -> QuerySet[Judgement]:
    """Judgements of resolved requests that say one of the outcomes, and count as such."""
    rows = effective(run, arm).filter(judgement__in=outcomes, case__contract__unresolved=False)
    return rows.exclude(_waits(run))


def lost_under(run: Run, arm: Arm) -> QuerySet[Judgement]:
    """Judgements of resolved requests that say altered or dropped, and count as such."""
    return counting(run, arm, LOST)


def open_under(run: Run, arm: Arm) -> QuerySet[Judgement]:
    """Judgements of resolved requests that a person must settle."""
    return Judgement.objects.waiting(run).filter(case__arm=arm).order_by()


def _waits(run: Run) -> Q:
    """The matcher's judgements that the protocol does not let stand."""
    judging = run.judging
    if judging == "human_for_all":
        return Q(person=None)
    if judging == "human_for_critical":
        return Q(person=None, constraint__materiality="critical")
    return Q(pk__in=[])


# ---------------------------------------------------------------- which rows


def _wanted(rows: Sequence[_Row], filters: Filters) -> Sequence[_Row]:
    """The rows of the class, kind, materiality and request that are asked for."""
    wanted = {
        "request_class": filters.request_class,
        "kind": filters.kind,
        "materiality": filters.materiality,
        "key": filters.request,
    }
    for name, value in wanted.items():
        if value:
            rows = [row for row in rows if getattr(row, name) == value]
    return rows


def _judged_as_wanted(run: Run, filters: Filters, original: Arm | None) -> Collection[int] | None:
    """The constraints that were judged as `lost` says; None where it says nothing of that."""
    if filters.lost == ANY_LOST:
        return _ids(lost_under(run, filters.arm))
    if filters.lost == OPEN:
        return _ids(open_under(run, filters.arm))
    if filters.lost not in (NEWLY_LOST, GAINED, DISCORDANT):
        return None
    if original is None or original == filters.arm:
        return ()
    mine, before = _not_kept(run, filters.arm), _not_kept(run, original)
    newly = mine.lost - before.all if filters.lost != GAINED else set()
    gained = before.lost - mine.all if filters.lost != NEWLY_LOST else set()
    return newly | gained


def _ids(judgements: QuerySet[Judgement]) -> set[int]:
    return set(judgements.order_by().values_list("constraint", flat=True))


class _NotKept(NamedTuple):
    """Constraints that count as lost, and all that do not count as kept: lost, open, or of a case
    without judgements. These are few, so that they are read faster than those that are kept.
    """

    lost: set[int]
    all: set[int]


def _not_kept(run: Run, arm: Arm) -> _NotKept:
    lost = _ids(lost_under(run, arm))
    others = effective(run, arm).filter(~Q(judgement__in=KEPT) | _waits(run))
    unjudged = Case.objects.filter(run=run, arm=arm).filter(
        ~Exists(Judgement.objects.filter(case=OuterRef("pk")))
    )
    of_cases = unjudged.order_by().values_list("contract__constraints", flat=True)
    return _NotKept(lost, lost | _ids(others) | {pk for pk in of_cases if pk is not None})


def _requests_wanted(run: Run, filters: Filters) -> set[int] | None:
    """The requests whose cases are as the filters say; None where they say nothing of cases."""
    if not filters.stage and filters.lost != NEAR_MISSED:
        return None
    return set(_cases_wanted(run, filters).values_list("request", flat=True))


def _cases_wanted(run: Run, filters: Filters) -> QuerySet[Case]:
    cases = Case.objects.filter(run=run, arm=filters.arm).order_by()
    if filters.stage:
        stage = None if filters.stage == UNDETERMINED else filters.stage
        cases = cases.filter(outcome__first_lost__stage=stage)
    if filters.lost == NEAR_MISSED:
        cases = cases.filter(contract__unresolved=False, outcome__outcome__near_misses__gt=0)
    return cases


def _without(whole: _Whole, filters: Filters, wanted: Collection[int] | None) -> list[str]:
    """The keys of requests that fit and have no constraint, in their order."""
    return [
        key
        for request, key, request_class in whole.bare
        if (wanted is None or request in wanted)
        and filters.request_class in ("", request_class)
        and filters.request in ("", key)
    ]


def _with_word(run: Run, arm: Arm, word: str, rows: Sequence[_Row]) -> Sequence[_Row]:
    """The rows that have the word: all of a request that has it, or whose rewrite does, and the
    constraints that say it themselves.
    """
    requests = requests_with(run, arm, word)
    if all(row.request in requests for row in rows):
        return rows
    own = constraints_with(run, arm, word)
    return [row for row in rows if row.request in requests or row.constraint in own]


# ---------------------------------------------------------------- in which order


def _sorted(run: Run, filters: Filters, rows: Sequence[_Row]) -> Sequence[_Row]:
    """The rows as asked for; within that, in the order of the requests, as they come."""
    if filters.sort == BY_CLASS:
        return sorted(rows, key=lambda row: row.request_class)
    if filters.sort == BY_KIND:
        return sorted(rows, key=lambda row: KINDS.index(row.kind))
    if filters.sort == BY_MATERIALITY:
        return sorted(rows, key=lambda row: MATERIALITIES.index(row.materiality))
    if filters.sort == BY_STAGE:
        stages = _stages(run, filters.arm)
        return sorted(rows, key=lambda row: _STAGE_ORDER[stages.get(row.request, "")])
    # Of what was lost, every row is of a request that lost something.
    if filters.sort == LOST_FIRST and filters.lost not in (ANY_LOST, NEWLY_LOST):
        losses = lost_under(run, filters.arm).order_by()
        lost = set(losses.values_list("constraint__contract", flat=True))
        return sorted(rows, key=lambda row: row.contract not in lost)
    return rows


def _stages(run: Run, arm: Arm) -> Mapping[int, str]:
    """The first stage lost of every request under the arm."""
    rows = Case.objects.filter(run=run, arm=arm, outcome__isnull=False).order_by()
    named = rows.values_list("request", "outcome__first_lost__stage")
    return {request: stage or UNDETERMINED for request, stage in named}
