from typing import TYPE_CHECKING

from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.models import Person, Project, Request, Seat
from contracts.terms import Ambiguity, ConstraintTerms, ContractTerms, Span

if TYPE_CHECKING:
    from contracts.models.contract import Contract


class SheetQuerySet(models.QuerySet["Sheet"]):
    def standing(self) -> "SheetQuerySet":
        """Sheets that hold: their annotators did not retract them."""
        return self.filter(retracted_at=None)

    def sealed_for(self, request: Request) -> "SheetQuerySet":
        found = self.standing().filter(request=request)
        return found.order_by("pk").prefetch_related("constraints")

    def by_request(self, project: Project) -> "SheetQuerySet":
        """Every standing sheet of the project, with request and annotator."""
        found = self.standing().filter(request__project=project)
        return found.select_related("request", "annotator")


class Sheet(models.Model):
    """One reviewer's blind annotation of one Request. A row exists only once it is sealed; the
    draft is on the Seat. A retracted sheet stays as it was; its annotator seals another.
    """

    request = models.ForeignKey(Request, on_delete=models.PROTECT, related_name="sheets")
    annotator = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="sheets")
    seat = models.ForeignKey(
        Seat, on_delete=models.PROTECT, null=True, blank=True, related_name="sheets"
    )
    unresolved = models.BooleanField(default=False)
    readings = models.JSONField(default=list)
    sealed_at = models.DateTimeField()
    sha256 = models.CharField(max_length=64)
    retracted_at = models.DateTimeField(null=True, blank=True)
    # It was retracted because the bench sent it back: what its reviewer said on their own.
    sent_back = models.BooleanField(default=False)

    objects = SheetQuerySet.as_manager()

    class Meta:
        ordering = ["request_id", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["request", "annotator"],
                condition=models.Q(retracted_at=None),
                name="sheet_once_per_person",
            )
        ]

    def __str__(self) -> str:
        return f"sheet of {self.request} by {self.annotator}"

    @property
    def terms(self) -> ContractTerms:
        return ContractTerms(
            constraints=tuple(c.terms for c in self.constraints.all()),
            ambiguity=Ambiguity(self.unresolved, tuple(self.readings)),
        )


class Constraint(models.Model):
    """One thing that a request demands, on a Sheet or in a Contract (exactly one of both)."""

    class Kind(models.TextChoices):
        REFERENT = "referent", _("referent")
        TIME = "time", _("time")
        QUANTITY = "quantity", _("quantity")
        POLARITY = "polarity", _("polarity")
        STATUS = "status", _("status")
        COMPARISON = "comparison", _("comparison")
        EVIDENCE = "evidence", _("evidence")

    class Materiality(models.TextChoices):
        CRITICAL = "critical", _("critical")
        MINOR = "minor", _("minor")

    sheet = models.ForeignKey(
        Sheet, on_delete=models.PROTECT, null=True, blank=True, related_name="constraints"
    )
    contract = models.ForeignKey(
        "contracts.Contract",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="constraints",
    )
    key = models.CharField(max_length=40)
    position = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=12, choices=Kind)
    materiality = models.CharField(max_length=8, choices=Materiality)
    turn = models.PositiveSmallIntegerField(null=True, blank=True)
    start = models.PositiveIntegerField(null=True, blank=True)
    end = models.PositiveIntegerField(null=True, blank=True)
    value = models.JSONField()
    admissible = models.JSONField(default=list)

    class Meta:
        ordering = ["position", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(sheet__isnull=False, contract__isnull=True)
                | models.Q(sheet__isnull=True, contract__isnull=False),
                name="constraint_has_one_home",
            ),
            models.CheckConstraint(
                condition=models.Q(
                    kind__in=[
                        "referent",
                        "time",
                        "quantity",
                        "polarity",
                        "status",
                        "comparison",
                        "evidence",
                    ]
                ),
                name="constraint_kind_known",
            ),
            models.CheckConstraint(
                condition=models.Q(materiality__in=["critical", "minor"]),
                name="constraint_materiality_known",
            ),
            models.CheckConstraint(
                condition=models.Q(turn=None, start=None, end=None)
                | models.Q(turn__isnull=False, start__lt=models.F("end")),
                name="constraint_span_holds",
            ),
            models.UniqueConstraint(fields=["sheet", "key"], name="constraint_once_per_sheet"),
            models.UniqueConstraint(
                fields=["contract", "key"], name="constraint_once_per_contract"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"

    @property
    def terms(self) -> ConstraintTerms:
        span = None
        if self.turn is not None and self.start is not None and self.end is not None:
            span = Span(self.turn, self.start, self.end)
        return ConstraintTerms(
            self.key, self.kind, self.materiality, self.value, span, tuple(self.admissible)
        )

    @classmethod
    def rows(
        cls,
        terms: ContractTerms,
        *,
        sheet: Sheet | None = None,
        contract: "Contract | None" = None,
    ) -> list["Constraint"]:
        """Unsaved rows for every constraint of the terms, in their order."""
        return [
            cls(
                sheet=sheet,
                contract=contract,
                key=c.id,
                position=position,
                kind=c.kind,
                materiality=c.materiality,
                turn=c.span.turn if c.span else None,
                start=c.span.start if c.span else None,
                end=c.span.end if c.span else None,
                value=dict(c.value),
                admissible=list(c.admissible),
            )
            for position, c in enumerate(terms.constraints)
        ]
