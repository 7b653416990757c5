"""Typing errors corrected by a small language model of one's own that sees retrieved documents."""

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from evaluation.readers.torch import ONE_AT_A_TIME, Writer, Written, folder_of, identity_of
from evaluation.readers.torch import libraries as model_libraries
from evaluation.records import Document, RequestText, Rewrite
from evaluation.registry import PartError
from evaluation.rewriters._guards import Limits, Refused, checked
from evaluation.rewriters.base import Rewriter, register
from evaluation.training.artefact import Artefact, read_artefact
from evaluation.training.correction import one_line, prompt_of, prompts, prompts_sha256
from evaluation.training.corrector import KIND, CorrectorSettings

FOLDER = "INTACT_CORRECTOR"
_MOST_RAW = 2000


@dataclass(frozen=True, slots=True)
class RaQcgParameters:
    """Which corrector, and what still counts as a correction.

    `path`: the folder that `manage.py train_corrector` wrote; empty takes the one in
    INTACT_CORRECTOR, which may lie elsewhere on each machine.
    `base`: the folder of the model that it was trained on; empty takes the one in
    INTACT_READER_MODEL.
    `max_tokens`: the longest correction, in tokens.
    `max_words`: a longer one is none.
    `max_change`: the most of the characters that a correction may edit, from 0 to 1.
    `span`: so many words of a passage in a row, half of them not in the query, are an answer.
    """

    path: str = ""
    base: str = ""
    max_tokens: int = 96
    max_words: int = 96
    max_change: float = 0.4
    span: int = 6

    def __post_init__(self) -> None:
        if self.max_tokens < 1 or self.max_words < 1 or self.span < 2:
            raise ValueError("max_tokens and max_words must be at least 1, and span at least 2.")
        if not 0 <= self.max_change <= 1:
            raise ValueError(f"max_change must lie between 0 and 1, not {self.max_change}.")


@register("ra_qcg", version="1")
class RaQcgRewriter(Rewriter):
    """The request corrected by a trained model that reads what the request, with its errors, found.

    It costs a search and a generation more than a plain run. What the model writes passes guards:
    nothing, several lines, an answer (a question that is none any more, a run of words of a
    passage) and too much change are not used; the text as it was entered is searched instead, and
    the reason is kept. Documents, their number and the prompt are those of the training. The
    corrector and its base model are frozen by their hashes; a base other than that of the training
    is refused.

    Source: QE-RAG (Zhang et al. 2025, arXiv 2504.04062), retrieval-augmented query correction; the
    guards are our own.
    """

    Parameters = RaQcgParameters
    parameters: RaQcgParameters
    needs_corpus = True

    @cached_property
    def artefact(self) -> Artefact:
        """Return the trained corrector; raise PartError when there is none that fits."""
        path = self.parameters.path.strip() or os.environ.get(FOLDER, "").strip()
        if not path:
            raise PartError(
                f'The rewriter "ra_qcg" needs a trained corrector: set {FOLDER}, or its parameter '
                '"path", to the folder that `manage.py train_corrector` wrote.'
            )
        artefact = read_artefact(Path(path), KIND)
        if artefact.told.get("prompts_sha256") != prompts_sha256():
            raise PartError(
                f"The corrector in {path} was trained with another prompt than this version of the "
                "program has. Train it again."
            )
        return artefact

    @cached_property
    def folder(self) -> Path:
        """Return the folder of the base model; raise PartError when it is not the trained one's."""
        folder = folder_of(self.parameters.base, 'rewriter "ra_qcg"')
        wanted, found = self.artefact.told["base"], identity_of(folder)
        for what in ("weights_sha256", "settings_sha256"):
            if wanted[what] != found[what]:
                raise PartError(
                    f"The corrector in {self.artefact.folder} was trained on “{wanted['name']}”; "
                    f"the model in {folder} is another or was changed. Give the folder of that one "
                    'as "base".'
                )
        return folder

    def prompts(self) -> Mapping[str, str]:
        return prompts()

    def model(self) -> Mapping[str, Any]:
        """The model is what its files are, wherever they lie."""
        told = self.artefact.told
        return {
            "kind": KIND,
            "sha256": self.artefact.sha256,
            "base": identity_of(self.folder),
            "data": told["data"]["sha256"],
        }

    def libraries(self) -> Mapping[str, str]:
        return {**model_libraries(), "peft": version("peft")}

    def write(self, request: RequestText) -> Rewrite:
        p, settings = self.parameters, CorrectorSettings(**self.artefact.told["settings"])
        found = self.view.search(request.text, settings.k) if settings.k else []
        with ONE_AT_A_TIME:
            writer = _loaded(self.folder, self.artefact.folder, self.artefact.sha256)
            began = time.monotonic()  # neither its turn nor the loading is the rewrite's time
            try:
                prompt = prompt_of(
                    writer.encode,
                    request.text,
                    found,
                    words=settings.passage_words,
                    room=min(settings.max_length, writer.context) - p.max_tokens,
                )
            except ValueError as fault:
                return self._fallen_back(request, str(fault), None, {})
            written = writer.write(prompt, max_tokens=p.max_tokens)
            spent: dict[str, Any] = {
                "latency_ms": (time.monotonic() - began) * 1000,
                "tokens": {"in": len(prompt), "out": written.tokens},
            }
        try:
            corrected = self._checked(request.text, written, found)
        except Refused as fault:
            return self._fallen_back(request, str(fault), written.text, spent)
        notes = {"documents": [document.id for document in found]}
        if corrected == one_line(request.text):
            return Rewrite(kind="unchanged", queries=(request.text,), notes=notes, **spent)
        return Rewrite(kind="standalone", queries=(corrected,), notes=notes, **spent)

    def _checked(self, entered: str, written: Written, found: list[Document]) -> str:
        if written.truncated:
            raise Refused(f"the reply was cut at {self.parameters.max_tokens} tokens")
        p = self.parameters
        limits = Limits(max_change=p.max_change, span=p.span, max_words=p.max_words)
        return checked(entered, written.text, found, limits)

    def _fallen_back(
        self, request: RequestText, why: str, raw: str | None, spent: Mapping[str, Any]
    ) -> Rewrite:
        notes = {"why": why, **({"raw": raw[:_MOST_RAW]} if raw else {})}
        return Rewrite(
            kind="unchanged", queries=(request.text,), fell_back=True, notes=notes, **spent
        )


class _Corrector(Writer):
    """A base model with the corrector's adapter in its weights."""

    def __init__(self, base: Path, adapter: Path) -> None:
        from evaluation.training.adapter import with_adapter

        super().__init__(base)
        settings = self.model.generation_config
        self.model = with_adapter(self.model, adapter)
        self.model.generation_config = settings


@lru_cache(maxsize=1)
def _loaded(base: Path, adapter: Path, _sha256: str) -> Writer:
    """Return the corrector: one for all that ask in this process."""
    return _Corrector(base, adapter)
