"""Files whose rows belong to one uploaded arm: an arm that exists, requests that exist, no row
twice, and nothing of a candidate for a request that people may still annotate.
"""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from annotation.canonical import content_hash
from annotation.importing.fields import Fields
from annotation.importing.kinds import FileKind
from annotation.importing.problems import Problems
from annotation.importing.reading import Row
from annotation.models import Person, Project, Request
from annotation.services import ledger
from contracts.importing.rows import Known
from evaluation.models import Arm

Reader = Callable[[Fields], dict[str, Any]]


@dataclass(frozen=True)
class ArmRow:
    request: Request
    content: dict[str, Any]


class ArmFile(FileKind):
    """One row a request, all for the arm named by `target`."""

    target = "arm"
    rows: ClassVar[Any]  # the model of a row: UploadedRewrite or UploadedRun
    entry: ClassVar[str]  # the kind of the ledger's entry

    @abstractmethod
    def reader(self, project: Project, problems: Problems) -> Reader | None:
        """Return what reads the content of one row, or None after adding why none can be read."""

    def check(
        self, project: Project, rows: Sequence[Row], problems: Problems, target: str
    ) -> list[ArmRow]:
        known = Known(project)
        contracted = set(
            project.requests.filter(contracts__isnull=False).values_list("key", flat=True)
        )
        present = self._present(project, problems, target)
        read = self.reader(project, problems)
        parsed: list[ArmRow] = []
        for row in rows if read else ():
            fields = Fields(row, problems)
            request = known.request(fields)
            content = read(fields) if read else {}
            if request is None:
                continue
            _check_blind(project, fields, request, contracted)
            if request.key in present:
                fields.fault("request", "duplicate_id", f"“{request.key}” has a row already.")
            present.add(request.key)
            parsed.append(ArmRow(request, content))
        return parsed

    def load(self, project: Project, parsed: list[ArmRow], actor: Person, target: str) -> int:
        arm, _created = Arm.objects.get_or_create(
            project=project, name=target, defaults={"source": Arm.Source.UPLOADED}
        )
        self.rows.objects.bulk_create(
            [self.rows(arm=arm, request=row.request, content=row.content) for row in parsed]
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
        return len(parsed)

    def _present(self, project: Project, problems: Problems, target: str) -> set[str]:
        """Check the arm's name; return the request ids that it has rows for already."""
        if not target or target in Arm.RESERVED:
            problems.add(
                None, "", "bad_arm", "name the arm with --arm; original and human are taken."
            )
            return set()
        arm = project.arms.filter(name=target).first()
        if arm is None:
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
