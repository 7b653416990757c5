"""Adjudication: two sealed Sheets, each difference decided once, one Contract. The acts stand in
`contracts.services.bench`, by what they do.
"""

from annotation.services.projects import Refused
from contracts.models import Adjudication
from contracts.services.bench.approving import approve, approve_agreed, settled_terms
from contracts.services.bench.deciding import (
    confirm,
    decide,
    give_reason,
    take_all,
    take_back,
    take_back_last,
    write_note,
    write_rewrites,
)
from contracts.services.bench.opening import may_go_on, open_adjudication, put_down
from contracts.services.bench.returning import send_back, take_as_it_was
from contracts.services.bench.rows import (
    further_sheets,
    is_open,
    named,
    presence_of,
    rows_of,
    undecided,
)
from contracts.services.bench.waiting import Waiting, queue, requests_annotated_by, waiting

__all__ = [
    "Adjudication",
    "Refused",
    "Waiting",
    "approve",
    "approve_agreed",
    "confirm",
    "decide",
    "further_sheets",
    "give_reason",
    "is_open",
    "may_go_on",
    "named",
    "open_adjudication",
    "presence_of",
    "put_down",
    "queue",
    "requests_annotated_by",
    "rows_of",
    "send_back",
    "settled_terms",
    "take_all",
    "take_as_it_was",
    "take_back",
    "take_back_last",
    "undecided",
    "waiting",
    "write_note",
    "write_rewrites",
]
