"""Statuses that the request does not ask for: "approved", "decommissioned"."""

from collections.abc import Iterator

from evaluation.records import Addition
from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.additions.known import Known, modifier_lost
from evaluation.scoring.preservation.additions.listed import hits
from evaluation.scoring.preservation.finding import Reading
from evaluation.scoring.preservation.text import Text, root
from evaluation.scoring.preservation.wording import denied

WHY = "The request asks for no such status."
_LISTS = ("statuses", "states")
_NONE, _OTHER = -1, -2
_COPULAS = ("is", "are", "was", "were", "been", "be")
_VERBAL = (*_COPULAS, "have", "has", "had", "who", "what", "which", "it", "they", "he", "she", "to")


def in_queries(reading: Reading, known: Known) -> Iterator[Addition]:
    for text in reading.queries:
        found = [(name == "statuses", hit) for name in _LISTS for hit in hits(name, text)]
        if not found or _replaced(reading, text, known):
            continue
        for sure, hit in found:
            if _is_new(text, hit, known, sure=sure) and not denied(text, hit.first, hit.end):
                yield Addition("status", text.quote(hit.first, hit.end), WHY)


def _is_new(text: Text, hit: lexicon.Found, known: Known, *, sure: bool) -> bool:
    word = text.words[hit.first]
    if text.roots[hit.first] in known.roots or known.says(word.stem):
        return False
    if any(root(one) in known.roots for one in _KIN.get(word.text, ())):
        return False
    # In "audited accounts" the word belongs to a source.
    if any(lexicon.phrases(n).starting_at(text, hit.end) for n in ("sources", "source_documents")):
        return False
    plain = sure and not word.text.endswith("ed")
    return _qualifies(text, hit, known, plain=plain, sure=sure)


def _qualifies(text: Text, hit: lexicon.Found, known: Known, *, plain: bool, sure: bool) -> bool:
    """Whether a word that may be a verb ("who proposed it", "was appointed") is a status here:
    before a noun of the request and after no noun, or in a clause of its own ("that were
    revoked", ", revoked"). A plain adjective may also stand alone."""
    stop = lexicon.words("stopwords")
    said = [word.text for word in text.words[max(0, hit.first - 3) : hit.first]]
    if len(said) > 2 and said[-2] in ("that", "which") and said[-1] in _COPULAS:
        return True
    noun = _noun(text, hit.end, known)
    if noun < 0:
        return noun == _NONE and (plain or sure and _stands_apart(text, hit))
    before = text.words[hit.first - 1] if hit.first and not text.words[hit.first].gap else None
    verb = before is not None and (before.text in _VERBAL or before.text not in stop)
    return (plain or not verb) and not modifier_lost(text, noun, known, ("status",))


def _stands_apart(text: Text, hit: lexicon.Found) -> bool:
    """Whether a status has a comma before it and nothing but the end or a comma after it."""
    closed = hit.end == len(text) or text.words[hit.end].gap == ","
    return hit.first > 0 and text.words[hit.first].gap == "," and closed


def _noun(text: Text, at: int, known: Known) -> int:
    """Where the noun of the request stands that a status before `at` qualifies, at most one word
    further on; _NONE where no noun follows, _OTHER where only another one does."""
    stop, first = lexicon.words("stopwords"), at
    while at < min(first + 2, len(text)):
        word = text.words[at]
        carries = word.stem in lexicon.words("status_carriers")
        if word.gap or not word.text.isalpha() or word.text in stop or carries:
            break
        if known.says(word.stem):
            return at
        at += 1
    return _NONE if at == first else _OTHER


def _replaced(reading: Reading, text: Text, known: Known) -> bool:
    """Whether the request has a status word that query and filters lack: the new one may stand for
    it."""
    held = {*text.roots, *(r for t in reading.filters for r in (*t.text.roots, *t.name.roots))}
    return any(
        asked.roots[hit.first] not in held
        and not (at == 0 and known.belongs_to_another(asked.words[hit.first].start, ("status",)))
        for at, asked in enumerate(known.asked)
        for name in _LISTS
        for hit in hits(name, asked)
    )


# Words of a request that a status only says again.
_KIN = {
    entry[0]: tuple(meaning.split()) for entry, meaning in lexicon.phrases("status_kin").entries
}
