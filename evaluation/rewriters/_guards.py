"""What a correction of a query may not be: the guards between a small model and a search.

A model that was trained to correct still answers, runs on or writes something else at times. A
correction that any guard refuses is not used; the text as it was entered is searched instead.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz.distance import OSA

from evaluation.records import Document
from evaluation.retrieval.tokens import tokenize
from evaluation.rewriters.prompt import parse_query

_ASKING = frozenset(
    "who whom whose what when where which why how is are was were am do does did can could will "
    "would should shall may might has have had name list tell".split()
)
_RUN_ON = re.compile(r"<\|?[a-z_/]+\|?>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Limits:
    """`max_change`: the most of the characters that may be edited, 0 to 1, of the longer text.
    `span`: a run of so many words of a passage, half of them new to the query, is an answer.
    `max_words`: a longer query is none.
    """

    max_change: float
    span: int
    max_words: int


class Refused(ValueError):
    """A reply is no usable correction. The text is a sentence."""


def checked(entered: str, reply: str, passages: Sequence[Document], limits: Limits) -> str:
    """Return the correction that `reply` is; raise Refused when a guard speaks against it."""
    if not reply.strip():
        raise Refused("the model wrote nothing")
    if _RUN_ON.search(reply) and not _RUN_ON.search(entered):
        raise Refused("the model wrote marks of its own format")
    try:
        corrected = parse_query(reply, max_words=limits.max_words)
    except ValueError as fault:
        raise Refused(str(fault)) from fault
    if asks(entered) and not asks(corrected):
        raise Refused("the query asks and the text of the model does not: it looks like an answer")
    if copied := copied_span(entered, corrected, passages, limits.span):
        raise Refused(f"the model wrote “{copied}”, which stands in a passage, not in the query")
    change = OSA.normalized_distance(entered.casefold(), corrected.casefold())
    if change > limits.max_change:
        raise Refused(
            f"{change:.0%} of the characters differ from the query, and at most "
            f"{limits.max_change:.0%} may"
        )
    return corrected


def asks(text: str) -> bool:
    """Whether a text is put as a question: by its mark or its first word."""
    words = tokenize(text)
    return text.rstrip("\"'\u201d\u2019) ").endswith("?") or (bool(words) and words[0] in _ASKING)


def copied_span(entered: str, corrected: str, passages: Sequence[Document], span: int) -> str:
    """Return a run of `span` words that a correction shares with a passage, at least half of them
    not in the query; "" when there is none.
    """
    words, known = tokenize(corrected), set(tokenize(entered))
    texts = [f" {' '.join(tokenize(f'{one.title} {one.text}'))} " for one in passages]
    for at in range(len(words) - span + 1):
        run = words[at : at + span]
        if 2 * sum(word not in known for word in run) < span:
            continue
        joined = " ".join(run)
        if any(f" {joined} " in text for text in texts):
            return joined
    return ""
