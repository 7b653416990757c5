"""The words of every sentence of the answer stand in one retrieved sentence. Needs no model."""

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.records import Document
from evaluation.scoring.support import LEXICAL, SUPPORT_SHARE, Support, supported_by
from evaluation.support.base import SupportJudge, register


@dataclass(frozen=True, slots=True)
class SentencesParameters:
    """When a sentence counts as contained.

    `share`: the part of its content words that must stand in one retrieved sentence, above 0 and
    at most 1.
    """

    share: float = SUPPORT_SHARE

    def __post_init__(self) -> None:
        if not 0 < self.share <= 1:
            raise ValueError(f"share must be above 0 and at most 1, not {self.share}.")


@register("sentences", version="1")
class SentencesJudge(SupportJudge):
    """Looks for every sentence of the answer in one retrieved sentence, by words and values.

    Contained: at least `share` of its content words, each of its negations, and each of its numbers
    and dates by value. It certifies that the words are there, not that they follow, and errs
    towards "not supported".
    """

    Parameters = SentencesParameters
    parameters: SentencesParameters

    @property
    def rule(self) -> str:
        return LEXICAL

    def judge(self, question: str, answer: str, passages: Sequence[Document]) -> Support:
        texts = [(document.id, document.text) for document in passages]
        return supported_by(answer, texts, share=self.parameters.share)
