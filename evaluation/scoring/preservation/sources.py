"""Sources: how the one asked for may be spelt, and which other one a rewrite names."""

from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.finding import Reading
from evaluation.scoring.preservation.quantities.units import dimensions, measure
from evaluation.scoring.preservation.standings.statuses import is_short_slip, is_slip
from evaluation.scoring.preservation.text import Text, read_text
from evaluation.scoring.preservation.wording import content

# How many words that the request lacks may qualify a source ("old harbour register").
_QUALIFIERS = 3
# Openers that open much else besides sources.
_LOOSE_OPENERS = ("in", "by", "from", "using", "only", "via", "see", "check", "consult", "says",
                  "evidence", "source", "sources")  # fmt: skip
# Families of sources that may be what people said: to cite the people is to cite these.
_OF_PEOPLE = frozenset(("testimony", "opinion", "survey", "trial", "speech", "letter", "estimate",
                        "article", "web", "broadcast", "hearsay"))  # fmt: skip
# Verbs before what a request wants to see.
SEARCHING = frozenset(("find", "search", "use", "get", "show", "read"))
_AFTER_SOMEBODY = ("in", "at", "on", "and", "from", "of", "who", "is", "are", "did", "does")
_SKIPPED = ("the", "a", "an", "of", "its", "their")


@dataclass(frozen=True, slots=True)
class OtherSource:
    """A noun for a source that the request lacks, with the words that qualify it.

    `asked_for` says whether it stands where a source is asked for, and not as a topic."""

    quote: str
    stems: tuple[str, ...]
    families: frozenset[str]
    asked_for: bool

    @property
    def qualified(self) -> bool:
        return len(self.stems) > 1


@cache
def _family_of() -> dict[str, frozenset[str]]:
    table = lexicon.table("source_families")
    return {read_text(word).stems[0]: frozenset(names.split()) for word, names in table.items()}


# Ways of writing things down that one source may be called by alike: a log, a book, a list.
_RECORDS = frozenset(("log", "register", "book", "table", "archive", "data", "accounting"))
_FINDINGS = frozenset(("survey", "trial", "measurement", "count"))


def alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two sources may be one in other words: a family shared, or both are records, or both
    findings."""
    groups = (_RECORDS, _FINDINGS)
    return bool(one & other) or any(one & group and other & group for group in groups)


@cache
def source_families(form: str) -> frozenset[str]:
    """Return the families of a source's last noun; empty for a noun that the list lacks."""
    text = read_text(form)
    for at in reversed(range(len(text))):
        if found := _family_of().get(text.stems[at]):
            return found
        if own := lexicon.table("own_sources").get(text.stems[at]):
            return frozenset(own.split())
    return frozenset()


def spelt_otherwise(reading: Reading, text: Text, form: str) -> list[tuple[int, int]]:
    """Return where a source stands misspelt, written apart or together, or turned round ("log of
    the ship"): first word and end."""
    wanted = read_text(form)
    stems = [wanted.stems[i] for i in content(wanted)]
    if not stems:
        return []
    found = [
        (at, at + size)
        for size in (len(stems) - 1, len(stems) + 1)
        for at in range(len(text) - size + 1)
        if size and "".join(text.stems[at : at + size]) == "".join(stems)
    ]
    found += [
        (at, at + len(stems))
        for at in range(len(text) - len(stems) + 1)
        if _misspelt(reading, text, at, stems)
    ]
    return found or _turned_round(text, stems)


def _misspelt(reading: Reading, text: Text, at: int, stems: list[str]) -> bool:
    same = [text.stems[at + i] == stem for i, stem in enumerate(stems)]
    # A word of the request is no slip of another one.
    if any(not one and text.roots[at + i] in reading.known_roots for i, one in enumerate(same)):
        return False
    return (
        not all(same)
        and (any(same) or len(stems) == 1 and len(stems[0]) > 5)
        and all(
            known
            or is_slip(text.stems[at + i], stem)
            or len(stems) > 1
            and is_short_slip(text.stems[at + i], stem)
            for i, (known, stem) in enumerate(zip(same, stems, strict=True))
        )
    )


def _turned_round(text: Text, stems: list[str]) -> list[tuple[int, int]]:
    """ "register of the parish" for "parish register"."""
    found = []
    for at in [i for i, one in enumerate(text.stems) if len(stems) > 1 and one == stems[-1]]:
        end = at + 1
        while end < len(text) and text.words[end].text in (*_SKIPPED, "by", "from"):
            end += 1
        joined = end > at + 1 and text.words[at + 1].text in ("of", "by", "from")
        if joined and list(text.stems[end : end + len(stems) - 1]) == stems[:-1]:
            found.append((at, end + len(stems) - 1))
    return found


def other_source(reading: Reading, forms: tuple[str, ...]) -> OtherSource | None:
    """Return the source that the queries name and the request lacks: the first that is asked for
    as a source, else the first at all, else None. `forms` are the wordings of the right one."""
    own = {text.stems[-1] for form in forms if len(text := read_text(form))}
    roots = {root for form in forms for root in read_text(form).roots}
    found = [one for text in reading.queries for one in _others(reading, text, own, roots)]
    return next((one for one in found if one.asked_for), found[0] if found else None)


def _others(reading: Reading, text: Text, own: set[str], own_roots: set[str]) -> list[OtherSource]:
    found = []
    for at in range(len(text)):
        families = _family_of().get(text.stems[at])
        if families is None or _inside_a_name(text, at) or _is_number_of(reading, text, at):
            continue
        first = _qualifiers_from(reading, text, at)
        novel = text.roots[at] not in reading.granted_roots
        # The noun of the right source with words that the request lacks is another source too.
        own_word = at > 0 and text.roots[at - 1] in own_roots
        plain = own_word or not _in_compound(reading, text, at)
        if novel and plain or text.stems[at] in own and first < at:
            found.append(
                OtherSource(
                    text.quote(first, at + 1),
                    text.stems[first : at + 1],
                    families,
                    _asked_for(reading, text, first, at + 1),
                )
            )
    return found


@cache
def _kin() -> dict[str, str]:
    table = lexicon.table("qualifier_kin")
    return {read_text(word).stems[0]: group for word, group in table.items()}


def other_qualifier(forms: tuple[str, ...], other: OtherSource) -> bool:
    """Whether a source of the same noun is qualified by words that are none of ours in another
    form or word: "tax audit" for "energy audit", but not "yearly report" for "annual report"."""
    own = {text.stems[i] for form in forms for text in (read_text(form),) for i in content(text)}
    own -= {other.stems[-1]}
    theirs = set(other.stems[:-1]) - set(_SKIPPED)
    if not own or not theirs:
        return False
    kin = _kin()
    groups = {kin[one] for one in own if one in kin}
    return not any(
        kin.get(one) in groups or any(one[:4] == mine[:4] for mine in own) for one in theirs
    )


def named_after_opener(reading: Reading, text: Text) -> str:
    """The word that the request lacks right after "per", "according to" and the like, or ""."""
    for hit in lexicon.phrases("source_openers").all_in(text):
        at = hit.end
        while at < len(text) and text.words[at].text in _SKIPPED:
            at += 1
        if text.words[hit.end - 1].text in _LOOSE_OPENERS or at >= len(text):
            continue
        word = text.words[at]
        known = text.roots[at] in reading.granted_roots or word.is_number
        unit = measure(word.text)
        measured = unit is not None and unit.dimension in dimensions()
        if not known and not measured and word.text not in lexicon.words("stopwords"):
            return text.quote(hit.first, at + 1)
    return ""


def other_authority(forms: tuple[str, ...], text: Text) -> str:
    """The words that cite people ("according to local fishermen") where records are asked for, or
    a body where another's record is ("the police" for "the coroner's report"), or ""."""
    table = lexicon.table("authorities")
    own = [read_text(form) for form in forms]
    ours = {word.stem for form in own for word in form.words}
    named = bool(ours & set(table))
    recorded = all(
        (found := source_families(form)) and not found & _OF_PEOPLE for form in forms
    )  # fmt: skip
    # "According to the mayor" for "the ombudsman": the source is such a body itself.
    itself = named and all(form.stems[-1:] and form.stems[-1] in table for form in own)
    itself = itself and ours.isdisjoint(text.stems)
    for hit in lexicon.phrases("source_cues").all_in(text):
        if text.words[hit.end - 1].text not in ("to", "by", "citing"):
            continue
        for at in range(hit.end, min(hit.end + _QUALIFIERS + 1, len(text))):
            word = text.words[at]
            if word.gap not in ("", "-") or word.stem in ours or _family_of().get(word.stem):
                break
            who = table.get(word.stem) or table.get(word.text)
            after = text.words[at + 1] if at + 1 < len(text) else None
            ends = after is None or after.gap not in ("", "-") or after.text in _AFTER_SOMEBODY
            cited = recorded and (named or who == "person") or itself
            if who and ends and not word.possessive and cited:
                return text.quote(hit.first, at + 1)
    return ""


def asked_to_say(text: Text) -> tuple[int, int] | None:
    """Where a text names whose word it wants ("what do *ward nurses* say about …"): first and end,
    or None."""
    stop, saying = lexicon.words("stopwords"), ("say", "says", "said", "report", "think")
    for at, word in enumerate(text.words[:-2]):
        if word.text != "what":
            continue
        first = at + 1
        while first < len(text) and text.words[first].text in ("do", "does", "did", "the", "have"):
            first += 1
        end = first
        while end < min(len(text), first + _QUALIFIERS) and text.words[end].text not in saying:
            if text.words[end].text in stop or text.words[end].gap not in ("", "-"):
                break
            end += 1
        if first < end < len(text) and text.words[end].text in saying:
            return first, end
    return None


def asked_instead(reading: Reading, forms: tuple[str, ...]) -> str:
    """Whom a query wants the word of in place of those that the request asks ("what do journalists
    say" for "what do coaches say"), or ""."""
    ours = {root for form in forms for root in read_text(form).roots}
    at = asked_to_say(reading.asked)
    if at is None or reading.asked.roots[at[1] - 1] not in ours:
        return ""
    for text in reading.queries:
        said = asked_to_say(text)
        if said and not set(text.roots[slice(*said)]) & reading.granted_roots:
            return text.quote(*said)
    return ""


def _is_number_of(reading: Reading, text: Text, at: int) -> bool:
    """Whether "count" is the number that the request asks for: "complaints count"."""
    return (
        text.stems[at] in ("count", "tally")
        and at > 0
        and text.roots[at - 1] in reading.known_roots
        and any(
            " ".join(pair) in ("how many", "number of")
            for pair in pairwise(word.text for word in reading.asked.words)
        )
    )


def _in_compound(reading: Reading, text: Text, at: int) -> bool:
    """Whether a noun of the request follows at once ("test bench"), or the word is a verb."""
    after = text.words[at + 1] if at + 1 < len(text) else None
    return (
        after is not None
        # A plural is no part of a compound: "rulings grazing" are two keywords.
        and text.words[at].text == text.words[at].stem
        and after.gap in ("", "-")
        and not after.is_number
        and after.text not in lexicon.words("stopwords")
        and text.roots[at + 1] in reading.known_roots
        and after.text not in lexicon.words("saying")
    )


def _inside_a_name(text: Text, at: int) -> bool:
    word = text.words[at]
    return word.capital and at > 0 and not text.raw.isupper() and text.words[at - 1].capital


def _qualifiers_from(reading: Reading, text: Text, at: int) -> int:
    """Where the words begin that qualify a noun and that the request lacks."""
    first, openers = at, lexicon.phrases("source_openers")
    while first > max(0, at - _QUALIFIERS) and text.words[first].gap in ("", "-"):
        word = text.words[first - 1]
        if word.text in lexicon.words("stopwords") or word.is_number or not word.text.isalpha():
            break
        if openers.ending_at(text, first) or text.roots[first - 1] in reading.granted_roots:
            break
        first -= 1
    return first


def _asked_for(reading: Reading, text: Text, first: int, end: int) -> bool:
    """Whether a source's words stand after "per" or "according to", by themselves between commas,
    or at the end of a keyword query with a word that qualifies them."""
    place = first
    while place and text.words[place - 1].text in _SKIPPED and text.words[place].gap == "":
        place -= 1
    if lexicon.phrases("source_cues").ending_at(text, place):
        return True
    opened = lexicon.phrases("source_openers").ending_at(text, place)
    if opened and text.words[place - 1].text not in _LOOSE_OPENERS:
        return True
    closed = end == len(text) or text.words[end].gap not in ("", "-")
    said = end < len(text) and text.words[end].text in lexicon.words("saying")
    starts = place == 0 or text.words[place].gap not in ("", "-")
    if opened:
        return closed or said
    following = text.words[end].text if end < len(text) else ""
    if end - first == 1:
        about = starts and (following in ("on", "about") or place > 0 and following == "of")
        return about or (starts and closed and end - place < len(text))
    goes_on = following in ("of", "on", "about", "for", "from")
    if starts:
        return closed or said or goes_on
    return closed and place == first and text.roots[place - 1] in reading.granted_roots
