"""What a project has, read once for a whole file: requests that must exist, people that must
exist.
"""

from collections.abc import Mapping
from typing import Any

from annotation.importing.fields import Fields
from annotation.importing.look_alikes import look_alike_key
from annotation.importing.people import People
from annotation.importing.showing import quoted
from annotation.models import Person, Project, Request


class Known:
    """The requests and members of a project, read once for a whole file. `said` maps names of the
    file to user names.
    """

    def __init__(self, project: Project, said: Mapping[str, str] | None = None) -> None:
        self.requests = {r.key: r for r in project.requests.prefetch_related("turns")}
        self.people = People(project, said)
        self._alike = {look_alike_key(key): key for key in self.requests}

    def request(self, fields: Fields, column: str = "request") -> Request | None:
        key = fields.id(column)
        if key is None:
            return None
        request = self.requests.get(key)
        if request is None:
            alike = self._alike.get(look_alike_key(key))
            meant = f"; is “{alike}” meant? Write it exactly so" if alike else ""
            sentence = f"the project has no request {quoted(key)}{meant}."
            fields.fault(column, "unknown_request", sentence)
        return request

    def person(self, fields: Fields, column: str) -> Person | None:
        name = fields.text(column)
        return self.named(fields, column, name) if name else None

    def named(self, fields: Fields, column: str, name: str) -> Person | None:
        return self.people.named(fields, column, name)


class OncePerRequest:
    """A file in which a request (or a pair of request and person) may stand on one row only."""

    def __init__(self) -> None:
        self._first: dict[Any, int] = {}

    def check(self, fields: Fields, column: str, key: object, said: str) -> None:
        row = self._first.setdefault(key, fields.row)
        if row != fields.row:
            fields.fault(column, "duplicate_id", f"{said} stands on row {row} already.")
