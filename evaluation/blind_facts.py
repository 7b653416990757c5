"""What the evaluation hides from whoever annotates, for the two-world test: that a candidate was
run on a request, what it gave, and how that was judged.
"""

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from annotation.blindness.facts import Fact
from annotation.models import Person, Project, Request
from annotation.permissions import may
from annotation.services import ledger
from annotation.services.still_open import still_open_to
from evaluation.models import (
    AnswerJudgement,
    Case,
    Judgement,
    Run,
    StageResult,
    SuiteRow,
    SuiteRun,
    UploadedRewrite,
    UploadedRun,
    Variation,
    VariationItem,
    VariationReview,
    Verdict,
)
from evaluation.services.open_words import KINDS, words_hidden_from


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
    judged = Judgement.objects.filter(case__request__in=requests, takes_back=None)
    judged = judged.exclude(person=reader)
    answers = AnswerJudgement.objects.filter(request__in=requests).exclude(person=reader)
    said = answers.filter(takes_back=None).update(correct="cannot_tell", note="altered")
    return judged.update(judgement="unsure", quote="altered", why="altered") + said


def _alter_variations(requests: QuerySet[Request], reader: Person) -> int:
    """Which text was made of a request, or why none was, and what people said of it."""
    items = VariationItem.objects.filter(request__in=requests)
    said = VariationReview.objects.filter(item__in=items).update(note="altered")
    VariationItem.objects.filter(request__in=requests, variation=None).update(why="altered")
    return Variation.objects.filter(request__in=requests).update(text="altered") + said


def _alter_suites(requests: QuerySet[Request], reader: Person) -> int:
    """What pipelines made of a request in a suite run, and what that run came to."""
    rows = SuiteRow.objects.filter(request__in=requests)
    runs = SuiteRun.objects.filter(pk__in=rows.values("run"))
    told = runs.update(result={"altered": True}, result_sha256="f" * 64)
    return rows.update(content={"status": "ok", "error": "", "answer": "altered"}) + told


def _never_run(requests: QuerySet[Request], reader: Person) -> int:
    return Case.objects.filter(request__in=requests).delete()[0]


def _judged_by_others(project: Project, reader: Person) -> QuerySet[Request]:
    """The requests of which others judged something that the reader may still judge."""
    hidden = words_hidden_from(reader=reader, project=project)
    found = project.requests.filter(pk__in=hidden.order_by().values("case__request"))
    return found.order_by("position", "pk")


def _alter_open_words(requests: QuerySet[Request], reader: Person) -> int:
    """Others said something else of what is not settled, and said it once more."""
    words: list[Judgement] = []
    for project in Project.objects.filter(pk__in=requests.order_by().values("project")):
        found = words_hidden_from(reader=reader, project=project).filter(case__request__in=requests)
        words += found.select_related("case__request__project", "constraint", "person")
    for word in words[:_SAID]:
        said = {"constraint": word.constraint.key, "judgement": "altered"}
        request = word.case.request
        for kind in KINDS:
            ledger.record(
                project=request.project, kind=kind, subject=request.key, content=said,
                actor=word.person,
            )  # fmt: skip
    altered = Judgement.objects.filter(pk__in=[word.pk for word in words])
    return altered.update(judgement="unsure", quote="altered", why="altered")


_SAID = 3  # a ledger's entry is not made by the thousand
FACTS = (
    Fact("output", _("what a candidate made of a request"), _alter_output, _unshown),
    Fact("results", _("what a run came to"), _alter_results, _unshown),
    Fact("judgements", _("how a rewrite or an answer was judged"), _alter_judgements, _unshown),
    Fact("variations", _("which variation was made of a request"), _alter_variations, _unshown),
    Fact("suites", _("what pipelines made of a request in a suite run"), _alter_suites, _unshown),
    Fact(
        "open-words",
        _("what others said of an item that one may still judge"),
        _alter_open_words,
        _judged_by_others,
    ),
    Fact("run", _("that a candidate was run on a request"), _never_run, _never_shown),
)
