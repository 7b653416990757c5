"""One English question as spaCy reads it: its words by place, and what stands where. Pure."""

from contracts.language import Parsed, Token
from evaluation.variations.english import AUXILIARIES, WH_WORDS, parse_english

PREPOSITIONS = frozenset(
    "in on at by for from to with of into under about during through after before until since "
    "between among against within outside over".split()
)
# What a question ends with whose object is asked for: "What is it about?"
STRANDED = PREPOSITIONS | {"as", "like", "near", "called", "named", "up", "out", "off"}
PRONOUNS = frozenset("i he she it they we you there".split())
ADVERBIAL = frozenset("when before after while during until since as if because".split())
FINITE = frozenset({"VBD", "VBZ", "VBP", "MD"})
UNSURE = "Its word order cannot be undone surely"
_RELATIVE = frozenset("that who which whose where when".split())
_NOUNS = frozenset("DT PRP PRP$ NN NNS NNP NNPS EX CD PDT".split())


class Clause:
    """A question without its mark; places are those of spaCy's tokens."""

    def __init__(self, body: str) -> None:
        self.text = body
        self.read(parse_english(f"{body}?"))
        self.shift = 0

    def read(self, parsed: Parsed) -> None:
        self.parsed = parsed
        self.tokens = parsed.tokens[:-1]

    def low(self, place: int) -> str:
        return self.tokens[place].text.lower() if 0 <= place < len(self.tokens) else ""

    def tag(self, place: int) -> str:
        return self.tokens[place].tag if 0 <= place < len(self.tokens) else ""

    def span(self, first: int, end: int) -> str:
        """Return the text of the tokens from `first` to before `end`."""
        if first >= end:
            return ""
        return self.text[self.tokens[first].start : self.tokens[end - 1].end]

    def _first_finite(self, start: int) -> int | None:
        """Return the first finite verb from `start` on that is not in a clause of the phrase that
        asks.
        """
        for place in range(start, len(self.tokens)):
            if self.low(place) in AUXILIARIES or self.tag(place) in FINITE:
                return place
            if self.low(place) in ("'s", "\u2019s") and self.tag(place).startswith("VB"):
                return place
            if (
                self.low(place) in ("that", "who", "which", "whose", "where", "when")
                and place > start
            ):
                break
        return None

    def _opening(self) -> str:
        """Return the first word as it stands inside a sentence; a noun before capitalised words
        keeps its capital: it may begin a title.
        """
        token = self.tokens[0]
        near = [t.text for t in self.tokens[1:4]]
        if token.tag[:2] in ("NN", "VB", "JJ") and any(word[:1].isupper() for word in near):
            return token.text
        if any(name.label == "NORP" and name.start == token.start for name in self.parsed.names):
            return token.text  # "American", which is an adjective
        return small(token)

    def _begins_noun(self, place: int) -> bool:
        return self.tag(place) in (
            "DT",
            "PRP",
            "PRP$",
            "NN",
            "NNS",
            "NNP",
            "NNPS",
            "EX",
            "CD",
            "PDT",
        )

    def _is_verb_later(self, start: int, after_be: bool) -> bool:
        """Whether a verb form follows that the auxiliary may belong to."""
        wanted = ("VBN", "VBG") if after_be else ("VBN", "VB", "VBD", "VBP")
        return any(t.tag in wanted and t.dep != "amod" for t in self.tokens[start:])

    def _is_wh(self, place: int) -> bool:
        return self.low(place) in WH_WORDS and self.tag(place)[:1] == "W"

    def _head_noun(self, first: int) -> int | None:
        """Return the head of the noun phrase that begins here: its last noun before anything else,
        or None when none comes.
        """
        last = None
        for place in range(first, len(self.tokens)):
            tag = self.tag(place)
            if tag[:2] == "NN":
                last = place
            elif last is not None and tag != "POS":
                break
        return last

    def _offers_choice(self) -> bool:
        return any(self.low(n) == "or" for n in range(len(self.tokens))) or (
            "," in (token.text for token in self.tokens[-6:]) and self.low(0) != "what"
        )


def small(token: Token) -> str:
    """Return the first word of a question as it stands inside a sentence."""
    if token.tag.startswith("NNP") or token.text == "I" or any(c.isupper() for c in token.text[1:]):
        return token.text
    return token.text[0].lower() + token.text[1:]
