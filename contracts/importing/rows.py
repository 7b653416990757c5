"""What the files of this app have in common: a request that must exist, people that must exist,
terms that must fit.
"""

from annotation.importing.fields import Fields
from annotation.models import Person, Project, Request
from contracts.checking import faults_of_terms
from contracts.terms import KINDS, ContractTerms


class Known:
    """The requests and members of a project, read once for a whole file."""

    def __init__(self, project: Project) -> None:
        self.requests = {r.key: r for r in project.requests.prefetch_related("turns")}
        self.people = {
            m.person.username: m.person for m in project.memberships.select_related("person")
        }

    def request(self, fields: Fields, column: str = "request") -> Request | None:
        key = fields.id(column)
        if key is None:
            return None
        request = self.requests.get(key)
        if request is None:
            fields.fault(column, "unknown_request", f"the project has no request “{key}”.")
        return request

    def person(self, fields: Fields, column: str) -> Person | None:
        name = fields.text(column)
        return self.named(fields, column, name) if name else None

    def named(self, fields: Fields, column: str, name: str) -> Person | None:
        person = self.people.get(name)
        if person is None:
            fields.fault(
                column,
                "unknown_person",
                f"“{name}” is not a member of the project: add them first.",
            )
        return person


def read_terms(fields: Fields, request: Request | None) -> ContractTerms | None:
    """Read constraints, ambiguity and admissible rewrites; every fault goes to its column."""
    constraints = fields.objects("constraints")
    ambiguity = fields.object("ambiguity")
    admissible = fields.texts("admissible_rewrites") or []
    if constraints is None:
        fields.fault("constraints", "missing", "the column “constraints” is missing.")
        return None
    for position, constraint in enumerate(constraints, start=1):
        if not _shaped(fields, position, constraint):
            return None
    terms = ContractTerms.from_json(
        {"constraints": constraints, "ambiguity": ambiguity, "admissible_rewrites": admissible}
    )
    faults = faults_of_terms(terms, request.texts) if request else []
    for fault in faults:
        fields.fault("constraints", "bad_constraint", fault)
    return None if faults else terms


def _shaped(fields: Fields, position: int, constraint: dict[str, object]) -> bool:
    span = constraint.get("span")
    faults = [
        message
        for holds, message in (
            (isinstance(constraint.get("id"), str) and constraint.get("id"), "“id” must be a text"),
            (constraint.get("kind") in KINDS, f"“kind” must be one of {', '.join(KINDS)}"),
            (
                constraint.get("materiality") in ("critical", "minor"),
                "“materiality” must be critical or minor",
            ),
            (isinstance(constraint.get("value"), dict), "“value” must be an object"),
            (span is None or _is_span(span), "“span” must have turn, start and end as numbers"),
        )
        if not holds
    ]
    for message in faults:
        fields.fault("constraints", "bad_constraint", f"constraint {position}: {message}.")
    return not faults


def _is_span(span: object) -> bool:
    return isinstance(span, dict) and all(
        isinstance(span.get(key), int) and not isinstance(span.get(key), bool)
        for key in ("turn", "start", "end")
    )
