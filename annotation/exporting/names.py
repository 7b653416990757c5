"""Under which name a person stands in an export: the pseudonym of their membership, or their user
name where an owner wants it. Former members keep theirs.
"""

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from annotation.models import Project

NOBODY = "p0"  # somebody who never was a member of the project
_NUMBERED = re.compile(r"(\D*)(\d+)")


class Names:
    """The names of everybody who ever was a member, read once."""

    def __init__(self, project: Project, *, named: bool = False) -> None:
        self.named = named
        members = project.memberships.values_list("person_id", "pseudonym", "person__username")
        self._pseudonyms = {person: pseudonym for person, pseudonym, _name in members}
        self._usernames = {person: name for person, _pseudonym, name in members}
        self._by_username = {name: pseudonym for _person, pseudonym, name in members}

    def of(self, person_id: int | None) -> str:
        """The name of a person; nothing for nobody."""
        if person_id is None:
            return ""
        return (self._usernames if self.named else self._pseudonyms).get(person_id, NOBODY)

    def place(self, person_id: int) -> tuple[str, int, str]:
        """What people are sorted by, whatever they are called: p2 comes before p10."""
        return place(self._pseudonyms.get(person_id, NOBODY))

    def without_usernames(self, value: Any) -> Any:
        """The value with every text that is exactly a member's user name replaced; roles are left
        as they are.
        """
        if self.named:
            return value
        if isinstance(value, str):
            return self._by_username.get(value, value)
        if isinstance(value, dict):
            return {
                key: part if key == "roles" else self.without_usernames(part)
                for key, part in value.items()
            }
        if isinstance(value, list):
            return [self.without_usernames(part) for part in value]
        return value


def place(pseudonym: str) -> tuple[str, int, str]:
    found = _NUMBERED.fullmatch(pseudonym)
    return (found[1], int(found[2]), "") if found else (pseudonym, 0, pseudonym)


def sorted_names(names: Iterable[str]) -> list[str]:
    return sorted(names, key=place)


def moment(at: datetime | None) -> str | None:
    """A time as exports write it: UTC, always with six digits after the point."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")[:-6] + "Z" if at else None
