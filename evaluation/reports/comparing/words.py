"""The comparison of two sides in rows and in sentences: both from the same record.
Knows no model.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from evaluation.reports.failure_words import FAILURES
from evaluation.reports.figures import (
    Cell,
    Figures,
    difference_cell,
    mean_cell,
    narrowed,
    of_total,
    percent,
    points,
    rate_cell,
)
from evaluation.reports.verdict.measured_rows import MEASURED, signed_cell
from evaluation.reports.verdict.scorecard_table import FIVE, p_cell
from evaluation.scoring.outcomes import ASSESSED
from evaluation.scoring.run_comparison import GRADED

Record = Mapping[str, Any]

_DROPPED: Mapping[str, str | Promise] = {
    "unresolved request": gettext_lazy("unresolved request"),
    "resolved request": gettext_lazy("resolved request"),
    "no gold answer": gettext_lazy("no right answer recorded"),
    "no required evidence": gettext_lazy("no required evidence recorded"),
    "no constraint": gettext_lazy("no constraint"),
    "constraints open": gettext_lazy("constraints open"),
}
_OF_A_SIDE: Mapping[str, str | Promise] = {
    **FAILURES,
    "open": gettext_lazy("open"),
    "unjudged": gettext_lazy("not judged"),
    "not logged": gettext_lazy("hits not logged"),
}
_SIDES = {"original": "A", "candidate": "B"}


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """One score: A, B, B - A, how many requests got worse and better, the test, what was left out
    and the worst case.
    """

    score: str
    label: str
    about: str
    a: Cell
    b: Cell
    difference: Cell
    worse: str
    better: str
    test: Cell
    adjusted: Cell
    worst: str
    dropped: str


@dataclass(frozen=True, slots=True)
class TookRow:
    """What requests took: A, B, B - A."""

    label: str
    a: Cell
    b: Cell
    difference: Cell


def scope_of(record: Record, scope: str) -> Mapping[str, Any]:
    """The record's scope of that name, else all classes."""
    found = {row["scope"]: row for row in record["scopes"]}
    return dict(found.get(scope) or record["scopes"][0])


def change_rows(scope: Mapping[str, Any]) -> tuple[ChangeRow, ...]:
    """Return a row for each of the five scores, both rates of clarification."""
    return tuple(_row(scope, name, str(label), str(about)) for name, label, about in FIVE)


def took_rows(scope: Mapping[str, Any]) -> tuple[TookRow, ...]:
    """Return latency, calls and cost per request."""
    return tuple(
        TookRow(
            str(label),
            mean_cell(scope["a"]["measured"][name], shown),
            mean_cell(scope["b"]["measured"][name], shown),
            signed_cell(scope["measured"][name], shown),
        )
        for name, label, shown in MEASURED
        if name in scope["measured"]
    )


def comparison_lines(record: Record, scope_name: str = "all") -> list[str]:
    """Return what the rows of the scope say, in sentences: the answers first, then every score,
    then what could not be compared.
    """
    scope = scope_of(record, scope_name)
    rows = {row.score: row for row in change_rows(scope)}
    lines = _answer_lines(scope)
    for name, row in rows.items():
        lines.append(_score_line(row, scope["scores"][name], record["settings"]["level"]))
    lines += [*_status_lines(scope), *_judged_lines(record)]
    if not record["protocols_alike"]:
        lines.append(
            _(
                "The protocols of the two runs say otherwise how to compute, so everything here is "
                "computed by default: exact tests, Holm’s correction, 95 %."
            )
        )
    return lines


def listed_sentence(n: int) -> str:
    """How many requests the filters leave: what is said aloud when they change."""
    return ngettext("%(n)d request is listed.", "%(n)d requests are listed.", n) % {"n": n}


def dropped_words(why: str) -> str:
    """Return in words why a request is in no difference; A stands where the original does."""
    arm, _space, rest = why.partition(" ")
    if arm in _SIDES and rest in _OF_A_SIDE:
        return _("%(side)s %(why)s") % {"side": _SIDES[arm], "why": _OF_A_SIDE[rest]}
    return str(_DROPPED.get(why, why))


def _row(scope: Mapping[str, Any], name: str, label: str, about: str) -> ChangeRow:
    change = scope["scores"][name]
    tested = change["tested"]
    sides = (scope["a"]["scores"][name], scope["b"]["scores"][name])
    difference = difference_cell(change["difference"])
    return ChangeRow(
        score=name,
        label=label,
        about=about,
        a=rate_cell(scope["a"]["scores"][name]),
        b=rate_cell(scope["b"]["scores"][name]),
        difference=narrowed(difference, change["difference"], sides),
        worse=of_total(change["worse"], tested) if tested else "",
        better=of_total(change["better"], tested) if tested else "",
        test=_test_cell(name, change),
        adjusted=p_cell(change["adjusted"], "") if change["adjusted"] and tested else Cell(""),
        worst=points(change["worst"]["value"]) if change["worst"] else "",
        dropped=_dropped(change),
    )


def _test_cell(name: str, change: Mapping[str, Any]) -> Cell:
    if not change["tested"]:
        return Cell("")
    n = change["test"]["n"]
    of = _("sign-flip") if name in GRADED else _("%(n)d discordant") % {"n": n}
    cell = p_cell(change["test"], of)
    if not change["by_base"]:
        return cell
    twins = p_cell(change["by_base"], "").text
    note = _("twins flipped together: %(p)s") % {"p": twins}
    return Cell(cell.text, cell.of, cell.interval, note)


def _dropped(change: Mapping[str, Any]) -> str:
    parts = [f"{dropped_words(why)}: {n}" for why, n in change["dropped"].items()]
    if change["open"]:
        parts.append(
            ngettext("%(n)d open constraint", "%(n)d open constraints", change["open"])
            % {"n": change["open"]}
        )
    return ", ".join(parts)


def _answer_lines(scope: Mapping[str, Any]) -> list[str]:
    answers = scope["answers"]
    if not answers["n"]:
        return []
    lost, gained = answers["regression"], answers["gain"]
    parts = [
        _share(
            _("Of the answers that A had right, B lost %(share)s."), lost, _("A had none right.")
        ),
        _share(_("Of those that A had wrong, B gained %(share)s."), gained, _("A had none wrong.")),
    ]
    worst = answers["worst_regression"]
    if worst["value"] is not None and worst["numerator"] != lost["numerator"]:
        said = _("Counting what failed or was not judged under B as lost: %(share)s.")
        parts.append(_share(said, worst, ""))
    return [" ".join(parts)]


def _share(sentence: str, estimate: Figures, otherwise: str) -> str:
    if estimate["value"] is None:
        return otherwise
    share = f"{of_total(estimate['numerator'], estimate['n'])} ({percent(estimate['value'])})"
    return sentence % {"share": share}


def _score_line(row: ChangeRow, change: Mapping[str, Any], level: float) -> str:
    if not change["tested"]:
        return _("%(score)s: not compared. %(why)s") % {
            "score": row.label,
            "why": row.difference.note,
        }
    moved = _("%(worse)d worse and %(better)d better of %(tested)d requests") % {
        "worse": change["worse"],
        "better": change["better"],
        "tested": change["tested"],
    }
    said = _("%(score)s: B − A is %(points)s points%(interval)s; %(moved)s, %(p)s. %(chance)s") % {
        "score": row.label,
        "points": row.difference.text,
        "interval": f" ({row.difference.interval})" if row.difference.interval else "",
        "moved": moved,
        "p": row.test.text + (f" ({row.test.note})" if row.test.note else ""),
        "chance": _chance(change, level),
    }
    if row.worst:
        said += " " + _(
            "With everything failed, open or unjudged under B lost: %(points)s points."
        ) % {"points": row.worst}
    return f"{said} " + _("Left out: %(why)s.") % {"why": row.dropped} if row.dropped else said


def _chance(change: Mapping[str, Any], level: float) -> str:
    if not (change["worse"] or change["better"]):
        return _("Nothing moved.")
    first = "adjusted" if change["adjusted"] else "test"
    values = [change[name]["value"] for name in (first, "by_base") if change[name]]
    if max(values) < 1 - level:
        return _("Chance alone hardly explains that.")
    return _("Chance alone may explain that.")


def _judged_lines(record: Record) -> list[str]:
    """Say how much people judged, where that is not the same under both sides."""
    kinds = {side: (record[side]["judged"] or {}).values() for side in ("a", "b")}
    people = {side: sum(kind["person"] for kind in found) for side, found in kinds.items()}
    if people["a"] == people["b"]:
        return []
    of = {side: sum(sum(kind.values()) for kind in found) for side, found in kinds.items()}
    said = _(
        "People judged %(a)s constraints under A and %(b)s under B (in all classes): where others "
        "judge, equal rewrites can score differently."
    )
    return [said % {side: of_total(people[side], of[side]) for side in people}]


def _status_lines(scope: Mapping[str, Any]) -> list[str]:
    lines = []
    for side in ("a", "b"):
        counts = scope["statuses"][side]
        failed = {status: n for status, n in counts.items() if status not in ASSESSED}
        if failed:
            why = ", ".join(f"{FAILURES.get(s, s)}: {n}" for s, n in failed.items())
            lines.append(
                _("%(side)s: %(failed)s cases have no result (%(why)s); they are in no score.")
                % {
                    "side": side.upper(),
                    "failed": of_total(sum(failed.values()), scope["requests"]),
                    "why": why,
                }
            )
    return lines
