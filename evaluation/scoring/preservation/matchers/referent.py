"""Referent: the entity that the request is about, by name, alias or admissible form."""

import re
from collections.abc import Iterator

from contracts.terms import ConstraintTerms
from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.finding import (
    Finding,
    Reading,
    altered,
    dropped,
    filtered,
    matcher,
    stated,
    unsure,
)  # fmt: skip
from evaluation.scoring.preservation.rivals import replaced_by
from evaluation.scoring.preservation.text import Text, Word, read_text
from evaluation.scoring.preservation.wording import (
    content,
    denied,
    occurrences,
    traces,
    trimmed,
)  # fmt: skip

FIELD_WORDS = {"entity", "company", "organisation", "organization", "name", "issuer", "subject",
               "person", "product", "place", "topic", "title"}  # fmt: skip
_NO_NAMES = ("months", "stopwords", "openers")
_IN_BRACKETS = re.compile(r"\s*\(([^)]*)\)\s*$")


@matcher("referent")
def match_referent(constraint: ConstraintTerms, reading: Reading) -> Finding:
    """A listed form states the referent, unless it is only a part of a longer name or a
    namesake's."""
    forms = forms_of(constraint)
    if not any(read_text(form).words for form in forms):
        return unsure("", "The contract gives the referent no name.")
    carried = _from_filters(constraint, reading, forms)
    found = _named(constraint, reading, forms)
    if found is not None:
        if found.judgement == "stated" and carried and carried.judgement == "altered":
            return unsure(
                found.quote, "A query names the referent, but a filter carries another one."
            )
        return found
    rival = replaced_by(constraint, reading, forms)
    if rival:
        if carried and carried.judgement == "filtered":
            return unsure(rival, "A filter carries the referent, but a query names another thing.")
        return altered(rival, "Another thing stands in the place of the referent.")
    return carried or _absent(constraint, reading, forms)


def forms_of(constraint: ConstraintTerms) -> list[str]:
    """The name, its aliases, the admissible forms, and "Y's X" beside a plain "X of Y"."""
    value = constraint.value
    forms = [str(value.get("name") or ""), *map(str, value.get("aliases") or ())]
    forms += constraint.admissible
    turned = []
    for form in forms:
        head, sign, tail = form.partition(" of ")
        # "Bank of England" is a name as it stands; "owner of Velden Trust" may be turned.
        if sign and not any(word.capital for word in trimmed(head).words):
            turned.append(f"{trimmed(tail).raw} {trimmed(head).raw}")
    return [form for form in dict.fromkeys((*forms, *turned)) if form.strip()]


def _named(constraint: ConstraintTerms, reading: Reading, forms: list[str]) -> Finding | None:
    doubtful: Finding | None = None
    for form in sorted(forms, key=len, reverse=True):
        for text, first, end in occurrences(reading.queries, (form,)):
            quote = text.quote(first, end)
            doubt = _doubt(constraint, reading, forms, text, first, end)
            if doubt is None:
                return stated(quote, "The referent is named.")
            if doubtful is None:
                doubtful = doubt
        for text in reading.queries:
            if quote := text.holds_letters(form) or "":
                return stated(quote, "The referent is named.")
    return doubtful


def _doubt(
    constraint: ConstraintTerms,
    reading: Reading,
    forms: list[str],
    text: Text,
    first: int,
    end: int,
) -> Finding | None:
    """Why a found name may not be this referent's, or None."""
    quote = text.quote(first, end)
    if denied(text, first, end) and not any(denied(*one) for one in _in_request(reading, forms)):
        return unsure(quote, "The referent is named near a negation.")
    other = _related(reading, forms, text, first, end)
    if other:
        return unsure(other, "The name only tells which other thing is meant.")
    longer = _longer_name(reading, forms, text, first, end)
    if longer:
        return longer
    return _namesake(constraint, reading, text, first, end)


def _related(reading: Reading, forms: list[str], text: Text, first: int, end: int) -> str:
    """The words by which a name only points to another thing, or "": "X's owner", "a former X
    subsidiary", "companies like X", "X-owned"."""
    known = set(reading.known_roots)
    known.update(root for form in forms for root in read_text(form).roots)
    relations = lexicon.words("relations")

    def is_relation(at: int) -> bool:
        return text.words[at].stem in relations and text.roots[at] not in known

    for at in range(end, min(end + 4, len(text))):
        word = text.words[at]
        if word.gap not in ("", "-", "'", "’"):
            break
        if at > end and word.text in lexicon.words("stopwords"):
            break
        # "X's director's wife" is two steps away.
        if is_relation(at) or (text.words[end - 1].possessive and word.possessive):
            return text.quote(first, at + 1)
    if end < len(text) and text.words[end].gap in ("-", "–"):
        if text.words[end].adjacent is False and not text.words[end].is_number:
            glued = text.raw[text.words[end - 1].end : text.words[end].start]
            if not glued.isspace() and " " not in glued and text.roots[end] not in known:
                return text.quote(first, end + 1)
    like = lexicon.phrases("likeness").ending_at(text, first)
    like = like or lexicon.phrases("likeness").ending_at(text, _before_article(text, first))
    if like and not known >= {text.roots[i] for i in range(like.first, like.end)}:
        return text.quote(like.first, end)
    place = _before_article(text, first)
    if place and text.words[first].gap == "" and is_relation(place - 1):
        return text.quote(place - 1, end)
    if place >= 2 and text.words[place - 1].text in ("of", "to", "with", "for", "by", "against"):
        for at in range(place - 2, max(-1, place - 4), -1):
            if text.words[at + 1].gap not in ("", "-"):
                break
            if is_relation(at):
                return text.quote(at, end)
    return ""


def _before_article(text: Text, first: int) -> int:
    return first - 1 if first and text.words[first - 1].text in ("the", "a", "an") else first


def _in_request(reading: Reading, forms: list[str]) -> Iterator[tuple[Text, int, int]]:
    return occurrences((*reading.turns, reading.asked), forms)


def _longer_name(
    reading: Reading, forms: list[str], text: Text, first: int, end: int
) -> Finding | None:
    """A name may be the beginning or the end of a longer one: "Velden" in "Velden Trust"."""
    if not any(word.capital for word in text.words[first:end]) or _title_case(text):
        return None
    for begin, stop, at in ((first - 1, end, first - 1), (first, end + 1, end)):
        if not _joined(text, at, first, end):
            continue
        word = text.words[at]
        if word.stem in {w.stem for form in forms for w in read_text(form).words}:
            continue
        if word.text in lexicon.words("legal_forms") or word.text in lexicon.words("months"):
            continue
        wider = read_text(text.quote(begin, stop))
        known = any(asked.find(wider) for asked in (reading.asked, *reading.turns))
        ordinary = any(w.stem == word.stem and not w.capital for w in _asked_words(reading))
        listed = any(wider.stems == trimmed(form).stems for form in _contract_names(reading))
        if listed or (not known and not ordinary):
            return unsure(wider.raw, "The name is part of a longer name here.")
    return None


def _joined(text: Text, at: int, first: int, end: int) -> bool:
    """Whether the neighbour at `at` is a capitalised word joined to the name by a blank or
    hyphen."""
    if not 0 <= at < len(text):
        return False
    word = text.words[at]
    if at < first:
        opening = (at == 0 or text.words[at].gap in (".", "?", "!")) and (
            word.text in lexicon.words("openers") or word.text in lexicon.words("stopwords")
        )
        glue = text.words[first].gap
        return word.capital and not opening and not word.possessive and glue in ("", "-")
    last = text.words[end - 1]
    return word.capital and not last.possessive and word.gap in ("", "-") and len(word.raw) > 1


def _title_case(text: Text) -> bool:
    plain = [w for w in text.words if w.raw.isalpha() and w.text not in lexicon.words("stopwords")]
    return bool(plain) and all(word.capital for word in plain)


def _asked_words(reading: Reading) -> Iterator[Word]:
    for text in (*reading.turns, reading.asked):
        yield from text.words


def _contract_names(reading: Reading) -> Iterator[str]:
    for constraint in reading.contract.constraints:
        if constraint.kind == "referent":
            yield str(constraint.value.get("name") or "")
            yield from map(str, constraint.value.get("aliases") or ())


def _namesake(
    constraint: ConstraintTerms, reading: Reading, text: Text, first: int, end: int
) -> Finding | None:
    """A name told apart by brackets ("Ann Roe (chemist)") needs some of those words."""
    brackets = _IN_BRACKETS.search(str(constraint.value.get("name") or ""))
    if not brackets:
        return None
    telling = {read_text(brackets[1]).roots[i] for i in content(read_text(brackets[1]))}
    if telling & set(text.roots):
        return None
    return unsure(text.quote(first, end), "The name is there without what tells it from namesakes.")


def _from_filters(
    constraint: ConstraintTerms, reading: Reading, forms: list[str]
) -> Finding | None:
    wanted = {trimmed(form).stems for form in forms}
    for term in reading.filters:
        if trimmed(term.shown).stems in wanted and len(term.text):
            if term.optional or term.operator not in ("=", "!="):
                return unsure(term.shown, "The filter admits the referent among others.")
            if term.operator == "!=":
                return altered(term.shown, f"The filter on {term.field} leaves the referent out.")
            return filtered(term.shown, f"The filter on {term.field} carries the referent.")
    others = {
        trimmed(form).stems for other in reading.others(constraint) for form in forms_of(other)
    }
    for term in reading.filters:
        named = {word.text for word in term.name.words} & FIELD_WORDS
        if named and len(term.text) and trimmed(term.shown).stems not in others:
            if others or term.operator != "=" or term.optional or traces(reading, _words(forms)):
                return unsure(term.shown, "A filter names an entity that the contract lacks.")
            return altered(term.shown, f"The filter on {term.field} carries another entity.")
    return None


def _words(forms: list[str]) -> list[str]:
    return [
        text.words[at].stem for form in forms for text in (read_text(form),) for at in content(text)
    ]


def _absent(constraint: ConstraintTerms, reading: Reading, forms: list[str]) -> Finding:
    trace = traces(reading, _words(forms))
    if trace:
        return unsure(trace, "Only a part of the name, or something like it, is there.")
    initials = {"".join(w[0] for w in read_text(f).stems if w).casefold() for f in forms}
    for text in reading.queries:
        for at, word in enumerate(text.words):
            if len(word.raw) > 1 and word.raw.isupper() and word.text in initials:
                return unsure(text.quote(at, at + 1), "An abbreviation may stand for the name.")
            ordinary = any(word.text in lexicon.words(name) for name in _NO_NAMES)
            known = ordinary or text.roots[at] in reading.known_roots
            if word.capital and not known:
                return unsure(text.quote(at, at + 1), "A name that the request lacks is there.")
    if any(_other_script(form) for form in forms) or _described(constraint, reading):
        return unsure("", "The name may be written in another script or described.")
    return dropped("Neither the name nor a part of it nor another name is there.")


def _other_script(form: str) -> bool:
    return any(ord(sign) > 0x24F for sign in form if sign.isalpha())


def _described(constraint: ConstraintTerms, reading: Reading) -> bool:
    """Whether the queries bring in a word of an earlier turn, which may describe the referent."""
    if constraint.value.get("from_turn") is None:
        return False
    current = set(reading.asked.roots)
    return any(
        text.roots[at] not in current and text.roots[at] in reading.known_roots
        for text in reading.queries
        for at in content(text)
    )
