"""Where the sets of a comparison are named, and what stands beside them where one is missing."""

from contracts.terms import ConstraintTerms
from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.finding import Finding, Reading, altered, dropped, unsure
from evaluation.scoring.preservation.names.names import (
    find_variants,
    is_kind,
    own_places,
)  # fmt: skip
from evaluation.scoring.preservation.names.relatives import title_case
from evaluation.scoring.preservation.names.rivals import replaced_by
from evaluation.scoring.preservation.names.stand_ins import stand_in
from evaluation.scoring.preservation.text import Text, read_text
from evaluation.scoring.preservation.wording import (
    content,
    known_vocabulary,
    novel_words,
    occurrences,
    traces,
    trimmed,
)  # fmt: skip

# Words between two compared sets.
_JOINTS = {"and", "or", "vs", "versus", "than", "with", "to", "against", "from", "over", "v"}
_BEFORE = _JOINTS - {"from", "to", "with", "over", "against"}
_PARTNER_AT_MOST = 4


def is_named(name: str, sets: list[str], reading: Reading) -> bool:
    """Whether any query names a set: by its words, by another name of the contract, in another
    notation, or by its telling words where the request has the rest."""
    if any(place(name, sets, text) is not None for text in reading.queries):
        return True
    forms = [name, *_aliases(name, reading)]
    if next(occurrences(reading.queries, forms[1:]), None):
        return True
    others = {root for one in sets if one != name for root in read_text(one).roots}
    for text, first, end in find_variants(reading, forms):
        if not set(text.roots[first:end]) <= others:
            return True
    return any(_shortened(name, sets, reading, text) for text in reading.queries)


def place(name: str, sets: list[str], text: Text) -> tuple[int, int] | None:
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
        lacking = set(own)
        for i in places:
            if at <= i <= at + len(own) + 4:
                lacking.discard(text.stems[i])
                if not lacking:
                    return at, i + 1
    return None


def found_at(name: str, sets: list[str], text: Text) -> tuple[int, int] | None:
    """Where a set stands, in full or by its telling words alone."""
    whole = place(name, sets, text)
    if whole is not None:
        return whole
    own = [trimmed(name).stems[i] for i in own_places(name)]
    at = next(iter(_runs(text, own)), None)
    return None if at is None else (at, at + len(own))


def _runs(text: Text, stems: list[str]) -> list[int]:
    size = len(stems)
    return [i for i in range(len(text) - size + 1) if list(text.stems[i : i + size]) == stems]


def _aliases(name: str, reading: Reading) -> list[str]:
    """The other names that the contract gives the same thing."""
    wanted = trimmed(name).stems
    found: list[str] = []
    for constraint in reading.contract.constraints:
        if constraint.kind == "referent":
            forms = [str(constraint.value.get("name") or ""), *constraint.admissible]
            forms += map(str, constraint.value.get("aliases") or ())
            if any(trimmed(form).stems == wanted for form in forms):
                found += forms
    return [form for form in dict.fromkeys(found) if form.strip() and form != name]


def _shortened(name: str, sets: list[str], reading: Reading, text: Text) -> bool:
    """The telling words without the kind ("makos" for "mako sharks"), no other noun after them."""
    own = own_places(name)
    whole = trimmed(name)
    if len(own) == len(content(whole)) or not own:
        return False
    stems = [whole.stems[i] for i in own]
    if any(set(stems) <= set(read_text(one).stems) for one in sets if one != name):
        return False
    return any(
        _ends_here(reading, text, at + len(stems)) and _begins_here(text, at, whole)
        for at in _runs(text, stems)
    )


def _ends_here(reading: Reading, text: Text, end: int) -> bool:
    """Whether no other noun follows, with which the words before would name something else."""
    if end >= len(text) or text.words[end].gap not in ("", "-"):
        return True
    return text.roots[end] in reading.asked.roots or _is_light(text, end)


def _begins_here(text: Text, at: int, whole: Text) -> bool:
    if at == 0 or text.words[at].gap not in ("", "-"):
        return True
    return text.roots[at - 1] in whole.roots or _is_light(text, at - 1)


def _is_light(text: Text, at: int) -> bool:
    """Whether a word belongs to the wording of a comparison, not to a name."""
    word = text.words[at].text
    names = ("stopwords", "poles", "orders", "outdo")
    return (
        word in _JOINTS
        or word in known_vocabulary()
        or any(word in lexicon.words(name) for name in names)
    )


# ---------------------------------------------------------------- a set is missing


def judge_missing(
    constraint: ConstraintTerms, reading: Reading, sets: list[str], missing: list[str]
) -> Finding:
    """Altered with another set in the place, dropped with nothing there, else unsure."""
    for name in missing:
        foreign = replaced_by(constraint, reading, [name]) or _foreign_partner(
            reading, sets, missing, name
        )
        if foreign:
            return altered(foreign, f"Another set stands in the place of “{name}”.")
    name = missing[0]
    if any(place(one, sets, item.text) for one in missing for item in reading.filters):
        return unsure("", "A filter names a compared set.")
    own = [word for one in missing for word in _own_words(one, sets)]
    trace = traces(reading, own)
    if trace:
        return unsure(trace, f"Only a part of “{name}” is there, or something like it.")
    if len(missing) == len(sets):
        brought = stand_in(reading, missing)
        if brought:
            return altered(brought, f"Another thing stands in the place of “{name}”.")
    partner = _any_partner(reading, sets, missing)
    if partner:
        return unsure(partner, f"“{name}” is missing; this may be another name of it.")
    told = _paraphrase(reading, sets, missing)
    if told:
        return unsure(told, f"“{name}” is missing; another word may stand for it.")
    return dropped(f"No query names “{name}”, and nothing stands in its place.")


def _own_words(name: str, sets: list[str]) -> list[str]:
    """The telling words of a set that no other set has."""
    others = {root for one in sets if one != name for root in read_text(one).roots}
    text = trimmed(name)
    own = [i for i in own_places(name) if text.roots[i] not in others]
    return [text.words[i].stem for i in own]


def _foreign_partner(reading: Reading, sets: list[str], missing: list[str], name: str) -> str:
    """What is compared with a named set, where it is plainly not the missing one: a name in
    capitals, a thing of the conversation, or the missing one's kind without what tells it."""
    for text, first, end in _partners(reading, sets, missing):
        phrase = read_text(text.quote(first, end))
        telling = [phrase.words[i] for i in content(phrase)]
        if not telling or _is_generic(phrase):
            continue
        wanted = trimmed(name)
        own = {wanted.roots[i] for i in own_places(name)}
        if own & set(phrase.roots):
            continue
        if any(word.raw.isupper() and len(word.raw) < 6 for word in telling):
            continue  # it may abbreviate
        capital = not title_case(text) and all(w.capital for w in telling)
        known = all(root in reading.known_roots for root in phrase.roots)
        kind = {wanted.roots[i] for i in content(wanted)} & set(phrase.roots)
        if capital or known or kind or any(turn.find(phrase) for turn in reading.turns):
            return phrase.raw
    return ""


def _any_partner(reading: Reading, sets: list[str], missing: list[str]) -> str:
    """What is compared with a named set and might be the missing one in other words."""
    for text, first, end in _partners(reading, sets, missing):
        phrase = read_text(text.quote(first, end))
        if content(phrase) and not _is_generic(phrase):
            return phrase.raw
    return ""


def _is_generic(phrase: Text) -> bool:
    """Whether a phrase names no set: "the other two", "its rivals", "others of the kind"."""
    words = [phrase.words[i] for i in content(phrase)]
    generic = lexicon.words("generic_sets")
    return any(word.text in generic for word in phrase.words) or all(
        is_kind(word) or word.text in known_vocabulary() or word.text in generic for word in words
    )


def _partners(reading: Reading, sets: list[str], missing: list[str]) -> list[tuple[Text, int, int]]:
    """The phrases that a joint ("or", "than", "compared with") ties to a named set."""
    found = []
    named = [one for one in sets if one not in missing]
    for text in reading.queries:
        for one in named:
            at = found_at(one, sets, text)
            if at is None:
                continue
            first, end = _with_its_kind(one, text, *at)
            after = _after_joint(text, end)
            before = _before_joint(text, first)
            apart = _across_than(text, first, end)
            others = [word for name in named for word in read_text(name).roots if name != one]
            found += [
                (text, *span)
                for span in (after, before, apart)
                if span and span[0] < span[1] and not set(text.roots[slice(*span)]) & set(others)
            ]
    return found


def _across_than(text: Text, first: int, end: int) -> tuple[int, int] | None:
    """What stands right after "than" or "compared with", where the set stands before it."""
    for at in range(end, len(text)):
        if any(sign in text.words[at].gap for sign in ".;?!"):
            return None
        word = text.words[at].text
        before = text.words[at - 1].text if at else ""
        if word in ("than", "versus", "vs") or (
            word in ("with", "to") and before in lexicon.words("comparing")
        ):
            return _after_joint(text, at)
    return None


def _with_its_kind(name: str, text: Text, first: int, end: int) -> tuple[int, int]:
    stems = set(read_text(name).stems)
    while end < len(text) and text.words[end].gap in ("", "-") and text.stems[end] in stems:
        end += 1
    while first > 0 and text.words[first].gap in ("", "-") and text.stems[first - 1] in stems:
        first -= 1
    return first, end


def _after_joint(text: Text, end: int) -> tuple[int, int] | None:
    at, joint = end, False
    while at < len(text) and _is_joint(text, at):
        joint |= text.words[at].text in _JOINTS
        at += 1
    if not joint or at >= len(text) or any(s in text.words[at].gap for s in ".;?!:"):
        return None
    stop = at
    while stop < len(text) and stop - at < _PARTNER_AT_MOST and _in_phrase(text, stop, at):
        stop += 1
    return at, stop


def _before_joint(text: Text, first: int) -> tuple[int, int] | None:
    at, joint = first, False
    while at > 0 and not any(s in text.words[at].gap for s in ".;?!:") and _is_joint(text, at - 1):
        joint |= text.words[at - 1].text in _BEFORE or (
            text.words[at - 1].text in lexicon.words("comparing")
        )
        at -= 1
    if not joint or at == 0:
        return None
    start = at
    while start > 0 and at - start < _PARTNER_AT_MOST and _in_phrase(text, start - 1, None):
        if start < at and text.words[start].gap not in ("", "-"):
            break
        start -= 1
    return start, at


def _is_joint(text: Text, at: int) -> bool:
    word = text.words[at].text
    return (
        word in _JOINTS
        or word in ("the", "a", "an", "that", "those", "of", "in", "on")
        or word in lexicon.words("comparing")
        or word in lexicon.words("orders")
        or word in lexicon.words("poles")
        or word in lexicon.words("outdo")
    )


def _in_phrase(text: Text, at: int, start: int | None) -> bool:
    word = text.words[at]
    if word.text in lexicon.words("stopwords") or word.text in _JOINTS:
        return False
    if word.text in known_vocabulary() and not word.capital:
        return False
    if word.text in lexicon.words("poles") or word.is_number:
        return False
    return start is None or at == start or word.gap in ("", "-")


def _paraphrase(reading: Reading, sets: list[str], missing: list[str]) -> str:
    """A word that might be the missing set, where the queries still compare or join two things."""
    joined = any(
        {"or", "than", "versus", "vs"} & {word.text for word in text.words}
        or (
            next(lexicon.phrases("comparing").all_in(text), None)
            and not any(word.text in lexicon.words("generic_sets") for word in text.words)
        )
        for text in reading.queries
    )
    novel = novel_words(reading)
    if joined and novel:
        return novel[0]
    if len(missing) < len(sets) and len(reading.queries) > 1:
        # Each query may be meant for one set: a query without any set may name the lost one.
        for text in reading.queries:
            if not any(found_at(one, sets, text) for one in sets):
                new = _new_name(reading, text)
                if new:
                    return new
    return ""


def _new_name(reading: Reading, text: Text) -> str:
    """A capitalised word that nothing known explains."""
    if title_case(text):
        return ""
    for at, word in enumerate(text.words):
        if at and word.capital and text.roots[at] not in reading.granted_roots:
            if word.text not in known_vocabulary() and not is_kind(word):
                return text.quote(at, at + 1)
    return ""
