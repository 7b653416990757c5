"""Pipelines as they are asked for: by name with parameters, under a label of their own."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from django.utils.translation import gettext as _

from annotation.canonical import canonical_json
from annotation.services.projects import Refused
from evaluation import offered
from evaluation.pipelines.base import PIPELINES, Pipeline, build_pipeline
from evaluation.registry import PartError
from evaluation.robustness.study import STANDARD
from evaluation.runs.parts import rewriter_for

_LONGEST = 60  # of a label, which is part of the rows' keys


@dataclass(frozen=True, slots=True)
class Wanted:
    """A pipeline to run, with the parameters that are not its defaults."""

    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """The name, and what is set: `rewritten(rewriter=typed_query)`. Unique in its run."""
        told = ", ".join(f"{name}={_short(v)}" for name, v in sorted(self.parameters.items()))
        label = f"{self.name}({told})" if told else self.name
        if len(label) <= _LONGEST and "|" not in label:
            return label
        told = sha256(canonical_json(dict(self.parameters)).encode()).hexdigest()[:12]
        return f"{self.name[:40]}({told})"


def why_not(name: str) -> str:
    """Return why this installation cannot have the pipeline, as a clause; "" when it can."""
    return offered.why_not(PIPELINES.find(name))


def chosen(wanted: Iterable[Wanted]) -> list[tuple[str, Pipeline]]:
    """Return the pipelines by their labels, the standard one first: every other is compared with
    it. Raises Refused, a sentence, for what cannot be had here or is set wrongly.
    """
    found: dict[str, Pipeline] = {}
    for one in [Wanted(STANDARD), *wanted]:
        try:
            pipeline = build_pipeline(one.name, one.parameters)
        except PartError as fault:
            raise Refused(str(fault)) from fault
        if why := why_not(one.name):
            raise Refused(
                _("The pipeline %(name)s cannot be had here: it %(why)s.")
                % {"name": one.name, "why": why}
            )
        found.setdefault(one.label, pipeline)
    return list(found.items())


def described(pipeline: Pipeline) -> dict[str, Any]:
    """Return everything to be frozen of a pipeline, the model of its rewriter included."""
    told = pipeline.describe()
    if used := pipeline.rewriter():
        name, parameters = used
        told["rewriter"] = rewriter_for(name, parameters, only_described=True).describe()
    return told


def asks_model(pipelines: Sequence[Pipeline]) -> bool:
    """Whether any of them asks a language model itself."""
    return any(p.needs_generator or p.needs_model for p in pipelines)


def asks_tokens(pipelines: Sequence[Pipeline]) -> bool:
    """Whether any of them needs, or may do with, the model that tells its probabilities."""
    return any(p.needs_tokens or p.needs_model for p in pipelines)


def _short(value: Any) -> str:
    return value if isinstance(value, str) else canonical_json(value)
