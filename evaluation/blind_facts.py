"""What the evaluation hides from whoever annotates, for the two-world test: that a candidate was
run on a request, what it gave, and how that was judged.
"""

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from annotation.blindness.facts import Fact
from annotation.models import Person, Project, Request
from annotation.permissions import may
from annotation.services.still_open import still_open_to
from evaluation.models import (
    Case,
    Judgement,
    Run,
    StageResult,
    UploadedRewrite,
    UploadedRun,
    Verdict,
)


def _sees_results(reader: Person, project: Project) -> bool:
    return any(may(reader, act, project).allowed for act in ("see_results", "judge"))


def _unshown(project: Project, reader: Person) -> QuerySet[Request]:
    """All requests; for whoever sees results, those that they may still annotate."""
    if _sees_results(reader, project):
        return still_open_to(person=reader, project=project)
    return project.requests.order_by("position", "pk")


def _never_shown(project: Project, reader: Person) -> QuerySet[Request]:
    """Who starts runs or judges knows that there are some."""
    return project.requests.none() if _sees_results(reader, project) else project.requests.all()


def _alter_output(requests: QuerySet[Request], reader: Person) -> int:
    altered = {"queries": ["altered"], "kind": "rewrite"}
    UploadedRewrite.objects.filter(request__in=requests).update(content=altered)
    UploadedRun.objects.filter(request__in=requests).update(content={"answer": "altered"})
    stages = StageResult.objects.filter(case__request__in=requests, case__arm__source="uploaded")
    return stages.update(content=altered)


def _alter_results(requests: QuerySet[Request], reader: Person) -> int:
    """Every figure of a run that has one of the requests tells of them."""
    runs = Run.objects.filter(pk__in=Case.objects.filter(request__in=requests).values("run"))
    Verdict.objects.filter(run__in=runs).update(outcome="not_assessable", content={})
    return runs.update(result={"altered": True}, result_sha256="f" * 64)


def _alter_judgements(requests: QuerySet[Request], reader: Person) -> int:
    judged = Judgement.objects.filter(case__request__in=requests).exclude(person=reader)
    return judged.update(judgement="unsure", quote="altered", why="altered")


def _never_run(requests: QuerySet[Request], reader: Person) -> int:
    return Case.objects.filter(request__in=requests).delete()[0]


FACTS = (
    Fact("output", _("what a candidate made of a request"), _alter_output, _unshown),
    Fact("results", _("what a run came to"), _alter_results, _unshown),
    Fact("judgements", _("how a rewrite was judged"), _alter_judgements, _unshown),
    Fact("run", _("that a candidate was run on a request"), _never_run, _never_shown),
)
