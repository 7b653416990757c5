"""What a request demands: the sheets that people sealed, how they were settled, and the contract
that came of it.
"""

from contracts.models.adjudication import Adjudication, Decision
from contracts.models.agreement import Admission, AgreementSnapshot
from contracts.models.contract import Contract
from contracts.models.fixtures import CONTROL, FAMILIES, Control, TwinPair
from contracts.models.sheets import Constraint, Sheet
from contracts.models.training import Gold, PracticeSheet, Training
from contracts.models.twins import TwinDraft

__all__ = [
    "CONTROL",
    "FAMILIES",
    "Adjudication",
    "Admission",
    "AgreementSnapshot",
    "Constraint",
    "Contract",
    "Control",
    "Decision",
    "Gold",
    "PracticeSheet",
    "Sheet",
    "Training",
    "TwinDraft",
    "TwinPair",
]
