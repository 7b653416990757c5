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
from evaluation.scoring.preservation.text import Text, Word, near, read_text
from evaluation.scoring.preservation.wording import (
    content,
    content_roots,
    denied,
    novel_words,
    occurrences,
    runs,
    traces,
)  # fmt: skip

FIELD_WORDS = {
    "source",
    "sources",
    "doc",
    "document",
    "collection",
    "evidence",
    "publication",
    "medium",
}


_ARTICLES = ("the", "a", "an", "its", "their", "his", "her", "our", "this", "that", "any", "some")
_TIME_PREPOSITIONS = ("before", "after", "since", "until", "during", "without", "about", "against",
                      "despite", "behind", "beyond", "not", "no")  # fmt: skip
# Fields that name a kind of source, and those that say who wrote it or what it is about.
_SOURCE_FIELDS = FIELD_WORDS | {"type", "kind", "genre", "category", "format", "class"}
_ROLES = {"author", "authors", "writer", "editor", "creator", "created", "publisher", "owner", "by",
          "topic", "subject", "about", "mentions", "title", "recipient"}  # fmt: skip


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
        if denied(text, first, end):
            return unsure(quote, "The source is named near a negation.")
        if asking is None:
            return unsure(quote, "The source's words are there, but perhaps not as the source.")
        if carried and carried.judgement == "altered":
            return unsure(quote, "A query names the source, but a filter carries another one.")
        return stated(quote, "The kind of source is named.")
    foreign = _foreign(reading)
    if carried:
        return (
            unsure(foreign, "A filter and a query name different sources.") if foreign else carried
        )
    words = [word.stem for form in forms for word in _meaning(form)]
    # A word that the request also uses for something else is no trace of the source.
    own = [word for word in words if not _asked_elsewhere(constraint, reading, word)]
    trace = traces(reading, own or words)
    if foreign:
        if trace or _is_foreign(source):
            return unsure(
                foreign, "Another kind of source is named beside words of the one asked for."
            )
        return altered(foreign, "Another kind of source stands in its place.")
    if trace:
        return unsure(trace, "Some words of the source are there.")
    return _absent(reading)


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
    return found


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
    article = place < first and any(w.text in _ARTICLES for w in text.words[place:first])
    if lexicon.phrases("source_openers").ending_at(text, place):
        return True
    if _goes_on(reading, text, end):
        return False
    if place == 0 or text.words[place].gap not in ("", "-"):
        return True
    before = text.words[place - 1]
    if before.text in lexicon.words("stopwords") or before.text in _TIME_PREPOSITIONS:
        # The request's own wording of the source is no doubt.
        own = read_text(reading.span_text(constraint))
        return bool(own.find(read_text(text.quote(place - 1, end))))
    if before.is_number:
        return not article
    return not article and text.roots[place - 1] in reading.granted_roots


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


def _is_foreign(source: str) -> bool:
    return any(
        hit.meaning == "informal" for hit in lexicon.phrases("sources").all_in(read_text(source))
    )


def _foreign(reading: Reading) -> str:
    """The words of an informal source that the request does not name, or ""."""
    for text in reading.queries:
        for hit in lexicon.phrases("sources").all_in(text):
            if hit.meaning == "informal" and text.roots[hit.first] not in reading.known_roots:
                return text.quote(hit.first, hit.end)
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
                and "source" in words
            ):
                return altered(term.shown, f"The filter on {term.field} carries another source.")
            return unsure(term.shown, "A filter on the source has a value that the contract lacks.")
    return None


def _absent(reading: Reading) -> Finding:
    for text in reading.queries:
        cue = next(lexicon.phrases("source_cues").all_in(text), None)
        if cue:
            return unsure(
                text.quote(cue.first, cue.end), "A source is cited that is not the one asked for."
            )
        for hit in lexicon.phrases("sources").all_in(text):
            if text.roots[hit.first] not in reading.known_roots:
                return unsure(
                    text.quote(hit.first, hit.end),
                    "A word for a source is there that the request lacks.",
                )
    novel = novel_words(reading)
    if any(word.endswith(("ry", "ies", "ness", "mony", "graph", "graphs")) for word in novel):
        return unsure(novel[0], "A word that the request lacks may name the source.")
    return dropped("No query and no filter names a source.")
