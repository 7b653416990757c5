"""A token model whose probabilities the test writes down: its tokens are words. For tests only."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

END = "<end>"


class TableModel:
    """`following` gives, for the text so far, the probabilities of the words that may follow;
    `loss` the loss of a word after the text before it. What they leave out has probability 0.
    """

    def __init__(
        self,
        *vocabulary: str,
        following: Callable[[str], Mapping[str, float]] = lambda _text: {},
        loss: Callable[[str, str], float] = lambda _before, _word: 0.0,
        context: int = 10_000,
    ) -> None:
        self.words = [END, *vocabulary]
        self._following = following
        self._loss = loss
        self._context = context
        self.passes = 0

    @property
    def context(self) -> int:
        return self._context

    def identity(self) -> Mapping[str, Any]:
        return {"name": "table"}

    def encode(self, messages: Sequence[Mapping[str, str]]) -> list[int]:
        return self.tokens(" ".join(message["content"] for message in messages))

    def tokens(self, text: str) -> list[int]:
        for word in text.split():
            if word not in self.words:
                self.words.append(word)
        return [self.words.index(word) for word in text.split()]

    def text(self, tokens: Sequence[int]) -> str:
        return " ".join(self.words[token] for token in tokens if token)

    def next_log_probs(self, tokens: Sequence[int]) -> Sequence[float]:
        self.passes += 1
        found = self._following(self.text(tokens))
        return [math.log(found[word]) if found.get(word) else -math.inf for word in self.words]

    def losses(self, before: Sequence[int], tokens: Sequence[int]) -> list[float]:
        return [
            self._loss(self.text([*before, *tokens[:place]]), self.words[token])
            for place, token in enumerate(tokens)
        ]

    def ends(self) -> Sequence[int]:
        return (0,)


def spelled(*words: str, after: str) -> Callable[[str], Mapping[str, float]]:
    """What follows a prompt that ends with `after`: the words, each for certain, and the end."""
    said = [*words, END]

    def following(text: str) -> Mapping[str, float]:
        written = text.rsplit(after, 1)[1].split()
        return {said[len(written)]: 1.0}

    return following
