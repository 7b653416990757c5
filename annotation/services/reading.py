"""Drafts that a program sent: what each kind of work refuses in them, and where."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.services.projects import Refused


@dataclass(frozen=True, slots=True)
class DraftFault:
    """One fault: `pointer` is a JSON pointer (RFC 6901) into what was sent, "" for all of it."""

    pointer: str
    code: str
    message: str

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


class Unreadable(Refused):
    """The draft that was sent cannot be kept: `faults` say what to mend."""

    def __init__(self, faults: Sequence[DraftFault]) -> None:
        said = ngettext("The draft has %(n)d fault:", "The draft has %(n)d faults:", len(faults))
        first = faults[0].message if faults else _("it cannot be read.")
        super().__init__(f"{said % {'n': len(faults)}} {first}")
        self.faults = list(faults)
