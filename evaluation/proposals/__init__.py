"""What a request plainly demands, read from its own words where nobody approved a contract."""

from evaluation.proposals.proposing import CERTAIN, Proposal, contract_of, propose
from evaluation.proposals.unresolved import unresolved_words

__all__ = ["CERTAIN", "Proposal", "contract_of", "propose", "unresolved_words"]
