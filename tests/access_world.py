"""The study in which every line of the access map is tried, and its seven kinds of visitor."""

from typing import Any

from django.urls import reverse

from annotation.blindness import asking, routes
from annotation.models import Person
from annotation.services.projects import end_membership, set_member
from evaluation.models import Judgement, VariationItem
from tests.api.world import World, build

WHO = ("anonymous", "stranger", "former", "annotator", "adjudicator", "engineer", "owner")
VERBS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")


def access_world() -> World:
    world = build()
    former = Person.objects.create_user("former")
    owner = world.people["owner"]
    set_member(actor=owner, project=world.project, person=former, roles=["owner"])
    end_membership(actor=owner, project=world.project, person=former)
    world.people["former"] = former
    return world


def address(world: World, route: routes.Route) -> str:
    """The route's address with the annotator's own things where it takes any."""
    if route.name in ("conditions", "judgement-settle") or "variation-review-" in route.name:
        rows: dict[str, Any] = {
            "conditions": world.project.conditions,
            "judgement-settle": Judgement.objects,
        }
        first = rows.get(route.name, VariationItem.objects).order_by("pk").first()
        return reverse(route.name, args=["study", first.pk if first else 1])
    found = routes.addresses(route, world.project, world.people["annotator"])
    return found[0]


def statuses(world: World, route: routes.Route, verb: str) -> tuple[int, ...]:
    """What each kind of visitor gets, in the order of `WHO`."""
    kind = asking.JSON if route.of_api else asking.FORM
    form = {} if verb in ("POST", "PUT", "PATCH", "DELETE") else None
    call = asking.Call(route.name, verb, address(world, route), form=form, content_type=kind)
    found = []
    for who in WHO:
        with asking.undone():
            session = "" if who == "anonymous" else asking.logged_in(world.people[who])
            found.append(asking.ask(call, session).status)
    return tuple(found)
