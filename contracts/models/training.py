"""Known contracts: what a newcomer practises on, and what silently checks everybody's work."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.models import Person, Project, Request, Seat
from contracts.terms import ContractTerms


class Training(models.Model):
    """What a project asks of an annotator before the first sheet."""

    project = models.OneToOneField(Project, on_delete=models.PROTECT, related_name="training")
    required = models.BooleanField(_("annotators seal sheets only after they passed"), default=True)
    pass_mark = models.FloatField(
        _("share of the known critical constraints that must be found"),
        default=0.8,
        validators=[MinValueValidator(0.0), MaxValueValidator(1.0)],
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(pass_mark__gte=0.0, pass_mark__lte=1.0),
                name="training_mark_is_a_share",
            )
        ]

    def __str__(self) -> str:
        return f"training of {self.project}"


class GoldQuerySet(models.QuerySet["Gold"]):
    def of(self, project: Project, use: str) -> "GoldQuerySet":
        found = self.filter(request__project=project, use=use)
        return found.select_related("request").order_by("request__position", "pk")


class Gold(models.Model):
    """A request whose contract is known. `practice`: shown with its explanation after the sheet,
    no part of the study. `silent`: an item like any other, compared without a word.
    """

    class Use(models.TextChoices):
        PRACTICE = "practice", _("qualification, with the explanation after each")
        SILENT = "silent", _("silent check among the work")

    request = models.OneToOneField(Request, on_delete=models.PROTECT, related_name="gold")
    use = models.CharField(max_length=8, choices=Use)
    content = models.JSONField()  # the terms, as in contracts.jsonl
    explanation = models.TextField(blank=True)
    sha256 = models.CharField(max_length=64)
    created_by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = GoldQuerySet.as_manager()

    class Meta:
        ordering = ["request_id"]
        verbose_name_plural = "gold"
        constraints = [
            models.CheckConstraint(
                condition=models.Q(use__in=["practice", "silent"]), name="gold_use_known"
            )
        ]

    def __str__(self) -> str:
        return f"gold for {self.request}"

    @property
    def terms(self) -> ContractTerms:
        return ContractTerms.from_json(self.content)


class PracticeSheet(models.Model):
    """A person's answer to one practice item; a corrected answer replaces it."""

    gold = models.ForeignKey(Gold, on_delete=models.CASCADE, related_name="practice_sheets")
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="practice_sheets")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="practice_sheets")
    content = models.JSONField()
    found = models.PositiveSmallIntegerField()  # known critical constraints that the sheet has
    wanted = models.PositiveSmallIntegerField()
    added = models.PositiveSmallIntegerField()  # critical constraints that nobody knows of
    sealed_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["gold", "person"], name="practice_once_per_person"),
            models.CheckConstraint(
                condition=models.Q(found__lte=models.F("wanted")), name="practice_found_of_wanted"
            ),
        ]

    def __str__(self) -> str:
        return f"practice of {self.person} on {self.gold.request}"
