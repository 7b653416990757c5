"""Visual errors: a character instead of one that looks like it."""

from typing import ClassVar

from evaluation.variations._nlpaug import Settings
from evaluation.variations._typing_errors import CharacterParameters, TypingErrors
from evaluation.variations.base import in_catalogue as _
from evaluation.variations.base import register


@register("visual", version="1")
class Visual(TypingErrors):
    """Characters become others that a scanner takes them for ("o" becomes "0").

    Source: QE-RAG, with nlpaug's OcrAug: twelve confusions, read in both directions, and at least
    two characters of a drawn word. "protect" is content with one.
    """

    category: ClassVar[str] = _(
        "Does it have characters that were mistaken for others that look like them?"
    )
    Parameters = CharacterParameters
    parameters: CharacterParameters
    nothing_to_change: ClassVar[str] = (
        "No word that may be changed has a character that looks like another one."
    )

    def settings(self) -> Settings:
        protects = self.parameters.mode == "protect"
        return Settings(
            "visual",
            tokens="spaces" if protects else "library",
            word_share=self.parameters.word_share,
            character_share=self.parameters.character_share,
            least_characters=1 if protects else 2,
        )
