"""A question word that stands in its place ("He was born in what county?") brought to the front."""

import re

from evaluation.variations.base import CannotVary
from evaluation.variations.clauses import FINITE, PREPOSITIONS, UNSURE
from evaluation.variations.subjects import Inverted

_CLAUSE_WORDS = frozenset(", that who which whose whom where when".split())


class InPlace(Inverted):
    """A question in the order of a statement."""

    def _in_place(self) -> str:
        """ "He was born in what county": the phrase that asks comes to the front."""
        places = [place for place in range(len(self.tokens)) if self._asks_in_place(place)]
        if len(places) != 1:
            raise CannotVary(
                "The request has no question word and no verb in front, and none that can be "
                "brought there."
            )
        wh = places[0]
        start = wh - 1 if self.low(wh - 1) in PREPOSITIONS else wh
        end = self._phrase_end(wh)
        root = next((n for n, t in enumerate(self.tokens) if t.head == n and t.dep == "ROOT"), None)
        if end is None or root is None or root >= start:
            raise CannotVary(f"{UNSURE}: the phrase that asks cannot be brought to the front.")
        if any(
            self.low(n) in ("and", "but", "or", ";") and self._joins(n, root) for n in range(start)
        ):
            raise CannotVary(f"{UNSURE}: it has two clauses.")
        held = self.tokens[start].head if start < wh else self._noun_head(wh)
        word = self.low(start)
        fronted = held == root and (word != "by" or self.tag(root) == "VBN")
        if start < wh and word in ("of", "in"):
            fronted |= self.tokens[held].dep == "attr" and self.tokens[held].head == root
        if not fronted or (start == wh and self.tag(root)[:2] != "VB"):
            raise CannotVary(f"{UNSURE}: the phrase that asks cannot be brought to the front.")
        if end < len(self.tokens) and not self.low(end)[:1].isalnum():
            raise CannotVary(f"{UNSURE}: the phrase that asks cannot be brought to the front.")
        asked = self.span(start, end)
        if self.low(wh) == "who" and start < wh:
            asked = re.sub(r"(?i)\bwho$", "whom", asked)
        before = self._opening() + self.text[self.tokens[0].end : self.tokens[start].start].rstrip()
        before = before.rstrip(" ,")
        rest = self.span(end, len(self.tokens))
        text = " ".join(part for part in (asked[0].lower() + asked[1:], before, rest) if part)
        return text

    def _asks_in_place(self, place: int) -> bool:
        word, token = self.low(place), self.tokens[place]
        if word == "how":
            return self.low(place + 1) in ("many", "much")
        if word not in ("what", "which", "who", "whom", "whose"):
            return False
        if word in ("which", "who", "whom", "whose") and place + 1 < len(self.tokens):
            # Before a noun "which" asks; before a verb, or after a comma, it joins a clause.
            follows = self.tag(place + 1)[:2]
            return word == "which" and follows in ("NN", "JJ", "CD") and token.dep == "det"
        return token.dep in ("det", "pobj", "dobj", "attr")

    def _phrase_end(self, wh: int) -> int | None:
        """Return where the phrase that asks ends, when it is short and has no clause in it."""
        count = len(self.tokens)
        rest = range(wh + 1, count)
        if not any(
            self.tag(n) in FINITE
            or self.tag(n) in ("VBN", "VBG", "TO")
            or self.low(n) in (",", "that", "who", "which", "whose", "whom", "where", "when")
            for n in rest
        ):
            chunk = next(
                (end for start, end in self.parsed.nouns if start <= self.tokens[wh].start < end),
                None,
            )
            if chunk is None or wh == count - 1:
                return count
            after = next((n for n in rest if self.tokens[n].start >= chunk), count)
            # What belongs to the noun goes with it; what belongs to the verb stays.
            asks_amount = self.low(wh) == "how"
            goes = (
                {"of"}
                if asks_amount or self.low(wh - 1) not in PREPOSITIONS
                else {"of", "in", "at"}
            )
            if self.tag(after)[:2] in ("NN", "JJ", "CD"):
                return None  # the chunk ends inside its noun
            return count if self.low(after) in goes else after
        return None

    def _noun_head(self, wh: int) -> int:
        """Return what the noun that is asked for depends on."""
        noun = self.tokens[wh].head if self.tokens[wh].dep in ("det", "amod", "advmod") else wh
        if self.low(wh) == "how":
            noun = self.tokens[self.tokens[wh].head].head
        return self.tokens[noun].head if wh != noun else self.tokens[wh].head

    def _joins(self, place: int, root: int) -> bool:
        conj = [t for t in self.tokens if t.dep == "conj" and t.head == root]
        return bool(conj) and (self.tokens[place].head == root or self.low(place) == ";")
