"""Whether the subject of a finite verb is singular or plural, where that is sure. Pure."""

from collections.abc import Sequence

from contracts.language import Parsed, Token
from evaluation.variations import grammar_words as words
from evaluation.variations import verbs


def subject_number(parsed: Parsed, verb: int) -> int | None:
    """Return 1 or 2 for a singular or plural subject of the finite verb; None when not sure."""
    tokens = parsed.tokens
    token = tokens[verb]
    if token.tag not in ("VBZ", "VBP", "VBD", "VB"):
        return None
    if token.tag in ("VBD", "VB") and token.text.lower() not in ("was", "were", "have", "do"):
        return None
    holder = token.head if token.dep in ("aux", "auxpass") else verb
    if any(t.head == holder and (t.tag == "MD" or t.tag == "TO") for t in tokens):
        return None
    if token.tag == "VB" and token.dep not in ("aux", "auxpass"):
        return None
    subjects = [
        n for n, t in enumerate(tokens) if t.head == holder and t.dep in ("nsubj", "nsubjpass")
    ]
    if len(subjects) != 1:
        return None
    others = [n for n, t in enumerate(tokens) if t.dep == "attr" and t.head == holder]
    if others:
        return _equation_number(parsed, verb, [*subjects, *others])
    subject = tokens[subjects[0]]
    if _are_joined(tokens, subjects[0]):
        return 2
    if subjects[0] == 0 and subject.text.lower() in ("who", "what") and verb == 1:
        # "Who decide on it?" and "What were made there?" are wrong; "Who were born?" may not be.
        plain = token.text.lower() not in words.SWAPS
        return 1 if token.tag == "VBZ" and plain or subject.text.lower() == "what" else None
    if subject.text.lower() in words.GROUPS:
        return None
    if any(t.head == subjects[0] and t.dep in ("conj", "cc", "nummod", "appos") for t in tokens):
        return None
    if subject.tag == "PRP":
        return {"he": 1, "she": 1, "it": 1, "they": 2, "we": 2}.get(subject.text.lower())
    determined = {t.text.lower() for t in tokens if t.head == subjects[0]}
    if (
        determined & {"which", "what", "whose", "any", "no", "all", "some", "much"}
        and subject.tag != "NN"
    ):
        return None
    if (
        subject.tag == "NN"
        and subject.text.islower()
        and determined & (words.ONE | {"the", "which", "what", "his", "her", "its", "their"})
    ):
        return 1
    if subject.tag == "NNS" and subject.text.islower() and verbs.singular(subject.text):
        return 2
    if subject.tag == "NNP" and any(
        name.label == "PERSON" and name.start <= subject.start < name.end for name in parsed.names
    ):
        return 1
    return None


def _are_joined(tokens: Sequence[Token], subject: int) -> bool:
    """Whether a subject is two names or nouns with "and", which take a plural verb."""
    joined = [t for t in tokens if t.head == subject and t.dep in ("cc", "conj")]
    links = [t.text.lower() for t in joined if t.dep == "cc"]
    proper = all(t.tag in ("NNP", "NN", "NNPS") for t in joined if t.dep == "conj")
    return len(joined) == 2 and links == ["and"] and proper and tokens[subject].tag == "NNP"


def _equation_number(parsed: Parsed, verb: int, sides: list[int]) -> int | None:
    """Return 1 for "who is the winner": a bare question word and one thing, which is no group."""
    tokens = parsed.tokens
    asked = [n for n in sides if tokens[n].text.lower() in ("who", "what") and n == verb - 1]
    told = [n for n in sides if n not in asked]
    if len(asked) != 1 or len(told) != 1 or len(sides) != 2:
        return None
    noun = tokens[told[0]]
    if noun.tag != "NN" or not noun.text.islower() or noun.text in words.GROUPS:
        return None
    own = [t for t in tokens if t.head == told[0]]
    if any(t.dep in ("conj", "cc", "appos") for t in own):
        return None
    return 1 if any(t.text.lower() in ("the", "a", "an") for t in own) else None
