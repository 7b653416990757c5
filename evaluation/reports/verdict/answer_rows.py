"""What the scorecard says of answers: the published rules, and who judged. Knows no model: from
`run.result`.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from evaluation.reports.figures import Cell, of_total, rate_cell
from evaluation.scoring.answer_rules import DELETES_PUNCTUATION

TYPES: Mapping[str, str | Promise] = {
    "yes-no": gettext_lazy("yes or no"),
    "date": gettext_lazy("date"),
    "number": pgettext_lazy("what a right answer is", "number"),
    "entity": gettext_lazy("name"),
}
BY: Mapping[str, str | Promise] = {
    "person": gettext_lazy("%(count)s by people"),
    "model": gettext_lazy("%(count)s by a model"),
    "rule": gettext_lazy("%(count)s by rule"),
    "error": gettext_lazy("%(count)s undecided: the judge failed"),
}


def rule_cell(name: str, arm: Mapping[str, Any]) -> Cell:
    """The mean of one answer rule under one arm, and to what it does not apply."""
    score = arm["answer_rules"][name]
    cell = rate_cell(score["estimate"])
    typed = _typed(arm["gold_types"]) if name in DELETES_PUNCTUATION else {}
    notes = [cell.note] if cell.note and not typed else []
    if typed:
        kinds = ", ".join(f"{n} {TYPES[kind]}" for kind, n in typed.items())
        notes.append(
            _("not applied to %(n)d with a typed right answer: %(kinds)s")
            % {"n": sum(typed.values()), "kinds": kinds}
        )
    bare = score["not_applicable"] - sum(typed.values())
    if bare:
        said = ngettext("%(n)d has no right answer", "%(n)d have no right answer", bare)
        notes.append(said % {"n": bare})
    return replace(cell, note=" · ".join(notes))


def by_whom(judged: Mapping[str, Mapping[str, int]]) -> list[str]:
    """Who judged correctness and support: "correct: 2 of 9 by people, 7 of 9 by rule"; in a word
    where only rules did.
    """
    if not any(n for counts in judged.values() for who, n in counts.items() if who != "rule"):
        return [_("judged by rule")] if judged else []
    words = {"correct": _("correct"), "supported": _("supported")}
    found: dict[str, list[str]] = {}  # by what is said, so that it is said once where it is equal
    for what, word in words.items():
        counts = {who: n for who, n in judged.get(what, {}).items() if n}
        total = sum(counts.values())
        if not total:
            continue
        said = ", ".join(str(BY[who]) % {"count": of_total(n, total)} for who, n in counts.items())
        found.setdefault(said, []).append(word)
    return [f"{', '.join(of)}: {said}" for said, of in found.items()]


def _typed(types: Mapping[str, int]) -> dict[str, int]:
    return {kind: n for kind, n in types.items() if kind in TYPES}
