"""Low-rank adapters (LoRA) on a causal language model. The only module that imports peft.

Source: Hu et al. 2021, "LoRA", arXiv 2106.09685: only small matrices beside the frozen weights are
trained, so that what is saved is small and the base model stays as it is.
"""

import importlib
import json
import warnings
from pathlib import Path
from typing import Any

from evaluation.registry import PartError

CONFIG = "adapter_config.json"
_WEIGHTS = "adapter_model.safetensors"


def add_adapter(model: Any, *, rank: int, alpha: int, dropout: float) -> Any:
    """Return the model with a new adapter on all of its linear layers; only that can be trained.

    Its random numbers come from torch's generator.
    """
    peft: Any = importlib.import_module("peft")
    config = peft.LoraConfig(
        task_type="CAUSAL_LM",
        r=rank,
        lora_alpha=alpha,
        lora_dropout=dropout,
        target_modules="all-linear",
    )
    return peft.get_peft_model(model, config)


def save_adapter(model: Any, folder: Path) -> None:
    """Write the adapter's weights and settings; nothing of the base model or of its place."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the base is a folder: no hub knows its settings
        model.save_pretrained(str(folder), save_embedding_layers=False)
    (folder / "README.md").unlink(missing_ok=True)
    path = folder / CONFIG
    settings = json.loads(path.read_text(encoding="utf-8"))
    settings["base_model_name_or_path"] = None
    # peft writes a set in whatever order it has.
    if isinstance(settings.get("target_modules"), list):
        settings["target_modules"].sort()
    path.write_text(json.dumps(settings, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def with_adapter(model: Any, folder: Path) -> Any:
    """Return the model with the adapter in `folder` added to its weights, to be asked only.

    Raises PartError when the adapter does not fit the model, or has no weights as safetensors:
    other forms can run code when they are read.
    """
    if not (folder / _WEIGHTS).is_file():
        raise PartError(f"The corrector in {folder} has no {_WEIGHTS}. Train it again.")
    peft: Any = importlib.import_module("peft")
    try:
        adapted = peft.PeftModel.from_pretrained(model, str(folder), local_files_only=True)
        return adapted.merge_and_unload().eval()
    except (OSError, ValueError, RuntimeError, KeyError) as fault:
        why = str(fault).strip().splitlines()[0] if str(fault).strip() else type(fault).__name__
        raise PartError(f"The corrector in {folder} does not fit its base model: {why}") from fault
