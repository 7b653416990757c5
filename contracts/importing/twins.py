from collections.abc import Iterable
from functools import cached_property
from typing import Any

from django.utils.translation import gettext_lazy as _

from annotation.importing.fields import Fields
from annotation.importing.kinds import FileOfRows, register
from annotation.importing.known import Known, OncePerRequest
from annotation.importing.look_alikes import NewNames
from annotation.importing.problems import Problems
from annotation.importing.rows import Row
from annotation.importing.showing import quoted
from annotation.models import Person, Project, Request
from annotation.services import ledger
from contracts.importing.rows import MAX_KEY
from contracts.models import Contract, Control, TwinPair
from contracts.models.fixtures import CONTROL, FAMILIES, IMPORTED
from contracts.services.twins.sides import side_of
from contracts.terms import ContractTerms
from contracts.twins import faults_of_pair


@register
class TwinsFile(FileOfRows):
    """twins.jsonl: twin pairs, and controls (family “control”).

    Where the contracts of both requests stand, a pair is checked as one that is made here: what
    nothing excuses is a fault, what a stated reason would excuse a warning. Either tells of known
    contracts, so that whoever annotates brings no pairs.
    """

    name = "twins"
    act = "import_work"
    label = _("Twin pairs and controls (twins.jsonl)")
    columns = ("id", "family", "base", "twin", "constraint", "accepts")
    required = ("id", "family", "base")

    def check(
        self, project: Project, rows: Iterable[Row], problems: Problems, target: str
    ) -> list[TwinPair | Control]:
        known = Known(project)
        names = NewNames(
            [
                *project.twin_pairs.values_list("key", flat=True),
                *project.controls.values_list("key", flat=True),
            ],
            "twin pair or control",
        )
        contracts = _Contracts(project)
        sides = project.twin_pairs.values_list("base__key", "twin__key", "key")
        paired = {frozenset(pair): key for *pair, key in sides}
        once = OncePerRequest()
        parsed: list[TwinPair | Control] = []
        for row in rows:
            fields = Fields(row, problems)
            key = fields.id("id")
            family = fields.choice("family", (*FAMILIES, CONTROL))
            base = known.request(fields, "base")
            if key is not None:
                names.check(fields, "id", key)
            made: TwinPair | Control | None
            if family == CONTROL:
                made = _control(fields, project, key, base)
            else:
                made = _pair(fields, project, key, family, base, known.request(fields, "twin"))
            if isinstance(made, TwinPair):
                _check_pair(fields, made, once, paired)
                contracts.check(fields, made)
            if made is not None:
                parsed.append(made)
        return parsed

    def load(self, project: Project, parsed: list[Any], actor: Person, target: str) -> int:
        for fixture in parsed:
            fixture.save()
        ledger.record(
            project=project,
            kind=IMPORTED,
            subject=f"{len(parsed)} fixtures",
            content={"keys": sorted(fixture.key for fixture in parsed)},
            actor=actor,
        )
        return len(parsed)


def _control(
    fields: Fields, project: Project, key: str | None, base: Request | None
) -> Control | None:
    accepts = fields.texts("accepts")
    for column in ("twin", "constraint"):
        if fields.take(column) is not None:
            fields.fault(column, "not_of_a_control", "a control has no twin and no constraint.")
    if not accepts:
        fields.fault("accepts", "missing", "a control needs the texts that must pass.")
    elif key and base:
        return Control(project=project, key=key, base=base, accepts=accepts)
    return None


def _pair(
    fields: Fields,
    project: Project,
    key: str | None,
    family: str | None,
    base: Request | None,
    twin: Request | None,
) -> TwinPair | None:
    constraint = fields.name("constraint", MAX_KEY)
    if fields.texts("accepts"):
        fields.fault("accepts", "not_of_a_pair", "only a control has texts that must pass.")
    if base and base == twin:
        fields.fault("twin", "same_request", "a request is not its own twin.")
    elif key and family and base and twin and constraint:
        return TwinPair(
            project=project, key=key, family=family, base=base, twin=twin, constraint=constraint
        )
    return None


def _check_pair(
    fields: Fields, pair: TwinPair, once: OncePerRequest, paired: dict[frozenset[str], str]
) -> None:
    """Two requests are one pair, whichever of them is the base: else it would count twice."""
    keys = (pair.base.key, pair.twin.key)
    said = f"the pair of {quoted(keys[0])} and {quoted(keys[1])} (in either order)"
    once.check(fields, "twin", frozenset(keys), said)
    if key := paired.get(frozenset(keys)):
        fields.fault("twin", "present", f"{said} stands in the project already, as {quoted(key)}.")


# The column at which a fault of a pair is mended; the twin's where it is none of these.
_COLUMNS = {
    "constraint_missing": "constraint",
    "not_critical": "constraint",
    "same_demand": "constraint",
    "differs_elsewhere": "constraint",
    "not_the_referent": "constraint",
    "family_does_not_fit": "family",
    "not_unresolved": "family",
    "ambiguity_differs": "family",
}


class _Contracts:
    """The contracts in force, read once for a whole file that has pairs."""

    def __init__(self, project: Project) -> None:
        self._project = project

    @cached_property
    def _terms(self) -> dict[int, ContractTerms]:
        current = Contract.objects.current(self._project).values_list("request_id", "content")
        return {pk: ContractTerms.from_json(content) for pk, content in current.iterator()}

    def check(self, fields: Fields, pair: TwinPair) -> None:
        """Add what makes it no pair, where both contracts stand already."""
        base, twin = self._terms.get(pair.base_id), self._terms.get(pair.twin_id)
        if base is None or twin is None:
            return
        sides = side_of(pair.base, base), side_of(pair.twin, twin)
        for fault in faults_of_pair(pair.family, pair.constraint, *sides):
            say = fields.warn if fault.excusable else fields.fault
            say(_COLUMNS.get(fault.code, "twin"), fault.code, fault.sentence)
