"""What stands in the place of a name that is gone: a thing of an earlier turn, an unknown name, or
nothing but a bare word."""

from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.finding import Reading
from evaluation.scoring.preservation.names.names import is_kind, is_proper, own_roots
from evaluation.scoring.preservation.names.relatives import capital_runs, listed
from evaluation.scoring.preservation.text import Text, near, read_text
from evaluation.scoring.preservation.wording import content, known_vocabulary, trimmed

# A stand-in is a name or a short phrase, not half a sentence.
LONGEST = 6
_LEADING = ("of", "in", "on", "for", "at", "by", "with", "from", "about", "during", "to", "after")
_LOOSE_KINDS = ("expansion", "hypothetical")


def stand_in(reading: Reading, forms: list[str]) -> str:
    """Return the words of a query that name another thing where the lost name or its pronoun
    stood, or ""."""
    for text in reading.queries:
        if found := _in_the_slot(reading, text, forms):
            return found
    if is_loose(reading):
        return ""  # the details of a passage may be any names
    for text in reading.queries:
        if found := _brought_in(reading, text):
            return found
    if not any(is_proper(form) for form in forms):
        return ""
    return next(filter(None, (_unknown_name(reading, text, forms) for text in reading.queries)), "")


def is_loose(reading: Reading) -> bool:
    """Whether the rewrite is a passage or an expansion, whose words go beyond the request."""
    return reading.rewrite.kind in _LOOSE_KINDS


def _in_the_slot(reading: Reading, text: Text, forms: list[str]) -> str:
    """The words that replace the name or pronoun where all else of the request stands as it was."""
    slot = _slot(reading.asked, text)
    if slot is None:
        return ""
    first, end = slot
    while end - first > 1 and text.words[first].text in _LEADING:
        first += 1
    phrase = trimmed(text.quote(first, end))
    places = content(phrase)
    if not places or len(phrase) > LONGEST or listed(reading, phrase):
        return ""
    own = own_roots(forms)
    if any(near(found, one) or found[:5] == one[:5] for found in phrase.roots for one in own):
        return ""  # "snowboarding" may well mean the snowboard
    in_turn = any(turn.find(phrase) for turn in reading.turns)
    bare = len(places) == 1 and is_kind(phrase.words[places[0]])
    if in_turn and not bare and not reading.asked.find(phrase):
        return phrase.raw
    return ""


def _slot(asked: Text, text: Text) -> tuple[int, int] | None:
    """The words of `text` between the longest common beginning and end with the request; None
    where that is not most of the request."""
    a, b = _told(asked), _told(text)
    one, other = asked.stems[a:], text.stems[b:]
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    tail = 0
    while tail < min(len(one), len(other)) - start and one[-1 - tail] == other[-1 - tail]:
        tail += 1
    replaced = len(one) - start - tail
    # Where the request leaves the thing out, a phrase put in resolves it ("benefits of …").
    if start + tail < (2 if replaced else 3) or replaced > 4 or start + tail < replaced:
        return None
    first, end = b + start, len(text) - tail
    return (first, end) if first < end else None


def _told(text: Text) -> int:
    """Where a text begins after its politeness."""
    at = 0
    while at < len(text) - 1 and (
        text.words[at].text in lexicon.words("fillers")
        or text.words[at].text in ("please", "can", "could", "you", "me", "i", "would", "to")
    ):
        at += 1
    return at


def _brought_in(reading: Reading, text: Text) -> str:
    """A name of an earlier turn that neither the current text nor the contract has, unless it
    only describes ("the band of Marta Quill")."""
    for first, end in capital_runs(text):
        phrase = read_text(text.quote(first, end))
        brought = any(turn.find(phrase) for turn in reading.turns)
        brought = brought and not reading.asked.find(phrase) and not listed(reading, phrase)
        if brought and not describes(reading, text, first, end):
            return phrase.raw
    return ""


def describes(reading: Reading, text: Text, first: int, end: int) -> bool:
    """Whether a name leads to another thing: "founded by X", "the brother of X", "X's band"."""
    asked = reading.asked.roots
    if text.words[end - 1].possessive and end < len(text):
        return text.roots[end] not in asked
    before = first - 1
    while before >= 0 and text.words[before].text in ("the", "a", "an"):
        before -= 1
    if before >= 1 and text.words[before].text in ("by", "of", "from", "in", "at", "with", "to"):
        return text.roots[before - 1] not in asked and text.words[
            before - 1
        ].text not in lexicon.words("stopwords")
    return before >= 0 and text.words[before].text in ("by", "in", "with", "where", "who", "which")


def _unknown_name(reading: Reading, text: Text, forms: list[str]) -> str:
    """A capitalised name that neither request nor contract nor any list knows."""
    letters = [_letters(form) for form in forms]
    for first, end in capital_runs(text):
        words = text.words[first:end]
        phrase = read_text(text.quote(first, end))
        if listed(reading, phrase) or any(w.text in lexicon.words("months") for w in words):
            continue
        new = [
            i
            for i in range(first, end)
            if text.roots[i] not in reading.granted_roots
            and text.words[i].text not in known_vocabulary()
            and text.words[i].text.isalpha()
        ]
        if not new or any(text.words[i].raw.isupper() for i in new):
            continue  # capitals throughout may abbreviate the name
        if any(_within(text.words[i].text, word) for word in letters for i in new):
            continue
        return phrase.raw
    return ""


def may_abbreviate(found: str, forms: list[str]) -> bool:
    """Whether the letters of an acronym stand in a name, in their order, from its first letter."""
    return any(_within(found, _letters(form)) for form in forms)


def _letters(form: str) -> str:
    return "".join(word.text for word in trimmed(form).words)


def _within(short: str, long: str) -> bool:
    if not short or short[0] != long[:1]:
        return False
    rest = iter(long)
    return all(sign in rest for sign in short)
