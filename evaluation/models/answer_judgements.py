from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.models import Person, Request
from evaluation.models.runs import Run
from evaluation.scoring.answers_said import AnswersSaid, Said


class AnswerJudgementQuerySet(models.QuerySet["AnswerJudgement"]):
    def standing(self) -> "AnswerJudgementQuerySet":
        """Those that nobody took back, in the order in which they were given: the newest stands."""
        return self.filter(takes_back=None, taken_back_by=None).order_by("pk")

    def counting(self, run: Run) -> "AnswerJudgementQuerySet":
        """Those that count in a run: its own, and those of earlier runs over the same corpus, which
        had the very same request, answer and documents. Later ones change nothing concluded.
        """
        return self.standing().filter(
            run__project=run.project_id,
            run__number__lte=run.number,
            run__conditions__corpus=run.conditions.corpus_id,
        )

    def said(self, run: Run) -> AnswersSaid:
        """What people said of the answers of a run; who could not tell said nothing."""
        correct: dict[tuple[int, str], Said | None] = {}
        supported: dict[tuple[int, str, str], Said | None] = {}
        for row in self.counting(run):
            if row.correct:
                correct[row.request_id, row.answer_sha256] = _said(row.correct, row.note)
            if row.supported:
                key = (row.request_id, row.answer_sha256, row.evidence_sha256)
                supported[key] = _said(row.supported, row.note)
        return AnswersSaid(
            {key: said for key, said in correct.items() if said is not None},
            {key: said for key, said in supported.items() if said is not None},
        )


class AnswerJudgement(models.Model):
    """A person's word on one answer to a request in a run, blind to the arms that gave it: is it
    correct, and do the passages that were retrieved support it? Append-only.

    An empty `correct` or `supported` says nothing of that. A row that takes another back says
    nothing else.
    """

    class Word(models.TextChoices):
        YES = "yes", _("yes")
        NO = "no", _("no")
        CANNOT_TELL = "cannot_tell", _("cannot tell")

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="answer_judgements")
    request = models.ForeignKey(Request, on_delete=models.PROTECT, related_name="answer_judgements")
    answer_sha256 = models.CharField(max_length=64)
    evidence_sha256 = models.CharField(max_length=64)
    correct = models.CharField(max_length=11, choices=Word, blank=True)
    supported = models.CharField(max_length=11, choices=Word, blank=True)
    note = models.TextField(blank=True)
    takes_back = models.OneToOneField(
        "self", on_delete=models.CASCADE, null=True, blank=True, related_name="taken_back_by"
    )
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="answer_judgements")
    at = models.DateTimeField(auto_now_add=True)

    objects = AnswerJudgementQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(fields=["run", "request", "answer_sha256"], name="answer_judged"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(correct__in=["", "yes", "no", "cannot_tell"])
                & models.Q(supported__in=["", "yes", "no", "cannot_tell"]),
                name="answer_judgement_words_known",
            ),
            # A row says something, or it takes something back.
            models.CheckConstraint(
                condition=models.Q(takes_back=None) & ~models.Q(correct="", supported="")
                | models.Q(takes_back__isnull=False, correct="", supported=""),
                name="answer_judgement_says_one_thing",
            ),
        ]

    def __str__(self) -> str:
        return f"answer to {self.request}: {self.correct or '–'}, {self.supported or '–'}"


def _said(word: str, note: str) -> Said | None:
    if word == AnswerJudgement.Word.CANNOT_TELL:
        return None
    return Said(word == AnswerJudgement.Word.YES, note)
