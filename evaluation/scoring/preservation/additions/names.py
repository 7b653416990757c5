"""Named things that the request lacks: a place, a maker, an owner.

A name is a run of capitalised words in a query that is otherwise in small letters. It counts only
where its place in the query says that it narrows ("in …", "by …", "manufacturer …", "…'s pumps"),
or as a place of the lists.
"""

from collections.abc import Iterator
from functools import cache

from evaluation.records import Addition
from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.additions.known import Known, modifier_lost
from evaluation.scoring.preservation.additions.listed import hits
from evaluation.scoring.preservation.finding import Reading
from evaluation.scoring.preservation.text import Text, Word, near, read_text

WHY = "The request names no such thing."
_NAMING = ("referent", "comparison")
_ARTICLES = ("the", "a", "an")
_LINKS = ("of", "de", "van", "von", "del", "di", "la", "el", "al", "the", "and")
_NO_NAMES = ("months", "stopwords", "openers", "no_names", "legal_forms", "numbered_things")
_CAPITAL_ONLY = {"us", "uk", "turkey", "chad", "jersey", "guinea", "reunion", "polish", "jordan",
                 "georgia", "benin", "america", "mali", "niger", "panama"}  # fmt: skip


def in_queries(reading: Reading, known: Known) -> Iterator[Addition]:
    """In a conversation "of …" and "for …" mostly say what "it" or "the team" was, perhaps from a
    reply that the request does not hold."""
    if _lost_name(reading, known):
        return
    for text in reading.queries:
        yield from _places(text, known)
        if not _shouts(text, known):
            yield from _names(text, known)


def _lost_name(reading: Reading, known: Known) -> bool:
    """Whether the request has a name, or a "there", that no query has: a new name may stand in its
    place."""
    said = {root for text in reading.queries for root in text.roots}
    letters = " ".join("".join(text.stems) for text in reading.queries)
    values = {term.text.roots for term in reading.filters}
    asked = reading.asked
    for at, word in enumerate(asked.words):
        if word.text == "there" and reading.turns and word.text not in said:
            return True
        name = word.capital and at and not _opens_sentence(asked, at) and len(word.raw) > 1
        if not name or any(word.text in lexicon.words(one) for one in _NO_NAMES):
            continue
        if known.belongs_to_another(word.start, _NAMING):
            continue
        if asked.roots[at] in said or word.stem in letters:
            continue
        if not any(asked.roots[at] in roots for roots in values) and not _slip(word, said):
            return True
    return False


def _slip(word: Word, said: set[str]) -> bool:
    return any(near(word.stem, one) or word.stem[:4] == one[:4] for one in said)


def new_name(text: Text, known: Known) -> bool:
    """Whether a name (a filter's value) has no word of the request, in no form."""
    if is_known_place(text, known) or known.is_abbreviated(text):
        return False
    raw = text.raw.strip()
    if raw.isupper() and len(raw) <= 6 and known.abbreviates(text.words[0].text):
        return False
    # A short code may stand for anything, unless it is a country's.
    if raw.isupper() and len(raw) <= 4 and raw not in _codes():
        return False
    return not any(known.says(word.stem) for word in text.words)


@cache
def _codes() -> frozenset[str]:
    return frozenset(meaning for _, meaning in lexicon.phrases("places").entries)


def is_known_place(text: Text, known: Known) -> bool:
    named = {hit.meaning for n in ("places", "place_adjectives") for hit in hits(n, text)}
    codes = named | {text.raw.strip().upper()}
    return bool(codes & known.places)


# ---------------------------------------------------------------- places of the lists


def _places(text: Text, known: Known) -> Iterator[Addition]:
    for hit in hits("places", text):
        before = _before(text, hit.first)
        if (
            before < 0
            or _slot_lost(text, before, known)
            or text.words[before].text not in _openers(known, "place_openers")
        ):
            continue
        if _cites(text, before, hit.end) or _goes_on(text, hit.end):
            continue
        if _is_place(text, hit, known):
            yield Addition("referent", text.quote(before, hit.end), WHY)
    for hit in hits("place_adjectives", text):
        # "Danish kroner" is a currency, "in French" a language, "Swiss Re" a name.
        if hit.end >= len(text) or text.words[hit.end].gap or text.words[hit.end].capital:
            continue
        follower = text.words[hit.end]
        ordinary = follower.text.isalpha() and follower.text not in lexicon.words("stopwords")
        money = lexicon.phrases("currencies").starting_at(text, hit.first) or (
            lexicon.phrases("currencies").starting_at(text, hit.end)
        )
        if not ordinary or money or not _is_place(text, hit, known):
            continue
        before = _before(text, hit.first)
        opened = before >= 0 and text.words[before].text in _openers(known, "adjective_openers")
        if known.says(follower.stem) or (opened and not _slot_lost(text, before, known)):
            yield Addition("referent", text.quote(hit.first, hit.end), WHY)


def _is_place(text: Text, hit: lexicon.Found, known: Known) -> bool:
    """Whether a listed place is meant and the request does not have it."""
    words = text.words[hit.first : hit.end]
    if len(words) == 1 and words[0].text in _CAPITAL_ONLY and not words[0].capital:
        return False
    if words[0].text == "us" and not words[0].raw.isupper():
        return False
    if hit.meaning in known.places or known.is_abbreviated(read_text(text.quote(*hit[:2]))):
        return False
    return not any(known.says(word.stem) for word in words if word.text not in _LINKS)


def _goes_on(text: Text, end: int) -> bool:
    """Whether a capitalised word makes a longer name of it ("New York Times", "China Eastern")."""
    return end < len(text) and text.words[end].gap in ("", "-") and text.words[end].capital


# ---------------------------------------------------------------- any name


def _shouts(text: Text, known: Known) -> bool:
    """Whether capitals say nothing about names here: a title-cased query, or one in capitals."""
    stop = lexicon.words("stopwords")
    plain = [w for w in text.words[1:] if w.raw.isalpha() and w.text not in stop]
    small = sum(not word.capital for word in plain)
    if small == 0 or hits("german_words", text):
        return True
    lower = {w.stem for asked in known.asked for w in asked.words if not w.capital}
    raised = sum(word.capital and word.stem in lower for word in plain)
    fresh = sum(word.capital and word.stem not in known.stems for word in plain)
    return raised > small or fresh > 2 * small


def _names(text: Text, known: Known) -> Iterator[Addition]:
    at = 1
    while at < len(text):
        if not _names_something(text.words[at]) or _opens_sentence(text, at):
            at += 1
            continue
        end = _end_of_name(text, at)
        first = _narrowed_from(text, at, end, known)
        if first is not None and not _cites(text, first, end) and _is_new(text, at, end, known):
            yield Addition("referent", text.quote(first, end), WHY)
        at = end
    if len(text) > 1 and text.words[0].possessive and _names_something(text.words[0]):
        lost = _owner_lost(text, known)
        if _is_new(text, 0, 1, known) and not text.words[1].capital and not lost:
            yield Addition("referent", text.quote(0, 1), WHY)


def _names_something(word: Word) -> bool:
    """Whether a word is a capitalised one that may name; abbreviations are mostly vocabulary."""
    if not word.capital or not word.raw.isalpha() and "'" not in word.raw and "’" not in word.raw:
        return False
    if len(word.text) < 3 or word.raw[: len(word.text)].isupper():
        return False
    listed = any(word.text in lexicon.words(name) for name in _NO_NAMES)
    return not listed and word.text not in lexicon.table("place_adjectives")


def _opens_sentence(text: Text, at: int) -> bool:
    return any(sign in text.words[at].gap for sign in '.?!:;\n"“”«»/|')


def _end_of_name(text: Text, at: int) -> int:
    end = at + 1
    while end < len(text):
        if text.words[end - 1].possessive and text.words[end - 1].raw[-2:] in ("'s", "’s"):
            break
        if text.words[end].gap not in ("", "-", ".", "'", "’"):
            break
        if text.words[end].capital or text.words[end].is_number:
            end += 1
        elif (
            text.words[end].text in _LINKS[:-2]
            and end + 1 < len(text)
            and text.words[end + 1].capital
            and not text.words[end + 1].gap
        ):
            end += 2
        else:
            break
    return end


def _openers(known: Known, name: str) -> frozenset[str]:
    listed = lexicon.words(name)
    return listed - {"of", "for"} if len(known.asked) > 1 else listed


def _narrowed_from(text: Text, at: int, end: int, known: Known) -> int | None:
    """Where the phrase begins by which a name narrows, or None where it does not surely."""
    before, alone = _before(text, at), len(known.asked) == 1
    if before < 0:
        return at if alone and _set_off(text, at, end) else None
    word = text.words[before]
    if word.text in _openers(known, "name_openers"):
        return None if _slot_lost(text, before, known) else before
    if word.stem in lexicon.words("name_roles") and before == at - 1:
        return before
    if _owner(text, end):
        return None if _owner_lost(text, known) else at
    # In a conversation a bare name is mostly what "it" was.
    return at if alone and _modifies(text, end, known) else None


def _owner(text: Text, end: int) -> bool:
    return text.words[end - 1].possessive and end < len(text) and not text.words[end].capital


def _set_off(text: Text, at: int, end: int) -> bool:
    """Whether a name ends the query behind a comma or in brackets: "budget, Greyfen"."""
    return end == len(text) and text.words[at].gap in (",", "(") and at > 1


def _modifies(text: Text, end: int, known: Known) -> bool:
    """Whether a noun of the request follows, not a verb: "relined Hoganwerk kilns"."""
    if end >= len(text) or text.words[end].gap or text.words[end].capital:
        return False
    root, asked = text.roots[end], known.asked[0]
    plain = text.words[end].text not in lexicon.words("stopwords")
    return plain and root in asked.roots and not modifier_lost(text, end, known, _NAMING)


def _cites(text: Text, first: int, end: int) -> bool:
    """Whether a name is a source ("as reported by Reuters") or compared with ("than in Spain")."""
    if first and text.words[first - 1].text == "than":
        return True
    if hits("source_documents", read_text(text.quote(first, end))):
        return True
    return bool(lexicon.phrases("citing").ending_at(text, first + 1))


def _slot_lost(text: Text, before: int, known: Known) -> bool:
    """Whether the request has the same preposition before a word that the query lacks: a name
    after it may say that word otherwise ("of rib jellyfish", "of Ctenophores")."""
    asked = known.asked[0]
    stop = lexicon.words("stopwords")
    for at, word in enumerate(asked.words[:-1]):
        if word.text != text.words[before].text:
            continue
        follower = next(
            (i for i in range(at + 1, len(asked)) if asked.words[i].text not in stop), 0
        )
        if follower and known.belongs_to_another(asked.words[follower].start, _NAMING):
            continue
        if follower and asked.roots[follower] not in text.roots:
            return True
    return False


def _owner_lost(text: Text, known: Known) -> bool:
    asked = known.asked[0]
    return any(
        w.possessive and r not in text.roots for w, r in zip(asked.words, asked.roots, strict=True)
    )


def _before(text: Text, at: int) -> int:
    """The word before a name and its article, or -1 where a sign stands between."""
    if at < 1 or text.words[at].gap:
        return -1
    place = at - 1
    if text.words[place].text in _ARTICLES:
        if place < 1 or text.words[place].gap:
            return -1
        place -= 1
    return place


def _is_new(text: Text, at: int, end: int, known: Known) -> bool:
    run = read_text(text.quote(at, end))
    words = [w for w in run.words if w.text not in _LINKS and not w.is_number]
    if any(w.is_number and w.text in known.stems for w in run.words):
        return False
    if any(w.text in lexicon.words("months") for w in words):
        return False
    # A word of the request beside the name, or further on in a longer name, may be its other half.
    around = [text.words[i] for i in (at - 1, end) if 0 <= i < len(text) and text.words[i].capital]
    held = any(known.says(w.stem) for w in (*words, *around) if w.text not in _LINKS)
    starts = {w.stem[:4] for w in words if len(w.stem) > 4}
    held = held or any(w.capital and w.stem[:4] in starts for one in known.asked for w in one.words)
    return not held and not is_known_place(run, known) and not known.is_abbreviated(run)
