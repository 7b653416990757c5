"""The answer to "may it ship?" in one line, and as a table of candidates by class.
Knows no model.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evaluation.reports.figures import of_total
from evaluation.reports.verdict.cards import WORDS

Content = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Answered:
    """The verdict of one candidate on one class: its word, and the counts that it rests on."""

    outcome: str
    word: str | Promise
    counts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answers:
    """Every class as a row with a cell for each candidate, None where it has no verdict."""

    candidates: tuple[str, ...]
    lines: tuple[tuple[str, str], ...]
    rows: tuple[tuple[str, tuple[Answered | None, ...]], ...]


def answer_line(contents: Iterable[Content]) -> str:
    """Return in how many classes the candidate may ship, and in which not; empty without verdicts.
    What is not assessable counts as no.
    """
    found: dict[str, list[str]] = {}
    total = 0
    for content in contents:
        found.setdefault(content["outcome"], []).append(content["request_class"])
        total += 1
    if not total:
        return ""
    unknown = found.get("not_assessable", [])
    refused = [*found.get("fallback", []), *unknown]
    parts = [_yes(found.get("release", []), total)]
    if len(refused) == total:
        parts = [ngettext("No in the only class", "No in all %(n)d classes", total) % {"n": total}]
    elif refused:
        parts.append(_("no in %(n)d (%(classes)s)") % _named(refused))
    if asking := found.get("clarify", []):
        parts.append(_("only if it asks in %(n)d (%(classes)s)") % _named(asking))
    line = ", ".join(parts) + "."
    if unknown:
        line += " " + ngettext(
            "%(n)d of these is not assessable (%(classes)s), which counts as no.",
            "%(n)d of these are not assessable (%(classes)s), which counts as no.",
            len(unknown),
        ) % _named(unknown)
    return line


def answers_of(verdicts: Mapping[str, Sequence[Content]]) -> Answers:
    """Return the table of the candidates, in the order of `verdicts`."""
    by_class = {
        arm: {content["request_class"]: content for content in contents}
        for arm, contents in verdicts.items()
    }
    classes = sorted({name for contents in by_class.values() for name in contents})
    return Answers(
        candidates=tuple(verdicts),
        lines=tuple((arm, line) for arm in verdicts if (line := answer_line(verdicts[arm]))),
        rows=tuple(
            (name, tuple(_answered(found.get(name)) for found in by_class.values()))
            for name in classes
        ),
    )


def _yes(classes: Sequence[str], total: int) -> str:
    of = {"n": len(classes), "total": total, "classes": ", ".join(classes)}
    if not classes:
        said = ngettext("Not in the only class", "Yes in none of %(total)d classes", total)
    else:
        said = ngettext(
            "Yes in %(n)d of %(total)d class (%(classes)s)",
            "Yes in %(n)d of %(total)d classes (%(classes)s)",
            total,
        )
    return said % of


def _named(classes: Sequence[str]) -> dict[str, Any]:
    return {"n": len(classes), "classes": ", ".join(classes)}


def _answered(content: Content | None) -> Answered | None:
    if content is None:
        return None
    rules = {rule["name"]: rule for rule in content["rules"]}
    said = {
        "completeness": _("complete in %(count)s"),
        "regression": _("right answers lost: %(count)s"),
        "clarification": _("asked in %(count)s"),
    }
    counts = tuple(
        words % {"count": of_total(rules[name]["numerator"], rules[name]["denominator"])}
        for name, words in said.items()
        if name in rules and rules[name]["denominator"]
    )
    return Answered(content["outcome"], WORDS[content["outcome"]], counts)
