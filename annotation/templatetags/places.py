from typing import Any

from django import template
from django.urls import reverse

from annotation.permissions import roles_of
from annotation.places import Place, open_to

register = template.Library()


@register.simple_tag(takes_context=True)
def project_places(context: dict[str, Any]) -> list[dict[str, Any]]:
    """The places of the page's project that its reader may enter, the present one marked."""
    project, request = context["project"], context["request"]
    roles = roles_of(request.user, project)
    places = open_to(project, roles)
    page = request.resolver_match.url_name if request.resolver_match else ""
    claimed = any(page in place.also for place in places)
    shown = []
    for place in places:
        address = reverse(place.page, args=[project.slug])
        here = page in place.also if claimed else _is_at(request.path, place, address)
        shown.append({"address": address, "label": place.label, "here": here})
    return shown


def _is_at(path: str, place: Place, address: str) -> bool:
    return path == address or (place.page != "project" and path.startswith(address))
