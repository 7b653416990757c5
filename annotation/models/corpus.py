from django.db import models

from annotation.models.people import Person, Project


class CorpusQuerySet(models.QuerySet["Corpus"]):
    def latest_of(self, project: Project) -> "Corpus | None":
        return self.filter(project=project).order_by("-version").first()


class Corpus(models.Model):
    """A frozen, versioned snapshot of Documents, identified by the SHA-256 of its content."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="corpora")
    version = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    document_count = models.PositiveIntegerField()  # frozen with the snapshot, never updated
    created_by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = CorpusQuerySet.as_manager()

    class Meta:
        ordering = ["project_id", "-version"]
        verbose_name_plural = "corpora"
        constraints = [
            models.UniqueConstraint(fields=["project", "version"], name="corpus_version_once"),
            models.UniqueConstraint(fields=["project", "sha256"], name="corpus_content_once"),
        ]

    def __str__(self) -> str:
        return f"corpus {self.version} of {self.project}"


class Document(models.Model):
    """One document of a frozen corpus; `key` is the id that files and evidence use."""

    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="documents")
    key = models.CharField(max_length=200)
    title = models.TextField(blank=True)
    text = models.TextField()
    metadata = models.JSONField(default=dict)
    position = models.PositiveIntegerField()

    class Meta:
        ordering = ["corpus_id", "position"]
        constraints = [
            models.UniqueConstraint(fields=["corpus", "key"], name="document_key_once"),
            models.CheckConstraint(condition=~models.Q(text=""), name="document_has_text"),
        ]

    def __str__(self) -> str:
        return self.key
