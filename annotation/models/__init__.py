"""People and their words: who takes part, what was asked, what was written, and the record of
every sealing.
"""

from annotation.models.corpus import Corpus, Document
from annotation.models.imports import ImportRecord
from annotation.models.ledger import LedgerEntry
from annotation.models.people import Membership, Person, Project, Role
from annotation.models.requests import Request, RequestClass, Turn
from annotation.models.work import HumanRewrite, Seat

__all__ = [
    "Corpus",
    "Document",
    "HumanRewrite",
    "ImportRecord",
    "LedgerEntry",
    "Membership",
    "Person",
    "Project",
    "Request",
    "RequestClass",
    "Role",
    "Seat",
    "Turn",
]
