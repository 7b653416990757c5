"""What the people of a project are told and agree to: guidelines, consent, invitations."""

from datetime import datetime

from django.db import models

from annotation.models.people import Person, Project, Role


class GuidelineQuerySet(models.QuerySet["Guideline"]):
    def current(self, project: Project) -> "GuidelineQuerySet":
        """The newest version of each topic."""
        newer = Guideline.objects.filter(
            project=models.OuterRef("project"),
            topic=models.OuterRef("topic"),
            version__gt=models.OuterRef("version"),
        )
        return self.filter(project=project).exclude(models.Exists(newer))


class Guideline(models.Model):
    """One version of what the study asks of its annotators on one topic, in Markdown.

    `topic` is "" for everybody, else the name of a kind of work or of a kind of Constraint.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="guidelines")
    topic = models.CharField(max_length=20, blank=True)
    version = models.PositiveIntegerField()
    text = models.TextField(blank=True)
    sha256 = models.CharField(max_length=64)
    author = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = GuidelineQuerySet.as_manager()

    class Meta:
        ordering = ["project_id", "topic", "version"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "topic", "version"], name="guideline_version_once"
            )
        ]

    def __str__(self) -> str:
        return f"guideline {self.topic or 'for all'}, version {self.version}"


class Consent(models.Model):
    """That a person agreed to one wording of the project's consent text, and since when not."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="consents")
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="consents")
    text_sha256 = models.CharField(max_length=64)
    given_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "person", "text_sha256"],
                condition=models.Q(withdrawn_at=None),
                name="consent_once",
            )
        ]

    def __str__(self) -> str:
        return f"consent of {self.person} in {self.project}"


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def usable(self, now: datetime) -> "InvitationQuerySet":
        return self.filter(used_at=None, revoked_at=None, expires_at__gt=now)


class Invitation(models.Model):
    """A link that lets one person into a project, once. Only the hash of its token is kept."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="invitations")
    token_sha256 = models.CharField(max_length=64, unique=True)
    roles = models.JSONField()
    note = models.CharField(max_length=120, blank=True)
    created_by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
    used_by = models.ForeignKey(
        Person, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = InvitationQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"invitation to {self.project}"

    @property
    def roles_shown(self) -> str:
        """The roles in the words of the page."""
        said = dict(Role.Name.choices)
        return ", ".join(str(said.get(role, role)) for role in self.roles)
