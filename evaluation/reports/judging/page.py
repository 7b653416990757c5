"""One item as a person judges it: nothing here tells which arm or run it is of, what the judge
said, or why a person is asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.functional import Promise

from contracts.marking import Mark
from contracts.models import Constraint
from contracts.views.shown import LABELS, TurnShown, turns_shown
from contracts.word_diff import Piece
from evaluation.models import Judgement
from evaluation.records import Rewrite
from evaluation.reports.judging.words import judged_words
from evaluation.reports.matrix.shown import WORDS, filters_shown, phrase
from evaluation.services.judgements import CHOICES

_Pieces = tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the four words, and the key for it."""

    key: int
    name: str
    word: str | Promise


CHOICES_SHOWN = tuple(Choice(n, name, WORDS[name]) for n, name in enumerate(CHOICES, start=1))


@dataclass(frozen=True, slots=True)
class ItemShown:
    """The request with the constraint's words marked, the constraint, and the rewrite in pieces."""

    number: int
    turns: Sequence[TurnShown]
    constraint: Constraint
    kind: str | Promise
    phrase: str
    queries: tuple[_Pieces, ...]
    filters: tuple[_Pieces, ...]
    clarification: _Pieces


def item_shown(found: Judgement, number: int) -> ItemShown:
    """Return what the page shows of an item, which its reader knows under `number`."""
    terms, request = found.constraint.terms, found.case.request
    rewrite = Rewrite.from_json(next(iter(found.case.stages.all())).content)
    texts = request.texts

    def cut(text: str, *, new: bool = True) -> _Pieces:
        return judged_words(text, terms, texts, new=new)

    return ItemShown(
        number=number,
        turns=turns_shown(request, [Mark(1, terms.kind, terms.span)] if terms.span else []),
        constraint=found.constraint,
        kind=LABELS[terms.kind],
        phrase=phrase(found.constraint),
        queries=tuple(cut(query) for query in rewrite.queries),
        filters=tuple(cut(text, new=False) for text in filters_shown(rewrite.filters)),
        clarification=cut(rewrite.clarification, new=False) if rewrite.clarification else (),
    )
