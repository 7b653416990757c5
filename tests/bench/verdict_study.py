"""A concluded run of any size, for the benchmarks and the tests of its pages: rows as the engine
writes them, put in at once, and then the real conclusion.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any

from annotation.models import Person, Project, Request, RequestClass
from annotation.services.imports import import_file
from annotation.services.projects import create_project, set_member
from contracts.models import Constraint, Contract, TwinPair
from evaluation.models import Arm, Case, Judgement, Run, StageResult
from evaluation.models.inserting import insert
from evaluation.runs.conclusion import conclude
from evaluation.runs.freezing import freeze_conditions
from evaluation.services.protocols import register_protocol
from evaluation.services.runs import start_run

CLASSES, DOCUMENTS = 12, 200
TEXT = "What revenue did Company {n} of {place} report for fiscal year {year}, leases excluded?"
PLACES = ("Årdal", "Łódź", "Straßburg", "Norrby")
FAMILIES = ("date", "organisation")
# How a candidate does: of a hundred constraints, so many are as the word says.
SHARES = {"stated": 88, "altered": 5, "dropped": 4, "filtered": 2, "unsure": 1}
RULE = {"completeness_floor": 0.8, "regression_ceiling": 0.1, "min_requests": 1}


def build(
    requests: int,
    *,
    candidates: int = 2,
    slug: str = "verdict",
    judging: str = "automatic",
    resamples: int = 10_000,
    people: int = 100,
) -> Run:
    """Return a run of `requests` requests under original, human and the candidates, all cases
    closed and not concluded. Every fourth request and the next are twins, every twentieth is
    unresolved; of each `people` judgements of the judge's one has a person's word.
    """
    engineer, project = _project(slug)
    classes = [
        RequestClass.objects.create(project=project, name=f"class-{n:02}") for n in range(CLASSES)
    ]
    _requests(project, classes, requests)
    _contracts(project)
    _pairs(project)
    run = _start(engineer, project, candidates, judging, resamples)
    _cases(run, people)
    return run


def concluded(requests: int, **more: Any) -> Run:
    """The same, concluded."""
    run = build(requests, **more)
    conclude(run.pk)
    run.refresh_from_db()
    return run


def _project(slug: str) -> tuple[Person, Project]:
    owner = Person.objects.create_user(f"{slug}-owner")
    project = create_project(actor=owner, slug=slug, name="A study with a verdict")
    for name, role in {"engineer": "engineer", "adjudicator": "adjudicator"}.items():
        person = Person.objects.create_user(f"{slug}-{name}")
        set_member(actor=owner, project=project, person=person, roles=[role])
    import_file(
        actor=owner,
        project=project,
        kind="corpus",
        filename="corpus.jsonl",
        data="\n".join(
            f'{{"_id": "d{n:04}", "title": "Company {n}", "text": "Company {n} had EUR {n} '
            f'million."}}'
            for n in range(DOCUMENTS)
        ).encode(),
        target="",
    )
    return Person.objects.get(username=f"{slug}-engineer"), project


def text_of(n: int) -> str:
    return TEXT.format(n=n, place=PLACES[n % len(PLACES)], year=2000 + n % 24)


def _requests(project: Project, classes: Sequence[RequestClass], count: int) -> None:
    rows = (
        (
            f"r{n:05}", text_of(n), classes[n // 4 % CLASSES].pk, n, f"{n:064x}",
            ["EUR 10 million"], [[f"d{n % DOCUMENTS:04}"]],
        )
        for n in range(count)
    )  # fmt: skip
    names = ("key", "text", "request_class_id", "position", "sha256", "answers", "evidence")
    insert(Request, rows, names=names, project=project)


def terms_of(n: int) -> list[dict[str, Any]]:
    """The constraints of the n-th request; every third has a minor one besides."""
    text, year = text_of(n), str(2000 + n % 24)
    name = {"name": f"Company {n}", "aliases": [], "from_turn": None, "unresolved": False}
    time = {"relation": "on", "start": year, "end": year, "calendar": "fiscal"}
    found = [
        ("referent", "critical", f"Company {n}", name),
        ("time", "critical", f"fiscal year {year}", time),
        ("polarity", "critical", "leases excluded", {"mode": "exclude", "target": "leases"}),
        ("evidence", "minor", "report", {"source": "annual report"}),
    ]
    return [
        {
            "id": f"c{position}",
            "kind": kind,
            "materiality": materiality,
            "span": {"turn": 0, "start": text.index(words), "end": text.index(words) + len(words)},
            "value": value,
            "admissible": [],
        }
        for position, (kind, materiality, words, value) in enumerate(found, start=1)
        if position != (4 if n % 3 else 0)
    ]


def _contracts(project: Project) -> None:
    ids = list(project.requests.order_by("position").values_list("position", "pk"))
    rows = (
        (
            pk,
            {
                "constraints": terms_of(n),
                "ambiguity": {"unresolved": n % 20 == 19, "readings": []},
                "admissible_rewrites": [],
            },
            f"{n:064x}",
            n % 20 == 19,
        )
        for n, pk in ids
    )
    same = {"version": 1, "approved_at": project.created_at - timedelta(days=1)}
    insert(Contract, rows, names=("request_id", "content", "sha256", "unresolved"), **same)
    contracts = Contract.objects.filter(request__project=project).values_list("pk", "content")
    insert(
        Constraint,
        (
            (
                pk, c["id"], position, c["kind"], c["materiality"],
                *c["span"].values(), c["value"],
            )
            for pk, content in contracts.iterator()
            for position, c in enumerate(content["constraints"], start=1)
        ),
        names=(
            "contract_id", "key", "position", "kind", "materiality", "turn", "start", "end",
            "value",
        ),
    )  # fmt: skip


def _pairs(project: Project) -> None:
    ids = list(project.requests.order_by("position").values_list("pk", flat=True))
    rows = (
        (f"t{at:05}", FAMILIES[at // 4 % 2], ids[at], ids[at + 1], "c2" if at // 4 % 2 else "c1")
        for at in range(0, len(ids) - 1, 4)
    )
    insert(
        TwinPair,
        rows,
        names=("key", "family", "base_id", "twin_id", "constraint"),
        project=project,
    )


def _start(
    engineer: Person, project: Project, candidates: int, judging: str, resamples: int
) -> Run:
    names = [f"candidate-{n}" for n in range(1, candidates + 1)]
    for name in names:
        Arm.objects.create(project=project, name=name, source=Arm.Source.UPLOADED)
    families = {name: {"max_failure_rate": 0.5, "min_pairs": 1} for name in FAMILIES}
    content = {
        "name": "gate", "alpha": 0.05, "resamples": resamples, "seed": 7, "correction": "holm",
        "test": "mcnemar_exact", "judging": judging,
        "classes": {"*": {**RULE, "families": families}},
    }  # fmt: skip
    return start_run(
        actor=engineer,
        project=project,
        protocol=register_protocol(actor=engineer, project=project, content=content),
        conditions=freeze_conditions(actor=engineer, project=project),
        arm_names=["original", "human", *names],
    )


def _cases(run: Run, people: int) -> None:
    """Close every case, with its stages and judgements."""
    adjudicator = Person.objects.get(username=f"{run.project.slug}-adjudicator")
    constraints: dict[int, list[tuple[int, str]]] = {}
    rows = Constraint.objects.filter(contract__request__project=run.project).order_by("pk")
    for contract, pk, key in rows.values_list("contract_id", "pk", "key"):
        constraints.setdefault(contract, []).append((pk, key))
    named = dict(run.arms.values_list("pk", "name"))
    cases = [
        (pk, named[arm], n, constraints.get(contract, []))
        for pk, arm, n, contract in run.cases.order_by("pk").values_list(
            "pk", "arm_id", "request__position", "contract_id"
        )
    ]
    insert(StageResult, _stages(cases), names=("case_id", "stage", "content"))
    insert(Judgement, _judgements(cases), names=("case_id", "constraint_id", "judgement", "quote"),
           by="matcher/9", why="The words decide it.")  # fmt: skip
    checked = Judgement.objects.filter(case__run=run).order_by("pk")
    sampled = list(checked.values_list("case_id", "constraint_id", "judgement"))[::people]
    names = ("case_id", "constraint_id", "judgement")
    insert(Judgement, sampled, names=names, person=adjudicator, decides=True, by="a person")
    done = {"state": Case.State.DONE, "status": "ok", "stages_done": 4}
    run.cases.update(**done)


Rows = Sequence[tuple[int, str, int, list[tuple[int, str]]]]


def _stages(cases: Rows) -> Iterator[tuple[int, str, Mapping[str, Any]]]:
    stage, measured = StageResult.Stage, {"latency_ms": 12.5, "cost_usd": 0.001}
    for pk, arm, n, _constraints in cases:
        rng = random.Random(f"{arm} {n}")  # noqa: S311 a benchmark, no secret
        query = text_of(n) if arm == "original" else f"{text_of(n)[5:-1]} ({arm})"
        first = n + rng.choice((0, 0, 0, 1))
        hits = [(first + step) % DOCUMENTS for step in range(5)]
        yield (
            pk,
            stage.REWRITE,
            {"kind": "standalone", "queries": [query], "filters": {}, "error": "", **measured},
        )
        yield (
            pk,
            stage.RETRIEVE,
            {
                "hits": [
                    {"id": f"d{at:04}", "rank": rank, "score": 9.0 - rank, "query": 0}
                    for rank, at in enumerate(hits, start=1)
                ],
                "note": "",
            },
        )
        answer = rng.choice(("EUR 10 million", "EUR 10 million", "EUR 11 million"))
        yield (
            pk,
            stage.ANSWER,
            {"answer": answer, "citations": [f"d{hits[0]:04}"], "status": "ok", "error": "",
             **measured},
        )  # fmt: skip
        support = {"value": True, "why": "", "rule": "lexical", "claims": [], "status": "ok"}
        yield pk, stage.JUDGE, {"added": [], "foreign": {}, "support": support}


def _judgements(cases: Rows) -> Iterator[tuple[int, int, str, str]]:
    words, weights = tuple(SHARES), tuple(SHARES.values())
    for pk, arm, n, constraints in cases:
        rng = random.Random(f"judge {arm} {n}")  # noqa: S311 a benchmark, no secret
        drawn = rng.choices(words, weights, k=len(constraints))
        for (constraint, key), word in zip(constraints, drawn, strict=True):
            calm = arm in ("original", "human") and rng.random() < 0.9  # noqa: PLR2004
            yield pk, constraint, "stated" if calm else word, f"{key} of {n}"
