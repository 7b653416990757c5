"""What a run over variation sets says in sentences."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from evaluation.reports.figures import p_value, points, span
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


# What is read and what is searched with under each of the four conditions.
UNDER = {
    "QE-DE": gettext_lazy("reads varied, searches varied"),
    "QE-DC": gettext_lazy("reads varied, searches clean"),
    "QC-DE": gettext_lazy("reads clean, searches varied"),
    "QC-DC": gettext_lazy("reads clean, searches clean"),
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


def in_short(result: Result, measure: str) -> list[str]:
    """What the page begins with: what each set costs, what helps, and where an error hurts."""
    return [
        *sentences(result, measure),
        *against_standard(result, measure),
        *where_it_hurts(result, measure),
    ]


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
    name = hardest(result)
    if not name or not result["to_standard"]:
        return []
    rows = [row for row in result["to_standard"] if row["set"] == name]
    compared = [row for row in rows if row["measures"][measure]["difference"]["value"] is not None]
    named = {"set": name, "measure": str(NAMES[measure])}
    if not compared:
        unknown = _("On %(set)s, no pipeline can be compared with standard in %(measure)s.")
        return [unknown % named]
    found = []
    for row in compared:
        told = row["measures"][measure]
        value = told["difference"]["value"]
        if value == 0 or told["adjusted"]["value"] >= alpha:
            continue
        above = _("On %(set)s, %(pipeline)s is %(points)s points of %(measure)s above standard")
        below = _("On %(set)s, %(pipeline)s is %(points)s points of %(measure)s below standard")
        said = f"{above if value > 0 else below} (%(b)s)."
        found.append(
            said
            % {
                "set": name,
                "pipeline": row["pipeline"],
                "points": _bare(abs(value)),
                "measure": str(NAMES[measure]),
                "b": _behind(told),
            }
        )
    return found or [_none(compared, measure, named)]


def where_it_hurts(result: Result, measure: str, pipeline: str = STANDARD) -> list[str]:
    """What the clean question gains whoever reads, and whoever searches, on the hardest set;
    nothing where the four conditions were not asked or have no value.
    """
    name = hardest(result)
    for row in result["conditions"]:
        told = row["measures"][measure]
        gained = [told["effects"][effect] for effect in ("query_effect", "document_effect")]
        if (row["pipeline"], row["set"]) != (pipeline, name) or gained[0]["value"] is None:
            continue
        said = _(
            "Of the questions varied in %(set)s, for %(pipeline)s the clean wording is worth "
            "%(query)s points of %(measure)s to the reader and %(documents)s to the search "
            "(n = %(n)d)."
        )
        query, documents = (_with_interval(one) for one in gained)
        named = {"set": name, "pipeline": pipeline, "measure": str(NAMES[measure])}
        return [said % {**named, "query": query, "documents": documents, "n": told["n"]}]
    return []


def _with_interval(estimate: Mapping[str, Any]) -> str:
    between = span(estimate, points)
    return points(estimate["value"]) + (f" ({between})" if between else "")


def hardest(result: Result) -> str:
    """The set with the largest share of varied questions; "" where none is varied."""
    varied = [one for one in result["sets"] if one["corrupted"]]
    if not varied:
        return ""
    return str(max(varied, key=lambda one: one["corrupted"] / max(one["requests"], 1))["name"])


def _none(rows: Sequence[Mapping[str, Any]], measure: str, named: Mapping[str, str]) -> str:
    """That nothing is shown to differ, with the largest difference: it may be one all the same."""
    row = max(rows, key=lambda row: abs(row["measures"][measure]["difference"]["value"]))
    told = row["measures"][measure]
    value = told["difference"]["value"]
    if value == 0:
        said = _("On %(set)s, every other pipeline has the %(measure)s of standard (n = %(n)s).")
        n = told["difference"]["rows"] or told["difference"]["n"]
        return said % {**named, "n": n}
    said = _(
        "On %(set)s, no other pipeline is shown to differ from standard in %(measure)s: chance may "
        "explain the largest difference, %(points)s points of %(pipeline)s (%(b)s)."
    )
    more = {"points": points(value), "pipeline": row["pipeline"], "b": _behind(told, signed=True)}
    return said % {**named, **more}


def _cost(result: Result, row: Mapping[str, Any], measure: str) -> str:
    told = row["measures"][measure]
    difference = told["difference"]
    where = _where(result, row["set"])
    named = {"where": where, "pipeline": row["pipeline"], "measure": str(NAMES[measure])}
    if not _set_named(result, row["set"])["corrupted"]:
        return _("In %(set)s no question is varied, so there is nothing to lose.") % {
            "set": row["set"]
        }
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


def _set_named(result: Result, name: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = next(each for each in result["sets"] if each["name"] == name)
    return found


def _where(result: Result, name: str) -> str:
    one = _set_named(result, name)
    share = percentage(one["corrupted"] / one["requests"])
    share = share.removesuffix(".0")
    kinds = set(one["kinds"])
    if kinds and kinds <= TYPING:
        said = _("With typing errors in %(share)s %% of the questions (%(set)s),")
    else:
        said = _("With %(share)s %% of the questions worded otherwise (%(set)s),")
    return said % {"share": share, "set": name}


def _behind(told: Mapping[str, Any], *, signed: bool = False) -> str:
    """The interval of the loss, its n and its p-value, as they stand in brackets."""
    difference = told["difference"]
    parts = []
    low, high, value = difference["low"], difference["high"], difference["value"]
    if low is not None and high is not None and NO_SPREAD not in difference["reason"]:
        # A loss is told without its sign, so its interval is turned round.
        ends = (-high, -low) if value < 0 and not signed else (low, high)
        level = f"{100 * difference['level']:g}"
        shown = points if signed else _bare
        parts.append(
            _("%(level)s %% interval %(low)s to %(high)s")
            % {"level": level, "low": shown(ends[0]), "high": shown(ends[1])}
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


def set_label(one: Mapping[str, Any]) -> str:
    """A set as a column's head: its name, and the share that is varied."""
    if one["name"] == CLEAN_SET:
        return _("clean")
    return str(one["name"])
