"""What words say about a comparison: what is compared, the direction, the measure. Pure."""

import re
from typing import Any

_HIGHER = "higher|greater|larger|bigger|more|above"
_LOWER = "lower|less|fewer|smaller|below"
_THAN = re.compile(
    rf"(?i)^(?:(?:is|are|was|were|be|much|significantly)\s+)*(?:(?P<higher>{_HIGHER})|(?P<lower>{_LOWER})|"
    r"(?P<earlier>earlier|sooner)|(?P<later>later))\s+(?:(?P<measure>\S+(?:\s\S+){0,3}?)\s+)?than\s+(?P<set>.+)$"
)
_MOVES = (
    ("increase", r"increas(?:e|es|ed|ing)|rise|rises|rose|grow|grows|grew"),
    ("decrease", r"decreas(?:e|es|ed|ing)|declin(?:e|es|ed|ing)|drop|drops|dropped|fall|falls|fell|"
                 r"reduction|reduced"),
    ("difference", r"change|changes|changed|difference"),
)  # fmt: skip
_DIFFERENCE = re.compile(
    r"(?i)^(?:the )?differences? (?:in (?P<measure>.+?) )?between (?P<a>.+?) and (?P<b>.+)$"
)
_SAME = re.compile(
    r"(?i)^(?:is |are |was |were )?(?:exactly )?(?:the )?same "
    r"(?:(?P<measure>\S+(?:\s\S+)?) )?as (?P<set>.+)$"
)
_AGAINST = re.compile(
    r"(?i)^(?:(?P<a>.+?),?\s+)?(?:as )?(?:compared (?:with|to)|in comparison (?:with|to)|"
    r"relative to|versus|vs\.?|in contrast (?:to|with)|as opposed to)\s+(?P<b>.+)$"
)
_BY = re.compile(r"(?i)^(?P<rest>.+?),? (?:measured by|in terms of)\s+(?P<measure>.+)$")
_POINTING = frozenset("that this those these it them they its ones one".split())
_SEVERAL = re.compile(r"(?i)\b(?:and|or|than|from|to|between|versus|vs)\b|[,;]")


def first_comparison(words: str) -> dict[str, Any]:
    """Return the sets, direction and measure that the words say plainly."""
    words = " ".join(words.split()).strip(" ,.;:?!")
    measured: dict[str, Any] = {}
    if by := _BY.match(words):
        words, measured = by["rest"], {"measure": by["measure"]}
    return (_than(words) or _moved(words) or _same(words) or _against(words)) | measured


def _sets(*named: str | None) -> dict[str, Any]:
    """The compared sets, if each is one thing."""
    found = [_one(name) for name in named if name]
    return {"sets": found} if found and all(found) else {}


def _one(name: str) -> str:
    """The name of one thing; empty for several, and for words that name none."""
    name = re.sub(r"(?i)^(?:in|during|for|of|that of|those of)\s+", "", name.strip(" ,"))
    asked = re.match(r"(?i)(?:how|what|which|who|whom)\b", name)
    several = _SEVERAL.search(name) or len(name.split()) > 6
    return "" if asked or several or name.lower() in _POINTING else name


def _than(words: str) -> dict[str, Any]:
    match = _THAN.match(words)
    # "more than 5" is a quantity.
    if not match or re.match(r"[\W_]*\d+(?!\d{3}\b)", match["set"]) and not _year(match["set"]):
        return {}
    said = match.groupdict()
    direction = next(name for name in ("higher", "lower", "earlier", "later") if said[name])
    if re.match(r"(?i)(?:how|what) (?:many|much)\b", match["set"]):
        return {}
    value = {"direction": direction} | _sets(match["set"])
    if said["measure"]:
        comparative = match[1] if direction == "higher" else said["lower"] or ""
        # "more expensive than" says no measure; "more employees than" does.
        if comparative.lower() in ("more", "fewer") and said["measure"].lower().endswith("s"):
            return value | {"measure": said["measure"]}
        return {} if comparative.lower() in ("more", "less") else value
    return value


def _year(words: str) -> bool:
    return bool(re.match(r"(?:in )?[12]\d{3}\b", words))


def _moved(words: str) -> dict[str, Any]:
    for direction, forms in _MOVES:
        match = re.match(rf"(?i)^(?:the |an? )?(?:{forms})\b(?P<rest>.*)$", words)
        if not match or direction == "difference" and "between" in match["rest"]:
            continue
        rest = match["rest"]
        ends = re.match(
            r"(?i)^(?: in (?P<m>.+?))? (?:from|between) (?P<a>.+?) (?:to|and) (?P<b>.+)$", rest
        )
        value: dict[str, Any] = {"direction": direction}
        if ends:
            value |= _sets(ends["a"], ends["b"])
            return value | ({"measure": ends["m"]} if ends["m"] else {})
        measure = re.match(r"(?i)^ (?:in|of) (?P<m>[^\d]+)$", rest)
        return value | ({"measure": measure["m"]} if measure and not _SEVERAL.search(rest) else {})
    return {}


def _same(words: str) -> dict[str, Any]:
    if match := _DIFFERENCE.match(words):
        value = {"direction": "difference"} | _sets(match["a"], match["b"])
        return value | ({"measure": match["measure"]} if match["measure"] else {})
    if match := _SAME.match(words):
        value = {"direction": "same"} | _sets(match["set"])
        return value | ({"measure": match["measure"]} if match["measure"] else {})
    return {}


def _against(words: str) -> dict[str, Any]:
    """Two things side by side; in which direction, the words do not say."""
    match = _AGAINST.match(words)
    return _sets(match["a"], match["b"]) if match else {}
