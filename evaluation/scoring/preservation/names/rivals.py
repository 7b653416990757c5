"""Whether another named thing stands where a referent or a compared set should."""

from collections.abc import Iterable, Iterator, Sequence

from contracts.terms import ConstraintTerms
from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.finding import Reading
from evaluation.scoring.preservation.names import relatives
from evaluation.scoring.preservation.names.ordinals import other_ordinal
from evaluation.scoring.preservation.text import Text, Word, near, read_text, root
from evaluation.scoring.preservation.wording import content, trimmed


def replaced_by(constraint: ConstraintTerms, reading: Reading, forms: Iterable[str]) -> str:
    """Return the words of a query that name another thing in place of `forms`, or "".

    These signs are taken as certain. A phrase of an earlier turn that shares its head or its
    first word with the name was brought in although the current text lacks it ("north pier" for
    "south pier"); one word of a proper name was replaced by another capitalised one ("Velden
    Mutual" for "Velden Trust"); a longer or shorter name shares words with it ("Pinder Group" for
    "Pinder Logistics"); its kind is there with other words before it ("walnut oil" for "tung oil");
    its number is another one; or the letters of its acronym are spelled out otherwise.
    """
    held = [trimmed(form) for form in forms]
    for name in held:
        for text in reading.queries:
            found = (
                _from_turns(reading, held, name, text)
                or _other_name(reading, held, name, text)
                or relatives.kindred(reading, held, name, text)
                or relatives.shortened_house(name, text)
                or relatives.first_of_series(reading, name, text)
                or relatives.other_of_its_kind(reading, held, name, text)
                or relatives.other_number(reading, name, text)
                or other_ordinal(text, name)
                or relatives.other_expansion(held, name, text)
            )
            if found:
                return found
    return ""


def _from_turns(reading: Reading, held: list[Text], name: Text, text: Text) -> str:
    if len(name) < 2 or not reading.turns:
        return ""
    every = {one for form in held for one in form.roots}
    current = reading.asked
    for first, end in _pairs(text):
        phrase = read_text(text.quote(first, end))
        if len(phrase) != 2:
            continue  # cut out of glued signs ("m3tide"), the words read otherwise
        if any(phrase.words[i].text in lexicon.words("stopwords") for i in (0, -1)):
            continue
        other = _odd_one(phrase, name)
        if other is None or phrase.roots[other] in every or _loose_in(phrase.roots[other], every):
            continue
        brought = any(turn.find(phrase) for turn in reading.turns) and not current.find(phrase)
        if (
            brought
            and not relatives.listed(reading, phrase)
            and not _rest_present(text, name, phrase)
        ):
            return phrase.raw
    return ""


def _pairs(text: Text) -> Iterator[tuple[int, int]]:
    """Neighbouring words of one phrase: no punctuation between them, no possessive on the first."""
    for at in range(len(text) - 1):
        if text.words[at + 1].gap in ("", "-") and not text.words[at].possessive:
            yield at, at + 2


def _odd_one(phrase: Text, name: Text) -> int | None:
    """The word by which a pair differs from a name of the same head or the same beginning."""
    if phrase.stems[1] == name.stems[-1] and phrase.stems[0] != name.stems[-2]:
        return 0
    proper = name.words[0].capital and phrase.words[1].capital
    if proper and phrase.stems[0] == name.stems[0] and phrase.stems[1] != name.stems[1]:
        return 1
    return None


def _loose_in(word: str, every: Iterable[str]) -> bool:
    return any(near(word, one) or (len(word) > 2 and one.startswith(word)) for one in every)


def _rest_present(text: Text, name: Text, phrase: Text) -> bool:
    """Whether words of the name that the phrase lacks stand in the query all the same."""
    missing = {name.roots[i] for i in content(name)} - set(phrase.roots)
    return bool(missing & set(text.roots))


def _other_name(reading: Reading, held: list[Text], name: Text, text: Text) -> str:
    """A proper name with one word replaced."""
    if len(name) < 2 or not all(word.capital for word in name.words):
        return ""
    if not any(
        word.raw.isalpha() and word.raw.islower() and len(word.raw) > 3 for word in text.words
    ):
        return ""  # a title-cased query says nothing about what is a name
    every = {one for form in held for one in form.roots}
    size = len(name)
    for first in range(len(text) - size + 1):
        run = text.words[first : first + size]
        if not run[0].capital or any(
            w.gap not in ("", "-") or run[i].possessive for i, w in enumerate(run[1:])
        ):
            continue
        odd = _replaced_word(reading, every, name, run)
        if odd is None or first == 0 and odd == 0:
            continue
        if name.stems[odd] not in text.stems:
            return text.quote(first, first + size)
    return ""


def renamed(reading: Reading, forms: Iterable[str], value: str) -> bool:
    """Whether the value of a filter is a proper name of the referent with one word replaced
    ("Velden Mutual" for "Velden Trust")."""
    held = [trimmed(form) for form in forms]
    every = {one for form in held for one in form.roots}
    found = trimmed(value)
    return any(
        len(name) == len(found) > 1
        and all(word.capital for word in name.words)
        and _replaced_word(reading, every, name, found.words) is not None
        for name in held
    )


def _replaced_word(
    reading: Reading, every: set[str], name: Text, run: Sequence[Word]
) -> int | None:
    """Which word of a name a run of capitalised words has another one for, if it is one and no
    slip, no abbreviation and no word of the request; else None."""
    odd = [i for i, word in enumerate(run) if word.stem != name.stems[i]]
    if len(odd) != 1 or not all(word.capital for word in run):
        return None
    word, replaced = run[odd[0]], name.words[odd[0]]
    ordinary = word.text in lexicon.words("months") or word.text in lexicon.words("legal_forms")
    known = root(word.stem) in reading.known_roots or root(word.stem) in every
    if ordinary or known or len(word.raw) < 4 or word.raw.isupper():
        return None
    return None if _alike(word.stem, replaced.stem) else odd[0]


def _alike(one: str, other: str) -> bool:
    """Slips and abbreviations of the same word."""
    shared = min(len(one), len(other))
    return near(one, other) or one[:3] == other[:3] and shared < 6 or one[:5] == other[:5]
