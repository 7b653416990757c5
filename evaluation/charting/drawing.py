"""Pictures of numbers as SVG: the one place of the chart library (matplotlib, imported at the first
drawing). Knows shapes and texts, and nothing of runs; every text comes from the caller.

A drawing can stand inline in a page with a strict Content-Security-Policy and follow its light and
dark: no style, script, event or outside reference; colours are classes (`static/css/charts.css`)
with the light ones as attributes for a reader without that sheet. Equal pictures give equal bytes.
"""

import io
import threading
import warnings
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib import metadata
from pathlib import Path
from typing import Any

from evaluation.charting import lines, shapes, svg
from evaluation.charting.shapes import Bar, Bars, Group, Lines, Picture, Point, Points, shortened
from evaluation.charting.svg import INKS, inline, printable

# Of the drawing, in units; the narrowest page shows one as about one pixel (a phone of 375 has 322
# of them in a card), so that no letter is under 11 there.
WIDTH = 330.0

_FILLED: Mapping[str, Mapping[str, Any]] = {
    "solid": {"facecolor": INKS["accent"], "edgecolor": INKS["accent"]},
    "hatched": {"facecolor": INKS["card"], "edgecolor": INKS["accent"], "hatch": "///"},
    "lined": {"facecolor": INKS["card"], "edgecolor": INKS["accent"], "hatch": "---"},
    "crossed": {"facecolor": INKS["card"], "edgecolor": INKS["lost"], "hatch": "xxx"},
    "empty": {"facecolor": INKS["card"], "edgecolor": INKS["soft"]},
}
_MARKERS = ("o", "s", "D", "^", "v", "P", "X", "p", "*", "h")

_SIZE, _SMALL, _TINY = 12.5, 12.0, 11.5  # of letters
_LETTER = 6.9  # how wide one of them is taken to be
_ROW, _OWN_LINE, _HEADING, _BAR, _LEGEND = 20.0, 17.0, 22.0, 9.0, 18.0
_LEFT, _FROM, _TO, _VALUE = 1.0, 112.0, 212.0, 222.0
# The plot of points: left, bottom, width, height in units; where its column of unknown x begins and
# ends, in multiples of the greatest x.
_PLOT, _PLOT_HEIGHT = (46.0, 50.0, 272.0, 214.0), 292.0
_APART_BEGINS, _APART_ENDS = 1.1, 1.8
_NAME = 15  # letters that fit in front of a bar
_LINE = 38  # and in a line of their own


# The library says of itself that it is not safe where several threads draw.
_drawing = threading.Lock()


def draw(picture: Picture, *, prefix: str) -> str:
    """Return the picture as an `<svg>` element. Every id in it begins with `prefix`, so that
    several can stand on one page.
    """
    with _drawing:
        figure = _drawn(picture)
        written = io.BytesIO()
        figure.savefig(written, format="svg", metadata={"Date": None})
    return inline(
        written.getvalue().decode(),
        prefix=prefix,
        title=picture.title,
        description=picture.description,
    )


def _drawn(picture: Picture) -> Any:
    if isinstance(picture, Lines):
        figure = _figure(lines.height(picture))
        lines.plot(picture, figure, width=WIDTH)
        return figure
    return _bars(picture) if isinstance(picture, Bars) else _points(picture)


@cache
def version() -> str:
    """What an equal picture is drawn in the same way under: this code and the library's version."""
    files = (__file__, lines.__file__, shapes.__file__, svg.__file__)
    known = [*(Path(file).read_bytes() for file in files), metadata.version("matplotlib").encode()]
    return sha256(b"\n".join(known)).hexdigest()


def _figure(height: float) -> Any:
    """A figure of `WIDTH` x `height` units; a unit is a point in the SVG."""
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    # Set for the whole process: this module is the only one that draws.
    matplotlib.rcParams.update(
        {
            "svg.fonttype": "none",
            "svg.hashsalt": "intact",
            "text.parse_math": False,  # names are people's: a $ in one is a $
            "text.usetex": False,
            "axes.unicode_minus": True,
            "font.size": _SIZE,
            "hatch.linewidth": 0.7,
        }
    )
    # Letters that the library's font lacks are no fault: the reader's fonts show them.
    warnings.filterwarnings("ignore", message="Glyph .* missing from", module="matplotlib")
    figure = Figure(figsize=(WIDTH / 72, height / 72), dpi=72, facecolor="none")
    FigureCanvasSVG(figure)
    return figure


def _bars(picture: Bars) -> Any:
    own_line = any(len(bar.name) > _NAME for group in picture.groups for bar in group.bars)
    legend = _legend_lines(picture.key)
    top = len(legend) * _LEGEND + 4
    bottom = top + sum(_tall(group, own_line) for group in picture.groups)
    figure = _figure(bottom + 22)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, WIDTH)
    axes.set_ylim(bottom + 22, 0)
    axes.axis("off")
    start, end = (_LEFT + 8, _TO) if own_line else (_FROM, _TO)
    _axis(axes, start, end, top + 4, bottom)
    _legend(axes, legend)
    headings = shortened([group.heading for group in picture.groups], _LINE)
    for group, heading in zip(picture.groups, headings, strict=True):
        y = _heading(axes, group, heading, top)
        names = shortened([bar.name for bar in group.bars], _LINE if own_line else _NAME)
        for bar, name in zip(group.bars, names, strict=True):
            weight = "bold" if bar.strong else "normal"
            _text(axes, _LEFT + 7, y + 8, name, size=_SMALL, weight=weight)
            y += _OWN_LINE if own_line else 0
            _bar(axes, bar, y + 8, start, end)
            y += _ROW
        top += _tall(group, own_line)
    return figure


def _tall(group: Group, own_line: bool) -> float:
    """How much a group takes, with the space after it."""
    row = _ROW + (_OWN_LINE if own_line else 0)
    return _HEADING * (1 + _parted(group)) + len(group.bars) * row + 5


def _parted(group: Group) -> bool:
    """Whether what stands beside a heading has no room there and goes under it."""
    return bool(group.beside) and len(group.heading) + len(group.beside) + 2 > _LINE


def _heading(axes: Any, group: Group, heading: str, y: float) -> float:
    """Write a group's heading at `y` and return where its bars begin."""
    _text(axes, _LEFT, y + 12, heading, weight="bold")
    if _parted(group):
        _text(axes, _LEFT, y + _HEADING + 9, group.beside, size=_SMALL, ink="soft")
        return y + 2 * _HEADING
    _text(axes, WIDTH - 1, y + 12, group.beside, size=_SMALL, ha="right", ink="soft")
    return y + _HEADING


def _bar(axes: Any, bar: Bar, y: float, start: float, end: float) -> None:
    """Draw one bar around `y` with its interval under it and its mark on it."""
    left, length = start, end - start
    for part in bar.parts:
        if part.share > 0:
            axes.barh(
                y, part.share * length, left=left, height=_BAR, linewidth=0.8, **_FILLED[part.look]
            )
            left += part.share * length
    if bar.interval:
        ends = [start + max(0.0, min(1.0, share)) * length for share in bar.interval]
        _span(axes, ends, y + _BAR / 2 + 3)
    if bar.mark is not None:
        _mark(axes, start + bar.mark * length, y)
    ink = "ink" if bar.parts else "soft"
    _text(axes, _VALUE, y, bar.value, size=_SMALL, ink=ink)


def _span(axes: Any, ends: Sequence[float], y: float) -> None:
    axes.plot(ends, [y, y], color=INKS["ink"], linewidth=1.1, solid_capstyle="butt")
    for end in ends:
        axes.plot([end, end], [y - 2, y + 2], color=INKS["ink"], linewidth=1.1)


def _mark(axes: Any, x: float, y: float) -> None:
    axes.plot(
        [x],
        [y],
        marker="D",
        linestyle="none",
        markersize=6,
        markerfacecolor=INKS["card"],
        markeredgecolor=INKS["ink"],
        markeredgewidth=1.2,
        clip_on=False,
    )


def _axis(axes: Any, start: float, end: float, top: float, bottom: float) -> None:
    """The lines of 0, 50 and 100 %, with their texts under them."""
    for share in (0.0, 0.5, 1.0):
        x = start + share * (end - start)
        axes.plot([x, x], [top, bottom], color=INKS["line"], linewidth=1, zorder=0)
        _text(axes, x, bottom + 11, f"{share * 100:.0f} %", size=_TINY, ha="center", ink="soft")


def _legend_lines(key: Sequence[tuple[str, str]]) -> list[list[tuple[float, str, str]]]:
    """The key broken into lines: where each entry begins, its look and its text."""
    lines: list[list[tuple[float, str, str]]] = []
    x = WIDTH
    for look, text in key:
        wide = 26 + len(text) * _LETTER
        if x + wide > WIDTH:
            lines.append([])
            x = _LEFT
        lines[-1].append((x, look, text))
        x += wide + 10
    return lines


def _legend(axes: Any, lines: Sequence[Sequence[tuple[float, str, str]]]) -> None:
    for number, line in enumerate(lines):
        y = number * _LEGEND + 9
        for x, look, text in line:
            if look == "mark":
                _mark(axes, x + 8, y)
            elif look == "interval":
                _span(axes, (x, x + 16), y)
            else:
                axes.barh(y, 16, left=x, height=_BAR, linewidth=0.8, **_FILLED[look])
            _text(axes, x + 22, y, text, size=_SMALL, ink="soft")


def _points(picture: Points) -> Any:
    left, low, wide, high = _PLOT
    figure = _figure(_PLOT_HEIGHT)
    axes = figure.add_axes(
        (left / WIDTH, low / _PLOT_HEIGHT, wide / WIDTH, high / _PLOT_HEIGHT),
    )
    most = picture.ticks[-1][0]
    apart = any(point.x is None for point in picture.points)
    axes.set_xlim(-0.04 * most, most * (_APART_ENDS if apart else 1.06))
    axes.set_ylim(-0.04, 1.06)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(INKS["soft"])
    axes.tick_params(color=INKS["soft"], labelcolor=INKS["soft"], labelsize=_TINY)
    axes.set_xticks([x for x, _shown in picture.ticks], [shown for _x, shown in picture.ticks])
    axes.set_yticks([0, 0.5, 1], ["0 %", "50 %", "100 %"])
    axes.grid(color=INKS["line"], linewidth=1)
    axes.set_axisbelow(True)
    if apart:
        axes.axvline(most * _APART_BEGINS, color=INKS["soft"], linewidth=1, dashes=(2, 3))
    for x, text in ((0.0, picture.x_label), (most * (_APART_BEGINS + 0.03), picture.unknown)):
        if apart or not x:
            axes.text(
                x,
                -34,
                text,
                transform=_under(axes),
                fontsize=_SMALL,
                color=INKS["soft"],
                va="center",
            )
    figure.text(
        _LEFT / WIDTH, 1 - 13 / _PLOT_HEIGHT, picture.y_label, color=INKS["soft"], fontsize=_SMALL
    )
    for number, point in enumerate(picture.points):
        _point(axes, point, most, _MARKERS[number % len(_MARKERS)])
    _names(axes, picture.points, most)
    return figure


def _under(axes: Any) -> Any:
    """x as the axis has it, y in units over the bottom of the plot."""
    from matplotlib.transforms import Affine2D, blended_transform_factory

    _left, low, _wide, _high = _PLOT
    return blended_transform_factory(axes.transData, Affine2D().translate(0, low))


def _place(point: Point, most: float) -> float:
    return most * (_APART_BEGINS + 0.08) if point.x is None else point.x


def _point(axes: Any, point: Point, most: float, marker: str) -> None:
    x = _place(point, most)
    for interval, ends in (
        (point.x_interval, (point.x_interval, (point.y, point.y))),
        (point.y_interval, ((x, x), point.y_interval)),
    ):
        if interval:
            axes.plot(*ends, color=INKS["soft"], linewidth=1.1)
    axes.plot(
        [x],
        [point.y],
        marker=marker,
        linestyle="none",
        markersize=9,
        markerfacecolor=INKS["accent"] if point.strong else INKS["card"],
        markeredgecolor=INKS["accent"],
        markeredgewidth=1.4,
        clip_on=False,
    )


def _names(axes: Any, points: Sequence[Point], most: float) -> None:
    """Write each name beside its point, moved down where two would stand on each other."""
    short = {
        apart: iter(
            shortened([p.name for p in points if (p.x is None) is apart], 12 if apart else 22)
        )
        for apart in (True, False)
    }
    named = [(point, next(short[point.x is None])) for point in points]
    taken: dict[str, float] = {}
    for point, name in sorted(named, key=lambda each: (-each[0].y, each[0].name)):
        x = _place(point, most)
        back = point.x is not None and x > most / 2
        lane = "apart" if point.x is None else "back" if back else "on"
        y = min(point.y + 0.04, taken.get(lane, 2.0) - 0.075)
        taken[lane] = y
        axes.annotate(
            name,
            (x, point.y),
            xytext=(-8 if back else 8, (y - point.y) * _PLOT[3] / 1.1),
            textcoords="offset points",
            ha="right" if back else "left",
            va="center",
            fontsize=_SMALL,
            fontweight="bold" if point.strong else "normal",
            color=INKS["ink"],
            annotation_clip=False,
        )


def _text(
    axes: Any,
    x: float,
    y: float,
    text: str,
    *,
    size: float = _SIZE,
    ha: str = "left",
    weight: str = "normal",
    ink: str = "ink",
) -> None:
    if text:
        axes.text(
            x,
            y,
            printable(text),
            fontsize=size,
            ha=ha,
            va="center",
            fontweight=weight,
            color=INKS[ink],
        )
