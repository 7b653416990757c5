"""Which sheets count in agreement: what each reviewer said on their own.

Of each request and annotator that is the first sheet that stands or that the bench sent back,
whatever they sealed after it came back; a sheet that is not blind only if an owner admitted it.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from annotation.exporting.names import NOBODY, Names
from annotation.models import Project
from annotation.services import exposure
from contracts.agreement import Reviewed
from contracts.models import Admission, Constraint, Sheet
from contracts.qualification import outside_the_study
from contracts.terms import Ambiguity, ConstraintTerms, ContractTerms, Span

OWN_WORDS = Q(retracted_at=None) | Q(sent_back=True)


@dataclass(frozen=True)
class Counted:
    """One sheet that counts, or that would if its annotator had been shown nothing; `reason` is why
    an owner admitted it all the same.
    """

    request: str
    reviewer: str
    sheet: Sheet
    terms: ContractTerms
    reason: str = ""

    @property
    def place(self) -> list[str]:
        return [self.request, self.reviewer, self.sheet.sha256]


@dataclass(frozen=True)
class Basis:
    """Everything behind a table: the sheets that count, in the requests' order, those left out, and
    how many requests the study has.
    """

    requests: int
    counted: list[Counted] = field(default_factory=list)
    left_out: list[Counted] = field(default_factory=list)

    @property
    def admitted(self) -> list[Counted]:
        return [one for one in self.counted if one.reason]

    @property
    def reviewed(self) -> list[Reviewed]:
        return grouped(self.counted)

    @property
    def with_two(self) -> int:
        """How many requests have two sheets or more."""
        return sum(count > 1 for count in Counter(one.request for one in self.counted).values())

    @property
    def inputs(self) -> dict[str, Any]:
        """What a snapshot names its table's sheets by, in an order of its own."""
        sheets: dict[str, list[list[str]]] = {}
        for request, reviewer, sha256 in sorted(one.place for one in self.counted):
            sheets.setdefault(request, []).append([sha256, reviewer])
        return {
            "requests": self.requests,
            "sheets": [[request, sorted(named)] for request, named in sheets.items()],
            "left_out": sorted(one.place for one in self.left_out),
            "admitted": sorted([*one.place, one.reason] for one in self.admitted),
        }


def basis(project: Project) -> Basis:
    """Find the sheets that count, in as many queries for five requests as for five thousand."""
    outside = outside_the_study(project).values("pk")
    names, shown = Names(project), exposure.first_shown(project)
    reasons = dict(
        Admission.objects.filter(sheet__request__project=project).values_list("sheet", "reason")
    )
    found = Basis(project.requests.exclude(pk__in=outside).count())
    rows = Sheet.objects.filter(OWN_WORDS, request__project=project).exclude(request__in=outside)
    said = terms_in(project)
    seen: set[tuple[int, int]] = set()
    for sheet in with_keys(rows).order_by("request__position", "request_id", "sealed_at", "pk"):
        if (sheet.request_id, sheet.annotator_id) in seen:
            continue
        seen.add((sheet.request_id, sheet.annotator_id))
        reason = _said(reasons.get(sheet.pk))
        one = Counted(sheet.request.key, name_of(names, sheet), sheet, said(sheet), reason)
        counts = reason or not _shown_before(sheet, shown)
        (found.counted if counts else found.left_out).append(one)
    return found


def grouped(counted: Sequence[Counted]) -> list[Reviewed]:
    by_request: dict[str, list[Counted]] = {}
    for one in counted:
        by_request.setdefault(one.request, []).append(one)
    return [
        Reviewed(request, tuple((one.reviewer, one.terms) for one in sheets))
        for request, sheets in by_request.items()
    ]


def with_keys(sheets: QuerySet[Sheet]) -> QuerySet[Sheet]:
    """The sheets with their requests' ids, and nothing else of the requests."""
    fields = ("annotator", "unresolved", "readings", "sealed_at", "sha256", "request__key")
    return sheets.select_related("request").only(*fields)


def terms_in(project: Project) -> Callable[[Sheet], ContractTerms]:
    """What each sheet of the project says, read with one query and without a row's ceremony."""
    of_sheet: dict[int, list[ConstraintTerms]] = {}
    fields = ("sheet", "key", "kind", "materiality", "value", "turn", "start", "end", "admissible")
    rows = Constraint.objects.filter(sheet__request__project=project)
    for sheet, key, kind, materiality, value, turn, start, end, admissible in rows.order_by(
        "sheet", "position", "pk"
    ).values_list(*fields):
        span = None if turn is None else Span(turn, start, end)
        terms = ConstraintTerms(key, kind, materiality, value, span, tuple(admissible))
        of_sheet.setdefault(sheet, []).append(terms)

    def of(sheet: Sheet) -> ContractTerms:
        ambiguity = Ambiguity(sheet.unresolved, tuple(sheet.readings))
        return ContractTerms(tuple(of_sheet.get(sheet.pk, ())), ambiguity)

    return of


def _shown_before(sheet: Sheet, shown: Mapping[tuple[int | None, str], datetime]) -> bool:
    """Whether the annotator was shown something of the request before they sealed."""
    seen = shown.get((sheet.annotator_id, sheet.request.key))
    return seen is not None and seen < sheet.sealed_at


def _said(reason: str | None) -> str:
    """Why the sheet was admitted; an admission without words is one all the same."""
    return "" if reason is None else reason.strip() or "–"


def name_of(names: Names, sheet: Sheet) -> str:
    """The pseudonym; people who never were members are told apart all the same."""
    found = names.of(sheet.annotator_id)
    return f"{NOBODY}.{sheet.annotator_id}" if found == NOBODY else found
