"""What the bench tells of guidelines: gaps that somebody must close, and contracts made under a
version.
"""

from collections import Counter

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from annotation.access import open_project, reader
from annotation.guidelines import Topic, Use, all_topics, topic_at
from annotation.models import Person, Project
from annotation.permissions import may
from annotation.services.projects import Refused
from annotation.views.paging import page_of
from contracts.models import Contract, Decision
from contracts.services.bench import gaps as service
from contracts.views.shown import LABELS


@require_safe
def bench_gaps(request: HttpRequest, slug: str) -> HttpResponse:
    """Every guideline gap that the bench met, with the version that was in force."""
    project = open_project(request, slug, "manage_work")
    found = service.gaps_of(actor=reader(request), project=project)
    context = {
        "project": project,
        "gaps": [(gap, LABELS.get(gap.kind) or _("ambiguity")) for gap in found],
        "waiting": sum(gap.decision.answered_by_id is None for gap in found),
        "topics": all_topics(),
    }
    return render(request, "contracts/bench_gaps.html", context)


@require_POST
def bench_gap(request: HttpRequest, slug: str, decision_id: int) -> HttpResponse:
    """Mark a gap as closed by the newest version of a topic, or as open again."""
    project = open_project(request, slug, "manage_work")
    topic = request.POST.get("topic", "")
    try:
        service.answer_gap(
            actor=reader(request), project=project, decision_id=decision_id, topic=topic
        )
    except Decision.DoesNotExist as nothing:
        raise Http404("There is no such gap.") from nothing
    except Refused as refusal:
        messages.error(request, str(refusal))
    return redirect("bench-gaps", slug)


@require_safe
def contracts_under(request: HttpRequest, slug: str, address: str, version: int) -> HttpResponse:
    """The contracts in force that were approved under one version of a guideline."""
    project = open_project(request, slug, "see_requests")
    topic = topic_at(address)
    if topic is None:
        raise Http404("There is no such topic.")
    found = Contract.objects.current(project).filter(**{f"guidelines__{address}": version})
    found = found.select_related("request__request_class").order_by("request__position")
    context = {
        "project": project,
        "topic": topic,
        "version": version,
        "page": page_of(request, found),
    }
    return render(request, "contracts/contracts_under.html", context)


def contracts_approved_under(person: Person, project: Project, topic: Topic) -> dict[int, Use]:
    """How many contracts in force were approved under each version of a topic; who annotates is
    told nothing of contracts.
    """
    annotates = may(person, "annotate", project).allowed
    if annotates or not may(person, "see_requests", project).allowed:
        return {}
    said = Contract.objects.current(project).values_list("guidelines", flat=True)
    counted = Counter(now[topic.address] for now in said.iterator() if topic.address in now)
    return {version: _use(project, topic, version, n) for version, n in counted.items()}


def _use(project: Project, topic: Topic, version: int, number: int) -> Use:
    sentence = ngettext(
        "%(number)d contract was approved under version %(version)d",
        "%(number)d contracts were approved under version %(version)d",
        number,
    )
    where = reverse("contracts-under", args=[project.slug, topic.address, version])
    return Use(sentence % {"number": number, "version": version}, where)
