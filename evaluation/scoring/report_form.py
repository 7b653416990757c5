"""The form of a report: which keys it has, in what order its rows stand, and what its parts say of
each other. What the rows give is `recomputing`'s.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from annotation.canonical import content_hash
from evaluation.scoring.report_differences import ABSENT, REQUIRED, Difference, Unreadable, shown

# The arms that every project has; whatever else runs is a candidate and has verdicts.
RESERVED = ("original", "human")
CANDIDATES = ("engine", "uploaded")
FINISHED = "finished"

# What stands in a file once, so that nothing else in it could say otherwise.
NOT_CHECKED = (
    "project", "run", "hypothetical", "started and finished (only their order)",
    "void (only its form)", "protocol.version", "protocol.registered (only its order)",
    "what each of the arms was (only its source)", "result.code", "facts.documents",
    "facts.waiting", "facts.unchecked", "facts.without_result", "facts.looks",
    "facts.before_rules", "verdicts[].version",
    "rows.cases[].judged[].by (only whether a model judged)",
    "rows.cases[].judged[].people (only where they count)",
)  # fmt: skip

REPORT = (
    "schema", "project", "run", "state", "hypothetical", "started", "finished", "void",
    "conditions", "protocol", "arms", "arms_sha256", "facts", "result_sha256", "result",
    "verdicts", "rows",
)  # fmt: skip
_BLOCKS: Mapping[str, tuple[str, ...]] = {
    "void": ("version", "registered_at"),
    "conditions": ("sha256", "content"),
    "protocol": ("name", "version", "sha256", "registered", "content"),
    "facts": (
        "requests",
        "cases",
        "without_result",
        "documents",
        "waiting",
        "unchecked",
        "looks",
        "before_rules",
    ),
    "rows": ("clusters", "twins", "controls", "cases"),
}
_MAY_BE_NULL = ("void", "protocol")
_OF_SOURCE: Mapping[str, tuple[str, ...]] = {
    "original": (),
    "human": ("references",),
    "engine": ("rewriter",),
    "uploaded": ("rewrites", "runs"),
}
CASE = ("outcome", "first_lost", "foreign", "judged")
ITEM = ("constraint", "kind", "label", "by", "people", "decided", "wanted", "drawn")
TWINS = ("id", "family", "base", "twin", "constraint")
CONTROL = ("id", "request", "request_class", "worst", "best", "texts")


def require_keys(path: str, value: Any, keys: Collection[str]) -> None:
    """Raise Unreadable unless it is an object with these keys and no other."""
    where = path or "The report"
    if not isinstance(value, Mapping):
        raise Unreadable(f"{where}: {shown(value)} is no object.")
    for key in sorted(map(str, value.keys() - set(keys))):
        place = f"{path}.{key}" if path else key
        raise Unreadable(f"{place}: a report has no such key, so nothing checks it.")
    for key in keys:
        if key not in value:
            raise Unreadable(f"{where}: {key} is missing.")


def require_form(report: Mapping[str, Any]) -> None:
    """Raise Unreadable with a sentence that has the path of what does not belong, or lacks."""
    require_keys("", report, REPORT)
    for name, keys in _BLOCKS.items():
        if report[name] is not None or name not in _MAY_BE_NULL:
            require_keys(name, report[name], keys)
    if not isinstance(report["arms"], Mapping):
        raise Unreadable("arms: it is no object.")
    for name, arm in report["arms"].items():
        source = arm.get("source") if isinstance(arm, Mapping) else None
        if not isinstance(source, str) or source not in _OF_SOURCE:
            raise Unreadable(f"arms.{name}: {shown(source)} is no source of an arm.")
        require_keys(f"arms.{name}", arm, ("source", *_OF_SOURCE[source]))
    content = report["conditions"]["content"]
    if not isinstance(content, Mapping) or not isinstance(content.get("requests"), Mapping):
        raise Unreadable("conditions.content.requests: it is no object.")
    verdicts = report["verdicts"]
    if not isinstance(verdicts, list) or not all(isinstance(v, Mapping) for v in verdicts):
        raise Unreadable("verdicts: it is no list of objects.")


def repeated(path: str, keys: Iterable[Hashable]) -> Iterator[Difference]:
    """Whatever stands more than once, though each stands for itself."""
    for key, count in sorted(Counter(keys).items(), key=str):
        if count > 1:
            name = "/".join(map(str, key)) if isinstance(key, tuple) else key
            yield Difference(f"{path}[{name}]", f"{count} entries", "one", REQUIRED)


def ordered(path: str, keys: Sequence[Any], by: str) -> Iterator[Difference]:
    """A list that does not stand in the order in which a report is written."""
    for before, after in zip(keys, keys[1:], strict=False):
        if after < before:
            one, other = (
                "/".join(map(str, k)) if isinstance(k, tuple) else str(k) for k in (before, after)
            )
            yield Difference(path, f"{other} behind {one}", f"in the order of {by}", REQUIRED)
            return


def head_differences(
    report: Mapping[str, Any], candidates: Collection[str]
) -> Iterator[Difference]:
    """What the parts of a report but its rows say of each other; `candidates` are the arms of the
    rows that need verdicts.
    """
    yield from _arms(report)
    yield from _times(report)
    yield from _protocol(report)
    yield from _facts(report, candidates)
    if report["state"] != FINISHED:
        yield Difference("state", shown(report["state"]), shown(FINISHED), REQUIRED)
    for path, kind in (("project", str), ("run", int), ("hypothetical", bool)):
        if type(report[path]) is not kind:
            yield Difference(path, shown(report[path]), f"a {kind.__name__}", REQUIRED)
    keys = [(str(v.get("arm")), str(v.get("request_class"))) for v in report["verdicts"]]
    yield from repeated("verdicts", keys)
    yield from ordered("verdicts", keys, "arm and class")
    for key, verdict in zip(keys, report["verdicts"], strict=True):
        if not _number(verdict.get("version")):
            path = f"verdicts[{'/'.join(key)}].version"
            yield Difference(path, shown(verdict.get("version")), "a number from 1", REQUIRED)


def _arms(report: Mapping[str, Any]) -> Iterator[Difference]:
    """`original` and `human` are no names of candidates, and no other arm is none."""
    for name, arm in sorted(report["arms"].items()):
        wanted = (name,) if name in RESERVED else CANDIDATES
        if arm["source"] not in wanted:
            told = " or ".join(map(shown, wanted))
            yield Difference(f"arms.{name}.source", shown(arm["source"]), told, REQUIRED)
    found = content_hash(report["arms"])
    if report["arms_sha256"] != found:
        yield Difference("arms_sha256", shown(report["arms_sha256"]), shown(found), REQUIRED)


def _times(report: Mapping[str, Any]) -> Iterator[Difference]:
    """Rules are registered, then the run starts, then it ends."""
    places = {"started": report["started"], "finished": report["finished"]}
    if protocol := report["protocol"]:
        places = {"protocol.registered": protocol["registered"], **places}
    before, last = None, ""
    for path, stated in places.items():
        at = _time(stated)
        if at is None:
            yield Difference(path, shown(stated), "a time with its zone", REQUIRED)
        elif before is not None and at < before:
            yield Difference(path, shown(stated), f"no earlier than {last}", REQUIRED)
        else:
            before, last = at, path


def _protocol(report: Mapping[str, Any]) -> Iterator[Difference]:
    protocol, void = report["protocol"], report["void"]
    if protocol is None:
        if void is not None:
            yield Difference("void", shown(void), "null without a protocol", REQUIRED)
        return
    name = protocol["content"].get("name") if isinstance(protocol["content"], Mapping) else None
    if protocol["name"] != name:
        yield Difference("protocol.name", shown(protocol["name"]), shown(name), REQUIRED)
    version = protocol["version"]
    if not _number(version):
        yield Difference("protocol.version", shown(version), "a number from 1", REQUIRED)
        return
    if void is None:
        return
    if not _number(void["version"]) or void["version"] <= version:
        told = f"a version above {version}"
        yield Difference("void.version", shown(void["version"]), told, REQUIRED)
    at, registered = _time(void["registered_at"]), _time(protocol["registered"])
    if at is None or (registered is not None and at < registered):
        told = "a time no earlier than protocol.registered"
        yield Difference("void.registered_at", shown(void["registered_at"]), told, REQUIRED)


def _facts(report: Mapping[str, Any], candidates: Collection[str]) -> Iterator[Difference]:
    facts = report["facts"]
    requests = len(report["conditions"]["content"]["requests"])
    for name, found in (("requests", requests), ("cases", requests * len(report["arms"]))):
        if facts[name] != found or type(facts[name]) is not int:
            yield Difference(f"facts.{name}", shown(facts[name]), str(found), REQUIRED)
    waiting = facts["waiting"]
    if not isinstance(waiting, Mapping):
        yield Difference("facts.waiting", shown(waiting), "an object", REQUIRED)
        return
    for name in sorted(waiting.keys() ^ set(candidates)):
        one, other = (ABSENT, "a number") if name in candidates else ("a number", ABSENT)
        yield Difference(f"facts.waiting.{name}", one, other, REQUIRED)
    counts = {f"waiting.{name}": n for name, n in waiting.items()}
    counts |= {name: facts[name] for name in ("documents", "unchecked", "without_result")}
    for name, n in counts.items():
        if type(n) is not int or n < 0:
            yield Difference(f"facts.{name}", shown(n), "a number from 0", REQUIRED)


def _number(value: Any) -> bool:
    return type(value) is int and value >= 1


def _time(value: Any) -> datetime | None:
    try:
        found = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        return None
    return found if found.tzinfo else None
