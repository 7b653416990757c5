"""Controls: texts that add vocabulary and keep the contract. A check that refuses them is wrong.

They are no paraphrases: each says something twice, as an expanding rewriter does.
"""

from collections.abc import Iterator, Sequence

from contracts.comparing import folded
from contracts.phrases import describe_value
from contracts.terms import ConstraintTerms, ContractTerms
from contracts.twins.words import between_letters, places
from contracts.values import validate_value

# Kinds whose other wordings can stand in brackets after the words; a second negation or comparison
# there might be read as another demand.
_NAMED = ("referent", "time", "quantity", "evidence")
SHORT = 60  # characters of a wording that can stand in brackets


def expansions(texts: Sequence[str], terms: ContractTerms) -> tuple[str, ...]:
    """Return expansions of a request (turns, current text last) that its contract accepts: other
    names and wordings in brackets, the demands said again, the request in other words.

    None of an unresolved request, which is to be clarified, and of terms that do not fit.
    """
    if terms.ambiguity.unresolved or not texts or not texts[-1].strip():
        return ()
    if any(validate_value(one.kind, one.value) for one in terms.constraints):
        return ()
    found = [
        *_spelled_out(texts, terms),
        *_said_again(texts, terms),
        *_in_other_words(texts, terms),
    ]
    return tuple(dict.fromkeys(found))


def _spelled_out(texts: Sequence[str], terms: ContractTerms) -> Iterator[str]:
    """ "fiscal year 2022 (FY2022)": one more wording after each constraint's words, where the
    current text names everything itself.
    """
    new, last = texts[-1], len(texts) - 1
    spans = sorted(
        ((one.span.end, one.span.start, one) for one in terms.constraints if one.span),
        key=lambda row: row[:2],
        reverse=True,
    )
    if len(spans) < len(terms.constraints) or any(
        one.span and one.span.turn != last or _points(texts, one) for *_, one in spans
    ):
        return
    free, done = len(new), False
    for end, start, one in spans:
        other = next(_others(texts[last][start:end], one), None)
        inside = any(low < end < high for high, low, _ in spans)
        if other and not inside and end <= free and between_letters(new, end):
            new, done, free = f"{new[:end]} ({other}){new[end:]}", True, start
    if done:
        yield new


def _points(texts: Sequence[str], one: ConstraintTerms) -> bool:
    """Whether words only point at a referent that another turn names."""
    if one.kind != "referent" or not one.span:
        return False
    words = texts[one.span.turn][one.span.start : one.span.end]
    names = (one.value["name"], *(one.value.get("aliases") or ()))
    return not any(places(str(name), words) for name in names)


def _others(words: str, one: ConstraintTerms) -> Iterator[str]:
    """Short wordings of a constraint that its words are not, and do not hold."""
    names = [one.value["name"], *(one.value.get("aliases") or ())] if one.kind == "referent" else []
    for other in [*names, *one.admissible] if one.kind in _NAMED else ():
        if len(other) <= SHORT and not places(other, words) and folded(other) != folded(words):
            yield other


def _said_again(texts: Sequence[str], terms: ContractTerms) -> Iterator[str]:
    """The current text and after it every demand once more, in its other words or else as a phrase
    of its value.
    """
    labels = [_label(texts, one) for one in terms.constraints]
    if labels:
        yield "; ".join([texts[-1].rstrip(" ?.!"), *labels])


def _label(texts: Sequence[str], one: ConstraintTerms) -> str:
    if one.kind == "referent":
        names = [str(one.value["name"]), *map(str, one.value.get("aliases") or ())]
        return ", ".join(dict.fromkeys(names))
    if one.kind == "status":  # its rivals are what another request asks
        return str(one.value["value"])
    return one.admissible[0] if one.admissible else describe_value(one.kind, one.value)


def _in_other_words(texts: Sequence[str], terms: ContractTerms) -> Iterator[str]:
    """The current text, and a wording of the whole request that the contract accepts."""
    for rewrite in terms.admissible_rewrites:
        if rewrite.strip() and folded(rewrite) != folded(texts[-1]):
            yield f"{texts[-1]} In other words: {rewrite}"
