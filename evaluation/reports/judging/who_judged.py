"""Who judged a run's constraints, and what the audit of the judge found, as rows.
Knows no model: from the
result's JSON.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evaluation.reports.figures import Cell, grouped, of_total, percent
from evaluation.reports.verdict.tables import Judged
from evaluation.scoring.audit import ALL, MODEL, NOT_DRAWN, UNCHECKED
from evaluation.scoring.percentages import registered

Result = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class JudgedRow:
    """Who judged under one arm, or of one kind under it; each with what it is of."""

    name: str
    matcher: str
    people: str
    model: str
    open: str


@dataclass(frozen=True, slots=True)
class AuditRow:
    """What the audit found of one kind. `kind` is empty for all together."""

    kind: str
    checked: str
    wrong: Cell
    at_most: str
    other_word: str
    population: str


@dataclass(frozen=True, slots=True)
class ModelRow:
    """What one model settled, and what people who judged the same said of it; `agreed` is empty
    where nobody did.
    """

    name: str
    settled: int
    checked: str
    agreed: str


@dataclass(frozen=True, slots=True)
class JudgingShown:
    """Who judged, for each arm and for each kind under the candidate; the audit.

    `level` is that of the bounds. `drawn` and `checked` are of the audit in all; `waiting` is how
    many drawn judgements no person has decided by now. `agreement` is a sentence, `pairs` says
    whether there is any.
    """

    arms: tuple[JudgedRow, ...]
    kinds: tuple[JudgedRow, ...]
    audit: tuple[AuditRow, ...]
    level: str
    population: int
    drawn: int
    checked: int
    waiting: int
    agreement: str
    pairs: bool
    models: tuple[ModelRow, ...]

    @property
    def stale(self) -> bool:
        """Whether people judged more of what was drawn than the result knows of, and none waits."""
        return not self.waiting and self.checked < self.drawn


def counted_by(result: Result, arm: str) -> Judged | None:
    """Return who judged under the arm; None in results of earlier versions and of arms of which
    nothing was judged.
    """
    kinds = result.get("judging", {}).get("by", {}).get(arm)
    return _summed(kinds.values()) if kinds else None


def judging_shown(
    result: Result, arms: Sequence[str], candidate: str, *, waiting: int
) -> JudgingShown | None:
    """Return what the page shows of the judging; None in results of earlier versions."""
    told = result.get("judging")
    if told is None:
        return None
    whole = told["audit"][ALL]
    kinds = told["by"].get(candidate, {})
    return JudgingShown(
        arms=tuple(
            _judged_row(arm, _summed(told["by"][arm].values())) for arm in arms if arm in told["by"]
        ),
        kinds=tuple(_judged_row(kind, _summed([kinds[kind]])) for kind in sorted(kinds)),
        audit=tuple(_audit_rows(told["audit"])),
        level=registered(told["level"]),
        population=whole["population"],
        drawn=whole["drawn"],
        checked=whole["checked"],
        waiting=waiting,
        agreement=_agreement(told["agreement"]),
        pairs=bool(told["agreement"]["items"]),
        models=tuple(_model_row(name, told["model"][name]) for name in sorted(told["model"])),
    )


def judge_unchecked(result: Result, arms: Sequence[str]) -> str:
    """Return in a line how much people judged under these arms and how much of the judge was
    checked; empty in results of earlier versions and where nothing was judged.
    """
    told = result.get("judging")
    if told is None:
        return ""
    found = _summed(row for arm in arms for row in told["by"].get(arm, {}).values())
    if not found.total:
        return ""
    people = ngettext(
        "%(people)s of %(total)s judgement by people",
        "%(people)s of %(total)s judgements by people",
        found.total,
    ) % {"people": grouped(found.people), "total": grouped(found.total)}
    return f"{people}; {_checks(told['audit'])}"


def _checks(audit: Mapping[str, Any]) -> str:
    """How many of the drawn checks are done, and what they say of the judge. One bound over all is
    not one of each kind, so kinds of which nothing was checked are named.
    """
    whole = audit[ALL]
    if not whole["population"]:
        return _("the judge was sure of nothing, so there is nothing to check.")
    if not whole["drawn"]:
        return _("no check was drawn: the judge's error is unknown.")
    of = {"checked": grouped(whole["checked"]), "drawn": grouped(whole["drawn"])}
    if not whole["checked"]:
        return (
            ngettext(
                "%(checked)s of %(drawn)s drawn check done: the judge's error is unknown.",
                "%(checked)s of %(drawn)s drawn checks done: the judge's error is unknown.",
                whole["drawn"],
            )
            % of
        )
    error = whole["error"]
    said = ngettext(
        "%(checked)s of %(drawn)s drawn check done, %(wrong)d wrong: the judge's error is at most "
        "%(high)s with %(level)s confidence.",
        "%(checked)s of %(drawn)s drawn checks done, %(wrong)d wrong: the judge's error is at most "
        "%(high)s with %(level)s confidence.",
        whole["drawn"],
    ) % {
        **of,
        "wrong": whole["wrong"],
        "high": percent(error["high"]),
        "level": registered(error["level"]),
    }
    blank = [kind for kind in _in_order(audit) if kind != ALL and not audit[kind]["checked"]]
    if not blank:
        return said
    kinds = ", ".join(_("settled by a model") if kind == MODEL else _(kind) for kind in blank)
    return said + " " + _("Nothing was checked of: %(kinds)s.") % {"kinds": kinds}


def judging_lines(result: Result) -> list[str]:
    """Return who judged under each arm and what the audit found, for a terminal."""
    told = result.get("judging")
    if told is None:
        return []
    lines = []
    for arm, kinds in sorted(told["by"].items()):
        found = _summed(kinds.values())
        of = found.total
        lines.append(
            f"{arm}: judged by the judge {found.matcher} of {of}, people {found.people} of {of}, "
            f"a model {found.model} of {of}; open {found.open} of {of}."
        )
    return lines + [_audit_line(kind, told["audit"][kind]) for kind in _in_order(told["audit"])]


def _in_order(audit: Mapping[str, Any]) -> list[str]:
    """The kinds, what a model settled, all together: a database keeps no order of keys."""
    return sorted(audit, key=lambda kind: (kind == ALL, kind == MODEL, kind))


def _audit_line(kind: str, row: Mapping[str, Any]) -> str:
    name = "in all" if kind == ALL else kind
    if not row["drawn"]:
        return f"Audit of the judge, {name}: {NOT_DRAWN}"
    said = f"Audit of the judge, {name}: {row['checked']} of {row['drawn']} drawn were checked"
    if not row["checked"]:
        return f"{said}."
    error = row["error"]
    return (
        f"{said}; {row['wrong']} of {row['checked']} wrong ({percent(error['value'])}, at most "
        f"{percent(error['high'])} with {registered(error['level'])} confidence), "
        f"{row['other_word']} of {row['checked']} with another word on the same side."
    )


def _summed(rows: Any) -> Judged:
    found = list(rows)
    return Judged(
        matcher=sum(row["matcher"] for row in found),
        people=sum(row["person"] for row in found),
        open=sum(row["open"] for row in found),
        model=sum(row["model"] for row in found),
    )


def _judged_row(name: str, found: Judged) -> JudgedRow:
    total = found.total
    return JudgedRow(
        name,
        of_total(found.matcher, total),
        of_total(found.people, total),
        of_total(found.model, total),
        of_total(found.open, total),
    )


def _audit_rows(audit: Mapping[str, Any]) -> Iterator[AuditRow]:
    several = len(audit) > 2  # one kind and all together say the same
    for kind in _in_order(audit):
        if kind == ALL and not several:
            continue
        row = audit[kind]
        error = row["error"]
        wrong = (
            Cell(percent(error["value"]), of_total(row["wrong"], row["checked"]))
            if row["checked"]
            else _unknown(error["reason"])
        )
        yield AuditRow(
            kind="" if kind == ALL else kind,
            checked=of_total(row["checked"], row["drawn"]) if row["drawn"] else "",
            wrong=wrong,
            at_most=percent(error["high"]) if row["checked"] else "",
            other_word=of_total(row["other_word"], row["checked"]) if row["checked"] else "",
            population=grouped(row["population"]),
        )


def _unknown(reason: str) -> Cell:
    words = {UNCHECKED: _("not checked yet"), NOT_DRAWN: _("none drawn")}
    return Cell(words.get(reason, reason), missing=True)


def _agreement(found: Mapping[str, Any]) -> str:
    if not found["items"]:
        return _(found["raw"]["reason"])
    said = ngettext(
        "Two people judged %(n)s item: they said the same in %(of)s (%(raw)s), and both kept or "
        "both lost in %(side)s.",
        "Two people judged each of %(n)s items: they said the same in %(of)s (%(raw)s), and both "
        "kept or both lost in %(side)s.",
        found["items"],
    ) % {
        "n": grouped(found["items"]),
        "of": of_total(found["same"], found["items"]),
        "side": of_total(found["same_side"], found["items"]),
        "raw": percent(found["raw"]["value"]),
    }
    alpha = found["alpha"]
    if alpha["value"] is None:
        beside = _("Krippendorff's alpha is not defined: %(why)s.") % {"why": _(alpha["reason"])}
    else:
        beside = _("Krippendorff's alpha is %(alpha)s.") % {"alpha": _signed(alpha["value"])}
    return f"{said} {beside}"


def _signed(value: float) -> str:
    return f"{value:.2f}".replace("-", "−")  # as every other number on the page


def _model_row(name: str, counts: Mapping[str, int]) -> ModelRow:
    return ModelRow(
        name,
        counts["settled"],
        of_total(counts["checked"], counts["settled"]),
        of_total(counts["agreed"], counts["checked"]) if counts["checked"] else "",
    )
