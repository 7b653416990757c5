"""What `demo` started ends with it."""

import os
import subprocess
import sys
import time

from evaluation.management.commands.demo import stop

# A process that starts another, says its number, and dies without ending it.
LEAVES_ONE = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print(child.pid, flush=True)
time.sleep(600)
"""


def test_what_a_worker_started_ends_with_it() -> None:
    process = subprocess.Popen(  # noqa: S603 our own interpreter
        [sys.executable, "-c", LEAVES_ONE], stdout=subprocess.PIPE, start_new_session=True
    )
    assert process.stdout is not None
    child = int(process.stdout.readline())
    stop(process)
    assert _ends(child)


def _ends(pid: int) -> bool:
    for _tried in range(500):
        try:
            os.kill(pid, 0)
            with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
                if file.read().rsplit(")", 1)[1].split()[0] == "Z":
                    return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.02)
    return False
