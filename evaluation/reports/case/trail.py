"""The trail of a case in the ledger: what was sealed, decided and shown of its request and its run,
as far as the reader may see the ledger.
"""

from dataclasses import dataclass

from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from annotation.models import LedgerEntry, Person
from annotation.permissions import may
from annotation.services.exposure import KIND as EXPOSED
from annotation.views.paging import ON_A_PAGE
from annotation.withheld_entries import shown_ledger
from evaluation.models import Run
from evaluation.reports.case.trail_words import WORDS

MOST = 200  # entries of either kind that are shown


@dataclass(frozen=True, slots=True)
class EntryShown:
    """One entry of the ledger. `page` is that of the ledger on which it stands, 0 where the
    reader's ledger leaves entries out. `detail` says the version, the word, or what was shown.
    """

    sequence: int
    page: int
    at: str
    kind: str
    word: str | Promise
    subject: str
    who: str
    detail: str


@dataclass(frozen=True, slots=True)
class Trail:
    """The entries, the oldest first, those that say what somebody was shown apart."""

    entries: tuple[EntryShown, ...]
    exposures: tuple[EntryShown, ...]
    more: bool = False


def trail_of(*, reader: Person, run: Run, request: str) -> Trail | None:
    """Return the trail of a request in a run; None for a reader who may not see the ledger."""
    project = run.project
    if not may(reader, "see_ledger", project).allowed:
        return None
    ledger = shown_ledger(reader=reader, project=project)
    last = project.ledger.order_by("-sequence").values_list("sequence", flat=True).first() or 0
    rows = (
        ledger.entries.filter(_of_case(run, request)).select_related("actor").order_by("sequence")
    )
    found = list(rows[: 2 * MOST + 1])
    shown = [
        _entry(row, (last - row.sequence) // ON_A_PAGE + 1 if ledger.whole else 0) for row in found
    ]
    exposures = tuple(entry for entry in shown if entry.kind == EXPOSED)
    others = tuple(entry for entry in shown if entry.kind != EXPOSED)
    more = len(found) > 2 * MOST or max(len(exposures), len(others)) > MOST
    return Trail(others[:MOST], exposures[:MOST], more)


def _of_case(run: Run, request: str) -> Q:
    """What the entries of a case have as their subject. What was brought in with others is named
    with them, so every import before the run is listed.
    """
    subjects = [request, f"run {run.number}", f"conditions {run.conditions.sha256[:12]}"]
    if run.protocol:
        subjects.append(str(run.protocol))
    imported = Q(kind__in=("requests.imported", "corpus.frozen"))
    before = Q(at__lte=run.created_at.isoformat(timespec="microseconds"))
    return Q(subject__in=subjects) | imported & before


def _entry(row: LedgerEntry, page: int) -> EntryShown:
    return EntryShown(
        sequence=row.sequence,
        page=page,
        at=f"{row.at[:10]} {row.at[11:19]}",
        kind=row.kind,
        word=WORDS.get(row.kind, row.kind),
        subject=row.subject,
        who=row.actor.shown_name if row.actor else "",
        detail=_detail(row),
    )


def _detail(row: LedgerEntry) -> str:
    """What tells entries of one kind apart; never a name."""
    said = row.content
    if row.kind == "contract.approved":
        return _("version %(n)s") % {"n": said.get("version", "")}
    if row.kind.startswith("judgement."):
        return f"{said.get('constraint', '')}: {said.get('judgement', '')}"
    if row.kind == EXPOSED:
        return str(said.get("what", ""))
    if row.kind.startswith("answer."):
        return _("run %(n)s") % {"n": said.get("run", "")}
    return ""
