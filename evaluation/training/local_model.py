"""The bundled SmolLM2 as a folder that torch reads: converted once from its GGUF file.

A quantised model is read with its weights made whole; what is saved is a plain model of the same
numbers. With 16 bits a weight the folder is half as large, and it is computed with in 32 bits all
the same; rounding the numbers to bfloat16 can turn a close choice of word.
"""

import importlib
import os
import shutil
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from evaluation.generation.local import MODEL, LocalServerError, file_sha256, model_file
from evaluation.registry import PartError

Weights = Literal["bfloat16", "float32"]


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A converted model: where it is, from which file, how many weights of which type it has, its
    size in bytes and the seconds that it took.
    """

    folder: Path
    source: str
    source_sha256: str
    weights: Weights
    parameters: int
    size: int
    seconds: float


def convert_bundled(folder: Path, *, weights: Weights = "bfloat16") -> LocalModel:
    """Write the bundled model into the new `folder` and return what was done.

    The folder appears under its name only when it is complete. Takes some 20 seconds and 1 GB of
    memory. Raises PartError when something is there already, or the model or what reads it is not
    installed.
    """
    folder = Path(folder)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise PartError(f"There is something in {folder} already. Give a new folder.")
    try:
        source = model_file()
    except LocalServerError as fault:
        raise PartError(str(fault)) from fault
    return convert(source, folder, weights=weights)


def convert(source: Path, folder: Path, *, weights: Weights) -> LocalModel:
    """Write the causal language model of a GGUF file into the new `folder`."""
    began = time.monotonic()
    folder.parent.mkdir(parents=True, exist_ok=True)
    building = Path(tempfile.mkdtemp(prefix=".building-", dir=folder.parent))
    try:
        parameters = _write(source, building, weights)
        building.chmod(0o755)  # others of the installation read it; mkdtemp makes it private
        for path in building.iterdir():
            path.chmod(0o644)
        building.rename(folder)
    except (OSError, ImportError, ValueError) as fault:
        why = str(fault).strip().splitlines()[0] if str(fault).strip() else type(fault).__name__
        raise PartError(f"The model cannot be converted to {folder}: {why}") from fault
    finally:
        shutil.rmtree(building, ignore_errors=True)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return LocalModel(
        folder=folder,
        source=source.name,
        source_sha256=file_sha256(source),
        weights=weights,
        parameters=parameters,
        size=size,
        seconds=time.monotonic() - began,
    )


def _write(source: Path, folder: Path, weights: Weights) -> int:
    """Save model and tokenizer; return the number of weights.

    A model that came from a GGUF file says that it is quantised and refuses to be saved, so its
    numbers go into a plain one of the same shape.
    """
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("TRANSFORMERS_OFFLINE", "1")
    torch: Any = importlib.import_module("torch")
    transformers: Any = importlib.import_module("transformers")
    here = {"gguf_file": source.name, "local_files_only": True}
    tokenizer = transformers.AutoTokenizer.from_pretrained(str(source.parent), **here)
    read = transformers.AutoModelForCausalLM.from_pretrained(
        str(source.parent), dtype=torch.float32, **here
    )
    settings = {k: v for k, v in read.config.to_dict().items() if k != "quantization_config"}
    model = type(read)(type(read.config).from_dict(settings))
    model.load_state_dict(read.state_dict())
    model.generation_config = read.generation_config
    model.to(getattr(torch, weights)).save_pretrained(folder)
    # The folder's name must not tell where the file lay.
    tokenizer.name_or_path = MODEL
    tokenizer.save_pretrained(folder)
    return sum(tensor.numel() for tensor in model.parameters())
