"""The direction of a comparison: an order of two sets, a difference or a sameness."""

from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.comparisons.changes import (
    OPPOSITE,
    Place,
    hits_of,
    quote_of,
    word_at,
)  # fmt: skip
from evaluation.scoring.preservation.comparisons.compared_sets import found_at
from evaluation.scoring.preservation.comparisons.side_by_side import by_own_verb, one_query_each
from evaluation.scoring.preservation.finding import (
    Finding,
    Reading,
    altered,
    stated,
    unsure,
)  # fmt: skip
from evaluation.scoring.preservation.quantities.numbers import find_quantities
from evaluation.scoring.preservation.text import Text, read_text
from evaluation.scoring.preservation.wording import denied, occurrences


def judge_undirected(direction: str, sets: list[str], measure: str, reading: Reading) -> Finding:
    """A difference or a sameness of sets that are all named."""
    orders = hits_of("orders", reading.queries)
    if direction == "same":
        return _sameness(orders, reading)
    extra = set(orders) - set(hits_of("orders", (reading.asked,)))
    for text in reading.queries:
        cue = next(lexicon.phrases("comparing").all_in(text), None)
        if cue and not extra:
            return stated(text.quote(cue.first, cue.end), "The sets are named and compared.")
    if extra:
        return unsure(quote_of(orders[min(extra)]), "A direction is named that was not asked.")
    if len(reading.queries) == 1:
        return unsure("", "The sets are named, but not compared.")
    if pair := one_query_each(sets, measure, reading):
        return stated(pair, "Each set is asked after for the same thing, in a query of its own.")
    return unsure("", "The sets are named, but their comparison is not said plainly.")


def _sameness(orders: dict[str, Place], reading: Reading) -> Finding:
    ours = orders.get("same")
    if ours and not denied(ours[0], ours[1].first, ours[1].end):
        return stated(quote_of(ours), "The sets and their equality are named.")
    if ours:
        return unsure(quote_of(ours), "The equality is named near a negation.")
    return unsure("", "The sets are named, but not that they are compared for equality.")


# ---------------------------------------------------------------- order


def judge_order(direction: str, sets: list[str], reading: Reading) -> Finding:
    """Compare (subject, direction) of the rewrite with those of the request."""
    asked = _subject(sets, reading.asked)
    verdicts = []
    for text in _telling(sets, reading):
        said = _directions(direction, sets, reading, text)
        if not said:
            continue
        if len(said) > 1:
            return unsure(quote_of((text, min(said.values()))), "More than one direction is named.")
        way, hit = next(iter(said.items()))
        quote = text.quote(hit.first, hit.end)
        if denied(text, hit.first, hit.end):
            return unsure(quote, "The direction is named near a negation.")
        verdict = _versus(direction, sets, text, way, asked)
        if verdict == "other" and way == direction:
            quote = _order_said(sets, text, hit)
        verdicts.append((verdict, quote))
    if not verdicts and asked is None:
        verdicts = [*by_own_verb(sets, reading)]
    kinds = {verdict for verdict, _ in verdicts}
    if kinds == {"same"}:
        return stated(verdicts[0][1], "The sets and the direction are named.")
    if kinds == {"other"}:
        return altered(verdicts[0][1], "The direction is the opposite one.")
    quote = verdicts[0][1] if verdicts else ""
    return unsure(quote, "The sets are named, but the direction is not said plainly.")


def _telling(sets: list[str], reading: Reading) -> list[Text]:
    """The queries that may order the sets. Where one names them all with a direction, a comparative
    in a query without any set compares something else ("larger files")."""
    named = [sum(found_at(one, sets, text) is not None for one in sets) for text in reading.queries]
    whole = any(
        count == len(sets) and _pivot(sets, text) is not None
        for count, text in zip(named, reading.queries, strict=True)
    )
    return [text for count, text in zip(named, reading.queries, strict=True) if count or not whole]


def _order_said(sets: list[str], text: Text, hit: lexicon.Found) -> str:
    """The sets with the direction between them: where they changed places, the word of the
    direction alone is the one that was asked."""
    places = [place for one in sets if (place := found_at(one, sets, text))]
    own = {stem for one in sets for stem in read_text(one).stems}
    first = min([hit.first, *(place[0] for place in places)])
    end = max([hit.end, *(place[1] for place in places)])
    while first and text.stems[first - 1] in own:  # "Mount" of "Mount Dole"
        first -= 1
    while end < len(text) and text.stems[end] in own:
        end += 1
    return text.quote(first, end)


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
    for hit in lexicon.phrases("outdo").all_in(text):
        if hit.meaning in pair and not _in_a_set(hit, sets, text):
            found.setdefault(hit.meaning, hit)
    dated = _before_or_after(sets, text) if pair == {"earlier", "later"} else None
    if dated and not found:
        found = {dated.meaning: dated}
    if found:
        return found
    scaled = _by_scale(direction, sets, reading.asked, text)
    poles = [hit for hit in lexicon.phrases("poles").all_in(text) if hit.end - hit.first > 1]
    hits = [
        hit
        for hit in lexicon.phrases("orders").all_in(text)
        if not _in_a_set(hit, sets, text)
        and not _opens_bound(text, hit)
        and not any(pole.first <= hit.first and hit.end < pole.end for pole in poles)
    ]
    # "lower than" is the comparison; "more often" beside it is not.
    than = [hit for hit in hits if word_at(text, hit.end) == "than"]
    for hit in than or hits:
        if hit.meaning in pair:
            found.setdefault(hit.meaning, hit)
        elif hit.meaning in ("earlier", "later") and pair == {"higher", "lower"}:
            # "older" is an order of age as well as of time; which end is meant, the request says.
            if text.stems[hit.first] in reading.asked.stems:
                found.setdefault(direction, hit)
    return found or scaled or _asked_comparative(direction, sets, reading, text)


def _by_scale(direction: str, sets: list[str], asked: Text, text: Text) -> dict[str, lexicon.Found]:
    """Directions by comparatives: more of a scale is higher ("deeper"), less of it lower. Where
    the request's own comparative runs against its contract ("nearer" for a lower distance), the
    scale decides nothing."""
    if direction not in ("higher", "lower"):
        return {}
    scales = _scales(sets, asked)
    found: dict[str, lexicon.Found] = {}
    for hit in lexicon.phrases("poles").all_in(text):
        if _in_a_set(hit, sets, text) or _opens_bound(text, hit):
            continue
        name, _, sign = hit.meaning.partition(" ")
        if name in scales and _way(scales[name]) != direction:
            continue
        if scales and name not in scales and word_at(text, hit.end) != "than":
            continue  # another quality than the asked one
        found.setdefault(_way(sign), hit)
    return found


def _opens_bound(text: Text, hit: lexicon.Found) -> bool:
    """Whether a comparative bounds a number ("larger than 5 MB") and orders no sets."""
    return word_at(text, hit.end) == "than" and any(
        mention.at > hit.end and mention.at <= hit.end + 2 for mention in find_quantities(text)
    )


def _way(sign: str) -> str:
    return "higher" if sign == "+" else "lower"


def _scales(sets: list[str], asked: Text) -> dict[str, str]:
    """The scales of the request's comparatives, each with the end that it names."""
    scales: dict[str, str] = {}
    for hit in lexicon.phrases("poles").all_in(asked):
        if not (_in_a_set(hit, sets, asked) or _opens_bound(asked, hit)):
            name, _, sign = hit.meaning.partition(" ")
            scales.setdefault(name, sign)
    return scales


def _asked_comparative(
    direction: str, sets: list[str], reading: Reading, text: Text
) -> dict[str, lexicon.Found]:
    """A comparative that no list has, but the request: it keeps the asked direction, and turns it
    with "un-" before it."""
    own = {stem for one in sets for stem in read_text(one).stems}
    for at, word in enumerate(text.words):
        hit = lexicon.Found(at, at + 1, direction)
        if not word.text.endswith("er") or len(word.text) < 5 or word.stem in own:
            continue
        following = word_at(text, at + 1)
        if word.stem in reading.asked.stems:
            if following in ("", "than") or _opens_choice(text, at):
                return {direction: hit}
        elif word.text.startswith("un") and word.text[2:] in reading.asked.vocabulary:
            return {OPPOSITE.get(direction, direction): hit}
        # "rainier" of "more rain"
        more = word.text.endswith("ier") and word.text[:-3] in reading.asked.stems
        if more and direction in ("higher", "lower"):
            return {"higher": hit}
    return {}


def _opens_choice(text: Text, at: int) -> bool:
    return (
        at + 1 < len(text)
        and text.words[at + 1].gap in (",", ":")
        or "or" in {word.text for word in text.words}
    )


def _pivot(sets: list[str], text: Text) -> int | None:
    """The word between what is compared and what it is compared to."""
    for at, word in enumerate(text.words):
        if word.text == "than":
            return at
    hit = next(lexicon.phrases("outdo").all_in(text), None) or _before_or_after(sets, text)
    return hit.first if hit else None


def _before_or_after(sets: list[str], text: Text) -> lexicon.Found | None:
    """ "before" or "after" right before a compared set, which orders the two in time."""
    for at, word in enumerate(text.words):
        if word.text in ("before", "after"):
            start = at + 2 if word_at(text, at + 1) in ("the", "a", "an") else at + 1
            if any((place := found_at(one, sets, text)) and place[0] == start for one in sets):
                return lexicon.Found(at, at + 1, "earlier" if word.text == "before" else "later")
    return None


def _subject(sets: list[str], text: Text) -> str | None:
    """The set that stands before "than" or "exceeds"; None for "which of the two …". In "is it
    larger than B" it is the other set."""
    pivot = _pivot(sets, text)
    if pivot is None:
        return None
    places = {name: found_at(name, sets, text) for name in sets}
    before = [name for name, place in places.items() if place and place[0] < pivot]
    after = [name for name, place in places.items() if place and place[0] > pivot]
    if len(sets) == 2 and len(after) == 1 and not before:
        return next(name for name in sets if name not in after)
    return before[0] if len(before) == 1 and len(after) == 1 else None


def _versus(direction: str, sets: list[str], text: Text, way: str, asked: str | None) -> str:
    """Whether a direction said of a set is the asked one: "same", "other" or "unclear"."""
    subject = _subject(sets, text)
    same_way = way == direction
    if subject is None and _pivot(sets, text) is not None:
        return "unclear"
    if asked is not None and subject is not None and len(sets) == 2:
        return "same" if (subject == asked) == same_way else "other"
    if subject is None:
        return "same" if same_way else "other"  # "which of the two is older"
    # "Which is older?" became "is A older than B?": the direction is there; "is A younger than
    # B?" asks the same of B.
    return "same" if same_way else "unclear"
