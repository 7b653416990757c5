"""Referent: the entity that the request is about, by name, alias or admissible form."""

from collections.abc import Iterator

from contracts.terms import ConstraintTerms
from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.filters import FilterTerm
from evaluation.scoring.preservation.finding import (
    Finding,
    Reading,
    altered,
    filtered,
    matcher,
    stated,
    unsure,
)  # fmt: skip
from evaluation.scoring.preservation.names.absence import judge_absent
from evaluation.scoring.preservation.names.names import (
    CHANGED_FROM,
    find_variants,
    is_any_kind,
    is_kind,
    is_proper,
)  # fmt: skip
from evaluation.scoring.preservation.names.pointing import leaves_out, namesake, pointing
from evaluation.scoring.preservation.names.relatives import title_case
from evaluation.scoring.preservation.names.rivals import renamed, replaced_by
from evaluation.scoring.preservation.names.stand_ins import stand_in
from evaluation.scoring.preservation.text import Text, Word, near, read_text
from evaluation.scoring.preservation.times.time_filters import FIELD_WORDS as TIME_FIELDS
from evaluation.scoring.preservation.wording import (
    content,
    cues_before,
    denied,
    occurrences,
    traces,
    trimmed,
)  # fmt: skip

FIELD_WORDS = {"entity", "company", "organisation", "organization", "name", "issuer", "subject",
               "person", "product", "place", "topic", "title"}  # fmt: skip

# How letters are written where a keyboard lacks them.
_LETTERS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe",
                          "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "Å": "Aa", "Ø": "Oe"})  # fmt: skip
_STATUS_FIELDS = {"status", "state", "stage", "phase", "type", "version"}


@matcher("referent")
def match_referent(constraint: ConstraintTerms, reading: Reading) -> Finding:
    """A listed form states the referent, unless it is only a part of a longer name or a
    namesake's."""
    forms = forms_of(constraint)
    if not any(read_text(form).words for form in forms):
        return unsure("", "The contract gives the referent no name.")
    if constraint.value.get("unresolved"):
        return _left_undecided(reading, forms)
    carried = _from_filters(constraint, reading, forms)
    found = _named(constraint, reading, forms)
    if found is None:
        rival = replaced_by(constraint, reading, forms) or stand_in(reading, forms)
        if not rival:
            return carried or judge_absent(constraint, reading, forms)
        if _may_be_slip(rival, forms):
            return unsure(rival, "This is the name with a slip, or another name.")
        found = altered(rival, "Another thing stands in the place of the referent.")
    if carried and found.judgement == "stated" and carried.judgement == "altered":
        return unsure(found.quote, "A query names the referent, but a filter carries another one.")
    if carried and found.judgement == "altered" and carried.judgement == "filtered":
        return unsure(
            found.quote, "A filter carries the referent, but a query names another thing."
        )
    return found


def _may_be_slip(rival: str, forms: list[str]) -> bool:
    """Whether a form becomes the rival by two letters swapped ("Rial" for "Rail"). A changed
    letter makes another name ("Salt", "Silt"), but in six letters it may be a slip.
    """
    found = trimmed(rival)
    return any(
        len(form) == len(found)
        and all(
            a.stem == b.stem
            or near(a.stem, b.stem)
            and (sorted(a.stem) == sorted(b.stem) or _changed_inside(a.stem, b.stem))
            for a, b in zip(form.words, found.words, strict=True)
        )
        for form in map(trimmed, forms)
    )


def _changed_inside(one: str, other: str) -> bool:
    """Whether two words of six letters differ in one that is not their first."""
    return len(one) == len(other) == CHANGED_FROM and one[0] == other[0]


def _left_undecided(reading: Reading, forms: list[str]) -> Finding:
    """A referent that the contract leaves open, "A or B", is stated by asking after both."""
    readings = forms[0].split(" or ")
    places = [next(occurrences(reading.queries, (one,)), None) for one in readings]
    named = [place for place in places if place is not None]
    if len(named) == len(readings) > 1:
        text, first, end = named[0]
        return stated(text.quote(first, end), "All readings of the referent are named.")
    if named:
        text, first, end = named[0]
        return unsure(text.quote(first, end), "The rewrite settles what the contract leaves open.")
    return unsure("", "The contract leaves open which thing is meant.")


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
    spelt = [form.translate(_LETTERS) for form in forms]
    return [form for form in dict.fromkeys((*forms, *turned, *spelt)) if form.strip()]


def _named(constraint: ConstraintTerms, reading: Reading, forms: list[str]) -> Finding | None:
    """Stated where any place names the referent without a doubt; else the first doubt."""
    doubtful: Finding | None = None
    for form in sorted(forms, key=len, reverse=True):
        for text, first, end in occurrences(reading.queries, (form,)):
            doubt = _doubt(constraint, reading, forms, text, first, end)
            if doubt is None:
                return stated(text.quote(first, end), "The referent is named.")
            doubtful = doubtful or doubt
        for text in reading.queries:
            if quote := text.holds_letters(form) or "":
                return stated(quote, "The referent is named.")
    if doubtful is not None:
        return doubtful
    for text, first, end in find_variants(reading, forms):
        doubt = _doubt(constraint, reading, forms, text, first, end)
        if doubt is None:
            return stated(text.quote(first, end), "The referent is named in another notation.")
        doubtful = doubtful or doubt
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
    if _newly_denied(reading, forms, text, first, end):
        if left_out := leaves_out(text, first, end):
            return altered(left_out, "The rewrite leaves the referent out.")
        return unsure(quote, "The referent is named near a negation.")
    known = reading.known_roots.union(*(read_text(form).roots for form in forms))
    other = pointing(known, text, first, end)
    if other is not None and other.sure:
        return altered(other.quote, "The name only tells which other thing is meant.")
    if other is not None:
        return unsure(other.quote, "The name may only tell which other thing is meant.")
    longer = _longer_name(reading, forms, text, first, end)
    return longer or namesake(constraint, reading, text, first, end)


def _newly_denied(reading: Reading, forms: list[str], text: Text, first: int, end: int) -> bool:
    """Whether a negation stands near the name that the request does not have itself."""
    if not denied(text, first, end) or any(denied(*one) for one in _in_request(reading, forms)):
        return False
    cues = cues_before(text, first)
    asked = reading.asked.stems
    return not cues or any(
        text.stems[at] not in asked for cue in cues for at in range(cue.first, cue.end)
    )


def _in_request(reading: Reading, forms: list[str]) -> Iterator[tuple[Text, int, int]]:
    return occurrences((*reading.turns, reading.asked), forms)


def _longer_name(
    reading: Reading, forms: list[str], text: Text, first: int, end: int
) -> Finding | None:
    """A name may be the beginning or the end of a longer one: "Velden" in "Velden Trust"."""
    if not any(word.capital for word in text.words[first:end]) or title_case(text):
        return None
    for begin, stop, at in ((first - 1, end, first - 1), (first, end + 1, end)):
        if not _joined(text, at, first, end):
            continue
        word = text.words[at]
        if word.stem in {w.stem for form in forms for w in read_text(form).words}:
            continue
        if any(word.text in lexicon.words(name) for name in ("legal_forms", "months")):
            continue
        if at < first and word.text in lexicon.words("titles"):
            continue
        wider = read_text(text.quote(begin, stop))
        known = any(asked.find(wider) for asked in (reading.asked, *reading.turns))
        ordinary = any(w.stem == word.stem and not w.capital for w in _asked_words(reading))
        ordinary = ordinary or word.stem in reading.asked.stems
        listed = any(wider.stems == trimmed(form).stems for form in _contract_names(reading))
        if listed or (not known and not ordinary):
            proper = any(is_proper(form) for form in forms)
            if proper and at >= end and is_kind(word) and not is_any_kind(word):
                return altered(wider.raw, "The name of another thing begins with this one.")
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


def _asked_words(reading: Reading) -> Iterator[Word]:
    for text in (*reading.turns, reading.asked):
        yield from text.words


def _contract_names(reading: Reading) -> Iterator[str]:
    for constraint in reading.contract.constraints:
        if constraint.kind == "referent":
            yield str(constraint.value.get("name") or "")
            yield from map(str, constraint.value.get("aliases") or ())


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
        plain = term.operator == "=" and not term.optional
        if (
            plain
            and renamed(reading, forms, term.shown)
            and trimmed(term.shown).stems not in others
        ):
            return altered(term.shown, f"The filter on {term.field} carries another entity.")
        if named and len(term.text) and trimmed(term.shown).stems not in others:
            if others or term.operator != "=" or term.optional or traces(reading, _words(forms)):
                return unsure(term.shown, "A filter names an entity that the contract lacks.")
            return altered(term.shown, f"The filter on {term.field} carries another entity.")
    return next(
        filter(None, (_foreign_value(term, forms, reading) for term in reading.filters)), None
    )


def _foreign_value(term: FilterTerm, forms: list[str], reading: Reading) -> Finding | None:
    """What a filter on a field of its own kind ("country", "drug") does with another name."""
    fields = {word.text for word in term.name.words}
    other_use = any(fields & lexicon.words(n) for n in ("search_fields", "source_fields"))
    if other_use or fields & (TIME_FIELDS | _STATUS_FIELDS) or not len(term.text):
        return None
    if term.operator != "=" or term.optional or not isinstance(term.value, str):
        return None
    ours, theirs = {_place_code(form) for form in forms} - {""}, _place_code(term.shown)
    if theirs:
        another = ours and theirs not in ours
        return (
            altered(term.shown, f"The filter on {term.field} has another place.")
            if another
            else None
        )
    capital = all(word.capital for word in term.text.words)
    new = not set(term.text.roots) & reading.granted_roots
    if capital and new and not ours:
        return unsure(term.shown, f"The filter on {term.field} may name this or another thing.")
    return None


def _place_code(form: str) -> str:
    """The code of a form that is a place of the list and nothing else, or ""."""
    text = trimmed(form)
    found = lexicon.phrases("places").starting_at(text, 0)
    return found.meaning if found and found.end == len(text) else ""


def _words(forms: list[str]) -> list[str]:
    return [
        text.words[at].stem for form in forms for text in (read_text(form),) for at in content(text)
    ]
