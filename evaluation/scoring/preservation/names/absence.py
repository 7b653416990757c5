"""What is left where no word of a query names the referent: a trace of it, a bare word, nothing."""

from contracts.terms import ConstraintTerms
from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.finding import Finding, Reading, dropped, unsure
from evaluation.scoring.preservation.names.names import (
    is_kind,
    is_proper,
    own_places,
    own_roots,
    taken_places,
)  # fmt: skip
from evaluation.scoring.preservation.names.relatives import title_case
from evaluation.scoring.preservation.names.stand_ins import is_loose, may_abbreviate
from evaluation.scoring.preservation.text import Text, Word, near, read_text, root
from evaluation.scoring.preservation.wording import (
    content,
    known_vocabulary,
    novel_words,
    trimmed,
)  # fmt: skip

_PRONOUNS = {"it", "its", "they", "them", "their", "he", "him", "his", "she", "her", "this",
             "these", "those"}  # fmt: skip
_NO_NAMES = ("months", "stopwords", "openers")


def judge_absent(constraint: ConstraintTerms, reading: Reading, forms: list[str]) -> Finding:
    """Dropped, unless a concrete sign is left that something may stand for the name."""
    trace = _own_trace(reading, forms)
    if trace and _bare_title(constraint, reading, trace):
        return dropped("A bare noun stands where the referent should.")
    if trace:
        return unsure(trace, "Only a part of the name, or something like it, is there.")
    for text in reading.queries:
        found = _may_be_a_name(reading, text, forms)
        if found:
            return found
    if any(_other_script(form) for form in forms):
        return unsure("", "The name may be written in another script.")
    if _left_open(constraint, reading, forms):
        return dropped("A pronoun or a bare noun stands where the referent should.")
    told = _described(constraint, reading, forms)
    if told:
        return unsure(told, "A word of an earlier turn may describe the referent.")
    novel = [] if any(is_proper(form) for form in forms) else novel_words(reading)
    novel = [one for one in novel if not is_kind(read_text(one).words[0])]
    if novel and not _only_its_kind(reading, forms):
        return unsure(novel[0], "A word that the request lacks may be another name of it.")
    return dropped("Neither the name nor a part of it nor another name is there.")


def _bare_title(constraint: ConstraintTerms, reading: Reading, trace: str) -> bool:
    """Whether of a person of an earlier turn nothing but "the judge" is left in the queries."""
    if constraint.value.get("from_turn") is None or trace.casefold() not in lexicon.words("titles"):
        return False
    places = [(text, i) for text in reading.queries for i, w in enumerate(text.words)
              if w.text == trace.casefold()]  # fmt: skip
    capital = [w for text in reading.queries for w in text.words[1:] if w.capital]
    return (
        not reading.filters
        and not capital
        and bool(places)
        and all(i > 0 and text.words[i - 1].text in ("the", "this", "that") for text, i in places)
    )


def _may_be_a_name(reading: Reading, text: Text, forms: list[str]) -> Finding | None:
    """A capitalised word that the request lacks, which may be the referent's or another's."""
    for at, word in enumerate(text.words):
        known = text.roots[at] in reading.known_roots or is_kind(word)
        if not word.capital or known or any(word.text in lexicon.words(one) for one in _NO_NAMES):
            continue
        if len(word.raw) > 1 and word.raw.isupper() and may_abbreviate(word.text, forms):
            return unsure(text.quote(at, at + 1), "An abbreviation may stand for the name.")
        if is_loose(reading):
            continue
        if at and not title_case(text) and word.text not in known_vocabulary():
            return unsure(text.quote(at, at + 1), "A name that the request lacks is there.")
    return None


def _own_trace(reading: Reading, forms: list[str]) -> str:
    """A telling word of the name, or something like it; its kind alone is no trace."""
    proper = any(is_proper(form) for form in forms)
    own = {trimmed(form).words[i].stem for form in forms for i in own_places(form)}
    firsts = {trimmed(form).stems[i] for form in forms for i in own_places(form)[:1]}
    for text in (*reading.queries, *(item.text for item in reading.filters)):
        written = proper and any(word.capital for word in text.words[1:])
        taken = taken_places(reading, text, forms[0])
        for at, word in enumerate(text.words):
            if at in taken or word.stem not in own and word.text in lexicon.words("stopwords"):
                continue
            if written and not word.capital and word.stem not in firsts:
                continue  # "the mining firm" only describes "Finch Mining"
            # "retailer" is no trace of "Torvane Retail", but "Retailers" may be.
            if _is_like(word, own, loose=word.capital or not proper):
                return text.quote(at, at + 1)
    return ""


def _is_like(word: Word, own: set[str], *, loose: bool) -> bool:
    """Whether a word has the root of a telling word or is one slip away; if `loose`, also whether
    it begins alike."""
    return any(
        root(word.stem) == root(one)
        or near(word.stem, one)
        or (loose and len(one) > 4 and word.stem[:5] == one[:5])
        for one in own
    )


def _only_its_kind(reading: Reading, forms: list[str]) -> bool:
    """Whether the kind of the thing is there, bare ("the shark" of "great white sharks")."""
    kinds = {root for form in forms for root in trimmed(form).roots} - own_roots(forms)
    return any(root in kinds for text in reading.queries for root in text.roots)


def _other_script(form: str) -> bool:
    return any(ord(sign) > 0x24F for sign in form if sign.isalpha())


def _left_open(constraint: ConstraintTerms, reading: Reading, forms: list[str]) -> bool:
    """Whether the pronoun of the request, or "the" and the name's own kind, still stands there."""
    if constraint.value.get("from_turn") is None:
        return False
    kinds = {root for form in forms for root in trimmed(form).roots} - own_roots(forms)
    return any(
        word.text in _PRONOUNS
        or (
            word.text in ("the", "this", "that")
            and text.roots[at + 1 : at + 2]
            and text.roots[at + 1] in kinds
        )
        for text in reading.queries
        for at, word in enumerate(text.words)
    )


def _described(constraint: ConstraintTerms, reading: Reading, forms: list[str]) -> str:
    """A word that the queries bring in from an earlier turn, where it may describe the referent."""
    if constraint.value.get("from_turn") is None:
        return ""
    current = set(reading.asked.roots).union(*(trimmed(form).roots for form in forms))
    for text in reading.queries:
        for at in content(text):
            word = text.words[at]
            if text.roots[at] in current or text.roots[at] not in reading.known_roots:
                continue
            if not is_kind(word) and word.text not in known_vocabulary():
                return text.quote(at, at + 1)
    return ""
