"""The parts of a run, each built once and only when a case needs it, by whichever lane is first."""

import os
import threading
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from evaluation.constraint_judges.base import CONSTRAINT_JUDGES, ConstraintJudge
from evaluation.constraint_judges.base import DEFAULT as NO_CONSTRAINT_JUDGE
from evaluation.gates import most_connections
from evaluation.models import Arm, Run
from evaluation.readers.base import READERS, Reader
from evaluation.registry import Part
from evaluation.retrieval import Retriever
from evaluation.retrieval.base import RETRIEVERS
from evaluation.rewriters import Rewriter, build_rewriter
from evaluation.rewriters.base import REWRITERS
from evaluation.runs.parts import (
    check_unchanged,
    constraint_judge_for,
    corpus_view,
    reader_for,
    retriever_for,
    rewriter_for,
    support_for,
)
from evaluation.runs.steps import Steps
from evaluation.support.base import DEFAULT as DEFAULT_SUPPORT
from evaluation.support.base import SUPPORT_JUDGES, SupportJudge

P = TypeVar("P")


def steps_of(run: Run) -> Steps:
    """Return what a case of the run does at each stage; nothing is built before it is needed."""
    content: dict[str, Any] = run.conditions.content
    arms = {arm.name: arm for arm in run.arms.all()}
    name = "unchanged" if content["original"] == "last" else "joined"
    original = build_rewriter(name, {}, generator=None)
    corpus = run.conditions.corpus  # read here: lanes do not touch the database

    def retriever() -> Retriever:
        frozen = content["retriever"]
        part = retriever_for(corpus, frozen["name"], frozen["parameters"])
        check_unchanged(part, frozen)
        return part

    searching = _once(retriever)
    view = _once(lambda: corpus_view(corpus, searching()))

    def reader() -> Reader:
        frozen = content["reader"]
        part = reader_for(frozen["name"], frozen["parameters"], only_described=False)
        check_unchanged(part, frozen)
        return part

    def support() -> SupportJudge:
        frozen = content.get("support")
        if frozen is None:
            return support_for(DEFAULT_SUPPORT, {}, only_described=False)
        part = support_for(frozen["name"], frozen["parameters"], only_described=False)
        check_unchanged(part, frozen)
        return part

    def constraint_judge() -> ConstraintJudge:
        frozen = content.get("constraint_judge")
        if frozen is None:
            return constraint_judge_for(NO_CONSTRAINT_JUDGE, {}, only_described=False)
        part = constraint_judge_for(frozen["name"], frozen["parameters"], only_described=False)
        check_unchanged(part, frozen)
        return part

    def rewriter(arm: Arm) -> Rewriter:
        if arm.source != Arm.Source.ENGINE:
            return original
        seen = view() if REWRITERS.find(arm.rewriter).needs_corpus else None
        part = rewriter_for(arm.rewriter, arm.parameters, only_described=False, corpus=seen)
        check_unchanged(part, run.arm_content[arm.name]["rewriter"])
        return part

    rewriters = {name: _once(partial(rewriter, arm)) for name, arm in arms.items()}
    looks = any(REWRITERS.find(arm.rewriter).needs_corpus for arm in arms.values() if arm.rewriter)
    return Steps(
        retriever=searching,
        view=view if looks else None,
        reader=_once(reader),
        rewriter=lambda arm: rewriters[arm](),
        support=_once(support),
        constraint_judge=_once(constraint_judge),
        original=original,
        k=content["k"],
        token_budget=content["token_budget"],
    )


def lanes_wanted(run: Run) -> int:
    """How many lanes a worker of the run needs: none where no part calls out; else two
    for each connection: while one of them calls, the other is prepared or judged.
    """
    content = run.conditions.content
    parts: list[type[Part]] = [
        RETRIEVERS.find(content["retriever"]["name"]),
        READERS.find(content["reader"]["name"]),
        SUPPORT_JUDGES.find(content.get("support", {}).get("name", DEFAULT_SUPPORT)),
        CONSTRAINT_JUDGES.find(
            content.get("constraint_judge", {}).get("name", NO_CONSTRAINT_JUDGE)
        ),
        *(REWRITERS.find(arm.rewriter) for arm in run.arms.all() if arm.rewriter),
    ]
    return 2 * most_connections(os.environ) if any(part.remote for part in parts) else 0


def _once(build: Callable[[], P]) -> Callable[[], P]:
    """Build at the first call. What cannot be built is not tried again by every lane in turn."""
    lock = threading.Lock()
    built: list[P] = []
    faults: list[BaseException] = []

    def part() -> P:
        if not built:
            with lock:
                if faults:
                    raise faults[0]
                if not built:
                    try:
                        built.append(build())
                    except BaseException as fault:
                        faults.append(fault)
                        raise
        return built[0]

    return part
