"""Cases whose process on this machine is gone."""

from annotation.processes import is_gone
from evaluation.models import Case


def free_abandoned() -> int:
    """Put back the cases whose process ended on this machine; return how many.

    A killed worker's cases need not wait until their leases run out. Other machines' processes
    cannot be seen from here, so theirs do.
    """
    held = Case.objects.filter(state=Case.State.RUNNING)
    owners = held.order_by().values_list("lease_owner", flat=True).distinct()
    gone = [owner for owner in owners if is_gone(owner)]
    if not gone:
        return 0
    return held.filter(lease_owner__in=gone).update(
        state=Case.State.PENDING, lease_owner="", leased_until=None
    )
