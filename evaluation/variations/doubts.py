"""What speaks against turning a question around: two sentences, two questions, a subject whose end
is not plain.
"""

import re

from evaluation.variations.base import CannotVary
from evaluation.variations.clauses import (
    ADVERBIAL,
    FINITE,
    PREPOSITIONS,
    PRONOUNS,
    STRANDED,
    UNSURE,
)
from evaluation.variations.english import AUXILIARIES, BE, WH_WORDS
from evaluation.variations.in_place import InPlace

KINDS = frozenset({"kind", "kinds", "type", "types", "sort", "sorts", "form", "part"})
# What is asked of a thing, so that the thing is the subject: "what nationality the director is".
ATTRIBUTES = (KINDS - {"part", "form"}) | frozenset(
    "age colour color nationality genre profession occupation language religion race size rank "
    "year day date month number country county city state position length height shape".split()
)


class Doubted(InPlace):
    """A question, and what makes it unsure."""

    def _one_sentence(self) -> None:
        if re.search(
            r"[.?!][\"\u201d]?\s+[A-Z]",
            re.sub(r"\b(?:[A-Z]|[A-Z][a-z]{1,2}|vs?|etc)\.", "", self.text),
        ):
            raise CannotVary(
                "The request has more than one sentence, and only a question alone is turned "
                "around."
            )
        if any(
            self.tag(n) == "CC"
            and (
                self._is_wh(n + 1 + (self.low(n + 1) in PREPOSITIONS))
                or (self.low(n + 1) in AUXILIARIES and self.low(n + 2) in PRONOUNS)
            )
            for n in range(1, len(self.tokens) - 2)
        ):
            raise CannotVary("The request asks two things, and only one can be turned around.")
        if self.low(0) in WH_WORDS and self.low(1) == "if":
            raise CannotVary(f'The request asks "{self.low(0)} if", which no statement is.')
        if "?" in self.text:
            raise CannotVary("The request has more than one question mark.")

    def _after_prefix(self) -> int | None:
        """Return the comma after a phrase in front, when a question follows it."""
        for place, token in enumerate(self.tokens):
            if self._is_wh(place):
                return None
            if token.text != ",":
                continue
            after = place + 1
            asks = self._is_wh(after) or (
                self.low(after) in PREPOSITIONS and self._is_wh(after + 1)
            )
            if not asks and self.low(after) not in AUXILIARIES:
                continue
            first = self.low(0)
            if first in ADVERBIAL | {"although", "after", "before"} or (
                first in PREPOSITIONS | {"other", "besides"} and not self._states(place)
            ):
                return place
        return None

    def _states(self, end: int) -> bool:
        """Whether a statement stands before a place: a finite verb outside a relative clause."""
        for place in range(end):
            if self.tokens[place].tag in ("WDT", "WP", "WRB", "WP$") or self.low(place) == "that":
                return False
            if self.tag(place) in FINITE:
                return True
        return False

    def _asks_for_a_time(self, be: int) -> bool:
        """ "When was the last time it rained": all that follows is one noun and its clause."""
        return self.low(be) in BE | {"'s", "\u2019s"} and " ".join(
            map(self.low, range(be + 1, be + 4))
        ) in (
            "the first time",
            "the last time",
            "the next time",
        )

    def _check_whole(self, wh: int, aux: int, end: int) -> None:
        """Raise CannotVary where the subject may hold what belongs to the verb, or the other way
        round.
        """
        count = len(self.tokens)
        inside, after = self.tokens[aux + 1 : end], self.tokens[end:]
        unsure = CannotVary(f"{UNSURE}: where its subject ends is not plain.")
        if self.low(end) in ("what", "who"):
            raise unsure  # "where was one direction what makes you beautiful filmed"
        if self.low(aux) not in BE:
            return
        if end == count and not any(token.tag in FINITE for token in inside):
            if self.low(count - 1) in PREPOSITIONS and count > aux + 2:
                raise unsure  # "what country was the author of it a citizen of"
        if end == count and any(token.text in ("located", "situated", "born") for token in inside):
            raise unsure
        noun = self._head_noun(wh + 1) if aux > wh + 1 else None
        if (
            noun is not None
            and after
            and (after[0].tag, after[0].dep) == ("VBN", "acl")
            and self.low(noun) not in ATTRIBUTES
            and self.low(count - 1) not in STRANDED
        ):
            raise unsure  # "which person was the head of the group known as it"

    def _has_predicate(self, wh: int, be: int) -> bool:
        """Whether more than a noun follows "be": "known as it", "causing it", "famous"."""
        tokens = self.tokens
        objects = {t.head for t in tokens if t.dep == "dobj"}
        for place in range(be + 1, len(tokens)):
            token, after = tokens[place], self.low(place + 1)
            word = token.text.lower()
            if self.low(place - 1) not in AUXILIARIES and (
                (word in ("known", "famous") and after in ("as", "for", "in", ""))
                or (word in ("called", "named") and after in ("in", "during", "by", ""))
            ):
                return True
            if token.tag == "VBG" and place not in objects:
                if place == len(tokens) - 1 and self.low(place - 1) not in PREPOSITIONS:
                    return True
                if token.dep == "acl" and self.tag(place + 1) == "IN" and self.low(wh) != "who":
                    return True
            if token.head == be and token.dep in ("acomp", "oprd"):
                return True
        return tokens[be].dep in ("aux", "auxpass")
