"""One answer as a person judges it: nothing here tells which arm gave it, or what a rule says."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from annotation.models import Request
from contracts.views.shown import TurnShown, turns_shown
from contracts.word_diff import INSERTED, SAME, Piece
from evaluation.models import Case, Run
from evaluation.scoring.support import ClaimSupport, supported_by
from evaluation.services.answers import AnswerItem

WORDS: tuple[tuple[str, str, str | Promise], ...] = (
    ("yes", "y", gettext_lazy("yes")),
    ("no", "n", gettext_lazy("no")),
    ("cannot_tell", "c", gettext_lazy("cannot tell")),
)
ASKED: dict[str, tuple[str | Promise, str | Promise]] = {
    "correct": (
        gettext_lazy("Is it correct?"),
        gettext_lazy("It says what one of the right answers says, in whatever words."),
    ),
    "supported": (
        gettext_lazy("Do the passages support it?"),
        gettext_lazy("Whoever reads them must agree with everything that it says."),
    ),
}


@dataclass(frozen=True, slots=True)
class PassageShown:
    """One retrieved document; inserted `pieces` hold the sentences that may support the answer."""

    id: str
    title: str
    pieces: tuple[Piece, ...]
    cited: bool
    marked: bool


@dataclass(frozen=True, slots=True)
class Question:
    """One question, the words to answer it with, and the one that was chosen."""

    name: str
    asked: str | Promise
    about: str | Promise
    chosen: str = ""


@dataclass(frozen=True, slots=True)
class AnswerShown:
    """The request, the answer, the right answers, and the passages, cited ones first."""

    item: AnswerItem
    turns: Sequence[TurnShown]
    right: tuple[str, ...]
    passages: tuple[PassageShown, ...]
    questions: tuple[Question, ...]


def answer_shown(run: Run, item: AnswerItem, chosen: dict[str, str]) -> AnswerShown:
    """Return what the page shows of the answer; `chosen` has the words already given."""
    request = Request.objects.prefetch_related("turns").get(pk=item.request_id)
    rows = run.conditions.corpus.documents.filter(key__in=item.retrieved)
    documents = {d.key: (d.title, d.text) for d in rows}
    claims = _claims(run, item, documents)
    passages = [
        _passage(key, title, text, item, claims) for key, (title, text) in documents.items()
    ]
    return AnswerShown(
        item,
        turns_shown(request, []),
        tuple(request.answers or ()),
        tuple(sorted(passages, key=lambda p: (not p.cited, not p.marked, p.id))),
        tuple(Question(name, *ASKED[name], chosen.get(name, "")) for name in item.asks),
    )


def _claims(
    run: Run, item: AnswerItem, documents: dict[str, tuple[str, str]]
) -> tuple[ClaimSupport, ...]:
    """What the run's judge found; by words where it found nothing."""
    cases = Case.objects.filter(run=run, request=item.request_id, outcome__isnull=False)
    for case in cases.order_by("pk"):
        outcome = case.outcome or {}
        found = outcome["outcome"]
        same = found["answer_text"] == item.answer
        if same and tuple(sorted(set(found["ranked_ids"]))) == item.retrieved:
            claims = (outcome.get("support") or {}).get("claims", ())
            if claims:
                return tuple(ClaimSupport.from_json(claim) for claim in claims)
    texts = [(key, text) for key, (_title, text) in sorted(documents.items())]
    return supported_by(item.answer, texts).claims


def _passage(
    key: str, title: str, text: str, item: AnswerItem, claims: Iterable[ClaimSupport]
) -> PassageShown:
    quotes = [c.quote for c in claims if c.supported and c.passage == key and c.quote]
    pieces = pieces_of(text, quotes)
    marked = any(piece.state == INSERTED for piece in pieces)
    return PassageShown(key, title, pieces, key in item.cited, marked)


def pieces_of(text: str, quotes: Iterable[str]) -> tuple[Piece, ...]:
    """Return the text with every quote that stands in it, but for white space, as an inserted
    piece.
    """
    patterns = [r"\s+".join(map(re.escape, quote.split())) for quote in quotes if quote.split()]
    if not patterns:
        return (Piece(SAME, text),)
    found, at = [], 0
    for match in re.finditer("|".join(sorted(patterns, key=len, reverse=True)), text):
        found += [Piece(SAME, text[at : match.start()]), Piece(INSERTED, match.group())]
        at = match.end()
    return tuple(piece for piece in [*found, Piece(SAME, text[at:])] if piece.text)
