"""A protocol and its conditions in plain sentences. Knows no model: from their JSON."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from evaluation.reports.figures import grouped
from evaluation.scoring.percentages import registered
from evaluation.scoring.protocol import AUDIT_PER_KIND, JUDGES
from evaluation.statistics import clean_requests_needed

JUDGING: Mapping[str, str | Promise] = {
    "human_for_critical": gettext_lazy(
        "People judge every critical constraint and whatever the matcher leaves undecided"
    ),
    "human_for_all": gettext_lazy("People judge every constraint"),
    "automatic": gettext_lazy("The matcher judges; people judge what it leaves undecided"),
}
JUDGES_SAID: Mapping[int, str | Promise] = {
    1: gettext_lazy("One person"),
    2: gettext_lazy("Two people; where they differ, a third decides"),
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
        *_judge_sentences(content),
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


def _judge_sentences(content: Mapping[str, Any]) -> tuple[str, ...]:
    """How many people judge, what is drawn to check the judge, and what limits its error. A
    protocol that says nothing of these has them all the same.
    """
    drawn = content.get("audit_per_kind", AUDIT_PER_KIND)
    judges = content.get("judges", JUDGES)
    limit = content.get("max_judge_error")
    return (
        _("Two people judge each item that people judge; where they differ, a third decides.")
        if judges == 2
        else _("One person judges each item that people judge."),
        ngettext(
            "In each run %(n)s sure judgement of each kind of constraint is drawn, and a person "
            "judges it again without knowing that it was drawn.",
            "In each run %(n)s sure judgements of each kind of constraint are drawn (all, where "
            "there are fewer), and people judge them again without knowing that they were drawn.",
            drawn,
        )
        % {"n": grouped(drawn)}
        if drawn
        else _("No judgement of the judge's is drawn to be checked."),
        *(() if limit is None else _limit(content, limit, drawn)),
    )


def _limit(content: Mapping[str, Any], limit: float, drawn: int) -> tuple[str, ...]:
    said = _(
        "A class is released only if the judge is shown to be wrong in at most %(limit)s, with the "
        "upper bound of the interval, in each kind that it decided itself."
    ) % {"limit": registered(limit)}
    needed = clean_requests_needed(limit, level=1 - content["alpha"]).n
    if drawn >= needed:
        return (said,)
    short = ngettext(
        "That takes %(needed)s checked judgement of the kind with none wrong: with %(n)s drawn it "
        "can be shown only of kinds in which people judge everything.",
        "That takes %(needed)s checked judgements of the kind with none wrong: with %(n)s drawn it "
        "can be shown only of kinds in which people judge everything.",
        needed,
    ) % {"needed": grouped(needed), "n": grouped(drawn)}
    return (said, short)


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


def reach_sentence(without: int, seen: int) -> str:
    """Say on how many requests rules can decide: `without` had no result when they were registered,
    `seen` had one.
    """
    total = without + seen
    if not total:
        return _("No request had an approved contract then, so none had a result.")
    if not seen:
        return ngettext(
            "The %(n)d request that they decide had no result then.",
            "None of the %(n)d requests that they decide had a result then.",
            total,
        ) % {"n": total}
    return ngettext(
        "%(seen)d of the %(n)d request that these rules name had a result when they were "
        "registered: they can decide only on the other %(open)d.",
        "%(seen)d of the %(n)d requests that these rules name had a result when they were "
        "registered: they can decide only on the other %(open)d.",
        total,
    ) % {"seen": seen, "n": total, "open": without}


def void_sentence(version: int, registered_at: datetime) -> str:
    """Say that a newer version voids what was decided under the rules."""
    return _(
        "Superseded by version %(n)d, registered %(when)s UTC: decisions under these rules are "
        "void."
    ) % {"n": version, "when": f"{registered_at:%Y-%m-%d %H:%M}"}


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
            % {"n": len(content["requests"])}
            + (_(", only those without a result before") if content.get("only_unseen") else ""),
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
        *_constraint_judge(content),
        _support(content),
        Frozen(_("Intact"), content["code"]["version"], code=content["code"]["sha256"][:12]),
    )


def _constraint_judge(content: Mapping[str, Any]) -> tuple[Frozen, ...]:
    """What settles what the matchers left unsure; nothing where nothing does."""
    part = content.get("constraint_judge")
    return (_part(_("Constraint judge"), part),) if part else ()


def _support(content: Mapping[str, Any]) -> Frozen:
    """The judge of support: another than the lexical one is named, as every part is."""
    if "support" in content and content["support"]["name"] != "sentences":
        return _part(_("Supported answers"), content["support"])
    share = _("%(share)s of a sentence's content words stand in one retrieved sentence")
    return Frozen(_("Supported answers"), share % {"share": registered(content["support_share"])})


def _part(label: str, part: Mapping[str, Any]) -> Frozen:
    details = dict(part.get("parameters") or {})
    if part.get("model"):
        details["model"] = part["model"]
    shown = ", ".join(f"{key} = {value}" for key, value in details.items())
    return Frozen(label, f"{part['name']} {part.get('version', '')}".strip(), code=shown)
