from collections.abc import Iterable

from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.models import Person
from contracts.models import Constraint
from evaluation.models.runs import Case, Run


class JudgementQuerySet(models.QuerySet["Judgement"]):
    def by_matcher(self) -> "JudgementQuerySet":
        return self.filter(person=None)

    def by_people(self) -> "JudgementQuerySet":
        """What people decided; the words of those who did not decide alone are left out."""
        return self.filter(decides=True)

    def words(self) -> "JudgementQuerySet":
        """What people said and did not take back, whether it decides or not."""
        return self.filter(person__isnull=False, stands=True)

    def of_judge(self) -> "JudgementQuerySet":
        """The judge's own rows that a person could settle: of done, logged, resolved cases."""
        # Human references are judged like any arm, so that nothing on the page gives the arm away.
        return (
            self.by_matcher()
            .filter(case__contract__unresolved=False)
            .exclude(by__startswith="matcher:unlogged")
        )

    def wanted(self, run: Run) -> "JudgementQuerySet":
        """What a person must settle in this run, settled or not."""
        return self.of_judge().filter(wanted_by(run), case__run=run)

    def waiting(self, run: Run) -> "JudgementQuerySet":
        """The matcher's judgements that a person must settle and none has."""
        return self.wanted(run).undecided()

    def audited(self, run: Run) -> "JudgementQuerySet":
        """The judge's rows that were drawn in this run to be checked by a person, checked or
        not.
        """
        return self.drawn().filter(case__run=run)

    def drawn(self) -> "JudgementQuerySet":
        """The judge's rows that are in an audit: the few items are read first, not all rows."""
        return self.of_judge().filter(pk__in=AuditItem.objects.values("judgement"))

    def undecided(self) -> "JudgementQuerySet":
        """Those of a matter that no person's row settles yet."""
        return self.exclude(models.Exists(_of_the_same().by_people()))

    def unseen_by(self, person: Person) -> "JudgementQuerySet":
        """Those of a matter of which the person has said nothing that stands."""
        return self.exclude(models.Exists(_of_the_same().words().filter(person=person)))


def wanted_by(run: Run) -> models.Q:
    """Which of the judge's rows a person must settle: unsure ones, and those that the Protocol
    wants people for.
    """
    judging = run.judging
    if judging == "human_for_all":
        return models.Q(person=None)  # an empty condition would vanish in an “or”
    unsure = models.Q(judgement=Judgement.Outcome.UNSURE)
    if judging == "human_for_critical":
        return unsure | models.Q(constraint__materiality="critical")
    return unsure


def _of_the_same() -> JudgementQuerySet:
    """Rows of the same constraint in the same case, in a subquery."""
    return Judgement.objects.filter(
        case=models.OuterRef("case"), constraint=models.OuterRef("constraint")
    )


class Judgement(models.Model):
    """Is this Constraint preserved in this rewrite: by the matcher (`person` is null) or by a
    person, who prevails.

    Append-only: a word is never changed. A row that `takes_back` another one of the same person
    says nothing else. `copy_of` is the word of an earlier run that a run took over.

    What the words come to is told by two marks, which are set with every word and every taking
    back. `stands`: nobody took the row back. `decides`: a person's row that settles the matter;
    where the Protocol wants two people, the first one's does not, the second's does if it says the
    same, and else a third one's.
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
    decides = models.BooleanField(default=False)
    stands = models.BooleanField(default=True)
    takes_back = models.OneToOneField(
        "self", on_delete=models.CASCADE, null=True, blank=True, related_name="taken_back_by"
    )
    copy_of = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="copies"
    )
    judgement = models.CharField(max_length=8, choices=Outcome, blank=True)
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
                condition=models.Q(decides=True),
                name="judgement_one_decides",
            ),
            models.UniqueConstraint(
                fields=["case", "constraint", "person"],
                condition=models.Q(person__isnull=False, stands=True),
                name="judgement_stands_once_a_person",
            ),
            models.CheckConstraint(
                condition=models.Q(decides=False) | models.Q(person__isnull=False, stands=True),
                name="judgement_people_decide",
            ),
            models.CheckConstraint(
                condition=models.Q(stands=True) | models.Q(person__isnull=False),
                name="judgement_people_take_back",
            ),
            # A row says one of the words, or it takes one back.
            models.CheckConstraint(
                condition=models.Q(
                    takes_back=None,
                    judgement__in=["stated", "filtered", "altered", "dropped", "unsure"],
                )
                | models.Q(takes_back__isnull=False, stands=False, judgement=""),
                name="judgement_outcome_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.constraint}: {self.judgement}"


def that_count(rows: Iterable[Judgement]) -> dict[int, Judgement]:
    """The judgement that counts, by the constraint's pk, of those of one case: what a person
    decided where one did, else the matcher's.
    """
    standing = [row for row in rows if row.person_id is None or row.decides]
    return {row.constraint_id: row for row in sorted(standing, key=lambda row: row.decides)}


class AuditItem(models.Model):
    """A sure judgement of the matcher's that was drawn, by the Protocol's seed, to be checked by a
    person: from these the matcher's error rate is estimated.
    """

    judgement = models.OneToOneField(Judgement, on_delete=models.CASCADE, related_name="audit")

    def __str__(self) -> str:
        return f"audit of {self.judgement}"
