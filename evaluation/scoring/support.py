"""Is an answer supported by the retrieved text? A lexical check that shows its words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from evaluation.scoring.answer_text import inacc_tokens, sentences
from evaluation.scoring.typed_values import Mention, mentions

SUPPORT_SHARE = 0.8
_NEGATIONS = frozenset("not no never none nor neither without except excluding".split())
_CONTRACTED = frozenset(
    "didn doesn don isn aren wasn weren hasn haven hadn won wouldn couldn shouldn cannot".split()
)
_EMPTY = frozenset(
    "is are was were be been being am do does did has have had will would can could may might"
    " must shall should of in on at by to for from with as about into over per that this these"
    " those it its they their them he him his she her we our you your i my and or but so than then"
    " there here which who whom whose what when where how why yes s t also both such".split()
)


LEXICAL = "supported/1"


@dataclass(frozen=True, slots=True)
class ClaimSupport:
    """One thing that the answer says. `passage` is the id of the document whose `quote` supports
    (or, where `supported` is False, contradicts) it; `supported` is None where it is undecided.
    """

    text: str
    supported: bool | None
    passage: str | None = None
    quote: str = ""
    why: str = ""

    def to_json(self) -> dict[str, Any]:
        return {
            "text": self.text,
            "supported": self.supported,
            "passage": self.passage,
            "quote": self.quote,
            "why": self.why,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "ClaimSupport":
        return cls(**{name: data[name] for name in cls.__slots__})


@dataclass(frozen=True, slots=True)
class Support:
    """`value` is None when the answer has nothing to check, or nobody could tell; `why` is a
    sentence with the words missing. `rule` is the formula, judge or person that decided; `status`
    is "ok", "judge_error" (then nothing was decided) or "not_applicable".
    """

    value: bool | None
    why: str
    rule: str = LEXICAL
    claims: tuple[ClaimSupport, ...] = ()
    status: str = "ok"

    def to_json(self) -> dict[str, Any]:
        return {
            "value": self.value,
            "why": self.why,
            "rule": self.rule,
            "claims": [claim.to_json() for claim in self.claims],
            "status": self.status,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Support":
        return cls(
            data["value"],
            data["why"],
            data.get("rule", LEXICAL),
            tuple(ClaimSupport.from_json(claim) for claim in data.get("claims", ())),
            data.get("status", "ok"),
        )


@dataclass(frozen=True, slots=True)
class _Claim:
    """What a sentence says: folded content words, negations, and typed values."""

    words: frozenset[str]
    negations: frozenset[str]
    values: tuple[Mention, ...]


_Evidence = tuple[_Claim, str, str]  # what a sentence says, its passage, the sentence


def supported(
    answer_text: str | None, documents_texts: Sequence[str], *, share: float = SUPPORT_SHARE
) -> Support:
    """Return whether every sentence of the answer is contained in one sentence of the retrieved
    texts.

    Contained: at least `share` of its content words (no function words, plural s folded), each of
    its negations, and each of its numbers and dates by value stand in that sentence. A title counts
    only if the text begins with it. This certifies that the words are there, not that they follow;
    it errs towards "not supported". An answer of "yes" or "no" alone has nothing to check. Raises
    ValueError for a share outside 0 to 1.
    """
    passages = [(str(number), text) for number, text in enumerate(documents_texts, start=1)]
    return supported_by(answer_text, passages, share=share)


def supported_by(
    answer_text: str | None, passages: Sequence[tuple[str, str]], *, share: float = SUPPORT_SHARE
) -> Support:
    """The same for passages as (id, text): each claim names the passage and sentence that contain
    it.
    """
    if not 0.0 < share <= 1.0:
        raise ValueError(f"share is {share}: give a share above 0 and at most 1.")
    claims = [(text, _claim(text)) for text in sentences(answer_text or "")]
    claims = [(text, claim) for text, claim in claims if claim.words or claim.values]
    if not claims:
        return Support(None, "The answer has no word that retrieved text could support.")
    evidence = [
        (claim, key, text) for key, document in passages for claim, text in _claims_of(document)
    ]
    if not evidence:
        return Support(False, "No text was retrieved, so nothing supports the answer.")
    found = tuple(_judged(text, claim, evidence, share) for text, claim in claims)
    fault = next((claim.why for claim in found if not claim.supported), None)
    if fault is not None:
        return Support(False, fault, claims=found)
    why = f"Retrieved sentences contain every sentence of the answer ({len(claims)})."
    return Support(True, why, claims=found)


def _judged(text: str, claim: _Claim, evidence: Sequence[_Evidence], share: float) -> ClaimSupport:
    for source, key, quote in evidence:
        if _contains(source, claim, share):
            return ClaimSupport(text, True, key, quote, "A retrieved sentence contains it.")
    nearest = _nearest(claim, [source for source, _key, _quote in evidence])
    return ClaimSupport(text, False, why=f"No retrieved sentence says {text!r}{nearest}")


@lru_cache(maxsize=512)  # the arms of a request retrieve much the same
def _claims_of(document: str) -> tuple[tuple[_Claim, str], ...]:
    """What each sentence of a passage says, with the sentence."""
    return tuple((_claim(text), text) for text in sentences(document))


def _claim(text: str) -> _Claim:
    values = mentions(text)
    rest = list(text)
    for value in values:
        rest[value.start : value.end] = " " * (value.end - value.start)
    tokens = inacc_tokens("".join(rest))
    negations = {word for word in tokens if word in _NEGATIONS}
    # "didn't" is the tokens "didn" and "t".
    negations |= {"not" for word in tokens if word in _CONTRACTED}
    silent = _EMPTY | _NEGATIONS | _CONTRACTED
    words = {_fold(word) for word in tokens if word not in silent}
    return _Claim(frozenset(words), frozenset(negations), values)


def _fold(word: str) -> str:
    plural = len(word) > 3 and word.endswith("s") and not word.endswith("ss")
    return word[:-1] if plural else word


def _contains(source: _Claim, claim: _Claim, share: float) -> bool:
    if not claim.negations <= source.negations:
        return False
    if not all(any(_says(said, value) for said in source.values) for value in claim.values):
        return False
    return len(claim.words & source.words) >= share * len(claim.words)


def _says(said: Mention, value: Mention) -> bool:
    if value.is_date:
        pairs = [(getattr(value, p), getattr(said, p)) for p in ("year", "month", "day", "quarter")]
        return said.is_date and all(wanted in (None, given) for wanted, given in pairs)
    if said.is_date:
        return value.dimension is None and value.currency is None and said.year == value.number
    if value.currency not in (None, said.currency):
        return False
    if "percent" in (value.dimension, said.dimension) and value.dimension != said.dimension:
        return False
    if value.dimension and value.dimension == said.dimension:
        return value.in_base_unit == said.in_base_unit
    return value.number == said.number and None in (value.dimension, said.dimension)


def _nearest(claim: _Claim, evidence: Sequence[_Claim]) -> str:
    best = max(evidence, key=lambda source: len(claim.words & source.words))
    missing = sorted(claim.words - best.words)
    return f"; the nearest lacks {', '.join(missing)}." if missing else "; its values differ."
