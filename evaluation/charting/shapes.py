"""What a chart shows, as plain values: shapes and texts, and nothing of how they are drawn."""

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.charting.svg import printable

# What fills a bar: never told apart by colour alone.
LOOKS = ("solid", "hatched", "lined", "crossed", "empty")


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a bar: its length as a share in [0, 1], and its look, one of `LOOKS`."""

    share: float
    look: str


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar from 0: its parts in a row, what stands before and after it, an interval (shares)
    under it, and a mark (a share) on it. `strong` sets its name bold.
    """

    name: str
    value: str
    parts: tuple[Part, ...] = ()
    interval: tuple[float, float] | None = None
    mark: float | None = None
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """Bars under one heading; `beside` stands at the end of its line."""

    heading: str
    bars: tuple[Bar, ...]
    beside: str = ""


@dataclass(frozen=True, slots=True)
class Bars:
    """Groups of horizontal bars over 0 to 100 %. `key` names the looks, "mark" and "interval"."""

    title: str
    description: str
    groups: tuple[Group, ...]
    key: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Point:
    """A named point with intervals of both values. Where `x` is unknown it stands apart."""

    name: str
    x: float | None
    y: float
    x_interval: tuple[float, float] | None = None
    y_interval: tuple[float, float] | None = None
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Points:
    """Points over x from 0 to the last of `ticks` (position, text) and y from 0 to 100 %. Those
    without x have a column of their own at the right, named `unknown`.
    """

    title: str
    description: str
    points: tuple[Point, ...]
    x_label: str
    y_label: str
    ticks: tuple[tuple[float, str], ...]
    unknown: str


@dataclass(frozen=True, slots=True)
class Series:
    """A named line: its points from left to right, each (x, y, interval of y or None). `strong`
    sets it apart.
    """

    name: str
    points: tuple[tuple[float, float, tuple[float, float] | None], ...]
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Lines:
    """Series over a number. The axes go from the first to the last of their ticks (position,
    text); that of y need not begin at 0.
    """

    title: str
    description: str
    series: tuple[Series, ...]
    x_label: str
    y_label: str
    x_ticks: tuple[tuple[float, str], ...]
    y_ticks: tuple[tuple[float, str], ...]


Picture = Bars | Points | Lines


def shortened(names: Sequence[str], most: int) -> list[str]:
    """Return the names with at most `most` letters: the middle of a longer one left out, and a
    number at its end where two would read the same.
    """
    found: list[str] = []
    for name in names:
        told = short(name, most)
        if name not in names[: len(found)] and told in found:
            again = sum(other.startswith(told[: most - 3]) for other in found) + 1
            told = f"{told[: most - 3]}…{again}"
        found.append(told)
    return found


def short(name: str, most: int) -> str:
    """The text with at most `most` letters, the middle left out."""
    name = printable(name)
    if len(name) <= most:
        return name
    tail = (most - 1) // 3
    return f"{name[: most - 1 - tail].rstrip()}…{name[-tail:].lstrip()}"
