from uuid import uuid4

from django.db import models

from annotation.models import Person, Project
from contracts.models.sheets import Sheet


class Admission(models.Model):
    """An owner's decision to count a Sheet that was sealed after its annotator was shown something
    of the request, with the reason that stays in every report.
    """

    sheet = models.OneToOneField(Sheet, on_delete=models.PROTECT, related_name="admission")
    by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    reason = models.TextField()
    admitted_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"admission of {self.sheet}"


class AgreementSnapshot(models.Model):
    """A table of agreement, frozen with the hashes of the sheets behind it, so that it can be cited
    and worked out again.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="agreements")
    public_id = models.UUIDField(default=uuid4, unique=True, editable=False)
    created_by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    code_version = models.CharField(max_length=64)
    inputs = models.JSONField()
    inputs_sha256 = models.CharField(max_length=64)
    content = models.JSONField()
    sha256 = models.CharField(max_length=64)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"agreement {str(self.public_id)[:8]} of {self.project}"
