"""Denials by the form of a sentence: a ban, a passive, a part of several."""

from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.finding import Finding, Reading, altered, stated
from evaluation.scoring.preservation.negations.denial_doubts import opposing
from evaluation.scoring.preservation.negations.kindred import allowing, banning
from evaluation.scoring.preservation.text import Text, read_text
from evaluation.scoring.preservation.wording import (
    all_present,
    content,
    content_roots,
    has_cue,
    novel_words,
)  # fmt: skip

_NEGATORS = frozenset(
    "not never isnt arent wasnt werent hasnt havent hadnt dont doesnt didnt cannot cant".split()
)
_BEEN = ("been", "be", "being", "yet")
# How far from the target a ban may stand: "a ban on the open burning of peat".
_NEAR = 4


def banned(text: Text, roots: list[str], asked: str) -> Finding | None:
    """For a request that says its denial by a ban ("prohibit the burning of peat"): is the target
    banned in another word, or allowed? None where neither is said near it."""
    own = read_text(asked).roots
    if not any(map(banning, own)) or any(map(banning, roots)) or not all_present(text, roots):
        return None
    places = [at for at, one in enumerate(text.roots) if one in roots]
    for at, one in enumerate(text.roots):
        if at in places or min(abs(at - place) for place in places) > _NEAR:
            continue
        before = text.words[at - 1].text if at else ""
        denied = before in _NEGATORS or before == "no"
        if not (banning(one) or allowing(one)):
            continue
        quote = text.quote(min(at - denied, places[0]), max(at, places[-1]) + 1)
        if banning(one) and not denied and not has_cue(text):
            return stated(quote, "The target is banned.")
        if allowing(one) and denied:
            return stated(quote, "The target is not allowed.")
        if allowing(one) and not has_cue(text):
            return altered(quote, "The target is allowed.")
    return None


def denied_inside(text: Text, first: int, end: int, telling: list[str]) -> str:
    """ "deposit not paid" for "not paid the deposit": the negation right before a word of the
    target that stands behind the others; the quote, or ""."""
    stop = lexicon.words("stopwords")
    for at in range(first + 1, end):
        place = at - 1
        while place > first and text.words[place].text in _BEEN:
            place -= 1
        if text.roots[at] not in telling or text.words[place].text not in _NEGATORS:
            continue
        rest = [i for i in range(first, end) if not place <= i < at]
        if all(text.roots[i] in telling or text.words[i].text in stop for i in rest):
            return text.quote(first, end)
    return ""


def one_of_several(text: Text, target: Text) -> str:
    """Of a target that denies each of several ("signed or amended"), the one that is asserted in a
    text without any negation: its quote, or ""."""
    places = content(target)
    joined = [target.words[i].text for i in range(len(target)) if i not in places]
    if len(places) < 2 or not set(joined) & {"or", "nor"} or len(target) > 2 * len(places) - 1:
        return ""
    roots = {target.roots[i] for i in places}
    found = next((at for at, one in enumerate(text.roots) if one in roots), None)
    return "" if found is None or has_cue(text) else text.quote(found, found + 1)


def nothing_may_deny(reading: Reading, asked: str, roots: list[str]) -> bool:
    """Whether a rewrite has no negation, no filter, no word that the request lacks, and no word by
    which the request denies: then what is left of a target is not denied."""
    denying = set(content_roots(read_text(asked))) - set(roots)
    texts = reading.queries
    return (
        not reading.filters
        and not any(has_cue(text) or denying & set(text.roots) for text in texts)
        and not novel_words(reading)
        and not opposing(reading)
    )
