"""A run whose workers end again and again at the same row is given up, not tried for ever."""

from django.db import transaction

from annotation.services import ledger
from evaluation.models import SuiteRun

KIND = "suite.taken_over"
MOST_AT_ONE_ROW = 3


def taken_over(run: SuiteRun) -> bool:
    """Record that the run was taken from a worker that ended without giving it back; whether that
    happened too often without a new row in between. Going on with the run begins the count anew.
    """
    subject = f"suite run {run.number}"
    rows = run.rows.count()
    with transaction.atomic():
        ledger.record(
            project=run.project, kind=KIND, subject=subject, content={"rows": rows}, actor=None
        )
    told = run.project.ledger.filter(subject=subject, kind__in=[KIND, "suite.resumed"])
    newest = list(told.order_by("-sequence").values_list("kind", "content")[:MOST_AT_ONE_ROW])
    return len(newest) == MOST_AT_ONE_ROW and all(
        kind == KIND and content["rows"] == rows for kind, content in newest
    )
