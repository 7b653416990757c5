from uuid import uuid4

from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.models import Person, Project
from contracts.models.contract import Contract
from contracts.models.fixtures import CONTROL, FAMILIES, Control, TwinPair
from contracts.terms import ConstraintTerms, ContractTerms


class TwinDraftQuerySet(models.QuerySet["TwinDraft"]):
    def of(self, person: Person, project: Project) -> "TwinDraftQuerySet":
        """What the person has at work or waits for, deleted ones left out; the newest first."""
        own = self.filter(project=project, author=person, deleted_at=None)
        return own.exclude(state=TwinDraft.State.APPROVED).with_base()

    def deleted_by(self, person: Person, project: Project) -> "TwinDraftQuerySet":
        return self.filter(project=project, author=person, deleted_at__isnull=False).with_base()

    def waiting(self, project: Project) -> "TwinDraftQuerySet":
        """What somebody proposed and nobody decided, the oldest first."""
        found = self.filter(project=project, state=TwinDraft.State.PROPOSED, deleted_at=None)
        return found.with_base().order_by("proposed_at", "pk")

    def with_base(self) -> "TwinDraftQuerySet":
        return self.select_related("base__request__request_class", "project", "author")


class TwinDraft(models.Model):
    """A twin or control at work: its author writes and proposes it, somebody else approves it.

    `accepts` is a control's only; everything else but `reasons` is a twin's. A deleted draft stays
    until its author brings it back.
    """

    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        PROPOSED = "proposed", _("waiting for approval")
        APPROVED = "approved", _("approved")
        SENT_BACK = "sent_back", _("sent back")

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="twin_drafts")
    public_id = models.UUIDField(default=uuid4, unique=True, editable=False)
    base = models.ForeignKey(Contract, on_delete=models.PROTECT, related_name="twin_drafts")
    constraint = models.CharField(max_length=40, blank=True)
    family = models.CharField(max_length=12, choices=[(f, f) for f in (*FAMILIES, CONTROL)])
    key = models.CharField(max_length=200, blank=True)  # chosen by the author; empty: the next free
    texts = models.JSONField(default=list)  # of every turn, the current text last
    terms = models.JSONField(default=dict)  # of the twin's contract
    answers = models.JSONField(default=list)
    evidence = models.JSONField(default=list)  # required items, each a list of document ids
    accepts = models.JSONField(default=list)
    # The code of an excusable fault → why the twin shall stand all the same.
    reasons = models.JSONField(default=dict)
    author = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="twin_drafts")
    state = models.CharField(max_length=10, choices=State, default=State.DRAFT)
    words = models.TextField(blank=True)  # of whoever sent it back
    # A page that read another version is stale, unless the newest was saved by that very tab.
    version = models.PositiveIntegerField(default=0)
    tab = models.UUIDField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    saved_at = models.DateTimeField(auto_now_add=True)
    proposed_at = models.DateTimeField(null=True, blank=True)
    deleted_at = models.DateTimeField(null=True, blank=True)
    # What came of it.
    pair = models.OneToOneField(
        TwinPair, on_delete=models.PROTECT, null=True, blank=True, related_name="draft"
    )
    control = models.OneToOneField(
        Control, on_delete=models.PROTECT, null=True, blank=True, related_name="draft"
    )

    objects = TwinDraftQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["project", "state"], name="twin_draft_by_state")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state__in=["draft", "proposed", "approved", "sent_back"]),
                name="twin_draft_state_known",
            ),
            models.CheckConstraint(
                condition=models.Q(family__in=[*FAMILIES, CONTROL]), name="twin_draft_family_known"
            ),
            models.CheckConstraint(
                condition=models.Q(family=CONTROL, constraint="")
                | (~models.Q(family=CONTROL) & ~models.Q(constraint="")),
                name="twin_draft_twin_has_constraint",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.family} of {self.base.request} by {self.author}"

    @property
    def is_control(self) -> bool:
        return self.family == CONTROL

    @property
    def contract_terms(self) -> ContractTerms:
        return ContractTerms.from_json(self.terms)

    @property
    def flipped(self) -> ConstraintTerms | None:
        """The constraint in which the twin differs, as the twin has it."""
        found = (c for c in self.contract_terms.constraints if c.id == self.constraint)
        return next(found, None)

    @property
    def documents(self) -> frozenset[str]:
        """The ids of every document that the twin requires."""
        return frozenset(key for item in self.evidence for key in item)
