"""Causal language models of a few kilobytes, made and saved by the tests themselves."""

from pathlib import Path
from typing import Any

import pytest

WORDS = (
    "<end> <unknown> Answer : Question Harbor Rail rose by 4 % [ ] 1 2 NOT FOUND . how much it ?"
).split()
CONTEXT = 512


def save_tokenizer(folder: Path, chat_template: str | None = None) -> None:
    """Save a tokenizer of whole words; what it does not know is one token."""
    tokenizers = pytest.importorskip("tokenizers")
    transformers = pytest.importorskip("transformers")
    made = tokenizers.Tokenizer(
        tokenizers.models.WordLevel({w: n for n, w in enumerate(WORDS)}, unk_token="<unknown>")
    )
    made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=made,
        unk_token="<unknown>",
        eos_token="<end>",
        model_max_length=CONTEXT,
    )
    tokenizer.chat_template = chat_template
    tokenizer.save_pretrained(folder)


def _config(**changed: Any) -> Any:
    transformers = pytest.importorskip("transformers")
    size = len(WORDS)
    settings = {
        "vocab_size": size,
        "hidden_size": size,
        "intermediate_size": 16,
        "num_hidden_layers": 2,
        "num_attention_heads": 1,
        "num_key_value_heads": 1,
        "head_dim": 24,
        "max_position_embeddings": CONTEXT,
        "tie_word_embeddings": False,
        "bos_token_id": None,
        "eos_token_id": 0,
    }
    return transformers.LlamaConfig(**{**settings, **changed})


def save_random(folder: Path, *, seed: int = 0, chat_template: str | None = None) -> Path:
    """Save a decoder of two layers with random weights."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(seed)
    transformers.LlamaForCausalLM(_config()).save_pretrained(folder)
    save_tokenizer(folder, chat_template)
    return folder


def save_chain(folder: Path, *said: str, chat_template: str | None = None) -> Path:
    """Save a decoder that goes on from ":" with the words `said`, each once, and then ends.

    Its layers add nothing, and its last matrix sends each word to the next.
    """
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    model = transformers.LlamaForCausalLM(_config())
    following = {":": said[0], **dict(zip(said, [*said[1:], "<end>"], strict=True))}
    with torch.no_grad():
        for name, weights in model.named_parameters():
            if "norm" not in name:
                weights.zero_()
        model.model.embed_tokens.weight.copy_(torch.eye(len(WORDS)))
        for word, then in following.items():
            model.lm_head.weight[WORDS.index(then), WORDS.index(word)] = 1.0
    # What a folder says of sampling is left alone: this would forbid every word but the first.
    model.generation_config.repetition_penalty = 50.0
    model.generation_config.eos_token_id = 0
    model.save_pretrained(folder)
    save_tokenizer(folder, chat_template)
    return folder
