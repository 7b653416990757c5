from django.contrib.auth.models import AbstractUser, AnonymousUser
from django.db import models
from django.utils.translation import gettext_lazy as _

ROLES = ("annotator", "adjudicator", "engineer", "owner")


class Person(AbstractUser):
    """Somebody with an account. What they may do in a project is in their Membership, never
    here.

    `preferences` is how the pages behave for them (`keys`: an act of the desk → its key). Who was
    erased has a meaningless user name and nothing else that tells who they were.
    """

    preferences = models.JSONField(default=dict, blank=True)
    erased_at = models.DateTimeField(null=True, blank=True, editable=False)

    @property
    def shown_name(self) -> str:
        return self.get_full_name() or self.username


class ProjectQuerySet(models.QuerySet["Project"]):
    def visible_to(self, person: "Person | AnonymousUser") -> "ProjectQuerySet":
        """Projects in which the person is a member today; a stranger sees none."""
        if not person.is_authenticated:
            return self.none()
        return self.filter(memberships__person=person, memberships__ended_at=None).distinct()


class Project(models.Model):
    """One study: its people, corpus, requests, protocol, runs."""

    class Purpose(models.TextChoices):
        ACCEPTANCE = "acceptance", _("acceptance: contracts first, then verdicts")
        RETRIEVAL = "retrieval", _("retrieval only: no contracts, no verdicts")

    slug = models.SlugField(_("short name in addresses"), max_length=60, unique=True)
    name = models.CharField(_("name"), max_length=120)
    description = models.TextField(_("what the study is about"), blank=True)
    purpose = models.CharField(
        _("purpose"), max_length=12, choices=Purpose, default=Purpose.ACCEPTANCE
    )
    hypothetical = models.BooleanField(
        _("invented data: every page says that the figures are hypothetical"), default=False
    )
    reviewers_per_request = models.PositiveSmallIntegerField(_("reviewers per request"), default=2)
    paraphrases_per_request = models.PositiveSmallIntegerField(
        _("paraphrases per request"), default=0
    )
    reference_date = models.DateField(
        _("reference date of requests that bring none"), null=True, blank=True
    )
    consent_text = models.TextField(_("what annotators agree to before they begin"), blank=True)
    lease_minutes = models.PositiveSmallIntegerField(_("minutes a seat is kept"), default=60)
    created_by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = ProjectQuerySet.as_manager()

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(purpose__in=["acceptance", "retrieval"]),
                name="project_purpose_known",
            ),
            models.CheckConstraint(
                condition=models.Q(reviewers_per_request__gte=2, lease_minutes__gte=1),
                name="project_counts_positive",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def lock(self) -> None:
        """Let one writer at a time into the project, until the transaction ends; SQLite has one
        writer anyway. PostgreSQL locks the row, but not its key: rows that only name the project,
        as a claimed seat does, do not wait.
        """
        Project.objects.select_for_update(no_key=True).values_list("pk").get(pk=self.pk)

    @property
    def takes_contracts(self) -> bool:
        return self.purpose == self.Purpose.ACCEPTANCE


class MembershipQuerySet(models.QuerySet["Membership"]):
    def current(self) -> "MembershipQuerySet":
        return self.filter(ended_at=None)


class Membership(models.Model):
    """A person in a project. Ending it keeps everything that the person did."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="memberships")
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="memberships")
    joined_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    # The name in exports: it stays the same for as long as the project lives.
    pseudonym = models.CharField(max_length=20)

    objects = MembershipQuerySet.as_manager()

    class Meta:
        ordering = ["joined_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["project", "person"], name="membership_once"),
            models.UniqueConstraint(fields=["project", "pseudonym"], name="pseudonym_once"),
        ]

    def __str__(self) -> str:
        return f"{self.person} in {self.project}"

    @property
    def role_names(self) -> tuple[str, ...]:
        held = {role.name for role in self.roles.all()}
        return tuple(name for name in ROLES if name in held)


class Role(models.Model):
    """One role that a membership holds; a member may hold several."""

    class Name(models.TextChoices):
        ANNOTATOR = "annotator", _("annotator")
        ADJUDICATOR = "adjudicator", _("adjudicator")
        ENGINEER = "engineer", _("engineer")
        OWNER = "owner", _("owner")

    membership = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="roles")
    name = models.CharField(max_length=12, choices=Name)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["membership", "name"], name="role_once"),
            models.CheckConstraint(condition=models.Q(name__in=ROLES), name="role_name_known"),
        ]

    def __str__(self) -> str:
        return self.name
