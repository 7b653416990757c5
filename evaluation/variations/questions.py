"""A direct question turned into an indirect one: "what year did Tesla die" to "what year Tesla
died". Rules over spaCy's tags; where none applies surely, CannotVary says which was tried.

Pure. Every rule leaves the words of the question in place but for the verb that moves back behind
its subject; nothing is added.
"""

import re
from dataclasses import dataclass, replace
from typing import Literal

from evaluation.variations.base import CannotVary
from evaluation.variations.clauses import (
    ADVERBIAL,
    FINITE,
    PREPOSITIONS,
    STRANDED,
    UNSURE,
    small,
)
from evaluation.variations.doubts import ATTRIBUTES, Doubted
from evaluation.variations.english import (
    AUXILIARIES,
    BE,
    DO,
    WH_WORDS,
    check_english,
)

Shape = Literal["clause", "noun", "choice"]

# What stands before a question that is indirect already.
_REQUEST = re.compile(
    r"(?i)(?:(?:can|could|would|will) you (?:please )?(?:tell me|let me know|say|find out)|"
    r"do you (?:happen to )?know) (?=(?:who|whom|whose|what|which|when|where|why|how|whether)\b)"
)
_JOINERS = frozenset({"and", "but", "so", "or", "also", "then"})
_OF_A_NAME = frozenset({"name", "names", "title", "titles", "term", "difference", "definition"})
_DETERMINERS = frozenset("the another one".split())


@dataclass(frozen=True, slots=True)
class Indirect:
    """An indirect question without a capital letter and a full stop.

    `shape`: a clause ("who won it"), a noun with what belongs to it ("the capital of it"), or a
    choice ("whether he won it"). `also` says that the question began as a further one ("And …").
    `asked` is the noun that "which" or "what" asks for when it is the subject, with the rest as a
    relative clause: ("band in it", "features her").
    """

    text: str
    shape: Shape
    rule: str
    also: bool = False
    asked: tuple[str, str] | None = None


def indirect(text: str) -> Indirect:
    """Return the indirect question of a direct one in English; raise CannotVary with the reason."""
    line = check_english(text)
    line = re.sub(r"\s+([?.!])$", r"\1", line)
    body = line.rstrip("?.!\u2026 ")
    if not line.endswith("?") and not _begins_as_question(body):
        raise CannotVary(
            "The request is no question: it has neither a question mark nor a question word in "
            "front."
        )
    joined = body.split(" ", 1)
    if asked := _REQUEST.match(body):
        return Indirect(body[asked.end() :], "clause", "request")
    also = joined[0].lower().rstrip(",") in _JOINERS and len(joined) == 2
    if also:
        body = joined[1]
        body = body[0].upper() + body[1:]
    found = _Question(body).indirect()
    return replace(found, also=also)


def _begins_as_question(body: str) -> bool:
    first = re.split(r"[\s'\u2019]", body.lower(), maxsplit=1)[0]
    return first in WH_WORDS or first in AUXILIARIES or first in _JOINERS


class _Question(Doubted):
    """One question without its mark, and the rule for how it is built."""

    def indirect(self) -> Indirect:
        self._one_sentence()
        first = self.low(0)
        if first in AUXILIARIES:
            return self._choice(0, "")
        if first in ("when", "where") and any(
            token.text == "," and self._is_wh(place + 1) for place, token in enumerate(self.tokens)
        ):
            raise CannotVary(f"{UNSURE}: a clause stands before its question.")
        if first in WH_WORDS:
            return self._wh(0, 0)
        if first in PREPOSITIONS and self._is_wh(1):
            return self._wh(0, 1)
        comma = self._after_prefix()
        if comma is not None:
            inner = _Question(self.text[self.tokens[comma + 1].start :])
            found = inner.indirect()
            if found.shape == "noun":
                raise CannotVary(f"{UNSURE}: a phrase in front belongs to its noun.")
            before = self._opening() + self.text[self.tokens[0].end : self.tokens[comma].start]
            return Indirect(f", {before}, {found.text}", found.shape, f"prefix+{found.rule}")
        return Indirect(self._in_place(), "clause", "fronting")

    def _choice(self, aux: int, before: str) -> Indirect:
        end = self.subject_end(aux)
        if end is None or end >= len(self.tokens):
            raise CannotVary(f"{UNSURE}: where its subject ends is not plain.")
        return Indirect(f"whether {self._uninverted(aux, end)}", "choice", "whether")

    def _wh(self, first: int, wh: int) -> Indirect:
        if len(self.tokens) < wh + 3:
            raise CannotVary(
                "The request has a question word and too little after it to turn around."
            )
        aux = self._first_finite(wh + 1)
        if aux is None and any(token.tag in FINITE for token in self.tokens):
            raise CannotVary(f"{UNSURE}: its verb is not plain.")
        if aux is None:
            raise CannotVary("The request has no verb, so it cannot be turned around.")
        front = (self._opening() if first == 0 else small(self.tokens[first])) + self.text[
            self.tokens[first].end : self.tokens[aux].start
        ].rstrip()
        if self.low(aux) not in AUXILIARIES | {"'s", "\u2019s"}:
            return self._subject_asked(first, wh, aux)
        bare = aux == wh + 1
        if bare and first == wh and self._asks_for_a_time(aux):
            rest = self.span(aux + 1, len(self.tokens))
            verb = self.low(aux) if self.low(aux) in BE else "is"
            return Indirect(f"{front} {rest} {verb}", "clause", "time")
        if self.low(aux) in BE and self.tokens[aux].dep == "advcl":
            raise CannotVary(f"{UNSURE}: its verb is not plain.")
        end = self.subject_end(aux)
        if end is not None:
            self._check_whole(wh, aux, end)
        if self.low(aux) in BE | {"'s", "\u2019s"} and bare and first == wh:
            found = self._what_is(wh, aux, end)
            if found is not None:
                return found
        if first == wh and self._equates(wh, aux, end):
            return self._subject_asked(first, wh, aux)
        if end == len(self.tokens) and any(token.text == "or" for token in self.tokens):
            raise CannotVary(f"{UNSURE}: it offers a choice after its verb.")
        if end is not None:
            return Indirect(f"{front} {self._uninverted(aux, end)}", "clause", "inversion")
        if first != wh:
            raise CannotVary(f"{UNSURE}: where its subject ends is not plain.")
        return self._subject_asked(first, wh, aux)

    def _subject_asked(self, first: int, wh: int, verb: int) -> Indirect:
        """The question word is the subject, so nothing moves."""
        after = verb + 1
        if self.tag(verb) == "VBD" and self.low(after) == "by":
            raise CannotVary(f"{UNSURE}: its verb is not plain.")  # "what prize won by few has he"
        held = self.low(verb) in AUXILIARIES | {"'s", "\u2019s"} and self._begins_noun(after)
        if held and self.low(verb) in DO:
            raise CannotVary(f"{UNSURE}: its verb is not plain.")
        if held and self._is_verb_later(after, self.low(verb) in BE):
            raise CannotVary(f"{UNSURE}: where its subject ends is not plain.")
        if self.low(wh) in ("when", "where", "why", "how") and verb == wh + 1:
            raise CannotVary(f"{UNSURE}: where its subject ends is not plain.")
        text = (self._opening() if first == 0 else small(self.tokens[first])) + self.text[
            self.tokens[first].end :
        ]
        asked = None
        if first == wh and self.low(wh) in ("which", "what") and verb > wh + 1:
            asked = (self.span(wh + 1, verb), self.span(verb, len(self.tokens)))
            if self.tag(verb - 1)[:2] != "NN" or self._offers_choice() or '"' in asked[0]:
                asked = None
        return Indirect(text, "clause", "subject", asked=asked)

    def _equates(self, wh: int, be: int, end: int | None) -> bool:
        """Whether "which team was the winner" is asked: the question word's noun is the subject."""
        if self.low(be) not in BE or be == wh + 1 or self.low(wh) not in ("what", "which"):
            return False
        if self.low(be + 1) in ("a", "an", "number"):
            return True
        if end is not None and any(
            token.tag in ("VBN", "VBG", "JJ") for token in self.tokens[end:]
        ):
            return False
        thing = self._head_noun(wh + 1)
        return (
            self.low(be + 1) in _DETERMINERS
            and end in (None, len(self.tokens))
            and thing is not None
            and self.low(thing) not in ATTRIBUTES
            and self.low(len(self.tokens) - 1) not in STRANDED
        )

    def _what_is(self, wh: int, be: int, end: int | None) -> Indirect | None:
        """ "What is the capital of it": the noun itself, or "who was the winner" as it is."""
        count = len(self.tokens)
        definite = self.low(be + 1) in _DETERMINERS
        predicate = self._has_predicate(wh, be)
        related = any(
            t.tag in FINITE or t.tag in ("WDT", "WP", "WP$", "WRB") for t in self.tokens[be + 1 :]
        )
        stranded = self.low(count - 1) in STRANDED and not related
        if not definite or predicate or stranded or self.low(wh) not in ("what", "who", "which"):
            return None
        noun = self._head_noun(be + 1)
        if noun is None or self.tag(noun).startswith("NNP"):
            return None
        if self._offers_choice():
            return self._as_it_is(wh, be) if self.low(wh) != "what" else None
        present = self.low(be) in ("is", "are", "'s", "\u2019s")
        if self.low(wh) in ("what", "which") and (present or self.low(noun) in _OF_A_NAME):
            return Indirect(self.span(be + 1, count), "noun", "noun")
        short = (
            end is not None
            and end - be - 1 <= 6
            and (end == count or self.low(end) in ADVERBIAL or self.tag(end) == "IN")
        )
        if self.low(wh) == "what" and (short or (self.low(be) == "were" and end is not None)):
            return None
        return self._as_it_is(wh, be)

    def _as_it_is(self, wh: int, be: int) -> Indirect:
        verb = "is" if self.low(be) in ("'s", "\u2019s") else self.tokens[be].text
        rest = self.span(be + 1, len(self.tokens))
        return Indirect(f"{self.low(wh)} {verb} {rest}", "clause", "equation")
