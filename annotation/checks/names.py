"""Is a name missing?"""

import re
from dataclasses import dataclass

from rapidfuzz.distance import OSA

from annotation.checks.demanded import from_turns, said_otherwise
from annotation.checks.folding import without_accents
from annotation.checks.quotes import without_quotes
from annotation.checks.written import RewriteWarning, Written

CODE = "drops-name"
TYPO_FROM = 5  # letters: in a longer word one wrong letter is a slip, in a shorter another name

_WORD = re.compile(r"[^\W_]+(?:[.'’&-][^\W_]+)*")
_OPENS_SENTENCE = re.compile(r"[.!?…؟۔。！？:;\n•\"“„«‘「『(]")
_GENITIVE = re.compile(r"['’]s$", re.IGNORECASE)
_YEAR = re.compile(r"(?:FY|CY)(?:\d\d|\d{4})", re.IGNORECASE)  # a number, with its own check


@dataclass(frozen=True)
class _Word:
    text: str
    opens: bool  # first of a sentence: a capital says nothing
    joined: bool  # only spaces before it


def names(text: str) -> list[str]:
    """The names of a text, once each: runs of capitalised words not at the start of a sentence,
    and words that only a name can be, such as IBM, B12 or iPhone.
    """
    letters = [c for c in text if c.isalpha()]
    cased = [c for c in letters if c.isupper() or c.islower()]
    if (
        not any(c.islower() for c in cased)
        and len(text.split()) > 1
        and len(cased) > len(letters) / 2
    ):
        return []  # all in capitals: they tell nothing
    caseless = len(cased) <= len(letters) / 2
    runs: list[list[str]] = []
    open_run = False
    for word in _words(text):
        name = _is_name(word, caseless)
        if name and open_run and word.joined:
            runs[-1].append(word.text)
        elif name:
            runs.append([word.text])
        open_run = name
    return list(dict.fromkeys(_GENITIVE.sub("", " ".join(run)) for run in runs))


def drops_name(written: Written) -> RewriteWarning | None:
    """Name the names of the request that the text does not have; a slip of one letter in a long
    word, other case, and initials are the same name.
    """
    if written.clarification:
        return None
    asked = names(without_quotes(written.original))
    for turn in written.turns:
        asked += from_turns(written, names(without_quotes(turn)))
    text = _Said.of(written.text)
    missing = [
        name
        for name in dict.fromkeys(asked)
        if not text.has(name) and not said_otherwise(name, written.text, written.demands)
    ]
    return RewriteWarning(CODE, tuple(missing)) if missing else None


@dataclass(frozen=True)
class _Said:
    """The words of a text, folded, and their first letters in order: of all words, and of those
    with a capital alone.
    """

    words: frozenset[str]
    initials: str
    capitals: str

    @classmethod
    def of(cls, text: str) -> "_Said":
        found = [(part, word) for word in _WORD.findall(text) for part in _parts(word)]
        return cls(
            frozenset(part for part, _word in found),
            "".join(part[0] for part, _word in found),
            "".join(part[0] if word[0].isupper() else " " for part, word in found),
        )

    def has(self, name: str) -> bool:
        parts = [part for word in name.split(" ") for part in _parts(word)]
        if all(self._has_word(part) for part in parts):
            return True
        if len(parts) > 1:
            return "".join(part[0] for part in parts) in self.words
        # Two letters are the initials of many pairs of words.
        initials = self.initials if len(parts[0]) > 2 else self.capitals
        return name.replace(".", "").isupper() and len(parts[0]) > 1 and parts[0] in initials

    def _has_word(self, word: str) -> bool:
        if word in self.words:
            return True
        return len(word) >= TYPO_FROM and any(
            abs(len(other) - len(word)) <= 1 and OSA.distance(word, other, score_cutoff=1) <= 1
            for other in self.words
        )


def _parts(word: str) -> list[str]:
    """A word folded and without its genitive; hyphens part it, dots between initials do not."""
    bare = _GENITIVE.sub("", without_accents(word))
    if re.fullmatch(r"(?:\w\.)+\w", bare):
        bare = bare.replace(".", "")
    return [part for part in re.split(r"[.'’&-]", bare) if part]


def _words(text: str) -> list[_Word]:
    found, end = [], 0
    for match in _WORD.finditer(text):
        gap = text[end : match.start()]
        opens = end == 0 or bool(_OPENS_SENTENCE.search(gap))
        found.append(_Word(match[0], opens, bool(gap) and not gap.strip()))
        end = match.end()
    return found


def _is_name(word: _Word, caseless: bool) -> bool:
    text = word.text
    if _YEAR.fullmatch(text) or re.split("['’]", text)[0] == "I":
        return False
    capital = text[0].isupper() or text[0].istitle()
    rest = re.split("['’]", text[1:])[0]
    distinct = any(c.isupper() for c in rest) or (capital and any(c.isdecimal() for c in rest))
    return distinct or (capital and (caseless or not word.opens))
