"""A causal language model from a folder of this machine as the reader, in this process.

The only module that loads a language model with torch and transformers; pipelines/token_model.py
asks the loaded one for probabilities. Both are imported on use: that takes seconds and hundreds of
megabytes. Nothing is downloaded and no code of the folder is run.
"""

import hashlib
import importlib
import os
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from annotation.canonical import content_hash
from evaluation.readers.base import Passage, ReaderError, register
from evaluation.readers.prompted import PromptedReader, Prompting
from evaluation.records import Answer
from evaluation.registry import PartError

FOLDER = "INTACT_READER_MODEL"
# What a chat template writes for today's date, so that a run says the same on another day.
DATE = "26 Jul 2024"
_WEIGHTS = ".safetensors"
_SETTINGS = (".json", ".jinja", ".txt", ".model")
# One model in a process, and one text at a time: all cores work on it anyway.
ONE_AT_A_TIME = threading.Lock()


@dataclass(frozen=True, slots=True)
class LocalParameters(Prompting):
    """Which model, how it is asked, and what it gets to read.

    `path`: the folder of a saved model (config.json, *.safetensors and its tokenizer); empty takes
    the one in INTACT_READER_MODEL, which may lie elsewhere on each machine.
    """

    path: str = ""


@register("local", version="1")
class LocalReader(PromptedReader):
    """Asks a causal language model in this process; abstains without asking when there is no
    passage.

    It runs on torch and transformers on the processor, in 32 bits, and takes the likeliest token
    each time. The prompt and the reading of the reply are those of the reader "endpoint". A model
    with a chat template gets the messages in it, one without gets them as plain text. Where the
    prompt is longer than the tokenizer and the model allow, the last passages are left out. The
    folder's name, its settings and its weights are frozen by their hashes.

    The bundled SmolLM2 is no such folder: it is a GGUF file, which torch reads only after a
    conversion that needs two more packages. It is served to the reader "endpoint" instead.
    """

    Parameters = LocalParameters
    parameters: LocalParameters

    @cached_property
    def folder(self) -> Path:
        """Return the model's folder; raise PartError when there is none, or no model in it."""
        return folder_of(self.parameters.path, 'reader "local"')

    def model(self) -> Mapping[str, Any]:
        """The model is what its files are, wherever they lie."""
        return identity_of(self.folder)

    def libraries(self) -> Mapping[str, str]:
        return libraries()

    def read(self, question: str, passages: Sequence[Passage]) -> Answer:
        if not passages:
            return Answer(text=None)
        with ONE_AT_A_TIME:
            writer = loaded(self.folder)
            began = time.monotonic()  # neither its turn nor the loading is the answer's time
            shown, prompt = self._fitting(writer, question, passages)
            written = writer.write(prompt, max_tokens=self.parameters.max_tokens)
            latency_ms = (time.monotonic() - began) * 1000
        tokens = {"in": len(prompt), "out": written.tokens}
        try:
            answer = self.understood(
                written.text, shown, tokens=tokens, truncated=written.truncated
            )
        except ReaderError as fault:
            fault.latency_ms = latency_ms
            raise
        return replace(answer, latency_ms=latency_ms)

    def _fitting(
        self, writer: "Writer", question: str, passages: Sequence[Passage]
    ) -> tuple[Sequence[Passage], list[int]]:
        """Return the passages that the model can read, best first, and the prompt's tokens."""
        room = writer.context - self.parameters.max_tokens
        prompt: list[int] = []
        for count in range(len(passages), 0, -1):
            prompt = writer.encode(self.messages(question, passages[:count]))
            if len(prompt) <= room:
                return passages[:count], prompt
        raise ReaderError(
            f"the question and one passage take {len(prompt)} tokens; beside an answer of "
            f"{self.parameters.max_tokens} the model reads {max(room, 0)}"
        )


@dataclass(frozen=True, slots=True)
class Written:
    """What the model wrote. `truncated`: it was at its limit before it ended."""

    text: str
    tokens: int
    truncated: bool


class Writer:
    """A loaded model with its tokenizer. For one thread at a time: hold ONE_AT_A_TIME.

    `context` is how many tokens a prompt and its reply may have together, `ends` are the tokens
    that end a text.
    """

    def __init__(self, folder: Path) -> None:
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        os.environ.setdefault("TRANSFORMERS_OFFLINE", "1")
        self.torch: Any = importlib.import_module("torch")
        transformers: Any = importlib.import_module("transformers")
        here = {"local_files_only": True, "trust_remote_code": False}
        try:
            self.tokenizer: Any = transformers.AutoTokenizer.from_pretrained(str(folder), **here)
            self.model: Any = transformers.AutoModelForCausalLM.from_pretrained(
                str(folder), use_safetensors=True, dtype=self.torch.float32, **here
            )
        except (OSError, ValueError, KeyError, ImportError, RuntimeError) as fault:
            why = str(fault).strip().splitlines()[0] if str(fault).strip() else type(fault).__name__
            raise PartError(
                f'The reader "local" cannot load the language model in {folder}: {why}'
            ) from fault
        self.model.eval()
        self.ends = _ends_of(self.model, self.tokenizer)
        # Nothing of the folder's own sampling is kept: no penalty and no temperature.
        self.model.generation_config = transformers.GenerationConfig(
            do_sample=False,
            num_beams=1,
            eos_token_id=self.ends or None,
            pad_token_id=self.ends[0] if self.ends else 0,
        )
        most = getattr(self.model.config, "max_position_embeddings", None)
        limits = (self.tokenizer.model_max_length, most)
        self.context = min(int(limit) for limit in limits if limit)

    def prompt(self, messages: Sequence[Mapping[str, str]]) -> str:
        """Return the text that the model goes on from: by its chat template, if it has one.

        Raises PartError when the template cannot be used for these messages.
        """
        template = self.tokenizer.chat_template
        if not template:
            return "\n\n".join(message["content"] for message in messages)
        if "strftime_now" in str(template) and "date_string" not in str(template):
            raise PartError(
                "The model's chat template writes today's date, so that its answers change with "
                "the day. Take the date out of the template."
            )
        jinja2: Any = importlib.import_module("jinja2")
        try:
            return str(
                self.tokenizer.apply_chat_template(
                    [dict(message) for message in messages],
                    tokenize=False,
                    add_generation_prompt=True,
                    date_string=DATE,
                )
            )
        except (jinja2.TemplateError, ValueError) as fault:
            raise PartError(
                f"The model's chat template cannot be used: {fault}. With instruction_in "
                "“user” it needs no system message."
            ) from fault

    def encode(self, messages: Sequence[Mapping[str, str]]) -> list[int]:
        """Return the tokens of the prompt; a template writes the special ones itself."""
        text = self.prompt(messages)
        plain = not self.tokenizer.chat_template
        return list(self.tokenizer(text, add_special_tokens=plain, verbose=False)["input_ids"])

    def write(self, prompt: Sequence[int], *, max_tokens: int) -> Written:
        """Return what follows the prompt, the likeliest token each time."""
        given = self.torch.tensor([list(prompt)])
        with self.torch.inference_mode():
            whole = self.model.generate(
                input_ids=given,
                attention_mask=self.torch.ones_like(given),
                max_new_tokens=max_tokens,
            )
        new = whole[0, given.shape[1] :].tolist()
        text = self.tokenizer.decode(new, skip_special_tokens=True)
        return Written(text, len(new), truncated=not new or new[-1] not in self.ends)


def folder_of(path: str, asker: str) -> Path:
    """Return the folder at `path` or, when that is empty, in INTACT_READER_MODEL.

    Raises PartError, which names the `asker`, when there is none, or no model in it.
    """
    path = path.strip() or os.environ.get(FOLDER, "").strip()
    if not path:
        raise PartError(
            f"The {asker} needs the folder of a language model: set {FOLDER}, or its "
            'parameter "path".'
        )
    folder = Path(path)
    if not (folder / "config.json").is_file() or not _files(folder, (_WEIGHTS,)):
        raise PartError(
            f"The {asker} finds no language model in {path}: a config.json and weights "
            f"as *{_WEIGHTS} are wanted. Save one there with save_pretrained."
        )
    return folder


def identity_of(folder: Path) -> dict[str, Any]:
    """Return what identifies the model in a folder: its name and the hashes of its files."""
    return {
        "name": folder.resolve().name,
        "settings_sha256": _hash(folder, _SETTINGS),
        "weights_sha256": _hash(folder, (_WEIGHTS,)),
    }


def libraries() -> dict[str, str]:
    """Return the versions of the libraries that decide what a model says."""
    return {name: version(name) for name in ("tokenizers", "torch", "transformers")}


def loaded(folder: Path) -> Writer:
    """Return the model of a folder as its files are now: one for all that ask in this process.

    Hold ONE_AT_A_TIME. Raises PartError when it cannot be loaded.
    """
    return _loaded(folder, _stamps(folder))


@lru_cache(maxsize=1)
def _loaded(folder: Path, stamps: tuple[object, ...]) -> Writer:
    return Writer(folder)


def _ends_of(model: Any, tokenizer: Any) -> list[int]:
    """Return the tokens that end a text, as the model's settings or else its tokenizer say."""
    found = model.generation_config.eos_token_id
    if found is None:
        found = tokenizer.eos_token_id
    ends = found if isinstance(found, list) else [found]
    return [int(end) for end in ends if end is not None]


def _files(folder: Path, endings: Sequence[str]) -> list[Path]:
    return sorted(p for p in folder.iterdir() if p.suffix in endings and p.is_file())


def _stamps(folder: Path) -> tuple[object, ...]:
    """What changes when a file of the folder does: names, sizes and times."""
    found = [(path, path.stat()) for path in _files(folder, (*_SETTINGS, _WEIGHTS))]
    return tuple((path.name, stat.st_size, stat.st_mtime_ns) for path, stat in found)


def _hash(folder: Path, endings: Sequence[str]) -> str:
    """Return one hash over the names and bytes of the folder's files with these endings."""
    hashes = {}
    for path in _files(folder, endings):
        stat = path.stat()
        hashes[path.name] = _file_hash(path, stat.st_size, stat.st_mtime_ns)
    return content_hash(hashes)


@lru_cache(maxsize=256)
def _file_hash(path: Path, _size: int, _changed: int) -> str:
    """Return a file's SHA-256; it is read again once its size or its time is another."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
