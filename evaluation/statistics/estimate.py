"""The one shape of every number that the product shows."""

import math
from dataclasses import asdict, dataclass
from typing import Any

# What a reason says of an interval without width: pages show it in the interval's place.
NO_SPREAD = "resampling shows no spread"


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its denominator, or the reason why there is none.

    `value` is a rate in [0, 1], a mean, a difference or a p-value, as the function that made it
    says. `n` counts the units behind it (requests unless said otherwise), `numerator` the units
    that hit; `rows` counts the values that a mean is over where `n` counts their clusters. `low`
    and `high` are the interval of `method` at `level`; a one-sided bound leaves the other None.
    `reason` is a sentence whenever the value or its interval is missing or needs a caveat, else "".
    """

    value: float | None
    reason: str
    n: int
    low: float | None = None
    high: float | None = None
    numerator: int | None = None
    method: str = ""
    level: float | None = None
    standard_error: float | None = None
    resamples: int | None = None
    seed: int | None = None
    rows: int | None = None

    def __post_init__(self) -> None:
        if self.value is None and not self.reason:
            raise ValueError("An estimate without a value needs a reason: say why it is undefined.")
        for name in ("value", "low", "high", "standard_error"):
            number = getattr(self, name)
            if number is not None and not math.isfinite(number):
                raise ValueError(f"{name} is {number}: give None with a reason instead.")

    @classmethod
    def undefined(cls, reason: str, n: int = 0, numerator: int | None = None) -> "Estimate":
        """Return the estimate that has no value, for `reason`."""
        return cls(None, reason, n, numerator=numerator)

    def to_json(self) -> dict[str, Any]:
        """Return every field by name; undefined numbers are null."""
        return asdict(self)


def require_level(level: float) -> None:
    """Raise ValueError unless `level` is a confidence level strictly between 0 and 1."""
    if not 0.0 < level < 1.0:
        raise ValueError(
            f"level is {level}: a confidence level lies between 0 and 1, such as 0.95."
        )
