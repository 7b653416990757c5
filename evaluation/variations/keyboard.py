"""Keyboard errors: a neighbouring key instead of the right one."""

from typing import ClassVar

from evaluation.variations._nlpaug import Settings
from evaluation.variations._typing_errors import CharacterParameters, TypingErrors
from evaluation.variations.base import in_catalogue as _
from evaluation.variations.base import register

_SHORTEST = 4  # nlpaug's own: a shorter word is not drawn


@register("keyboard", version="1")
class Keyboard(TypingErrors):
    """Characters become neighbours of theirs on an English keyboard.

    Source: QE-RAG, with nlpaug's KeyboardAug, which hits digits and symbols too, mixes capitals in,
    and has a blank before the "t" among the neighbours of "u", which splits a word. "protect" hits
    lower-case letters only.
    """

    category: ClassVar[str] = _("Does it have typing errors, keys beside the right one?")
    Parameters = CharacterParameters
    parameters: CharacterParameters
    nothing_to_change: ClassVar[str] = (
        "No word of at least four letters may be changed, and shorter ones get no keyboard errors."
    )

    def settings(self) -> Settings:
        protects = self.parameters.mode == "protect"
        return Settings(
            "keyboard",
            tokens="spaces" if protects else "library",
            word_share=self.parameters.word_share,
            character_share=self.parameters.character_share,
            shortest=_SHORTEST,
            keys="lower" if protects else "all",
        )
