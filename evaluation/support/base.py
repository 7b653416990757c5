"""What a support judge is (it says whether retrieved passages support an answer), and how one is
built by name.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from evaluation.generation.part import ModelPart, build_with_model
from evaluation.records import Document
from evaluation.registry import Registry
from evaluation.scoring.support import ClaimSupport, Support

if TYPE_CHECKING:  # the client brings its HTTP library, which most parts never need
    from evaluation.generation.client import ChatClient

NOTHING_RETRIEVED = "No text was retrieved, so nothing supports the answer."


class SupportError(Exception):
    """A judge ran but gave nothing usable: its judgement is an error, never a score.

    `reason` is a sentence, `raw` what a model wrote.
    """

    def __init__(self, reason: str, *, raw: str | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.raw = raw


class SupportJudge(ModelPart, ABC):
    """Says of each claim of an answer whether a retrieved passage supports it. Safe to use from
    several threads.
    """

    @property
    def rule(self) -> str:
        """What names the rule beside its judgements."""
        return f"{self.name}/{self.version}"

    def check(self, question: str, answer: str, passages: Sequence[Document]) -> Support:
        """Return the support of `answer`, given to `question`, by all `passages` together.

        Raises SupportError when the outcome is no usable judgement, and lets an EndpointError
        through: then the case can be tried again.
        """
        if not any(document.text.strip() for document in passages):
            return Support(False, NOTHING_RETRIEVED, self.rule)
        return self.judge(question, answer, passages)

    @abstractmethod
    def judge(self, question: str, answer: str, passages: Sequence[Document]) -> Support:
        """Return the support of `answer`; there is at least one passage with words."""

    def together(self, claims: Sequence[ClaimSupport]) -> Support:
        """Return the support of an answer from that of its claims: one without support decides."""
        if not claims:
            return Support(None, "The answer has no claim that could be checked.", self.rule)
        found = tuple(claims)
        for value in (False, None):
            decisive = next((claim for claim in found if claim.supported is value), None)
            if decisive is not None:
                return Support(value, decisive.why, self.rule, found)
        why = f"Retrieved passages support every claim of the answer ({len(found)})."
        return Support(True, why, self.rule, found)


SUPPORT_JUDGES: Registry[SupportJudge] = Registry("evaluation.support", "support judge")
register = SUPPORT_JUDGES.register
DEFAULT = "sentences"


def support_judge_names() -> tuple[str, ...]:
    """Return the names that `build_support_judge` knows."""
    return SUPPORT_JUDGES.names()


def build_support_judge(
    name: str, parameters: Mapping[str, Any], *, generator: "ChatClient | None"
) -> SupportJudge:
    """Return the judge `name`; raise PartError on an unknown name or parameter, or no model.

    `generator` is ignored by judges that ask no endpoint.
    """
    return build_with_model(SUPPORT_JUDGES, name, parameters, generator)
