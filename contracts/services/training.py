"""Training: known contracts on which a newcomer practises, and which silently check everybody."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.desk import WORK_KINDS
from annotation.models import Need, Person, Project, Request, Seat
from annotation.permissions import may, require
from annotation.services import drafts, ledger, seats
from annotation.services.drafts import Sent
from annotation.services.exposure import expose_all
from annotation.services.projects import Refused
from contracts.checking import terms_faults, unnamed_referents
from contracts.models import Gold, PracticeSheet, Sheet, Training
from contracts.practice import Practice, compare_with_known
from contracts.qualification import KIND, standing_of
from contracts.services.sheets import NotSealable, drafted
from contracts.terms import ContractTerms

EVERYBODY = 32_767  # seats: as many as there may ever be people


@dataclass(frozen=True)
class KnownContract:
    """A request and its known contract, as a file or a person gives them."""

    request: Request
    use: str
    terms: ContractTerms
    explanation: str = ""


def require_overview(actor: Person, project: Project) -> None:
    """Only an owner who does not annotate may see the known contracts and who found what."""
    require(actor, "manage_work", project)
    if may(actor, "annotate", project).allowed:
        raise PermissionDenied(
            _("Whoever annotates here must not see the known contracts: they would know them.")
        )


@transaction.atomic
def set_training(*, actor: Person, project: Project, required: bool, pass_mark: float) -> Training:
    """Say whether annotators must qualify, and what share of the critical demands is enough. What
    is sealed already stays.
    """
    require_overview(actor, project)
    training, _made = Training.objects.update_or_create(
        project=project, defaults={"required": required, "pass_mark": pass_mark}
    )
    ledger.record(
        project=project,
        kind="training.set",
        subject=project.slug,
        content={"required": required, "pass_mark": pass_mark},
        actor=actor,
    )
    return training


@transaction.atomic
def add_gold(*, actor: Person, project: Project, known: Sequence[KnownContract]) -> list[Gold]:
    """Keep known contracts. A practice item is no other work for anybody; a silent one is a sheet
    for everybody.
    """
    require(actor, "import", project)
    Training.objects.get_or_create(project=project)
    made = [
        Gold.objects.create(
            request=one.request,
            use=one.use,
            content=one.terms.to_json(),
            explanation=one.explanation,
            sha256=one.terms.sha256,
            created_by=actor,
        )
        for one in known
    ]
    for gold in made:
        for kind, seats_wanted in _needs(gold.use):
            Need.objects.update_or_create(
                kind=kind,
                request=gold.request,
                defaults={"project": project, "seats": seats_wanted},
            )
        ledger.record(
            project=project,
            kind="gold.added",
            subject=gold.request.key,
            content={"use": gold.use, "sha256": gold.sha256},
            actor=actor,
        )
    return made


def seal_practice(*, actor: Person, seat: Seat, sent: Sent | None = None) -> PracticeSheet:
    """Compare the person's draft with the known contract; a corrected answer replaces the earlier
    one.
    """
    done = PracticeSheet.objects.filter(seat=seat, person=actor).first()
    if done and seat.state == Seat.State.SUBMITTED:
        return done
    if sent is not None and sent.version != seat.draft_version:
        raise drafts.stale(seat, sent)
    terms, gold = drafted(seat), Gold.objects.get(request=seat.request)
    faults = terms_faults(terms, seat.request.texts) + unnamed_referents(terms)
    if faults:
        raise NotSealable(faults)
    compared = compare_with_known(gold.terms, terms)
    with transaction.atomic():
        seats.submit(seat=seat)
        sheet, _made = PracticeSheet.objects.update_or_create(
            gold=gold,
            person=actor,
            defaults={
                "seat": seat,
                "content": terms.to_json(),
                "found": compared.found,
                "wanted": compared.wanted,
                "added": compared.added,
                "sealed_at": timezone.now(),
            },
        )
    return sheet


@transaction.atomic
def try_again(*, actor: Person, seat: Seat) -> Seat:
    """Open a practice item once more, with what the person had written. The item at which they are
    meanwhile at work is put aside.
    """
    if seat.holder_id != actor.pk or seat.kind != KIND:
        raise PermissionDenied(_("This seat is somebody else's."))
    if standing_of(actor, seat.project).passed:
        raise Refused(_("You passed: nothing has to be done again."))
    held = seats.held_seat(actor=actor, project=seat.project, kind=WORK_KINDS[KIND])
    if held and held.pk != seat.pk:
        seats.release(seat=held)
    seats.reopen(seat=seat)
    seat.refresh_from_db()
    return seat


def explained(sheet: PracticeSheet) -> Practice:
    """The person's answer beside the known contract."""
    return compare_with_known(sheet.gold.terms, ContractTerms.from_json(sheet.content))


@dataclass(frozen=True)
class SilentCheck:
    """How much of the silent items' critical demands a person's standing sheets have."""

    items: int
    found: int
    wanted: int


def show_known(*, actor: Person, project: Project) -> None:
    """Write down, before it happens, that the actor is shown the known contracts: they get none of
    these requests, should they annotate later.
    """
    require_overview(actor, project)
    keys = Gold.objects.filter(request__project=project).values_list("request__key", flat=True)
    expose_all(person=actor, project=project, subjects=keys, what="known contract")


def silent_checks(project: Project) -> dict[int, SilentCheck]:
    """For each person with a standing sheet on a silent item, what they found of it."""
    gold = {one.request_id: one.terms for one in Gold.objects.of(project, Gold.Use.SILENT)}
    sheets = Sheet.objects.standing().filter(request__in=gold).prefetch_related("constraints")
    found: dict[int, SilentCheck] = {}
    for sheet in sheets:
        compared = compare_with_known(gold[sheet.request_id], sheet.terms)
        so_far = found.get(sheet.annotator_id, SilentCheck(0, 0, 0))
        found[sheet.annotator_id] = SilentCheck(
            so_far.items + 1, so_far.found + compared.found, so_far.wanted + compared.wanted
        )
    return found


def _needs(use: str) -> list[tuple[str, int]]:
    """Which kinds of work a request with a known contract has, each with its seats."""
    if use == Gold.Use.SILENT:
        return [("sheet", EVERYBODY)]
    others = [(kind.name, 0) for kind in WORK_KINDS.values() if kind.counted]
    return [(KIND, EVERYBODY), *others]
