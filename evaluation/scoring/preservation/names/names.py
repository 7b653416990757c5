"""How a name may be written, and which of its words tell it from other things of its kind.

A name is found again by its words, in any notation: another order ("the river Oskel"), joined or
split ("tide mapper"), without legal form or title, one slip of the keyboard away, by its surname,
or by its own initials.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from rapidfuzz.distance import OSA

from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.finding import Reading
from evaluation.scoring.preservation.names.ordinals import ORDINALS, numbered
from evaluation.scoring.preservation.text import Text, Word, read_text
from evaluation.scoring.preservation.wording import content, trimmed

# Shorter words have too many neighbours that are other names ("Lund", "Lind").
SLIP_FROM = 5
ALONE_SLIP_FROM = 6
CHANGED_FROM = 6
_SPELLINGS = (("our", "or"), ("grey", "gray"), ("tre", "ter"), ("ise", "ize"), ("yse", "yze"),
              ("ogue", "og"), ("ph", "f"))  # fmt: skip

VERSUS = frozenset({"v", "vs", "versus"})
Place = tuple[Text, int, int]


def is_kind(word: Word) -> bool:
    """Whether a word only says what kind of thing is meant ("bank", "river")."""
    kinds = lexicon.words("kinds_of_thing")
    return word.text in kinds or word.stem in kinds


def is_any_kind(word: Word) -> bool:
    """Whether a kind is so wide that it makes no other thing of a name ("the Solberg firm")."""
    kinds = lexicon.words("any_kind")
    return word.text in kinds or word.stem in kinds or word.text in lexicon.words("legal_forms")


@lru_cache(maxsize=4_000)
def own_places(name: str) -> tuple[int, ...]:
    """The words of a (trimmed) name that tell it from others: all but its kind; all where there
    is nothing else."""
    text = trimmed(name)
    places = content(text)
    head = _head(text, places)
    proper = any(text.words[i].capital for i in places)
    own = [i for i in places if i != head and not is_kind(text.words[i])]
    own = own or [i for i in places if i != head]  # "Dog Act": kinds tell as well
    if not any(text.words[i].text.isalpha() and len(text.words[i].raw) > 1 for i in own):
        own = []  # "ward C", "test bench 3" are told apart as a whole
    if proper and any(text.words[i].capital for i in own):
        # "branches of Aldermoor Bank": the lower-case words only describe.
        own = [i for i in own if text.words[i].capital or text.words[i].is_number]
    return tuple(own or places)


def _head(text: Text, places: list[int]) -> int | None:
    """The noun that a name of several words turns on, where it is a kind or in lower case."""
    if len(places) < 2:
        return None
    last = places[-1]
    for at, after in zip(places, places[1:], strict=False):
        if after > at + 1 or text.words[after].gap not in ("", "-", "'", "’"):
            last = at  # "museum of clocks", "electors not voting": the head stands first
            break
    word = text.words[last]
    if word.is_number or last == places[0] and word.capital and not is_kind(word):
        return None
    return last if is_kind(word) or not word.capital else None


def own_roots(forms: Iterable[str]) -> frozenset[str]:
    """The roots of the telling words of all forms."""
    return frozenset(trimmed(form).roots[i] for form in forms for i in own_places(form))


def is_proper(form: str) -> bool:
    return any(word.capital for word in trimmed(form).words)


def short_forms(forms: Iterable[str]) -> list[str]:
    """The proper names among `forms` without legal form at the end and title at the front."""
    found = []
    for form in forms:
        text = trimmed(form)
        first, end = 0, len(text)
        while end - first > 1 and text.words[end - 1].text in lexicon.words("legal_forms"):
            end -= 1
        while end - first > 2 and text.words[first].text in lexicon.words("titles"):
            first += 1
        if (first, end) != (0, len(text)) and is_proper(form):
            found.append(text.quote(first, end))
    return found


def spelled(word: str) -> str:
    """One spelling for the usual pairs ("harbour", "harbor")."""
    for one, other in _SPELLINGS:
        word = word.replace(one, other)
    return word


@lru_cache(maxsize=20_000)
def slipped(found: str, wanted: str, at_least: int = SLIP_FROM) -> bool:
    """Whether a stem is a wanted one, in another spelling or one slip away. A changed first letter
    is no slip: it makes other names ("Moss", "Ross")."""
    if found == wanted or spelled(found) == spelled(wanted):
        return True
    if min(len(found), len(wanted)) < at_least or abs(len(found) - len(wanted)) > 1:
        return False
    if found[0] != wanted[0] or not (found.isalpha() and wanted.isalpha()):
        return False
    if len(found) == len(wanted) <= CHANGED_FROM and sorted(found) != sorted(wanted):
        return False  # a changed letter makes another short name ("Landau", "Lindau")
    return OSA.distance(found, wanted, score_cutoff=1) <= 1


def find_variants(reading: Reading, forms: list[str]) -> Iterator[Place]:
    """Yield where a form stands in another notation than its own."""
    shorter = short_forms(forms)
    for text in reading.queries:
        for form in (*shorter, *forms):
            yield from _initials(reading, text, form)
            name = trimmed(form)
            if len(content(name)) == 0:
                continue
            if form in shorter:
                yield from ((text, at, at + len(name)) for at in text.find(name))
            yield from _joined(text, name)
            yield from numbered(text, name)
            yield from _loosely(reading, text, form)
            yield from _surname(reading, text, form)
            if not _is_turned(form, forms):
                yield from _without_kind(reading, text, form)


def _is_turned(form: str, forms: list[str]) -> bool:
    """Whether it is the "Y X" of another form "X of Y": without X it is Y, another thing."""
    words = sorted(trimmed(form).stems)
    return any(
        " of " in other and sorted(stem for stem in trimmed(other).stems if stem != "of") == words
        for other in forms
        if other != form
    )


def _initials(reading: Reading, text: Text, form: str) -> Iterator[Place]:
    """Three or more capitals that are exactly the initials of the name."""
    words = trimmed(form)
    if len(words) < 3:
        return
    initials = {
        "".join(word.text[0] for word in words.words),
        "".join(words.words[i].text[0] for i in content(words)),
    }
    for at, word in enumerate(text.words):
        if len(word.raw) > 2 and word.raw.isupper() and word.text in initials:
            if not any(word.raw in turn for turn in reading.request.texts):
                yield text, at, at + 1


def _joined(text: Text, name: Text) -> Iterator[Place]:
    """The name's letters in a row, however they are cut into words."""
    wanted = "".join(word.text for word in name.words)
    if len(wanted) < 6 or not wanted.isalnum():
        return
    words = text.words
    for first, word in enumerate(words):
        if not wanted.startswith(word.text):
            continue
        run, end = word.text, first + 1
        while len(run) < len(wanted) and end < len(words) and words[end].gap in ("", "-", "_"):
            run += words[end].text
            end += 1
        if run == wanted or (run == wanted + "s" and end - first == 1):
            yield text, first, end


def _loosely(reading: Reading, text: Text, form: str) -> Iterator[Place]:
    """All words of the name, slips allowed, close together in any order."""
    name = trimmed(form)
    wanted = [i for i in content(name) if name.words[i].text not in VERSUS]
    alone = len(wanted) == 1
    others = reading.known_words - {word.text for word in name.words}
    taken = taken_places(reading, text, form)
    free = [i for i, w in enumerate(text.words) if i not in taken and w.text not in others]
    found = []
    for i in wanted:
        places = [at for at in free if _is_word(text.words[at], name.words[i], alone)]
        if not places:
            return
        found.append(places)
    exact = sum(any(text.stems[at] == name.stems[i] for at in places)
                for i, places in zip(wanted, found, strict=True))  # fmt: skip
    if not alone and 2 * exact < len(wanted):
        return
    for start in found[0] if found else ():
        picked = [min(places, key=lambda at: abs(at - start)) for places in found]
        first, end = min(picked), max(picked) + 1
        if len(set(picked)) == len(picked) and _close(text, name, first, end, set(picked)):
            yield text, first, end


def _is_word(found: Word, wanted: Word, alone: bool) -> bool:
    at_least = ALONE_SLIP_FROM if alone else SLIP_FROM
    if wanted.capital and found.text == f"{wanted.text}s":
        return True  # a possessive without its sign
    return slipped(found.stem, wanted.stem, at_least) or slipped(found.text, wanted.text, at_least)


def taken_places(reading: Reading, text: Text, form: str) -> frozenset[int]:
    """The words of a query that belong to another name of the contract."""
    own = trimmed(form)
    taken: set[int] = set()
    for name in reading.contract_names:
        other = trimmed(name)
        if other.find(own) or own.find(other):
            continue
        for at in text.find(other):
            taken.update(range(at, at + len(other)))
    return frozenset(taken)


def _close(text: Text, name: Text, first: int, end: int, picked: set[int]) -> bool:
    """Whether nothing of weight stands between the words of the name."""
    between = [i for i in range(first, end) if i not in picked]
    if any(ends_before(text, i) for i in range(first + 1, end)):
        return False
    if any(text.words[i].capital for i in between):
        return False  # a name of something else
    versus: frozenset[str] = VERSUS if any(w.text in VERSUS for w in name.words) else frozenset()
    stop = lexicon.words("stopwords") | versus
    heavy = sum(text.words[i].text not in stop for i in between)
    if any(text.words[i].text not in stop and text.words[i + 1].text == "of" for i in between):
        return False  # the "town quay of X" is not the town of X
    proper = any(word.capital for word in name.words)
    lower = proper and any(not name.words[i].capital for i in content(name))
    joined = {text.words[i].text for i in between} & ({"and", "or", "than", "vs"} - versus)
    return not joined and heavy <= (0 if proper and not lower else 2)


def ends_before(text: Text, at: int) -> bool:
    """Whether a clause ends before a word; the dot of "v." or "Dr." ends none."""
    gap = text.words[at].gap
    short = at > 0 and len(text.words[at - 1].raw) < 4 and gap == "."
    return not short and any(sign in gap for sign in ".;:?!")


def _surname(reading: Reading, text: Text, form: str) -> Iterator[Place]:
    """The last word of a person's name alone, where the request knows nobody else of it."""
    name = trimmed(form)
    if not looks_personal(name):
        return
    last = name.words[-1]
    for known in (*reading.turns, reading.asked):
        for at in range(1, len(known)):
            before = known.words[at - 1]
            same = known.words[at].stem == last.stem and before.capital
            if same and known.words[at].gap == "" and before.stem not in name.stems:
                if before.text not in lexicon.words("titles") and at > 1:
                    return
    for at, word in enumerate(text.words):
        if word.stem == last.stem and word.capital:
            if not _goes_on(text, at) and not _led_in(text, at):
                yield text, at, at + 1


def _without_kind(reading: Reading, text: Text, form: str) -> Iterator[Place]:
    """A proper name without the plain noun that says what it is ("Pertovax" for "Pertovax
    vaccine"), or as short as the conversation has it ("Skarn" for "Mount Skarn"), where no other
    noun makes another name of it."""
    name = trimmed(form)
    own = own_places(form)
    rest = [name.words[i] for i in content(name) if i not in own]
    if not rest or own != tuple(range(own[0], own[-1] + 1)) or len(name.words[own[0]].raw) < 4:
        return
    run = read_text(name.quote(own[0], own[-1] + 1))
    if not all(is_kind(word) for word in rest) or len(name) > len(content(name)):
        return  # "council of Elten" is not Elten
    plain = not any(word.capital for word in rest)
    if not plain and not _said_short(reading, name, run):
        return
    for at in text.find(run):
        end = at + len(run)
        if text.words[at].capital and not _goes_on(text, end - 1) and not _led_in(text, at):
            yield text, at, end


def _said_short(reading: Reading, name: Text, run: Text) -> bool:
    """Whether the request or a turn has the telling words alone, as a name."""
    for text in (reading.asked, *reading.turns):
        whole = {i for at in text.find(name) for i in range(at, at + len(name))}
        for at in text.find(run):
            end = at + len(run)
            alone = text.words[at].capital and at not in whole and not _led_in(text, at)
            if alone and not _goes_on(text, end - 1):
                return True
    return False


def looks_personal(name: Text) -> bool:
    """Two or three capitalised words in a row, none of which says a kind of thing."""
    return (
        2 <= len(name) <= 3
        and name.words[0].text not in ORDINALS
        and all(word.capital and word.raw.isalpha() and len(word.raw) > 1 for word in name.words)
        and not any(is_kind(w) or w.text in lexicon.words("legal_forms") for w in name.words)
        and (name.words[-1].text[-2:] == "ss" or name.words[-1].text[-1:] != "s")
        and all(word.gap in ("", "-") for word in name.words)
    )


def _goes_on(text: Text, last: int) -> bool:
    """Whether a capitalised word or a kind after a name makes a longer one of it."""
    after = text.words[last + 1] if last + 1 < len(text) else None
    if after is None or after.gap not in ("", "-") or text.words[last].possessive:
        return False
    return after.capital or is_kind(after)


def _led_in(text: Text, first: int) -> bool:
    """Whether a capitalised word before a name makes a longer one of it; a title does not."""
    if first < 2 or text.words[first].gap not in ("", "-"):
        return False
    before = text.words[first - 1]
    return before.capital and before.text not in lexicon.words("titles")
