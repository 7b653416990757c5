"""Lines as a page gets them."""

import re
from xml.etree import ElementTree

from evaluation.charting import drawing
from evaluation.charting.shapes import Lines, Series

SVG = "{http://www.w3.org/2000/svg}"
LINES = Lines(
    "F1 by rate",
    "standard: 50 %, 36 %.",
    (
        Series("standard", ((0.0, 0.5, (0.4, 0.6)), (0.4, 0.36, None)), strong=True),
        Series('a$x$ <&">', ((0.0, 0.52, None), (0.4, 0.42, None))),
    ),
    "share varied",
    "F1",
    ((0.0, "0 %"), (0.4, "40 %")),
    ((0.3, "30 %"), (0.6, "60 %")),
)


def texts(picture: Lines) -> list[str]:
    root = ElementTree.fromstring(drawing.draw(picture, prefix="c"))  # noqa: S314 ours
    return [element.text or "" for element in root.iter(f"{SVG}text")]


def test_a_strict_policy_has_nothing_to_refuse_and_equal_pictures_are_equal_bytes() -> None:
    svg = drawing.draw(LINES, prefix="c")
    assert not re.search(r"<style|<script|<image|style=| on\w+=", svg)
    assert svg == drawing.draw(LINES, prefix="c")


def test_axes_and_key_are_texts() -> None:
    found = texts(LINES)
    assert {"0 %", "40 %", "30 %", "60 %", "standard", 'a$x$ <&">', "F1"} <= set(found)


def test_each_series_of_the_key_makes_the_drawing_taller() -> None:
    more = Lines(**{**{f: getattr(LINES, f) for f in LINES.__slots__}, "series": LINES.series * 3})
    heights = [
        float(re.search(r'viewBox="0 0 330 (\d+)', drawing.draw(one, prefix="c"))[1])  # type: ignore[index]
        for one in (LINES, more)
    ]
    assert heights[1] - heights[0] == 4 * 18
