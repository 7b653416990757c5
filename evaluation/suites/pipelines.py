"""Pipelines as they are asked for: by name with parameters, under a label of their own."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from django.utils.translation import gettext as _

from annotation.canonical import canonical_json
from annotation.services.projects import Refused
from evaluation import offered
from evaluation.pipelines.base import PIPELINES, Pipeline, TokenModel, build_pipeline
from evaluation.pipelines.token_model import token_model, tokens_here
from evaluation.registry import PartError
from evaluation.robustness.study import STANDARD
from evaluation.runs.parts import rewriter_for

REWRITTEN = "rewritten"
_LONGEST = 60  # of a label, which is part of the rows' keys


@dataclass(frozen=True, slots=True)
class Wanted:
    """A pipeline to run, with the parameters that are not its defaults."""

    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def named(cls, name: str, parameters: Mapping[str, Any] | None = None) -> "Wanted":
        """Return the pipeline that people call so. “rewritten:typed_query” is the pipeline
        “rewritten” with that rewriter, whose `parameters` are then the rewriter's.
        """
        pipeline, _colon, rewriter = name.partition(":")
        if pipeline != REWRITTEN or not rewriter:
            return cls(name, dict(parameters or {}))
        given = {"parameters": canonical_json(dict(parameters))} if parameters else {}
        return cls(pipeline, {"rewriter": rewriter, **given})

    @property
    def label(self) -> str:
        """The name, and what is set: `hyde(n=4)`, `rewritten:typed_query`. Unique in its run."""
        name, given = self.name, dict(self.parameters)
        if name == REWRITTEN and "rewriter" in given:
            name = f"{name}:{given.pop('rewriter')}"
            given |= json.loads(given.pop("parameters", "{}"))
        told = ", ".join(f"{one}={_short(value)}" for one, value in sorted(given.items()))
        label = f"{name}({told})" if told else name
        if len(label) <= _LONGEST and "|" not in label:
            return label
        told = sha256(canonical_json(dict(self.parameters)).encode()).hexdigest()[:12]
        return f"{name.replace('|', '/')[:40]}({told})"


def why_not(name: str) -> str:
    """Return why this installation cannot have the pipeline, as a clause; "" when it can."""
    return offered.why_not(PIPELINES.find(name))


def tokens_of(reader: Mapping[str, Any]) -> TokenModel | None:
    """Return the model whose probabilities pipelines use: that of the reader "local" where it is
    set to a folder of its own, else this machine's; None without either. `reader` has its name and
    its parameters. Raises PartError when there is no model in the reader's folder.
    """
    path = str(reader["parameters"].get("path", "")).strip() if reader["name"] == "local" else ""
    return token_model(path) if path else tokens_here()


def chosen(wanted: Iterable[Wanted], reader: Mapping[str, Any]) -> list[tuple[str, Pipeline]]:
    """Return the pipelines by their labels, the standard one first: every other is compared with
    it. Raises Refused, a sentence, for what cannot be had here with this reader or is set wrongly.
    """
    found: dict[str, Pipeline] = {}
    for one in [Wanted(STANDARD), *wanted]:
        try:
            pipeline = build_pipeline(one.name, one.parameters)
        except PartError as fault:
            raise Refused(str(fault)) from fault
        if (why := why_not(one.name)) and not _has_tokens(pipeline, reader):
            raise Refused(
                _("The pipeline %(name)s cannot be had here: it %(why)s.")
                % {"name": one.name, "why": why}
            )
        found.setdefault(one.label, pipeline)
    return list(found.items())


def _has_tokens(pipeline: Pipeline, reader: Mapping[str, Any]) -> bool:
    """Whether the reader brings the model that this machine lacks."""
    if not (pipeline.needs_tokens or pipeline.needs_model) or pipeline.needs_generator:
        return False
    try:
        return tokens_of(reader) is not None
    except PartError as fault:
        raise Refused(str(fault)) from fault


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
