"""Schemathesis against the real WSGI application: for every operation bodies and addresses that fit
the description and such that do not, as every role; whatever an example does is rolled back.
"""

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import schemathesis
from django.db import transaction
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.checks import CHECKS, CheckFunction, load_all_checks
from schemathesis.core.failures import FailureGroup

from config.wsgi import application
from tests.api.world import SHEET, World

# Rows live in a transaction that is rolled back, so nothing follows from one example to the next:
# checks of what a later request finds have nothing to look at. What the description cannot say
# (a seat that is sealed, a name that is taken) refuses fitting bodies by right.
LEFT_OUT = {"positive_data_acceptance", "use_after_free", "ensure_resource_availability"}


@dataclass
class Tally:
    """What came back: statuses by operation, and every failed check."""

    statuses: dict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    failures: list[str] = field(default_factory=list)

    def add(self, other: "Tally") -> None:
        for name, counts in other.statuses.items():
            self.statuses[name].update(counts)
        self.failures += other.failures

    @property
    def examples(self) -> int:
        return sum(sum(counts.values()) for counts in self.statuses.values())

    def never_succeeded(self) -> list[str]:
        return sorted(
            name for name, counts in self.statuses.items() if not any(s < 300 for s in counts)
        )


def checks() -> list[CheckFunction]:
    load_all_checks()
    return [CHECKS.get_one(name) for name in CHECKS.get_all_names() if name not in LEFT_OUT]


def campaign(world: World, role: str, examples: int) -> Tally:
    """Send `examples` requests to every operation as one role."""
    bearer = {"Authorization": f"Bearer {world.tokens[role]}"}
    schema = schemathesis.openapi.from_wsgi("/api/schema/", application, headers=bearer)
    tally, wanted = Tally(), checks()
    for found in schema.get_all_operations():
        operation = found.ok()

        def send(case: Case) -> None:
            with transaction.atomic():
                response = case.call(headers=bearer)
                tally.statuses[case.operation.label][response.status_code] += 1
                try:
                    case.validate_response(response, checks=wanted, headers=bearer)
                except FailureGroup as group:
                    tally.failures += [f"{role}: {_told(case, f)}" for f in group.exceptions]
                transaction.set_rollback(True)

        _run(send, _cases(world, operation), examples)
    return tally


def _run(send: Callable[[Case], None], cases: Any, examples: int) -> None:
    limits = settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    limits(given(cases)(lambda case: send(case)))()


def _cases(world: World, operation: Any) -> Any:
    """Addresses of what exists with bodies that do what they are for, and everything else."""
    known = known_parameters(world, operation.label)
    body = known_body(world, operation.label)
    fitting = {"generation_mode": GenerationMode.POSITIVE, "path_parameters": known}
    makers = [
        operation.as_strategy(**fitting, query={}, **({"body": body} if body else {})),
        operation.as_strategy(**fitting),
        operation.as_strategy(generation_mode=GenerationMode.POSITIVE),
    ]
    if operation.body or operation.query:
        makers.append(operation.as_strategy(GenerationMode.NEGATIVE, path_parameters=known))
    return st.one_of(makers)


def known_parameters(world: World, label: str) -> dict[str, Any]:
    """What the address of an operation names, so that something is there."""
    verb, _, path = label.partition(" ")
    known: dict[str, Any] = {"slug": world.project.slug, "kind": "sheet", "number": 1}
    known["key"] = "d1" if "/documents/" in path else "a"
    known["username"] = "annotator-a" if verb == "DELETE" else "engineer"
    if "/exports/" in path:
        known["kind"] = "requests"
    known["job_id"] = str(world.job.public_id)
    seat = {"retract": "sealed", "sheets": "sealed", "redo": "aside"}
    named = next((seat[part] for part in path.split("/") if part in seat), "held")
    known["seat_id"] = str(world.seats[named].public_id)
    return {name: value for name, value in known.items() if f"{{{name}}}" in path}


def known_body(world: World, label: str) -> Any:
    """A body with which an operation does what it is for; None where it needs none."""
    verb, _, path = label.partition(" ")
    if verb in ("GET", "DELETE"):
        return None
    act = path.rstrip("/").rpartition("/")[2]
    seat = world.seats["aside" if act == "redo" else "held"]
    if verb == "PUT" and act == "draft":
        return {"version": seat.draft_version, "draft": SHEET}
    if act in ("undo", "redo", "seal"):
        return {"version": seat.draft_version}
    return {
        "cannot-judge": {"reason": "not my field"},
        "imports": {"kind": "requests", "file": b'{"id":"z","class":"x","text":"Why?"}'},
        "{username}": {"roles": ["engineer"]},
        "{kind}": {"own": False},
    }.get(act)


def _told(case: Case, failure: BaseException) -> str:
    return f"{case.operation.label}: {failure}\n{case.as_curl_command()}"
