"""Who or what judged a constraint of a case, in what words and why. People stand under their
pseudonyms.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import Membership, Project
from evaluation.models import Case, Judgement, Run
from evaluation.reports.matrix.shown import WORDS


@dataclass(frozen=True, slots=True)
class WordShown:
    """One word on a constraint. `counts`: it is the one that settles the matter."""

    who: str
    outcome: str
    word: str | Promise
    why: str
    counts: bool


@dataclass(frozen=True, slots=True)
class Said:
    """Everybody's words on one constraint, the judge's first. `waits` says what is not shown yet:
    while people still judge an item, nobody is told what the others said.
    """

    words: tuple[WordShown, ...]
    waits: str = ""


def pseudonyms(project: Project, cases: Iterable[Case]) -> dict[int, str]:
    """The pseudonyms of those who judged, by the person's id; one query, none where nobody did."""
    people = {row.person_id for case in cases for row in case.judgements.all() if row.person_id}
    if not people:
        return {}
    rows = Membership.objects.filter(project=project, person__in=people)
    return dict(rows.values_list("person", "pseudonym"))


def said_of(run: Run, rows: Iterable[Judgement], names: Mapping[int, str]) -> dict[int, Said]:
    """Return what was said of each constraint, by its pk, from all rows of one case."""
    found: dict[int, list[Judgement]] = {}
    for row in rows:
        if row.stands:
            found.setdefault(row.constraint_id, []).append(row)
    return {pk: _said(run, words, names) for pk, words in found.items()}


def _said(run: Run, rows: list[Judgement], names: Mapping[int, str]) -> Said:
    people = [row for row in rows if row.person_id]
    if people and not any(row.decides for row in people):
        waits = ngettext(
            "%(n)d of %(of)d people has judged it; their words are shown once it is settled.",
            "%(n)d of %(of)d people have judged it; their words are shown once it is settled.",
            len(people),
        ) % {"n": len(people), "of": max(run.judges, len(people) + 1)}
        return Said(
            tuple(_word(row, names, counts=False) for row in rows if row not in people), waits
        )
    decided = bool(people)
    return Said(tuple(_word(row, names, counts=row.decides or not decided) for row in rows))


def _word(row: Judgement, names: Mapping[int, str], *, counts: bool) -> WordShown:
    return WordShown(_who(row, names), row.judgement, WORDS[row.judgement], row.why, counts)


def _who(row: Judgement, names: Mapping[int, str]) -> str:
    if row.person_id:
        name = names.get(row.person_id)
        return _("person %(name)s") % {"name": name} if name else _("a person")
    if row.by.startswith("model:"):
        return _("the model %(name)s") % {"name": row.by.removeprefix("model:")}
    return _("the judge (%(rule)s)") % {"rule": row.by.removeprefix("matcher:")}
