"""Who holds a case: names of worker processes, and cases whose process on this machine is gone."""

import os
import socket

from evaluation.models import Case


def worker_name() -> str:
    """A name for leases that tells processes of one machine and machines apart."""
    return f"{socket.gethostname()}:{os.getpid()}"


def free_abandoned() -> int:
    """Put back the cases whose process ended on this machine; return how many.

    A killed worker's cases need not wait until their leases run out. Other machines' processes
    cannot be seen from here, so theirs do.
    """
    held = Case.objects.filter(
        state=Case.State.RUNNING, lease_owner__startswith=f"{socket.gethostname()}:"
    )
    owners = set(held.values_list("lease_owner", flat=True))
    gone = [owner for owner in owners if not _is_alive(owner)]
    if not gone:
        return 0
    return held.filter(lease_owner__in=gone).update(
        state=Case.State.PENDING, lease_owner="", leased_until=None
    )


def _is_alive(owner: str) -> bool:
    pid = owner.rpartition(":")[2]
    if not pid.isdecimal():
        return True
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True
