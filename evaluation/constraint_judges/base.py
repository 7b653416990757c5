"""What a constraint judge is (it may settle what the matchers left unsure), what its word is
checked for, and how one is built by name.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from contracts.terms import ConstraintTerms, ContractTerms
from evaluation.generation.part import ModelPart, build_with_model
from evaluation.records import JUDGEMENTS, ConstraintJudgement, RequestText, Rewrite
from evaluation.registry import Registry
from evaluation.scoring.answer_text import inacc_tokens
from evaluation.scoring.preservation.filters import read_filters

if TYPE_CHECKING:  # the client brings its HTTP library, which most parts never need
    from evaluation.generation.client import ChatClient

UNSURE = "unsure"
# Of what a judge says, no more than so many characters are kept with a judgement.
_MOST_SAID = 500


class ConstraintJudgeError(Exception):
    """A judge ran but gave nothing usable: what it was asked stays unsure.

    `reason` is a sentence, `raw` what a model wrote.
    """

    def __init__(self, reason: str, *, raw: str | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.raw = raw


@dataclass(frozen=True, slots=True)
class OpenCase:
    """What a judge is asked: the constraints that the matchers left unsure, and what was emitted.

    `filters` has each condition as `field operator value`; of those in `alternatives`, which stand
    there too, it is not certain that they hold.
    """

    request: RequestText
    constraints: tuple[ConstraintTerms, ...]
    queries: tuple[str, ...]
    filters: tuple[str, ...]
    alternatives: tuple[str, ...]

    @classmethod
    def of(
        cls, request: RequestText, constraints: Sequence[ConstraintTerms], rewrite: Rewrite
    ) -> "OpenCase":
        shown = [
            (f"{term.field} {term.operator} {term.shown}", term.optional)
            for term in read_filters(rewrite.filters)
        ]
        return cls(
            request,
            tuple(constraints),
            rewrite.queries,
            tuple(text for text, _optional in shown),
            tuple(text for text, optional in shown if optional),
        )

    def words_of(self, constraint: ConstraintTerms) -> str:
        """The words of the request that the constraint marks; "" when it marks none."""
        span, texts = constraint.span, self.request.texts
        if span is None or not 0 <= span.turn < len(texts):
            return ""
        return texts[span.turn][span.start : span.end]


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a judge says of one constraint. "unsure" settles nothing, and `why` is the sentence
    that says why not.
    """

    judgement: str
    quote: str
    why: str


class ConstraintJudge(ModelPart, ABC):
    """Says what became of the constraints that the matchers left unsure. Safe to use from several
    threads.

    It only adds: what a matcher is sure of is not put to it, and a person prevails over it. Its
    word settles a constraint only with a quote that stands in what the rewrite emitted.
    """

    @property
    def by(self) -> str:
        """Who judged, as the judgements that it settles say; at most 80 characters."""
        return f"{self.name}/{self.version}"

    def settle(
        self,
        request: RequestText,
        contract: ContractTerms,
        rewrite: Rewrite,
        judged: Sequence[ConstraintJudgement],
    ) -> tuple[ConstraintJudgement, ...]:
        """Return `judged`, in its order, with those that were unsure settled or left as they were,
        with the reason.

        Raises ConstraintJudgeError when the outcome is of no use, and lets an EndpointError
        through: then the case can be tried again.
        """
        unsure = {row.constraint for row in judged if row.judgement == UNSURE}
        if not unsure:
            return tuple(judged)
        asked = [constraint for constraint in contract.constraints if constraint.id in unsure]
        case = OpenCase.of(request, asked, rewrite)
        opinions = self.judge(case)
        return tuple(
            self._settled(row, opinions[row.constraint], case)
            if row.judgement == UNSURE and row.constraint in opinions
            else row
            for row in judged
        )

    @abstractmethod
    def judge(self, case: OpenCase) -> Mapping[str, Opinion]:
        """Return what there is to say, by the ids of the constraints; there is at least one. What
        it says nothing of stays as it was.
        """

    def _settled(
        self, row: ConstraintJudgement, opinion: Opinion, case: OpenCase
    ) -> ConstraintJudgement:
        quote, fault = checked(opinion, case)
        if fault:
            return left_open(row, fault)
        said = _cut(opinion.why) or "It gave no reason."
        why = f"{said} (The matcher was unsure: {row.why})"
        return replace(row, judgement=opinion.judgement, by=self.by, quote=quote, why=why)


def left_open(row: ConstraintJudgement, reason: str) -> ConstraintJudgement:
    """Return the matcher's judgement as it was, with why no judge settled it either."""
    return replace(row, why=f"{row.why} {_cut(reason)}".strip())


def checked(opinion: Opinion, case: OpenCase) -> tuple[str, str]:
    """Return (the quote as it was emitted, why the opinion settles nothing): one of them is empty,
    or both for "dropped".

    What is stated is quoted from a query, what is filtered from a filter, what is altered from
    either; but for white space the quote must stand there. What is dropped has no quote.
    """
    said, quote = opinion.judgement, opinion.quote.strip()
    if said == UNSURE:
        return "", opinion.why
    if said not in JUDGEMENTS:
        return "", f"The model calls it {_cut(said)!r}, which is no judgement."
    if said == "dropped":
        return "", "The model calls it dropped, yet quotes words for it." if quote else ""
    places = {"stated": case.queries, "filtered": case.filters}
    found = _emitted(quote, places.get(said, (*case.queries, *case.filters)))
    if found:
        return found, ""
    where = {"stated": "no query", "filtered": "no filter"}.get(said, "neither query nor filter")
    return "", f"The model calls it {said}, but what it quotes stands in {where} of the rewrite."


def _emitted(quote: str, texts: Sequence[str]) -> str:
    """The quote as it stands in one of the texts; "" where none has it or it has no word."""
    if not inacc_tokens(quote):
        return ""
    pattern = re.compile(r"\s+".join(map(re.escape, quote.split())))
    return next((found[0] for text in texts if (found := pattern.search(text))), "")


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _MOST_SAID else f"{line[: _MOST_SAID - 1]}…"


CONSTRAINT_JUDGES: Registry[ConstraintJudge] = Registry(
    "evaluation.constraint_judges", "constraint judge"
)
register = CONSTRAINT_JUDGES.register
DEFAULT = "none"


def constraint_judge_names() -> tuple[str, ...]:
    """Return the names that `build_constraint_judge` knows."""
    return CONSTRAINT_JUDGES.names()


def build_constraint_judge(
    name: str, parameters: Mapping[str, Any], *, generator: "ChatClient | None"
) -> ConstraintJudge:
    """Return the judge `name`; raise PartError on an unknown name or parameter, or no model.

    `generator` is ignored by judges that ask no endpoint.
    """
    return build_with_model(CONSTRAINT_JUDGES, name, parameters, generator)
