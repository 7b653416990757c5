"""Waiting for an endpoint that is away, for as long as anybody should."""

import os
import time

from evaluation.generation.errors import EndpointAway
from evaluation.models import SuiteRun
from evaluation.runs.patience import PATIENCE_SECONDS

# Since when this process has waited, by the run: a run is worked on in slices of time.
_away_since: dict[int, float] = {}


class Waiting:
    """Whether there is no point in calling yet, told on the run as its notice."""

    def __init__(self, run: SuiteRun) -> None:
        self._run = run
        self._until = 0.0

    def waits(self, now: float) -> bool:
        return now < self._until

    def away(self, fault: EndpointAway) -> None:
        """Wait as long as the endpoint's breaker says; raise the fault when that took too long."""
        now = time.monotonic()
        since = _away_since.setdefault(self._run.pk, now)
        if now - since > float(os.environ.get(PATIENCE_SECONDS, "120")):
            self.forget()
            raise fault
        self._until = max(self._until, now + fault.again_in)
        self._tell(str(fault))

    def forget(self) -> None:
        """It answers again, or nobody waits any more."""
        if _away_since.pop(self._run.pk, None) is not None or self._run.notice:
            self._until = 0.0
            self._tell("")

    def _tell(self, notice: str) -> None:
        if notice != self._run.notice:
            rows = SuiteRun.objects.filter(pk=self._run.pk, state__in=SuiteRun.WORKED_ON)
            rows.update(notice=notice)
            self._run.notice = notice
