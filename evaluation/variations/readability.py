"""The request in words that are harder to read, by a language model."""

import random
from collections.abc import Sequence

from evaluation.variations import flesch as measure
from evaluation.variations.base import Check, Proposal, Source, register
from evaluation.variations.base import in_catalogue as _
from evaluation.variations.checks import adds_nothing, length_like
from evaluation.variations.formality import still_asks
from evaluation.variations.rewritten import RewrittenMaker

HARD = 60.0  # the parent work wants a reading ease below it, better below 50
INSTRUCTION = (
    "Rewrite the question so that it is harder to read: longer and rarer words in place of short "
    "ones, in a more involved sentence. It must stay one question and ask for the same answer. "
    "Keep every name, number, date, quotation, technical term, abbreviation, comparison, negation "
    "and condition. Do not answer it. Do not add anything. Keep its length: at most a tenth more "
    "or fewer words. Write it on one line and nothing else."
)


def harder(source: Source, text: str) -> Check:
    """The Flesch reading ease of the text is below that of the source; both are recorded."""
    before, after = measure.flesch(source.text), measure.flesch(text)
    falls = before is not None and after is not None and after < before
    values = {
        "flesch": None if after is None else round(after, 3),
        "source_flesch": None if before is None else round(before, 3),
    }
    why = ""
    if not falls:
        why = (
            f"It is no harder to read: its reading ease is {_shown(after)}, the request's "
            f"{_shown(before)}."
        )
    return Check("harder_to_read", measure.VERSION, falls, why, values)


def hard(text: str) -> Check:
    """The reading ease is below 60, as the parent work asks for. It is recorded and decides
    nothing: a request of short names may not get there.
    """
    ease = measure.flesch(text)
    below = ease is not None and ease < HARD
    why = "" if below else f"Its reading ease is {_shown(ease)}, not below {HARD:.0f}."
    values = {"flesch": None if ease is None else round(ease, 3)}
    return Check("reading_ease_below_60", measure.VERSION, below, why, values, decides=False)


@register("readability", version="1")
class ReadabilityMaker(RewrittenMaker):
    """The request harder to read, by a language model.

    A text stands if its Flesch reading ease is below the request's, every number, quotation and
    name is kept, none is added and a question stays one. A reading ease below 60 and a length
    within 10 % are recorded.

    Source: Jang et al. 2026, arXiv 2604.10745, with the constraints of its parent work. The prompt
    is our own.
    """

    category = _("Is it harder to read than the original?")
    instruction = INSTRUCTION

    def told(self, draws: random.Random) -> str:
        return INSTRUCTION

    def own_checks(self, source: Source, made: Proposal) -> Sequence[Check]:
        return [
            harder(source, made.text),
            hard(made.text),
            still_asks(source, made.text),
            adds_nothing(source, made.text),
            length_like(source, made.text),
        ]


def _shown(ease: float | None) -> str:
    return "unknown" if ease is None else f"{ease:.1f}"
