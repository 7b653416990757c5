"""Rates as percentages that never round into a lie: the one way from a number to its text. Pure."""

from collections.abc import Callable, Iterable
from decimal import Decimal

MINUS = "\u2212"  # the minus sign, as wide as a plus
# Float noise: a rate nearer than this to another number is that number.
NOISE = 1e-9
_MOST_DECIMALS = 8


def percentage(value: float, *, apart: Iterable[float] = ()) -> str:
    """Return a rate in [0, 1] in percent without the sign, with one decimal or as many as it needs.

    It reads 0 or 100 only when the rate is exactly that, and never like one of `apart` (such as the
    threshold that it is compared with) unless it equals it.

    >>> percentage(0.8222), percentage(2499 / 2500)
    ('82.2', '99.96')
    """
    return _distinct(value, (0.0, 1.0, *apart), lambda rate, n: f"{100 * rate:.{n}f}")


def signed_points(value: float) -> str:
    """Return a difference of rates in percentage points with its sign; only 0 reads 0.

    >>> signed_points(-0.067), signed_points(0.0002)
    ('-6.7', '+0.02')
    """
    return _distinct(value, (0.0,), lambda rate, n: f"{100 * rate + 0.0:+.{n}f}")


def registered(value: float) -> str:
    """Return a threshold or a confidence level as a percentage with every digit that it was given.

    >>> registered(0.95), registered(0.0004)
    ('95 %', '0.04 %')
    """
    # Twelve digits hide the noise of 1 - alpha, and are more than anybody registers.
    text = f"{Decimal(f'{value:.12g}') * 100:f}"
    return f"{text.rstrip('0').rstrip('.') if '.' in text else text} %"


def _distinct(value: float, others: Iterable[float], shown: Callable[[float, int], str]) -> str:
    near = [other for other in others if abs(value - other) < NOISE]
    value = near[0] if near else value
    unlike = [other for other in others if other != value]
    for decimals in range(1, _MOST_DECIMALS):
        text = shown(value, decimals)
        if all(float(text) != float(shown(other, decimals)) for other in unlike):
            return text
    return shown(value, _MOST_DECIMALS)
