"""Sentences of an answer as claims that can be judged by themselves."""

import re

from evaluation.scoring.answer_text import sentences

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
# Verbs that make a short answer a sentence of its own.
_VERBS = frozenset(
    "is are was were am be been has have had does do did will would can could may might must shall"
    " should isn't aren't wasn't weren't hasn't haven't hadn't doesn't don't didn't won't wouldn't"
    " can't couldn't".split()
)
_FRAGMENT_WORDS = 6


def claims_of(question: str, answer: str) -> list[tuple[str, str]]:
    """Return (sentence of the answer, the claim that it makes): a fragment ("EUR 5 million") says
    something only as the answer to its question, so it is joined with it.
    """
    asked = " ".join(question.split())
    return [
        (sentence, f"{asked} {sentence}".strip() if is_fragment(sentence) else sentence)
        for sentence in sentences(answer)
        if _WORD.search(sentence)
    ]


def is_fragment(sentence: str) -> bool:
    """Return whether the sentence has at most six words and no verb that is known here, or at most
    two words.
    """
    words = [word.lower().replace("’", "'") for word in _WORD.findall(sentence)]
    return len(words) <= 2 or (len(words) <= _FRAGMENT_WORDS and _VERBS.isdisjoint(words))
