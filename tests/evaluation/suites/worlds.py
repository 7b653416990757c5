"""Variation sets of the small study, made by hand, and runs over them."""

from typing import Any

from annotation.canonical import content_hash
from annotation.models import Person, Project
from evaluation.models import SuiteRun, Variation, VariationItem, VariationSet
from evaluation.services.suites import start_suite
from evaluation.suites.execution import work
from evaluation.suites.pipelines import Wanted

# The words of "a" and "c" with typing errors that BM25 stumbles over.
TYPOS = {
    "a": "What rvenue did Aldr Fods rport for fiscl yr 2o22?",
    "c": "Wh sad ys to it?",
}


def make_set(
    project: Project,
    name: str,
    varied: dict[str, str | None],
    *,
    rate: float,
    kind: str = "spelling",
    keys: tuple[str, ...] = ("a", "b", "c", "open"),
) -> VariationSet:
    """A made set of these requests; None stands for a variation that could not be made."""
    last = project.variation_sets.order_by("-number").first()
    made = VariationSet.objects.create(
        project=project,
        number=last.number + 1 if last else 1,
        name=name,
        recipe={"kinds": {kind: 1}, "rate": rate, "seed": 7},
        state=VariationSet.State.MADE,
        manifest={"varied": varied},
        sha256=content_hash({"name": name, "varied": varied}),
        made_by=project.created_by,
    )
    for position, key in enumerate(keys):
        request = project.requests.get(key=key)
        text = varied.get(key)
        variation = None
        if text:
            variation, _new = Variation.objects.get_or_create(
                request=request,
                kind=kind,
                generator="by hand",
                version="1",
                seed=7,
                defaults={"text": text},
            )
        VariationItem.objects.create(
            set=made,
            request=request,
            position=position,
            kind=kind if key in varied else "",
            variation=variation,
            why="" if text or key not in varied else "It has no word to vary.",
        )
    return made


def nested(project: Project) -> list[VariationSet]:
    """Two sets, the first inside the second."""
    fewer = make_set(project, "typos 25", {"a": TYPOS["a"]}, rate=0.25)
    return [fewer, make_set(project, "typos 50", TYPOS, rate=0.5)]


def begin(engineer: Person, project: Project, *pipelines: str | Wanted, **more: Any) -> SuiteRun:
    """Start a run over the nested sets, made where they are not there yet."""
    sets = more.pop("sets", None) or list(project.variation_sets.order_by("number"))
    wanted = [Wanted(one) if isinstance(one, str) else one for one in pipelines]
    return start_suite(
        actor=engineer,
        project=project,
        sets=sets or nested(project),
        pipelines=wanted,
        **{"k": 1, **more},
    )


def finish(run: SuiteRun, worker: str = "w1") -> SuiteRun:
    """Let one worker do everything that is left, and return the run as it then is."""
    work(run.pk, worker=worker, seconds=60.0)
    run.refresh_from_db()
    return run
