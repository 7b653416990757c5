"""Files whose rows belong to one uploaded arm: an arm that exists, requests that exist, no row
twice, and nothing of a candidate for a request that people may still annotate.
"""

import re
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from annotation.canonical import content_hash
from annotation.importing.fields import Fields, composed
from annotation.importing.kinds import FileOfRows
from annotation.importing.known import Known, OncePerRequest
from annotation.importing.problems import Problems
from annotation.importing.rows import Row
from annotation.importing.showing import quoted
from annotation.models import Person, Project, Request
from annotation.services import ledger
from evaluation.importing.unknown import Unknown
from evaluation.models import Arm
from evaluation.services.showing import bring_in

MAX_ARM = 80
MOST_UNREAD = 10
_ARM = re.compile(r"[-\w]+", re.ASCII)

Reader = Callable[[Fields, Row], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class ArmRow:
    """What is stored for one request. `in_file` is False where the file has no row of it."""

    request: Request
    content: dict[str, Any]
    in_file: bool = True


class ArmFile(FileOfRows):
    """One row a request, all for the arm named by `target`."""

    target = "arm"
    required: ClassVar[tuple[str, ...]] = ("request",)
    keeps_others = True
    rows: ClassVar[Any]  # the model of a row: UploadedRewrite or UploadedRun
    other_rows: ClassVar[Any]  # the other of the two: both files of an arm combine
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
    def reader(self, project: Project, problems: Problems, unknown: Unknown) -> Reader | None:
        """Return what reads the content of one row, or None after adding why none can be read."""

    def check(
        self, project: Project, rows: Iterable[Row], problems: Problems, target: str
    ) -> list[ArmRow]:
        return self.check_rows(project, rows, problems, target, Unknown())

    def check_rows(
        self,
        project: Project,
        rows: Iterable[Row],
        problems: Problems,
        target: str,
        unknown: Unknown,
    ) -> list[ArmRow]:
        """Return the parsed rows; what the project does not have is counted in `unknown`."""
        known = Known(project)
        contracted = set(
            project.requests.filter(contracts__isnull=False).values_list("key", flat=True)
        )
        present = self._present(project, problems, target)
        read = self.reader(project, problems, unknown)
        others = self._others(project, target)
        once = OncePerRequest()
        unread: Counter[str] = Counter()
        parsed: list[ArmRow] = []
        for row in rows if read else ():
            if not _is_known(row, known, unknown) and unknown.allowed:
                continue
            fields = Fields(row, problems)
            request = known.request(fields)
            content = read(fields, row) if read else {}
            if rest := fields.rest_metadata("metadata"):
                content["metadata"] = rest
                unread.update(_unread(rest, row))
            if request is None:
                continue
            _check_blind(project, fields, request, contracted)
            once.check(fields, "request", request.key, quoted(request.key))
            if request.key in present:
                sentence = f"{quoted(request.key)} has a row of this arm already."
                fields.fault("request", "present", sentence)
            if not _searches_alike(content, others.get(request.key)):
                sentence = (
                    f"{quoted(request.key)} has other queries in the other file of this arm: leave "
                    "them out of one, or write the same in both."
                )
                fields.fault("queries", "contradiction", sentence)
            parsed.append(ArmRow(request, content))
        _tell_unread(unread, problems)
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
        return sum(row.in_file for row in parsed)

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

    def _others(self, project: Project, target: str) -> dict[str, dict[str, Any]]:
        """What the arm's other file says, by request id."""
        rows = self.other_rows.objects.filter(arm__project=project, arm__name=target)
        return dict(rows.values_list("request__key", "content"))

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


def _is_known(row: Row, known: Known, unknown: Unknown) -> bool:
    """Whether the row can be of a request of the project; what cannot be is counted."""
    key = row.values.get("request")
    if not isinstance(key, str) or composed(key) in known.requests:
        return True
    unknown.requests += 1
    return False


def _unread(rest: dict[str, Any], row: Row) -> set[str]:
    """The fields that nothing reads: what is kept as metadata and was not given as such."""
    given = row.values.get("metadata") or {}
    return rest.keys() - given.keys() if isinstance(given, dict) else set()


def _tell_unread(unread: Counter[str], problems: Problems) -> None:
    """Name them: a misspelt field would else be missed in silence."""
    if not unread:
        return
    told = ", ".join(f"{quoted(name)} in {n}" for name, n in unread.most_common(MOST_UNREAD))
    more = f" and {len(unread) - MOST_UNREAD} more" if len(unread) > MOST_UNREAD else ""
    problems.note(f"Fields that are not read, only kept as metadata: {told}{more}.")


def _searches_alike(content: dict[str, Any], other: dict[str, Any] | None) -> bool:
    """Whether both files of an arm name the same queries, where both name any."""
    if other is None or "kind" not in content or "kind" not in other:
        return True
    said = [
        (one["kind"], one.get("queries") or [], one.get("filters") or {})
        for one in (content, other)
    ]
    return said[0] == said[1]


def _check_blind(project: Project, fields: Fields, request: Request, contracted: set[str]) -> None:
    """No candidate's output is stored for a request that people may still annotate."""
    if project.takes_contracts and request.key not in contracted:
        fields.fault(
            "request",
            "no_contract",
            f"“{request.key}” has no approved contract yet: its rewrites may come only after it.",
        )
