from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.models import Person
from contracts.models import Constraint
from evaluation.models.runs import Case, Run


class JudgementQuerySet(models.QuerySet["Judgement"]):
    def by_matcher(self) -> "JudgementQuerySet":
        return self.filter(person=None)

    def by_people(self) -> "JudgementQuerySet":
        return self.exclude(person=None)

    def waiting(self, run: Run) -> "JudgementQuerySet":
        """The matcher's judgements that a person must settle and none has."""
        judging = run.protocol.content["judging"] if run.protocol else "automatic"
        settled = Judgement.objects.by_people().filter(
            case=models.OuterRef("case"), constraint=models.OuterRef("constraint")
        )
        wanted = models.Q(judgement=Judgement.Outcome.UNSURE)
        if judging == "human_for_critical":
            wanted |= models.Q(constraint__materiality="critical")
        elif judging == "human_for_all":
            wanted = models.Q()
        # Human references are judged like any arm, so that nothing on the page gives the arm away.
        return (
            self.by_matcher()
            .filter(wanted, case__run=run, case__contract__unresolved=False)
            .exclude(by__startswith="matcher:unlogged")
            .exclude(models.Exists(settled))
        )


class Judgement(models.Model):
    """Is this Constraint preserved in this rewrite: by the matcher (`person` is null) or by a
    person, who prevails.
    """

    class Outcome(models.TextChoices):
        STATED = "stated", _("stated")
        FILTERED = "filtered", _("filtered")
        ALTERED = "altered", _("altered")
        DROPPED = "dropped", _("dropped")
        UNSURE = "unsure", _("unsure")

    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="judgements")
    constraint = models.ForeignKey(Constraint, on_delete=models.PROTECT, related_name="judgements")
    person = models.ForeignKey(
        Person, on_delete=models.PROTECT, null=True, blank=True, related_name="judgements"
    )
    judgement = models.CharField(max_length=8, choices=Outcome)
    by = models.CharField(max_length=80)
    quote = models.TextField(blank=True)
    why = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = JudgementQuerySet.as_manager()

    class Meta:
        ordering = ["case_id", "constraint__position", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["case", "constraint"],
                condition=models.Q(person=None),
                name="judgement_one_by_matcher",
            ),
            models.UniqueConstraint(
                fields=["case", "constraint"],
                condition=models.Q(person__isnull=False),
                name="judgement_one_by_person",
            ),
            models.CheckConstraint(
                condition=models.Q(
                    judgement__in=["stated", "filtered", "altered", "dropped", "unsure"]
                ),
                name="judgement_outcome_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.constraint}: {self.judgement}"
