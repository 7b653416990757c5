"""What a run over variation sets says in sentences."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from evaluation.reports.figures import p_value, points
from evaluation.robustness.measures import MEASURES, RECALL
from evaluation.robustness.study import CLEAN_SET, STANDARD
from evaluation.scoring.percentages import percentage
from evaluation.statistics.estimate import NO_SPREAD

Result = Mapping[str, Any]

TYPING = {"spelling", "keyboard", "visual"}
NAMES = {
    "em": gettext_lazy("exact match"),
    "f1": gettext_lazy("F1"),
    "acc": gettext_lazy("accuracy (acc)"),
    "inacc": gettext_lazy("in-accuracy (InAcc)"),
    "typed": gettext_lazy("right by typed match"),
    RECALL: gettext_lazy("recall of evidence"),
}
ABOUT = {
    "em": gettext_lazy(
        "FlashRAG’s EM: the answer is a gold answer, without case, punctuation and articles."
    ),
    "f1": gettext_lazy("FlashRAG’s F1 of the words of the answer and of the best gold answer."),
    "acc": gettext_lazy("FlashRAG’s acc: a gold answer stands in the answer, even within a word."),
    "inacc": gettext_lazy("InAcc: the words of a gold answer stand in the answer in a row."),
    "typed": gettext_lazy(
        "The rule of this product’s verdicts: numbers, dates and names as what they are."
    ),
    RECALL: gettext_lazy("The share of the required evidence among the documents that were found."),
}


def usual_measure(result: Result) -> str:
    """What the page shows unless it is asked otherwise: F1, or recall where nothing has a gold
    answer.
    """
    coverage = result["coverage"]
    return RECALL if coverage["without_answers"] == coverage["requests"] else "f1"


def measures_of(result: Result) -> list[str]:
    """The measures under which anything has a value; all of them where nothing has."""
    found = [
        name
        for name in MEASURES
        if any(row["measures"][name]["value"] is not None for row in result["scores"])
    ]
    return found or list(MEASURES)


def heading(result: Result) -> str:
    kinds = {kind for one in result["sets"] for kind in one["kinds"]}
    if kinds and kinds <= TYPING:
        return _("What do typing errors cost here?")
    return _("What do other wordings cost here?")


def sentences(result: Result, measure: str, pipeline: str = STANDARD) -> list[str]:
    """What each set costs a pipeline, a sentence a set; the first is what the page begins with."""
    found = []
    for row in result["to_clean"]:
        if row["pipeline"] == pipeline and row["part"] == "all":
            found.append(_cost(result, row, measure))
    return found


def against_standard(result: Result, measure: str, *, alpha: float = 0.05) -> list[str]:
    """What pipelines differ from the standard one on the set of the highest rate, after Holm; that
    none does, if so; nothing where there is no other.
    """
    varied = [one for one in result["sets"] if one["kinds"]]
    if not varied or not result["to_standard"]:
        return []
    hardest = max(varied, key=lambda one: one["corrupted"] / max(one["requests"], 1))["name"]
    found = []
    for row in result["to_standard"]:
        told = row["measures"][measure]
        value = told["difference"]["value"]
        if row["set"] != hardest or value is None or told["adjusted"]["value"] >= alpha:
            continue
        above = _("On %(set)s, %(pipeline)s is %(points)s points of %(measure)s above standard")
        below = _("On %(set)s, %(pipeline)s is %(points)s points of %(measure)s below standard")
        said = f"{above if value > 0 else below} (%(b)s)."
        found.append(
            said
            % {
                "set": hardest,
                "pipeline": row["pipeline"],
                "points": _bare(abs(value)),
                "measure": str(NAMES[measure]),
                "b": _behind(told),
            }
        )
    none = _("On %(set)s, no other pipeline differs from standard in %(measure)s after Holm.")
    return found or [none % {"set": hardest, "measure": str(NAMES[measure])}]


def _cost(result: Result, row: Mapping[str, Any], measure: str) -> str:
    told = row["measures"][measure]
    difference = told["difference"]
    where = _where(result, row["set"])
    named = {"where": where, "pipeline": row["pipeline"], "measure": str(NAMES[measure])}
    if difference["value"] is None:
        said = _("%(where)s it is not known what %(pipeline)s loses in %(measure)s: %(why)s")
        return said % {**named, "why": difference["reason"]}
    value = difference["value"]
    more = {**named, "points": points(abs(value)).lstrip("+"), "behind": _behind(told)}
    if value == 0:
        said = _("%(where)s %(pipeline)s neither loses nor gains in %(measure)s (%(behind)s).")
    elif value < 0:
        said = _("%(where)s %(pipeline)s loses %(points)s points of %(measure)s (%(behind)s).")
    else:
        said = _("%(where)s %(pipeline)s gains %(points)s points of %(measure)s (%(behind)s).")
    return said % more


def _where(result: Result, name: str) -> str:
    one = next(each for each in result["sets"] if each["name"] == name)
    if not one["requests"]:
        return _("On %(set)s") % {"set": name}
    share = percentage(one["corrupted"] / one["requests"])
    share = share.removesuffix(".0")
    kinds = set(one["kinds"])
    if kinds and kinds <= TYPING:
        said = _("With typing errors in %(share)s %% of the questions (%(set)s),")
    else:
        said = _("With %(share)s %% of the questions worded otherwise (%(set)s),")
    return said % {"share": share, "set": name}


def _behind(told: Mapping[str, Any]) -> str:
    """The interval of the loss, its n and its p-value, as they stand in brackets."""
    difference = told["difference"]
    parts = []
    low, high, value = difference["low"], difference["high"], difference["value"]
    if low is not None and high is not None and NO_SPREAD not in difference["reason"]:
        # A loss is told without its sign, so its interval is turned round.
        ends = (-high, -low) if value < 0 else (low, high)
        level = f"{100 * difference['level']:g}"
        parts.append(
            _("%(level)s %% interval %(low)s to %(high)s")
            % {"level": level, "low": _bare(ends[0]), "high": _bare(ends[1])}
        )
    n = difference["rows"] if difference["rows"] is not None else difference["n"]
    parts.append(f"n = {n}")
    adjusted = told.get("adjusted")
    if adjusted and told["test"]["value"] is not None:
        parts.append(_("p %(p)s after Holm") % {"p": _p(adjusted["value"])})
    return ", ".join(parts)


def _bare(value: float) -> str:
    return points(value).lstrip("+")


def _p(value: float) -> str:
    told = p_value(value)
    return told if told.startswith("<") else f"= {told}"


def coverage_lines(result: Result, total: int) -> list[str]:
    """What is missing, what failed, and what the reader must know of the numbers."""
    return list(_coverage(result, total))


def _coverage(result: Result, total: int) -> Iterator[str]:
    coverage = result["coverage"]
    yield _("%(n)d of %(of)d rows are there; %(failed)d of them failed.") % {
        "n": coverage["rows"],
        "of": total,
        "failed": coverage["failed"],
    }
    if coverage["failed"]:
        yield _(
            "A failed row has a status and no score: its request is in no mean of its pipeline."
        )
    for one in result["sets"]:
        if n := one["without_variant"]:
            yield ngettext(
                "In %(set)s, %(n)d request has no variation because none could stand: it is left "
                "out of this set.",
                "In %(set)s, %(n)d requests have no variation because none could stand: they are "
                "left out of this set.",
                n,
            ) % {"set": one["name"], "n": n}
    if n := coverage["without_answers"]:
        if n == coverage["requests"]:
            yield _(
                "No request has a gold answer, so answers are not measured: only what was found is."
            )
        else:
            yield ngettext(
                "%(n)d of %(of)d requests has no gold answer: no measure of answers counts it.",
                "%(n)d of %(of)d requests have no gold answer: no measure of answers counts them.",
                n,
            ) % {"n": n, "of": coverage["requests"]}
    if n := coverage["without_evidence"]:
        yield ngettext(
            "%(n)d of %(of)d requests names no evidence: recall does not count it.",
            "%(n)d of %(of)d requests name no evidence: recall does not count them.",
            n,
        ) % {"n": n, "of": coverage["requests"]}
    if n := coverage["typed_golds"]:
        yield ngettext(
            "%(n)d request has a number, date or name as its gold answer: EM, F1 and acc delete "
            "punctuation there and may find “105” right for “10.5”. Typed match does not.",
            "%(n)d requests have a number, date or name as their gold answer: EM, F1 and acc "
            "delete punctuation there and may find “105” right for “10.5”. Typed match does not.",
            n,
        ) % {"n": n}


def set_label(one: Mapping[str, Any]) -> str:
    """A set as a column's head: its name, and the share that is varied."""
    if one["name"] == CLEAN_SET:
        return _("clean")
    return str(one["name"])
