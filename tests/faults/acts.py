"""What the campaigns have done inside the product, in one process that stays:
`python -m tests.faults.acts` reads a JSON line [act, {arguments}] and answers with one.

Acts use the services that people's pages use, and read rows as they stand.
"""

import hashlib
import inspect
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import django

django.setup()

from django.core.management import call_command  # noqa: E402 after django.setup()
from django.db import OperationalError, close_old_connections, connection, transaction  # noqa: E402
from django.db.models import Count  # noqa: E402

from annotation.demo import PERSONAS  # noqa: E402
from annotation.models import Corpus, Person, Project  # noqa: E402
from annotation.processes import process_name  # noqa: E402
from annotation.services.imports import import_file  # noqa: E402
from annotation.services.projects import create_project, set_member  # noqa: E402
from evaluation import gates  # noqa: E402
from evaluation.demo.loading import STUDY, demo_protocol, load_demo  # noqa: E402
from evaluation.generation.client import ChatClient  # noqa: E402
from evaluation.models import Arm, Call, Case, Judgement, Run, StageResult  # noqa: E402
from evaluation.runs.conclusion import conclude  # noqa: E402
from evaluation.runs.execution import work as work_on  # noqa: E402
from evaluation.runs.freezing import freeze_conditions  # noqa: E402
from evaluation.runs.tasks import sweep_runs, work_on_run  # noqa: E402
from evaluation.services.runs import (  # noqa: E402
    conclude_without_failed,
    progress,
    resume_run,
    start_run,
)
from tests.faults.acts_of import MANY, SMALL  # noqa: E402

SMALL_REQUESTS = 20
# What a clock gave, and how many calls were made here or taken over from equal ones.
MEASURED = ("latency_ms", "measured", "calls")


def load(requests: int = SMALL_REQUESTS) -> list[str]:
    """Make the tables, the demo study and a small one from its first requests; return the ids of
    the corpus.
    """
    call_command("migrate", verbosity=0)
    demo = load_demo()
    demo_protocol(demo)
    small = _project(SMALL, "The first requests")
    owner = small.created_by
    Arm.objects.create(
        project=small, name="prompt", source=Arm.Source.ENGINE, rewriter="prompt", parameters={}
    )
    kept = {f"r{n:03}" for n in range(1, requests + 1)}
    for kind in ("corpus", "requests", "contracts"):
        lines = (STUDY / f"{kind}.jsonl").read_text(encoding="utf-8").splitlines()
        rows = [line for line in lines if kind == "corpus" or _request_of(line) in kept]
        data = "\n".join(rows).encode()
        import_file(
            actor=owner, project=small, kind=kind, filename=f"{kind}.jsonl", data=data, target=""
        )
    return sorted(Corpus.objects.latest_of(demo).documents.values_list("key", flat=True))


def _project(slug: str, name: str) -> Project:
    """An empty project of the demo's people."""
    owner = Person.objects.get(username="owner")
    project = create_project(actor=owner, slug=slug, name=name)
    for username, roles in PERSONAS.items():
        if username != "owner":
            person = Person.objects.get(username=username)
            set_member(actor=owner, project=project, person=person, roles=roles)
    return project


def load_many(requests: int) -> None:
    """Make a study of so many requests: those of the demo again and again, each with words of its
    own, so that no two calls are equal.
    """
    many = _project(MANY, "Many requests")
    owner = many.created_by
    for number in (1, 2):
        Arm.objects.create(
            project=many, name=f"prompt-{number}", source=Arm.Source.ENGINE, rewriter="prompt",
            parameters={"max_tokens": 90 + number},
        )  # fmt: skip
    for kind in ("corpus", "requests", "contracts"):
        rows = [json.loads(line) for line in (STUDY / f"{kind}.jsonl").open(encoding="utf-8")]
        if kind != "corpus":
            key = "id" if kind == "requests" else "request"
            rows = [
                {**rows[n % len(rows)], key: f"{rows[n % len(rows)][key]}-{n}"}
                for n in range(requests)
            ]
        if kind == "requests":
            rows = [{**row, "text": f"{row['text']} Case {n}."} for n, row in enumerate(rows)]
        data = "\n".join(map(json.dumps, rows)).encode()
        import_file(
            actor=owner, project=many, kind=kind, filename=f"{kind}.jsonl", data=data, target=""
        )


def _request_of(line: str) -> str:
    row = json.loads(line)
    return str(row.get("request", row.get("id")))


def start(study: str, arms: list[str], **conditions: Any) -> int:
    """Start a run that computes everything anew and tell the workers; return its id."""
    project = Project.objects.get(slug=study)
    engineer = Person.objects.get(username="engineer")
    with transaction.atomic():
        run = start_run(
            actor=engineer,
            project=project,
            protocol=demo_protocol(project),
            conditions=freeze_conditions(actor=engineer, project=project, **conditions),
            arm_names=arms,
        )
        Run.objects.filter(pk=run.pk).update(fresh=True)
    return run.pk


def resume(run: int) -> str:
    """Press "retry failed"."""
    found = Run.objects.get(pk=run)
    return resume_run(actor=Person.objects.get(username="engineer"), run=found).state


def leave_out_failed(run: int) -> dict[str, Any]:
    """Conclude the run without its failed cases; return its facts and, of all its arms, how many
    cases the scorecard says are assessed, of how many.
    """
    engineer = Person.objects.get(username="engineer")
    conclude_without_failed(
        actor=engineer, run=Run.objects.get(pk=run), reason="The endpoint failed on purpose."
    )
    conclude(run)
    row = Run.objects.get(pk=run)
    arms = [a for a in (row.result or {})["scorecard"]["arms"] if a["scope"] == "all"]
    coverage = [(a["coverage"]["numerator"], a["coverage"]["n"]) for a in arms]
    return {**facts(run), "coverage": [sum(column) for column in zip(*coverage, strict=True)]}


def work(run: int, seconds: float = 30.0) -> dict[str, Any]:
    """Work on the run here for so long, or until it is over."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if not work_on(run, worker=process_name(), seconds=until - time.monotonic()):
            break
    return facts(run)


def send(run: int) -> None:
    work_on_run.delay(run)


def sweep() -> None:
    """What the scheduler has done every thirty seconds."""
    sweep_runs()


def facts(run: int) -> dict[str, Any]:
    """Everything of a run that a campaign asks about."""
    row = Run.objects.get(pk=run)
    cases = row.cases.all()
    said = progress(row)
    failed = cases.filter(state__in=[Case.State.FAILED, Case.State.DEAD])
    return {
        "state": row.state,
        "error": row.error,
        "notice": row.notice,
        "result_sha256": row.result_sha256,
        "rows_sha256": rows_sha256(row),
        "cases": cases.count(),
        "by_state": _counted(cases, "state"),
        "by_status": _counted(cases, "status"),
        "without_a_word": failed.filter(error="").count() + failed.filter(status="").count(),
        "scored_failures": sum(_is_scored(case.outcome) for case in failed),
        "most_attempts": max(cases.values_list("attempts", flat=True), default=0),
        "shown": [said.done, said.failed, said.total],
        "calls": Call.objects.filter(run=row).count(),
        "doubled": doubled(row),
        "sentences": sorted(set(failed.values_list("error", flat=True)))[:3],
    }


def _counted(cases: Any, field: str) -> dict[str, int]:
    return dict(cases.order_by().values_list(field).annotate(n=Count("pk")))


def _is_scored(outcome: dict[str, Any] | None) -> bool:
    """Whether a case without a result has a score: an answer, evidence or a judgement."""
    found = (outcome or {}).get("outcome") or {}
    judged = any(found.get(name) is not None for name in ("answer_correct", "supported"))
    return judged or bool(found.get("judgements")) or bool(found.get("evidence_required"))


def doubled(run: Run) -> int:
    """How many rows stand twice: stages, judgements, calls."""
    found = 0
    for rows, fields in (
        (StageResult.objects.filter(case__run=run), ("case", "stage")),
        (Judgement.objects.filter(case__run=run), ("case", "constraint", "by", "person")),
        (Call.objects.filter(run=run), ("run", "key")),
    ):
        found += rows.order_by().values(*fields).annotate(n=Count("pk")).filter(n__gt=1).count()
    return found


def rows_sha256(run: Run) -> str:
    """A hash over every case, stage and judgement of a run but for what was measured by a clock."""
    judgements: dict[int, list[Any]] = {}
    judged = Judgement.objects.filter(case__run=run).order_by("constraint__key", "pk")
    fields = ("constraint__key", "judgement", "by", "quote", "why")
    for case_id, *words in judged.values_list("case_id", *fields):
        judgements.setdefault(case_id, []).append(words)
    cases = run.cases.select_related("arm", "request").prefetch_related("stages")
    rows = sorted(
        [
            case.arm.name,
            case.request.key,
            case.state,
            case.status,
            sorted([row.stage, _unmeasured(row.content)] for row in case.stages.all()),
            judgements.get(case.pk, []),
        ]
        for case in cases
    )
    if kept := os.environ.get("TESTS_ROWS"):  # to see in what two runs differ
        Path(f"{kept}-{run.pk}.json").write_text(json.dumps(rows, sort_keys=True, indent=1))
    return hashlib.sha256(json.dumps(rows, sort_keys=True).encode()).hexdigest()


def _unmeasured(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _unmeasured(part) for key, part in value.items() if key not in MEASURED}
    return [_unmeasured(part) for part in value] if isinstance(value, list) else value


def quick_limits(silence_s: float, deadline_s: float) -> None:
    """Let calls to a language model give up after so many seconds, so that a campaign ends."""
    defaults = ChatClient.__init__.__kwdefaults__
    assert defaults is not None and {"timeout_s", "deadline_s"} <= set(defaults)
    defaults |= {"timeout_s": silence_s, "deadline_s": deadline_s}


def send_messages(times: int) -> None:
    """Let every message of this process go out once or twice."""
    from tests.faults import twice

    twice.send(times)


def forget_gates() -> None:
    """What a new worker process knows of the endpoints: nothing."""
    gates.forget()


_ACTS = (
    leave_out_failed,
    load,
    load_many,
    start,
    resume,
    work,
    send,
    sweep,
    facts,
    quick_limits,
    send_messages,
    forget_gates,
)
ACTS = {act.__name__: act for act in _ACTS}


def answer(act: str, given: dict[str, Any]) -> Any:
    """Do it; a database that was stopped meanwhile is asked again, as a page would be."""
    for attempt in range(60):
        try:
            close_old_connections()
            return ACTS[act](**given)
        except OperationalError:
            connection.close()
            if attempt == 59 or "run" not in inspect.signature(ACTS[act]).parameters:
                raise
            time.sleep(0.5)
    raise AssertionError(act)


def main() -> None:
    print(json.dumps("ready"), flush=True)
    for line in sys.stdin:
        act, given = json.loads(line)
        try:
            said = {"said": answer(act, given)}
        except Exception as fault:  # noqa: BLE001 whatever it is, the campaign wants to hear it
            said = {"fault": f"{type(fault).__name__}: {fault}"}
        print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main()
