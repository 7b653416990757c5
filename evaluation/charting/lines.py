"""Series over a number as lines with points: the look of one, for `drawing`."""

from collections.abc import Callable
from typing import Any

from evaluation.charting.shapes import Lines, shortened
from evaluation.charting.svg import INKS

# The plot: left, bottom, width and height in units; under it the key, a line for each series.
_PLOT, _ABOVE, _BELOW, _KEY = (46.0, 44.0, 272.0, 190.0), 24.0, 44.0, 18.0
_NAME = 42  # letters that fit in the key
_MARKERS = ("o", "s", "D", "^", "v", "P", "X", "p", "*", "h")
_DASHES: tuple[Any, ...] = ("solid", (0, (5, 2)), (0, (1, 2)), (0, (6, 2, 1, 2)))
_SIZE, _SMALL = 12.0, 11.5

Text = Callable[..., None]


def height(picture: Lines) -> float:
    """How tall the drawing is, in units."""
    return _ABOVE + _PLOT[3] + _BELOW + _KEY * len(picture.series) + 6


def plot(picture: Lines, figure: Any, *, width: float) -> None:
    """Draw the picture into a figure of `width` x `height(picture)` units."""
    left, _low, wide, high = _PLOT
    whole = height(picture)
    low = whole - _ABOVE - high
    axes = figure.add_axes((left / width, low / whole, wide / width, high / whole))
    most = picture.x_ticks[-1][0] or 1.0
    bottom, top = picture.y_ticks[0][0], picture.y_ticks[-1][0]
    axes.set_xlim(-0.04 * most, 1.06 * most)
    axes.set_ylim(bottom - 0.04 * (top - bottom), top + 0.04 * (top - bottom))
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(INKS["soft"])
    axes.tick_params(color=INKS["soft"], labelcolor=INKS["soft"], labelsize=_SMALL)
    axes.set_xticks([x for x, _shown in picture.x_ticks], [shown for _x, shown in picture.x_ticks])
    axes.set_yticks([y for y, _shown in picture.y_ticks], [shown for _y, shown in picture.y_ticks])
    axes.grid(color=INKS["line"], linewidth=1)
    axes.set_axisbelow(True)
    for number, series in enumerate(picture.series):
        _line(axes, series, number, len(picture.series), most)
    figure.text(1 / width, 1 - 11 / whole, picture.y_label, color=INKS["soft"], fontsize=_SIZE)
    figure.text(
        left / width,
        (low - 32) / whole,
        picture.x_label,
        color=INKS["soft"],
        fontsize=_SIZE,
        va="center",
    )
    _key(picture, figure, width, whole, low - _BELOW - 8)


def _line(axes: Any, series: Any, number: int, of: int, most: float) -> None:
    """Draw one series; a little aside of the others, so that intervals do not lie on each other."""
    aside = (number - (of - 1) / 2) * 0.008 * most
    xs = [x + aside for x, _y, _interval in series.points]
    ys = [y for _x, y, _interval in series.points]
    ink = INKS["accent"] if series.strong else INKS["ink"]
    for x, (_x, _y, interval) in zip(xs, series.points, strict=True):
        if interval:
            axes.plot([x, x], interval, color=INKS["soft"], linewidth=0.9)
    axes.plot(xs, ys, color=ink, linewidth=1.6 if series.strong else 1.1, **_look(number, series))


def _look(number: int, series: Any) -> dict[str, Any]:
    ink = INKS["accent"] if series.strong else INKS["ink"]
    return {
        "linestyle": _DASHES[number // len(_MARKERS) % len(_DASHES)]
        if series.strong
        else _DASHES[number % len(_DASHES)],
        "marker": _MARKERS[number % len(_MARKERS)],
        "markersize": 7.5,
        "markerfacecolor": ink if series.strong else INKS["card"],
        "markeredgecolor": ink,
        "markeredgewidth": 1.2,
        "clip_on": False,
    }


def _key(picture: Lines, figure: Any, width: float, whole: float, top: float) -> None:
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, width)
    axes.set_ylim(0, whole)
    axes.axis("off")
    axes.patch.set_visible(False)
    names = shortened([series.name for series in picture.series], _NAME)
    for number, (series, name) in enumerate(zip(picture.series, names, strict=True)):
        y = top - number * _KEY
        ink = INKS["accent"] if series.strong else INKS["ink"]
        look = _look(number, series)
        axes.plot([4, 17, 30], [y, y, y], color=ink, markevery=[1], linewidth=1.3, **look)
        axes.text(
            38,
            y,
            name,
            fontsize=_SIZE,
            va="center",
            fontweight="bold" if series.strong else "normal",
            color=INKS["ink"],
        )
