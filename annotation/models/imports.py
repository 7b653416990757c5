from django.db import models

from annotation.models.people import Person, Project


class ImportRecord(models.Model):
    """One file that came in whole: which, by whom, how many rows. The same bytes are not taken
    twice.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="import_records")
    kind = models.CharField(max_length=20)
    # for example the arm that the rows belong to
    target = models.CharField(max_length=80, blank=True)
    filename = models.CharField(max_length=255)
    sha256 = models.CharField(max_length=64)
    row_count = models.PositiveIntegerField()
    created_by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "kind", "target", "sha256"], name="import_file_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.filename} ({self.kind})"
