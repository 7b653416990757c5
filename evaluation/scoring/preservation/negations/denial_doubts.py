"""What makes it doubtful that a target is asserted, or that nothing denies it."""

from bisect import bisect_left

from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.finding import Reading
from evaluation.scoring.preservation.negations.amounts import taken_before_or_after
from evaluation.scoring.preservation.negations.endings import over_in_other_words
from evaluation.scoring.preservation.text import Text, Word, read_text
from evaluation.scoring.preservation.wording import (
    content,
    excluded_by_sign,
    merely_free,
    part_of_bound,
)  # fmt: skip

_FINDING = ("find", "finding", "found", "figure", "figuring", "check", "checking", "carried",
            "carrying", "point", "points", "pointed", "set", "sets", "laid")  # fmt: skip
# What may stand between a verb and the one that it takes, and verbs without "-ed" that take one.
_LINKS = ("from", "on", "in", "of", "out", "their", "its", "with", "at", "for")
_SHORT_VERBS = ("quit", "quits", "avoid", "avoids", "resist", "resists", "put", "left")
_DASHES = ("-", "−", "–")


def may_be_denied(
    reading: Reading, text: Text, cues: list[Text], roots: list[str], close: bool, asked: str
) -> str:
    """Why a target that is there may be denied all the same, or "". `asked` are the words of the
    request that deny it."""
    if any(_may_cover(reading, text, other, roots) for other in cues):
        return "The target is there, and a negation that does not clearly cover it."
    if _has_turn(reading, text, roots):
        return "The target is there beside a “but”, a hedge or a minus sign."
    if _may_lie_ahead(text, roots):
        return "What is to be, or lies outside of the target, may not be the target."
    if _denies_a_verb(asked) and _led_by_another_verb(reading, text, roots):
        return "A word before the target may say that it is not done."
    if any(word.stem == "failure" for word in text.words):
        return "The target is there beside a failure, perhaps of just that."
    if taken_before_or_after(text, roots):
        return "An amount before or after the target may leave it out."
    if not close:
        return "The words of the target are there, but far apart."
    if opposing(reading):
        return "The target is there beside a word that may reverse it."
    return ""


def only_noun(text: Text, target: Text, telling: list[str]) -> str:
    """The noun of a denied verb or participle ("insurance" for "not insured") may be a topic."""
    endings = ("ance", "ence", "tion", "ment", "al")
    for one in telling:
        said = [word for at, word in enumerate(text.words) if text.roots[at] == one]
        asked = [word for at, word in enumerate(target.words) if target.roots[at] == one]
        # A noun may have been read as the word of the target: its letters tell.
        nouns = said and all(_singular(word).endswith(endings) for word in said)
        if nouns and not any(_singular(word).endswith(endings) for word in asked):
            return "The target is there as a noun, which may be no more than the topic."
    return ""


def _singular(word: Word) -> str:
    return word.raw.casefold().removesuffix("s")


def foreign_cues(text: Text, roots: list[str]) -> list[lexicon.Found]:
    """The negations and exclusions of a text that are neither words of the target ("fail to")
    nor part of a bound ("no more than 3")."""
    return [
        hit
        for name in ("negations", "exclusions", "exclusions_after")
        for hit in lexicon.phrases(name).all_in(text)
        if text.roots[hit.first] not in roots
        and not part_of_bound(text, hit)
        and not merely_free(text, hit)
    ]


def unexplained(reading: Reading, text: Text, roots: list[str]) -> str:
    """The first cue that denies a word which the request lacks, or nothing that follows it."""
    places = content(text)
    for hit in foreign_cues(text, roots):
        following = places[bisect_left(places, hit.end) :][:1]
        if lexicon.phrases("exclusions_after").starting_at(text, hit.first) == hit:
            return text.quote(hit.first, hit.end)
        known = following and text.roots[following[0]] in reading.known_roots
        if not known:
            return text.quote(hit.first, hit.end)
    return ""


def _has_turn(reading: Reading, text: Text, roots: list[str]) -> bool:
    """Whether a query has a "but", or a minus sign before a word, that may leave something out.
    A word of the target ("drop out") and the exclamation mark of a sentence are none."""
    turning = lexicon.words("turns") | lexicon.words("hedges") | lexicon.words("removers")
    words = [word.text for word in text.words]
    if "than" in words and {"other", "others", "else"} & set(words[: words.index("than")]):
        return True
    return any(
        (
            word.text in turning
            and text.roots[at] not in roots
            and not _found_out(text, at)
            and not _turns_to_another(reading, text, at)
        )
        or excluded_by_sign(text, at)
        or word.gap.endswith("!")
        and _marks_a_word(text, at)
        or word.gap in _DASHES
        and text.raw[text.words[at - 1].end if at else 0] == " "
        for at, word in enumerate(text.words)
    )


def _turns_to_another(reading: Reading, text: Text, at: int) -> bool:
    """Whether "but no" goes over to another thing of the request, which it denies."""
    hit = lexicon.phrases("negations").starting_at(text, at + 1)
    return hit is not None and _denies_another(reading, text, hit)


def _marks_a_word(text: Text, at: int) -> bool:
    """Whether an exclamation mark stands before a word ("!toys", "! toys"), and ends none."""
    between = text.raw[text.words[at - 1].end if at else 0 : text.words[at].start]
    return at == 0 or between[:1].isspace() or not between[-1:].isspace()


def _found_out(text: Text, at: int) -> bool:
    """Whether "out" belongs to a verb of finding: "find out which …"."""
    before = text.words[at - 1].text if at else ""
    return text.words[at].text == "out" and before in _FINDING


def tightest(text: Text, roots: list[str]) -> int:
    """How far apart the words of a target stand where they stand closest; all are there."""
    wanted, last = set(roots), dict[str, int]()
    found = len(text)
    for at, one in enumerate(text.roots):
        if one in wanted:
            last[one] = at
            if len(last) == len(wanted):
                found = min(found, at - min(last.values()))
    return found


def _may_cover(reading: Reading, text: Text, other: Text, roots: list[str]) -> bool:
    """Whether a negation in `other` may deny the target that `text` has. In another query it does
    where it has words of the target, or denies what the request lacks."""
    if other is not text:
        return bool(set(roots) & set(other.roots) or unexplained(reading, other, roots))
    last = max(at for at, one in enumerate(text.roots) if one in roots)
    return any(
        hit.first < last
        or not (
            _denies_a_noun(text, hit)
            or _denies_another(reading, text, hit)
            or _moved(reading, text, hit, roots)
        )
        for hit in foreign_cues(text, roots)
        if not asked_too(reading, text, hit, roots)
    )


def _denies_a_noun(text: Text, hit: lexicon.Found) -> bool:
    """Whether a negation behind the target denies the noun right after it ("heated greenhouses
    without electricity"), and not what went before ("without these")."""
    if text.words[hit.first].text not in ("without", "lacking", "w/o"):
        return False
    word = text.words[hit.end] if hit.end < len(text) else None
    stop = word is None or word.text in lexicon.words("stopwords") or word.text.endswith("ing")
    return not stop and word is not None and word.gap == "" and word.text.isalpha()


def _denies_another(reading: Reading, text: Text, hit: lexicon.Found) -> bool:
    """Whether "no" denies another thing of the request: "sheep but no cattle" for "no sheep"."""
    following = hit.end < len(text) and text.words[hit.end].gap == ""
    alone = text.words[hit.first].text == "no" and hit.end == hit.first + 1
    return alone and following and text.roots[hit.end] in reading.known_roots


def asked_too(reading: Reading, text: Text, hit: lexicon.Found, roots: list[str]) -> bool:
    """Whether the request denies the same other thing in the same words: "no entry fee" of "no
    entry fee except in August"."""
    cue = [word.text for word in text.words[hit.first : hit.end + 1]]
    asked = reading.asked
    own = hit.end < len(text) and text.words[hit.end].gap == "" and text.roots[hit.end] in roots
    size = len(cue)
    return (
        not own
        and not _goes_over(text, hit, roots)
        and size == hit.end - hit.first + 1
        and text.words[hit.end].text not in lexicon.words("stopwords")
        and any(
            [word.text for word in asked.words[at : at + size]] == cue for at in range(len(asked))
        )
    )


def _goes_over(text: Text, hit: lexicon.Found, roots: list[str]) -> bool:
    """Whether a denial may go over to the target behind it: "not licensed or insured"."""
    last = max((at for at, one in enumerate(text.roots) if one in roots), default=0)
    joined = ("or", "nor", "and", "either", "neither")
    return any(
        word.text in joined or word.gap.strip() not in ("", "-")
        for word in text.words[hit.end : last + 1]
    )


def _moved(reading: Reading, text: Text, hit: lexicon.Found, roots: list[str]) -> bool:
    """Whether a "not" behind the target denies another verb of the request: "questioned by police
    not see" for "not questioned by police see"."""
    if text.words[hit.first].text not in ("not", "never") or hit.end != len(text) - 1:
        return False
    word, one = text.words[hit.end], text.roots[hit.end]
    plain = word.gap == "" and word.text not in lexicon.words("stopwords")
    return plain and one in reading.known_roots and one not in roots


def _denies_a_verb(asked: str) -> bool:
    """Whether the words of a request deny what is done ("did not pay", "fail to pay") and not a
    thing ("without a levy"), or are not marked."""
    hits = list(lexicon.phrases("negations").all_in(read_text(asked)))
    doing = [hit for hit in hits if hit.meaning == "verb" or asked and _to(asked, hit)]
    return bool(doing) or not asked


def _to(asked: str, hit: lexicon.Found) -> bool:
    word = read_text(asked).words[hit.end - 1].text
    return word in ("to", "from", "never")


def _led_by_another_verb(reading: Reading, text: Text, roots: list[str]) -> bool:
    """Whether a word that the request lacks takes the target's verb: "forgot to pay", "escaped
    paying", "excused from paying". "Firms paying" and "firms to pay" are led by none."""
    at = next((i for i, one in enumerate(text.roots) if one in roots), 0)
    place, doing = at - 1, text.words[at].text.endswith("ing")
    if place > 0 and text.words[place].text == "being":  # "escaped being monitored"
        place, doing = place - 1, True
    linked = place >= 0 and text.words[place].text in (_LINKS if doing else ("to",))
    while place >= 0 and text.words[place].text in (*_LINKS, "to") and linked:
        place -= 1
    if place < 0 or not (linked or doing) or text.words[place + 1].gap not in ("", "-"):
        return False
    word = text.words[place]
    other = word.text.isalpha() and word.text not in (*lexicon.words("stopwords"), "inclusive")
    verb = linked or word.text.endswith("ed") or word.text in _SHORT_VERBS
    return other and verb and text.roots[place] not in reading.granted_roots


def _may_lie_ahead(text: Text, roots: list[str]) -> bool:
    """Whether the target is said of the future ("to be renewed") or to lie elsewhere ("outside
    Dunmoor")."""
    return any(
        word.text in ("outside", "beyond", "elsewhere")
        or word.text == "be"
        and at > 0
        and text.words[at - 1].text == "to"
        and text.roots[at + 1 : at + 2]
        and text.roots[at + 1] in roots
        for at, word in enumerate(text.words)
        if text.roots[at] not in roots
    )


def opposing(reading: Reading) -> str:
    """A word that may say a denial and that neither request nor contract has: "refuse",
    "unsweetened", "out of order"; or ""."""
    granted = reading.granted_roots | {
        root
        for constraint in reading.contract.constraints
        for rival in constraint.value.get("rivals") or ()
        for root in read_text(str(rival)).roots
    }
    for text in reading.queries:
        if over := over_in_other_words(text, reading.asked):
            return over
        for at, word in enumerate(text.words):
            if text.roots[at] in granted or text.stems[at] in granted:
                continue
            negative = (
                word.text.startswith("un") and word.text.endswith("ed") and len(word.text) > 6
            )
            away = word.text == "out" and text.stems[at + 1 : at + 2] == ("of",)
            if negative or away or text.roots[at] in lexicon.words("reversing"):
                return text.quote(at, at + 1)
    return ""
