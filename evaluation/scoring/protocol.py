"""The preregistered rules of protocol.json as values, with every fault named."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeGuard

from contracts.twins.validating import FAMILY_NAMES

FAMILIES = FAMILY_NAMES
DEFAULT_CLASS = "*"
CORRECTIONS = ("holm", "none")
TESTS = ("mcnemar_exact", "mcnemar_midp")
JUDGING = ("human_for_critical", "human_for_all", "automatic")
# What holds where a protocol does not say it, and in runs without one.
JUDGES = 1
AUDIT_PER_KIND = 20
MOST_RESAMPLES = 100_000

_FIELDS = (
    "name",
    "alpha",
    "resamples",
    "seed",
    "correction",
    "test",
    "judging",
    "judges",
    "audit_per_kind",
    "max_judge_error",
    "classes",
    "metadata",
)
_CLASS_FIELDS = ("completeness_floor", "regression_ceiling", "min_requests", "families")
_FAMILY_FIELDS = ("max_failure_rate", "min_pairs")


class ProtocolError(ValueError):
    """The protocol cannot be used; `faults` has a sentence for every fault."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        super().__init__(" ".join(faults))
        self.faults = faults


@dataclass(frozen=True, slots=True)
class FamilyRule:
    """The largest failure rate of a twin-pair family, and how many pairs make it assessable."""

    max_failure_rate: float
    min_pairs: int

    def to_json(self) -> dict[str, Any]:
        return {"max_failure_rate": self.max_failure_rate, "min_pairs": self.min_pairs}


@dataclass(frozen=True, slots=True)
class ClassRule:
    """Floor, ceiling and sample sizes of one request class; rates lie in [0, 1]."""

    completeness_floor: float
    regression_ceiling: float
    min_requests: int
    families: Mapping[str, FamilyRule] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {
            "completeness_floor": self.completeness_floor,
            "regression_ceiling": self.regression_ceiling,
            "min_requests": self.min_requests,
            "families": {name: rule.to_json() for name, rule in sorted(self.families.items())},
        }


@dataclass(frozen=True, slots=True)
class Protocol:
    """All rules that were registered before the run.

    `judges` people (1 or 2) judge each item that people judge; `audit_per_kind` sure judgements of
    each kind are drawn in a run for people to check; `max_judge_error` in (0, 1] is the largest
    upper bound of the judge's error with which a class may be released, None for no limit.
    """

    name: str
    alpha: float
    resamples: int
    seed: int
    correction: str
    test: str
    judging: str
    classes: Mapping[str, ClassRule]
    judges: int = JUDGES
    audit_per_kind: int = AUDIT_PER_KIND
    max_judge_error: float | None = None

    @property
    def level(self) -> float:
        """The confidence level of every interval, 1 - alpha."""
        return 1.0 - self.alpha

    def rule_for(self, request_class: str) -> ClassRule | None:
        """Return the rule of a class, else that of "*", else None."""
        return self.classes.get(request_class) or self.classes.get(DEFAULT_CLASS)

    def to_json(self) -> dict[str, Any]:
        """The protocol as it is hashed. What is as without being said is left out, so that rules
        which were registered before it could be said keep their hash.
        """
        said = {
            name: value
            for name, value, default in (
                ("judges", self.judges, JUDGES),
                ("audit_per_kind", self.audit_per_kind, AUDIT_PER_KIND),
                ("max_judge_error", self.max_judge_error, None),
            )
            if value != default
        }
        return {
            "name": self.name,
            "alpha": self.alpha,
            "resamples": self.resamples,
            "seed": self.seed,
            "correction": self.correction,
            "test": self.test,
            "judging": self.judging,
            **said,
            "classes": {name: rule.to_json() for name, rule in sorted(self.classes.items())},
        }


def wants_person(judging: str, *, critical: bool) -> bool:
    """Return whether people judge a constraint whatever the judge says, under one of `JUDGING`."""
    return judging == "human_for_all" or (judging == "human_for_critical" and critical)


def parse_protocol(data: Any, *, new: bool = False) -> Protocol:
    """Return the protocol in `data` (parsed protocol.json); raises ProtocolError with all faults.
    One that is `new` may not ask for more resamples than are drawn today; a registered one may.
    """
    faults = protocol_faults(data)
    if new and not faults and data["resamples"] > MOST_RESAMPLES:
        faults = (
            f"resamples must be at most {MOST_RESAMPLES:,}, not {data['resamples']:,}: more take"
            " hours and change no decision.",
        )
    if faults:
        raise ProtocolError(faults)
    return Protocol(
        name=data["name"],
        alpha=float(data["alpha"]),
        resamples=data["resamples"],
        seed=data["seed"],
        correction=data["correction"],
        test=data["test"],
        judging=data["judging"],
        classes={name: _class_rule(rule) for name, rule in data["classes"].items()},
        judges=data.get("judges", JUDGES),
        audit_per_kind=data.get("audit_per_kind", AUDIT_PER_KIND),
        max_judge_error=None if (limit := data.get("max_judge_error")) is None else float(limit),
    )


def protocol_faults(data: Any) -> tuple[str, ...]:
    """Return a sentence for every fault of `data`, each naming its field; () if it is sound."""
    if not isinstance(data, Mapping):
        return ("The protocol is not an object: give the fields of protocol.json.",)
    faults = _unknown(data, _FIELDS, "")
    if not isinstance(data.get("name"), str) or not data["name"].strip():
        faults.append("name must be a text that is not blank.")
    alpha = data.get("alpha")
    if not _is_number(alpha) or not 0 < alpha < 1:
        faults.append(
            f"alpha must be a number between 0 and 1 (0 and 1 excluded), {_found(alpha)}."
        )
    _whole(data, "resamples", 1000, "", faults)
    _whole(data, "seed", 0, "", faults)
    _one_of(data, "correction", CORRECTIONS, faults)
    _one_of(data, "test", TESTS, faults)
    _one_of(data, "judging", JUDGING, faults)
    faults += _judge_faults(data)
    classes = data.get("classes")
    if not isinstance(classes, Mapping) or not classes:
        faults.append('classes must name at least one request class, or "*" for all.')
    else:
        for name, rule in classes.items():
            faults += _class_faults(f"classes.{name}", rule)
    return tuple(faults)


def _judge_faults(data: Mapping[str, Any]) -> list[str]:
    """The faults of the fields that may be left out; null is a value for the limit alone."""
    faults: list[str] = []
    judges = data.get("judges", JUDGES)
    if not _is_whole(judges) or judges not in (1, 2):
        faults.append(f"judges must be 1 or 2, not {judges!r}.")
    drawn = data.get("audit_per_kind", AUDIT_PER_KIND)
    if not _is_whole(drawn) or drawn < 0:
        faults.append(f"audit_per_kind must be a whole number of at least 0, not {drawn!r}.")
    limit = data.get("max_judge_error")
    if limit is not None and not (_is_number(limit) and 0 < limit <= 1):
        faults.append(
            f"max_judge_error must be null or a number from 0 to 1 (0 excluded), not {limit!r}."
        )
    return faults


def _class_faults(path: str, rule: Any) -> list[str]:
    if not isinstance(rule, Mapping):
        return [f"{path} must be an object with {', '.join(_CLASS_FIELDS)}."]
    faults = _unknown(rule, _CLASS_FIELDS, f"{path}.")
    _rate(rule, "completeness_floor", path, faults)
    _rate(rule, "regression_ceiling", path, faults)
    _whole(rule, "min_requests", 1, f"{path}.", faults)
    families = rule.get("families", {})
    if not isinstance(families, Mapping):
        return [*faults, f"{path}.families must be an object of family rules."]
    for name, family in families.items():
        faults += _family_faults(f"{path}.families.{name}", name, family)
    return faults


def _family_faults(path: str, name: str, family: Any) -> list[str]:
    if name not in FAMILIES:
        return [f"{path} is no family: use one of {', '.join(FAMILIES)}."]
    if not isinstance(family, Mapping):
        return [f"{path} must be an object with {', '.join(_FAMILY_FIELDS)}."]
    faults = _unknown(family, _FAMILY_FIELDS, f"{path}.")
    _rate(family, "max_failure_rate", path, faults)
    _whole(family, "min_pairs", 1, f"{path}.", faults)
    return faults


def _unknown(data: Mapping[str, Any], known: tuple[str, ...], prefix: str) -> list[str]:
    return [
        f"{prefix}{key} is no field of a protocol: check its spelling or remove it."
        for key in data
        if key not in known
    ]


def _rate(data: Mapping[str, Any], key: str, path: str, faults: list[str]) -> None:
    value = data.get(key)
    if not _is_number(value) or not 0 <= value <= 1:
        faults.append(f"{path}.{key} must be a number from 0 to 1, {_found(value)}.")


def _whole(data: Mapping[str, Any], key: str, least: int, prefix: str, faults: list[str]) -> None:
    value = data.get(key)
    if not _is_whole(value) or value < least:
        faults.append(f"{prefix}{key} must be a whole number of at least {least}, {_found(value)}.")


def _one_of(data: Mapping[str, Any], key: str, allowed: tuple[str, ...], faults: list[str]) -> None:
    if data.get(key) not in allowed:
        faults.append(f"{key} must be one of {', '.join(allowed)}, {_found(data.get(key))}.")


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_whole(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _class_rule(data: Mapping[str, Any]) -> ClassRule:
    families = {
        name: FamilyRule(float(family["max_failure_rate"]), family["min_pairs"])
        for name, family in data.get("families", {}).items()
    }
    return ClassRule(
        completeness_floor=float(data["completeness_floor"]),
        regression_ceiling=float(data["regression_ceiling"]),
        min_requests=data["min_requests"],
        families=families,
    )


def _found(value: object) -> str:
    return "and is missing" if value is None else f"not {value!r}"
