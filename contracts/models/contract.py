from typing import Any

from django.db import models

from annotation.models import Person, Project, Request
from contracts.terms import ContractTerms


class ContractQuerySet(models.QuerySet["Contract"]):
    def current(self, project: Project) -> "ContractQuerySet":
        """The newest version of each request's contract."""
        newer = Contract.objects.filter(
            request=models.OuterRef("request"), version__gt=models.OuterRef("version")
        )
        return self.filter(request__project=project).exclude(models.Exists(newer))


class Contract(models.Model):
    """The approved, immutable, versioned statement of what a Request asks.

    `content` is the canonical JSON behind `sha256`; the constraint rows repeat it for queries and
    judgements.
    """

    request = models.ForeignKey(Request, on_delete=models.PROTECT, related_name="contracts")
    version = models.PositiveIntegerField()
    content = models.JSONField()
    sha256 = models.CharField(max_length=64)
    unresolved = models.BooleanField(default=False)
    annotators = models.ManyToManyField(Person, related_name="+", blank=True)
    # None where the reviewers agreed on everything and nobody had to settle it.
    adjudicator = models.ForeignKey(
        Person, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    # The version of each guideline by topic when it was approved here; it is no part of its hash.
    guidelines = models.JSONField(default=dict)
    supersedes = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="superseded_by"
    )
    approved_at = models.DateTimeField()

    objects = ContractQuerySet.as_manager()

    class Meta:
        ordering = ["request_id", "version"]
        constraints = [
            models.UniqueConstraint(fields=["request", "version"], name="contract_version_once"),
            models.CheckConstraint(
                condition=models.Q(version__gte=1), name="contract_version_from_1"
            ),
        ]

    def __str__(self) -> str:
        return f"contract {self.version} of {self.request}"

    @property
    def terms(self) -> ContractTerms:
        return ContractTerms.from_json(self.content)

    def to_json(self) -> dict[str, Any]:
        """One line of contracts.jsonl."""
        return {
            "request": self.request.key,
            "version": self.version,
            "sha256": self.sha256,
            **self.content,
            "annotators": sorted(person.username for person in self.annotators.all()),
            "adjudicator": self.adjudicator.username if self.adjudicator else "",
        }
