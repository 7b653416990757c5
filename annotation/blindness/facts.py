"""What is hidden from whoever annotates, and how to alter it. Each app registers its own.

An alteration changes what others did and nothing that the seats wanted depend on: a seat that was
taken stays taken, so that the next item of the reader is the same in both worlds.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotation.models import HumanRewrite, Person, Project, Request, Seat


@dataclass(frozen=True)
class Fact:
    """One hidden fact. `alter` changes it for the requests given, as others than the reader left
    it, and returns how many rows it changed: 0 where there is nothing to hide yet. `of` gives the
    requests of which it is hidden, where these are not those of `hidden_from`.
    """

    name: str
    label: str | Promise
    alter: Callable[[QuerySet[Request], Person], int]
    of: Callable[[Project, Person], QuerySet[Request]] | None = None


FACTS: list[Fact] = []
# Of a project, the requests that a reader with further roles may still annotate.
still_open: dict[str, Callable[[Project, Person], QuerySet[Request]]] = {}


def register(*facts: Fact) -> None:
    """Add facts; called from the `ready` of the app that owns the rows."""
    FACTS.extend(facts)


def hidden_from(project: Project, reader: Person) -> QuerySet[Request]:
    """The requests of which the reader must not learn what others did.

    For whoever annotates only these are all. Who adjudicates too sees the sheets of what they may
    annotate no more: there the ones that are still open to them are meant.
    """
    roles = project.memberships.current().filter(person=reader)
    further = {name for name in roles.values_list("roles__name", flat=True) if name != "annotator"}
    every: QuerySet[Request] = project.requests.order_by("position", "pk")
    for role, narrowed in still_open.items():
        if role in further:
            every = every.filter(pk__in=narrowed(project, reader).values("pk"))
    return every


def alterations(project: Project, reader: Person) -> list[tuple[str, Callable[[], int]]]:
    """What to alter for the reader, by the fact's name. Which requests a fact is hidden of is
    decided now, so that one alteration does not move the next.
    """
    hidden = _settled(hidden_from(project, reader))
    return [
        (fact.name, partial(fact.alter, _settled(fact.of(project, reader)), reader))
        if fact.of
        else (fact.name, partial(fact.alter, hidden, reader))
        for fact in FACTS
    ]


def _settled(requests: QuerySet[Request]) -> QuerySet[Request]:
    return Request.objects.filter(pk__in=list(requests.values_list("pk", flat=True)))


def _alter_draft(requests: QuerySet[Request], reader: Person) -> int:
    seats = Seat.objects.filter(request__in=requests).exclude(holder=reader)
    return seats.filter(state__in=["held", "returned"]).update(draft={"text": "altered"})


def _alter_reason(requests: QuerySet[Request], reader: Person) -> int:
    seats = Seat.objects.filter(request__in=requests).exclude(holder=reader)
    return seats.filter(state="cannot_judge").update(reason="altered")


def _alter_words(requests: QuerySet[Request], reader: Person) -> int:
    rewrites = HumanRewrite.objects.filter(request__in=requests).exclude(author=reader)
    return rewrites.update(text="altered")


def _give_up(requests: QuerySet[Request], reader: Person) -> int:
    seats = Seat.objects.filter(request__in=requests, state="submitted").exclude(holder=reader)
    return seats.update(state="cannot_judge", reason="altered", sealed_at=None)


def _alter_time(requests: QuerySet[Request], reader: Person) -> int:
    """When others were last here, and how long they worked."""
    seats = Seat.objects.filter(request__in=requests).exclude(holder=reader)
    Person.objects.filter(pk__in=seats.values("holder")).update(last_login=timezone.now())
    return seats.update(active_seconds=98_765, active_at=timezone.now())


register(
    Fact("time", _("when others were at work, and how long"), _alter_time),
    Fact("draft", _("what another has drafted"), _alter_draft),
    Fact("reason", _("why another gave an item up"), _alter_reason),
    Fact("given-up", _("that another gave up instead of sealing"), _give_up),
    Fact("words", _("the words of another's rewrite"), _alter_words),
)
