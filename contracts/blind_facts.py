"""What contracts hide from whoever annotates, for the two-world test."""

from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.blindness.facts import Fact
from annotation.models import HumanRewrite, Person, Project, Request
from annotation.permissions import may
from annotation.services.exposure import expose
from annotation.services.still_open import still_open_to
from contracts.models import (
    Adjudication,
    Admission,
    Constraint,
    Contract,
    Decision,
    Gold,
    PracticeSheet,
    Sheet,
    TwinDraft,
)


def _others(requests: QuerySet[Request], reader: Person) -> QuerySet[Sheet]:
    return Sheet.objects.filter(request__in=requests).exclude(annotator=reader)


def _alter_label(requests: QuerySet[Request], reader: Person) -> int:
    sheets = _others(requests, reader)
    sheets.update(sha256="f" * 64)
    rows = Constraint.objects.filter(sheet__in=sheets)
    return rows.update(materiality="minor", kind="status", value={"name": "altered"})


def _take_back(requests: QuerySet[Request], reader: Person) -> int:
    return _others(requests, reader).filter(retracted_at=None).update(retracted_at=timezone.now())


def _alter_known(requests: QuerySet[Request], reader: Person) -> int:
    known = Gold.objects.filter(request__in=requests, use=Gold.Use.SILENT)
    return known.exclude(created_by=reader).update(content=_ALTERED, sha256="f" * 64)


def _forget_silent(requests: QuerySet[Request], reader: Person) -> int:
    known = Gold.objects.filter(request__in=requests, use=Gold.Use.SILENT)
    return known.exclude(created_by=reader).delete()[0]


def _alter_practice(requests: QuerySet[Request], reader: Person) -> int:
    """The known requests of practice are nobody's to annotate: whoever else practised is meant."""
    projects = requests.order_by().values("project").distinct()
    sheets = PracticeSheet.objects.filter(gold__request__project__in=projects)
    return sheets.exclude(person=reader).update(found=0, added=9, content=_ALTERED)


def _alter_bench(requests: QuerySet[Request], reader: Person) -> int:
    benches = Adjudication.objects.filter(request__in=requests).exclude(adjudicator=reader)
    Decision.objects.filter(adjudication__in=benches).update(note="altered", result=None)
    return benches.update(admissible_rewrites=["altered"], opened_at=timezone.now())


def _alter_contract(requests: QuerySet[Request], reader: Person) -> int:
    contracts = Contract.objects.filter(request__in=requests)
    Constraint.objects.filter(contract__in=contracts).update(
        materiality="minor", kind="status", value={"name": "altered"}
    )
    return contracts.update(content=_ALTERED, sha256="f" * 64, approved_at=timezone.now())


def _show(requests: QuerySet[Request], reader: Person) -> int:
    """Another annotator was shown something of each request."""
    shown = 0
    for request in requests.select_related("project")[:_SHOWN]:
        peers = request.project.memberships.current().filter(roles__name="annotator")
        if peer := peers.exclude(person=reader).order_by("pk").first():
            expose(person=peer.person, project=request.project, subject=request.key, what="altered")
            shown += 1
    return shown


def _admit(requests: QuerySet[Request], reader: Person) -> int:
    """An owner counts the others' sheets all the same, or no longer."""
    sheets = _others(requests, reader)
    gone = Admission.objects.filter(sheet__in=sheets).delete()[0]
    left = sheets.exclude(pk__in=Admission.objects.values("sheet"))
    owner = Person.objects.filter(memberships__roles__name="owner", is_active=True).first()
    if gone or owner is None:
        return gone
    return len(
        Admission.objects.bulk_create(Admission(sheet=s, by=owner, reason="altered") for s in left)
    )


def _of_no_contract(project: Project, reader: Person) -> QuerySet[Request]:
    """The requests whose contract the reader must not know: of those they sealed they are shown
    it in the end, and of those whose reference they write.
    """
    if may(reader, "see_requests", project).allowed:
        return project.requests.none()
    written = HumanRewrite.objects.filter(author=reader, kind=HumanRewrite.Kind.STANDALONE)
    return (
        project.requests.exclude(pk__in=Sheet.objects.filter(annotator=reader).values("request"))
        .exclude(pk__in=written.values("request"))
        .exclude(pk__in=still_open_to(person=reader, project=project, kinds=["standalone"]))
        .order_by("position", "pk")
    )


_ALTERED: dict[str, Any] = {
    "constraints": [],
    "ambiguity": {"unresolved": False, "readings": []},
}
_SHOWN = 3  # a ledger's entry is not made by the thousand
FACTS = (
    Fact("label", _("what another's sheet says"), _alter_label),
    Fact("sheet", _("that another sealed a sheet"), _take_back),
    Fact("known", _("what is known of a silent item"), _alter_known),
    Fact("silent", _("that an item is a silent check"), _forget_silent),
    Fact("practice", _("how another did in the practice"), _alter_practice),
    Fact("bench", _("what was decided on the bench"), _alter_bench),
    Fact("contract", _("what a contract says"), _alter_contract, _of_no_contract),
    Fact("shown", _("that another was shown something"), _show),
    Fact("admitted", _("that another's sheet was admitted or not"), _admit),
)


def open_with_a_seat(project: Project, reader: Person) -> QuerySet[Request]:
    """The requests that the reader may still annotate: whoever has a further role may be shown the
    others, on the bench for example.
    """
    return still_open_to(person=reader, project=project, kinds=["sheet"])


def adjudications(project: Project, _reader: Person) -> list[Any]:
    rows = Adjudication.objects.filter(request__project=project).order_by("-pk")
    return list(rows.values_list("pk", flat=True)[:2])


def contracts(project: Project, _reader: Person) -> list[Any]:
    rows = Contract.objects.filter(request__project=project).order_by("-pk")
    return list(rows.values_list("pk", flat=True)[:2])


def sheets(project: Project, _reader: Person) -> list[Any]:
    rows = Sheet.objects.filter(request__project=project).order_by("pk")
    return list(rows.values_list("pk", flat=True)[:2])


def twin_drafts(project: Project, _reader: Person) -> list[Any]:
    rows = TwinDraft.objects.filter(project=project).order_by("pk")
    return list(rows.values_list("public_id", flat=True)[:2])
