from datetime import datetime
from typing import Self, TypeVar

from django.db import models

from annotation.models import Person, Project, Request
from contracts.twins.validating import FAMILY_NAMES

FAMILIES = FAMILY_NAMES
CONTROL = "control"
# The kind of the ledger's entry of an import, whose content has the keys.
IMPORTED = "twins.imported"
_Fixture = TypeVar("_Fixture", bound="Approved", covariant=True)


def imported_at(project: Project, *, after: datetime | None = None) -> dict[str, datetime]:
    """When imports brought pairs and controls, by key and the Ledger's clock; with `after` only
    those of later imports.
    """
    found: dict[str, datetime] = {}
    imports = project.ledger.filter(kind=IMPORTED).order_by("-sequence")
    for told, keys in imports.values_list("at", "content__keys").iterator(chunk_size=10):
        at = datetime.fromisoformat(told)
        if after is not None and at <= after:
            break
        for key in keys:
            found.setdefault(key, at)
    return found


class ApprovedQuerySet(models.QuerySet[_Fixture]):
    def standing_at(self, project: Project, moment: datetime) -> Self:
        """Those of the project that stood at the moment: approved or imported by then."""
        later = imported_at(project, after=moment)
        of_project = self.filter(project=project)
        by_then = of_project.filter(models.Q(approved_at=None) | models.Q(approved_at__lte=moment))
        return by_then.exclude(approved_at=None, key__in=later) if later else by_then


class Approved(models.Model):
    """By whom a fixture was made and approved here, and why it stands in spite of what the checks
    say. All empty where it was imported: the ledger then has the import.
    """

    made_by = models.ForeignKey(
        Person, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    approved_by = models.ForeignKey(
        Person, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    approved_at = models.DateTimeField(null=True, blank=True)
    # The code of an excusable fault → the reason that was stated for it.
    reasons = models.JSONField(null=True, blank=True)

    objects = ApprovedQuerySet.as_manager()

    class Meta:
        abstract = True


class TwinPair(Approved):
    """Two Requests that differ in one decisive qualifier; the pair passes or fails as a unit."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="twin_pairs")
    key = models.CharField(max_length=200)
    family = models.CharField(max_length=12, choices=[(f, f) for f in FAMILIES])
    base = models.ForeignKey(Request, on_delete=models.PROTECT, related_name="twins_as_base")
    twin = models.ForeignKey(Request, on_delete=models.PROTECT, related_name="twins_as_twin")
    constraint = models.CharField(max_length=40)

    class Meta:
        ordering = ["key"]
        constraints = [
            models.UniqueConstraint(fields=["project", "key"], name="twin_pair_key_once"),
            models.UniqueConstraint(fields=["base", "twin"], name="twin_pair_once"),
            models.CheckConstraint(
                condition=~models.Q(base=models.F("twin")), name="twin_pair_two_requests"
            ),
            models.CheckConstraint(
                condition=models.Q(family__in=FAMILIES), name="twin_pair_family_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.key} ({self.family})"


class Control(Approved):
    """An expansion that must pass although it is no paraphrase of its base request."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="controls")
    key = models.CharField(max_length=200)
    base = models.ForeignKey(Request, on_delete=models.PROTECT, related_name="controls")
    accepts = models.JSONField(default=list)

    class Meta:
        ordering = ["key"]
        constraints = [models.UniqueConstraint(fields=["project", "key"], name="control_key_once")]

    def __str__(self) -> str:
        return self.key
