"""The request in casual words, by a language model."""

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaluation.variations.base import Check, Proposal, Source, register
from evaluation.variations.base import in_catalogue as _
from evaluation.variations.checks import adds_nothing, length_like
from evaluation.variations.english import AUXILIARIES, WH_WORDS
from evaluation.variations.rewritten import RewrittenMaker

VERSION = "1"
INSTRUCTION = (
    "Rewrite the question as somebody would type it to a friend: plain short words, contractions "
    "(what's, who'd, didn't), casual phrasing. {opening} Keep every name, number, date, quotation, "
    "comparison, negation and condition. Do not answer it. Do not add any fact, name or number. It "
    "must ask for the same answer. Write it on one line and nothing else."
)
# The parent work asks for varied openings and forbids one that comes again and again.
OPENINGS = (
    "Begin with the question word.",
    "Begin with a contraction.",
    "Begin with the name or thing that is asked about.",
    "Begin with a short casual phrase of your own; not with 'Hey' or 'So'.",
    "Begin in any way but not with 'Hey', 'So' or 'Yo'.",
)
CONTRACTION = re.compile(
    r"(?i)\b(?:\w+n['\u2019]t|(?:i|you|he|she|it|we|they|who|what|when|where|why|how|that|there|here)"
    r"['\u2019](?:s|d|ll|re|ve|m)|let['\u2019]s|y['\u2019]all)\b"
    r"|\b(?:whats|whos|wheres|dont|didnt|doesnt|isnt|wasnt|cant|wont|im|ive)\b"
)
CASUAL = re.compile(
    r"(?i)\b(?:hey|hi|yo|so|ok|okay|um|uh|well|btw|lol|gonna|wanna|gotta|gotcha|kinda|sorta|dunno|"
    r"lemme|gimme|cuz|cause|ya|yeah|yep|nope|guy|guys|dude|folks|kid|kids|stuff|thing|things|"
    r"a lot|lots|pretty much|kind of|sort of|just|really|anyway|super|cool|"
    r"awesome|big|bit|bunch|get|got|gets|pick|picked|come up with|figure out|any idea|"
    r"any clue|mind telling|tons?|thanks|pls|plz|u|r|ur)\b"
)

_RUN_TOGETHER = frozenset("whats whos wheres whens hows whys whod".split())


@dataclass(frozen=True, slots=True)
class Features:
    """What makes a text casual, counted: contractions, casual words, missing capitals or marks."""

    contractions: int
    casual: int
    careless: int

    @property
    def formality(self) -> int:
        """Return 0 for a text with none of them, and less the more there are."""
        return -(self.contractions + self.casual + self.careless)


def features(text: str) -> Features:
    """Return the counts for a text. Careless are a small letter in front, a small "i", and an end
    without ".", "!" or "?".
    """
    stripped = text.strip()
    first = next((letter for letter in stripped if letter.isalpha()), "A")
    careless = int(first.islower()) + len(re.findall(r"\bi\b", stripped))
    careless += not stripped.rstrip("\"'\u201d\u2019)").endswith((".", "!", "?"))
    return Features(len(CONTRACTION.findall(stripped)), len(CASUAL.findall(stripped)), careless)


def less_formal(source: Source, text: str) -> Check:
    """The text has more contractions, casual words and missing capitals than the source."""
    before, after = features(source.text), features(text)
    # A request that has no capitals to lose may be written with them.
    careless = max(0, after.careless - before.careless)
    falls = after.contractions + after.casual + careless > before.contractions + before.casual
    why = (
        ""
        if falls
        else "It is no less formal than the request: it has no more contractions, casual words or "
        "missing capitals."
    )
    values = {
        "formality": after.formality,
        "source_formality": before.formality,
        "contractions": after.contractions,
        "casual": after.casual,
        "careless": after.careless,
    }
    return Check("less_formal", VERSION, falls, why, values)


def still_asks(source: Source, text: str) -> Check:
    """A question is still one: it ends with a question mark, or has a question word among its
    first four or an auxiliary in front.
    """
    if not source.text.rstrip().endswith("?"):
        return Check("still_asks", "1", True)
    words = re.findall(r"[a-z]+", text.lower())[:4]
    asks = (
        text.rstrip(" \"'\u201d\u2019)").endswith("?")
        or any(word in WH_WORDS or word in _RUN_TOGETHER for word in words)
        or words[:1]
        and words[0] in AUXILIARIES
    )
    return Check("still_asks", "1", bool(asks), "" if asks else "It is no question any more.")


@register("formality", version="1")
class FormalityMaker(RewrittenMaker):
    """The request in simpler words, contractions and casual phrasing, by a language model.

    A text stands if contractions, casual words and missing capitals are more than in the request,
    every number, quotation and name is kept and none is added.

    Source: Jang et al. 2026, arXiv 2604.10745, whose parent work measures formality with a ranking
    model; counted features stand for it here. The prompt is our own.
    """

    category = _("Is it less formal than the original?")
    instruction = INSTRUCTION

    def prompts(self) -> Mapping[str, str]:
        return {**super().prompts(), "openings": "\n".join(OPENINGS)}

    def told(self, draws: random.Random) -> str:
        return INSTRUCTION.format(opening=draws.choice(OPENINGS))

    def own_checks(self, source: Source, made: Proposal) -> Sequence[Check]:
        return [
            less_formal(source, made.text),
            still_asks(source, made.text),
            adds_nothing(source, made.text),
            length_like(source, made.text),
        ]
