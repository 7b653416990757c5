"""Cases whose process on this machine is gone."""

from annotation.processes import is_gone
from evaluation.models import Call, Case


def free_abandoned() -> int:
    """Put back the cases whose process ended on this machine; return how many.

    A killed worker's cases need not wait until their leases run out, nor the calls that it was
    waiting for. Other machines' processes cannot be seen from here, so theirs do.
    """
    held = Case.objects.filter(state=Case.State.RUNNING)
    owners = held.order_by().values_list("lease_owner", flat=True).distinct()
    gone = [owner for owner in owners if is_gone(owner)]
    waiting = Call.objects.filter(reply__isnull=True)
    callers = waiting.order_by().values_list("worker", flat=True).distinct()
    waiting.filter(worker__in=[worker for worker in callers if is_gone(worker)]).delete()
    if not gone:
        return 0
    return held.filter(lease_owner__in=gone).update(
        state=Case.State.PENDING, lease_owner="", leased_until=None
    )
