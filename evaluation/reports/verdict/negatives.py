"""What went wrong in a run, under every arm: classes that may not ship, twin-pair families that
failed or could not be assessed, and cases without a result. No filter and no choice of an arm takes
any of it away. Knows no model: from the verdicts' JSON and `run.result`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evaluation.reports.failure_words import FAILURES
from evaluation.reports.figures import of_total
from evaluation.scoring.outcomes import ASSESSED
from evaluation.scoring.scorecard import ALL_CLASSES

Content = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Negative:
    """What went wrong under one arm, a sentence each."""

    arm: str
    sentences: tuple[str, ...]


def negatives(contents: Iterable[Content], result: Mapping[str, Any]) -> tuple[Negative, ...]:
    """Return the arms under which something went wrong, in the order of the scorecard; `contents`
    are the standing verdicts of all candidates.
    """
    verdicts = list(contents)
    found = []
    for row in result["scorecard"]["arms"]:
        if row["scope"] != ALL_CLASSES:
            continue
        mine = [content for content in verdicts if content["arm"] == row["arm"]]
        sentences = [
            *_outcomes(mine),
            *(sentence for content in mine for sentence in _families(content)),
            *_pairs(result["families"].get(row["arm"], ())),
            *_failed(row["statuses"]),
        ]
        if sentences:
            found.append(Negative(row["arm"], tuple(sentences)))
    return tuple(found)


def _outcomes(contents: Sequence[Content]) -> list[str]:
    """The classes that may not ship, by outcome."""
    said = {
        "fallback": _("Falls back in %(count)s classes: %(classes)s."),
        "clarify": _("Has to clarify in %(count)s classes: %(classes)s."),
        "not_assessable": _("Not assessable in %(count)s classes: %(classes)s."),
    }
    found = []
    for outcome, words in said.items():
        classes = [c["request_class"] for c in contents if c["outcome"] == outcome]
        if classes:
            count = of_total(len(classes), len(contents))
            found.append(words % {"count": count, "classes": ", ".join(classes)})
    return found


def _families(content: Content) -> list[str]:
    """The families that fail a rule of the class, or have too few pairs for it."""
    found = []
    for rule in content["rules"]:
        name, _colon, family = rule["name"].partition(":")
        named = {"family": _(family) if family else "", "class": content["request_class"]}
        if name == "family" and rule["passed"] is False:
            count = of_total(rule["numerator"], rule["denominator"])
            words = _("Family %(family)s fails in %(class)s: %(count)s twin pairs did not pass.")
            found.append(words % {**named, "count": count})
        elif name == "family_size" and rule["passed"] is False:
            words = _("Family %(family)s is not assessable in %(class)s: %(n)d of %(least)d pairs.")
            numbers = {"n": rule["numerator"], "least": round(rule["threshold"])}
            found.append(words % {**named, **numbers})
    return found


def _pairs(families: Iterable[Mapping[str, Any]]) -> list[str]:
    """The families with pairs of which a side has no result."""
    return [
        ngettext(
            "%(n)d twin pair of family %(family)s was not assessed.",
            "%(n)d twin pairs of family %(family)s were not assessed.",
            row["not_assessed"],
        )
        % {"n": row["not_assessed"], "family": _(row["family"])}
        for row in families
        if row["not_assessed"]
    ]


def _failed(statuses: Mapping[str, int]) -> list[str]:
    failed = {name: n for name, n in statuses.items() if name not in ASSESSED}
    if not failed:
        return []
    kinds = ", ".join(f"{n} {FAILURES.get(name, name)}" for name, n in sorted(failed.items()))
    count = of_total(sum(failed.values()), sum(statuses.values()))
    return [
        _("%(count)s cases failed and have no score: %(kinds)s.") % {"count": count, "kinds": kinds}
    ]
