"""What annotators agree to before their first item. A Consent holds for one wording of the text:
another wording asks again.
"""

import hashlib

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.models import Consent, Person, Project
from annotation.permissions import may, require
from annotation.services import ledger
from annotation.services.projects import Refused, lock, return_held_seats
from annotation.services.rewrites import withdraw_paraphrases


def text_hash(project: Project) -> str:
    """The SHA-256 (hex) of the present wording; "" when the study asks for no consent."""
    text = project.consent_text.strip()
    return hashlib.sha256(text.encode()).hexdigest() if text else ""


def standing(*, person: Person, project: Project) -> Consent | None:
    """The person's consent to the present wording, not withdrawn; None when there is none."""
    agreed = Consent.objects.filter(project=project, person=person, withdrawn_at=None)
    return agreed.filter(text_sha256=text_hash(project)).first()


def has_consented(person: Person, project: Project) -> bool:
    """Tell whether the person agreed to the present wording and has not withdrawn."""
    return standing(person=person, project=project) is not None


def needed(person: Person, project: Project) -> bool:
    """Tell whether the person must agree before they are given an item."""
    return bool(text_hash(project)) and not has_consented(person, project)


@transaction.atomic
def give(*, actor: Person, project: Project, text_sha256: str) -> Consent:
    """Agree to the wording whose hash the page showed; agreeing twice gives the same Consent."""
    require(actor, "annotate", project)
    lock(project)
    project.refresh_from_db(fields=["consent_text"])
    if not text_sha256 or text_sha256 != text_hash(project):
        raise Refused(_("The text was changed after this page was opened: read it again."))
    consent, made = Consent.objects.get_or_create(
        project=project,
        person=actor,
        text_sha256=text_sha256,
        withdrawn_at=None,
        defaults={"given_at": timezone.now()},
    )
    if made:
        _record(project, actor, "consent.given", text_sha256)
    return consent


@transaction.atomic
def withdraw(*, actor: Person, project: Project) -> int:
    """End the person's consent: the texts of their paraphrases are deleted, their sheets stay.
    Returns how many texts were deleted; a second time changes nothing more. A former member may
    too.
    """
    lock(project)
    agreed = Consent.objects.filter(project=project, person=actor, withdrawn_at=None)
    hashes = list(agreed.values_list("text_sha256", flat=True))
    if not agreed.update(withdrawn_at=timezone.now()):
        return 0
    if may(actor, "annotate", project).allowed:
        return_held_seats(person=actor, project=project)
    deleted = withdraw_paraphrases(actor=actor, project=project)
    for sha256 in hashes:
        _record(project, actor, "consent.withdrawn", sha256)
    return deleted


def ever_given(*, person: Person, project: Project) -> bool:
    """Tell whether the person has a consent, to any wording, that they can withdraw."""
    return Consent.objects.filter(project=project, person=person, withdrawn_at=None).exists()


def refuse_withdrawn(*, person: Person, project: Project) -> None:
    """Raise Refused for whoever withdrew their consent and gave none since: of a seat that went
    back with it nothing more is kept. Another wording alone loses nobody what they were typing.
    """
    if not needed(person, project) or ever_given(person=person, project=project):
        return
    if Consent.objects.filter(project=project, person=person).exists():
        raise Refused(_("You withdrew your consent: nothing is kept before you agree again."))


def _record(project: Project, actor: Person, kind: str, sha256: str) -> None:
    ledger.record(
        project=project,
        kind=kind,
        subject=actor.username,
        content={"text_sha256": sha256},
        actor=actor,
    )
