"""Keywords forward: a rule rewriter without a model, as many search front ends have one.

Names and numbers come first, names of the earlier turns next, the other content words last; stop
words and politeness go. Its stop words hold "not", "before" and their like, as usual lists do, so
it can lose what a request excludes or when: that is for the evaluation to show.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from evaluation.records import RequestText, Rewrite
from evaluation.retrieval.tokens import ENGLISH, tokenize
from evaluation.rewriters.base import RewriteError, Rewriter, register

_POLITE = frozenset(
    "please thanks thank hello hi hey kindly tell show give find know want like let's "
    "okay ok sorry".split()
)
_DROPPED = ENGLISH | _POLITE
_WORD = re.compile(r"[^\W_](?:[\w.,&'\u2019%-]*[\w%])?")
_SENTENCE_END = re.compile(r"[.?!:]\s*$")
_POSSESSIVE = re.compile(r"['\u2019]s$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class KeywordsParameters:
    """What goes into the query.

    `carry`: whose earlier turns give names.
    `max_words`: the query's length limit, in words.
    """

    carry: Literal["all", "user", "none"] = "all"
    max_words: int = 32

    def __post_init__(self) -> None:
        if self.max_words < 1:
            raise ValueError(f"max_words must be at least 1, not {self.max_words}.")


@register("keywords", version="1")
class KeywordsRewriter(Rewriter):
    """One query of the request's keywords, names and numbers first.

    Names of the earlier turns come next, the other content words last; stop words and politeness
    go. Its stop words hold "not", "before" and their like, as usual lists do, so it can lose what a
    request excludes or when. A request that has nothing but stop words is an error.

    Source: our own; a rule such as many search front ends have.
    """

    Parameters = KeywordsParameters
    parameters: KeywordsParameters

    def write(self, request: RequestText) -> Rewrite:
        earlier = [
            turn.text
            for turn in reversed(request.turns)
            if self.parameters.carry == "all"
            or (self.parameters.carry == "user" and turn.role == "user")
        ]
        first, rest = split_names(request.text)
        carried = [name for text in earlier for name in split_names(text)[0] if _is_name(name)]
        words = _unique([*first, *carried, *rest])[: self.parameters.max_words]
        if not words:
            raise RewriteError("the request has no word left once stop words are dropped")
        return Rewrite(kind="standalone", queries=(" ".join(words),))


def split_names(text: str) -> tuple[list[str], list[str]]:
    """Return (names and numbers, other content words) of `text`, each in order of appearance.

    A capitalised word is a name unless it only begins a sentence; one that begins a sentence is a
    name when another capitalised word follows it, or when it has a capital or digit further on.
    """
    matches = list(_WORD.finditer(text))
    words = [_POSSESSIVE.sub("", match.group()) for match in matches]
    names: list[str] = []
    rest: list[str] = []
    for i, word in enumerate(words):
        if not (tokens := tokenize(word)) or all(token in _DROPPED for token in tokens):
            continue
        before = text[: matches[i].start()]
        begins = not before.strip() or _SENTENCE_END.search(before) is not None
        follows = words[i + 1] if i + 1 < len(words) else ""
        strong = any(c.isdigit() or c.isupper() for c in word[1:]) or word[0].isdigit()
        named = word[0].isupper() and (not begins or follows[:1].isupper())
        (names if strong or named else rest).append(word)
    return names, rest


def _is_name(word: str) -> bool:
    """Numbers of earlier turns are not carried: they belong to the question asked then."""
    return not word[0].isdigit()


def _unique(words: Iterable[str]) -> list[str]:
    seen: dict[str, str] = {}
    for word in words:
        seen.setdefault(word.casefold(), word)
    return list(seen.values())
