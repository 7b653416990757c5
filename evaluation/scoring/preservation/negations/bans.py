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
    negator_before,
    novel_words,
)  # fmt: skip

# Words that may leave the target out without denying it.
_BESIDE = frozenset(("outside", "beyond", "elsewhere", "only", "alone", "solely"))
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
        if not (banning(one) or allowing(one)):
            continue
        denied = negator_before(text, at, "verb", "noun")
        first = denied.first if denied else at
        quote = text.quote(min(first, places[0]), max(at, places[-1]) + 1)
        if banning(one) and not denied and not has_cue(text):
            return stated(quote, "The target is banned.")
        if allowing(one) and denied:
            return stated(quote, "The target is not allowed.")
        if allowing(one) and not has_cue(text):
            return altered(quote, "The target is allowed.")
    return None


def denied_inside(text: Text, first: int, end: int, telling: list[str]) -> str:
    """ "deposit not paid" and "paid no deposit" for "not paid the deposit": the negation right
    before a word of the target that stands behind the others; the quote, or ""."""
    stop = lexicon.words("stopwords")
    for at in range(first + 1, end):
        place = at - 1
        while place > first and text.words[place].text in _BEEN:
            place -= 1
        denied = negator_before(text, place + 1, "verb", "noun")
        if text.roots[at] not in telling or denied is None or denied.first < first:
            continue
        rest = [i for i in range(first, end) if not denied.first <= i < at]
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
        and not any(_BESIDE & {word.text for word in text.words} for text in texts)
        and not novel_words(reading)
        and not opposing(reading)
    )
