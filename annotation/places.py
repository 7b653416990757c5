"""The places of a project: each app registers its own pages, and the bar shows those that the
person may enter.
"""

from dataclasses import dataclass

from django.utils.functional import Promise


@dataclass(frozen=True)
class Place:
    """One entry of the project's bar. `page` is a URL name that takes the slug; `act` is what it
    needs.
    """

    page: str
    label: str | Promise
    act: str
    order: int
    contracts_only: bool = False  # makes no sense in a retrieval-only project
    not_annotating: bool = False  # shows everybody's work: closed to whoever annotates here


PLACES: list[Place] = []


def register(*places: Place) -> None:
    """Add places; called from the `ready` of the app that owns the pages."""
    PLACES.extend(places)
    PLACES.sort(key=lambda place: place.order)
