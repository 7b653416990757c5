"""The two-world test on a live project, for an owner who does not annotate; kept in the ledger."""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.blindness import facts, probe
from annotation.blindness.asking import undone
from annotation.blindness.probe import Found
from annotation.canonical import content_hash
from annotation.models import LedgerEntry, Person, Project
from annotation.services import exposure, ledger
from annotation.services.projects import Refused
from annotation.services.work import require_oversight

CHECKED = "blindness.checked"
KEPT = 50  # differences that the ledger's entry names


@dataclass
class Report:
    """What a check came to. `people` were asked for, `of` annotate here; `facts` has how many rows
    each hidden fact had to alter. Of the `calls`, `read` looked at something that was altered.
    """

    of: int
    people: list[str] = field(default_factory=list)
    facts: dict[str, int] = field(default_factory=dict)
    routes: int = 0
    calls: int = 0
    read: int = 0
    unsteady: list[str] = field(default_factory=list)
    leaks: list[dict[str, Any]] = field(default_factory=list)

    def add(self, person: Person, found: Found) -> None:
        self.people.append(person.username)
        self.routes = max(self.routes, len(found.routes))
        self.calls += found.calls
        self.read += found.read
        self.unsteady += [str(call) for call in found.unsteady]
        self.leaks += [
            {"person": person.username, "call": str(leak.call), "route": leak.call.route,
             "verb": leak.call.verb, "fact": leak.fact, "found": list(leak.found)}
            for leak in found.leaks
        ]  # fmt: skip

    def to_json(self) -> dict[str, Any]:
        return {**vars(self), "code": settings.VERSION}


def annotators(project: Project) -> list[Person]:
    """Everybody who annotates in the project today, by the time they joined."""
    rows = project.memberships.current().filter(roles__name="annotator", person__is_active=True)
    return [row.person for row in rows.select_related("person").order_by("pk").distinct()]


def may_check(*, actor: Person, project: Project) -> None:
    """Raise PermissionDenied or Refused unless the actor may have the project's blindness
    checked.
    """
    require_oversight(actor, project)
    if not annotators(project):
        raise Refused(_("Nobody annotates here yet: there is nobody to be blind."))


def check_blindness(
    *,
    actor: Person,
    project: Project,
    people: Sequence[Person] = (),
    seconds: float | None = None,
    only: Sequence[str] = (),
    sparing: bool = True,
) -> Report:
    """Ask everything that each annotator may ask, in this world and in one that differs in what
    the others did, and record what came of it. After `seconds` nobody further is begun. Unless
    `sparing`, also what cannot tell the worlds apart is asked in both.

    Calls are asked in batches, each in a short transaction of its own that is rolled back: nothing
    of it stays, and nobody waits for it long.
    """
    may_check(actor=actor, project=project)
    every, report = annotators(project), Report(of=0)
    report.of, began = len(every), time.monotonic()
    for person in people or every:
        if seconds is not None and report.people and time.monotonic() - began > seconds:
            break
        report.add(person, _probe(project, person, report, only, sparing=sparing))
    _record(actor, project, report)
    return report


def _probe(
    project: Project, person: Person, report: Report, only: Sequence[str], *, sparing: bool
) -> Found:
    altered = facts.alterations(project, person)
    with undone():
        for name, alter in altered:
            report.facts[name] = max(alter(), report.facts.get(name, 0))
    asked = probe.probe_of(project, person, sparing=sparing)
    return probe.compare_worlds(asked, altered, only)


@transaction.atomic
def _record(actor: Person, project: Project, report: Report) -> None:
    whole = report.to_json()
    told = [(leak["route"], leak["verb"], _aspects(leak["found"])) for leak in report.leaks]
    ledger.record(
        project=project,
        kind=CHECKED,
        subject=project.slug,
        content={
            "people": len(report.people),
            "of": report.of,
            "facts": report.facts,
            "routes": report.routes,
            "calls": report.calls,
            "read": report.read,
            "unsteady": len(report.unsteady),
            "differences": len(report.leaks),
            "found": [list(one) for one in dict.fromkeys(told)][:KEPT],
            "code": settings.VERSION,
            "sha256": content_hash(whole),
        },
        actor=actor,
    )


def _aspects(found: Sequence[str]) -> str:
    """Which parts of the answers differ, without what stood there: that is what is hidden."""
    return ", ".join(said.partition(":")[0] for said in found)


def checks(project: Project) -> list[LedgerEntry]:
    """The latest checks of the project, the newest first."""
    return list(project.ledger.filter(kind=CHECKED).order_by("-sequence")[:10])


def further_roles(project: Project) -> list[tuple[Person, list[str]]]:
    """Who annotates and holds further roles, with these."""
    found = []
    for person in annotators(project):
        rows = project.memberships.current().filter(person=person)
        names = sorted({n for n in rows.values_list("roles__name", flat=True) if n})
        if more := [name for name in names if name != "annotator"]:
            found.append((person, more))
    return found


def exposures_by_kind(project: Project) -> list[tuple[str, int]]:
    """How often the project's annotators were shown each kind of thing, the most frequent first."""
    people = [person.pk for person in annotators(project)]
    entries = project.ledger.filter(kind=exposure.KIND, actor__in=people)
    return Counter(
        e.get("what", "") for e in entries.values_list("content", flat=True)
    ).most_common()
