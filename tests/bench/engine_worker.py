"""One worker process of the engine's benchmarks: `python -m tests.bench.engine_worker RUN`.

Prints a line of JSON when nothing is left: the most memory that it used, in MB, and its processor
time, in seconds; measured before the run is concluded and after.
"""

import json
import os
import re
import resource
import sys
import time
from pathlib import Path


def _now() -> dict[str, float]:
    """What was used so far. The kernel's `ru_maxrss` is no measure of a child's memory: it begins
    with what its parent had when it forked.
    """
    used = resource.getrusage(resource.RUSAGE_SELF)
    status = Path("/proc/self/status").read_text(encoding="ascii")
    most = re.search(r"^VmHWM:\s+(\d+) kB", status, re.MULTILINE)
    assert most is not None  # noqa: S101 Linux says so since 2.6
    return {"mb": int(most[1]) / 1024, "cpu": used.ru_utime + used.ru_stime}


def warm() -> None:
    """Load what a worker that is up has loaded: the parts, and the judge's word lists."""
    from contracts.terms import ContractTerms
    from evaluation.readers.base import READERS
    from evaluation.records import RequestText, Rewrite
    from evaluation.retrieval.base import RETRIEVERS
    from evaluation.rewriters.base import REWRITERS
    from evaluation.scoring.preservation import judge_rewrite
    from evaluation.support.base import SUPPORT_JUDGES
    from tests.bench.engine_study import TEXT, contract_of

    for registry in (READERS, RETRIEVERS, REWRITERS, SUPPORT_JUDGES):
        registry.names()
    text = TEXT.format(n=1, y=1)
    contract = ContractTerms.from_json(contract_of(1, text))
    judge_rewrite(RequestText("r", text), contract, Rewrite("standalone", (text,)))


def main(run_id: int) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from evaluation.runs import execution
    from tests.bench import engine_study  # noqa: F401 registers the instant parts

    warm()
    at_end: dict[str, object] = {"began": time.time()}
    conclude = execution.conclude

    def measured(pk: int) -> None:
        at_end.update(cases=_now(), at=time.time())
        conclude(pk)

    execution.conclude = measured
    while execution.work(run_id, worker=f"bench:{os.getpid()}", seconds=3600.0):
        time.sleep(0.05)
    at_end.setdefault("cases", _now())
    at_end.setdefault("at", time.time())
    sys.stdout.write(json.dumps({**at_end, "whole": _now(), "over": time.time()}) + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]))
