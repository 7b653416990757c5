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

from evaluation.scoring.preservation.slips import SLIPS

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
              "news": "news", "series": "series", "species": "species",
              "lab": "laboratory", "labs": "laboratory", "exam": "examination",
              "exams": "examination"}  # fmt: skip
# Nouns for sources that are spelt in two ways, by the stem of the other spelling.
_SPELLINGS = {"catalog": "catalogue", "licence": "license", "judgement": "judgment",
              "enquiry": "inquiry", "rumor": "rumour", "cadaster": "cadastre",
              "encyclopaedia": "encyclopedia", "memorandum": "memo"}  # fmt: skip
# Past forms that no ending tells; those that are another word too ("left", "found") are left out.
_VERBS = {"forgot": "forget", "forgotten": "forget", "built": "build", "sold": "sell",
          "bought": "buy", "sent": "send", "paid": "pay", "kept": "keep", "held": "hold",
          "met": "meet", "lost": "lose", "won": "win", "taught": "teach", "caught": "catch",
          "brought": "bring", "chose": "choose", "chosen": "choose", "broke": "break",
          "broken": "break", "given": "give", "gave": "give", "taken": "take", "took": "take",
          "written": "write", "wrote": "write", "grew": "grow", "grown": "grow",
          "knew": "know", "known": "know", "driven": "drive", "drove": "drive",
          "stolen": "steal", "stole": "steal", "spoken": "speak", "worn": "wear",
          "wore": "wear", "ate": "eat", "eaten": "eat", "flew": "fly", "flown": "fly",
          "threw": "throw", "thrown": "throw", "drew": "draw", "drawn": "draw",
          "lent": "lend", "spent": "spend", "sought": "seek", "fought": "fight",
          "struck": "strike", "swept": "sweep", "dug": "dig",
          "began": "begin", "begun": "begin", "sank": "sink", "sunk": "sink",
          "shrank": "shrink", "shrunk": "shrink", "fell": "fall", "fallen": "fall",
          "rose": "rise", "risen": "rise", "withdrew": "withdraw", "withdrawn": "withdraw",
          "frozen": "freeze", "froze": "freeze", "hidden": "hide", "slept": "sleep",
          "forbidden": "forbid", "forbade": "forbid"}  # fmt: skip
_NOUN_ENDINGS = ("ion", "ment", "ance", "ence")
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
    """Take a simple English plural off a folded word, spell -ise as -ize and what has two spellings
    in one."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) > 4 and word.endswith("ies"):
        word = word[:-3] + "y"
    elif len(word) > 4 and re.search("(?:ss|x|ch|sh|zz)es$", word):
        word = word[:-2]
    elif len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    word = _SPELLINGS.get(word, word)
    return re.sub(r"(?<=\w{3})is(e|ed|ing|ation)$", r"iz\1", word)


@lru_cache(maxsize=20_000)
def root(word: str) -> str:
    """Cut a stem down to what its inflections share ("vote", "voted", "voting"). Loose: it may
    bring unlike words together, so equal roots alone never certify."""
    word = _VERBS.get(word, word)
    if word.endswith("ision"):  # "supervision" of "supervize", as stems spell it
        word = f"{word[:-5]}izion"
    if word.endswith("ied") and len(word) > 4:  # "denied" of "deny"
        word = f"{word[:-3]}y"
    if word.endswith(("ed", "ing")):  # "mentioned" of "mention", "financed" of "finance"
        bare = word[:-2] if word.endswith("ed") else word[:-3]
        word = next((one for one in (bare, f"{bare}e") if one.endswith(_NOUN_ENDINGS)), word)
    for ending in ("ation", "ment", "ance", "ence", "ing", "ion", "ed", "ly"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls":
        word = word[:-1]
    if len(word) > 4 and word.endswith("ll"):  # "labelled" of "label"
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


# Not frozen, though nothing ever changes one: thousands are made, each in a third of the time.
@dataclass(slots=True, unsafe_hash=True)
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
    """A text and its words. Two of the same letters are equal, so that what was read is kept."""

    def __init__(self, raw: str) -> None:
        self.raw = raw
        self.words: tuple[Word, ...] = tuple(_words(raw))

    def with_words(self, words: Sequence[Word]) -> "Text":
        """Return the same letters with other readings of their words."""
        other = Text.__new__(Text)
        other.raw, other.words = self.raw, tuple(words)
        return other

    def __len__(self) -> int:
        return len(self.words)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Text) and self.raw == other.raw

    def __hash__(self) -> int:
        return hash(self.raw)

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The folded words, each once."""
        return frozenset(word.text for word in self.words)

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
    if wanted[0] not in words:
        return []
    return [i for i in range(len(words) - size + 1) if tuple(words[i : i + size]) == wanted]


def _words(raw: str) -> Iterator[Word]:
    last = 0
    for found in _WORD.finditer(raw):
        word, (start, end) = found.group(), found.span()
        text, plain = _folded(word)
        possessive = not plain or raw[end : end + 1] in ("'", "’") and word[-1:] in "sS"
        gap = raw[last:start]
        yield Word(
            text=text,
            stem=stem(text) if found.lastgroup == "word" else text,
            start=start,
            end=end,
            gap=gap.strip(),
            adjacent=not gap and last > 0,
            raw=word,
            possessive=possessive,
        )
        last = end


@lru_cache(maxsize=20_000)
def _folded(word: str) -> tuple[str, bool]:
    """Return the folded word, and whether it has no possessive ending."""
    quoted = "'" in word or "’" in word
    plain = re.sub(r"['’](?:s|S)?$", "", word) if quoted else word
    # The apostrophe of "don't" goes, so that "dont" is the same word.
    text = fold(re.sub("['’]", "", plain) if quoted else plain)
    text = _SIGNS.get(text, text)
    if word[0].islower():  # a name is nobody's slip
        text = SLIPS.get(text, text)
    return text, plain == word


@lru_cache(maxsize=4_000)
def read_text(raw: str) -> Text:
    """Return the (cached) words of a text."""
    return Text(raw)
