"""The parts of a suite run, built once: what a row is computed with. Asks the database nothing
after `prepare`.
"""

import logging
import math
import os
import threading
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from evaluation.gates import GateSettingsError, most_connections
from evaluation.generation.errors import EndpointAway, EndpointError, EndpointQuotaSpent
from evaluation.generation.local import LocalServerError
from evaluation.models import SuiteRun
from evaluation.pipelines.base import (
    Entry,
    Kit,
    Outcome,
    Pipeline,
    PipelineError,
    build_pipeline,
    require_kit,
)
from evaluation.readers.base import Passage, ReaderError
from evaluation.registry import PartError
from evaluation.retrieval import FilterError, Retriever
from evaluation.rewriters import CorpusView, RewriteError, Rewriter
from evaluation.rewriters.base import REWRITERS
from evaluation.robustness.measures import ABSTAINED, FAILED, OK
from evaluation.runs import generation
from evaluation.runs.parts import (
    ConditionsChanged,
    check_unchanged,
    corpus_files,
    corpus_view,
    reader_for,
    retriever_for,
    rewriter_for,
)
from evaluation.suites.pipelines import asks_model, asks_tokens, described, tokens_of

log = logging.getLogger(__name__)

# With these no row of the run can be computed: they end it with their sentence.
RUN_FAULTS = (
    PartError,
    ConditionsChanged,
    LocalServerError,
    EndpointQuotaSpent,
    GateSettingsError,
)
ATTEMPTS = 3  # at one row, where what failed may be none of its own
_MOST_RAW = 10_000


class Bench:
    """What computes rows. Safe to use from several threads once it is prepared."""

    def __init__(self, run: SuiteRun) -> None:
        self._content: Mapping[str, Any] = run.content
        self._corpus = run.corpus
        self._rewriters: dict[str, Rewriter] = {}
        self._lock = threading.Lock()

    def prepare(self) -> None:
        """Build every part and see that the corpus is on disk. Raises one of `RUN_FAULTS` where
        a part cannot be had, or is not what was frozen.
        """
        content = self._content
        retriever = retriever_for(
            self._corpus, content["retriever"]["name"], content["retriever"]["parameters"]
        )
        check_unchanged(retriever, content["retriever"])
        reader = reader_for(
            content["reader"]["name"], content["reader"]["parameters"], only_described=False
        )
        self.pipelines = {one["label"]: _pipeline(one) for one in content["pipelines"]}
        parts = list(self.pipelines.values())
        self._view = self._looked_into(retriever, parts)
        self._files = corpus_files(self._corpus)
        self._kit = Kit(
            k=content["k"],
            search=partial(self._search, retriever),
            reader=reader,
            rewriter=self._rewriter,
            generator=generation.generator() if asks_model(parts) else None,
            tokens=tokens_of(content["reader"]) if asks_tokens(parts) else None,
        )
        if self._kit.describe() != content["kit"]:
            raise ConditionsChanged(
                "The reader or a model of this run was frozen otherwise than this machine has it. "
                "Start a new run, or restore what was frozen."
            )
        for pipeline in parts:
            require_kit(pipeline, self._kit)
        calls_out = [retriever.remote, reader.remote, self._kit.generator is not None]
        calls_out += [rewriter.remote for rewriter in self._rewriters.values()]
        self.lanes = most_connections(os.environ) if any(calls_out) else 1

    def row(self, label: str, entry: Entry) -> dict[str, Any]:
        """Return what the pipeline makes of the entry, as the row keeps it: an outcome with status
        "ok" or "abstained", or "failed" with the reason. Lets EndpointAway and the faults of the
        whole run through.
        """
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return storable(self.pipelines[label].run(entry, self._kit))
            except (*RUN_FAULTS, EndpointAway):
                raise
            except (PipelineError, ReaderError, RewriteError) as fault:
                return _failed(fault.reason, fault, attempt, raw=fault.raw)
            except FilterError as fault:
                return _failed(str(fault), fault, attempt)
            except EndpointError as fault:
                last, told = fault, str(fault)
            except Exception as fault:
                log.exception("a row of %s failed", label)
                last = fault  # type: ignore[assignment]
                told = f"A fault in the program ({type(fault).__name__}): the log says more."
        return _failed(told, last, ATTEMPTS)

    def _search(self, retriever: Retriever, queries: Sequence[str], k: int) -> list[Passage]:
        hits = retriever.search(tuple(queries), k=k)
        return list(zip(hits, self._files.documents([hit.id for hit in hits]), strict=True))

    def _rewriter(self, name: str, parameters: Mapping[str, Any]) -> Rewriter:
        """Build a rewriter once for all rows."""
        key = f"{name}\0{sorted(parameters.items())!r}"
        with self._lock:
            if key not in self._rewriters:
                seen = self._view if REWRITERS.find(name).needs_corpus else None
                self._rewriters[key] = rewriter_for(
                    name, parameters, only_described=False, corpus=seen
                )
            return self._rewriters[key]

    def _looked_into(
        self, retriever: Retriever, pipelines: Sequence[Pipeline]
    ) -> CorpusView | None:
        """The corpus as rewriters see it, made here because it may read the database."""
        names = [used[0] for pipeline in pipelines if (used := pipeline.rewriter())]
        if any(REWRITERS.find(name).needs_corpus for name in names):
            return corpus_view(self._corpus, retriever)
        return None


def storable(outcome: Outcome) -> dict[str, Any]:
    """Return the outcome as JSON that a database takes: no number that is none, no null character
    in a text.
    """
    status = OK if outcome.answer.text is not None else ABSTAINED
    return {**_clean(outcome.to_json()), "status": status, "error": ""}


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return value.replace("\0", "�") if "\0" in value else value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(_clean(name)): _clean(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(one) for one in value]
    return value


def _failed(reason: str, fault: Exception, attempts: int, raw: str | None = None) -> dict[str, Any]:
    more = {"raw": _clean(raw[:_MOST_RAW])} if raw else {}
    what = type(fault).__name__
    return {"status": FAILED, "error": _clean(reason), "what": what, "attempts": attempts, **more}


def _pipeline(frozen: Mapping[str, Any]) -> Pipeline:
    pipeline = build_pipeline(frozen["name"], frozen["parameters"])
    told = {name: value for name, value in frozen.items() if name != "label"}
    now = described(pipeline)
    changed = sorted(name for name in {*now, *told} if now.get(name) != told.get(name))
    if changed:
        raise ConditionsChanged(
            f"The pipeline {frozen['label']} was frozen with another {', '.join(changed)} than "
            "this machine has. Start a new run."
        )
    return pipeline
