"""Polarity: a negation ("not insured") or an exclusion ("apart from night shifts")."""

import re
from bisect import bisect_right

from contracts.terms import ConstraintTerms
from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.finding import (
    Finding,
    Reading,
    altered,
    dropped,
    matcher,
    stated,
    unsure,
)  # fmt: skip
from evaluation.scoring.preservation.negations.amounts import deducted
from evaluation.scoring.preservation.negations.bans import (
    banned,
    denied_inside,
    nothing_may_deny,
    one_of_several,
)  # fmt: skip
from evaluation.scoring.preservation.negations.denial_doubts import (
    asked_too,
    foreign_cues,
    may_be_denied,
    only_noun,
    opposing,
    tightest,
    unexplained,
)  # fmt: skip
from evaluation.scoring.preservation.negations.endings import ended
from evaluation.scoring.preservation.negations.exclusives import judge_only, only_others
from evaluation.scoring.preservation.negations.joined import (
    as_asked,
    both_asked,
    goes_over,
    neither_nor,
    separate,
)  # fmt: skip
from evaluation.scoring.preservation.negations.kindred import mended
from evaluation.scoring.preservation.negations.left_out import (
    left_out_around,
    other_than,
    outside_place,
    pointed_at,
)
from evaluation.scoring.preservation.negations.light_verbs import had, thing_of
from evaluation.scoring.preservation.negations.polarity_filters import carried_polarity
from evaluation.scoring.preservation.negations.reversals import (
    antonym_at,
    bare_word,
    noun_of_negative,
    prefixed_word,
    turned_direction,
)  # fmt: skip
from evaluation.scoring.preservation.text import Text, Word, read_text
from evaluation.scoring.preservation.wording import (
    all_present,
    content,
    content_roots,
    cues_before,
    denied,
    excluded_by_sign,
    has_cue,
    negator_before,
    opens_line,
    runs,
    traces,
)  # fmt: skip

_EVERYTHING_BUT = re.compile(
    r"(?:everything|anything|all)\s+(?:but|except|other than)\s+(.+)", re.I
)


@matcher("polarity")
def match_polarity(constraint: ConstraintTerms, reading: Reading) -> Finding:
    """Look for the target and for a negation or exclusion that covers it."""
    target = str(constraint.value.get("target") or "")
    carried = carried_polarity(target, reading)
    for form in constraint.admissible:
        found = _admissible(reading, form)
        if found:
            return found
    only = _EVERYTHING_BUT.fullmatch(target.strip())
    if only:
        return judge_only(only[1], reading, carried)
    roots = content_roots(read_text(target))
    if not roots:
        return unsure("", "The contract names no target.")
    telling = _telling(constraint, reading, roots)
    queries = [mended(reading, text, read_text(target)) for text in reading.queries]
    for text in queries:
        found = (
            banned(text, roots, reading.span_text(constraint))
            or _covered(text, roots, telling, reading)
            or _by_form(text, read_text(target), roots, telling)
            or deducted(text, roots, reading.span_text(constraint))
            or ended(text, roots, reading.span_text(constraint))
        )
        if found:
            if carried and carried.judgement == "altered":
                return unsure(found.quote, "A query and a filter disagree about the target.")
            return found
    if thing := thing_of(read_text(target)):
        for text in queries:
            found = _covered(text, thing, [one for one in telling if one in thing] or thing)
            if found and found.judgement == "stated" and not carried:
                return found
    return carried or _asserted(constraint, reading, queries, roots, telling, read_text(target))


def _admissible(reading: Reading, form: str) -> Finding | None:
    own = has_cue(read_text(form))
    for text in reading.queries:
        for at in runs(text, form):
            quote = text.quote(at, min(at + len(read_text(form)), len(text)))
            if not own and denied(text, at, at + 1):
                return unsure(quote, "An admissible form is there, but near a negation.")
            return stated(quote, "An admissible form is there.")
    return None


def _telling(constraint: ConstraintTerms, reading: Reading, roots: list[str]) -> list[str]:
    """The words of the target that the rest of the request does not use: those that must be
    denied."""
    span, texts = constraint.span, (*reading.turns, reading.asked)
    if span is None or not 0 <= span.turn < len(texts):
        return roots
    elsewhere = {
        text.roots[i]
        for text in {id(one): one for one in (texts[span.turn], reading.asked)}.values()
        for i, word in enumerate(text.words)
        if text is not texts[span.turn] or not (span.start <= word.start and word.end <= span.end)
    }
    return [one for one in roots if one not in elsewhere] or roots


def _covered(
    text: Text, roots: list[str], telling: list[str], reading: Reading | None = None
) -> Finding | None:
    """Stated where every telling word is denied together, the others being somewhere in the
    query."""
    if not all_present(text, roots):
        return None
    if pointed := pointed_at(text, roots, telling) or outside_place(text, telling):
        return pointed
    places = [i for i, one in enumerate(text.roots) if one in telling]
    for nth, at in enumerate(places):
        run = places[nth : bisect_right(places, at + len(telling) + 2)]
        if {text.roots[i] for i in run} < set(telling):
            continue
        cue = denied(text, at, run[-1] + 1)
        if not cue:
            if around := left_out_around(text, at, run[-1] + 1) or other_than(
                text, at, run[-1] + 1
            ):
                return stated(around, "The target is left out.")
            if inside := denied_inside(text, at, run[-1] + 1, telling):
                return stated(inside, "The target is denied.")
            if at and text.words[at - 1].text == "zero":
                return stated(text.quote(at - 1, run[-1] + 1), "None of the target is asked for.")
            continue
        doubt = _doubt(text, at, run[-1] + 1, roots, reading)
        if doubt and reading and _of_another(reading, text, at, roots):
            continue
        if doubt:
            return unsure(cue, doubt)
        return stated(cue, "The target is denied or left out.")
    return None


def _of_another(reading: Reading, text: Text, at: int, roots: list[str]) -> bool:
    """Whether the request denies other things by each cue before a word: "no entry fee"."""
    cues = cues_before(text, at)
    return bool(cues) and all(asked_too(reading, text, hit, roots) for hit in cues)


def _doubt(text: Text, at: int, end: int, roots: list[str], reading: Reading | None = None) -> str:
    """Why what stands before the target may not deny it, or ""."""
    if excluded_by_sign(text, at):
        if opens_line(text, at):
            return "The minus sign may be the dash of a list."
        quoted = text.words[at].gap.endswith(('"', "“", "("))
        return "" if end == at + 1 or quoted else "The minus sign excludes the next word only."
    cues = cues_before(text, at)
    if not cues:
        return ""  # the cue comes after the target
    nearest = cues[0]
    if len(cues) > 1 and not (neither_nor(text) or separate(text, nearest, cues[1])):
        return "Two negations stand together."
    if nearest.end == nearest.first + 1 and text.words[nearest.first].text in lexicon.words(
        "turns"
    ):
        return "“But” leaves something out; whether this is certain is for a person to say."
    if both_asked(text, nearest.first, roots):
        return "What is denied is asked for beside what is not."
    around = [word.text for word in text.words[max(0, nearest.first - 1) : at]]
    if around[0] == "or" and text.words[nearest.first].text == "not":
        return "“Or not” leaves it open."
    if lexicon.words("hedges") & set(around):
        return "The denial is not a full one."
    if reading and (
        goes_over(text, nearest, at, reading.granted_roots)
        or as_asked(reading, text, nearest.first, end)
    ):
        return ""
    between = range(nearest.end, at)
    allowed = lexicon.words("stopwords") | lexicon.words("between_denied")
    if any(text.words[i].text not in allowed and text.roots[i] not in roots for i in between):
        return "The negation may belong to the words between it and the target."
    return ""


def _by_form(text: Text, target: Text, roots: list[str], telling: list[str]) -> Finding | None:
    """ "uninsured" for "not insured", "possible" for "not impossible", "remember" for "not
    forget"."""
    words = {target.roots[i]: target.words[i] for i in content(target)}
    # Of several words the first is the one that a prefix denies ("unsuitable for children").
    head = telling[0] if len(telling) == 1 else roots[0]
    if head in telling and head in words:
        rest = [one for one in roots if one != head]
        found = _by_prefix(text, words[head], rest, head)
        if found and len(telling) > 1 and not _goes_on(text, found.quote, rest):
            found = None
        if found:
            return found
    at = antonym_at(text, roots, telling)
    if at is None:
        return None
    quote = text.quote(at, at + 1)
    if denied(text, at, at + 1):
        return unsure(quote, "The antonym of the target is there, but denied.")
    return stated(quote, "The antonym says what the denial of the target says.")


def _goes_on(text: Text, quote: str, rest: list[str]) -> bool:
    """Whether the target's next word follows the denied one, or stands right before it:
    "unsuitable for children", "frost-intolerant", and not "nonstop flights to Oster"."""
    denied_word = read_text(quote).words[-1]
    at = next((i for i, word in enumerate(text.words) if word.raw == denied_word.raw), 0)
    following = [i for i in content(text) if i > at][:1]
    plain = not denied_word.text.startswith("non")
    if at and text.roots[at - 1] == rest[0] and text.words[at].gap in ("", "-"):
        return plain  # "frost-intolerant"
    return plain and bool(following) and text.roots[following[0]] == rest[0]


def _by_prefix(text: Text, word: Word, rest: list[str], telling: str) -> Finding | None:
    if not all_present(text, rest):
        return None
    at = prefixed_word(text, telling, word.stem)
    if at is not None:
        if denying := negator_before(text, at, "verb", "noun", "prefix"):
            return altered(text.quote(denying.first, at + 1), "Two negations assert the target.")
        if denied(text, at, at + 1):
            return unsure(text.quote(at, at + 1), "Two negations stand together.")
        if both_asked(text, at, [telling]):
            return unsure(text.quote(at - 2, at + 1), "The target is asked for beside its denial.")
        return stated(text.quote(at, at + 1), "The target is denied by a prefix.")
    at = bare_word(text, word)
    if at is not None and word.stem not in text.stems:
        if denied(text, at, at + 1):
            return unsure(text.quote(at, at + 1), "The positive of the target is denied.")
        return stated(text.quote(at, at + 1), "The positive says what the denial says.")
    at = noun_of_negative(text, word)
    if at is not None and not has_cue(text):
        return altered(text.quote(at, at + 1), "The target is asserted as a noun.")
    return None


def _asserted(
    constraint: ConstraintTerms,
    reading: Reading,
    queries: list[Text],
    roots: list[str],
    telling: list[str],
    target: Text,
) -> Finding:
    """No negation covers the target: is it asserted, or gone?"""
    turned = turned_direction(reading, roots)
    if turned:
        return turned
    cues = [text for text in queries if foreign_cues(text, roots)]
    cues = [] if _cues_of_others(constraint, reading, cues) else cues
    for text in queries:
        if all_present(text, roots):
            places = [i for i, one in enumerate(text.roots) if one in roots]
            quote = text.quote(places[0], places[-1] + 1)
            close = tightest(text, roots) <= 2 * len(roots) + 1
            asked = reading.span_text(constraint)
            doubt = may_be_denied(reading, text, cues, roots, close, asked)
            topic = "" if doubt else only_noun(text, target, telling)
            if topic and nothing_may_deny(reading, reading.span_text(constraint), roots):
                return dropped("The target is there as a topic, and nothing that could deny it.")
            if doubt := doubt or topic:
                return unsure(quote, doubt)
            return altered(quote, "The target is there without the negation.")
    known = reading.known_roots - set(roots)
    having = next(filter(None, (had(text, thing_of(target), known) for text in queries)), None)
    if having and not cues and not opposing(reading):
        return having
    # Words that the rest of the request uses too are no trace of the target.
    trace = traces(reading, telling)
    part = next((one for text in queries if (one := one_of_several(text, target))), "")
    if part and not opposing(reading):
        return altered(part, "One of the things that are denied is asserted.")
    if trace and nothing_may_deny(reading, reading.span_text(constraint), roots):
        return dropped("Of the target only a part is there, and nothing that could deny it.")
    if trace:
        return unsure(trace, "Some words of the target are there, but not all.")
    if telling == roots and any(set(roots) & set(text.roots) for text in queries):
        return unsure("", "Some words of the target are there.")
    if reversing := opposing(reading):
        return unsure(reversing, "A word is there that may say the denial in other words.")
    if only := only_others(reading):
        return unsure(only, "What alone is asked for may leave the target out.")
    for text in cues:
        if cue := unexplained(reading, text, roots):
            return unsure(cue, "Something is denied, but not in the target's words.")
    return dropped("Neither the target nor a negation of it is there.")


def _cues_of_others(constraint: ConstraintTerms, reading: Reading, cues: list[Text]) -> bool:
    """Whether other polarity constraints explain every cue: their targets are denied there."""
    others = [
        content_roots(read_text(str(o.value.get("target") or "")))
        for o in reading.others(constraint)
    ]
    return bool(others) and all(
        any(roots and _covered(text, roots, roots) for roots in others) for text in cues
    )
