"""The two requests of a pair as the validator takes them."""

from annotation.models import Request
from contracts.models import TwinDraft
from contracts.terms import ContractTerms
from contracts.twins.validating import Side


def base_side(draft: TwinDraft) -> Side:
    """The base as the validator takes it."""
    return side_of(draft.base.request, draft.base.terms)


def side_of(request: Request, terms: ContractTerms) -> Side:
    """A request that stands, with what its contract says."""
    documents = frozenset(key for item in request.evidence or () for key in item)
    return Side(tuple(request.texts), terms, tuple(request.answers or ()), documents)


def twin_side(draft: TwinDraft) -> Side:
    """The twin as it is drafted."""
    return Side(tuple(draft.texts), draft.contract_terms, tuple(draft.answers), draft.documents)
