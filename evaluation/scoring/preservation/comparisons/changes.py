"""The direction of a change of one thing: "did exports fall", "rising rents"."""

from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.comparisons.compared_sets import found_at
from evaluation.scoring.preservation.finding import Finding, Reading, altered, stated, unsure
from evaluation.scoring.preservation.text import Text, read_text
from evaluation.scoring.preservation.wording import denied

OPPOSITE = {
    "increase": "decrease", "decrease": "increase", "higher": "lower", "lower": "higher",
    "earlier": "later", "later": "earlier",
}  # fmt: skip
Place = tuple[Text, lexicon.Found]


def hits_of(name: str, texts: tuple[Text, ...]) -> dict[str, Place]:
    found: dict[str, Place] = {}
    for text in texts:
        for hit in lexicon.phrases(name).all_in(text):
            found.setdefault(hit.meaning, (text, hit))
    return found


def quote_of(place: Place) -> str:
    text, hit = place
    return text.quote(hit.first, hit.end)


def judge_change(direction: str, changing: str, reading: Reading) -> Finding:
    found = hits_of("opposites", reading.queries)
    ours, theirs = found.get(direction), found.get(OPPOSITE[direction])
    if any(denied(text, hit.first, hit.end) for text, hit in found.values()):
        return unsure("", "A direction is named near a negation.")
    for place in filter(None, (ours, theirs)):
        if not _is_change_of(changing, reading, *place):
            return unsure(quote_of(place), "The word may name another change, or no change at all.")
    if ours and not theirs:
        return stated(quote_of(ours), "The change and its direction are named.")
    if theirs and not ours:
        return altered(quote_of(theirs), "The change has the opposite direction.")
    why = "Both directions are named." if ours else "What changes is named, but not its direction."
    return unsure(quote_of(ours) if ours else "", why)


def _is_change_of(changing: str, reading: Reading, text: Text, hit: lexicon.Found) -> bool:
    """Whether a word of change plainly belongs to what changes: near it in one clause, "of" or
    "in" leading straight to it, and nothing that ends, avoids or dates the change."""
    around = text.words[max(0, hit.first - 3) : hit.end + 2]
    if any(word.stem in lexicon.words("turning") for word in around):
        return False
    if _is_season(text, hit):
        return False
    place = found_at(changing, [changing], text)
    if place is None:
        return True  # set and direction stand in different queries
    place = _with_complement(reading, text, *place)
    first, end = (hit.end, place[0]) if place[0] >= hit.end else (place[1], hit.first)
    between = text.words[first:end]
    if word_at(text, hit.end) == "of" and place[0] < hit.first:
        if not (hit.end + 1 < len(text) and text.words[hit.end + 1].is_number):
            return False  # "rents, fall of exports": the noun's own object follows it
    listed = any(word.text == "and" or "," in word.gap for word in text.words[first : end + 1])
    after = text.words[hit.end] if hit.end < len(text) else None
    goes_on = after is not None and after.text.isalpha() and not after.gap
    goes_on = goes_on and text.roots[hit.end] not in reading.granted_roots
    if listed and (place[0] >= hit.end or goes_on):
        return False  # "fall of exports, rents", "rents and rising wages"
    if any(word.text in ("to", "from", "for", "with", "by", "than") for word in between):
        return False
    if any(
        sign in word.gap
        for word in text.words[first : end + 1]
        for sign in (".;?!:" if place[0] >= hit.end else ".;?!")
    ):
        return False
    far = sum(word.text not in lexicon.words("stopwords") for word in between)
    return far <= 3


def _with_complement(reading: Reading, text: Text, first: int, end: int) -> tuple[int, int]:
    """A set with what the request itself says right after it ("exports from Varn")."""
    asked = reading.asked
    for at in asked.find(read_text(text.quote(first, end))):
        after, here = at + (end - first), end
        while after < len(asked) and here < len(text) and asked.stems[after] == text.stems[here]:
            after, here = after + 1, here + 1
        end = max(end, here)
    return first, end


def _is_season(text: Text, hit: lexicon.Found) -> bool:
    """Whether "fall" is the autumn: "in the fall of 2020", "fall 2021", "last fall"."""
    if text.words[hit.first].text != "fall":
        return False
    before = word_at(text, hit.first - 1) if hit.first else ""
    article = before == "the" and hit.first > 1
    earlier = word_at(text, hit.first - 2) if article else before
    after = text.words[hit.end] if hit.end < len(text) else None
    dated = after is not None and (after.is_number or after.stem in ("semester", "term", "season"))
    dated |= (
        word_at(text, hit.end) == "of"
        and hit.end + 1 < len(text)
        and (text.words[hit.end + 1].is_number)
    )
    return dated or earlier in ("in", "during", "last", "next", "this", "each", "every", "since",
                                "until", "by", "late", "early", "before", "after")  # fmt: skip


def word_at(text: Text, at: int) -> str:
    return text.words[at].text if at < len(text) else ""
