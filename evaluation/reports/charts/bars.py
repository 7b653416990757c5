"""What the bars of a run's charts show, and the same numbers as rows.
Knows no model: from `run.result`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from contracts.terms import KINDS
from evaluation.charting.shapes import Bar, Bars, Group, Part
from evaluation.reports.charts.words import (
    Charted,
    hits,
    in_words,
    interval,
    interval_words,
    scope_words,
    sentence,
)
from evaluation.reports.figures import Figures, missing, of_total, p_value, percent, rate_cell
from evaluation.reports.verdict.tables import STAGES, stage_rows
from evaluation.scoring.pairs import COMPONENTS
from evaluation.scoring.scorecard import ORIGINAL

Result = Mapping[str, Any]


def kinds_chart(
    result: Result, columns: Sequence[str], candidate: str | None, scope: str
) -> Charted:
    """How many constraints of each kind every arm kept."""
    title = _("Constraints kept, by kind and arm: %(scope)s") % {"scope": scope_words(scope)}
    if "kinds" not in result:
        note = _(
            "This run was concluded before constraints were counted by kind. Somebody who runs the "
            "server can have its results computed again: manage.py runs PROJECT NUMBER --compute"
        )
        return Charted("kinds", title, "", None, note=note)
    counts = {arm: result["kinds"].get(arm, {}).get(scope, {}) for arm in columns}
    kinds = [kind for kind in KINDS if any(kind in counts[arm] for arm in columns)]
    if not kinds:
        note = _("No constraint of a resolved request was judged here.")
        return Charted("kinds", title, "", None, note=note)
    lead = _(
        "Bars, a group for each kind of constraint and one for each arm: constraints kept, of all "
        "of the kind."
    )
    told = [
        sentence(arm, (f"{_(kind)} {_kept(counts[arm].get(kind))}" for kind in kinds))
        for arm in columns
    ]
    groups = tuple(
        Group(
            _(kind),
            tuple(_kind_bar(arm, counts[arm].get(kind), arm == candidate) for arm in columns),
        )
        for kind in kinds
    )
    key = (
        ("solid", _("kept")),
        ("hatched", _("open")),
        ("empty", _("lost")),
        ("mark", _("critical ones kept")),
    )
    description = " ".join([lead, *told])
    return Charted(
        "kinds",
        title,
        description,
        Bars(title, description, groups, key),
        (_("kind"), _("arm"), _("kept"), _("lost"), _("open"), _("critical ones kept")),
        tuple(
            (_(kind), arm, *_kind_cells(counts[arm].get(kind))) for kind in kinds for arm in columns
        ),
        _(
            "Constraints of assessed, resolved requests. There is no interval, because constraints "
            "of one request are not independent; that of all kinds together is in the scorecard."
        ),
    )


def _kept(counts: Mapping[str, Any] | None) -> str:
    return of_total(counts["kept"], counts["n"]) if counts else _("none")


def _kind_bar(arm: str, counts: Mapping[str, Any] | None, strong: bool) -> Bar:
    if not counts:
        return Bar(arm, _("none"), strong=strong)
    n, critical = counts["n"], counts["critical"]
    looks = (("kept", "solid"), ("open", "hatched"), ("lost", "empty"))
    return Bar(
        arm,
        _kept(counts),
        tuple(Part(counts[word] / n, look) for word, look in looks),
        mark=critical["kept"] / critical["n"] if critical["n"] else None,
        strong=strong,
    )


def _kind_cells(counts: Mapping[str, Any] | None) -> tuple[str, ...]:
    if not counts:
        return (_("none"), "0", "0", _("none"))
    kept = f"{_kept(counts)} ({percent(counts['kept'] / counts['n'])})"
    critical = counts["critical"]
    return (
        kept,
        str(counts["lost"]),
        str(counts["open"]),
        _kept(critical) if critical["n"] else _("none"),
    )


def gains_chart(result: Result, candidate: str | None) -> Charted:
    """What the candidate lost of the answers that the original got right, and gained of the others,
    by class.
    """
    if candidate in (None, ORIGINAL):
        note = _("This run has no candidate to compare with the original.")
        return Charted("gains", _("Regressions and gains"), "", None, note=note)
    title = _("Regressions and gains of %(arm)s, by class") % {"arm": candidate}
    found = [row for row in result["scorecard"]["differences"] if row["arm"] == candidate]
    if not found:
        note = _("This run has no original to compare with.")
        return Charted("gains", title, "", None, note=note)
    lead = _(
        "Two bars for each class: answers lost, of those right at the original; answers gained, of "
        "those wrong there."
    )
    told = [
        _("%(class)s: lost %(lost)s, gained %(gained)s.")
        % {
            "class": scope_words(row["scope"]),
            "lost": _rate(row["answers"]["regression"]),
            "gained": _rate(row["answers"]["gain"]),
        }
        for row in found
    ]
    rates = [row["answers"][name] for row in found for name in ("regression", "gain")]
    key = [("crossed", _("lost")), ("solid", _("gained"))]
    key += [("interval", words)] if (words := interval_words(rates)) else []
    description = " ".join([lead, *told])
    return Charted(
        "gains",
        title,
        description,
        Bars(title, description, tuple(_gain_group(row) for row in found), tuple(key)),
        (
            _("class"),
            _("compared"),
            _("lost, of those right at the original"),
            _("gained, of those wrong at the original"),
            _("discordant"),
            _("McNemar's test"),
            _("after correction"),
        ),
        tuple(_gain_cells(row) for row in found),
        _("Supported-correct answers of resolved requests that are settled under both arms."),
    )


def _rate(estimate: Figures) -> str:
    """The counts of a rate, or a word where it has no value."""
    return missing(estimate).text if estimate["value"] is None else of_total(*hits(estimate))


def _gain_group(row: Mapping[str, Any]) -> Group:
    answers = row["answers"]
    beside = _("%(count)s discordant") % {
        "count": of_total(answers["lost"] + answers["gained"], answers["n"])
    }
    bars = (
        _rate_bar(_("lost"), answers["regression"], "crossed"),
        _rate_bar(_("gained"), answers["gain"], "solid"),
    )
    return Group(scope_words(row["scope"]), bars, beside)


def _rate_bar(
    name: str, estimate: Figures, look: str, *, best: Figures | None = None, strong: bool = False
) -> Bar:
    """A rate with its interval; what is open reaches on to `best`."""
    value = estimate["value"]
    if value is None:
        return Bar(name, missing(estimate).text, strong=strong)
    most = best["value"] if best and best["value"] is not None else value
    parts = (Part(value, look), Part(most - value, "hatched"), Part(1 - most, "empty"))
    return Bar(name, _rate(estimate), parts, interval(estimate), strong=strong)


def _gain_cells(row: Mapping[str, Any]) -> tuple[str, ...]:
    answers = row["answers"]
    return (
        scope_words(row["scope"]),
        str(answers["n"]),
        in_words(rate_cell(answers["regression"])),
        in_words(rate_cell(answers["gain"])),
        of_total(answers["lost"] + answers["gained"], answers["n"]),
        _p(answers["test"]),
        _p(row["adjusted"]) if row["adjusted"] else "–",
    )


def _p(estimate: Figures) -> str:
    if estimate["value"] is None:
        return missing(estimate).text
    shown = p_value(estimate["value"])
    return f"p {shown}" if shown.startswith("<") else f"p = {shown}"


def stages_chart(result: Result, columns: Sequence[str], candidate: str | None) -> Charted:
    """Where the cases of each arm first lost the contract."""
    title = _("First stage that lost the contract, by arm")
    rows = [row for row in stage_rows(result, columns) if row.total]
    if not rows:
        return Charted("stages", title, "", None, note=_("No arm has a case."))
    lead = _("Bars, a group for each stage and one for each arm: cases that lost it there first.")
    labels = {name: str(label) for name, label in STAGES}
    told = [
        sentence(row.arm, (f"{labels[name]} {of_total(n, row.total)}" for name, n in row.counts))
        for row in rows
    ]
    looks = {"none": "solid", "undetermined": "hatched"}
    groups = tuple(
        Group(
            labels[stage],
            tuple(
                Bar(
                    row.arm,
                    of_total(dict(row.counts)[stage], row.total),
                    (
                        Part(dict(row.counts)[stage] / row.total, looks.get(stage, "crossed")),
                        Part(1 - dict(row.counts)[stage] / row.total, "empty"),
                    ),
                    strong=row.arm == candidate,
                )
                for row in rows
            ),
        )
        for stage in labels
    )
    key = (
        ("crossed", _("lost here first")),
        ("solid", _("nothing lost")),
        ("hatched", _("cannot be told yet")),
    )
    description = " ".join([lead, *told])
    return Charted(
        "stages",
        title,
        description,
        Bars(title, description, groups, key),
        (_("arm"), *labels.values()),
        tuple((row.arm, *(of_total(n, row.total) for _name, n in row.counts)) for row in rows),
        _("All cases, failed ones too: where these were lost cannot be told."),
    )


def families_chart(result: Result, candidate: str | None) -> Charted:
    """Pairs passed in each family, and their components by themselves."""
    arm = candidate or ORIGINAL
    title = _("Twin pairs passed by %(arm)s, by family") % {"arm": arm}
    rows = result["families"].get(arm, ())
    if not rows:
        return Charted("families", title, "", None, note=_("This run has no twin pairs."))
    before = {
        row["family"]: row["passes"]
        for row in (result["families"].get(ORIGINAL, ()) if arm != ORIGINAL else ())
    }
    lead = _(
        "Bars, a group for each family of twin pairs: pairs passed, then the rewrite, the evidence "
        "and the answer by themselves, of the pairs that could be assessed."
    )
    told = [
        "{}: {}.".format(
            _(row["family"]),
            ", ".join(f"{name} {_rate(rate)}" for name, rate, *_rest in _family(row, arm, before)),
        )
        for row in rows
    ]
    key = [
        ("solid", _("pairs passed")),
        ("hatched", _("open")),
        ("lined", _("one part of the pair by itself")),
    ]
    words = interval_words(row["passes"]["worst"] for row in rows)
    key += [("interval", words)] if words else []
    description = " ".join([lead, *told])
    groups = tuple(_family_group(row, arm, before) for row in rows)
    return Charted(
        "families",
        title,
        description,
        Bars(title, description, groups, tuple(key)),
        (
            _("family"),
            *([_("original passes")] if before else []),
            _("%(arm)s passes") % {"arm": arm},
            _("rewrite"),
            _("evidence"),
            _("answer"),
            _("open"),
            _("not assessed"),
        ),
        tuple(_family_cells(row, arm, before) for row in rows),
        _("A pair passes as a unit; its parts are diagnostics. Pairs not assessed are in no rate."),
    )


_Line = tuple[str, Figures, str, Figures | None]  # name, rate, look, and the rate if open is kept


def _family(row: Mapping[str, Any], arm: str, before: Mapping[str, Any]) -> list[_Line]:
    passes = row["passes"]
    lines: list[_Line] = []
    if old := before.get(row["family"]):
        lines.append((ORIGINAL, old["worst"], "solid", old["best"]))
    lines.append((arm, passes["worst"], "solid", passes["best"]))
    labels = {"rewrite": _("rewrite"), "evidence": _("evidence"), "answer": _("answer")}
    return lines + [(labels[name], row[name], "lined", None) for name in COMPONENTS]


def _family_group(row: Mapping[str, Any], arm: str, before: Mapping[str, Any]) -> Group:
    left = row["not_assessed"]
    beside = (
        ngettext("%(n)d pair not assessed", "%(n)d pairs not assessed", left) % {"n": left}
        if left
        else ""
    )
    bars = tuple(
        _rate_bar(
            f"· {name}" if look == "lined" else name, rate, look, best=best, strong=name == arm
        )
        for name, rate, look, best in _family(row, arm, before)
    )
    return Group(_(row["family"]), bars, beside)


def _family_cells(row: Mapping[str, Any], arm: str, before: Mapping[str, Any]) -> tuple[str, ...]:
    rates = [in_words(rate_cell(rate)) for _name, rate, *_rest in _family(row, arm, before)]
    if before and row["family"] not in before:
        rates.insert(0, "–")
    return (_(row["family"]), *rates, str(row["passes"]["open"]), str(row["not_assessed"]))
