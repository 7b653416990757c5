"""From rows to plain values: the sets of a run, the texts of their wordings, and what requests are
scored against.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.models import Project, Request, Turn
from evaluation.models import SuiteRow, SuiteRun, VariationSet
from evaluation.records import RequestText
from evaluation.robustness.measures import Gold, Scored, score
from evaluation.robustness.study import CLEAN, Item, RowKey, Settings, Study, VariedSet
from evaluation.runs.inputs import request_text
from evaluation.runs.parts import ConditionsChanged
from evaluation.suites.trials import Trial, parts_of_key, trials_of, wording_of

_AT_ONCE = 5000  # a query takes some ten thousand parameters


@dataclass(frozen=True)
class Material:
    """What the rows of a run are made from. `texts` are by request and wording, `ids` the
    requests' own by their keys.
    """

    sets: tuple[VariedSet, ...]
    requests: Mapping[str, RequestText]
    ids: Mapping[str, int]
    texts: Mapping[tuple[str, str], str]

    def trials(self, content: Mapping[str, Any]) -> list[Trial]:
        labels = [one["label"] for one in content["pipelines"]]
        return trials_of(self.sets, labels, four_conditions=content["four_conditions"])


def read_sets(sets: Sequence[VariationSet]) -> tuple[tuple[VariedSet, ...], dict[Any, str]]:
    """Return the sets as values, and the text of every wording by request and wording."""
    found = []
    texts: dict[tuple[str, str], str] = {}
    for one in sets:
        items = []
        rows = one.items.order_by("position", "pk").values_list(
            "request__key", "request__text", "kind", "variation__text"
        )
        for key, own, kind, varied in rows:
            texts[key, CLEAN] = own
            wording = CLEAN if not kind else wording_of(varied, own) if varied else ""
            if varied:
                texts[key, wording] = varied
            items.append(Item(key, kind, wording))
        found.append(VariedSet(one.name, tuple(items), rate_of(one), family_of(one)))
    return tuple(found), texts


def rate_of(one: VariationSet) -> float | None:
    """The share of the requests that was to be varied, or None where the recipe does not say."""
    rate = one.recipe.get("rate")
    return float(rate) if isinstance(rate, int | float) else None


def family_of(one: VariationSet) -> str:
    """What the recipe says besides the rate, in words: sets of one family differ in nothing else.

    >>> family_of(VariationSet(recipe={"kinds": {"spelling": 3, "visual": 1}, "seed": 7}))
    'spelling 3, visual 1, seed 7'
    """
    kinds = dict(one.recipe.get("kinds") or {})
    told = [f"{kind} {weight}" for kind, weight in sorted(kinds.items())]
    told.append(f"seed {one.recipe.get('seed', 0)}")
    for kind, settings in sorted(dict(one.recipe.get("parameters") or {}).items()):
        told += [f"{kind}.{name}={value}" for name, value in sorted(dict(settings or {}).items())]
    return ", ".join(told)


def sets_of(run: SuiteRun) -> list[VariationSet]:
    """The frozen sets of a run. Raises ConditionsChanged where one is no longer what was frozen."""
    numbers = [one["number"] for one in run.content["sets"]]
    rows = {one.number: one for one in run.project.variation_sets.filter(number__in=numbers)}
    for frozen in run.content["sets"]:
        found = rows.get(frozen["number"])
        if found is None or found.sha256 != frozen["sha256"]:
            raise ConditionsChanged(
                f"The variation set “{frozen['name']}” is not the one that this run froze. "
                "Start a new run."
            )
    return [rows[number] for number in numbers]


def read_material(run: SuiteRun) -> Material:
    """Read what the rows of the run are made from; raises ConditionsChanged as `sets_of` does."""
    sets, texts = read_sets(sets_of(run))
    keys = list(dict.fromkeys(item.request for one in sets for item in one.items))
    requests = _requests(run.project, keys)
    frozen = run.content["requests"]
    for request in requests.values():
        if request.sha256 != frozen.get(request.key):
            raise ConditionsChanged(
                f"The request {request.key} is not the one that this run froze. Start a new run."
            )
    turns: dict[int, list[Turn]] = defaultdict(list)
    for turn in Turn.objects.filter(request__project=run.project).order_by(
        "request_id", "position"
    ):
        turns[turn.request_id].append(turn)
    told = {
        key: request_text(request, run.content, turns[request.pk])
        for key, request in requests.items()
    }
    return Material(sets, told, {key: one.pk for key, one in requests.items()}, texts)


def rows_there(run: SuiteRun) -> dict[str, frozenset[str]]:
    """The keys of the rows that the run has, by request."""
    found: dict[str, set[str]] = defaultdict(set)
    for request, key in run.rows.order_by().values_list("request__key", "key").iterator():
        found[request].add(key)
    return {request: frozenset(keys) for request, keys in found.items()}


def read_study(run: SuiteRun) -> Study:
    """Read the rows of a run, scored, with what they belong to."""
    sets, _texts = read_sets(sets_of(run))
    golds = golds_of(run)
    rows: dict[RowKey, Scored] = {}
    stored = SuiteRow.objects.filter(run=run).order_by("request__position", "key")
    for request, key, content in stored.values_list("request__key", "key", "content").iterator():
        pipeline, shown, searched = parts_of_key(key)
        if request in golds:
            scored = score(content, golds[request], k=run.content["k"])
            rows[pipeline, request, shown, searched] = scored
    told = run.content["statistics"]
    return Study(
        golds=golds,
        sets=sets,
        pipelines=[one["label"] for one in run.content["pipelines"]],
        rows=rows,
        four_conditions=run.content["four_conditions"],
        settings=Settings(told["level"], told["resamples"], told["seed"]),
    )


def golds_of(run: SuiteRun) -> dict[str, Gold]:
    """What each frozen request is scored against, by its key."""
    bases = run.content["twins"]
    return {
        key: Gold(key, _answers(one), _evidence(one), bases.get(key, ""))
        for key, one in _requests(run.project, sorted(run.content["requests"])).items()
    }


def _requests(project: Project, keys: Sequence[str]) -> dict[str, Request]:
    found: dict[str, Request] = {}
    for start in range(0, len(keys), _AT_ONCE):
        for request in project.requests.filter(key__in=keys[start : start + _AT_ONCE]):
            found[request.key] = request
    return {key: found[key] for key in keys if key in found}


def _answers(request: Request) -> tuple[str, ...]:
    return tuple(str(answer) for answer in request.answers or ())


def _evidence(request: Request) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(item) for item in request.evidence or () if item)
