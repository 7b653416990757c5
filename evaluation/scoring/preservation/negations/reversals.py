"""What a denial may be turned into: the other direction, an antonym, a prefix put on or off."""

from collections.abc import Iterable
from functools import cache

from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.finding import Finding, Reading, altered, stated, unsure
from evaluation.scoring.preservation.negations.kindred import kindred
from evaluation.scoring.preservation.text import Text, Word, read_text
from evaluation.scoring.preservation.wording import (
    all_present,
    denied,
    has_cue,
    negator_before,
    without_prefix,
)  # fmt: skip

# Adjectives that take a negating prefix and leave no third way ("impossible" or "possible").
_EITHER_OR = frozenset(
    "possible legal lawful valid complete regular available able avoidable reversible visible "
    "mortal finite equal even stable safe common usual known".split()
)
_NEGATING = ("un", "in", "im", "il", "ir", "non", "dis")
_NOUN_ENDINGS = ("ity", "ities", "ness")


# ---------------------------------------------------------------- directions


@cache
def _directions() -> dict[str, str]:
    """Root of a one-word change : its direction."""
    entries = lexicon.phrases("opposites").entries
    return {read_text(words[0]).roots[0]: mean for words, mean in entries if len(words) == 1}


def turned_direction(reading: Reading, roots: list[str]) -> Finding | None:
    """For a denied change ("did not sink"): "rose" asserts more, "flat or rising" says the same,
    "fell" asserts what is denied, "did not fall" denies it in another word."""
    table = _directions()
    asked = {table[one] for one in roots if one in table}
    if len(asked) != 1:
        return None
    direction = asked.pop()
    topic = [one for one in roots if one not in table]
    for text in reading.queries:
        hits = [hit for hit in lexicon.phrases("opposites").all_in(text) if _is_change(text, hit)]
        same = [hit for hit in hits if hit.meaning == direction]
        other = [hit for hit in hits if hit.meaning != direction]
        found = None
        if other and not same:
            found = _other_direction(text, other[0], topic)
        elif same and not other and not any(text.roots[same[0].first] == one for one in roots):
            found = _same_direction(text, same[0], topic)
        if found:
            return found
    return None


def _is_change(text: Text, hit: lexicon.Found) -> bool:
    """Whether "up" and "down" say a change, and not a bound or a place ("up to", "cut-off")."""
    following = text.words[hit.end].text if hit.end < len(text) else ""
    lone = hit.end == hit.first + 1 and text.words[hit.first].text in ("up", "down")
    return not (lone and following in ("to", "until", "from", "for", "at"))


def _other_direction(text: Text, hit: lexicon.Found, topic: list[str]) -> Finding | None:
    quote = text.quote(hit.first, hit.end)
    words = {word.text for word in text.words}
    steady = bool(words & lexicon.words("steady"))
    if steady and "or" in words:
        return stated(quote, "No change or the other direction is what the denial admits.")
    if has_cue(text) or steady:
        return unsure(quote, "The other direction is there, perhaps denied.")
    if all_present(text, topic):
        return altered(quote, "The other direction asserts more than the denial does.")
    return None


def _same_direction(text: Text, hit: lexicon.Found, topic: list[str]) -> Finding | None:
    quote = text.quote(hit.first, hit.end)
    if not all_present(text, topic):
        return None
    if denying := negator_before(text, hit.first):
        return stated(text.quote(denying.first, hit.end), "The change is denied in another word.")
    if has_cue(text) or denied(text, hit.first, hit.end):
        return unsure(quote, "The change is there in another word, perhaps denied.")
    return altered(quote, "The change is asserted, in another word, without the negation.")


# ---------------------------------------------------------------- prefixes and antonyms


def prefixed_word(text: Text, telling: str, word: str) -> int | None:
    """Where a word stands that denies `telling` by its form: "uninsured" for "insured",
    "unlicensed" and "licenceless" for "licence"; else None."""
    for at, found in enumerate(text.words):
        bare = without_prefix(found.stem)
        if bare and (bare == telling or _negative(found.text) and _akin(bare, word)):
            if found.stem != word:
                return at
        if found.text.endswith("less") and len(found.text) > 6:
            rest = found.text[:-4]
            if read_text(rest).roots[:1] == (telling,):
                return at
    return None


def _negative(word: str) -> bool:
    """Whether a prefix denies for sure: "unlicensed", "intolerant", but not "instated"."""
    adjective = word.endswith(("ant", "ent", "able", "ible"))
    return word.startswith("un") or word.startswith("in") and adjective


def _akin(bare: str, word: str) -> bool:
    """ "licens" and "licence", "insur" and "insurance": the first five letters, and nearly all."""
    return bare[:5] == word[:5] and len(bare) >= 5 and abs(len(bare) - len(word)) <= 4


def bare_word(text: Text, word: Word) -> int | None:
    """Where the positive of a target that is itself negative stands: "possible" for "impossible".
    None for a target or a positive that leaves a third way ("unhappy")."""
    for prefix in _NEGATING:
        rest = word.text.removeprefix(prefix)
        if rest != word.text and (rest in _EITHER_OR or rest.endswith("ed") and len(rest) > 4):
            return next((i for i, found in enumerate(text.words) if found.text == rest), None)
    return None


def noun_of_negative(text: Text, word: Word) -> int | None:
    """Where the noun of a negative target stands: "impossibility" asserts what "not impossible"
    denies. The noun of a positive one ("availability") is only its topic."""
    negative = any(
        word.text.startswith(prefix) and word.text.removeprefix(prefix) in _EITHER_OR
        for prefix in _NEGATING
    )
    if not negative:
        return None
    head = word.text[: max(5, len(word.text) - 3)]
    return next(
        (
            at
            for at, found in enumerate(text.words)
            if found.text.startswith(head) and found.text.endswith(_NOUN_ENDINGS)
        ),
        None,
    )


@cache
def antonym_roots(word_root: str) -> frozenset[str]:
    """Return the roots of the words that say what the denial of a word says."""
    own = kindred(word_root)
    return frozenset(
        other_root
        for word, other in lexicon.table("antonyms").items()
        if read_text(word).roots[0] in own
        for other_root in kindred(read_text(other).roots[0])
    )


def antonym_at(text: Text, roots: Iterable[str], telling: Iterable[str]) -> int | None:
    """Where an antonym of one telling word stands while the rest of the target is there too."""
    held = set(text.roots)
    for one in telling:
        others = [root for root in roots if root != one]
        if one in held or not all(root in held for root in others):
            continue
        wanted = antonym_roots(one)
        found = next((at for at, root in enumerate(text.roots) if root in wanted), None)
        if found is not None:
            return found
    return None
