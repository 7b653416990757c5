"""People and their words: who takes part, what was asked, what was written, and the record of
every sealing.
"""

from annotation.models.access import ApiToken, Attempts, IdempotentReply
from annotation.models.corpus import Corpus, Document
from annotation.models.imports import ImportJob, ImportRecord
from annotation.models.ledger import LedgerEntry
from annotation.models.people import Membership, Person, Project, Role
from annotation.models.requests import Request, RequestClass, Turn
from annotation.models.rules import Consent, Guideline, Invitation
from annotation.models.work import HumanRewrite, Need, Revision, Seat
from annotation.models.workers import Heartbeat

__all__ = [
    "ApiToken",
    "Attempts",
    "Consent",
    "Corpus",
    "Document",
    "Guideline",
    "Heartbeat",
    "HumanRewrite",
    "IdempotentReply",
    "ImportJob",
    "ImportRecord",
    "Invitation",
    "LedgerEntry",
    "Membership",
    "Need",
    "Person",
    "Project",
    "Request",
    "RequestClass",
    "Revision",
    "Role",
    "Seat",
    "Turn",
]
