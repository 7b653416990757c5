"""Which runs, arms, protocols, conditions and judgements the two-world test of blindness asks
for.
"""

from typing import Any

from annotation.models import Person, Project
from evaluation.item_numbers import number_of
from evaluation.models import Judgement, VariationItem


def runs(project: Project, _person: Person) -> list[Any]:
    numbers = project.runs.order_by("-number").values_list("number", flat=True)[:1]
    sets = project.variation_sets.order_by("-number").values_list("number", flat=True)[:1]
    over_sets = project.suite_runs.order_by("-number").values_list("number", flat=True)[:1]
    return list(dict.fromkeys([*numbers, *sets, *over_sets]))


def numbered(project: Project, person: Person) -> list[Any]:
    judgements = Judgement.objects.filter(case__run__project=project).order_by("pk")
    varied = VariationItem.objects.filter(set__project=project, sampled=True).order_by("pk")
    found = [
        *project.protocols.values_list("pk", flat=True)[:1],
        *project.conditions.values_list("pk", flat=True)[:1],
        *judgements.values_list("pk", flat=True)[:1],
        *(number_of(pk, person) for pk in judgements.values_list("pk", flat=True)[:1]),
        *varied.values_list("pk", flat=True)[:1],
    ]
    return list(dict.fromkeys(found))


def arms(project: Project, _person: Person) -> list[Any]:
    return list(project.arms.order_by("pk").values_list("name", flat=True)[:2])


def forms(_project: Project, _person: Person) -> list[Any]:
    return ["json", "html", "jsonl"]
