"""Drawings as a page gets them: what is in the markup, and what must not be."""

import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from xml.etree import ElementTree

import pytest

from evaluation.charting import drawing
from evaluation.charting.shapes import (
    Bar,
    Bars,
    Group,
    Part,
    Picture,
    Point,
    Points,
    short,
    shortened,
)

SVG = "{http://www.w3.org/2000/svg}"
ODD = 'a$x$ <&"> \\alpha'

BARS = Bars(
    "Kept & lost",
    "Under <b>: 12 of 14.",
    (
        Group(
            "time",
            (
                Bar("original", "12 of 14", (Part(0.5, "solid"), Part(0.5, "empty")), (0.2, 0.8)),
                Bar(ODD, "3 of 14", (Part(0.2, "crossed"), Part(0.3, "hatched")), mark=0.4),
            ),
            "4 of 20 discordant",
        ),
        Group("quantity", (Bar("original", "none"), Bar(ODD, "1 of 2", (Part(0.5, "lined"),)))),
    ),
    (("solid", "kept"), ("mark", "critical"), ("interval", "95 % interval")),
)
POINTS = Points(
    "Cost",
    "Two points.",
    (
        Point("original", None, 0.8, None, (0.6, 0.9)),
        Point(ODD, 0.002, 0.9, (0.001, 0.003), (0.7, 0.95), strong=True),
    ),
    "USD per request",
    "completeness",
    ((0.0, "0"), (0.002, "0.002"), (0.004, "0.004")),
    "not measured",
)


def tree(picture: Picture, prefix: str = "chart-a") -> ElementTree.Element:
    return ElementTree.fromstring(drawing.draw(picture, prefix=prefix))  # noqa: S314 ours


def texts(root: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{SVG}text")]


def attributes(root: ElementTree.Element) -> Iterator[tuple[str, str]]:
    for element in root.iter():
        yield from element.attrib.items()


@pytest.mark.parametrize("picture", [BARS, POINTS])
def test_a_strict_policy_has_nothing_to_refuse(picture: Picture) -> None:
    svg = drawing.draw(picture, prefix="chart-a")
    assert not re.search(r"<style|<script|<image|<foreignObject|<!DOCTYPE|<\?xml|metadata", svg)
    names = {name for name, _value in attributes(tree(picture))}
    assert not [name for name in names if name == "style" or name.startswith("on")]


@pytest.mark.parametrize("picture", [BARS, POINTS])
def test_nothing_points_out_of_the_drawing(picture: Picture) -> None:
    root = tree(picture)
    known = {element.get("id") for element in root.iter() if element.get("id")}
    pointed = set()
    for name, value in attributes(root):
        pointed |= set(re.findall(r"url\(#([^)]+)\)", value))
        if name.endswith("href"):
            assert value.startswith("#")
            pointed.add(value[1:])
    assert pointed and pointed <= known


def test_two_drawings_of_one_page_share_no_id() -> None:
    def ids(prefix: str) -> list[str]:
        return [element.attrib["id"] for element in tree(BARS, prefix).iter() if element.get("id")]

    first, second = ids("chart-a"), ids("chart-b")
    assert len(first) == len(set(first)) and not set(first) & set(second)
    assert all(each.startswith("chart-a-") for each in first)


def test_it_is_one_image_with_a_title_and_a_description() -> None:
    root = tree(BARS)
    assert (root.get("role"), root.get("aria-labelledby")) == (
        "img",
        "chart-a-title chart-a-desc",
    )
    named = {element.get("id"): element.text for element in root}
    assert named["chart-a-title"] == "Kept & lost"
    assert named["chart-a-desc"] == "Under <b>: 12 of 14."


def test_its_size_is_the_pages() -> None:
    root = tree(BARS)
    assert root.get("width") == "100%" and root.get("height") is None
    assert root.attrib["viewBox"].startswith("0 0 330 ")


def test_text_stays_text_in_the_pages_font_and_a_dollar_is_a_dollar() -> None:
    root = tree(BARS)
    assert {"time", "12 of 14", ODD, "4 of 20 discordant", "kept"} <= set(texts(root))
    assert root.get("font-family") == "inherit"
    assert all("font-family" not in element.attrib for element in root.iter(f"{SVG}text"))


def test_every_colour_is_an_ink_of_the_page() -> None:
    for element in tree(BARS).iter():
        for what in ("fill", "stroke"):
            if element.get(what, "none") != "none" and "url(" not in element.attrib[what]:
                assert f"c-{what}-" in element.get("class", ""), element.attrib


def test_looks_differ_without_colour() -> None:
    shapes = {look: filled.get("hatch", filled["facecolor"]) for look, filled in LOOKS.items()}
    assert len(set(shapes.values())) == len(shapes) == 5


LOOKS = drawing._FILLED


def test_a_point_of_unknown_cost_has_a_column_of_its_own() -> None:
    assert "not measured" in texts(tree(POINTS))
    known = Points(**{name: getattr(POINTS, name) for name in POINTS.__slots__} | {
        "points": POINTS.points[1:]
    })  # fmt: skip
    assert "not measured" not in texts(tree(known))


def test_equal_pictures_give_equal_bytes_in_any_thread() -> None:
    with ThreadPoolExecutor(4) as pool:
        drawn = list(pool.map(lambda _n: drawing.draw(BARS, prefix="chart-a"), range(8)))
    assert len(set(drawn)) == 1


def test_another_process_draws_the_same_bytes() -> None:
    code = (
        "from evaluation.charting import drawing; "
        "from tests.evaluation.charting.test_drawing import BARS; "
        "from hashlib import sha256; "
        "print(sha256(drawing.draw(BARS, prefix='chart-a').encode()).hexdigest())"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    mine = sha256(drawing.draw(BARS, prefix="chart-a").encode()).hexdigest()
    assert said.stdout.strip() == mine


def test_the_library_is_loaded_by_the_first_drawing_and_not_before() -> None:
    code = (
        "import os, sys; os.environ['DJANGO_SETTINGS_MODULE'] = 'tests.settings'; "
        "import django; django.setup(); import config.urls, evaluation.runs.tasks; "
        "sys.exit('matplotlib' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_characters_that_xml_cannot_hold_are_left_out() -> None:
    bars = Bars("a\x00b", "c\x1bd", (Group("e\x0bf", (Bar("g\nh", "1 of 2"),)),))
    assert {"e f", "g h"} <= set(texts(tree(bars)))


def test_a_long_name_keeps_both_ends() -> None:
    assert short("abcdefghijklmnop", 9) == "abcdef…op"
    assert short("abcdefghi", 9) == "abcdefghi"


def test_long_names_that_would_read_the_same_are_told_apart() -> None:
    names = [f"prompt-with-a-{n}-long-name-of-its-own" for n in (1, 2, 3)]
    assert len(set(shortened(names, 15))) == 3
    assert all(len(name) <= 15 for name in shortened(names, 15))
