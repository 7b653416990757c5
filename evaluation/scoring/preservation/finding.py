"""What a matcher gets and gives, and the register of matchers by kind."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from contracts.terms import ConstraintTerms, ContractTerms
from evaluation.records import RequestText, Rewrite
from evaluation.scoring.preservation.filters import FilterTerm, read_filters
from evaluation.scoring.preservation.text import Text, read_text

VERSION = 5
# How many characters of one query or filter value are read: a search is never this long.
READ_AT_MOST = 20_000
# How many characters of all queries together: it bounds the time that one rewrite can take.
READ_IN_ALL = 40_000


@dataclass(frozen=True, slots=True)
class Finding:
    """A judgement with the words that decided it: an exact part of a query or filter, or empty."""

    judgement: str
    quote: str
    why: str


@dataclass(frozen=True)
class Reading:
    """One rewrite, read beside its request and contract. Every matcher sees the same reading."""

    request: RequestText
    contract: ContractTerms
    rewrite: Rewrite

    @cached_property
    def queries(self) -> tuple[Text, ...]:
        left, found = READ_IN_ALL, []
        for query in self.rewrite.queries:
            read = query[: min(READ_AT_MOST, left)]
            left -= len(read)
            found.append(read_text(read))
        return tuple(found)

    @property
    def cut(self) -> str:
        """What was read where that is not everything, as the subject of a sentence; else ""."""
        shown = (item.shown for item in read_filters(self.rewrite.filters))
        if any(len(text) > READ_AT_MOST for text in (*self.rewrite.queries, *shown)):
            return f"Only the first {READ_AT_MOST} characters of a query or filter were read"
        if sum(map(len, self.rewrite.queries)) > READ_IN_ALL:
            return f"Only the first {READ_IN_ALL} characters of all queries together were read"
        return ""

    @cached_property
    def filters(self) -> tuple[FilterTerm, ...]:
        return tuple(
            replace(item, value=item.shown[:READ_AT_MOST])
            if len(item.shown) > READ_AT_MOST
            else item
            for item in read_filters(self.rewrite.filters)
        )

    @cached_property
    def turns(self) -> tuple[Text, ...]:
        """Earlier turns, oldest first."""
        return tuple(read_text(turn.text) for turn in self.request.turns)

    @cached_property
    def asked(self) -> Text:
        """The current text of the request."""
        return read_text(self.request.text)

    @cached_property
    def emitted_roots(self) -> frozenset[str]:
        """The roots of every word that the rewrite emits, filters included."""
        texts = (*self.queries, *(item.text for item in self.filters))
        return frozenset(root for text in texts for root in text.roots)

    @cached_property
    def known_roots(self) -> frozenset[str]:
        """The roots of every word of the request and its turns."""
        return frozenset(root for text in (*self.turns, self.asked) for root in text.roots)

    @cached_property
    def known_words(self) -> frozenset[str]:
        """The folded words of the request, its turns and the contract's values."""
        texts = [*self.turns, self.asked]
        for constraint in self.contract.constraints:
            for value in (*constraint.value.values(), constraint.admissible):
                parts = value if isinstance(value, list | tuple) else (value,)
                texts += [read_text(part) for part in parts if isinstance(part, str)]
        return frozenset(word.text for text in texts for word in text.words)

    @cached_property
    def contract_names(self) -> tuple[str, ...]:
        """Every name, alias, admissible form and compared set that the contract has of a thing."""
        names: list[str] = []
        for constraint in self.contract.constraints:
            value = constraint.value
            if constraint.kind == "referent":
                names += [value.get("name") or "", *(value.get("aliases") or ())]
                names += constraint.admissible
            elif constraint.kind == "comparison":
                names += value.get("sets") or ()
        return tuple(dict.fromkeys(str(name) for name in names if name))

    @cached_property
    def granted_roots(self) -> frozenset[str]:
        """The roots of every word of the request, its turns, and the contract."""
        parts = (
            part
            for constraint in self.contract.constraints
            for value in (*constraint.value.values(), constraint.admissible)
            for part in (value if isinstance(value, list | tuple) else (value,))
        )
        return self.known_roots | {root for part in parts for root in read_text(str(part)).roots}

    def span_text(self, constraint: ConstraintTerms) -> str:
        """The words of the request that a constraint marks, or "" when it marks none."""
        span, texts = constraint.span, self.request.texts
        if span is None or not 0 <= span.turn < len(texts):
            return ""
        return texts[span.turn][span.start : span.end]

    def others(self, constraint: ConstraintTerms) -> Iterator[ConstraintTerms]:
        """The other constraints of the same kind."""
        same = (c for c in self.contract.constraints if c.kind == constraint.kind)
        return (c for c in same if c.id != constraint.id)


Matcher = Callable[[ConstraintTerms, Reading], Finding]
MATCHERS: dict[str, Matcher] = {}


def matcher(kind: str) -> Callable[[Matcher], Matcher]:
    """Register the decorated function as the matcher of a kind; two for one kind is a
    ValueError."""

    def register(function: Matcher) -> Matcher:
        if kind in MATCHERS:
            raise ValueError(f"There are two matchers for the kind “{kind}”; remove one.")
        MATCHERS[kind] = function
        return function

    return register


def stated(quote: str, why: str) -> Finding:
    return Finding("stated", quote, why)


def filtered(quote: str, why: str) -> Finding:
    return Finding("filtered", quote, why)


def altered(quote: str, why: str) -> Finding:
    return Finding("altered", quote, why)


def dropped(why: str) -> Finding:
    return Finding("dropped", "", why)


def unsure(quote: str, why: str) -> Finding:
    return Finding("unsure", quote, why)
