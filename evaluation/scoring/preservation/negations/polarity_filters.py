"""Filters that carry a negation or an exclusion."""

from functools import cache

from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.filters import FilterTerm
from evaluation.scoring.preservation.finding import Finding, Reading, altered, filtered, unsure
from evaluation.scoring.preservation.text import read_text, root
from evaluation.scoring.preservation.wording import content_roots

_PLAIN = ("exclud", "not", "no", "without", "includ")


@cache
def _light_roots() -> frozenset[str]:
    """The roots of verbs that add nothing to the thing that they take."""
    return frozenset(root(word) for word in (*lexicon.words("light_verbs"), "has", "with", "is"))


def carried_polarity(target: str, reading: Reading) -> Finding | None:
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
    bare = [one for one in named if one not in _PLAIN]
    if len(bare) > len(wanted) and bare[0] in _light_roots():
        bare = bare[1:]  # `contains_nuts`
    if not bare or bare != wanted or term.operator not in ("=", "!="):
        return None
    left_out = bool(term.value) == turned
    left_out ^= term.operator == "!="
    if term.optional:
        return unsure(term.shown, "The filter is one of several alternatives.")
    if left_out:
        return filtered(term.shown, f"The filter on {term.field} leaves the target out.")
    return altered(term.shown, f"The filter on {term.field} asks for the target.")
