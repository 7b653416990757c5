"""How long a run may still take, from how fast its cases were closed lately; no Django.

Workers keep cases in batches, so cases are closed at moments, often several at one. The moments are
taken for a Poisson process: of m intervals between moments the rate is known up to ± 2·√m / m.
"""

import math
from dataclasses import dataclass
from datetime import datetime

FEWEST_CASES = 20
SHORTEST_SECONDS = 10.0
WINDOW_SECONDS = 60.0


@dataclass(frozen=True)
class Pace:
    """The cases closed within the window: how many, at how many moments, the first and the last."""

    cases: int = 0
    moments: int = 0
    first: datetime | None = None
    last: datetime | None = None


def seconds_left(pace: Pace, *, waiting: int, now: datetime) -> tuple[float, float] | None:
    """Return the fewest and the most seconds that `waiting` cases may take at this pace; None
    where fewer than 20 cases or 10 seconds, or too few moments, give no range.

    Silence since the last moment counts as far as it exceeds a usual interval, so that a run that
    stands still does not keep its early promise.
    """
    if pace.first is None or pace.last is None or pace.moments < 2:
        return None
    intervals = pace.moments - 1
    between = (pace.last - pace.first).total_seconds()
    silence = (now - pace.last).total_seconds() - between / intervals
    elapsed = between + max(0.0, silence)
    doubt = 2 / math.sqrt(intervals)
    if pace.cases < FEWEST_CASES or elapsed < SHORTEST_SECONDS or doubt >= 1:
        return None
    rate = pace.cases * intervals / pace.moments / elapsed
    return waiting / (rate * (1 + doubt)), waiting / (rate * (1 - doubt))


_UNITS = ((86_400.0, "days"), (3600.0, "hours"), (60.0, "minutes"), (10.0, "seconds"))


def rounded(low: float, high: float) -> tuple[str, int, int]:
    """Return the range in whole units that a person reads at a glance: ("minutes", 4, 6).

    Seconds come in tens. The unit is the largest of which the longer time has at least two; the
    shorter is rounded down and the longer up, so that the range never shrinks.
    """
    for size, unit in _UNITS:
        if high >= 2 * size or unit == "seconds":
            break
    scale = 10 if unit == "seconds" else 1
    fewest, most = math.floor(low / size) * scale, math.ceil(high / size) * scale
    return unit, fewest, max(most, scale)
