"""Rules that put one grammar error into a correct English text. Each is pure: the text as spaCy
reads it goes in, the places come out where the rule makes an error for certain.

A rule that is not sure of a place leaves it out: a subject that may be taken as singular or plural
(a team, a company), a noun that may go without an article, a preposition that another may replace.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from contracts.language import Parsed, Token
from evaluation.variations import grammar_words as words
from evaluation.variations import verbs
from evaluation.variations.agreeing import subject_number
from evaluation.variations.english import DO
from evaluation.variations.subjects import may_be_base, verb_after_do

Rule = Callable[[Parsed], Iterator["Error"]]


@dataclass(frozen=True, slots=True)
class Error:
    """One error to make: the token's place among spaCy's tokens, and what stands there then ("" for
    a word that is dropped).
    """

    rule: str
    token: int
    becomes: str


def agreement(parsed: Parsed) -> Iterator[Error]:
    """The verb takes the other number than its subject: "Where are the castle?" """
    tokens = parsed.tokens
    for place, token in enumerate(tokens):
        number = subject_number(parsed, place)
        if number is None:
            continue
        lower = token.text.lower()
        if lower in words.SWAPS:
            singular = lower in words.SINGULAR_FORMS
            if singular == (number == 1):
                yield Error("agreement", place, _cased(words.SWAPS[lower], token.text))
        elif token.tag == "VBZ" and number == 1 and (base := verbs.base_of(token.text)):
            yield Error("agreement", place, base)
        elif token.tag == "VBP" and number == 2 and token.text.islower() and token.text.isalpha():
            yield Error("agreement", place, verbs.third_person(token.text))


def article(parsed: Parsed) -> Iterator[Error]:
    """ "a" and "an" are exchanged, or an article is dropped that its noun cannot do without."""
    tokens = parsed.tokens
    for place, token in enumerate(tokens[:-1]):
        lower, after = token.text.lower(), tokens[place + 1]
        if token.tag != "DT" or lower not in ("a", "an", "the"):
            continue
        if not after.text[:1].isalpha():
            continue
        if lower in words.VOWEL_WORDS and _sound_is_plain(after.text):
            other = "an" if lower == "a" else "a"
            yield Error("article_swap", place, _cased(other, token.text))
        if place and (_needs_article(parsed, place) or _names_with_article(parsed, place)):
            yield Error("article_drop", place, "")


def tense_after_did(parsed: Parsed) -> Iterator[Error]:
    """After "did" the verb takes the past form: "When did the war ended?" """
    for place, token in enumerate(parsed.tokens):
        if token.tag not in ("VB", "VBP") or not token.text.islower() or not token.text.isalpha():
            continue
        helpers = [t for t in parsed.tokens[:place] if t.head == place and t.dep == "aux"]
        if any(t.text.lower() in DO for t in helpers) and not any(
            t.tag in ("TO", "MD") for t in helpers
        ):
            did = next(t.text.lower() for t in helpers if t.text.lower() in DO)
            if not may_be_base(token.text, did) or not _has_subject(parsed, place):
                continue
            past = verbs.past(token.text) if did == "did" else verbs.third_person(token.text)
            if past != token.text:
                yield Error("tense_after_did", place, past)


def wrong_number(parsed: Parsed) -> Iterator[Error]:
    """The noun takes the other number than its determiner: "how many point", "a actors"."""
    tokens = parsed.tokens
    for place, token in enumerate(tokens):
        if not token.text.islower() or not token.text.isalpha() or token.tag not in ("NN", "NNS"):
            continue
        if place + 1 < len(tokens) and tokens[place + 1].tag in (
            "NN",
            "NNS",
            "NNP",
            "NNPS",
            "HYPH",
            "POS",
        ):
            continue  # the determiner may be that of the noun after it
        before = [
            t for t in tokens[:place] if t.head == place and t.dep in ("det", "nummod", "amod")
        ]
        said = {t.text.lower() for t in before}
        several = said & words.MANY or any(_is_several(t) for t in before if t.dep == "nummod")
        if token.tag == "NNS" and several and (one := verbs.singular(token.text)):
            yield Error("wrong_number", place, one)
        elif (
            token.tag == "NN"
            and said & words.ONE
            and not several
            and (more := verbs.plural(token.text))
        ):
            yield Error("wrong_number", place, more)


def preposition(parsed: Parsed) -> Iterator[Error]:
    """A preposition that its year, day or governing word does not take: "on 1915"."""
    tokens = parsed.tokens
    for place, token in enumerate(tokens[:-1]):
        if token.tag not in ("IN", "TO"):
            continue
        after = tokens[place + 1]
        following = tokens[place + 2].text if place + 2 < len(tokens) else ""
        ends = following in ("", "?", ".", ",", "!")
        word, lower = token.text.lower(), after.text.lower()
        if word == "in" and words.YEAR.match(after.text) and (ends or not following[:1].isupper()):
            if ends or tokens[place + 2].tag in ("IN", "CC", "TO"):
                yield Error("preposition", place, _cased("on", token.text))
        elif (
            word == "in"
            and lower in words.MONTHS
            and after.text[0].isupper()
            and (ends or following == "of")
        ):
            yield Error("preposition", place, _cased("at", token.text))
        elif word == "on" and lower in words.WEEKDAYS | words.MONTHS and after.text[0].isupper():
            yield Error("preposition", place, "in" if lower in words.WEEKDAYS else "at")
        elif word == "in" and lower in ("what", "which") and following.lower() in words.TIMES:
            yield Error("preposition", place, _cased("at", token.text))
        elif word == "in" and lower == "common" and ends:
            yield Error("preposition", place, _cased("on", token.text))
        elif place and (governed := words.GOVERNED.get(tokens[place - 1].text.lower())):
            right, wrong = governed
            if word == right:
                yield Error("preposition", place, _cased(wrong, token.text))


RULES: Mapping[str, Rule] = {
    "agreement": agreement,
    "article": article,
    "tense_after_did": tense_after_did,
    "wrong_number": wrong_number,
    "preposition": preposition,
}


def errors(text: str, parsed: Parsed) -> dict[str, list[Error]]:
    """Return for each rule that applies the errors that it can make, in the order of the text."""
    found = {name: list(rule(parsed)) for name, rule in RULES.items()}
    if not found["tense_after_did"] and (verb := verb_after_do(text.rstrip("?"))) is not None:
        did, place, word = verb
        past = verbs.past(word) if did == "did" else verbs.third_person(word)
        if past != word and parsed.tokens[place].text == word:
            found["tense_after_did"] = [Error("tense_after_did", place, past)]
    return {name: made for name, made in found.items() if made}


def with_error(text: str, parsed: Parsed, error: Error) -> str:
    """Return the text with one error made; a dropped word takes the blank after it along, and the
    next word its capital letter.
    """
    token = parsed.tokens[error.token]
    before, after = text[: token.start], text[token.end :]
    if error.becomes:
        return f"{before}{error.becomes}{after}"
    after = after.lstrip(" ")
    if token.text[0].isupper() and after:
        after = after[0].upper() + after[1:]
    return before + after


def _has_subject(parsed: Parsed, verb: int) -> bool:
    """Whether the parser found a subject before a verb; else it may have taken a name for one."""
    before = parsed.tokens[:verb]
    return any(t.head == verb and t.dep in ("nsubj", "nsubjpass", "expl") for t in before)


def _needs_article(parsed: Parsed, place: int) -> bool:
    """Whether the noun after an article is a countable singular, or its adjective a superlative."""
    tokens = parsed.tokens
    lower = tokens[place].text.lower()
    if tokens[place + 1].text[0].isupper() or tokens[place + 1].text.lower() in (
        "few",
        "lot",
        "minimum",
        "maximum",
        "little",
        "number",
    ):
        return False
    head = tokens[tokens[place].head]
    if tokens[place].head <= place or head.tag != "NN" or not head.text.islower():
        return False
    if any(t.tag in ("NNP", "NNPS") for t in tokens[place + 1 : tokens[place].head]):
        return False
    if lower in ("a", "an"):
        return verbs.plural(head.text) is not None and head.text not in words.BARE
    if any(t.tag in ("JJS", "RBS") for t in tokens[place + 1 : tokens[place].head]):
        return True
    after = tokens[place].head + 1
    return (
        head.text in words.RELATIONS
        and tokens[place].head == place + 1
        and after < len(tokens)
        and tokens[after].text == "of"
    )


def _names_with_article(parsed: Parsed, place: int) -> bool:
    """Whether "the" belongs to a name that never goes without it: "in the United States"."""
    if parsed.tokens[place].text != "the" or parsed.tokens[place - 1].tag not in ("IN", "TO"):
        return False
    following = " ".join(token.text for token in parsed.tokens[place + 1 : place + 3])
    after = parsed.tokens[place + 3].tag if place + 3 < len(parsed.tokens) else ""
    two, one = following in words.WITH_ARTICLE, following.split(" ")[0] in words.WITH_ARTICLE
    return (two and not after.startswith(("NN", "JJ", "POS"))) or (
        one and parsed.tokens[place + 2].tag in (".", ",", "IN", "WDT")
    )


def _sound_is_plain(word: str) -> bool:
    """Whether the first letter says for certain if the word begins with a vowel's sound."""
    lower = word.lower()
    if word.isupper() or len(word) < 2 or not word.isalpha():
        return False
    return not lower.startswith(("u", "eu", "h", "one", "once", "ou", "x", "y"))


def _is_several(token: Token) -> bool:
    digits = token.text.replace(",", "")
    return (digits.isdigit() and int(digits) > 1) or token.text.lower() in words.MANY


def _cased(word: str, like: str) -> str:
    if like.isupper() and len(like) > 1:
        return word.upper()
    return word.capitalize() if like[:1].isupper() else word
