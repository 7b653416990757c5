from typing import Any

from django import template
from django.urls import reverse

from annotation.permissions import roles_of
from annotation.places import open_to

register = template.Library()


@register.simple_tag(takes_context=True)
def project_places(context: dict[str, Any]) -> list[dict[str, Any]]:
    """The places of the page's project that its reader may enter, the present one marked."""
    project, request = context["project"], context["request"]
    roles = roles_of(request.user, project)
    shown = []
    for place in open_to(project, roles):
        address = reverse(place.page, args=[project.slug])
        here = request.path == address or (
            place.page != "project" and request.path.startswith(address)
        )
        shown.append({"address": address, "label": place.label, "here": here})
    return shown
