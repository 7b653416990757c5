"""Families of status words: which say the same, which the opposite, and which words may be one."""

from collections.abc import Container, Iterable
from functools import cache

from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.text import Text, near, read_text

# Past participles that say nothing of a status.
_PLAIN = frozenset(
    """related based used called named described located compared united detailed advanced limited
    required provided included regarding concerned associated combined listed needed involved
    entitled titled asked wanted dated numbered sized shared written made given taken done seen
    """.split()
)
_IRREGULAR = frozenset(
    "built sold bought paid kept held lost won broken given chosen written driven stolen frozen "
    "hidden withdrawn".split()
)


@cache
def families(form: str) -> frozenset[str]:
    """Return the families of a status word or phrase; empty for one that the list lacks."""
    text = read_text(form)
    hit = lexicon.phrases("status_families").starting_at(text, 0)
    return frozenset(hit.meaning.split()) if hit and hit.end == len(text) else frozenset()


@cache
def opposites(form: str) -> frozenset[str]:
    """Return the families that say the opposite of a status word."""
    table = lexicon.table("status_opposites")
    return frozenset(one for name in families(form) for one in table.get(name, "").split())


def of_families(texts: Iterable[Text], wanted: frozenset[str]) -> list[tuple[Text, int, int]]:
    """Return where words of the wanted families stand: text, first word, end."""
    if not wanted:
        return []
    return [
        (text, hit.first, hit.end)
        for text in texts
        for hit in lexicon.phrases("status_families").all_in(text)
        if wanted & set(hit.meaning.split())
    ]


def slips(texts: Iterable[Text], form: str, known: Container[str]) -> list[tuple[Text, int, int]]:
    """Return the words that are an inner slip of a one-word form: no other word, only misspelt.
    `known` are the roots of the request's words, which are no slips."""
    wanted = read_text(form)
    if len(wanted) != 1 or len(wanted.words[0].text) < 5:
        return []
    word = wanted.words[0].text
    return [
        (text, at, at + 1)
        for text in texts
        for at, found in enumerate(text.words)
        if text.roots[at] not in known and is_slip(found.text, word)
    ]


def is_slip(found: str, meant: str) -> bool:
    """Whether one word is the other misspelt inside: first and last letter kept, and no word that
    is known as another."""
    if found[:1] != meant[:1] or found[-1:] != meant[-1:] or not near(found, meant):
        return False
    if lexicon.phrases("status_families").starting_at(read_text(found), 0):
        return False
    return found not in lexicon.words("confusable_slips")


def is_short_slip(found: str, meant: str) -> bool:
    """Whether a word of four letters has lost an inner one, or swapped the two ("bok"), or a longer
    one its last two ("tabel")."""
    if len(meant) > 4 and found not in lexicon.words("confusable_slips"):
        return found == meant[:-2] + meant[-1] + meant[-2]
    if len(meant) != 4 or found in lexicon.words("confusable_slips"):
        return False
    return found in (meant[0] + meant[2:], meant[:2] + meant[3:], meant[0] + meant[2] + meant[1]
                     + meant[3])  # fmt: skip


def may_be_status(text: Text, at: int) -> bool:
    """Whether a word has the form of a participle, which a status mostly has."""
    word = text.words[at].text
    if word in _PLAIN or text.words[at].capital and at:
        return False
    return len(word) > 4 and word.endswith(("ed", "ing")) or word in _IRREGULAR
