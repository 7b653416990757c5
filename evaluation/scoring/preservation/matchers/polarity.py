"""Polarity: a negation ("not insured") or an exclusion ("apart from night shifts")."""

import re

from contracts.terms import ConstraintTerms
from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.filters import FilterTerm
from evaluation.scoring.preservation.finding import (
    Finding,
    Reading,
    altered,
    dropped,
    filtered,
    matcher,
    stated,
    unsure,
)  # fmt: skip
from evaluation.scoring.preservation.text import Text, read_text
from evaluation.scoring.preservation.wording import (
    all_present,
    content_roots,
    cues_before,
    denied,
    excluded_by_sign,
    has_cue,
    opens_line,
    runs,
    traces,
    without_prefix,
)  # fmt: skip

_EVERYTHING_BUT = re.compile(
    r"(?:everything|anything|all)\s+(?:but|except|other than)\s+(.+)", re.I
)


@matcher("polarity")
def match_polarity(constraint: ConstraintTerms, reading: Reading) -> Finding:
    """Look for the target and for a negation or exclusion that covers it."""
    target = str(constraint.value.get("target") or "")
    carried = _from_filters(target, reading)
    for form in constraint.admissible:
        found = _admissible(reading, form)
        if found:
            return found
    only = _EVERYTHING_BUT.fullmatch(target.strip())
    if only:
        return _only(only[1], reading, carried)
    roots = content_roots(read_text(target))
    if not roots:
        return unsure("", "The contract names no target.")
    telling = _telling(constraint, reading, roots)
    for text in reading.queries:
        found = _covered(text, roots, telling)
        if found:
            if carried and carried.judgement == "altered":
                return unsure(found.quote, "A query and a filter disagree about the target.")
            return found
    return carried or _asserted(constraint, reading, roots, telling)


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
    span, text = constraint.span, reading.asked
    if span is None or span.turn != len(reading.turns):
        return roots
    elsewhere = {
        text.roots[i]
        for i, word in enumerate(text.words)
        if not (span.start <= word.start and word.end <= span.end)
    }
    return [one for one in roots if one not in elsewhere] or roots


def _covered(text: Text, roots: list[str], telling: list[str]) -> Finding | None:
    """Stated where every telling word is denied together, the others being somewhere in the
    query."""
    prefixed = _prefixed(text, roots, telling)
    if prefixed:
        return prefixed
    if not all_present(text, roots):
        return None
    places = [i for i, one in enumerate(text.roots) if one in telling]
    for at in places:
        run = [i for i in places if at <= i <= at + len(telling) + 2]
        if {text.roots[i] for i in run} < set(telling):
            continue
        cue = denied(text, at, run[-1] + 1)
        if not cue:
            continue
        doubt = _doubt(text, at, run[-1] + 1, roots)
        if doubt:
            return unsure(cue, doubt)
        return stated(cue, "The target is denied or left out.")
    return None


def _doubt(text: Text, at: int, end: int, roots: list[str]) -> str:
    """Why what stands before the target may not deny it, or ""."""
    if excluded_by_sign(text, at):
        if opens_line(text, at):
            return "The minus sign may be the dash of a list."
        quoted = text.words[at].gap.endswith(('"', "“", "("))
        return "" if end == at + 1 or quoted else "The minus sign excludes the next word only."
    cues = cues_before(text, at)
    if not cues:
        return ""  # the cue comes after the target
    if len(cues) > 1 and not _neither_nor(text):
        return "Two negations stand together."
    nearest = cues[0]
    if nearest.end == nearest.first + 1 and text.words[nearest.first].text in lexicon.words(
        "turns"
    ):
        return "“But” leaves something out; whether this is certain is for a person to say."
    around = [word.text for word in text.words[max(0, nearest.first - 1) : at]]
    if around[0] == "or" and text.words[nearest.first].text == "not":
        return "“Or not” leaves it open."
    if lexicon.words("hedges") & set(around):
        return "The denial is not a full one."
    between = range(nearest.end, at)
    allowed = lexicon.words("stopwords") | lexicon.words("between_denied")
    if any(text.words[i].text not in allowed and text.roots[i] not in roots for i in between):
        return "The negation may belong to the words between it and the target."
    return ""


def _neither_nor(text: Text) -> bool:
    return "neither" in {word.text for word in text.words}


def _prefixed(text: Text, roots: list[str], telling: list[str]) -> Finding | None:
    """ "uninsured" for "not insured": a negating prefix on the only telling word."""
    if len(telling) != 1:
        return None
    rest = [one for one in roots if one not in telling]
    for at, word in enumerate(text.words):
        bare = without_prefix(word.stem)
        if bare and bare == telling[0] and word.stem not in telling and all_present(text, rest):
            if denied(text, at, at + 1):
                return unsure(text.quote(at, at + 1), "Two negations stand together.")
            return stated(text.quote(at, at + 1), "The target is denied by a prefix.")
    return None


def _only(kept: str, reading: Reading, carried: Finding | None) -> Finding:
    """ "Only X" leaves out everything but X."""
    roots = content_roots(read_text(kept))
    for text in reading.queries:
        if not all_present(text, roots):
            continue
        hit = next(lexicon.phrases("only").all_in(text), None)
        places = [i for i, one in enumerate(text.roots) if one in roots]
        near_by = hit and min(abs(i - hit.first) for i in places) <= len(roots) + 2
        if hit and near_by:
            first, end = min(hit.first, places[0]), max(hit.end, places[-1] + 1)
            return stated(text.quote(first, end), "Only the named things are asked for.")
        return unsure(text.quote(places[0], places[-1] + 1), "The things are named without “only”.")
    if carried:
        return carried
    trace = traces(reading, roots)
    if trace:
        return unsure(trace, "Some words of what is asked for are there.")
    return dropped("What alone is asked for is not named.")


def _asserted(
    constraint: ConstraintTerms, reading: Reading, roots: list[str], telling: list[str]
) -> Finding:
    """No negation covers the target: is it asserted, or gone?"""
    turned = _turned(reading, roots)
    if turned:
        return turned
    cues = [text for text in reading.queries if has_cue(text)]
    for text in reading.queries:
        if all_present(text, roots):
            places = [i for i, one in enumerate(text.roots) if one in roots]
            quote = text.quote(places[0], places[-1] + 1)
            close = places[-1] - places[0] <= 2 * len(roots) + 1
            if cues or _has_turn(text) or not close or _any_opposite(reading):
                return unsure(quote, "The target is there; whether it is denied is not certain.")
            return altered(quote, "The target is there without the negation.")
    # Words that the rest of the request uses too are no trace of the target.
    trace = traces(reading, telling)
    if trace:
        return unsure(trace, "Some words of the target are there.")
    if telling == roots and any(set(roots) & set(text.roots) for text in reading.queries):
        return unsure("", "Some words of the target are there.")
    if cues and not _cues_of_others(constraint, reading, cues):
        return unsure("", "Something is denied, but not in the target's words.")
    return dropped("Neither the target nor a negation of it is there.")


def _has_turn(text: Text) -> bool:
    """Whether a query has a "but", or a minus sign before a word, that may leave something out."""
    return any(
        word.text in lexicon.words("turns") | lexicon.words("hedges")
        or word.gap.endswith(("-", "−", "–", "!"))
        and text.raw[text.words[at - 1].end if at else 0] in " (-−–!"
        for at, word in enumerate(text.words)
    )


def _any_opposite(reading: Reading) -> bool:
    """Whether a query has an antonym-like word that the request lacks ("abstain", "lack",
    "refuse")."""
    vague = {"abstain", "refus", "reject", "avoid", "prevent", "stop", "ban", "prohibit", "oppos"}
    return bool(vague & set(reading.emitted_roots))


def _cues_of_others(constraint: ConstraintTerms, reading: Reading, cues: list[Text]) -> bool:
    """Whether other polarity constraints explain every cue: their targets are denied there."""
    others = [
        content_roots(read_text(str(o.value.get("target") or "")))
        for o in reading.others(constraint)
    ]
    return bool(others) and all(
        any(roots and _covered(text, roots, roots) for roots in others) for text in cues
    )


def _turned(reading: Reading, roots: list[str]) -> Finding | None:
    """For a denied change ("did not sink"): "rose" asserts more, "flat or rising" says the
    same."""
    table = {
        read_text(w[0]).roots[0]: m for w, m in lexicon.phrases("opposites").entries if len(w) == 1
    }
    asked = {table[one] for one in roots if one in table}
    if len(asked) != 1:
        return None
    direction = asked.pop()
    steady = lexicon.words("steady")
    for text in reading.queries:
        said = {hit.meaning: hit for hit in lexicon.phrases("opposites").all_in(text)}
        opposite = [hit for meaning, hit in said.items() if meaning != direction]
        if not opposite or direction in said:
            continue
        quote = text.quote(opposite[0].first, opposite[0].end)
        if any(word.text in steady for word in text.words) and "or" in {w.text for w in text.words}:
            return stated(quote, "No change or the other direction is what the denial admits.")
        if has_cue(text) or any(word.text in steady for word in text.words):
            return unsure(quote, "The other direction is there, perhaps denied.")
        topic = [one for one in roots if one not in table]
        if all_present(text, topic):
            return altered(quote, "The other direction asserts more than the denial does.")
    return None


def _from_filters(target: str, reading: Reading) -> Finding | None:
    """`{"revoked": false}`, `{"exclude": …}`, `{"type": {"ne": …}}`."""
    text = read_text(target)
    wanted = content_roots(text)
    for term in reading.filters:
        named, valued = content_roots(term.name), content_roots(term.text)
        if isinstance(term.value, bool):
            finding = _flag(term, named, wanted)
            if finding:
                return finding
        elif valued == wanted and wanted:
            if term.optional:
                return unsure(term.shown, "The filter is one of several alternatives.")
            if term.operator == "!=":
                return filtered(term.shown, f"The filter on {term.field} leaves the target out.")
            if term.operator == "=":
                return altered(term.shown, f"The filter on {term.field} asks for the target.")
    return None


def _flag(term: FilterTerm, named: list[str], wanted: list[str]) -> Finding | None:
    turned = bool(named) and named[0] in ("exclud", "not", "no", "without")
    bare = [one for one in named if one not in ("exclud", "not", "no", "without", "includ")]
    if not bare or bare != wanted or term.operator not in ("=", "!="):
        return None
    left_out = bool(term.value) == turned
    left_out ^= term.operator == "!="
    if term.optional:
        return unsure(term.shown, "The filter is one of several alternatives.")
    if left_out:
        return filtered(term.shown, f"The filter on {term.field} leaves the target out.")
    return altered(term.shown, f"The filter on {term.field} asks for the target.")
