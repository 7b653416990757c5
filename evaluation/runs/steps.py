"""A case's way through its stages, in any thread: plain values in, the stages' contents out.

A step goes as far as it can. It stops before a stage that needs the documents' texts, which are
read in bulk, and before a second stage that pays for a call: what was paid for is kept first.
"""

import logging
from collections.abc import Callable, Mapping
from typing import Any

from evaluation.calls import current_book
from evaluation.constraint_judges.base import ConstraintJudge
from evaluation.generation.errors import (
    EndpointAway,
    EndpointError,
    EndpointQuotaSpent,
    EndpointRateLimited,
    EndpointTimeout,
    InvalidCompletion,
    TruncatedCompletion,
)
from evaluation.readers.base import Reader
from evaluation.records import Document, Hit, Rewrite, question_of
from evaluation.registry import Part, PartError
from evaluation.retrieval import Retriever
from evaluation.rewriters import CorpusView, Rewriter
from evaluation.runs import stages
from evaluation.runs.cases import CaseWork, Stage
from evaluation.runs.sharing import StepBook
from evaluation.support.base import SupportJudge

log = logging.getLogger(__name__)


class DocumentsMissing(Exception):
    """The frozen corpus lacks what a logged run found. The text is a sentence."""


# What went wrong with an endpoint, as the status of a case; the first that fits.
_STATUSES: tuple[tuple[type[EndpointError], str], ...] = (
    (EndpointRateLimited, "rate_limited"),
    (EndpointTimeout, "timed_out"),
    (TruncatedCompletion, "truncated"),
    (InvalidCompletion, "provider_error"),
    (EndpointError, "provider_error"),
)


class Steps:
    """The parts of a run, and what a case does with them. Safe to use from several threads."""

    def __init__(
        self,
        *,
        retriever: Callable[[], Retriever],
        reader: Callable[[], Reader],
        rewriter: Callable[[str], Rewriter],
        support: Callable[[], SupportJudge],
        constraint_judge: Callable[[], ConstraintJudge],
        original: Rewriter,
        k: int,
        token_budget: int,
        view: Callable[[], CorpusView] | None = None,
    ) -> None:
        self._retriever = retriever
        self._reader = reader
        self._rewriter = rewriter
        self._support = support
        self._constraint_judge = constraint_judge
        self._original = original
        self._k = k
        self._token_budget = token_budget
        self._view = view

    def prepare(self) -> None:
        """Build what reads the database when it is built for the first time; not in a lane."""
        self._retriever()
        if self._view is not None:  # a rewriter looks into the corpus
            self._view()

    def advance(self, work: CaseWork) -> None:
        """Compute what `work` lacks, as far as one step goes.

        An endpoint's failure ends the case with a status, never with a score. Raises PartError
        when the run's parts cannot be had, EndpointAway and EndpointQuotaSpent when waiting, or
        nothing, helps: then no case can be run.
        """
        try:
            self._advance(work)
        except (PartError, EndpointAway, EndpointQuotaSpent):
            raise
        except EndpointError as fault:
            work.status = next(name for kind, name in _STATUSES if isinstance(fault, kind))
            work.error, work.failed = str(fault), True
        except DocumentsMissing as fault:
            work.status, work.error, work.failed = "judge_error", str(fault), True
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as fault:
            # One odd case must not stop the others; it is counted by its status, never scored.
            log.exception("case %s cannot be run", work.pk)
            work.status, work.failed = "judge_error", True
            work.error = (
                f"this case could not be computed ({type(fault).__name__}): the log says more."
            )

    def _advance(self, work: CaseWork) -> None:
        while stage := work.next_stage:
            if self._wants_documents(stage, work):
                return
            pays = self._pays(stage, work)
            if pays and work.has_paid:
                return
            work.done[stage] = _counted(self._compute(stage, work), pays)
            work.has_paid = work.has_paid or pays
            if pays:
                _pass_on_replies()
        rewrite = work.done[Stage.REWRITE]
        missing = rewrite.get("missing")
        work.status = "not_run" if missing else _status(work.done[Stage.ANSWER])
        work.error = rewrite["error"] if missing else ""

    def _compute(self, stage: str, work: CaseWork) -> dict[str, Any]:
        if stage in work.given_stages:
            return work.given_stages[stage]
        if stage == Stage.REWRITE:
            return stages.rewrite_by(self._rewriter(work.arm), work.given)
        rewrite = Rewrite.from_json(work.done[Stage.REWRITE])
        if stage == Stage.JUDGE:
            return {**self._judged(work, rewrite), **self._supported(work, rewrite)}
        original = self._original.rewrite(work.given.request).queries[0]
        if stage == Stage.RETRIEVE:
            return stages.retrieve(self._retriever(), rewrite, k=self._k, original=original)
        return stages.answer(
            self._reader(),
            rewrite,
            [Hit.from_json(hit) for hit in work.done[Stage.RETRIEVE]["hits"]],
            _texts(work),
            token_budget=self._token_budget,
            original=original,
        )

    def _judged(self, work: CaseWork, rewrite: Rewrite) -> dict[str, Any]:
        """What the matchers say of the constraints, and the constraint judge of what they left
        unsure.
        """
        kept = work.done[Stage.REWRITE]
        if kept.get("missing"):
            return stages.nothing_judged()
        if kept.get("unlogged"):
            return stages.leave_open(work.given)
        judged = stages.judge(work.given, rewrite)
        return stages.settle_unsure(self._constraint_judge(), work.given, rewrite, judged)

    def _supported(self, work: CaseWork, rewrite: Rewrite) -> dict[str, Any]:
        """What the support judge says of the answer; nothing where there is nothing to check."""
        found = work.done[Stage.RETRIEVE]
        if not work.done[Stage.ANSWER]["answer"] or found.get("unlogged"):
            return {}
        original = self._original.rewrite(work.given.request).queries[0]
        passages = list(_texts(work).values())
        question = question_of(rewrite, original)
        answered = work.done[Stage.ANSWER]
        return {"support": stages.check_support(self._support(), question, answered, passages)}

    def _wants_documents(self, stage: str, work: CaseWork) -> bool:
        if work.documents is not None or not work.hit_ids:
            return False
        answers = stage == Stage.ANSWER and stage not in work.given_stages
        return answers or (stage == Stage.JUDGE and bool(work.done[Stage.ANSWER]["answer"]))

    def _pays(self, stage: str, work: CaseWork) -> bool:
        parts = () if stage in work.given_stages else self._parts(stage, work)
        return any(part.remote for part in parts)

    def _parts(self, stage: str, work: CaseWork) -> tuple[Part, ...]:
        if stage == Stage.REWRITE:
            rewriter = self._rewriter(work.arm)
            return (rewriter, self._retriever()) if rewriter.needs_corpus else (rewriter,)
        if stage == Stage.RETRIEVE:
            return (self._retriever(),)
        if stage == Stage.ANSWER:
            return (self._reader(),)
        return (self._constraint_judge(), self._support())


def _texts(work: CaseWork) -> Mapping[str, Document]:
    """The texts of its hits, in their order."""
    texts = work.documents or {}
    if lacking := [key for key in work.hit_ids if key not in texts]:
        raise DocumentsMissing(
            f"the corpus of these Conditions lacks {len(lacking)} of the documents that this case "
            f"found, the first of them {lacking[0]}."
        )
    return texts


def _counted(content: dict[str, Any], pays: bool) -> dict[str, Any]:
    """The content with how many outside calls it took, where there is a book of them."""
    book = current_book.get() if pays else None
    return {**content, "calls": book.counts()} if isinstance(book, StepBook) else content


def _pass_on_replies() -> None:
    book = current_book.get()
    if isinstance(book, StepBook):
        book.pass_on()


def _status(answered: Mapping[str, Any]) -> str:
    """A pipeline that logged no answer is assessed for what it did log."""
    status: str = answered["status"]
    return "ok" if status == "not_applicable" else status
