"""The kinds of work that contracts give to the desk: sheets first, standalone references once a
contract stands.
"""

from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.models import HumanRewrite, LedgerEntry, Person, Project, Request, Seat
from annotation.services import consent
from annotation.services.exports import telling_exports
from annotation.services.exposure import exposures
from contracts.models import Adjudication, Contract, Gold, Sheet, Training
from contracts.qualification import standing_of

# Of all that is recorded as shown, what the writer of a reference may know.
HARMLESS = ("contract", "sheets")


def _contracted() -> Exists:
    return Exists(Contract.objects.filter(request=OuterRef("pk")))


def _on_the_bench() -> Exists:
    opened = Adjudication.objects.filter(state=Adjudication.State.OPEN)
    return Exists(opened.filter(request=OuterRef("pk")))


def _came_back_to(person: Person) -> Exists:
    """Requests whose sheet by this person the bench sent back."""
    sheets = Sheet.objects.filter(annotator=person, sent_back=True, retracted_at__isnull=False)
    return Exists(sheets.filter(request=OuterRef("pk")))


def _brought_in(person: Person) -> QuerySet[Request]:
    """Requests whose answers or evidence the person brought in. A query of its own, so that a
    search reads the long rows of few requests only.
    """
    told = Q(answers__isnull=False) | Q(evidence__isnull=False)
    return Request.objects.filter(told, created_by=person)


def _paraphrased_by(person: Person) -> Exists:
    """Requests that the person was given to paraphrase, with the answer."""
    seats = Seat.objects.filter(kind=HumanRewrite.Kind.PARAPHRASE, holder=person)
    return Exists(seats.filter(request=OuterRef("pk")))


def sheets_open_to(project: Project, person: Person) -> QuerySet[Request]:
    """Requests without a contract, of which the person sealed nothing and was shown nothing. What
    is on the bench is open to nobody but the reviewer whose sheet came back.
    """
    if not project.takes_contracts or consent.needed(person, project):
        return Request.objects.none()
    own_sheets = Sheet.objects.standing().filter(annotator=person)
    requests = project.requests.exclude(_contracted()).exclude(
        Exists(own_sheets.filter(request=OuterRef("pk")))
    )
    requests = requests.exclude(_on_the_bench() & ~_came_back_to(person))
    closed, told = _closed(project, person)
    if closed:
        return Request.objects.none()
    for rows in told:
        requests = requests.exclude(Exists(rows))
    return requests.order_by("position", "pk")


def _closed(project: Project, person: Person) -> tuple[bool, list[QuerySet[Any]]]:
    """Whether every request is closed to the person, by an export or by practice that they did not
    pass; and what told them of single ones, each a query for the request of an outer one. Most
    annotators were told nothing, which one query finds out, so that the search for their next item
    has little to ask.
    """
    sealed = project.ledger.filter(kind="sheet.sealed", actor=person)
    of_others = sealed.exclude(content__annotator=person.username)
    # Where to look for anything at all, and what it tells of one request.
    sources: list[tuple[QuerySet[Any], QuerySet[Any], str]] = [
        (rows, rows, link)
        for rows, link in (
            (HumanRewrite.objects.filter(author=person), "request"),
            (exposures(person=person, project=project), "subject"),
            (Seat.objects.filter(kind=HumanRewrite.Kind.PARAPHRASE, holder=person), "request"),
            (_brought_in(person), "pk"),
            (Gold.objects.filter(created_by=person), "request"),
        )
    ]
    imports = project.import_records.filter(kind="sheets", created_by=person)
    sources.append((imports, of_others, "subject"))
    telling = telling_exports(person=person, project=project)
    asked = [Exists(anything) for anything, _rows, _link in sources]
    training = Training.objects.filter(project=project, required=True)
    every, required, *found = Person.objects.values_list(
        Exists(telling), Exists(training), *asked
    ).get(pk=person.pk)
    closed = every or (required and standing_of(person, project).closes_sheets)
    ours = {"request": OuterRef("pk"), "subject": OuterRef("key"), "pk": OuterRef("pk")}
    return closed, [
        rows.filter(**{link: ours[link]})
        for (_anything, rows, link), there in zip(sources, found, strict=True)
        if there
    ]


def standalone_open_to(project: Project, person: Person) -> QuerySet[Request]:
    """Requests with an approved contract that still lack their standalone reference, of which the
    person was shown neither answer, evidence, rewrite nor result.
    """
    if not project.takes_contracts or consent.needed(person, project):
        return Request.objects.none()
    written = HumanRewrite.objects.standing().filter(
        request=OuterRef("pk"), kind=HumanRewrite.Kind.STANDALONE
    )
    return (
        _unspoilt(project, person)
        .filter(_contracted())
        .exclude(Exists(written))
        .order_by("position", "pk")
    )


def knows_too_much(person: Person, request: Request) -> bool:
    """Tell whether the person was shown what the writer of its reference must not know."""
    return not _unspoilt(request.project, person).filter(pk=request.pk).exists()


def reference_of(request: Request) -> QuerySet[HumanRewrite]:
    """The standing standalone references of a request: one, or none yet."""
    return request.human_rewrites.standing().filter(kind=HumanRewrite.Kind.STANDALONE)


def _unspoilt(project: Project, person: Person) -> QuerySet[Request]:
    """Requests of which the person knows no answer, evidence, rewrite or result."""
    shown = exposures(person=person, project=project).exclude(content__what__in=HARMLESS)
    unspoilt = (
        project.requests.exclude(Exists(shown.filter(subject=OuterRef("key"))))
        .exclude(_paraphrased_by(person))
        .exclude(Exists(_brought_in(person).filter(pk=OuterRef("pk"))))
        .exclude(Exists(telling_exports(person=person, project=project)))
    )
    results = _results_seen(shown)
    if results is None:
        return unspoilt
    # A run's results tell of every request that had its contract by then.
    in_runs = Contract.objects.filter(request=OuterRef("pk"), approved_at__lte=results)
    return unspoilt.exclude(Exists(in_runs))


def _results_seen(shown: QuerySet[LedgerEntry]) -> datetime | None:
    last = shown.filter(content__what="results").order_by("-sequence").first()
    return datetime.fromisoformat(last.at) if last else None
