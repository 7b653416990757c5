"""Names for processes that hold a lease, and which of them are gone from this machine."""

import os
import socket
from functools import cache
from pathlib import Path

# In /proc/PID/stat, counted after the name, which is in parentheses and may hold blanks.
_STATE, _STARTED = 0, 19


def process_name() -> str:
    """A name that tells processes of one machine and machines apart, and a process from a later
    one that got its id.
    """
    return _name_of(os.getpid())


@cache
def _name_of(pid: int) -> str:
    return f"{_host()}:{pid}:{_started(pid) or 0}"


def is_gone(name: str) -> bool:
    """Whether the process of that name certainly ended; of another machine's nothing is known."""
    host, _colon, rest = name.partition(":")
    pid, _colon, started = rest.partition(":")
    if host != _host() or not (pid.isdecimal() and started.isdecimal()):
        return False
    if Path("/proc/self/stat").exists():
        return started != "0" and _started(int(pid)) != int(started)
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except (PermissionError, OverflowError):
        return False
    return False


def seconds_running(pid: int) -> float | None:
    """Seconds since a process of this machine began; None if it is gone or it cannot be told."""
    started = _started(pid)
    try:
        up = float(Path("/proc/uptime").read_text().split()[0])
    except OSError:
        return None
    return None if started is None else max(0.0, up - started / os.sysconf("SC_CLK_TCK"))


def _host() -> str:
    return socket.gethostname()[:50]  # the whole name has to fit a column


def _started(pid: int) -> int | None:
    """When the process began, in the kernel's ticks; None if it is gone, dead, or cannot be told.

    A killed process stays in the table until its parent asks for it; it counts as gone.
    """
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[_STATE] in "ZX" else int(fields[_STARTED])
