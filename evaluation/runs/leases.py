"""Who holds a case: names of worker processes, and cases whose process on this machine is gone."""

import os
import socket
from functools import cache
from pathlib import Path

from evaluation.models import Case

# In /proc/PID/stat, counted after the name, which is in parentheses and may hold blanks.
_STATE, _STARTED = 0, 19


def worker_name() -> str:
    """A name for leases that tells processes of one machine and machines apart, and a process from
    a later one that got its id.
    """
    return _name_of(os.getpid())


@cache
def _name_of(pid: int) -> str:
    return f"{_host()}:{pid}:{_started(pid) or 0}"


def _host() -> str:
    return socket.gethostname()[:50]  # the whole name has to fit the column


def free_abandoned() -> int:
    """Put back the cases whose process ended on this machine; return how many.

    A killed worker's cases need not wait until their leases run out. Other machines' processes
    cannot be seen from here, so theirs do.
    """
    held = Case.objects.filter(state=Case.State.RUNNING, lease_owner__startswith=f"{_host()}:")
    owners = set(held.values_list("lease_owner", flat=True))
    gone = [owner for owner in owners if not _is_alive(owner)]
    if not gone:
        return 0
    return held.filter(lease_owner__in=gone).update(
        state=Case.State.PENDING, lease_owner="", leased_until=None
    )


def _is_alive(owner: str) -> bool:
    """Whether the process that took the name still runs; what cannot be told counts as running."""
    _host, _colon, rest = owner.partition(":")
    pid, _colon, started = rest.partition(":")
    if not (pid.isdecimal() and started.isdecimal()):
        return True
    if Path("/proc/self/stat").exists():
        return started == "0" or _started(int(pid)) == int(started)
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


def _started(pid: int) -> int | None:
    """When the process began, in the kernel's ticks; None if it is gone, dead, or cannot be told.

    A killed process stays in the table until its parent asks for it; it counts as gone.
    """
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[_STATE] in "ZX" else int(fields[_STARTED])
