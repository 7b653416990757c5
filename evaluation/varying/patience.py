"""Which failures of a model are an item's own, and how long an absent model is waited for."""

import time

from evaluation.generation.errors import (
    EmptyCompletion,
    EndpointAway,
    EndpointError,
    EndpointQuotaSpent,
    EndpointRateLimited,
    EndpointStatus,
    EndpointTimeout,
    EndpointUnreachable,
    InvalidCompletion,
    TruncatedCompletion,
)
from evaluation.models import VariationSet

PATIENCE_S, PAUSE_S = 120.0, 2.0
# After so long a silence it is waited for anew: another process had the set meanwhile.
_FORGOTTEN_S = 60.0
# Since when this process has waited and when it last heard so, by the set: a set is made in slices
# of time.
_away: dict[int, tuple[float, float]] = {}
# What a model says that is no text, or that it refuses to read: it is this item's.
_OF_THE_ITEM = (EmptyCompletion, InvalidCompletion, TruncatedCompletion)
_NOT_READ = (400, 413, 422)
_BROKEN = 500


def is_of_the_item(fault: EndpointError) -> bool:
    """Whether the model is there and gave this item no text."""
    if isinstance(fault, EndpointStatus) and fault.status in _NOT_READ:
        return True
    return isinstance(fault, _OF_THE_ITEM)


def may_come_back(fault: EndpointError) -> bool:
    """Whether waiting may help: not where the account is spent, or the key is wrong."""
    if isinstance(fault, EndpointQuotaSpent):
        return False
    if isinstance(fault, EndpointStatus) and not isinstance(fault, EndpointRateLimited):
        return fault.status >= _BROKEN
    return isinstance(
        fault, EndpointAway | EndpointUnreachable | EndpointTimeout | EndpointRateLimited
    )


def may_be_the_items(fault: EndpointError) -> bool:
    """Whether it may be this item over which the model stumbles, if it answers others."""
    if isinstance(fault, EndpointStatus):
        return fault.status >= _BROKEN
    return isinstance(fault, EndpointTimeout)


class Patience:
    """What a slice of work on one set knows of its model."""

    def __init__(self, of: VariationSet) -> None:
        self._set = of
        self.is_away = False
        self.answered = False

    def away(self, fault: EndpointError) -> None:
        """Wait, and say so on the set; raise the fault when that took too long."""
        now = time.monotonic()
        since, heard = _away.get(self._set.pk, (now, now))
        if now - heard > _FORGOTTEN_S:
            since = now
        if now - since > PATIENCE_S:
            self.forget()
            raise fault
        _away[self._set.pk] = (since, now)
        self.is_away = True
        self._tell(str(fault))

    def forget(self) -> None:
        """It answers again, or nobody waits any more."""
        self.answered = True
        if _away.pop(self._set.pk, None) is not None or self._set.notice:
            self._tell("")

    def _tell(self, notice: str) -> None:
        if notice != self._set.notice:
            VariationSet.objects.filter(pk=self._set.pk).update(notice=notice)
            self._set.notice = notice
