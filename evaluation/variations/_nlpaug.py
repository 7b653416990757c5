"""Spelling, keyboard and visual errors by nlpaug. The only module that imports nlpaug.

What nlpaug does with its shares: they are counts, ceil(share * tokens), at least the least and at
most 10, and not a probability per word. Its own tokens part a text at every non-word character and
are put together again with blanks, so that words nobody drew change their spacing.

Three of its habits are undone here, so that the same draws give the same text in every process:
it draws from Python's global random numbers (here from those of the caller, and the global ones are
not touched), its lists of misspellings come in the order of a set, which changes with the process
(here sorted), and they are one global for all augmenters (here each reads its own).
"""

import copy
import math
import random
import re
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.metadata import version
from typing import Any, Literal

Error = Literal["spelling", "keyboard", "visual"]
Misspellings = Mapping[str, list[str]]
MOST = 10

_loading = threading.Lock()
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Settings:
    """How nlpaug makes one kind of error. The defaults are the library's own.

    `tokens`: its own tokens, or what white space parts, put together again as it was.
    `word_share`, `character_share`: the share of tokens, and of characters in a drawn token.
    `least_characters`: the fewest characters changed in a drawn token (the library's own for visual
    errors is 2).
    `shortest`: tokens with fewer characters are not drawn.
    `keys`: which keys of the keyboard may be hit: "all", "letters", or "lower" case letters.
    `reverse`: whether a misspelling in the text may become a word that it is a misspelling of.
    `clean`: what makes the list of misspellings (word to misspellings) fit for use.
    """

    error: Error
    tokens: Literal["library", "spaces"] = "library"
    word_share: float = 0.3
    character_share: float = 0.3
    least_characters: int = 1
    shortest: int = 1
    keys: Literal["all", "letters", "lower"] = "all"
    reverse: bool = True
    clean: Callable[[Misspellings], Misspellings] | None = None


@dataclass(frozen=True, slots=True)
class Edited:
    """A text with errors. `edited` are the indexes of the changed ones among `tokens`, which are
    those of the text before.
    """

    text: str
    tokens: tuple[str, ...]
    edited: tuple[int, ...]


def libraries() -> dict[str, str]:
    """Return the version of nlpaug, without importing it."""
    return {"nlpaug": version("nlpaug")}


def drawn(tokens: int, share: float, least: int = 1, most: int = MOST) -> int:
    """Return how many of `tokens` tokens nlpaug draws: ceil(share * tokens) between both bounds."""
    return min(most, max(least, math.ceil(share * tokens)))


def edit(
    text: str, settings: Settings, draws: random.Random, protected: Iterable[str] = ()
) -> Edited:
    """Return `text` with errors drawn from `draws`; no token of `protected` is changed.

    The text may come out as it was, when what was drawn has no error to make.
    """
    text = text.strip()
    augmenter = _one_use(settings, protected)
    augmenter.sample = draws.sample
    before = tuple(augmenter.tokenizer(text))
    after: list[str] = []
    put_together = augmenter.reverse_tokenizer

    def keep(tokens: list[str]) -> str:
        after[:] = tokens
        return str(put_together(tokens))

    augmenter.reverse_tokenizer = keep
    made = augmenter.augment(text)[0]
    if not after:  # there was nothing to draw: the text comes back without being put together
        return Edited(text, before, ())
    if len(after) != len(before):
        raise RuntimeError("nlpaug left out a token: its list of misspellings has an empty one.")
    if settings.tokens == "spaces":
        made = _with_spaces_of(text, after)
    changed = (at for at, (old, new) in enumerate(zip(before, after, strict=True)) if old != new)
    return Edited(made, before, tuple(changed))


def can_edit(text: str, settings: Settings, protected: Iterable[str] = ()) -> bool:
    """Return whether any draw can change a token of `text`."""
    augmenter = _one_use(settings, protected)
    tokens = augmenter.tokenizer(text.strip())
    drawable = augmenter.pre_skip_aug(tokens)
    if settings.error == "spelling":
        return bool(augmenter.skip_aug(drawable, tokens))
    return any(augmenter.skip_aug(range(len(tokens[at])), list(tokens[at])) for at in drawable)


def round_trip(text: str) -> str:
    """Return `text` after nlpaug's own tokens are put together again, with no error made."""
    augmenter = _augmenter(Settings("visual"))
    return str(augmenter.reverse_tokenizer(augmenter.tokenizer(text.strip())))


def _one_use(settings: Settings, protected: Iterable[str]) -> Any:
    """A copy for one text: it shares the lists, which nobody changes, and draws for itself. So no
    thread waits for another.
    """
    with _loading:
        augmenter = copy.copy(_augmenter(settings))
    tokens = sorted({token for token in protected if token})
    if tokens:
        either = "|".join(re.escape(token) for token in tokens)
        augmenter.stopwords_regex = re.compile(rf"(?:{either})\Z")
    return augmenter


@lru_cache(maxsize=32)
def _augmenter(settings: Settings) -> Any:
    # Not at the top of the file: nlpaug brings every language model library that is installed.
    from nlpaug.augmenter.char import KeyboardAug, OcrAug
    from nlpaug.augmenter.word import SpellingAug

    spaces = {"tokenizer": str.split, "reverse_tokenizer": " ".join}
    tokens = spaces if settings.tokens == "spaces" else {}
    if settings.error == "spelling":
        augmenter = SpellingAug(
            aug_p=settings.word_share,
            aug_min=1,
            aug_max=MOST,
            include_reverse=settings.reverse,
            **tokens,
        )
        augmenter.model = _misspellings(augmenter.dict_path, settings.reverse, settings.clean)
        return augmenter
    shares = {
        "aug_word_p": settings.word_share,
        "aug_word_min": 1,
        "aug_word_max": MOST,
        "aug_char_p": settings.character_share,
        "aug_char_min": settings.least_characters,
        "aug_char_max": MOST,
        "min_char": settings.shortest,
    }
    if settings.error == "visual":
        return OcrAug(**shares, **tokens)
    every = settings.keys == "all"
    return KeyboardAug(
        include_special_char=every,
        include_numeric=every,
        include_upper_case=settings.keys != "lower",
        **shares,
        **tokens,
    )


@cache
def _misspellings(
    path: str, reverse: bool, clean: Callable[[Misspellings], Misspellings] | None
) -> Any:
    from nlpaug.model.word_dict import Spelling

    model = Spelling(path, reverse)
    words: Misspellings = {word: sorted(written) for word, written in model.dict.items()}
    model.dict = dict(clean(words)) if clean is not None else words
    return model


def _with_spaces_of(text: str, tokens: list[str]) -> str:
    spaces = [*_SPACE.findall(text), ""]
    return "".join(token + space for token, space in zip(tokens, spaces, strict=True))
