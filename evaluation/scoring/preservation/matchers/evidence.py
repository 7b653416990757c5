"""Evidence: the kind of source asked for ("according to the annual report")."""

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
from evaluation.scoring.preservation.quantities.units import unit_at
from evaluation.scoring.preservation.source_forms import filled_runs, other_form, twin_forms
from evaluation.scoring.preservation.sources import (
    SEARCHING,
    OtherSource,
    alike,
    asked_instead,
    named_after_opener,
    other_authority,
    other_qualifier,
    other_source,
    source_families,
    spelt_otherwise,
)  # fmt: skip
from evaluation.scoring.preservation.text import Text, Word, near, read_text
from evaluation.scoring.preservation.wording import (
    content,
    content_roots,
    denies,
    novel_words,
    occurrences,
    runs,
    traces,
)  # fmt: skip

FIELD_WORDS = {"source", "sources", "doc", "document", "collection", "evidence", "publication",
               "medium"}  # fmt: skip

# Verbs of citing that are no trace of a report, a record or a statement.
_CITED = ("reported", "recorded", "stated", "told")
_ARTICLES = ("the", "a", "an", "its", "their", "his", "her", "our", "this", "that", "any", "some")
_TIME_PREPOSITIONS = ("before", "after", "since", "until", "during", "without", "about", "against",
                      "despite", "behind", "beyond", "not", "no")  # fmt: skip
# Fields that name a kind of source, and those that say who wrote it or what it is about.
_SOURCE_FIELDS = FIELD_WORDS | {"type", "kind", "genre", "category", "format", "class"}
_ROLES = {"author", "authors", "writer", "editor", "creator", "created", "publisher", "owner", "by",
          "topic", "subject", "about", "mentions", "title", "recipient"}  # fmt: skip
_SOURCE_ENDINGS = ("mony", "graph", "graphs", "script", "scripts", "gram", "grams", "pedia")


@matcher("evidence")
def match_evidence(constraint: ConstraintTerms, reading: Reading) -> Finding:
    """Look for the source's words; a source of a plainly different class is altered."""
    source = str(constraint.value.get("source") or "")
    forms = (source, *constraint.admissible)
    if not content(read_text(source)):
        return unsure("", "The contract names no kind of source.")
    carried = _from_filters(constraint, reading, forms)
    places = _named(reading, forms)
    asking = next((one for one in places if _asks_for(constraint, reading, *one)), None)
    if places:
        text, first, end = asking or places[0]
        quote = text.quote(first, end)
        if denies(reading, text, first, end):
            return unsure(quote, "The source is named near a negation.")
        if asking is None:
            return unsure(quote, "The source's words are there, but perhaps not as the source.")
        if carried and carried.judgement == "altered":
            return unsure(quote, "A query names the source, but a filter carries another one.")
        return stated(quote, "The kind of source is named.")
    foreign = _foreign(reading)
    other = other_source(reading, forms)
    if carried:
        named = foreign or (other.quote if other and other.asked_for else "")
        return unsure(named, "A filter and a query name different sources.") if named else carried
    words = [word.stem for form in forms for word in _meaning(form)]
    # Without its noun ("log" of "fire log") no source is named, whatever else is there.
    words = _nouns(forms) or words
    # A word that the request also uses for something else is no trace of the source.
    own = [word for word in words if not _asked_elsewhere(constraint, reading, word)]
    trace = traces(reading, own or words)
    if foreign:
        # "newspaper report" has no word of "annual report" but its own noun.
        beside = trace and trace.casefold() not in foreign.casefold().split()
        if beside or _is_foreign(source):
            return unsure(
                foreign, "Another kind of source is named beside words of the one asked for."
            )
        return altered(foreign, "Another kind of source stands in its place.")
    if code := other_form(forms, reading.queries):
        return altered(code, "Another form stands in the place of the one asked for.")
    if other:
        return _other(source, forms, other, reading)
    if trace and not (trace.casefold() in _CITED and _somebody(forms, reading)):
        return unsure(trace, "Some words of the source are there.")
    return _absent(forms, reading)


def _somebody(forms: tuple[str, ...], reading: Reading) -> str:
    """The words that cite somebody who is not the source, or ""."""
    found = (other_authority(forms, text) for text in reading.queries)
    return next((words for words in found if words), "")


def _other(source: str, forms: tuple[str, ...], other: OtherSource, reading: Reading) -> Finding:
    """A word for a source that the request lacks: another source, or another word for ours?"""
    own = {word.stem for form in forms for word in _meaning(form)}
    shared = own & set(other.stems)
    families = frozenset(name for form in forms for name in source_families(form))
    head = other.stems[-1]
    plain = [word for word in own - shared if traces(reading, [word])]
    unlike = bool(families) and not alike(families, other.families)
    # "excavation photographs" for "excavation diary": the noun decides, if ours is nowhere.
    unlike = unlike and not traces(reading, _nouns(forms))
    if not other.asked_for and unlike:
        # A source or a topic: the one asked for is lost in either reading.
        if head in lexicon.words("topical_sources"):
            return dropped("Nothing is cited; what is named is a topic.")
        return altered(other.quote, "Another kind of source is named, and not the one asked for.")
    if unlike and shared:
        return altered(other.quote, "A source of another kind stands in its place.")
    if not other.asked_for:
        doubt = "A word for a source is there that the request lacks, perhaps as a topic."
    elif plain or shared - {head}:
        doubt = "Another source is named beside words of the one asked for."
    elif head in own and other_qualifier(forms, other):
        return altered(other.quote, "A source of another kind stands in its place.")
    elif head in own or not families:
        doubt = f"Whether this is the {source} is not said."
    elif other_qualifier(forms, other):
        return altered(other.quote, "Another source stands in the place of the one asked for.")
    elif alike(families, other.families):
        doubt = "A source of a like kind is named; it may be the one asked for."
    else:
        return altered(other.quote, "Another source stands in the place of the one asked for.")
    return unsure(other.quote, doubt)


def _named(reading: Reading, forms: tuple[str, ...]) -> list[tuple[Text, int, int]]:
    found = list(occurrences(reading.queries, forms))
    for form in forms:
        if len(content(read_text(form))) > 1:
            size = len(read_text(form))
            found += [
                (text, at, min(at + size, len(text)))
                for text in reading.queries
                for at in runs(text, form)
            ]
            found += [(text, *at) for text in reading.queries for at in filled_runs(text, form)]
    found = found or [
        (text, first, end)
        for form in forms
        for text in reading.queries
        for first, end in spelt_otherwise(reading, text, form)
    ]
    twins = [twin for form in forms for twin in twin_forms(form)]
    return found or list(occurrences(reading.queries, twins))


def _asks_for(
    constraint: ConstraintTerms, reading: Reading, text: Text, first: int, end: int
) -> bool:
    """Whether a source's words ask for that source: after "per", "from" or "according to", in
    apposition, or before a verb of saying; "who wrote the report" and "before the report" do
    not."""
    if end < len(text) and text.words[end].text in lexicon.words("saying"):
        return True
    place = first
    while place and _describes(constraint, reading, text, place):
        place -= 1
    if place and text.words[place - 1].text == "form" and text.words[first].is_number:
        place -= 1  # "Form 10-K"
        while place and _describes(constraint, reading, text, place):
            place -= 1
    article = place < first and any(w.text in _ARTICLES for w in text.words[place:first])
    if lexicon.phrases("source_openers").ending_at(text, place):
        return True
    if end < len(text) and text.words[end].text in lexicon.words("source_results"):
        return True
    if place and text.words[place - 1].text in _opening_kinds(constraint):
        return True
    if _goes_on(reading, text, end) and not _alike_source(constraint, text, end):
        return False
    if place == 0 or text.words[place].gap not in ("", "-"):
        return True
    if _after_comma(text, place) or end == len(text) and _is_noun(text.words[place - 1].stem):
        return True
    before = text.words[place - 1]
    if before.text in SEARCHING:
        return True
    if before.text == "s" and text.words[place - 2].is_number:
        return not article  # "1950s land survey"
    if before.text in lexicon.words("stopwords") or before.text in _TIME_PREPOSITIONS:
        # The request's own wording of the source is no doubt.
        own = read_text(reading.span_text(constraint))
        return bool(own.words) and own.words[0].text == before.text
    if before.is_number or place > 1 and _is_measure(text, place):
        return not article
    return not article and text.roots[place - 1] in reading.granted_roots


def _alike_source(constraint: ConstraintTerms, text: Text, at: int) -> bool:
    """Whether the word at a place is another noun for a like source ("statements, testimony")."""
    own = source_families(str(constraint.value.get("source")))
    return bool(own & source_families(text.words[at].text))


def _is_measure(text: Text, end: int) -> bool:
    """Whether a number with its unit ends at a place ("120 cm")."""
    found = unit_at(text, end - 1)
    return found is not None and found[0] == end and text.words[end - 2].is_number


def _opening_kinds(constraint: ConstraintTerms) -> tuple[str, ...]:
    """The words that ask for a source of this kind only: "under the statute", "on the website"."""
    kinds = source_families(str(constraint.value.get("source")))
    return ("under",) * bool(kinds & {"law", "permit"}) + ("on",) * ("web" in kinds)


def _is_noun(word: str) -> bool:
    """Whether a word's ending makes it a noun, so that it has no verb's hold on what follows."""
    return word.endswith(
        ("tion", "ment", "ness", "ity", "ance", "ence", "ival", "ship", "age", "ency", "ancy")
    )


def _after_comma(text: Text, place: int) -> bool:
    """Whether one or two qualifying words lead back to a comma: ", old parish register"."""
    for at in range(place - 1, max(-1, place - 3), -1):
        word = text.words[at]
        if word.text in lexicon.words("stopwords") or word.text in _TIME_PREPOSITIONS:
            return False
        if word.gap in (",", ";", ":"):
            return not word.text.endswith(("ed", "ing"))
        if word.gap not in ("", "-"):
            return False
    return False


def _goes_on(reading: Reading, text: Text, end: int) -> bool:
    """Whether a noun that the request lacks follows the source's words ("audit report author")."""
    if end >= len(text) or text.words[end].gap not in ("", "-"):
        return False
    word = text.words[end]
    if word.text == "by":
        return True
    if word.text in ("about", "on") or lexicon.phrases("time_before").starting_at(text, end):
        return False
    known = reading.granted_roots
    plain = word.text in lexicon.words("stopwords") or not word.text.isalpha()
    return (
        not plain
        and text.roots[end] not in known
        and not any(near(text.roots[end], one) for one in known)
    )


def _describes(constraint: ConstraintTerms, reading: Reading, text: Text, place: int) -> bool:
    """Whether the word before `place` is an article or a word of the source's own span."""
    if text.words[place].gap not in ("", "-"):
        return False
    word = text.words[place - 1]
    if word.text in _ARTICLES or word.possessive:
        return True
    own = read_text(reading.span_text(constraint))
    return (
        word.stem in own.stems
        and word.text not in lexicon.words("stopwords")
        and not (lexicon.phrases("source_openers").ending_at(text, place))
    )


def _meaning(form: str) -> list[Word]:
    text = read_text(form)
    return [text.words[at] for at in content(text)]


def _nouns(forms: tuple[str, ...]) -> list[str]:
    """The stems of the nouns that make the forms sources; empty where a form has none."""
    found = [[word.stem for word in _meaning(form) if source_families(word.text)] for form in forms]
    return [stem for stems in found for stem in stems] if all(found) else []


def _is_foreign(source: str) -> bool:
    return any(
        hit.meaning == "informal" for hit in lexicon.phrases("sources").all_in(read_text(source))
    )


def _foreign(reading: Reading) -> str:
    """The words of an informal source that the request does not name, or ""."""
    for text in reading.queries:
        for hit in lexicon.phrases("sources").all_in(text):
            if hit.meaning == "informal" and text.roots[hit.first] not in reading.known_roots:
                noun = hit.end < len(text) and source_families(text.words[hit.end].text)
                return text.quote(hit.first, hit.end + bool(noun))
    return ""


def _asked_elsewhere(constraint: ConstraintTerms, reading: Reading, word: str) -> bool:
    """Whether the request has a word outside the words that this constraint marks."""
    span, text = constraint.span, reading.asked
    if span is None or span.turn != len(reading.turns):
        return False
    return any(
        found.stem == word and not (span.start <= found.start and found.end <= span.end)
        for found in text.words
    )


def _from_filters(
    constraint: ConstraintTerms, reading: Reading, forms: tuple[str, ...]
) -> Finding | None:
    wanted = {tuple(content_roots(read_text(form))) for form in forms}
    alone = next(reading.others(constraint), None) is None
    for term in reading.filters:
        same = tuple(content_roots(term.text)) in wanted
        field = {word.text for word in term.name.words}
        if same and (field & _ROLES or not field & _SOURCE_FIELDS):
            return unsure(term.shown, f"The filter on {term.field} may be about another role.")
        if same and not term.optional and term.operator == "=":
            return filtered(term.shown, f"The filter on {term.field} carries the source.")
        if same and term.operator == "!=":
            return altered(term.shown, f"The filter on {term.field} leaves the source out.")
        if same:
            return unsure(term.shown, "The filter admits the source among others.")
    for term in reading.filters:
        words = {word.text for word in term.name.words}
        if words & FIELD_WORDS and len(term.text) and not term.number:
            shared = {r for form in wanted for r in form} & set(term.text.roots)
            if (
                alone
                and not shared
                and term.operator == "="
                and not term.optional
                and ("source" in words or _plainly_other(forms, term.shown))
            ):
                return altered(term.shown, f"The filter on {term.field} carries another source.")
            return unsure(term.shown, "A filter on the source has a value that the contract lacks.")
    return None


def _plainly_other(forms: tuple[str, ...], value: str) -> bool:
    theirs, ours = source_families(value), [source_families(form) for form in forms]
    return bool(theirs) and all(own and not alike(own, theirs) for own in ours)


def _absent(forms: tuple[str, ...], reading: Reading) -> Finding:
    if someone := _somebody(forms, reading) or asked_instead(reading, forms):
        return altered(someone, "Somebody else is cited in the place of the source.")
    for text in reading.queries:
        cue = next(lexicon.phrases("source_cues").all_in(text), None)
        if cue:
            return unsure(
                text.quote(cue.first, cue.end), "A source is cited that is not the one asked for."
            )
        if named := named_after_opener(reading, text):
            return unsure(named, "Something is cited that may be another name of the source.")
    novel = [word for word in novel_words(reading) if word.endswith(_SOURCE_ENDINGS)]
    if novel:
        return unsure(novel[0], "A word that the request lacks may name the source.")
    return dropped("No query and no filter names a source.")
