"""What erasing a person would do, counted and said before anybody does it."""

from dataclasses import asdict, dataclass

from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.canonical import content_hash
from annotation.erased import entries_naming
from annotation.models import HumanRewrite, ImportJob, Invitation, Person, Revision, Seat
from annotation.models.work import SeatQuerySet
from annotation.permissions import Allowed, Decision, Denied
from annotation.services.projects import Refused, refuse_ownerless

OPEN_JOBS = (ImportJob.State.UPLOADED, ImportJob.State.QUEUED, ImportJob.State.RUNNING)


@dataclass(frozen=True)
class Effect:
    """The counts behind the sentences. `refusals` say what stands in the way; `named` counts the
    entries of ledgers in which the user name stands, and is None for whoever is not told.
    """

    projects: int
    member_now: int
    sealed: int
    sealed_paraphrases: int
    texts_standing: int
    texts_withdrawn: int
    drafts: int
    tokens: int
    sessions: int
    invitations: int
    imports: int
    named: int | None
    refusals: tuple[str, ...]

    @property
    def seen(self) -> str:
        """The hash of what was shown, so that nobody agrees to another effect."""
        return content_hash(asdict(self))

    def stays(self, *, texts: bool) -> list[str]:
        """What erasing leaves as it is, a sentence each; with `texts` the paraphrases go."""
        sealed = self.sealed - self.sealed_paraphrases if texts else self.sealed
        said = [
            ngettext(
                "%(n)d sealed item of work, under the pseudonym and as a former member’s.",
                "%(n)d sealed items of work, under the pseudonym and as a former member’s.",
                sealed,
            )
            % {"n": sealed}
        ]
        if texts:
            said.append(_("Adjudications, judgements, agreement and every verdict that was given."))
        else:
            said.append(
                _("Adjudications, judgements, agreement and every other figure, to the last digit.")
            )
            said.append(self._texts(_("stays"), _("stay")))
        if self.named is not None:
            said.append(
                ngettext(
                    "The username in %(n)d entry of a ledger, which cannot be changed; pages and "
                    "exports show the drawn name instead.",
                    "The username in %(n)d entries of ledgers, which cannot be changed; pages and "
                    "exports show the drawn name instead.",
                    self.named,
                )
                % {"n": self.named}
            )
        return said

    def goes(self, *, texts: bool) -> list[str]:
        """What erasing takes away for good, a sentence each."""
        said = [
            _("The username (a drawn one stands instead), name, e-mail, password, preferences."),
            ngettext(
                "Membership of %(n)d project, of %(of)d ever.",
                "Membership of %(n)d projects, of %(of)d ever.",
                self.member_now,
            )
            % {"n": self.member_now, "of": self.projects},
            ngettext(
                "%(n)d draft that was not sealed; its seat goes back to the pool.",
                "%(n)d drafts that were not sealed; their seats go back to the pool.",
                self.drafts,
            )
            % {"n": self.drafts},
            _("API tokens: %(tokens)d. Sessions: %(sessions)d.")
            % {"tokens": self.tokens, "sessions": self.sessions},
            _("Open invitations: %(invitations)d. Imports on their way: %(imports)d.")
            % {"invitations": self.invitations, "imports": self.imports},
        ]
        if texts:
            said.append(
                self._texts(
                    _("goes, its hash stays, its seat is free again"),
                    _("go, their hashes stay, their seats are free again"),
                )
            )
        return said

    def _texts(self, one: str, many: str) -> str:
        sentence = ngettext(
            "%(n)d paraphrase whose text stands: the text %(fate)s. Withdrawn before: %(before)d.",
            "%(n)d paraphrases whose texts stand: the texts %(fate)s. Withdrawn before: "
            "%(before)d.",
            self.texts_standing,
        )
        fate = one if self.texts_standing == 1 else many
        before = self.texts_withdrawn
        return sentence % {"n": self.texts_standing, "fate": fate, "before": before}


def effect_of(person: Person, *, to_themselves: bool = False) -> Effect:
    """Count what erasing the person would do. Who is told of themselves is not told how often
    ledgers name them: that would tell how far others are with their work.
    """
    memberships = list(person.memberships.select_related("project"))
    paraphrases = HumanRewrite.objects.filter(author=person, kind=HumanRewrite.Kind.PARAPHRASE)
    sealed = Seat.objects.filter(holder=person, state=Seat.State.SUBMITTED)
    invitations = Invitation.objects.usable(timezone.now()).filter(created_by=person)
    return Effect(
        projects=len(memberships),
        member_now=sum(m.ended_at is None for m in memberships),
        sealed=sealed.count(),
        sealed_paraphrases=sealed.filter(kind=HumanRewrite.Kind.PARAPHRASE).count(),
        texts_standing=paraphrases.filter(withdrawn_at=None).count(),
        texts_withdrawn=paraphrases.exclude(withdrawn_at=None).count(),
        drafts=drafted_seats(person).count(),
        tokens=person.api_tokens.usable(timezone.now()).count(),
        sessions=len(session_keys(person)),
        invitations=invitations.count(),
        imports=ImportJob.objects.filter(created_by=person, state__in=OPEN_JOBS).count(),
        named=None
        if to_themselves
        else sum(entries_naming(m.project, person.username) for m in memberships),
        refusals=_refusals(person),
    )


def may_erase(actor: Person, person: Person) -> Decision:
    """Say whether the actor may see what erasing the person would do, and do it."""
    if not (actor.is_superuser and actor.is_active):
        return Denied(_("Only superusers of this server erase an account."))
    if actor.pk == person.pk:
        return Denied(_("Your own account is erased by another superuser, or by the command."))
    annotating = actor.memberships.current().filter(roles__name="annotator")
    if annotating.filter(project__memberships__person=person).exists():
        return Denied(
            _("You annotate beside them, and the counts tell of their work: ask somebody else.")
        )
    return Allowed()


def unsealed_seats(person: Person) -> SeatQuerySet:
    """The person's seats on which nothing sealed stands."""
    sealed = Seat.State.SUBMITTED
    return Seat.objects.filter(holder=person).exclude(state=sealed)


def drafted_seats(person: Person) -> SeatQuerySet:
    """Those of them on which something was written."""
    written = Revision.objects.filter(seat=OuterRef("pk")).exclude(draft={})
    return unsealed_seats(person).filter(~Q(draft={}) | Exists(written))


def session_keys(person: Person) -> list[str]:
    """The sessions of the person that have not run out."""
    running = Session.objects.filter(expire_date__gt=timezone.now())
    own = str(person.pk)
    return [s.session_key for s in running if s.get_decoded().get("_auth_user_id") == own]


def _refusals(person: Person) -> tuple[str, ...]:
    found = []
    for membership in person.memberships.current().select_related("project"):
        try:
            refuse_ownerless(membership.project, person)
        except Refused as refusal:
            found.append(str(refusal))
    return tuple(found)
