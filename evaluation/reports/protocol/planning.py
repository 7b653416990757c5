"""What the rules of a class can show, worked out before the run, in plain sentences.
Knows no model: from the
rules and from how many requests there are.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evaluation.reports.figures import grouped
from evaluation.reports.protocol.sentences import TESTS
from evaluation.scoring.percentages import percentage, registered
from evaluation.scoring.verdict_rules import is_systematic
from evaluation.statistics import (
    clean_requests_needed,
    largest_passing,
    release_power,
    smallest_detectable,
)

# How many requests are taken to differ between the arms, and how surely a difference is found.
DISCORDANT, POWER = 0.2, 0.8
NEARLY_SURE = 0.999
# Beyond these a number of requests or pairs is nobody's plan, and its sums would take long.
MOST = 100_000


@dataclass(frozen=True, slots=True)
class AtHand:
    """What a protocol can still decide on in a class: resolved requests with an approved contract
    and no result yet, and twin pairs of two such requests, by family.
    """

    resolved: int = 0
    pairs: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Planned:
    """What the rules of a class can show with `resolved` requests, and why they cannot be passed
    with what is at hand, if so.
    """

    name: str
    resolved: int
    sentences: tuple[str, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class General:
    """What holds for every class: alpha and McNemar's test."""

    alpha: float
    test: str

    @property
    def level(self) -> float:
        return 1.0 - self.alpha


def planned(
    name: str, rule: Mapping[str, Any], general: General, at_hand: AtHand | None = None
) -> Planned:
    """Say what the rule of a class (as in protocol.json) can show: with the requests at hand where
    they are as many as it wants, else with the least that it wants.

    `at_hand` is None for “*”, which holds for several classes, each with a number of its own.
    """
    least = rule["min_requests"]
    n = min(max(least, at_hand.resolved if at_hand else 0), MOST)
    families = sorted(rule.get("families", {}).items())
    pairs = at_hand.pairs if at_hand else {}
    sentences = (
        _incomplete(n, rule["completeness_floor"]),
        *_lost(n, rule["regression_ceiling"], general.level),
        _difference(n, general),
        *(_systematic(family, wanted, pairs, general.level) for family, wanted in families),
    )
    return Planned(name, n, sentences, _warnings(rule, general.level, at_hand))


def planned_of(
    content: Mapping[str, Any], at_hand: Mapping[str, AtHand] | None = None
) -> tuple[Planned, ...]:
    """The same of every class of a protocol, “*” last. Classes that only “*” covers are warned
    about there, each with its name.
    """
    general, rules = General(content["alpha"], content["test"]), content["classes"]
    found = at_hand or {}
    named = [
        planned(name, rules[name], general, found.get(name, AtHand()) if at_hand else None)
        for name in sorted(rules)
        if name != "*"
    ]
    if "*" not in rules:
        return tuple(named)
    others = planned("*", rules["*"], general)
    warnings = tuple(
        _("%(class)s: %(warning)s") % {"class": name, "warning": warning}
        for name, hand in sorted(found.items())
        if name not in rules
        for warning in _warnings(rules["*"], general.level, hand)
    )
    return (*named, Planned("*", others.resolved, others.sentences, warnings))


def fewest_systematic(n: int, allowed: float, level: float) -> int | None:
    """The fewest failures of `n` pairs that `verdict_rules.family_rule` calls systematic; None
    where not even n are.
    """
    low, high = 0, n + 1  # at `high` it is systematic, or nothing is
    while high - low > 1:
        middle = (low + high) // 2
        systematic = is_systematic(middle, n, allowed=allowed, level=level)
        low, high = (low, middle) if systematic else (middle, high)
    return high if high <= n else None


def _incomplete(n: int, floor: float) -> str:
    # The rule compares the rate itself with the floor, so its rounding is the rule's.
    most = math.floor(n * (1 - floor)) + 1
    while most > 0 and (n - most) / n < floor:
        most -= 1
    if not most:
        return ngettext(
            "Completeness: with %(n)s resolved request none may lose a critical constraint.",
            "Completeness: with %(n)s resolved requests none may lose a critical constraint.",
            n,
        ) % {"n": grouped(n)}
    return ngettext(
        "Completeness: of %(n)s resolved request at most %(most)s may lose a critical constraint.",
        "Completeness: of %(n)s resolved requests at most %(most)s may lose a critical constraint.",
        n,
    ) % {"n": grouped(n), "most": grouped(most)}


def _lost(n: int, ceiling: float, level: float) -> tuple[str, ...]:
    """How many answers may be lost, if the original answers all correctly: it answers fewer, and
    how many is not known before the run.
    """
    passing = largest_passing(n, ceiling=ceiling, level=level)
    if passing.numerator is None:
        return (_cannot_pass(n, ceiling, level),)
    said = ngettext(
        "Lost answers: if the original answers all %(n)s correctly (how many is unknown before the "
        "run), at most %(k)s lost answer passes the ceiling of %(ceiling)s.",
        "Lost answers: if the original answers all %(n)s correctly (how many is unknown before the "
        "run), at most %(k)s lost answers pass the ceiling of %(ceiling)s.",
        passing.numerator,
    ) % {"n": grouped(n), "k": grouped(passing.numerator), "ceiling": registered(ceiling)}
    if not 0 < ceiling < 1:
        return (said,)
    chance = release_power(n, rate=ceiling / 2, ceiling=ceiling, level=level).value or 0.0
    shown = f"{percentage(chance)} %" if chance < NEARLY_SURE else _("more than 99.9 %")
    likely = _("A candidate that in truth loses %(rate)s passes with a probability of %(chance)s.")
    told = {"rate": registered(ceiling / 2), "chance": shown}
    return (said, likely % told)


def _cannot_pass(n: int, ceiling: float, level: float) -> str:
    needed = clean_requests_needed(ceiling, level=level)
    if needed.value is None:
        return _("Lost answers: no number of requests shows that none is lost (a ceiling of 0 %).")
    return ngettext(
        "Lost answers: a ceiling of %(ceiling)s takes %(needed)s right answers of the original, "
        "none of them lost; %(n)s resolved request cannot show it.",
        "Lost answers: a ceiling of %(ceiling)s takes %(needed)s right answers of the original, "
        "none of them lost; %(n)s resolved requests cannot show it.",
        n,
    ) % {"ceiling": registered(ceiling), "needed": grouped(needed.n), "n": grouped(n)}


def _difference(n: int, general: General) -> str:
    found = _detectable(n, general)
    told = {
        "n": grouped(n),
        "share": registered(DISCORDANT),
        "test": TESTS[general.test],
        "power": registered(POWER),
    }
    if found is None:
        return (
            _(
                "Difference: where %(share)s of %(n)s requests differ, %(test)s finds not even a "
                "difference in one direction alone with %(power)s power."
            )
            % told
        )
    return _(
        "Difference: where %(share)s of %(n)s requests differ, %(test)s finds a difference of "
        "%(points)s percentage points with %(power)s power, before the correction over classes."
    ) % {**told, "points": percentage(found)}


@lru_cache(maxsize=256)
def _detectable(n: int, general: General) -> float | None:
    return smallest_detectable(
        n, alpha=general.alpha, power=POWER, discordant=DISCORDANT, test=general.test
    ).value


def _systematic(
    family: str, wanted: Mapping[str, Any], pairs: Mapping[str, int], level: float
) -> str:
    n = min(max(wanted["min_pairs"], pairs.get(family, 0)), MOST)
    fewest = fewest_systematic(n, wanted["max_failure_rate"], level)
    if fewest is None:
        return ngettext(
            "Twin pairs, %(family)s: with %(n)s pair no number of failures is systematic.",
            "Twin pairs, %(family)s: with %(n)s pairs no number of failures is systematic.",
            n,
        ) % {"family": family, "n": grouped(n)}
    return ngettext(
        "Twin pairs, %(family)s: %(k)s failure or more of %(n)s pairs is systematic.",
        "Twin pairs, %(family)s: %(k)s failures or more of %(n)s pairs are systematic.",
        fewest,
    ) % {"family": family, "k": grouped(fewest), "n": grouped(n)}


def _warnings(rule: Mapping[str, Any], level: float, hand: AtHand | None) -> tuple[str, ...]:
    """Why the rule cannot be passed with what is at hand, whatever a candidate does."""
    if hand is None:
        return ()
    found = []
    if hand.resolved < rule["min_requests"]:
        found.append(
            ngettext(
                "%(n)s resolved request without a result is at hand, and the rule wants %(least)s, "
                "else the class is not assessable.",
                "%(n)s resolved requests without a result are at hand, and the rule wants "
                "%(least)s, else the class is not assessable.",
                hand.resolved,
            )
            % {"n": grouped(hand.resolved), "least": grouped(rule["min_requests"])}
        )
    ceiling = rule["regression_ceiling"]
    if hand.resolved and largest_passing(hand.resolved, ceiling=ceiling, level=level).value is None:
        needed = clean_requests_needed(ceiling, level=level)
        found.append(
            ngettext(
                "A ceiling of %(ceiling)s needs %(needed)s clean answers, and %(n)s resolved "
                "request is at hand: even if the original answers it correctly and it is not "
                "lost, the class falls back.",
                "A ceiling of %(ceiling)s needs %(needed)s clean answers, and %(n)s resolved "
                "requests are at hand: even if the original answers all correctly and none is "
                "lost, the class falls back.",
                hand.resolved,
            )
            % {
                "ceiling": registered(ceiling),
                "needed": grouped(needed.n) if needed.value is not None else _("infinitely many"),
                "n": grouped(hand.resolved),
            }
        )
    found += [
        ngettext(
            "%(family)s: %(n)s twin pair without a result is at hand, and the rule wants "
            "%(least)s, else the class is not assessable.",
            "%(family)s: %(n)s twin pairs without a result are at hand, and the rule wants "
            "%(least)s, else the class is not assessable.",
            hand.pairs.get(family, 0),
        )
        % {
            "family": family,
            "n": grouped(hand.pairs.get(family, 0)),
            "least": grouped(wanted["min_pairs"]),
        }
        for family, wanted in sorted(rule.get("families", {}).items())
        if hand.pairs.get(family, 0) < wanted["min_pairs"]
    ]
    return tuple(found)
