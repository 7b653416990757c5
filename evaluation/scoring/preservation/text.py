"""Texts as folded words that remember where they stood, so that every quote is exact.

Folding is Unicode NFKC, case folding, and removal of Latin diacritics and Arabic vowel marks.
Hyphens
and blanks separate words alike; a possessive ending is taken off; digits and letters are split
("FY23" is "fy" and "23").
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

_MARKS = "".join(
    chr(code) for code in range(0x300, 0x10000) if unicodedata.category(chr(code)) in ("Mn", "Mc")
)
_LETTERS = rf"(?:[^\W\d_][{re.escape(_MARKS)}]*)+"
_WORD = re.compile(
    rf"""(?P<area>\b[kcdm]?m[23²³](?!\w))
    |(?P<dotted>(?<!\d)\d{{1,2}}(?=\.\d{{1,2}}\.\d{{4}})|(?<=\.)\d{{1,2}}(?=\.\d{{4}}))
    |(?P<number>\d{{1,3}}(?:[,\u00a0\u202f]\d{{3}})+(?:\.\d+)?(?!\d)
        |\d{{1,3}}(?:\.\d{{3}}){{2,}}(?!\d)|\d+\.\d+|\d+,\d{{1,2}}(?!\d)|\d+)
    |(?P<word>{_LETTERS}(?:['’]{_LETTERS})*)
    |(?P<sign>[<>]=?|[=≤≥~≈%€$£¥₹&])""",
    re.VERBOSE,
)
_NO_DECOMPOSITION = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h"}
)
_IRREGULAR = {"buses": "bus", "children": "child", "men": "man", "women": "woman", "feet": "foot",
              "viruses": "virus", "campuses": "campus", "analyses": "analysis",
              "news": "news", "series": "series", "species": "species"}  # fmt: skip
_DROPPED_MARKS = re.compile("[\u0300-\u036f\u064b-\u0652]")
_SIGNS = {"≤": "<=", "≥": ">=", "≈": "~", "&": "and"}
# The letters of scripts that set no blank between words, or glue particles to names.
_UNSPACED = re.compile(
    "[\u0600-\u06ff\u0590-\u05ff\u0900-\u0dff\u0e00-\u0eff\u3040-\u9fff\uac00-\ud7af]"
)


@lru_cache(maxsize=20_000)
def fold(word: str) -> str:
    """Return the word without case, compatibility forms and Latin diacritics."""
    plain = unicodedata.normalize("NFKC", word).casefold().translate(_NO_DECOMPOSITION)
    decomposed = unicodedata.normalize("NFD", plain)
    return unicodedata.normalize("NFC", _DROPPED_MARKS.sub("", decomposed))


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Take a simple English plural off a folded word and spell -ise as -ize."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) > 4 and word.endswith("ies"):
        word = word[:-3] + "y"
    elif len(word) > 4 and re.search("(?:ss|x|ch|sh|zz)es$", word):
        word = word[:-2]
    elif len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    return re.sub(r"(?<=\w{3})is(e|ed|ing|ation)$", r"iz\1", word)


@lru_cache(maxsize=20_000)
def root(word: str) -> str:
    """Cut a stem down to what its inflections share ("vote", "voted", "voting"). Loose: it may
    bring unlike words together, so equal roots alone never certify."""
    for ending in ("ation", "ment", "ance", "ence", "ing", "ion", "ed", "ly"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls":
        word = word[:-1]
    return word[:-1] if len(word) > 3 and word.endswith(("e", "y")) else word


def near(one: str, other: str) -> bool:
    """Whether two different words are one slip apart: a letter lost, doubled, changed or
    swapped."""
    if one == other or min(len(one), len(other)) < 4 or abs(len(one) - len(other)) > 1:
        return False
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    a, b = one[start:], other[start:]
    swapped = a[:2] == b[:2][::-1] and a[2:] == b[2:]
    return swapped or a[1:] == b[1:] or a[1:] == b or a == b[1:]


@dataclass(frozen=True, slots=True)
class Word:
    """One folded word. `gap` is what stands between it and the word before, blanks taken off."""

    text: str
    stem: str
    start: int
    end: int
    gap: str
    adjacent: bool
    raw: str
    possessive: bool = False

    @property
    def capital(self) -> bool:
        return self.raw[:1].isupper()

    @property
    def is_number(self) -> bool:
        return self.raw[:1].isdigit()


class Text:
    """A text and its words."""

    def __init__(self, raw: str) -> None:
        self.raw = raw
        self.words: tuple[Word, ...] = tuple(_words(raw))

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def stems(self) -> tuple[str, ...]:
        return tuple(word.stem for word in self.words)

    @cached_property
    def roots(self) -> tuple[str, ...]:
        return tuple(root(word.stem) for word in self.words)

    @cached_property
    def folded(self) -> str:
        return fold(self.raw)

    def quote(self, first: int, end: int) -> str:
        """Return the exact text from word `first` up to, not including, word `end`."""
        return self.raw[self.words[first].start : self.words[end - 1].end]

    def find(self, form: "Text", *, loose: bool = False) -> list[int]:
        """Return where the words of `form` stand in a row, by stem, or by root if `loose`."""
        if loose:
            return find_run(self.roots, form.roots)
        return find_run(self.stems, form.stems)

    def holds_letters(self, form: str) -> str | None:
        """Return the quote of a form in a script without blanks, found anywhere, or None."""
        if not _UNSPACED.search(form):
            return None
        at = self.raw.find(form)
        return self.raw[at : at + len(form)] if at >= 0 else None


def find_run(words: Sequence[str], run: Sequence[str]) -> list[int]:
    """Return every index at which `run` begins inside `words`; an empty run is nowhere."""
    size = len(run)
    if not size:
        return []
    wanted = tuple(run)
    return [i for i in range(len(words) - size + 1) if tuple(words[i : i + size]) == wanted]


def _words(raw: str) -> Iterator[Word]:
    last = 0
    for found in _WORD.finditer(raw):
        word, end = found.group(), found.end()
        plain = re.sub(r"['’](?:s|S)?$", "", word)
        possessive = plain != word or raw[end : end + 1] in ("'", "’") and word[-1:] in "sS"
        # The apostrophe of "don't" goes, so that "dont" is the same word.
        text = fold(re.sub("['’]", "", plain))
        text = _SIGNS.get(text, text)
        gap = raw[last : found.start()]
        yield Word(
            text=text,
            stem=stem(text) if found.lastgroup == "word" else text,
            start=found.start(),
            end=end,
            gap=gap.strip(),
            adjacent=not gap and last > 0,
            raw=word,
            possessive=possessive,
        )
        last = end


@lru_cache(maxsize=4_000)
def read_text(raw: str) -> Text:
    """Return the (cached) words of a text."""
    return Text(raw)
