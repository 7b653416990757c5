"""The places of a project: each app registers its own pages, and the bar shows those that the
person may enter.
"""

from collections.abc import Collection
from dataclasses import dataclass

from django.utils.functional import Promise

from annotation.models import Project
from annotation.permissions import ACTS


@dataclass(frozen=True)
class Place:
    """One entry of the project's bar. `page` is a URL name that takes the slug; `act` is what it
    needs. `also` names pages that belong to it, though their addresses are below another place's.
    """

    page: str
    label: str | Promise
    act: str
    order: int
    contracts_only: bool = False  # makes no sense in a retrieval-only project
    not_annotating: bool = False  # shows everybody's work: closed to whoever annotates here
    also: tuple[str, ...] = ()


PLACES: list[Place] = []


def open_to(project: Project, roles: Collection[str]) -> list[Place]:
    """The places that somebody with these roles may enter, in the bar's order."""
    return [place for place in PLACES if _is_open(place, project, roles)]


def _is_open(place: Place, project: Project, roles: Collection[str]) -> bool:
    needed = ACTS[place.act]
    if needed is not None and not set(roles) & set(needed):
        return False
    if place.contracts_only and not project.takes_contracts:
        return False
    return not (place.not_annotating and "annotator" in roles)


def register(*places: Place) -> None:
    """Add places; called from the `ready` of the app that owns the pages."""
    PLACES.extend(places)
    PLACES.sort(key=lambda place: place.order)
