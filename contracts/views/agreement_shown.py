"""What the pages of agreement show, computed before the template: tables with their footnotes,
pairs in words.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotation.models import Project, Request
from contracts.agreement import AMBIGUITY, MATERIALITY, PRESENCE, VALUE, Rating
from contracts.agreement_json import COEFFICIENTS
from contracts.terms import MATERIALITIES, ConstraintTerms
from contracts.views.shown import LABELS, marked_words, phrase_of

QUESTIONS: Mapping[str, tuple[str | Promise, str | Promise]] = {
    PRESENCE: (
        _("Presence"),
        _(
            "Did the reviewers see such a constraint? Counted is everything that one of them "
            "marked, and for each request every kind that none of them marked."
        ),
    ),
    VALUE: (
        _("Value"),
        _(
            "Of what two or more reviewers marked: does it say the same to them, whatever its "
            "spelling? What only one marked is one-sided: presence counts it, value does not."
        ),
    ),
    MATERIALITY: (
        _("Materiality"),
        _("Of what two or more reviewers marked: is it critical, or minor, to all of them?"),
    ),
    AMBIGUITY: (
        _("Ambiguity"),
        _("Can the request be answered as asked? Every request is asked about once."),
    ),
}
KIND_LABELS: Mapping[str, str | Promise] = {**LABELS, "": _("all kinds")}
_PREVALENT: Mapping[str, tuple[str, str | Promise]] = {
    PRESENCE: ("present", _("present")),
    VALUE: ("most frequent", _("most frequent value")),
    MATERIALITY: ("critical", _("critical")),
    AMBIGUITY: ("unresolved", _("unresolved")),
}


@dataclass(frozen=True)
class CellShown:
    """A coefficient with its interval, or the number of the footnote that says why there is
    none.
    """

    value: str = ""
    interval: str = ""
    note: int = 0
    interval_note: int = 0


@dataclass(frozen=True)
class FigureShown:
    """One row of a table; `address` leads to the pairs behind it, empty for a frozen table."""

    label: str | Promise
    address: str
    cells: list[CellShown]
    prevalence: str
    row: Mapping[str, Any]


@dataclass
class QuestionShown:
    """One table: what is asked, in a sentence, its rows and its footnotes."""

    name: str
    title: str | Promise
    sentence: str | Promise
    rows: list[FigureShown] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def note(self, reason: str) -> int:
        """The number of the footnote with this reason."""
        said = gettext(reason)
        if said not in self.notes:
            self.notes.append(said)
        return self.notes.index(said) + 1


def questions_shown(
    figures: Sequence[Mapping[str, Any]], project: Project | None
) -> list[QuestionShown]:
    """The four tables; with a project every number leads to the pairs behind it."""
    found = []
    for name, (title, sentence) in QUESTIONS.items():
        question = QuestionShown(name, title, sentence)
        for row in figures:
            if row["question"] == name:
                question.rows.append(_figure(question, row, project))
        found.append(question)
    return [question for question in found if question.rows]


def _figure(
    question: QuestionShown, row: Mapping[str, Any], project: Project | None
) -> FigureShown:
    kind = row["kind"] or ""
    label = _("the request") if question.name == AMBIGUITY else KIND_LABELS[kind]
    cells = [_cell(question, row[name]) for name in COEFFICIENTS]
    category, words = _PREVALENT[question.name]
    share = row["prevalence"].get(category)
    prevalence = "" if share is None else f"{words} {100 * share:.1f} %"
    address = pairs_address(project, question.name, kind) if project else ""
    return FigureShown(label, address, cells, prevalence, row)


def _cell(question: QuestionShown, found: Mapping[str, Any]) -> CellShown:
    if found["value"] is None:
        return CellShown(note=question.note(found["reason"]))
    value, interval = figure(found["value"]), found["interval"]
    if not interval:
        return CellShown(value)
    if interval["low"] is None:
        return CellShown(value, interval_note=question.note(interval["reason"]))
    between = {"low": figure(interval["low"]), "high": figure(interval["high"])}
    return CellShown(value, gettext("%(low)s to %(high)s") % between)


def figure(value: float) -> str:
    """Three digits after the point, with a minus that is one."""
    return f"{value:.3f}".replace("-0.000", "0.000").replace("-", "−")


def pairs_address(project: Project, what: str, kind: str = "", request: str = "") -> str:
    wanted = {"question": what, "kind": kind, "request": request}
    asked = urlencode({name: value for name, value in wanted.items() if value})
    return f"{reverse('agreement-pairs', args=[project.slug])}?{asked}"


# ---------------------------------------------------------------- pairs


@dataclass(frozen=True)
class SaidShown:
    """What one reviewer said of a unit; `rated` is False where it is in no coefficient."""

    reviewer: str
    phrase: str
    words: str
    rated: bool = True


@dataclass(frozen=True)
class PairShown:
    """One unit behind a number: what each reviewer of the request said."""

    request: str
    label: str | Promise
    state: str
    said: list[SaidShown]


def pairs_shown(
    what: str,
    ratings: Sequence[Rating],
    asked: Mapping[str, Request],
    names: Mapping[str, str],
) -> list[PairShown]:
    """One page of the list; `asked` has its requests by id, `names` what reviewers are called."""
    return [_pair(what, rating, asked[rating.request].texts, names) for rating in ratings]


def _pair(what: str, rating: Rating, texts: Sequence[str], names: Mapping[str, str]) -> PairShown:
    sides = rating.unit.sides if rating.unit else (None,) * len(rating.labels)
    said = [
        SaidShown(
            names.get(reviewer, reviewer),
            _phrase(what, label, side),
            marked_words(side, texts) if side else "",
            label is not None,
        )
        for reviewer, label, side in zip(rating.reviewers, rating.labels, sides, strict=True)
    ]
    state = "one-sided" if rating.rated < 2 else "agreed" if rating.agreed else "differs"
    label = KIND_LABELS[rating.kind] if rating.kind else _("ambiguity")
    return PairShown(rating.request, label, state, said)


def _phrase(what: str, label: Any, side: ConstraintTerms | None) -> str:
    if what == AMBIGUITY:
        if label:
            return gettext("cannot be answered as asked")
        return gettext("can be answered as asked")
    if side is None:
        return gettext("no such constraint")
    if what == MATERIALITY:
        weights = {"critical": gettext("critical"), "minor": gettext("minor")}
        return f"{weights[MATERIALITIES[label]]}: {phrase_of(side)}"
    return phrase_of(side)
