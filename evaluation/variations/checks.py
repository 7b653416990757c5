"""The validators that several kinds of variation share. Each is named and versioned; only those
that decide reject a text.

Source: Jang et al. 2026 (arXiv 2604.10745) names the six kinds; what is checked is our decision:
every number, quotation and name is kept, no answer comes in, and likeness is recorded as triage.
"""

import re
from collections.abc import Sequence
from typing import Any

from evaluation.registry import PartError
from evaluation.variations.base import Check, Source
from evaluation.variations.damage import leaks
from evaluation.variations.english import one_line, words_of
from evaluation.variations.protection import NEGATIONS, NOT, OPENERS, QUOTED

LIKE_ENOUGH = 0.7  # the least cosine that the parent work asks for; here it is recorded alone

_SHOWN = 5
_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
_NO_IDEA = re.compile(r"(?i)\b(?:no (?:idea|clue)|(?:do not|don['\u2019]?t) know|dunno)\b")
_DENYING = (NEGATIONS - {"except", "non"}) | frozenset(
    "aint arent cant couldnt didnt doesnt dont hadnt hasnt havent isnt shouldnt wasnt werent wont "
    "wouldnt".split()
)
_EXCLUDES = re.compile(
    r"(?:except|exclud|fail|lack|absen|devoid|refus|declin|omit|barred|barring|non)\w*|"
    r"(?:un|in|im|ir|il|dis|mis)\w{5,}|\w+(?:less|proof)"
)
_NEGATED = re.compile(r"n['\u2019]t$")
_POSSESSIVE = re.compile(r"['\u2019]s$")


def differs(source: Source, text: str) -> Check:
    """The text is not the source, white space aside."""
    same = one_line(source.text) == one_line(text)
    why = "It is the same text as the request." if same else ""
    return Check("differs", "1", not same, why)


def not_empty(text: str) -> Check:
    """The text has a word."""
    has = bool(words_of(text))
    return Check("not_empty", "1", has, "" if has else "It has no words.")


def facts_kept(source: Source, text: str) -> Check:
    """Every number, quoted span and capitalised name of the source stands in the text.

    Names are compared without case, so a text may write them small: whether it may is another
    check's business. Numbers are compared as they are written.
    """
    folded = _folded(text)
    numbers = _NUMBER.findall(text)
    missing = [number for number in _unique(_NUMBER.findall(source.text)) if number not in numbers]
    missing += [f'"{span}"' for span in quoted(source.text) if _bare(span) not in _bare(folded)]
    present = {word.casefold() for word in _names_in(text, every=True)}
    missing += [name for name in names(source.text) if name.casefold() not in present]
    why = f"It lacks what the request has: {_listed(missing)}." if missing else ""
    return Check("facts_kept", "1", not missing, why, {"missing": missing})


def adds_nothing(source: Source, text: str) -> Check:
    """The text has no number and no capitalised name that the source lacks."""
    known_numbers = _NUMBER.findall(source.text)
    known = {word.casefold() for word in _names_in(source.text, every=True)}
    added = [number for number in _unique(_NUMBER.findall(text)) if number not in known_numbers]
    added += [name for name in names(text, opening=False) if name.casefold() not in known]
    why = f"It adds what the request does not have: {_listed(added)}." if added else ""
    return Check("adds_nothing", "1", not added, why, {"added": added})


def answer_not_leaked(source: Source, text: str) -> Check:
    """No answer stands in the text, unless it stood in the source.

    The text of the check does not repeat the answer: people who review a variation may not see it.
    """
    leaked = leaks(source.text, text, source.answers)
    why = "It has an answer in it that the request does not have." if leaked else ""
    return Check("answer_not_leaked", "1", not leaked, why, {"answers": len(source.answers)})


def negation_kept(source: Source, text: str) -> Check:
    """A request that denies something still does, and no other one does now.

    A word that lacks or excludes may stand for a "not". "No idea who" denies nothing asked.
    """
    denied, denies = _denies(source.text), _denies(text)
    why = ""
    if denied and not denies and not _excluding(text) - _excluding(source.text):
        why = "It lacks the negation of the request."
    elif denies and not denied and not _excluding(source.text) - _excluding(text):
        why = "It has a negation that the request does not have."
    return Check("negation_kept", "1", not why, why)


def length_like(source: Source, text: str, *, within: float = 0.1) -> Check:
    """The number of words is within 10 % of the source's. It is recorded and decides nothing."""
    before, after = len(words_of(source.text)), len(words_of(text))
    share = (after - before) / before if before else None
    near = share is not None and abs(share) <= within
    why = "" if near else f"It has {after} words where the request has {before}."
    values = {"words": after, "source_words": before, "change": share}
    return Check("length", "1", near, why, values, decides=False)


def like_the_source(source: Source, text: str, encoder: Any = None) -> Check | None:
    """The cosine of both texts' embeddings, with what names the model, for triage alone: it decides
    nothing. None where no embedding model is installed.

    `encoder` is one of evaluation.retrieval.embedding; none is the bundled MiniLM, loaded now.
    """
    if encoder is None:
        # Imported on use: it brings numpy, and with the first text torch.
        from evaluation.retrieval.embedding import EmbeddingParameters, Encoder

        try:
            encoder = Encoder(EmbeddingParameters())
        except PartError:
            return None
    before, after = encoder.embed([one_line(source.text), one_line(text)])
    cosine = round(float(before @ after), 4)
    alike = cosine >= LIKE_ENOUGH
    why = "" if alike else f"Its likeness to the request is {cosine:.2f}, below {LIKE_ENOUGH}."
    values = {"cosine": cosine, "model": encoder.model()}
    return Check("similarity", "1", alike, why, values, decides=False)


def shared_checks(source: Source, text: str, *, similarity: bool = False) -> list[Check]:
    """Return the validators that every kind but spelling has."""
    found = [
        not_empty(text),
        differs(source, text),
        facts_kept(source, text),
        negation_kept(source, text),
        answer_not_leaked(source, text),
    ]
    alike = like_the_source(source, text) if similarity else None
    return [*found, alike] if alike is not None else found


def names(text: str, *, opening: bool = True) -> list[str]:
    """Return the capitalised words of a text, each once and without a possessive 's.

    The first word of a sentence counts unless it is a word that begins sentences (a question word,
    a preposition, …); without `opening` it never does, unless it has capitals inside it.
    """
    return _unique(_names_in(text, opening=opening))


def quoted(text: str) -> list[str]:
    """Return what stands between quotation marks, without them."""
    return _unique(match[0][1:-1] for match in QUOTED.finditer(text))


def _excluding(text: str) -> set[str]:
    words = {word.casefold() for word in words_of(text)}
    return {word for word in words if _EXCLUDES.fullmatch(word)}


def _denies(text: str) -> bool:
    told = _NO_IDEA.sub("", text)
    words = {word.casefold() for word in words_of(told)}
    return bool(words & _DENYING) or NOT.search(told) is not None


def _names_in(text: str, *, opening: bool = True, every: bool = False) -> list[str]:
    found: list[str] = []
    if text.isupper() and not every:
        return found  # capitals alone name nothing
    for match in re.finditer(r"\w+(?:['\u2019]\w+)?", text):
        word = _NEGATED.sub("", _POSSESSIVE.sub("", match[0])) or match[0]
        before = text[: match.start()].rstrip(" \"'\u201c\u2018(")
        first = not before or before[-1] in ".!?:"
        inside = any(letter.isupper() for letter in word[1:])
        if every:
            found += [word]
        elif word[0].isupper() and (
            not first or inside or (opening and word.lower() not in OPENERS)
        ):
            if word != "I":
                found.append(word)
    return found


def _unique(found: Any) -> list[str]:
    return list(dict.fromkeys(found))


def _folded(text: str) -> str:
    return one_line(text).translate({0x2019: "'", 0x2018: "'", 0x201C: '"', 0x201D: '"'})


def _bare(text: str) -> str:
    """Return a text in lower case without the punctuation that may stand inside a quotation."""
    return one_line(re.sub(r"[,.!?]", "", _folded(text))).casefold()


def _listed(found: Sequence[str]) -> str:
    shown = ", ".join(found[:_SHOWN])
    more = len(found) - _SHOWN
    return f"{shown} and {more} more" if more > 0 else shown
