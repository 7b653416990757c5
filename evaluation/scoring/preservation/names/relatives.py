"""Names that share words with the one looked for, yet are names of other things."""

import re
from collections.abc import Iterator
from functools import lru_cache

from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.finding import Reading
from evaluation.scoring.preservation.names.names import (
    is_any_kind,
    is_kind,
    own_places,
    slipped,
    taken_places,
)  # fmt: skip
from evaluation.scoring.preservation.text import Text, Word, near, read_text
from evaluation.scoring.preservation.wording import content, known_vocabulary

Run = tuple[int, int]
# No noun has more words before it; it bounds what is read of an endless row of words.
_MODIFIERS = 40
_ROMAN = re.compile("[IVX]+$")
_GLUE = frozenset({"of", "v", "vs", "de", "du", "des", "del", "di", "la", "van", "von", "der"})


def title_case(text: Text) -> bool:
    """Whether every word of weight has a capital, so that capitals mark no names."""
    plain = [w for w in text.words if w.raw.isalpha() and not _plain(w)]
    return bool(plain) and all(word.capital for word in plain)


def _plain(word: Word) -> bool:
    return word.text in lexicon.words("stopwords") or word.text in lexicon.words("fillers")


@lru_cache(maxsize=256)  # asked again for each form of each name
def capital_runs(text: Text) -> tuple[Run, ...]:
    """Return names as capitals mark them: capitalised words (and numbers after them) in a row.

    The opening word of a text is no name by its capital alone; a possessive ends a name.
    """
    return () if title_case(text) else tuple(_capital_runs(text))


def _capital_runs(text: Text) -> Iterator[Run]:
    at = 0
    while at < len(text):
        if not text.words[at].capital or _opens(text, at):
            at += 1
            continue
        end = at + 1
        while end < len(text) and _goes_on(text, end):
            end += 1
        starts = at == 0 or any(sign in text.words[at].gap for sign in ".?!:")
        if not starts or end - at > 1:
            yield at, end
        at = end


def _opens(text: Text, at: int) -> bool:
    word = text.words[at]
    if len(word.raw) > 1 and word.raw.isupper():
        return False
    return word.text in lexicon.words("stopwords") or (
        (at == 0 or text.words[at].gap in (".", "?", "!")) and word.text in lexicon.words("openers")
    )


def _goes_on(text: Text, at: int) -> bool:
    """Whether a name goes on: with a capital, a number, or "of" and "v." before a capital."""
    word = text.words[at]
    if word.gap not in ("", "-") and not (word.gap == "." and text.words[at - 1].text in _GLUE):
        return False
    if text.words[at - 1].possessive:
        return False
    if word.text in _GLUE and not word.capital:
        return at + 1 < len(text) and text.words[at + 1].capital
    return word.capital or (word.is_number and len(word.raw) < 4)


def listed(reading: Reading, phrase: Text) -> bool:
    """Whether the contract itself names the phrase, so that it belongs to another constraint."""
    for constraint in reading.contract.constraints:
        value = constraint.value
        names = [value.get("name"), *(value.get("aliases") or ()), *(value.get("sets") or ())]
        names += [value.get("source"), value.get("target")]
        if any(read_text(str(one)).find(phrase) for one in names if one):
            return True
    return False


def kindred(reading: Reading, held: list[Text], name: Text, text: Text) -> str:
    """A name in capitals, or with a kind noun, that shares a telling word of the name and has
    another one of its own in place of the rest."""
    every = _roots(held)
    if not any(word.capital for word in name.words):
        return ""
    own = {name.roots[i] for i in own_places(name.raw) if not is_kind(name.words[i])}
    taken = taken_places(reading, text, name.raw)
    runs = [*capital_runs(text), *_of_kind(reading, name, text)]
    if is_kind(name.words[-1]):
        runs += _with_kind(text, own)
    for first, end in runs:
        if not own & {text.roots[i] for i in range(first, end) if i not in taken}:
            continue
        phrase = read_text(text.quote(first, end))
        lacking = {name.roots[i] for i in content(name)} - set(text.roots)
        odd = [i for i in range(first, end) if text.roots[i] not in every]
        foreign = any(_foreign(reading, held, text, i) for i in odd)
        if (
            odd
            and lacking
            and (foreign or _known_as(reading, phrase))
            and not listed(reading, phrase)
        ):
            return phrase.raw
    return ""


def shortened_house(name: Text, text: Text) -> str:
    """The name of a house in place of its daughter's ("Brimstrand Heat" for "Brimstrand Heat
    Services"): a name of two words or more without the word that makes the daughter."""
    last = len(name) - 1
    if last < 2 or name.words[last].text not in lexicon.words("daughters"):
        return ""
    if not all(word.capital for word in name.words):
        return ""
    house = read_text(name.quote(0, last))
    for first, end in capital_runs(text):
        found = read_text(text.quote(first, end))
        if found.stems == house.stems and name.stems[last] not in text.stems:
            return found.raw
    return ""


def first_of_series(reading: Reading, name: Text, text: Text) -> str:
    """The name without its closing number, where the conversation has it as a name of its own:
    "Iron Tide" for "Iron Tide II"."""
    last = len(name) - 1
    if last < 1 or not (name.words[last].is_number or _ROMAN.match(name.words[last].raw)):
        return ""
    series = read_text(name.quote(0, last))
    if not any(word.capital for word in series.words):
        return ""

    def alone(one: Text) -> list[int]:
        ends = ((at, at + last) for at in one.find(series))
        return [at for at, end in ends if not (end < len(one) and _numbers(one.words[end]))]

    own = any(alone(turn) for turn in reading.turns)
    places = alone(text) if own and not alone(reading.asked) else []
    return text.quote(places[0], places[0] + last) if places else ""


def _numbers(word: Word) -> bool:
    return not word.gap and (word.is_number or bool(_ROMAN.match(word.raw)))


def _known_as(reading: Reading, phrase: Text) -> bool:
    """Whether the conversation has the phrase as a name of its own ("Pinder Group")."""
    for text in (reading.asked, *reading.turns):
        for at in text.find(phrase):
            if all(word.capital for word in text.words[at : at + len(phrase)]) and at > 0:
                return True
    return False


def _with_kind(text: Text, own: set[str]) -> Iterator[Run]:
    """A telling word right before a kind noun in lower case ("aldermoor insurance")."""
    for at in range(len(text) - 1):
        after = text.words[at + 1]
        if text.roots[at] in own and after.gap in ("", "-") and is_kind(after):
            if not text.words[at].possessive:
                yield at, at + 2


def _of_kind(reading: Reading, name: Text, text: Text) -> Iterator[Run]:
    """Another office or part of the same house: "president of Orland" for "prime minister of
    Orland"."""
    at = next((i for i, word in enumerate(name.words) if word.text == "of"), 0)
    if not at or any(word.capital for word in name.words[:at]):
        return
    house = read_text(name.quote(at + 1, len(name))) if at + 1 < len(name) else None
    for first in text.find(house) if house else ():
        before = first - 2 if first > 1 and text.words[first - 1].text == "of" else -1
        if before < 0 or not is_kind(text.words[before]) or is_any_kind(text.words[before]):
            continue
        if text.roots[before] not in reading.known_roots:
            yield before, first + len(house or ())


def _foreign(reading: Reading, held: list[Text], text: Text, at: int) -> bool:
    """Whether a word makes another name: a kind of its own, or a name word nobody knows."""
    word = text.words[at]
    if is_any_kind(word) or word.text in lexicon.words("months"):
        return False
    if len(word.raw) < 6 and word.raw.isupper():
        return False  # it may abbreviate a part of the name
    if any(slipped(word.stem, one.stem) or _alike(word.stem, one.stem) for form in held
           for one in form.words):  # fmt: skip
        return False
    lower = any(w.stem == word.stem and not w.capital for w in reading.asked.words)
    if lower:
        return False  # the request has it as a plain word
    if is_kind(word):
        # "the Sydney trains": a plural in lower case is what is asked of the place.
        return not word.text.endswith("s") or word.capital
    return word.capital and not word.is_number and word.text not in known_vocabulary()


def _alike(one: str, other: str) -> bool:
    return near(one, other) or (len(one) > 3 and (other.startswith(one) or one.startswith(other)))


def other_of_its_kind(reading: Reading, held: list[Text], name: Text, text: Text) -> str:
    """The name's last word with words before it that are not the name's ("bamboo floors")."""
    places = content(name)
    if len(places) < 2 or places[-1] != len(name) - 1 or name.words[-1].is_number:
        return ""
    every = _roots(held)
    proper = any(word.capital for word in name.words)
    if proper and not is_kind(name.words[-1]):
        return ""
    # Where a query keeps capitals, a name would have one; lower case then only describes.
    written = proper and any(w.capital for w in text.words[1:])
    own = {name.roots[i] for i in own_places(name.raw)}
    if own & set(text.roots):
        return ""
    for at in text.find(read_text(name.words[-1].raw)):
        first = at
        glue = ("", "-", "'", "’") if any(word.possessive for word in name.words) else ("", "-")
        far = max(0, at - _MODIFIERS)
        while first > far and text.words[first].gap in glue and _modifies(text, first - 1, glue):
            first -= 1
        odd = [i for i in range(first, at) if text.roots[i] not in every]
        if not odd or first == at:
            continue
        if any(_tells(reading, text, i, written) for i in odd) and not listed(
            reading, read_text(text.quote(first, at + 1))
        ):
            return text.quote(first, at + 1)
    return ""


def _modifies(text: Text, at: int, joined: tuple[str, ...]) -> bool:
    word = text.words[at]
    if word.possessive and "'" not in joined:
        return False
    return word.text not in lexicon.words("stopwords") and word.text not in _GLUE


def _tells(reading: Reading, text: Text, at: int, written: bool) -> bool:
    """Whether a word before a kind may name one of the kind: a word that neither the request nor
    the lists know, or one of an earlier turn that the current text lacks."""
    word = text.words[at]
    if word.is_number or not word.text.isalpha() or written and not word.capital:
        return False
    if at == 0 and word.capital and written:
        return False
    asked = reading.asked.roots
    if text.roots[at] in asked or word.text.endswith(("ing", "ed", "est", "er", "ly")):
        return False
    if text.roots[at] in reading.known_roots:
        pair = read_text(text.quote(at, at + 2))
        return any(turn.find(pair) for turn in reading.turns)
    return word.text not in known_vocabulary() and word.text not in lexicon.words(
        "plain_adjectives"
    )


def other_number(reading: Reading, name: Text, text: Text) -> str:
    """The name with another number or letter ("ward E" for "ward C")."""
    if len(name) < 2:
        return ""
    for first in range(len(text) - len(name) + 1):
        if text.stems[first] != name.stems[0]:
            continue
        run = text.words[first : first + len(name)]
        odd = [i for i, word in enumerate(run) if word.stem != name.stems[i]]
        if len(odd) != 1:
            continue
        one, other = run[odd[0]], name.words[odd[0]]
        numbers = one.is_number and other.is_number
        numbers = numbers and (len(one.raw) < 4 or len(one.raw) == len(other.raw))
        letters = len(one.raw) == len(other.raw) == 1 and one.raw.isalpha() and other.raw.isalpha()
        letters = letters or bool(_ROMAN.match(one.raw) and _ROMAN.match(other.raw))
        joined = all(word.gap in ("", "-") for word in run[1:])
        if joined and (numbers or letters) and other.stem not in text.stems[first:]:
            found = text.quote(first, first + len(name))
            if not listed(reading, read_text(found)):
                return found
    return ""


def other_expansion(held: list[Text], name: Text, text: Text) -> str:
    """Words whose initials are the name's acronym, but not the words that it stands for."""
    if len(name) != 1 or len(name.raw) < 3 or not name.raw.isupper():
        return ""
    long = [form for form in held if len(content(form)) >= len(name.raw)]
    if not long:
        return ""
    size = len(name.raw)
    every = _roots(held)
    for first in range(len(text) - size + 1):
        run = text.words[first : first + size]
        initials = "".join(word.text[:1] for word in run)
        if initials != name.words[0].text or any(w.gap not in ("", "-") for w in run[1:]):
            continue
        if any(w.text in lexicon.words("stopwords") for w in run):
            continue
        if not set(text.roots[first : first + size]) & every:
            return text.quote(first, first + size)
    return ""


def _roots(held: list[Text]) -> set[str]:
    return {root for form in held for root in form.roots}
