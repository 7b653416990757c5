"""How far reviewers agree: the table, the pairs behind a number, each request, frozen tables."""

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    JsonResponse,
    StreamingHttpResponse,
)
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe
from kombu.exceptions import OperationalError as QueueUnreachable

from annotation.access import open_project, reader
from annotation.exporting.writing import CONTENT_TYPES, Row, pieces
from annotation.models import Project, Request
from annotation.permissions import may
from annotation.services.projects import Refused
from annotation.views.paging import ON_A_PAGE
from contracts.agreement import AMBIGUITY, PRESENCE, OfRequest, Rating, of_requests, ratings
from contracts.agreement_json import figures_json
from contracts.counted import Basis, basis
from contracts.exporting import agreement as files
from contracts.models import AgreementSnapshot
from contracts.services import agreement as services
from contracts.tasks import freeze_agreement
from contracts.terms import KINDS
from contracts.views.agreement_shown import KIND_LABELS, QUESTIONS, figure, pairs_shown
from contracts.views.agreement_shown import questions_shown as tables

WITH_INTERVALS = 1_500  # requests up to which a page works intervals out, within a second
FROZEN_AT_ONCE = 500  # requests up to which a snapshot is made in the request
RESAMPLES = 1_000  # of a page; a snapshot has more
ACT = "see_agreement"


@require_safe
def agreement(request: HttpRequest, slug: str) -> HttpResponse:
    """The tables, with what they count and what they leave out."""
    project = open_project(request, slug, ACT)
    found = basis(project)
    resamples = _resamples(found)
    table = services.table_of(found, resamples=resamples)
    context = {
        "project": project,
        "found": found,
        "table": table,
        "reason": _(table.reason) if table.reason else "",
        "tables": tables(figures_json(table), project),
        "resamples": resamples,
        "most": WITH_INTERVALS,
        "frozen_resamples": services.RESAMPLES,
        "snapshots": project.agreements.select_related("created_by").defer("content", "inputs"),
    }
    return render(request, "contracts/agreement.html", context)


@require_safe
def agreement_csv(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The tables as one file."""
    project = open_project(request, slug, ACT)
    found = basis(project)
    figures = figures_json(services.table_of(found, resamples=_resamples(found)))
    return _csv(f"{slug}-agreement.csv", files.figure_rows(figures), files.FIGURE_COLUMNS)


@require_safe
def agreement_pairs(request: HttpRequest, slug: str) -> HttpResponse:
    """The units behind one number, differences first; what they show is read from then on."""
    project = open_project(request, slug, ACT)
    what, kind, wanted = _asked_for(request.GET)
    found = basis(project)
    rows = _ratings(found, what, kind, wanted)
    shown = [row for row in rows if not row.agreed] if "differences" in request.GET else rows
    page = Paginator(shown, ON_A_PAGE).get_page(request.GET.get("page"))
    keys = {row.request for row in page.object_list}
    services.read_pairs(actor=reader(request), found=found, project=project, keys=keys)
    of_page = project.requests.filter(key__in=keys).prefetch_related("turns")
    context = {
        "project": project,
        "page": page,
        "pairs": pairs_shown(
            what,
            list(page.object_list),
            {one.key: one for one in of_page},
            _names(request, project),
        ),
        "all": len(rows),
        "differing": sum(not row.agreed for row in rows),
        "one_sided": sum(row.rated == 1 for row in rows),
        "question": QUESTIONS[what],
        "questions": {name: title for name, (title, _sentence) in QUESTIONS.items()},
        "kinds": KIND_LABELS,
        "asked": {"question": what, "kind": kind, "request": wanted},
        "may_name": may(reader(request), "export_named", project).allowed,
    }
    return render(request, "contracts/agreement_pairs.html", context)


@require_POST
def agreement_pairs_csv(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Every unit behind one number as a file."""
    project = open_project(request, slug, ACT)
    what, kind, wanted = _asked_for(request.POST)
    found = basis(project)
    rows = _ratings(found, what, kind, wanted)
    keys = {row.request for row in rows}
    services.read_pairs(actor=reader(request), found=found, project=project, keys=keys)
    named = files.rating_rows(what, rows, _names(request, project))
    return _csv(f"{slug}-agreement-{what}.csv", named, files.RATING_COLUMNS)


@require_safe
def agreement_requests(request: HttpRequest, slug: str) -> HttpResponse:
    """Each request with how far its reviewers agree, the lowest first."""
    project = open_project(request, slug, ACT)
    found = of_requests(services.reviewed(project))
    sort = request.GET.get("sort", "agreement")
    page = Paginator(_sorted(found, sort), ON_A_PAGE).get_page(request.GET.get("page"))
    kinds = [*KINDS, AMBIGUITY]
    classes = _classes(project, [key for key, _one in page.object_list])
    rows = [
        {
            "key": key,
            "class": classes[key],
            "sheets": one.sheets,
            "share": None if one.value is None else figure(one.value),
            "reason": _(one.reason) if one.reason else "",
            "kinds": [one.kinds.get(kind) for kind in kinds],
        }
        for key, one in page.object_list
    ]
    labels = [*(KIND_LABELS[kind] for kind in KINDS), _("ambiguity")]
    context = {"project": project, "page": page, "rows": rows, "kinds": labels, "sort": sort}
    return render(request, "contracts/agreement_requests.html", context)


@require_POST
def agreement_freeze(request: HttpRequest, slug: str) -> HttpResponse:
    """Freeze the table now, or by a worker where that takes longer than a page may."""
    project = open_project(request, slug, ACT)
    person = reader(request)
    try:
        if project.requests.count() > FROZEN_AT_ONCE:
            freeze_agreement.delay(project.pk, person.pk)
            messages.success(request, _("A worker freezes the table; reload this page for it."))
            return redirect("agreement", slug)
        snapshot = services.freeze(actor=person, project=project)
    except QueueUnreachable:
        messages.error(request, _("No worker can be reached: nothing was frozen. Try again later."))
        return redirect("agreement", slug)
    except Refused as refusal:
        messages.error(request, str(refusal))
        return redirect("agreement", slug)
    return redirect("agreement-snapshot", slug, snapshot.public_id)


@require_safe
def agreement_snapshot(request: HttpRequest, slug: str, snapshot_id: UUID) -> HttpResponse:
    """A frozen table, as it can be cited."""
    project = open_project(request, slug, ACT)
    return _snapshot(request, project, snapshot_id)


@require_POST
def agreement_recompute(request: HttpRequest, slug: str, snapshot_id: UUID) -> HttpResponse:
    """Work a frozen table out again and say whether it comes out the same."""
    project = open_project(request, slug, ACT)
    return _snapshot(request, project, snapshot_id, again=True)


@require_safe
def agreement_snapshot_json(request: HttpRequest, slug: str, snapshot_id: UUID) -> HttpResponse:
    """A frozen table with the hashes of its sheets, as a file."""
    project = open_project(request, slug, ACT)
    snapshot = get_object_or_404(project.agreements, public_id=snapshot_id)
    name = content_disposition_header(True, f"{slug}-agreement-{str(snapshot_id)[:8]}.json")
    shape = {"ensure_ascii": False, "indent": 1}
    return JsonResponse(
        services.snapshot_json(snapshot),
        json_dumps_params=shape,
        headers={"Content-Disposition": name or ""},
    )


def _snapshot(
    request: HttpRequest, project: Project, snapshot_id: UUID, *, again: bool = False
) -> HttpResponse:
    snapshots = project.agreements.select_related("project", "created_by")
    snapshot: AgreementSnapshot = get_object_or_404(snapshots, public_id=snapshot_id)
    context = {
        "project": project,
        "snapshot": snapshot,
        "content": snapshot.content,
        "tables": tables(snapshot.content["figures"], None),
        "recomputed": services.recompute(snapshot) if again else None,
    }
    return render(request, "contracts/agreement_snapshot.html", context)


def _resamples(found: Basis) -> int:
    """How many resamples a page can afford."""
    return RESAMPLES if found.with_two <= WITH_INTERVALS else 0


def _asked_for(sent: Mapping[str, Any]) -> tuple[str, str, str]:
    """Question, kind and request that a list is asked for."""
    what, kind = sent.get("question", PRESENCE), sent.get("kind", "")
    if what not in QUESTIONS or kind not in KIND_LABELS:
        raise Http404("There is no such figure.")
    return what, "" if what == AMBIGUITY else kind, sent.get("request", "")


def _ratings(found: Basis, what: str, kind: str, wanted: str) -> list[Rating]:
    rows = ratings(found.reviewed, what, kind)
    return [row for row in rows if wanted in ("", row.request)]


def _names(request: HttpRequest, project: Project) -> dict[str, str]:
    """What reviewers are called: their pseudonyms, or their names where an owner ticks that."""
    sent = request.POST if request.method == "POST" else request.GET
    if "names" not in sent or not may(reader(request), "export_named", project).allowed:
        return {}
    return dict(project.memberships.values_list("pseudonym", "person__username"))


def _sorted(found: Mapping[str, OfRequest], sort: str) -> list[tuple[str, OfRequest]]:
    """Requests in the asked order; those without a number come last."""
    rows = list(found.items())
    if sort == "request":
        return sorted(rows)
    sign = -1 if sort == "-agreement" else 1
    return sorted(rows, key=lambda row: (row[1].value is None, sign * (row[1].value or 0.0)))


def _classes(project: Project, keys: list[str]) -> dict[str, str]:
    asked = Request.objects.filter(project=project, key__in=keys)
    return dict(asked.values_list("key", "request_class__name"))


def _csv(name: str, rows: Iterable[Row], columns: tuple[str, ...]) -> StreamingHttpResponse:
    made = (data for data, _rows in pieces(rows, columns, "csv"))
    headers = {"Content-Disposition": content_disposition_header(True, name) or ""}
    return StreamingHttpResponse(made, content_type=CONTENT_TYPES["csv"], headers=headers)
