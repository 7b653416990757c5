"""The demo's suite: what typing errors cost on the invented study, with and without a remedy."""

from annotation.models import Person, Project
from evaluation.models import SuiteRun, VariationSet
from evaluation.services.suites import start_suite
from evaluation.services.variations import make_set
from evaluation.suites.pipelines import Wanted

# QE-RAG's mix and rates; the first lies inside the second.
MIX = {"spelling": 3, "keyboard": 1, "visual": 1}
RATES = {"typed-20": 0.2, "typed-40": 0.4}
SEED = 7


def demo_sets(project: Project) -> list[VariationSet]:
    """Return the two sets of the demo, sent to the workers the first time."""
    engineer = Person.objects.get(username="engineer")
    there = {one.name: one for one in project.variation_sets.filter(name__in=RATES)}
    return [
        there.get(name)
        or make_set(actor=engineer, project=project, name=name, kinds=MIX, rate=rate, seed=SEED)
        for name, rate in RATES.items()
    ]


def demo_suite(project: Project) -> SuiteRun | None:
    """Return the demo's suite run, started the first time; None while its sets are not made."""
    if run := project.suite_runs.order_by("number").first():
        return run
    sets = list(project.variation_sets.filter(name__in=RATES, state=VariationSet.State.MADE))
    if len(sets) < len(RATES):
        return None
    return start_suite(
        actor=Person.objects.get(username="engineer"),
        project=project,
        sets=sets,
        pipelines=[Wanted("rewritten", {"rewriter": "typed_query"})],
        reader_parameters={"unit": "span"},
        four_conditions=True,
    )
