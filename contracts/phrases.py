"""A value as a short plain phrase, in English for files and comparisons, or in the language of a
page. Pure: whoever shows a phrase hands the translation in.
"""

from collections.abc import Callable, Mapping
from typing import Any

from contracts.values import Say, complete_value, time_bounds


def _(words: str) -> str:
    """Mark words for the catalogues."""
    return words


# The words of contracts.jsonl as a person reads them. Signs stand for themselves; “by” is said
# where it is offered, because alone it has several translations.
WORDS: Mapping[str, str] = {
    "on": _("on"),
    "before": _("before"),
    "after": _("after"),
    "since": _("since"),
    "until": _("until"),
    "during": _("during"),
    "between": _("between"),
    "as_of": _("as of"),
    "calendar": _("calendar"),
    "fiscal": _("fiscal"),
    "about": _("about"),
    "annual": _("annual"),
    "quarterly": _("quarterly"),
    "monthly": _("monthly"),
    "cumulative": _("cumulative"),
    "total": _("total"),
    "average": _("average"),
    "median": _("median"),
    "per_unit": _("per unit"),
    "count": _("count"),
    "rate": _("rate"),
    "negate": _("negate"),
    "exclude": _("exclude"),
    "increase": _("increase"),
    "decrease": _("decrease"),
    "higher": _("higher"),
    "lower": _("lower"),
    "earlier": _("earlier"),
    "later": _("later"),
    "same": _("same"),
    "difference": _("difference"),
}


def describe_value(kind: str, value: Mapping[str, Any], say: Say = str) -> str:
    """Return a short plain phrase for a sound value: "before 2021", "≥ 5 %, annual".

    `say` translates it; without it the phrase is English, as comparisons and files need it. A kind
    that is not in the table is a KeyError.
    """
    return _PHRASES[kind](complete_value(kind, value), say)


def _referent(value: Mapping[str, Any], say: Say) -> str:
    if not value["unresolved"]:
        return str(value["name"])
    return say(_("%(name)s (unresolved)")) % {"name": value["name"]}


def _period(text: str, fiscal: bool, say: Say) -> str:
    year, _dash, quarter = text.partition("-Q")
    period = f"Q{quarter} {year}" if quarter else text
    return say(_("fiscal %(period)s")) % {"period": period} if fiscal else period


def _time(value: Mapping[str, Any], say: Say) -> str:
    relation, fiscal = value["relation"], value["calendar"] == "fiscal"
    start, end = (_period(v, fiscal, say) if v else "" for v in (value["start"], value["end"]))
    if relation == "between" or start and end and start != end:
        return say(_("from %(start)s to %(end)s")) % {"start": start, "end": end}
    if relation == "on" and value["start"] and time_bounds(value["start"]):
        first, last = time_bounds(value["start"]) or ("", "")
        form = _("on %(start)s") if first == last else _("in %(start)s")
        return say(form) % {"start": start}
    return say(_RELATIONS[relation]) % {"time": start or end}


_RELATIONS: Mapping[str, str] = {
    "on": _("on %(time)s"),
    "before": _("before %(time)s"),
    "after": _("after %(time)s"),
    "by": _("by %(time)s"),
    "since": _("since %(time)s"),
    "until": _("until %(time)s"),
    "during": _("during %(time)s"),
    "as_of": _("as of %(time)s"),
}


def _quantity(value: Mapping[str, Any], say: Say) -> str:
    signs = {"<=": "≤", ">=": "≥", "between": "", "about": say(WORDS["about"])}
    amount = _figure(value["value"], say)
    if value["high"] is not None:
        high = _figure(value["high"], say)
        amount = say(_("%(low)s to %(high)s")) % {"low": amount, "high": high}
    unit = {"percent": "%"}.get(value["unit"] or "", value["unit"])
    parts = (signs.get(value["operator"], value["operator"]), value["currency"], amount, unit)
    phrase = " ".join(part for part in parts if part)
    aggregation = value["aggregation"]
    return f"{phrase}, {say(WORDS[aggregation])}" if aggregation else phrase


def _figure(number: float, say: Say) -> str:
    """A number as people write it: 7,000,000 and 4.1. Where a comma would mean a decimal the
    language has another sign between the thousands; the point stays, as in every figure.
    """
    text = f"{int(number):,}" if number == int(number) else f"{number:,.12g}"
    return text.replace(",", say(_(",")))


def _polarity(value: Mapping[str, Any], say: Say) -> str:
    form = _("excludes %(target)s") if value["mode"] == "exclude" else _("not %(target)s")
    return say(form) % {"target": value["target"]}


def _status(value: Mapping[str, Any], say: Say) -> str:
    rivals = say(_(" or ")).join(value["rivals"])
    if not rivals:
        return str(value["value"])
    return say(_("%(status)s, not %(rivals)s")) % {"status": value["value"], "rivals": rivals}


def _comparison(value: Mapping[str, Any], say: Say) -> str:
    sets, direction = value["sets"], say(WORDS[value["direction"]])
    both = value["direction"] in ("same", "difference")
    named = say(_(" and ") if both else _(" or ")).join(sets)
    form = _("%(direction)s: %(sets)s") if len(sets) > 1 else _("%(direction)s of %(sets)s")
    phrase = say(form) % {"direction": direction, "sets": named}
    measure = value["measure"]
    if not measure or measure in sets:
        return phrase
    return say(_("%(phrase)s, by %(measure)s")) % {"phrase": phrase, "measure": measure}


def _evidence(value: Mapping[str, Any], say: Say) -> str:
    return say(_("according to %(source)s")) % {"source": value["source"]}


_PHRASES: Mapping[str, Callable[[Mapping[str, Any], Say], str]] = {
    "referent": _referent,
    "time": _time,
    "quantity": _quantity,
    "polarity": _polarity,
    "status": _status,
    "comparison": _comparison,
    "evidence": _evidence,
}
