"""What an earlier run computed under equal conditions is taken over, not computed again.

A stage's content follows from its request, its arm and the frozen parts alone. So a rerun, and a
run that has more arms or more requests, computes only what is missing; each row that is copied
names the run that it is from.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Prefetch

from evaluation.models import Arm, Case, Conditions, Judgement, Run, StageResult
from evaluation.runs.cases import STAGES
from evaluation.runs.frozen import whole_content
from evaluation.runs.inputs import pairs_then
from evaluation.scoring.deciding import who_decides

Stage = StageResult.Stage

# What the Conditions say about the set of requests; a single case depends on its own only.
_OF_THE_SET = ("requests", "contracts", "twins", "only_unseen")


class Takeover:
    """The earlier runs from which the cases of a run may take their stages."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._content: dict[str, Any] = run.conditions.content
        self._judges = run.judges
        self._runs = {} if run.fresh else self._equal_runs()
        if self._runs:
            self._content = whole_content(run)
        self._twins = self._twins_of_requests() if self._runs else {}

    @transaction.atomic
    def copy(self, cases: Sequence[Case]) -> None:
        """Append the stages of equal earlier cases to those of `cases` that have none."""
        if not self._runs:
            return
        begun = set(StageResult.objects.filter(case__in=cases).values_list("case_id", flat=True))
        bare = [case for case in cases if case.pk not in begun]
        earlier = self._earlier(bare)
        rows: list[StageResult] = []
        judged: list[Judgement] = []
        for case in bare:
            found = earlier.get((case.arm_id, case.request_id))
            if found is None:
                continue
            stages = {row.stage: row for row in found.stages.all()}
            same_judging = self._same_judging(case, found)
            for stage in STAGES:
                if stage not in stages or (stage == Stage.JUDGE and not same_judging):
                    break
                row = stages[stage]
                rows.append(
                    StageResult(
                        case=case,
                        stage=stage,
                        content=row.content,
                        taken_from_id=row.taken_from_id or found.run_id,
                    )
                )
            if found.contract_id == case.contract_id:
                copies = _judgements(case, found, by_people_only=not same_judging)
                _decide(copies, judges=self._judges)
                judged += copies
        StageResult.objects.bulk_create(rows, ignore_conflicts=True, batch_size=500)
        Judgement.objects.bulk_create(judged, batch_size=500)

    def _equal_runs(self) -> dict[int, Run]:
        """The earlier runs of equal parts. Many may share their Conditions, which are large."""
        earlier = Run.objects.filter(project=self._run.project, pk__lt=self._run.pk)
        frozen = Conditions.objects.filter(pk__in=earlier.order_by().values("conditions"))
        mine = _parts_of(self._content)
        equal = {row.pk: row for row in frozen.iterator() if _parts_of(row.content) == mine}
        runs = {run.pk: run for run in earlier.filter(conditions__in=equal)}
        for run in runs.values():
            run.conditions = equal[run.conditions_id]
        return runs

    def _earlier(self, cases: Sequence[Case]) -> dict[tuple[int, int], Case]:
        """The newest earlier case of equal input with any stage, by arm and request."""
        wanted = {(case.arm_id, case.request_id): case for case in cases}
        rows = Case.objects.filter(
            run__in=self._runs,
            request__in={case.request_id for case in cases},
            arm__in={case.arm_id for case in cases},
            stages__stage=Stage.REWRITE,
        )
        chosen: dict[tuple[int, int], int] = {}
        newest_first = rows.order_by("-run_id").values_list("pk", "run_id", "arm_id", "request_id")
        for pk, run_id, *key in newest_first:
            mine = wanted.get((key[0], key[1]))
            if mine and (key[0], key[1]) not in chosen and self._same_input(mine, run_id):
                chosen[key[0], key[1]] = pk
        said = Judgement.objects.filter(stands=True).order_by("pk")
        # Who takes one of these words back waits until its copy is there to be taken back too.
        list(said.words().filter(case__in=chosen.values()).select_for_update().values_list("pk"))
        found = Case.objects.filter(pk__in=chosen.values()).prefetch_related(
            "stages", Prefetch("judgements", said)
        )
        return {(row.arm_id, row.request_id): row for row in found}

    def _same_input(self, case: Case, run_id: int) -> bool:
        earlier, key = self._runs[run_id], case.request.key
        requests = earlier.conditions.content["requests"]
        if requests.get(key) != self._content["requests"].get(key):
            return False
        name = case.arm.name
        mine, theirs = self._run.arm_content[name], earlier.arm_content[name]
        if case.arm.source == Arm.Source.HUMAN:
            mine, theirs = (content["references"].get(key) for content in (mine, theirs))
        return bool(mine == theirs)

    def _same_judging(self, case: Case, found: Case) -> bool:
        """Whether its contract is the same and those of its twins, whose constraints it is judged
        by too.
        """
        theirs, mine = self._runs[found.run_id].conditions.content, self._content
        return (
            found.contract_id == case.contract_id
            and theirs.get("twins") == mine.get("twins")
            and all(
                theirs["contracts"].get(twin) == mine["contracts"].get(twin)
                for twin in self._twins.get(case.request_id, ())
            )
        )

    def _twins_of_requests(self) -> dict[int, set[str]]:
        found: dict[int, set[str]] = defaultdict(set)
        for pair in pairs_then(self._run).select_related("base", "twin"):
            found[pair.base_id].add(pair.twin.key)
            found[pair.twin_id].add(pair.base.key)
        return found


def _parts_of(content: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in content.items() if key not in _OF_THE_SET}


def _judgements(case: Case, found: Case, *, by_people_only: bool) -> list[Judgement]:
    copies = []
    for row in found.judgements.all():
        if by_people_only and row.person_id is None:
            continue
        copy = Judgement(
            **{
                field.attname: getattr(row, field.attname)
                for field in Judgement._meta.concrete_fields
                if not field.primary_key and field.name != "case"
            }
        )
        copy.case = case
        if row.person_id is not None:
            copy.copy_of_id = row.copy_of_id or row.pk
        copies.append(copy)
    return copies


def _decide(copies: Iterable[Judgement], *, judges: int) -> None:
    """Let the people's words, in the order in which they were given, decide what they decide under
    the rules of this run: those of the earlier one may want more people, or fewer.
    """
    said: dict[int, list[Judgement]] = defaultdict(list)
    for copy in copies:
        if copy.person_id is not None:
            copy.decides = False
            said[copy.constraint_id].append(copy)
    for words in said.values():
        at = who_decides([word.judgement for word in words], judges=judges)
        if at is not None:
            words[at].decides = True
