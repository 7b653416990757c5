"""Denied things whose verb says nothing: "no yeast" for "not use yeast"."""

from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.finding import Finding, altered
from evaluation.scoring.preservation.text import Text
from evaluation.scoring.preservation.wording import all_present, content, has_cue

_HAVING = frozenset(("with", "using", "containing", "including", "featuring", "having"))


def thing_of(target: Text) -> list[str]:
    """The roots of a target without the light verb that it begins with; [] where it has none, or
    nothing else."""
    places = content(target)
    first = places[0] if places else 0
    light = bool(places) and target.words[first].stem in lexicon.words("light_verbs")
    return [target.roots[at] for at in places[1:]] if light else []


def had(text: Text, thing: list[str], known: frozenset[str] = frozenset()) -> Finding | None:
    """ "dumplings with yeast", or "yeast dumplings" before a noun of the request (`known` roots),
    where nothing denies: the thing is asserted."""
    if not thing or not all_present(text, thing) or has_cue(text):
        return None
    for at, word in enumerate(text.words):
        if word.text in _HAVING and list(text.roots[at + 1 : at + 1 + len(thing)]) == thing:
            return altered(text.quote(at, at + 1 + len(thing)), "The target is asserted.")
        end = at + len(thing)
        joined = end < len(text) and text.words[end].gap in ("", "-")
        if joined and list(text.roots[at:end]) == thing and text.roots[end] in known:
            return altered(text.quote(at, end + 1), "The target is asserted.")
    return None
