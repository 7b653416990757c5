"""Waiting for an endpoint that is away, and for how long."""

import os
import time

from evaluation.generation.errors import EndpointAway
from evaluation.models import Run

PATIENCE_SECONDS = "INTACT_ENDPOINT_PATIENCE_S"

# Since when this process has waited and when it last heard so, by the run: a run is worked on in
# slices of time.
_away_since: dict[int, tuple[float, float]] = {}
# After so long a silence (somebody paused the run, for example) it is waited for anew.
_FORGOTTEN_S = 120.0


class Patience:
    """What a worker of one run knows of its endpoint: whether to wait, and when to stop waiting."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._until = 0.0

    def waits(self, now: float) -> bool:
        """Whether there is no point in calling yet (by the monotonic clock)."""
        return now < self._until

    def away(self, fault: EndpointAway) -> None:
        """Wait as long as the endpoint's breaker says, and let the run tell why.

        Raises the fault itself when it has been away for longer than anybody should wait.
        """
        now = time.monotonic()
        since, heard = _away_since.get(self._run.pk, (now, now))
        since = now if now - heard > _FORGOTTEN_S else since
        _away_since[self._run.pk] = since, now
        if now - since > float(os.environ.get(PATIENCE_SECONDS, "120")):
            self.forget()
            raise fault
        self._until = now + fault.again_in
        self._tell(str(fault))

    def forget(self) -> None:
        """A call went through, or the worker stops: nothing is waited for any more."""
        # The notice may also be of a process that was killed while it waited.
        if _away_since.pop(self._run.pk, None) is not None or self._run.notice:
            self._until = 0.0
            self._tell("")

    def _tell(self, notice: str) -> None:
        if notice != self._run.notice:
            rows = Run.objects.filter(pk=self._run.pk, state__in=Run.WORKED_ON)
            rows.update(notice=notice)  # whoever paused or ended the run has cleared it
            self._run.notice = notice  # only now: the database may be away, and this done again
