"""What of a candidate was in the project before the rules were: a person may have read it, though
nothing had scored it.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from evaluation.models import Arm, Run

REWRITES, LOGGED = "rewrites.imported", "run.imported"


@dataclass(frozen=True, slots=True)
class Brought:
    """Rows of an uploaded arm (`kind` of the Ledger's entry) and when the first of them came."""

    arm: str
    kind: str
    at: datetime

    def to_json(self) -> dict[str, Any]:
        return {"arm": self.arm, "kind": self.kind, "at": self.at.isoformat()}


def brought_before(run: Run, arm: Arm | None = None) -> tuple[Brought, ...]:
    """The rows of the run's uploaded arms, or of one, that were imported before its protocol was
    registered; () without a protocol.
    """
    if run.protocol is None:
        return ()
    uploaded = run.arms.filter(source=Arm.Source.UPLOADED)
    if arm is not None:
        uploaded = uploaded.filter(pk=arm.pk)
    names = {f"arm {name}": name for name in uploaded.values_list("name", flat=True)}
    entries = run.project.ledger.filter(kind__in=(REWRITES, LOGGED), subject__in=names)
    first: dict[tuple[str, str], datetime] = {}
    for subject, kind, at in entries.order_by("sequence").values_list("subject", "kind", "at"):
        first.setdefault((names[subject], kind), datetime.fromisoformat(at))
    return tuple(
        Brought(name, kind, at)
        for (name, kind), at in sorted(first.items())
        if at <= run.protocol.registered_at
    )
