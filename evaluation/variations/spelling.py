"""Spelling errors: words as people misspelt them."""

import re
from typing import ClassVar

from evaluation.variations._nlpaug import Misspellings, Settings
from evaluation.variations._typing_errors import TypingErrors, WordParameters
from evaluation.variations.base import in_catalogue as _
from evaluation.variations.base import register
from evaluation.variations.protection import KEPT_WORDS

_BRACKETS = str.maketrans("", "", "[]()")
_PLAIN = re.compile(r"[a-z]+(?:['’-][a-z]+)*")


@register("spelling", version="1")
class Spelling(TypingErrors):
    """Words become misspellings of them from a collected list (13,550 lines in nlpaug).

    Source: QE-RAG, with nlpaug's SpellingAug. The list has noise of its own: other real words
    ("last" becomes "past"), stray brackets ("[[th"), foreign words. "protect" cleans it.
    """

    category: ClassVar[str] = _("Does it have spelling mistakes such as people make?")
    Parameters = WordParameters
    nothing_to_change: ClassVar[str] = (
        "No word of the request that may be changed is in the list of misspellings."
    )

    def settings(self) -> Settings:
        share = self.parameters.word_share
        if self.parameters.mode == "paper":
            return Settings("spelling", word_share=share)
        return Settings(
            "spelling", tokens="spaces", word_share=share, reverse=False, clean=without_noise
        )


def without_noise(misspellings: Misspellings) -> Misspellings:
    """Return the list without stray brackets, and without misspellings that are no plain lower-case
    word, that are another word of the list, or that deny, date or compare.
    """
    clean = {}
    for word, written in misspellings.items():
        kept = {one.translate(_BRACKETS) for one in written}
        kept = {one for one in kept if _PLAIN.fullmatch(one) and one not in misspellings}
        if kept := kept - KEPT_WORDS - {word}:
            clean[word] = sorted(kept)
    return clean
