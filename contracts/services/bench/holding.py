"""Who has an adjudication open. Apart from the rows, because the sealing of sheets asks it too."""

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _

from annotation.models import Person
from annotation.services.projects import Refused
from contracts.models import Adjudication

State = Adjudication.State


def own_open(actor: Person, adjudication: Adjudication) -> Adjudication:
    """Return the row as it is now; refuse unless the actor has it open. Holds it until the
    caller's transaction ends.
    """
    now = Adjudication.objects.select_for_update().get(pk=adjudication.pk)
    if now.adjudicator_id is None:
        raise Refused(_("You put this request down: open it again from the bench."))
    if now.adjudicator_id != actor.pk:
        raise PermissionDenied(_("Another adjudicator has this request open."))
    if now.state != State.OPEN:
        raise Refused(_("The contract is approved: its decisions no longer change."))
    return now
