"""A flip: one decisive qualifier of a request changed in the words and in the typed value alike, so
that the request and its twin differ in nothing else. Pure: values in, values out.

A proposer of a family says which words change into which (`Edit`) and what the value then is;
`Asked.flip` changes the texts, moves every span to where its words now stand, and gives up where
the change would touch another constraint.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from contracts.comparing import comparable
from contracts.terms import Ambiguity, ConstraintTerms, ContractTerms, Span
from contracts.twins.words import (
    ARTICLE_BEFORE,
    Carry,
    article,
    between_letters,
    cased,
    dropped,
    holds,
)

SHOWN = 48  # characters of a span that are shown as a whole; of longer ones only what changed


@dataclass(frozen=True, slots=True)
class Known:
    """What the study has, for proposers; all of it may be missing. A name that a request itself has
    must stand here too, or no flip can lead back to it and none is proposed.
    """

    names: tuple[str, ...] = ()  # referents' names in the contracts of the study, most used first
    groups: tuple[tuple[str, ...], ...] = ()  # names that belong together (parent, subsidiary, …)


@dataclass(frozen=True, slots=True)
class Flip:
    """A twin of a request as a proposal, in the shapes that a request and a contract have."""

    family: str
    constraint: str  # id of the flipped constraint, the same in both contracts
    texts: tuple[str, ...]  # texts of the turns, the current text last (as Request.texts)
    terms: ContractTerms  # the twin's contract, spans moved to where the words now stand
    was: str
    now: str  # the words changed, for "before 2021 → after 2021"


@dataclass(frozen=True, slots=True)
class Edit:
    """Words that take the place of those from `start` to `end` (code points) of a turn."""

    turn: int
    start: int
    end: int
    words: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A request with the constraint that is to be flipped."""

    texts: tuple[str, ...]
    terms: ContractTerms
    constraint: ConstraintTerms
    span: Span  # of the constraint

    @property
    def text(self) -> str:
        """The turn in which the constraint's words stand."""
        return self.texts[self.span.turn]

    @property
    def words(self) -> str:
        """The constraint's words."""
        return self.text[self.span.start : self.span.end]

    @property
    def value(self) -> Mapping[str, Any]:
        """The constraint's typed value."""
        return self.constraint.value

    def edit(self, start: int, end: int, words: str) -> Edit:
        """Return an edit of the constraint's turn."""
        return Edit(self.span.turn, start, end, words)

    def flip(
        self,
        family: str,
        edits: Sequence[Edit],
        value: Mapping[str, Any],
        *,
        carry: Carry = dropped,
        carry_whole: Carry | None = None,
        shown: tuple[str, str] | None = None,
        ambiguity: Ambiguity | None = None,
    ) -> Iterator[Flip]:
        """Yield the flip that the edits make; nothing where they touch another constraint, cut a
        span or a letter in two, or leave a reading of an unresolved request as it was.

        `value` has the fields that change; `carry` turns other wordings of the constraint, and
        `carry_whole` those of the whole request. `shown` are the words for `was` and `now` where
        the span does not show them; `ambiguity` is the twin's where it is another.
        """
        whole = carry_whole or carry
        edits = _with_articles(self.texts, edits)
        spans = [moved(one.span, edits) for one in self.terms.constraints]
        both = list(zip(self.terms.constraints, spans, strict=True))
        if not edits or any(one.span and not at for one, at in both):
            return
        if any(_touches(self, one, edit) for one, _ in both for edit in edits):
            return
        readings = ambiguity or _carried(self.terms.ambiguity, whole)
        if readings is None:
            return
        constraints = tuple(
            self._flipped(value, at, carry) if one is self.constraint else replace(one, span=at)
            for one, at in both
        )
        rewrites = tuple(kept for old in self.terms.admissible_rewrites if (kept := whole(old)))
        new = edited(self.texts, edits)
        at = next(at for one, at in both if one is self.constraint)
        was, now = shown or self._shown(new, at, edits)
        terms = ContractTerms(constraints, readings, rewrites)
        yield Flip(family, self.constraint.id, new, terms, was, now)

    def _flipped(
        self, value: Mapping[str, Any], span: Span | None, carry: Carry
    ) -> ConstraintTerms:
        wordings = tuple(new for old in self.constraint.admissible if (new := carry(old)))
        value = {**self.value, **value}
        return replace(self.constraint, value=value, span=span, admissible=wordings)

    def _shown(self, new: Sequence[str], at: Span | None, edits: Sequence[Edit]) -> tuple[str, str]:
        """The span's words before and after; of a long span only the words that changed."""
        if at and len(self.words) <= SHOWN:
            return self.words, new[at.turn][at.start : at.end]
        first = edits[0]
        return self.texts[first.turn][first.start : first.end], first.words


Proposer = Callable[[Asked, Known], Iterator[Flip]]


def _carried(ambiguity: Ambiguity, carry: Carry) -> Ambiguity | None:
    """The readings as the twin's; None where one of them has nothing to turn."""
    readings = tuple(new for old in ambiguity.readings if (new := carry(old)))
    same = len(readings) == len(ambiguity.readings)
    return Ambiguity(ambiguity.unresolved, readings) if same else None


# ---------------------------------------------------------------- changing words, moving spans


def edited(texts: Sequence[str], edits: Sequence[Edit]) -> tuple[str, ...]:
    """Return the texts with every edit made; edits do not overlap."""
    new = list(texts)
    for edit in sorted(edits, key=lambda one: one.start, reverse=True):
        text = new[edit.turn]
        new[edit.turn] = text[: edit.start] + edit.words + text[edit.end :]
    return tuple(new)


def moved(span: Span | None, edits: Sequence[Edit]) -> Span | None:
    """Return where a span's words stand after the edits: moved by those before it, stretched by
    those inside it; None where an edit cuts it.
    """
    if span is None:
        return None
    start, end = span.start, span.end
    for edit in edits:
        grown = len(edit.words) - (edit.end - edit.start)
        if edit.turn != span.turn or edit.start >= span.end:
            continue
        if edit.end <= span.start:
            start, end = start + grown, end + grown
        elif span.start <= edit.start and edit.end <= span.end:
            end += grown
        else:
            return None
    return Span(span.turn, start, end) if start < end else None


def _touches(asked: Asked, other: ConstraintTerms, edit: Edit) -> bool:
    """Whether an edit cuts a letter, or changes words that another constraint's value holds."""
    text, span = asked.texts[edit.turn], other.span
    if not (between_letters(text, edit.start) and between_letters(text, edit.end)):
        return True
    if other is asked.constraint:
        return False
    if span and (span.turn != edit.turn or edit.end <= span.start or edit.start >= span.end):
        return False
    same = span is not None and other.kind == asked.constraint.kind
    return same or holds(other.value, text[edit.start : edit.end])


def _with_articles(texts: Sequence[str], edits: Sequence[Edit]) -> list[Edit]:
    """The edits, and one for each "a" or "an" before them that the new words turn round; none at
    all where an article is not as it should be already.
    """
    found = list(edits)
    for edit in edits:
        text = texts[edit.turn]
        before = ARTICLE_BEFORE.search(text[: edit.start])
        if not before or not edit.words:
            continue
        old, new = article(text[edit.start : edit.end]), article(edit.words)
        if old != before[1].lower():
            return []
        if old != new:
            found.append(Edit(edit.turn, *before.span(1), cased(new, before[1][:1])))
    return found


# ---------------------------------------------------------------- the same request again


def same_demand(texts: Sequence[str], terms: ContractTerms, back: Flip) -> bool:
    """Whether a flip has led back to a request: the same words, spans and values. Further wordings
    (admissible, aliases, rivals) may have been left out on the way.
    """
    return (
        tuple(texts) == back.texts
        and terms.ambiguity == back.terms.ambiguity
        and [_said(one) for one in terms.constraints]
        == [_said(one) for one in back.terms.constraints]
    )


def _said(constraint: ConstraintTerms) -> tuple[Any, ...]:
    value = comparable(constraint.kind, constraint.value)
    turn = constraint.value.get("from_turn")
    return constraint.id, constraint.kind, constraint.materiality, constraint.span, value, turn
