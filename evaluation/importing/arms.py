"""Files whose rows belong to one uploaded arm: an arm that exists, requests that exist, no row
twice, and nothing of a candidate for a request that people may still annotate.
"""

import re
from abc import abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from annotation.canonical import content_hash
from annotation.importing.fields import Fields
from annotation.importing.kinds import FileOfRows
from annotation.importing.known import Known, OncePerRequest
from annotation.importing.problems import Problems
from annotation.importing.rows import Row
from annotation.importing.showing import quoted
from annotation.models import Person, Project, Request
from annotation.services import ledger
from evaluation.models import Arm
from evaluation.services.showing import bring_in

MAX_ARM = 80
_ARM = re.compile(r"[-\w]+", re.ASCII)

Reader = Callable[[Fields], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class ArmRow:
    request: Request
    content: dict[str, Any]


class ArmFile(FileOfRows):
    """One row a request, all for the arm named by `target`."""

    target = "arm"
    required: ClassVar[tuple[str, ...]] = ("request",)
    keeps_others = True
    rows: ClassVar[Any]  # the model of a row: UploadedRewrite or UploadedRun
    entry: ClassVar[str]  # the kind of the ledger's entry

    def target_fault(self, target: str) -> tuple[str, str] | None:
        if not target or target.casefold() in Arm.RESERVED:
            return "bad_arm", "name the arm that the rows belong to; original and human are taken."
        if len(target) > MAX_ARM or not _ARM.fullmatch(target):
            return "bad_arm", (
                f"the arm {quoted(target)} must have a name of at most {MAX_ARM} letters, digits, "
                "hyphens and underscores (a to z)."
            )
        return None

    @abstractmethod
    def reader(self, project: Project, problems: Problems) -> Reader | None:
        """Return what reads the content of one row, or None after adding why none can be read."""

    def check(
        self, project: Project, rows: Iterable[Row], problems: Problems, target: str
    ) -> list[ArmRow]:
        known = Known(project)
        contracted = set(
            project.requests.filter(contracts__isnull=False).values_list("key", flat=True)
        )
        present = self._present(project, problems, target)
        read = self.reader(project, problems)
        once = OncePerRequest()
        parsed: list[ArmRow] = []
        for row in rows if read else ():
            fields = Fields(row, problems)
            request = known.request(fields)
            content = read(fields) if read else {}
            if others := fields.rest_metadata("metadata"):
                content["metadata"] = others
            if request is None:
                continue
            _check_blind(project, fields, request, contracted)
            once.check(fields, "request", request.key, quoted(request.key))
            if request.key in present:
                sentence = f"{quoted(request.key)} has a row of this arm already."
                fields.fault("request", "present", sentence)
            parsed.append(ArmRow(request, content))
        return parsed

    def load(self, project: Project, parsed: list[ArmRow], actor: Person, target: str) -> int:
        arm, _created = Arm.objects.get_or_create(
            project=project, name=target, defaults={"source": Arm.Source.UPLOADED}
        )
        self.rows.objects.bulk_create(
            (self.rows(arm=arm, request=row.request, content=row.content) for row in parsed),
            batch_size=500,
        )
        ledger.record(
            project=project,
            kind=self.entry,
            subject=f"arm {target}",
            content={
                "rows": len(parsed),
                "sha256": content_hash([[row.request.key, row.content] for row in parsed]),
            },
            actor=actor,
        )
        bring_in(actor=actor, project=project, keys=[row.request.key for row in parsed])
        return len(parsed)

    def lacking(self, project: Project, parsed: list[ArmRow], target: str) -> list[Request]:
        """The requests that may have a row of the arm and have none, in the project's order."""
        had = {row.request.key for row in parsed}
        had |= set(
            self.rows.objects.filter(arm__project=project, arm__name=target).values_list(
                "request__key", flat=True
            )
        )
        asked = project.requests.all()
        if project.takes_contracts:
            asked = asked.filter(contracts__isnull=False).distinct()
        return [request for request in asked if request.key not in had]

    def tell_coverage(
        self, project: Project, parsed: list[ArmRow], problems: Problems, target: str
    ) -> None:
        """Count the requests that the file leaves out, and those whose evidence nobody judged."""
        lacking = len(self.lacking(project, parsed, target))
        problems.note(
            f"{len(parsed)} requests are in the file; {lacking} that could have a row of the arm "
            "have none."
        )
        if unjudged := sum(1 for row in parsed if not row.request.evidence):
            problems.note(
                f"{unjudged} of {len(parsed)} requests have no evidence recorded: evidence is not "
                "scored for them."
            )

    def _present(self, project: Project, problems: Problems, target: str) -> set[str]:
        """Check what the arm is; return the request ids that it has rows for already."""
        arm = next((a for a in project.arms.all() if a.name.casefold() == target.casefold()), None)
        if arm is None:
            return set()
        if arm.name != target:
            sentence = f"the arm “{target}” looks like the arm “{arm.name}”: write it the same way."
            problems.add(None, "", "bad_arm", sentence)
            return set()
        if arm.source != Arm.Source.UPLOADED:
            problems.add(None, "", "bad_arm", f"the arm “{target}” is run here, not uploaded.")
            return set()
        return set(self.rows.objects.filter(arm=arm).values_list("request__key", flat=True))


def _check_blind(project: Project, fields: Fields, request: Request, contracted: set[str]) -> None:
    """No candidate's output is stored for a request that people may still annotate."""
    if project.takes_contracts and request.key not in contracted:
        fields.fault(
            "request",
            "no_contract",
            f"“{request.key}” has no approved contract yet: its rewrites may come only after it.",
        )
