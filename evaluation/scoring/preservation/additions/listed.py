"""The phrases of a list in a text, quickly: most texts have none of most lists."""

from functools import cache, lru_cache

from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.lexicon import Found
from evaluation.scoring.preservation.text import Text


@lru_cache(maxsize=4_000)  # a request is read again for each arm
def hits(name: str, text: Text) -> tuple[Found, ...]:
    """Return the phrases of `lexicon/<name>.txt` in a text, from left to right."""
    if _first_words(name).isdisjoint(_words(text)):
        return ()
    return tuple(lexicon.phrases(name).all_in(text))


@cache
def _first_words(name: str) -> frozenset[str]:
    return frozenset(words[0] for words, _ in lexicon.phrases(name).entries)


@lru_cache(maxsize=4_000)
def _words(text: Text) -> frozenset[str]:
    return frozenset(word.text for word in text.words)
