"""A protocol and its conditions in plain sentences. Pure: from their JSON."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from evaluation.reports.figures import grouped
from evaluation.scoring.percentages import registered

JUDGING: Mapping[str, str | Promise] = {
    "human_for_critical": gettext_lazy(
        "People judge every critical constraint and whatever the matcher leaves undecided"
    ),
    "human_for_all": gettext_lazy("People judge every constraint"),
    "automatic": gettext_lazy("The matcher judges; people judge what it leaves undecided"),
}
CORRECTIONS: Mapping[str, str | Promise] = {
    "holm": gettext_lazy("Holm's correction over the request classes"),
    "none": gettext_lazy("No correction over the request classes"),
}
TESTS: Mapping[str, str | Promise] = {
    "mcnemar_exact": gettext_lazy("McNemar's exact test"),
    "mcnemar_midp": gettext_lazy("McNemar's test with the mid-p value"),
}
ORIGINAL_FORMS: Mapping[str, str | Promise] = {
    "last": gettext_lazy("the current text alone"),
    "joined": gettext_lazy("the permitted turns joined with the current text"),
}


@dataclass(frozen=True, slots=True)
class ClassSentences:
    """The rules of one class; `name` is "*" for the classes not named."""

    name: str
    sentences: tuple[str, ...]


def general_sentences(content: Mapping[str, Any]) -> tuple[str, ...]:
    """Return how numbers are computed and who judges."""
    return (
        _("%(judging)s.") % {"judging": JUDGING[content["judging"]]},
        _("Answers of candidate and original are compared with %(test)s. %(correction)s.")
        % {"test": TESTS[content["test"]], "correction": CORRECTIONS[content["correction"]]},
        _(
            "Intervals hold with %(level)s confidence (alpha %(alpha)s), from %(resamples)s "
            "resamples with seed %(seed)d where they are bootstrapped."
        )
        % {
            "level": registered(1 - content["alpha"]),
            "alpha": f"{content['alpha']:g}",
            "resamples": grouped(content["resamples"]),
            "seed": content["seed"],
        },
    )


def class_sentences(content: Mapping[str, Any]) -> tuple[ClassSentences, ...]:
    """Return the rules of every class, the default for the others last."""
    names = sorted(content["classes"], key=lambda name: (name == "*", name))
    return tuple(ClassSentences(name, _class(content["classes"][name])) for name in names)


def _class(rule: Mapping[str, Any]) -> tuple[str, ...]:
    return (
        _("Every critical constraint is kept in at least %(floor)s of the requests.")
        % {"floor": registered(rule["completeness_floor"])},
        _(
            "Of the answers that the original gets right, at most %(ceiling)s are lost, with the "
            "upper bound of the interval."
        )
        % {"ceiling": registered(rule["regression_ceiling"])},
        ngettext(
            "At least %(n)d resolved request, or the class is not assessable.",
            "At least %(n)d resolved requests, or the class is not assessable.",
            rule["min_requests"],
        )
        % {"n": rule["min_requests"]},
        *(
            ngettext(
                "Twin pairs of the family %(family)s: at least %(n)d pair, of which no more than "
                "%(rate)s may fail.",
                "Twin pairs of the family %(family)s: at least %(n)d pairs, of which no more than "
                "%(rate)s may fail.",
                family["min_pairs"],
            )
            % {
                "family": name,
                "n": family["min_pairs"],
                "rate": registered(family["max_failure_rate"]),
            }
            for name, family in sorted(rule.get("families", {}).items())
        ),
    )


@dataclass(frozen=True, slots=True)
class Frozen:
    """One fact of the conditions; `code` marks hashes and parameters."""

    label: str
    text: str
    code: str = ""


def frozen_facts(content: Mapping[str, Any]) -> tuple[Frozen, ...]:
    """Return everything that the conditions freeze, in words."""
    corpus, sampling = content["corpus"], content["sampling"]
    return (
        Frozen(
            _("Corpus"), _("version %(n)d") % {"n": corpus["version"]}, code=corpus["sha256"][:12]
        ),
        Frozen(
            _("Requests"),
            ngettext("%(n)d request", "%(n)d requests", len(content["requests"]))
            % {"n": len(content["requests"])},
        ),
        Frozen(
            _("Contracts"),
            ngettext("%(n)d contract", "%(n)d contracts", len(content["contracts"]))
            % {"n": len(content["contracts"])},
        ),
        Frozen(_("Twin pairs"), "", code=content["twins"][:12]),
        _part(_("Retriever"), content["retriever"]),
        Frozen(_("Documents per request"), _("the best %(k)d") % {"k": content["k"]}),
        _part(_("Reader"), content["reader"]),
        Frozen(
            _("Passages for the reader"),
            ngettext("at most %(n)s word", "at most %(n)s words", content["token_budget"])
            % {"n": grouped(content["token_budget"])},
        ),
        Frozen(_("The original arm sends"), str(ORIGINAL_FORMS[content["original"]])),
        Frozen(
            _("Sampling"),
            _("temperature %(t)s, seed %(seed)s")
            % {"t": f"{sampling['temperature']:g}", "seed": sampling["seed"]},
        ),
        Frozen(_("Judge"), "", code=content["judge"]),
        Frozen(
            _("Supported answers"),
            _("%(share)s of a sentence's content words stand in one retrieved sentence")
            % {"share": registered(content["support_share"])},
        ),
        Frozen(_("Intact"), content["code"]["version"], code=content["code"]["sha256"][:12]),
    )


def _part(label: str, part: Mapping[str, Any]) -> Frozen:
    details = dict(part.get("parameters") or {})
    if part.get("model"):
        details["model"] = part["model"]
    shown = ", ".join(f"{key} = {value}" for key, value in details.items())
    return Frozen(label, f"{part['name']} {part.get('version', '')}".strip(), code=shown)
