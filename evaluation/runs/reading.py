"""From rows to what a batch of cases needs, in a few queries a batch."""

from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from annotation.models import Corpus, HumanRewrite, Turn
from annotation.models import Document as CorpusDocument
from contracts.models import Constraint
from contracts.terms import ContractTerms
from evaluation.models import Arm, Case, Run, StageResult, UploadedRewrite, UploadedRun
from evaluation.records import Document, Rewrite
from evaluation.runs import stages
from evaluation.runs.cases import STAGES, CaseWork, Stage
from evaluation.runs.inputs import RunInputs, request_text
from evaluation.runs.uploaded import missing, stages_of

UNWRITTEN = (
    "Nobody had written the standalone reference of this request when the run started, or it was "
    "taken back since."
)
_LETTERS_HELD = 20_000_000
# A query takes some ten thousand parameters, and a batch of cases may have more hits than that.
_AT_ONCE = 5000


def read_works(run: Run, cases: Sequence[Case], inputs: RunInputs) -> list[CaseWork]:
    """Return the work of claimed cases, in the same order."""
    turns: dict[int, list[Turn]] = defaultdict(list)
    for turn in Turn.objects.filter(request__in={case.request_id for case in cases}):
        turns[turn.request_id].append(turn)
    kept: dict[int, dict[str, Any]] = defaultdict(dict)
    for row in StageResult.objects.filter(case__in=[case.pk for case in cases]):
        kept[row.case_id][row.stage] = row.content
    constraints = _constraints(cases)
    human = _references(run, cases)
    uploaded = _uploaded(cases)
    terms: dict[int, ContractTerms] = {}
    frozen = run.conditions.content
    works = []
    for case in cases:
        contract = case.contract
        if contract and contract.pk not in terms:
            terms[contract.pk] = contract.terms
        done = kept[case.pk]
        given = stages.CaseInput(
            request=request_text(case.request, frozen, turns[case.request_id]),
            contract=terms[contract.pk] if contract else None,
            foreign=inputs.foreign.get(case.request_id, ()),
        )
        works.append(
            CaseWork(
                pk=case.pk,
                request_key=case.request.key,
                arm=case.arm.name,
                given=given,
                constraints=constraints.get(case.contract_id, {}),
                given_stages=_given(case, human, uploaded),
                done={stage: done[stage] for stage in STAGES if stage in done},
                kept=len(done),
                alone=case.must_be_alone,
            )
        )
    return works


class Texts:
    """The documents that were read last, so that a text which many cases retrieve is read once."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._held: OrderedDict[str, Document] = OrderedDict()
        self._letters = 0

    def give(self, works: Iterable[CaseWork]) -> None:
        """Set the documents of every work that was searched, read for all of them together.

        One that the corpus lacks is left out: a logged run may be of another corpus.
        """
        searched = (work for work in works if Stage.RETRIEVE in work.done)
        wanting = [work for work in searched if work.documents is None]
        wanted = {key for work in wanting for key in work.hit_ids}
        for row in self._rows(sorted(wanted - self._held.keys())):
            self._held[row.key] = Document(row.key, row.title, row.text, row.metadata)
            self._letters += len(row.text)
        for work in wanting:
            work.documents = {key: self._held[key] for key in work.hit_ids if key in self._held}
        for key in wanted & self._held.keys():
            self._held.move_to_end(key)
        while self._letters > _LETTERS_HELD:
            self._letters -= len(self._held.popitem(last=False)[1].text)

    def _rows(self, keys: Sequence[str]) -> Iterator[CorpusDocument]:
        for start in range(0, len(keys), _AT_ONCE):
            yield from self._corpus.documents.filter(key__in=keys[start : start + _AT_ONCE])


def _given(
    case: Case,
    human: Mapping[int, dict[str, Any]],
    uploaded: Mapping[tuple[int, int], tuple[Any, Any]],
) -> Mapping[str, dict[str, Any]]:
    """The stages of the case that need no computing."""
    if case.arm.source == Arm.Source.HUMAN:
        return {Stage.REWRITE: human.get(case.request_id) or missing(UNWRITTEN)}
    if case.arm.source == Arm.Source.UPLOADED:
        return stages_of(*uploaded.get((case.arm_id, case.request_id), (None, None)))
    return {}


def _constraints(cases: Sequence[Case]) -> dict[int | None, dict[str, int]]:
    contracts = {case.contract_id for case in cases if case.contract_id}
    rows = Constraint.objects.filter(contract__in=contracts) if contracts else ()
    found: dict[int | None, dict[str, int]] = {}
    for row in rows:
        found.setdefault(row.contract_id, {})[row.key] = row.pk
    return found


def _references(run: Run, cases: Sequence[Case]) -> dict[int, dict[str, Any]]:
    """The standalone reference of each request as its rewrite stage, by the request's pk: the one
    that was frozen when the run started. One that came since is another run's.
    """
    mine = [case for case in cases if case.arm.source == Arm.Source.HUMAN]
    if not mine:
        return {}
    frozen = run.arm_content[mine[0].arm.name]["references"]
    keys = {case.request_id: case.request.key for case in mine}
    standing = HumanRewrite.objects.standing().filter(request__in=keys, kind="standalone")
    found: dict[int, dict[str, Any]] = {}
    for row in standing.order_by("-pk"):  # the first written stands
        if row.sha256 != frozen.get(keys[row.request_id]):
            continue
        if row.clarification:
            rewrite = Rewrite("clarification", clarification=row.text)
        else:
            rewrite = Rewrite("standalone", queries=(row.text,))
        found[row.request_id] = stages.rewrite_given(rewrite)
    return found


def _uploaded(cases: Sequence[Case]) -> dict[tuple[int, int], tuple[Any, Any]]:
    """The uploaded rewrite and run of each (arm, request); None for what was not uploaded."""
    mine = [case for case in cases if case.arm.source == Arm.Source.UPLOADED]
    if not mine:
        return {}
    wanted = {
        "arm__in": {case.arm_id for case in mine},
        "request__in": {case.request_id for case in mine},
    }
    rewrites = {
        (row.arm_id, row.request_id): row.content
        for row in UploadedRewrite.objects.filter(**wanted)
    }
    runs = {
        (row.arm_id, row.request_id): row.content for row in UploadedRun.objects.filter(**wanted)
    }
    return {key: (rewrites.get(key), runs.get(key)) for key in {*rewrites, *runs}}
