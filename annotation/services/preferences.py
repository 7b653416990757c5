"""How the pages behave for a person."""

from collections.abc import Mapping

from django.db import transaction
from django.utils.translation import gettext as _

from annotation import keys
from annotation.models import Person
from annotation.services.projects import Refused


def choose_keys(*, actor: Person, chosen: Mapping[str, str]) -> Person:
    """Give acts of the desk other keys; acts that are not named keep theirs. Refused, with a
    sentence for each fault, when a key cannot be one or two acts would share it.
    """
    wanted = keys.keys_of(actor.preferences.get("keys")) | dict(chosen)
    faults = [*_unusable(wanted), *_clashes(wanted)]
    if faults:
        raise Refused("\n".join(faults))
    return prefer(actor=actor, name="keys", value=keys.changed(wanted))


def reset_keys(*, actor: Person) -> Person:
    """Give every act its first key again."""
    return prefer(actor=actor, name="keys", value={})


def _unusable(wanted: Mapping[str, str]) -> list[str]:
    return [
        _("“%(key)s” cannot be the key of “%(act)s”: use one letter, or one of %(signs)s")
        % {
            "key": wanted[act.name],
            "act": _(str(act.label)),
            "signs": " ".join(sorted(keys.SIGNS)),
        }
        for act in keys.ACTS.values()
        if not keys.is_usable(wanted[act.name])
    ]


def _clashes(wanted: Mapping[str, str]) -> list[str]:
    return [
        _("“%(key)s” is the key of both “%(first)s” and “%(second)s”: give one of them another.")
        % {
            "key": clash.key,
            "first": _(str(clash.first.label)),
            "second": _(str(clash.second.label)),
        }
        for clash in keys.clashes(wanted)
    ]


@transaction.atomic
def prefer(*, actor: Person, name: str, value: object) -> Person:
    """Remember one choice of the person's own."""
    person = Person.objects.select_for_update().get(pk=actor.pk)  # another tab may change others
    person.preferences = {**person.preferences, name: value}
    person.save(update_fields=["preferences"])
    actor.preferences = person.preferences
    return actor
