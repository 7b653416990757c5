"""Twins and controls by rule: what else a request might have asked, and what it would then demand.
Pure: no Django, no clock; the same request gives the same proposals.
"""

from contracts.twins.controls import expansions
from contracts.twins.families import FAMILIES, families_for, propose
from contracts.twins.flips import Edit, Flip, Known, Proposer
from contracts.twins.validating import PairFault, Side, differing, faults_of_pair

__all__ = [
    "FAMILIES",
    "Edit",
    "Flip",
    "Known",
    "PairFault",
    "Proposer",
    "Side",
    "differing",
    "expansions",
    "families_for",
    "faults_of_pair",
    "propose",
]
