"""What the request, its turns and the contract say already, in whatever form."""

from collections.abc import Callable, Iterator
from functools import cached_property

from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.additions.listed import hits
from evaluation.scoring.preservation.finding import Reading
from evaluation.scoring.preservation.text import Text, near, read_text, root
from evaluation.scoring.preservation.wording import without_prefix

# Two words that share this many letters at their start, and differ in few after it, are one word.
_SHARED, _ENDING = 4, 4
_COMPARED_AT_MOST = 200


class Known:
    """The words of the request, its turns and the contract. Reading is loose: what may be known is
    known, so that nothing of the request is called an addition."""

    def __init__(self, reading: Reading, kept: frozenset[str] = frozenset()) -> None:
        self._reading = reading
        self._compared = 0
        self.kept = kept
        """The kinds of which the contract has constraints, all of them kept."""

    def belongs_to_another(self, start: int, kinds: tuple[str, ...]) -> bool:
        """Whether the code point `start` of the current text lies in the span of a constraint of
        another kind than these."""
        turn = len(self._reading.turns)
        spans = (c.span for c in self._reading.contract.constraints if c.kind not in kinds)
        return any(s and s.turn == turn and s.start <= start < s.end for s in spans)

    @cached_property
    def texts(self) -> tuple[Text, ...]:
        return (*self.asked, *(read_text(form) for form in self._forms()))

    @cached_property
    def asked(self) -> tuple[Text, ...]:
        """The current text and the turns."""
        return (self._reading.asked, *self._reading.turns)

    def _forms(self) -> Iterator[str]:
        for constraint in self._reading.contract.constraints:
            yield from constraint.admissible
            for key, value in constraint.value.items():
                if key == "rivals":  # the request has these least of all
                    continue
                yield from map(str, value) if isinstance(value, list | tuple) else (str(value),)

    @cached_property
    def roots(self) -> frozenset[str]:
        return frozenset(root for text in self.texts for root in text.roots)

    @cached_property
    def denies(self) -> bool:
        """Whether the contract has a negation or an exclusion."""
        return any(c.kind == "polarity" for c in self._reading.contract.constraints)

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(stem for text in self.texts for stem in text.stems)

    @cached_property
    def letters(self) -> str:
        """All words without blanks, so that "java script" holds "javascript"."""
        return " ".join("".join(text.stems) for text in self.texts)

    @cached_property
    def places(self) -> frozenset[str]:
        """The codes of the places that are named, by name or adjective."""
        return frozenset(
            hit.meaning
            for text in self.texts
            for name in ("places", "place_adjectives")
            for hit in hits(name, text)
        )

    def says(self, word: str) -> bool:
        """Whether a folded stem, or a word that may be another form or a slip of it, is there."""
        base = root(word)
        if base in self.roots or word in self.stems:
            return True
        if len(word) >= 6 and word in self.letters:
            return True
        bare = without_prefix(word)
        if base in self._bare or (bare and bare in self.roots):
            return True
        return self._any(kin, word)

    def _any(self, alike: Callable[[str, str], bool], word: str) -> bool:
        """Whether any stem is like a word. Past so many words a text is no search any more, and
        all of it is taken as known."""
        self._compared += 1
        return self._compared > _COMPARED_AT_MOST or any(alike(word, one) for one in self.stems)

    @cached_property
    def _bare(self) -> frozenset[str]:
        """The roots of words without their "un-" or "non-"."""
        return frozenset(bare for one in self.stems if (bare := without_prefix(one)))

    def says_plainly(self, word: str) -> bool:
        """Whether the word itself is there in some inflection; "unfinished" is not "finished"."""
        return root(word) in self.roots or self._any(near, word)

    def abbreviates(self, letters: str) -> bool:
        """Whether the first letters of neighbouring words, little words left out or not, are
        these."""
        wanted = letters.casefold()
        stop = lexicon.words("stopwords")
        return any(
            wanted in "".join(one[0] for one in text.stems)
            or wanted in "".join(w.stem[0] for w in text.words if w.text not in stop)
            for text in self.texts
        )

    def is_abbreviated(self, words: Text) -> bool:
        """Whether the first letters of these words stand as a word of the request."""
        stop = lexicon.words("stopwords")
        full = "".join(w.stem[0] for w in words.words if not w.is_number)
        short = "".join(w.stem[0] for w in words.words if not w.is_number and w.text not in stop)
        forms = {full, short, f"{full}s", f"{short}s"}
        return len(short) > 1 and bool(forms & self.stems)


def modifier_lost(text: Text, noun: int, known: Known, kinds: tuple[str, ...]) -> bool:
    """Whether the request qualifies the noun at `noun` by a word that the query lacks, so that a
    new one of these kinds may stand in its place."""
    stop, asked = lexicon.words("stopwords"), known.asked[0]
    return any(
        at > 0
        and one == text.roots[noun]
        and asked.words[at - 1].text not in stop
        and asked.words[at].gap == ""
        and asked.roots[at - 1] not in text.roots
        and not known.belongs_to_another(asked.words[at - 1].start, kinds)
        for at, one in enumerate(asked.roots)
    )


def kin(one: str, other: str) -> bool:
    """Whether two stems may be forms of one word, or one a slip of the other."""
    if near(one, other):
        return True
    if min(len(one), len(other)) < _SHARED or one[:3] != other[:3]:
        return False
    shared = 3
    while shared < min(len(one), len(other)) and one[shared] == other[shared]:
        shared += 1
    rest = max(len(one), len(other)) - shared
    slips = one[-3:] == other[-3:] and abs(len(one) - len(other)) <= 2
    return shared > _SHARED or (shared == _SHARED and rest < _ENDING) or slips
