"""Comparison: the compared sets and the direction, judged on all queries together."""

from contracts.terms import ConstraintTerms
from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.finding import (
    Finding,
    Reading,
    altered,
    dropped,
    matcher,
    stated,
    unsure,
)  # fmt: skip
from evaluation.scoring.preservation.rivals import replaced_by
from evaluation.scoring.preservation.text import Text, read_text
from evaluation.scoring.preservation.wording import (
    content,
    content_roots,
    denied,
    novel_words,
    occurrences,
    traces,
)  # fmt: skip

OPPOSITE = {
    "increase": "decrease", "decrease": "increase", "higher": "lower", "lower": "higher",
    "earlier": "later", "later": "earlier",
}  # fmt: skip
_CHANGES = ("increase", "decrease")


@matcher("comparison")
def match_comparison(constraint: ConstraintTerms, reading: Reading) -> Finding:
    """Every set must be named in the union of the queries; then the direction decides."""
    sets = [str(one) for one in constraint.value.get("sets") or ()]
    if not sets:
        return unsure("", "The contract names no compared sets.")
    missing = [name for name in sets if not _is_named(name, sets, reading)]
    if missing:
        return _missing(constraint, reading, sets, missing)
    direction = str(constraint.value.get("direction"))
    if direction in _CHANGES and len(sets) == 1:
        return _change(direction, sets[0], reading)
    if direction in ("difference", "same"):
        return _undirected(direction, sets, reading)
    return _ordered(direction, sets, reading)


# ---------------------------------------------------------------- sets


def _is_named(name: str, sets: list[str], reading: Reading) -> bool:
    return any(_place(name, sets, text) is not None for text in reading.queries)


def _place(name: str, sets: list[str], text: Text) -> tuple[int, int] | None:
    """Where a set's own words stand: those that no other set has, in a row; the rest anywhere.

    "the north and south piers" names the north pier and the south pier.
    """
    wanted = read_text(name)
    others = {stem for one in sets if one != name for stem in read_text(one).stems}
    meaning = [wanted.stems[i] for i in content(wanted)] or list(wanted.stems)
    own = [stem for stem in meaning if stem not in others] or meaning
    if not set(meaning) <= set(text.stems):
        return None
    places = [i for i, stem in enumerate(text.stems) if stem in own]
    for at in places:
        run = [i for i in places if at <= i <= at + len(own) + 4]
        if set(own) <= {text.stems[i] for i in run}:
            return at, run[-1] + 1
    return None


def _missing(
    constraint: ConstraintTerms, reading: Reading, sets: list[str], missing: list[str]
) -> Finding:
    for name in missing:
        foreign = replaced_by(constraint, reading, [name])
        if foreign:
            return altered(foreign, f"Another set stands in the place of “{name}”.")
    own = [word for name in missing for word in _own_words(name, sets)]
    trace = traces(reading, own)
    if trace:
        return unsure(trace, f"Only a part of “{missing[0]}” is there, or something like it.")
    if any(_place(name, sets, item.text) for name in missing for item in reading.filters):
        return unsure("", "A filter names a compared set.")
    if _still_compares(reading):
        return unsure("", f"“{missing[0]}” is missing, yet the queries still compare two things.")
    novel = novel_words(reading)
    brought = _brought_in(reading)
    if novel or brought:
        return unsure(
            (novel or brought)[0], f"“{missing[0]}” is missing; another word may stand for it."
        )
    return dropped(f"No query names “{missing[0]}”.")


def _still_compares(reading: Reading) -> bool:
    """Whether a query compares all the same, so that something may stand for the missing set."""
    return any(
        next(lexicon.phrases("comparing").all_in(text), None)
        or {"or", "than"} & {word.text for word in text.words}
        for text in reading.queries
    )


def _own_words(name: str, sets: list[str]) -> list[str]:
    others = {root for one in sets if one != name for root in read_text(one).roots}
    text = read_text(name)
    return [text.words[i].stem for i in content(text) if text.roots[i] not in others]


def _brought_in(reading: Reading) -> list[str]:
    """Words of earlier turns in the queries that neither the current text nor the contract has."""
    known = set(reading.asked.roots)
    for constraint in reading.contract.constraints:
        for value in (*constraint.value.values(), *constraint.admissible):
            for part in value if isinstance(value, list | tuple) else (value,):
                known.update(content_roots(read_text(str(part))))
    return [
        text.words[i].raw
        for text in reading.queries
        for i in content(text)
        if text.roots[i] not in known and text.roots[i] in reading.known_roots
    ]


# ---------------------------------------------------------------- direction


def _hits(name: str, texts: tuple[Text, ...]) -> dict[str, tuple[Text, lexicon.Found]]:
    found: dict[str, tuple[Text, lexicon.Found]] = {}
    for text in texts:
        for hit in lexicon.phrases(name).all_in(text):
            found.setdefault(hit.meaning, (text, hit))
    return found


def _quote(place: tuple[Text, lexicon.Found]) -> str:
    text, hit = place
    return text.quote(hit.first, hit.end)


def _change(direction: str, changing: str, reading: Reading) -> Finding:
    found = _hits("opposites", reading.queries)
    ours, theirs = found.get(direction), found.get(OPPOSITE[direction])
    if any(denied(text, hit.first, hit.end) for text, hit in found.values()):
        return unsure("", "A direction is named near a negation.")
    for place in filter(None, (ours, theirs)):
        if not _is_change_of(changing, reading, *place):
            return unsure(_quote(place), "The word may name another change, or no change at all.")
    if ours and not theirs:
        return stated(_quote(ours), "The change and its direction are named.")
    if theirs and not ours:
        return altered(_quote(theirs), "The change has the opposite direction.")
    why = "Both directions are named." if ours else "What changes is named, but not its direction."
    return unsure(_quote(ours) if ours else "", why)


def _is_change_of(changing: str, reading: Reading, text: Text, hit: lexicon.Found) -> bool:
    """Whether a word of change plainly belongs to what changes: near it in one clause, "of" or
    "in" leading straight to it, and nothing that ends, avoids or dates the change."""
    around = text.words[max(0, hit.first - 3) : hit.end + 2]
    if any(word.stem in lexicon.words("turning") for word in around):
        return False
    if _is_season(text, hit):
        return False
    place = _place(changing, [changing], text)
    if place is None:
        return True  # set and direction stand in different queries
    first, end = (hit.end, place[0]) if place[0] >= hit.end else (place[1], hit.first)
    between = text.words[first:end]
    if _word_at(text, hit.end) == "of" and place[0] < hit.first:
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


def _is_season(text: Text, hit: lexicon.Found) -> bool:
    """Whether "fall" is the autumn: "in the fall of 2020", "fall 2021", "last fall"."""
    if text.words[hit.first].text != "fall":
        return False
    before = _word_at(text, hit.first - 1) if hit.first else ""
    article = before == "the" and hit.first > 1
    earlier = _word_at(text, hit.first - 2) if article else before
    after = text.words[hit.end] if hit.end < len(text) else None
    dated = after is not None and (after.is_number or after.stem in ("semester", "term", "season"))
    dated |= (
        _word_at(text, hit.end) == "of"
        and hit.end + 1 < len(text)
        and (text.words[hit.end + 1].is_number)
    )
    return dated or earlier in ("in", "during", "last", "next", "this", "each", "every", "since",
                                "until", "by", "late", "early", "before", "after")  # fmt: skip


def _undirected(direction: str, sets: list[str], reading: Reading) -> Finding:
    orders = _hits("orders", reading.queries)
    if direction == "same":
        ours = orders.get("same")
        if ours and not denied(ours[0], ours[1].first, ours[1].end):
            return stated(_quote(ours), "The sets and their equality are named.")
        return unsure("", "The sets are named, but not that they are compared for equality.")
    asked = _hits("orders", (reading.asked,))
    extra = set(orders) - set(asked)
    for text in reading.queries:
        cue = next(lexicon.phrases("comparing").all_in(text), None)
        if cue and not extra:
            return stated(text.quote(cue.first, cue.end), "The sets are named and compared.")
    if len(reading.queries) == 1 and not extra:
        return unsure("", "The sets are named, but not compared.")
    return unsure("", "The sets are named, but their comparison is not said plainly.")


def _ordered(direction: str, sets: list[str], reading: Reading) -> Finding:
    """Compare (subject, direction) of the rewrite with those of the request."""
    asked = _reading_of(direction, sets, reading.asked)
    verdicts = []
    for text in reading.queries:
        said = _directions(direction, sets, reading, text)
        if not said:
            continue
        if len(said) > 1:
            return unsure("", "More than one direction is named.")
        way, hit = next(iter(said.items()))
        quote = text.quote(hit.first, hit.end)
        if denied(text, hit.first, hit.end):
            return unsure(quote, "The direction is named near a negation.")
        verdicts.append((_versus(direction, sets, text, way, hit, asked), quote))
    kinds = {verdict for verdict, _ in verdicts}
    if kinds == {"same"}:
        return stated(verdicts[0][1], "The sets and the direction are named.")
    if kinds == {"other"}:
        return altered(verdicts[0][1], "The direction is the opposite one.")
    quote = verdicts[0][1] if verdicts else ""
    return unsure(quote, "The sets are named, but the direction is not said plainly.")


def _word_at(text: Text, at: int) -> str:
    return text.words[at].text if at < len(text) else ""


def _in_a_set(hit: lexicon.Found, sets: list[str], text: Text) -> bool:
    """Whether an order word is a part of a set's name ("The First Snow")."""
    return any(
        first <= hit.first and hit.end <= end for _, first, end in occurrences((text,), sets)
    )


def _directions(
    direction: str, sets: list[str], reading: Reading, text: Text
) -> dict[str, lexicon.Found]:
    """The directions that a text names; a comparative of the request itself has the asked one."""
    found: dict[str, lexicon.Found] = {}
    pair = {direction, OPPOSITE.get(direction, direction)}
    hits = list(lexicon.phrases("orders").all_in(text))
    # "lower than" is the comparison; "more often" beside it is not.
    than = [hit for hit in hits if _word_at(text, hit.end) == "than"]
    for hit in than or hits:
        if _in_a_set(hit, sets, text):
            continue
        if hit.meaning in pair:
            found.setdefault(hit.meaning, hit)
        elif hit.meaning in ("earlier", "later") and pair == {"higher", "lower"}:
            # "older" is an order of age as well as of time; which end is meant, the request says.
            if text.stems[hit.first] in reading.asked.stems:
                found.setdefault(direction, hit)
    if found:
        return found
    for at, word in enumerate(text.words):
        if word.text.endswith("er") and len(word.text) > 4 and word.stem in reading.asked.stems:
            following = text.words[at + 1].text if at + 1 < len(text) else ""
            if following in ("", "than") or _opens_choice(text, at):
                found.setdefault(direction, lexicon.Found(at, at + 1, direction))
    return found


def _opens_choice(text: Text, at: int) -> bool:
    return (
        at + 1 < len(text)
        and text.words[at + 1].gap in (",", ":")
        or "or" in {word.text for word in text.words}
    )


def _reading_of(direction: str, sets: list[str], text: Text) -> str | None:
    """The set that the request puts before "than", or None for "which of the two …"."""
    return _subject(sets, text) if "than" in {word.text for word in text.words} else None


def _subject(sets: list[str], text: Text) -> str | None:
    than = next((i for i, word in enumerate(text.words) if word.text == "than"), None)
    if than is None:
        return None
    places = {name: _place(name, sets, text) for name in sets}
    before = [name for name, place in places.items() if place and place[0] < than]
    after = [name for name, place in places.items() if place and place[0] > than]
    return before[0] if len(before) == 1 and len(after) == 1 else None


def _versus(
    direction: str, sets: list[str], text: Text, way: str, hit: lexicon.Found, asked: str | None
) -> str:
    subject = _subject(sets, text)
    same_way = way == direction
    if asked is None and subject is None:
        if "than" in {word.text for word in text.words}:
            return "unclear"
        return "same" if same_way else "other"
    if asked is None or subject is None or len(sets) != 2:
        return "unclear"
    return "same" if (subject == asked) == same_way else "other"
