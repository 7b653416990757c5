"""What the chart library wrote, made fit to stand inline in a page: no style, no script, no ids
that clash, colours as classes, and a title and a description for who does not see it.
"""

import re
from collections.abc import Iterator, Mapping
from xml.etree import ElementTree

# Every colour that is drawn, as the light page has it. A class takes its place, so that the same
# drawing is right in the dark.
INKS: Mapping[str, str] = {
    "ink": "#1d2125",
    "soft": "#575f67",
    "line": "#dfdbd0",
    "card": "#ffffff",
    "accent": "#0b5d66",
    "lost": "#a3262b",
}
_SVG = "http://www.w3.org/2000/svg"
_HREF = "{http://www.w3.org/1999/xlink}href"
_NAMED = {colour: name for name, colour in INKS.items()}
# Declarations that may be attributes as they are; whatever else the library writes is left out.
_ATTRIBUTES = {
    "fill",
    "stroke",
    "stroke-width",
    "stroke-linejoin",
    "stroke-linecap",
    "stroke-miterlimit",
    "stroke-dasharray",
    "stroke-dashoffset",
    "stroke-opacity",
    "fill-opacity",
    "opacity",
    "text-anchor",
    "font-size",
    "font-weight",
}
_DROPPED = {"metadata", "style", "script", "title", "desc"}
_POINTED_AT = re.compile(r"url\(#([^)]+)\)")


def inline(svg: str, *, prefix: str, title: str, description: str) -> str:
    """Return the `<svg>` element as text. Ids that nothing points at go; the others, and those of
    title and description, begin with `prefix`.
    """
    # The library wrote it a moment ago, with names of people escaped in it.
    root = ElementTree.fromstring(svg)  # noqa: S314
    _drop(root)
    for element in root.iter():
        _restyle(element)
    _rename_ids(root, prefix)
    _frame(root, prefix, title, description)
    ElementTree.register_namespace("", _SVG)
    return ElementTree.tostring(root, encoding="unicode")


def printable(text: str) -> str:
    """The text on one line, without the characters that XML cannot hold."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _drop(root: ElementTree.Element) -> None:
    for parent in list(root.iter()):
        for child in list(parent):
            if not isinstance(child.tag, str) or _local(child) in _DROPPED:
                parent.remove(child)


def _local(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]


def _restyle(element: ElementTree.Element) -> None:
    """Turn the style's declarations into attributes, and known colours into classes."""
    classes = []
    for name, value in _declarations(element.attrib.pop("style", "")):
        if name in _ATTRIBUTES:
            element.set(name, value)
    for what in ("fill", "stroke"):
        ink = _NAMED.get(element.get(what, "").lower())
        if ink:
            classes.append(f"c-{what}-{ink}")
    if classes:
        element.set("class", " ".join(classes))
    for name in [name for name in element.attrib if name.startswith("on")]:
        del element.attrib[name]


def _declarations(style: str) -> Iterator[tuple[str, str]]:
    for declaration in style.split(";"):
        name, colon, value = declaration.partition(":")
        if colon:
            yield name.strip(), value.strip()


def _rename_ids(root: ElementTree.Element, prefix: str) -> None:
    """Number the ids that something points at, in the order of the document."""
    pointed: set[str] = set()
    for element in root.iter():
        for name, value in element.attrib.items():
            if name == _HREF or name == "href":
                pointed.add(value.removeprefix("#"))
            pointed.update(_POINTED_AT.findall(value))
    new: dict[str, str] = {}
    for element in root.iter():
        known = element.attrib.pop("id", None)
        if known in pointed:
            new[known] = f"{prefix}-{len(new) + 1}"
            element.set("id", new[known])
    for element in root.iter():
        for name, value in list(element.attrib.items()):
            if name in (_HREF, "href"):
                del element.attrib[name]
                element.set("href", f"#{new[value.removeprefix('#')]}")
            elif "url(#" in value:
                element.set(name, _POINTED_AT.sub(lambda m: f"url(#{new[m[1]]})", value))


def _frame(root: ElementTree.Element, prefix: str, title: str, description: str) -> None:
    for name in ("width", "height", "version"):
        root.attrib.pop(name, None)
    root.set("class", "chart-svg")
    root.set("role", "img")
    root.set("aria-labelledby", f"{prefix}-title {prefix}-desc")
    root.set("width", "100%")
    root.set("font-family", "inherit")
    root.set("stroke-linejoin", "round")
    for place, (name, text) in enumerate((("title", title), ("desc", description))):
        element = ElementTree.Element(f"{{{_SVG}}}{name}", {"id": f"{prefix}-{name}"})
        element.text = printable(text)
        root.insert(place, element)
