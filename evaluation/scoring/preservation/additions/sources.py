"""Kinds of source that the request does not ask for: "according to the press"."""

from collections.abc import Iterator

from evaluation.records import Addition
from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.additions.known import Known
from evaluation.scoring.preservation.additions.listed import hits
from evaluation.scoring.preservation.finding import Reading
from evaluation.scoring.preservation.sources import asked_to_say, source_families
from evaluation.scoring.preservation.text import Text

WHY = "The request asks for no such source."
# How many words may describe a source before its noun ("in the yearly audited accounts").
_REACH = 4


def in_queries(reading: Reading, known: Known) -> Iterator[Addition]:
    cited = "evidence" not in known.kept and any(
        hit.meaning == "plain" for asked in known.asked for hit in hits("citing", asked)
    )
    wanted = cited or _lost_document(reading, known)
    for text in reading.queries:
        for hit in hits("citing", text):
            end = _cited(text, hit, known)
            if end and not wanted:
                yield Addition("evidence", text.quote(hit.first, end), WHY)
        if not wanted:
            yield from _documents(text, known)
            yield from _sayings(text, known)


def _sayings(text: Text, known: Known) -> Iterator[Addition]:
    """ "what travel guides say on …", where the request asks for nobody's word."""
    at = asked_to_say(text)
    if at is None or any(asked_to_say(asked) for asked in known.asked):
        return
    noun = text.words[at[1] - 1]
    listed = source_families(noun.text) or noun.stem in lexicon.table("authorities")
    if listed and not any(known.says(word.stem) for word in text.words[slice(*at)]):
        yield Addition("evidence", text.quote(*at), WHY)


def _lost_document(reading: Reading, known: Known) -> bool:
    """Whether the request names a kind of source that no query does: a new one may stand in its
    place."""
    said = {root for text in reading.queries for root in text.roots}
    return "evidence" not in known.kept and any(
        text.roots[hit.end - 1] not in said
        for text in known.asked
        for hit in hits("source_documents", text)
    )


def _cited(text: Text, hit: lexicon.Found, known: Known) -> int:
    """Where a cited source ends that has no word of the request, or 0. Looser words of citing
    ("based on", "per") need a noun that is a kind of source."""
    stop = lexicon.words("stopwords")
    end, seen = hit.end, 0
    document = False
    while end < min(hit.end + _REACH + 1, len(text)):
        word = text.words[end]
        if any(sign in word.gap for sign in ",;.:?!()"):
            break
        listed = lexicon.phrases("source_documents").starting_at(text, end)
        if listed:
            return 0 if _said(text, listed, known) else listed.end
        plain = word.text.isalpha() and word.text not in stop
        if plain and known.says(word.stem):
            return 0
        if not plain and seen:
            break
        seen += plain
        document |= plain and (word.capital or hit.meaning == "plain")
        end += 1
    return end if seen and document and hit.meaning == "plain" else 0


def _documents(text: Text, known: Known) -> Iterator[Addition]:
    """ "in audited accounts", "from the coastguard survey", ", weather report"."""
    for hit in hits("source_documents", text):
        if hit.first == 0 or _said(text, hit, known) or _followed(text, hit.end):
            continue
        first = hit.first
        while first > max(0, hit.first - _REACH) and _describes(text, first):
            first -= 1
        before = text.words[first - 1].text if first else ""
        opened = first > 1 and before in lexicon.words("document_openers")
        if opened and not text.words[first].gap:
            yield Addition("evidence", text.quote(first - 1, hit.end), WHY)
        elif first > 0 and "," in text.words[first].gap and hit.end == len(text):
            yield Addition("evidence", text.quote(first, hit.end), WHY)


def _describes(text: Text, first: int) -> bool:
    """Whether the word before `first` belongs to the name of the source."""
    word = text.words[first - 1]
    if text.words[first].gap not in ("", "-"):
        return False
    return word.text in ("the", "a", "an", "s") or (
        word.text.isalpha() and word.text not in lexicon.words("stopwords")
        and word.text not in lexicon.words("document_openers")
    )  # fmt: skip


def _followed(text: Text, end: int) -> bool:
    """Whether words go on after the noun, so that it is about the source ("the report author",
    "the register of births")."""
    if end >= len(text) or text.words[end].gap not in ("", "-"):
        return False
    return text.words[end].text not in lexicon.words("after_documents")


def _said(text: Text, hit: lexicon.Found, known: Known) -> bool:
    return any(known.says_plainly(text.words[i].stem) for i in range(hit.first, hit.end))
