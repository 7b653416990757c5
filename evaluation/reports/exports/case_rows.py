"""The rows of a report: every case with its outcome, what was judged of its pairs, and everybody's
word. Read as plain values: an object of the ORM for each of ten words a case would take longer than
all the rest.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from contracts.models import Constraint
from evaluation.models import Case, Judgement, Run, StageResult
from evaluation.runs.auditing import items_of_words, sample_of

_CHUNK = 500


class Matter(NamedTuple):
    """A constraint, as far as a row says it."""

    key: str
    kind: str
    materiality: str


class Word(NamedTuple):
    """A row of the judge's or a person's."""

    case: int
    pk: int
    constraint_id: int
    person_id: int | None
    judgement: str
    by: str
    stands: bool
    decides: bool
    constraint: Matter


def case_rows(run: Run) -> Iterator[dict[str, Any]]:
    """Yield every case, by request and arm in the order of their names' code points.

    `judged` has everybody's word on each constraint as the run knew it when it was concluded: what
    people said since enters the next conclusion.
    """
    judging = run.judging
    sample = frozenset(sample_of(run))
    constraints = _constraints(run)
    pairs = frozenset(pair["id"] for pair in (run.result or {}).get("pairs", ()))
    order = sorted(run.cases.values_list("request__key", "arm__name", "pk").order_by())
    for start in range(0, len(order), _CHUNK):
        pks = [pk for _request, _arm, pk in order[start : start + _CHUNK]]
        cases = _cases(pks)
        foreign, words = _foreign(pks, pairs), _words(run, pks, constraints)
        for pk in pks:
            state, outcome, unresolved = cases[pk]
            stored: Mapping[str, Any] = outcome or {}
            resolved = state == Case.State.DONE and unresolved is False
            yield {
                "outcome": stored["outcome"],
                "first_lost": stored["first_lost"],
                "foreign": foreign.get(pk, {}) if state == Case.State.DONE else {},
                "judged": (
                    _judged(words.get(pk, ()), stored["outcome"], judging, sample)
                    if resolved
                    else []
                ),
            }


def _constraints(run: Run) -> dict[int, Matter]:
    rows = Constraint.objects.filter(contract__in=run.cases.values("contract")).order_by()
    named = rows.values_list("pk", "key", "kind", "materiality")
    return {pk: Matter(*rest) for pk, *rest in named.iterator(chunk_size=2000)}


def _cases(pks: Sequence[int]) -> dict[int, tuple[str, Any, bool | None]]:
    rows = Case.objects.filter(pk__in=pks).order_by()
    named = rows.values_list("pk", "state", "outcome", "contract__unresolved")
    return {pk: (state, outcome, unresolved) for pk, state, outcome, unresolved in named}


def _foreign(pks: Sequence[int], pairs: frozenset[str]) -> dict[int, dict[str, str]]:
    """What was judged of the pairs that the run has."""
    judged = StageResult.objects.filter(case__in=pks, stage=StageResult.Stage.JUDGE).order_by()
    return {
        case: {pair: word for pair, word in content["foreign"].items() if pair in pairs}
        for case, content in judged.values_list("case_id", "content")
    }


def _words(
    run: Run, pks: Sequence[int], constraints: Mapping[int, Matter]
) -> Mapping[int, list[Word]]:
    known = Judgement.objects.filter(case__in=pks).order_by("pk")
    if run.finished_at:
        known = known.filter(created_at__lte=run.finished_at)
    found: defaultdict[int, list[Word]] = defaultdict(list)
    names = (
        "case_id", "pk", "constraint_id", "person_id", "judgement", "by", "stands", "decides",
    )  # fmt: skip
    for row in known.values_list(*names):
        found[row[0]].append(Word._make((*row, constraints[row[2]])))
    return found


def _judged(
    words: Sequence[Word], outcome: Mapping[str, Any], judging: str, sample: frozenset[int]
) -> list[dict[str, Any]]:
    about = {"arm": outcome["arm"], "request_class": outcome["request_class"]}
    items = list(items_of_words(words, judging=judging, sample=sample, **about))
    judges = [word for word in words if word.person_id is None]
    return [
        {"constraint": word.constraint.key, **item.to_json()}
        for word, item in zip(judges, items, strict=True)
    ]
