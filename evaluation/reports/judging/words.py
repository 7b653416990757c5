"""The words of a rewrite beside the request, for whoever judges it: which of them a constraint asks
for, and which are new. Pure.

Both come from the words alone (equal roots), never from what a judge found, so that they cannot
tell its word. They point somewhere and certify nothing.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from contracts.terms import ConstraintTerms
from contracts.word_diff import SAME, Piece
from evaluation.scoring.preservation.finding import READ_AT_MOST
from evaluation.scoring.preservation.text import Text, read_text
from evaluation.scoring.preservation.wording import content, content_roots

ASKED, NEW = "asked", "new"
# Fields of a value whose words nobody writes, or which must not be in the rewrite.
_NOT_WORDS = frozenset(
    ("rivals", "relation", "calendar", "mode", "direction", "operator", "aggregation", "from_turn")
)


def judged_words(
    text: str, constraint: ConstraintTerms, texts: Sequence[str], *, new: bool = True
) -> tuple[Piece, ...]:
    """Cut a text that a rewriter emitted into pieces: words that the constraint asks for (`asked`),
    with `new` also words that the conversation `texts` have nowhere (`new`), and the rest (`same`).
    The pieces joined give the text again.
    """
    if len(text) > READ_AT_MOST:
        return (Piece(SAME, text),)
    read = read_text(text)
    forms = list(_forms(constraint, texts))
    asked = {root for form in forms for root in content_roots(read_text(form))}
    known = {root for said in texts for root in read_text(said).roots}
    states = [SAME] * len(read)
    for at in content(read):
        if read.roots[at] in asked:
            states[at] = ASKED
        elif new and read.roots[at] not in known and not _unspaced(read, at):
            states[at] = NEW
    return _pieces(read, states, _found(read, forms))


def _forms(constraint: ConstraintTerms, texts: Sequence[str]) -> Iterator[str]:
    span = constraint.span
    if span is not None and 0 <= span.turn < len(texts):
        yield texts[span.turn][span.start : span.end]
    yield from constraint.admissible
    for name, value in constraint.value.items():
        if name not in _NOT_WORDS:
            yield from _leaves(value)


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _leaves(item)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield f"{value:.12g}"


def _unspaced(text: Text, at: int) -> bool:
    """Whether a word is of a script without blanks, where one "word" is a whole clause."""
    word = text.words[at].raw
    return text.holds_letters(word) is not None


def _found(text: Text, forms: Iterable[str]) -> set[int]:
    """The places of the letters of forms in a script without blanks."""
    places: set[int] = set()
    for form in forms:
        quote = text.holds_letters(form)
        if quote:
            at = text.raw.index(quote)
            places.update(range(at, at + len(quote)))
    return places


def _pieces(text: Text, states: Sequence[str], letters: set[int]) -> tuple[Piece, ...]:
    """Join neighbours of one state with the blanks between them."""
    marks = [SAME] * len(text.raw)
    last, before = 0, SAME
    for word, state in zip(text.words, states, strict=True):
        if state == before and not text.raw[last : word.start].strip():
            marks[last : word.start] = [state] * (word.start - last)
        marks[word.start : word.end] = [state] * (word.end - word.start)
        last, before = word.end, state
    for place in letters:
        marks[place] = ASKED
    pieces: list[Piece] = []
    for letter, state in zip(text.raw, marks, strict=True):
        if pieces and pieces[-1].state == state:
            pieces[-1] = Piece(state, pieces[-1].text + letter)
        else:
            pieces.append(Piece(state, letter))
    return tuple(pieces)
