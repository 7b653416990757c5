"""What the tests have done in other processes, with the product's own settings:
`python -m tests.services.acts ACT …` prints one line of JSON.
"""

import json
import os
import sys
from typing import Any

import django

if sys.argv[-1] == "web":
    os.environ["INTACT_WEB"] = "1"
django.setup()

from django.core.management import call_command  # noqa: E402 after django.setup()
from django.db import connection  # noqa: E402

from annotation.models import Person  # noqa: E402
from annotation.processes import process_name  # noqa: E402
from config.celery import app  # noqa: E402
from evaluation.demo.loading import demo_protocol, load_demo  # noqa: E402
from evaluation.models import Run  # noqa: E402
from evaluation.runs.execution import claim, work  # noqa: E402
from evaluation.runs.freezing import freeze_conditions  # noqa: E402
from evaluation.services.runs import start_run  # noqa: E402
from tests.services.double_clicks import all_acts  # noqa: E402

ARMS = ("original", "human", "recorded")


def load() -> str:
    """Make the tables and load the demo study."""
    call_command("migrate", verbosity=0)
    return load_demo().slug


def start() -> int:
    """Start a run of three arms that need no language model, and tell the workers."""
    project = load_demo()
    engineer = Person.objects.get(username="engineer")
    run = start_run(
        actor=engineer,
        project=project,
        protocol=demo_protocol(project),
        conditions=freeze_conditions(actor=engineer, project=project),
        arm_names=ARMS,
    )
    return run.pk


def run_here(number: str = "") -> dict[str, Any]:
    """Work on a run in this process until it is over."""
    run_id = int(number) if number else start()
    while work(run_id, worker=process_name(), seconds=60.0):
        pass
    run = Run.objects.get(pk=run_id)
    return {"state": run.state, "error": run.error, "result_sha256": run.result_sha256}


def claim_all(number: str) -> list[int]:
    """Say that we are ready, wait for a line, then claim until nothing is left."""
    run = Run.objects.get(pk=int(number))
    print("ready", flush=True)
    sys.stdin.readline()
    taken: list[int] = []
    while cases := claim(run, process_name(), most=3):
        taken += [case.pk for case in cases]
    return taken


def celery_settings() -> dict[str, Any]:
    """The effective settings that depend on the broker."""
    return {
        "broker_transport_options": app.conf.broker_transport_options,
        "result_backend_transport_options": app.conf.result_backend_transport_options,
        "visibility_timeout": app.conf.visibility_timeout,
        "task_time_limit": app.conf.task_time_limit,
    }


def database_limits(_process: str) -> list[str]:
    """How long this process waits for locks and statements, and others for its transactions."""
    names = ("lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout")
    with connection.cursor() as cursor:
        return [cursor.execute(f"SHOW {name}").fetchone()[0] for name in names]


def double_clicks() -> dict[str, Any]:
    """Do what people double-click, six times at once."""
    project = load_demo()
    demo_protocol(project)
    return all_acts(project)


_ACTS = (load, start, run_here, claim_all, celery_settings, database_limits, double_clicks)
ACTS = {act.__name__: act for act in _ACTS}

if __name__ == "__main__":
    print(json.dumps(ACTS[sys.argv[1]](*sys.argv[2:])), flush=True)
