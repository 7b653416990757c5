"""People judge answers, without seeing which arm gave them: is it correct, is it supported?

One judgement counts for every case of the run with that very answer to the request, and as to
support with the same retrieved and cited documents. It prevails over rules and models.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.db import transaction
from django.db.models.fields.json import KT
from django.utils.translation import gettext as _

from annotation.canonical import content_hash
from annotation.models import Person
from annotation.permissions import require
from annotation.services import ledger
from annotation.services.projects import Refused, lock
from evaluation.models import AnswerJudgement, Case, Run, StageResult
from evaluation.models.answer_judgements import AnswerJudgementQuerySet
from evaluation.scoring.answers_said import answer_key, evidence_key
from evaluation.scoring.outcomes import ASSESSED
from evaluation.services.runs import reconclude
from evaluation.services.showing import require_shown

WORDS = tuple(AnswerJudgement.Word.values)
QUESTIONS = ("correct", "supported")
# Of the answers that nothing calls in doubt, one in ten is looked at all the same.
AUDITED = 0.1
# A request, an answer to it, the retrieved and the cited documents.
_Distinct = tuple[int, str, tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class AnswerItem:
    """One answer to one request, with the documents that were retrieved for it, whatever arm gave
    it. `doubtful`: a rule calls it wrong, or nobody could tell whether it is supported. `asks` has
    the questions that no person has answered.
    """

    key: str
    request_id: int
    answer: str
    retrieved: tuple[str, ...]
    cited: tuple[str, ...]
    doubtful: bool
    answer_sha256: str
    evidence_sha256: str
    asks: tuple[str, ...] = QUESTIONS


@dataclass(frozen=True, slots=True)
class Queue:
    """What waits: the doubtful answers, then a sample of the others; `judged` of `total` have a
    person's word.
    """

    doubtful: tuple[AnswerItem, ...]
    audit: tuple[AnswerItem, ...]
    judged: int
    total: int

    @property
    def waiting(self) -> int:
        return len(self.doubtful) + len(self.audit)


def queue(run: Run) -> Queue:
    """Return what waits in a run, in an order that its seed shuffles."""
    items = sorted(_open(run, answer_items(run)), key=lambda item: _place(run, item))
    rest = [item for item in items if not item.doubtful]
    audit = rest[: math.ceil(AUDITED * len(rest))]
    return Queue(
        doubtful=tuple(item for item in items if item.doubtful and item.asks),
        audit=tuple(item for item in audit if item.asks),
        judged=sum(not item.asks for item in items),
        total=len(items),
    )


def next_answer(*, actor: Person, run: Run) -> tuple[AnswerItem | None, Queue]:
    """Return the next answer for this person and what waits. Raises Withheld where they may still
    annotate a request of the run.
    """
    require(actor, "judge", run.project)
    require_shown(actor=actor, run=run)
    waiting = queue(run)
    found = waiting.doubtful or waiting.audit
    # Two people who judge at once rarely get the same one.
    first = min(found, key=lambda item: content_hash([item.key, actor.pk]), default=None)
    return first, waiting


def judge_answer(
    *, actor: Person, run: Run, key: str, correct: str = "", supported: str = "", note: str = ""
) -> AnswerJudgement:
    """Record the person's words on the answer called `key`: each open question needs one. With the
    last doubtful answer, scores and verdicts are computed again.
    """
    require(actor, "judge", run.project)
    require_shown(actor=actor, run=run)
    items = answer_items(run)
    found = next((item for item in items if item.key == key), None)
    if found is None:
        raise Refused(_("The run has no such answer."))
    with transaction.atomic():
        lock(run.project)
        judged = _judge(actor, run, found, {"correct": correct, "supported": supported}, note)
        if not any(item.doubtful and item.asks for item in _open(run, items)):
            reconclude(run)
    return judged


def _judge(
    actor: Person, run: Run, found: AnswerItem, said: Mapping[str, str], note: str
) -> AnswerJudgement:
    [item] = _open(run, [found])
    if not item.asks:
        raise Refused(_("Somebody judged this answer a moment ago."))
    if any(said[question] not in WORDS for question in item.asks):
        raise Refused(_("Answer every question: yes, no, or cannot tell."))
    judged = AnswerJudgement.objects.create(
        run=run,
        request_id=item.request_id,
        answer_sha256=item.answer_sha256,
        evidence_sha256=item.evidence_sha256,
        **{question: said[question] for question in item.asks},
        note=note.strip(),
        person=actor,
    )
    _record(judged, "answer.judged", actor)
    return judged


@transaction.atomic
def take_back(*, actor: Person, run: Run) -> AnswerJudgement:
    """Take back the person's own last judgement in this run; the answer waits again."""
    require(actor, "judge", run.project)
    require_shown(actor=actor, run=run)
    lock(run.project)
    last = _own(actor, run).last()
    if last is None:
        raise Refused(_("You have judged no answer of this run that could be taken back."))
    back = AnswerJudgement.objects.create(
        run=run,
        request=last.request,
        answer_sha256=last.answer_sha256,
        evidence_sha256=last.evidence_sha256,
        takes_back=last,
        person=actor,
    )
    _record(last, "answer.taken_back", actor)
    reconclude(run)
    return back


def may_take_back(*, actor: Person, run: Run) -> bool:
    return _own(actor, run).exists()


def count_judged(*, actor: Person, run: Run) -> None:
    """Have scores and verdicts computed again with what people judged so far."""
    require(actor, "judge", run.project)
    reconclude(run)


def answer_items(run: Run) -> list[AnswerItem]:
    """Return every distinct answer to a resolved request of the run, from its assessed cases."""
    cited = dict(
        StageResult.objects.filter(case__run=run, stage=StageResult.Stage.ANSWER)
        .order_by()
        .values_list("case_id", "content__citations")
    )
    rows = (
        run.cases.filter(state=Case.State.DONE, outcome__isnull=False)
        .exclude(contract__unresolved=True)
        .exclude(outcome__outcome__answer_text=None)
        .filter(status__in=ASSESSED)
        .annotate(text=KT("outcome__outcome__answer_text"))
        .order_by("pk")
        .values_list(
            "pk",
            "request_id",
            "text",
            "outcome__outcome__ranked_ids",
            "outcome__answers__typed_match__value",
            "outcome__answer__value",
            "outcome__support__value",
        )
    )
    doubts: dict[_Distinct, bool] = {}
    for pk, request, text, ranked, typed, value, supported in rows.iterator(chunk_size=2000):
        one = (
            request,
            text,
            tuple(sorted(set(ranked or ()))),
            tuple(sorted(set(cited.get(pk) or ()))),
        )
        wrong = (value if typed is None else typed) == 0.0
        doubts[one] = doubts.get(one, False) or wrong or supported is None
    return [_item(*one, doubtful) for one, doubtful in doubts.items() if one[1]]


def _own(actor: Person, run: Run) -> AnswerJudgementQuerySet:
    return AnswerJudgement.objects.standing().filter(run=run, person=actor)


def _item(
    request: int, text: str, retrieved: tuple[str, ...], cited: tuple[str, ...], doubtful: bool
) -> AnswerItem:
    answer, evidence = answer_key(text), evidence_key(retrieved, cited)
    key = content_hash([request, answer, evidence])
    return AnswerItem(key, request, text, retrieved, cited, doubtful, answer, evidence)


def _open(run: Run, items: Sequence[AnswerItem]) -> list[AnswerItem]:
    """Return the items, each with the questions that no person has answered."""
    correct: set[tuple[int, str]] = set()
    supported: set[tuple[int, str, str]] = set()
    for row in AnswerJudgement.objects.counting(run):
        if row.correct:
            correct.add((row.request_id, row.answer_sha256))
        if row.supported:
            supported.add((row.request_id, row.answer_sha256, row.evidence_sha256))
    return [replace(item, asks=_asks(item, correct, supported)) for item in items]


def _asks(
    item: AnswerItem, correct: set[tuple[int, str]], supported: set[tuple[int, str, str]]
) -> tuple[str, ...]:
    answer = (item.request_id, item.answer_sha256)
    asks = [] if answer in correct else ["correct"]
    return tuple(asks if (*answer, item.evidence_sha256) in supported else [*asks, "supported"])


def _place(run: Run, item: AnswerItem) -> str:
    seed = run.conditions.content["sampling"]["seed"]
    return content_hash(["answers", seed, run.number, item.key])


def _record(judged: AnswerJudgement, kind: str, actor: Person) -> None:
    ledger.record(
        project=judged.run.project,
        kind=kind,
        subject=judged.request.key,
        content={
            "run": judged.run.number,
            "answer": judged.answer_sha256,
            "evidence": judged.evidence_sha256,
            "correct": judged.correct,
            "supported": judged.supported,
        },
        actor=actor,
    )
