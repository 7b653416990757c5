"""What people had said when the results of a run began to be computed.

Whoever judges holds the project's row from before their word gets its time until it is committed
(`evaluation.services`). So whoever holds it meets no word that has an earlier time and is not there
to be read: what results do not count is later than they are.
"""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from evaluation.models import AnswerJudgement, Judgement, Run
from evaluation.models.judgements import JudgementQuerySet


@dataclass(frozen=True, slots=True)
class WordsKnown:
    """The words given until `at`; `newest` are the last rows about constraints and about answers,
    also those in which a word was taken back.
    """

    at: datetime
    newest: tuple[int | None, int | None]


@transaction.atomic
def words_known(run: Run) -> WordsKnown:
    """Return which words there are now, after those that are being given."""
    run.project.lock()
    last = _of_constraints(run).aggregate(at=Max("created_at"))["at"]
    # Another machine's clock may be ahead of this one's.
    return WordsKnown(max(timezone.now(), last or timezone.now()), newest_words(run))


def newest_words(run: Run) -> tuple[int | None, int | None]:
    """Return the last rows about the run's constraints, and about answers that count in it."""
    answers = AnswerJudgement.objects.filter(
        run__project=run.project_id,
        run__number__lte=run.number,
        run__conditions__corpus=run.conditions.corpus_id,
    )
    last = _of_constraints(run).aggregate(pk=Max("pk"))["pk"]
    return last, answers.aggregate(pk=Max("pk"))["pk"]


def results_are_of(run: Run, known: WordsKnown) -> datetime:
    """Return the time that results have which count the words `known`: now, unless more was said
    meanwhile. Call while the project's row is held.
    """
    return max(timezone.now(), known.at) if newest_words(run) == known.newest else known.at


def _of_constraints(run: Run) -> JudgementQuerySet:
    return Judgement.objects.filter(case__run=run, person__isnull=False)
