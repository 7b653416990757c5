"""Where a person stands with the practice items of a project, and what that opens to them."""

from dataclasses import dataclass

from django.db.models import Exists, OuterRef, QuerySet, Sum

from annotation.models import Person, Project, Request, Seat
from annotation.services import consent
from contracts.models import Gold, PracticeSheet, Training

KIND = "qualification"


@dataclass(frozen=True)
class Standing:
    """A person's practice: items answered of all, critical demands found of those wanted in the
    answered ones, and the share that is enough.
    """

    answered: int
    items: int
    found: int
    wanted: int
    pass_mark: float
    required: bool

    @property
    def complete(self) -> bool:
        return self.answered == self.items

    @property
    def passed(self) -> bool:
        """Every item is answered and enough is found. Without items there is nothing to pass."""
        if not self.items:
            return True
        return self.complete and self.found >= self.pass_mark * self.wanted

    @property
    def mark_percent(self) -> int:
        return round(self.pass_mark * 100)

    @property
    def closes_sheets(self) -> bool:
        return self.required and not self.passed


def standing_of(person: Person, project: Project) -> Standing:
    """Where the person stands today."""
    training = Training.objects.filter(project=project).first()
    if training is None:
        return Standing(0, 0, 0, 0, 0.0, False)
    items = practice_for(person, project)
    answered = PracticeSheet.objects.filter(gold__in=items, person=person)
    sums = answered.aggregate(found=Sum("found"), wanted=Sum("wanted"))
    return Standing(
        answered=answered.count(),
        items=items.count(),
        found=sums["found"] or 0,
        wanted=sums["wanted"] or 0,
        pass_mark=training.pass_mark,
        required=training.required,
    )


def practice_for(person: Person, project: Project) -> QuerySet[Gold]:
    """The practice items that tell something about the person: not those that they brought in."""
    return Gold.objects.of(project, Gold.Use.PRACTICE).exclude(created_by=person)


def practice_open_to(project: Project, person: Person) -> QuerySet[Request]:
    """Practice items that the person has still to answer, or opened to answer again."""
    if consent.needed(person, project):
        return Request.objects.none()
    items = practice_for(person, project).filter(request=OuterRef("pk"))
    answered = Seat.objects.filter(
        request=OuterRef("pk"), kind=KIND, holder=person, state=Seat.State.SUBMITTED
    )
    return (
        project.requests.filter(Exists(items)).exclude(Exists(answered)).order_by("position", "pk")
    )


def practice_offered(project: Project, person: Person) -> bool:
    """Whether the desk names the practice items to the person: until they passed."""
    return not standing_of(person, project).passed


def outside_the_study(project: Project) -> QuerySet[Request]:
    """Requests that are compared with a known contract, and no part of what the study settles. The
    search begins with the few known contracts, not with the many requests.
    """
    known = Gold.objects.filter(request__project=project).values("request")
    return Request.objects.filter(pk__in=known)
