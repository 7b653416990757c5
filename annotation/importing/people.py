"""Whom a file means: a member by user name or by pseudonym, or by a name from elsewhere of which
the person who imports says whose it is. Nobody is ever made a member by a file.
"""

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from django.utils.translation import gettext_lazy as _

from annotation.erased import ErasedNames
from annotation.importing.fields import Fields
from annotation.importing.kinds import FileKind, Option
from annotation.importing.problems import Problems
from annotation.importing.rows import Row
from annotation.importing.showing import quoted
from annotation.importing.source import Source
from annotation.models import Person, Project
from annotation.services.exports import keep_pseudonyms

PEOPLE = Option(
    "people",
    _("Who is who"),
    help=_("names in the file and members here, such as p1=anna, p2=ben; empty: as the file says"),
)


class People:
    """Everybody who ever was a member of the project, read once for a whole file. `said` maps
    names of the file to user names.
    """

    def __init__(self, project: Project, said: Mapping[str, str] | None = None) -> None:
        members = list(project.memberships.select_related("person"))
        self.by_username = {m.person.username: m.person for m in members}
        self._by_pseudonym = {m.pseudonym: m.person for m in members}
        self._said = said or {}
        self._told: set[str] = set()
        self._erased = ErasedNames(project)

    def named(self, fields: Fields, column: str, name: str) -> Person | None:
        """The member whom the name means; a fault when there is none, or two."""
        meant = self._said.get(name, name)
        person = self.by_username.get(meant)
        if name not in self._said and self._was_anothers(fields, column, name, person):
            return None
        if name in self._said or self._is_two(fields, column, name, person):
            hidden = None
        else:
            hidden = self._by_pseudonym.get(name) if person is None else None
        if hidden:
            self._tell(fields, column, name, hidden)
        found = person or hidden
        if found is None:
            who = quoted(name) if meant == name else f"{quoted(meant)}, who is {quoted(name)},"
            fields.fault(
                column, "unknown_person", f"{who} is not a member of the project: add them first."
            )
        return found

    def _was_anothers(self, fields: Fields, column: str, name: str, person: Person | None) -> bool:
        """Whether a member has the user name that an erased person had: the file may be older."""
        if person is None or name not in self._erased:
            return False
        fields.fault(
            column,
            "erased_name",
            f"{quoted(name)} was the user name of somebody who is erased, and is a member's now: "
            f"say whom it means, such as {name}={name}.",
        )
        return True

    def _is_two(self, fields: Fields, column: str, name: str, person: Person | None) -> bool:
        hidden = self._by_pseudonym.get(name)
        if person is None or hidden is None or hidden == person:
            return False
        fields.fault(
            column,
            "two_people",
            f"{quoted(name)} is the user name of one member and the pseudonym of another: "
            f"say whom it means, such as {name}={person.username}.",
        )
        return True

    def _tell(self, fields: Fields, column: str, name: str, person: Person) -> None:
        """A pseudonym of another project would be somebody else here, so it is said, once."""
        if name not in self._told:
            self._told.add(name)
            sentence = f"{quoted(name)} is read as {quoted(person.username)}, whose pseudonym it is"
            fields.warn(column, "pseudonym", f"{sentence} in this project.")


@dataclass(frozen=True)
class Taken:
    """The parsed rows of a file of people, and what was said of its names."""

    rows: list[Any]
    said: Mapping[str, str]


class FileOfPeople(FileKind):
    """A kind of file in which people stand. What is said of their names also keeps their
    pseudonyms, as long as no export has handed others out.
    """

    options: ClassVar[tuple[Option, ...]] = (PEOPLE,)

    @abstractmethod
    def read(
        self, project: Project, rows: Iterable[Row], problems: Problems, said: Mapping[str, str]
    ) -> list[Any]:
        """Return the parsed rows, as the `check` of a FileOfRows does."""

    @abstractmethod
    def write(self, project: Project, rows: list[Any], actor: Person) -> int:
        """Write the parsed rows, as `load` does."""

    def take(self, project: Project, source: Source, problems: Problems, target: str) -> Taken:
        said = who_is_who(source.options.get(PEOPLE.name, ""), problems)
        rows = source.rows(problems, self.shape)
        return Taken(self.read(project, rows, problems, said), said)

    def load(self, project: Project, parsed: Taken, actor: Person, target: str) -> int:
        if parsed.said:
            keep_pseudonyms(actor=actor, project=project, people=parsed.said)
        return self.write(project, parsed.rows, actor)


def who_is_who(text: str, problems: Problems) -> dict[str, str]:
    """Read “p1=anna, p2=ben”; two names of the file may be one person, one name is never two."""
    said: dict[str, str] = {}
    for pair in filter(None, (part.strip() for part in text.split(","))):
        name, sign, username = (part.strip() for part in pair.partition("="))
        if not (name and sign and username) or said.get(name, username) != username:
            problems.add(
                None,
                PEOPLE.name,
                "bad_people",
                f"{quoted(pair)} does not say who is who: write p1=anna, p2=ben, each name once.",
            )
        said[name] = username
    return said
