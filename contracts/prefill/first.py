"""A first guess at a constraint's value, from the marked words and the request around them. Pure;
the annotator corrects it. What the words leave open stays empty: an empty field is seen, a wrong
guess is not.
"""

import re
from collections.abc import Sequence
from datetime import date
from typing import Any

from contracts import language as languages
from contracts.prefill.comparisons import first_comparison
from contracts.prefill.quantities import first_quantity
from contracts.prefill.referents import first_referent
from contracts.prefill.times import first_time
from contracts.values import FIELDS

LONGEST = 300  # words of more characters say no single value

_EXCLUDE = (
    r"excluding|exclude|excludes|except for|except|without|other than|apart from|aside from|"
    r"leaving out|not including|not counting|but not|save for|"
    r"ohne|außer|ausgenommen|sauf|hors|sans|excepto|salvo|sin"
)
_NEGATE = r"not|no longer|no|never|neither|nicht|kein|keine|keinen|keiner|non|nunca|jamais"
_AUXILIARY = (
    r"(?:(?:do|does|did|is|are|was|were|has|have|had|can|could|will|would|should|may|might|must)"
    r"\s+)?"
)
_CONTRACTED = re.compile(r"(?i)^[a-z]+n['’]t\s+(?P<target>.+)$")
_NOT_NEGATED = re.compile(
    r"(?i)^(?:not only|no (?:more|less|fewer|later|earlier) than|not (?:more|less|later|earlier) "
    r"than|not (?:before|after)|no matter|no doubt)\b"
)
_RIVALS = re.compile(
    r"(?i)^(?P<value>.+?),?\s+(?:\(?not|and not|but not|rather than|instead of|as opposed to)\s+"
    r"(?P<rivals>[^()]+)\)?$"
)
_SOURCE = re.compile(
    r"(?i)^(?:according to|based on|as (?:reported|stated|shown|given) (?:in|by)|as per|"
    r"citing|cited in|laut|gemäß|selon|d['’]après|según)\s+"
    r"(?:(?:the|a|an|its|their)\s+)?(?P<source>.+)$"
)


def first_value(
    kind: str,
    words: str,
    *,
    request_texts: Sequence[str] = (),
    reference_date: date | None = None,
) -> dict[str, Any]:
    """Return the fields of a kind's value that the words say plainly; the rest is left out.

    `request_texts` are the request's turns, the current text last: they tell the language, and
    whom a pronoun stands for where they name one only. Relative wording ("last year") is resolved
    on the `reference_date`, and left open without one. Never raises; an unknown kind gives {}.
    """
    words = words.strip()
    if kind not in FIELDS or not words:
        return {}
    found = _read(kind, words, request_texts, reference_date)
    fields = FIELDS[kind]
    return {name: value for name, value in found.items() if fields[name].check(value) is None}


def _read(
    kind: str, words: str, texts: Sequence[str], reference_date: date | None
) -> dict[str, Any]:
    if kind == "referent":
        return first_referent(words, texts)
    if kind == "status":
        return _status(words)
    if kind == "evidence":
        match = _SOURCE.match(words)
        return {"source": match["source"].rstrip(" ,.;?!") if match else words}
    if kind == "polarity":
        return _polarity(words)
    if len(words) > LONGEST:
        return {}
    if kind == "comparison":
        return first_comparison(words)
    language = _language(words, texts)
    if kind == "time":
        return first_time(words, language, reference_date)
    return first_quantity(words, language)


def _language(words: str, texts: Sequence[str]) -> str | None:
    """The language of the turn that the words stand in, the current one first, else their own."""
    around = next((text for text in reversed(texts) if words in text), "")
    return languages.language_of(around) or languages.language_of(words)


def _polarity(words: str) -> dict[str, Any]:
    words = words.strip(" ,;")
    if _NOT_NEGATED.match(words):
        return {}
    for mode, cues in (("exclude", _EXCLUDE), ("negate", _NEGATE)):
        match = re.match(rf"(?i){_AUXILIARY}(?:{cues})\s+(?P<target>.+)$", words, re.DOTALL)
        if match:
            return {"mode": mode, "target": match["target"].strip()}
    if match := _CONTRACTED.match(words):
        return {"mode": "negate", "target": match["target"]}
    if re.match(r"(?i)non-\w", words):
        return {"mode": "negate", "target": words[4:]}
    if re.search(rf"(?i)(?<!\w)(?:{_EXCLUDE}|{_NEGATE}|none|nor)(?!\w)|n['’]t\b", words):
        return {}
    return {"target": words}


def _status(words: str) -> dict[str, Any]:
    match = _RIVALS.match(words)
    if not match:
        return {"value": words}
    rivals = [one.strip() for one in re.split(r",|\bor\b|\band\b", match["rivals"]) if one.strip()]
    return {"value": match["value"].strip(" (,"), "rivals": rivals}
