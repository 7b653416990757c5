"""A report computed again from its own rows, and every place where it says something else.

No database and no Django: `recompute(json.load(file))` in a notebook is all that it takes. What is
computed is what the run computed, by the same functions.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotation.canonical import content_hash
from evaluation.records import JUDGEMENTS
from evaluation.scoring.audit import Item, Tally
from evaluation.scoring.controls import ControlResult
from evaluation.scoring.localisation import first_stage_lost
from evaluation.scoring.outcomes import CaseOutcome
from evaluation.scoring.pairs import PairResult, Twins, judge_pairs
from evaluation.scoring.protocol import Protocol, parse_protocol, wants_person
from evaluation.scoring.report_differences import (
    ABSENT,
    REQUIRED,
    Difference,
    Unreadable,
    compared,
    said,
    shown,
)
from evaluation.scoring.report_form import (
    CASE,
    CONTROL,
    ITEM,
    RESERVED,
    TWINS,
    head_differences,
    ordered,
    repeated,
    require_form,
    require_keys,
)
from evaluation.scoring.result import judging_of, result_of, unmeasured, verdicts_of
from evaluation.scoring.verdict import ClassVerdict

SCHEMA = "report/2"
_NAMED = 5


@dataclass
class Rows:
    """The rows of a report: all that its figures are computed from.

    `outcomes` in the order of the cases; `foreign` maps arm and request to what was judged of the
    twins' constraints; `clusters` maps a request to what it counts with. `judging` says whom the
    Protocol has judge. `differences`: what a row states beside its outcome (stage first lost, who
    judged) and does not go with it, and rows that stand twice or in another order.
    """

    outcomes: list[CaseOutcome] = field(default_factory=list)
    foreign: dict[str, dict[str, Mapping[str, str]]] = field(default_factory=dict)
    tally: Tally = field(default_factory=Tally)
    twins: list[Twins] = field(default_factory=list)
    controls: list[ControlResult] = field(default_factory=list)
    clusters: Mapping[str, str] = field(default_factory=dict)
    judging: str = "automatic"
    differences: list[Difference] = field(default_factory=list)

    @classmethod
    def from_json(cls, data: Mapping[str, Any], judging: str = "automatic") -> "Rows":
        """Read the `rows` of a report. Raises Unreadable, and names the row."""
        found = cls(clusters=dict(data["clusters"]), judging=judging)
        for number, row in _counted(data["twins"]):
            require_keys(f"rows.twins, row {number}", row, TWINS)
            found.twins.append(_read("twins", number, Twins.from_json, row))
        for number, row in _counted(data["controls"]):
            require_keys(f"rows.controls, row {number}", row, CONTROL)
            control = _read("controls", number, ControlResult.from_json, row)
            found.controls.append(control)
            found.differences += compared(f"rows.controls[{control.id}]", row, control.to_json())
        found.differences += _about_pairs(found)
        pairs = _pairs_of(found.twins)
        for number, row in _counted(data["cases"]):
            require_keys(f"rows.cases, row {number}", row, CASE)
            _read("cases", number, lambda row: found.add(row, pairs), row)
        keys = [(outcome.request, outcome.arm) for outcome in found.outcomes]
        found.differences += ordered("rows.cases", keys, "request and arm")
        return found

    @property
    def candidates(self) -> list[str]:
        """The arms that need verdicts: whatever ran beside the two that every project has."""
        return sorted({outcome.arm for outcome in self.outcomes} - set(RESERVED))

    def add(self, row: Mapping[str, Any], pairs: Mapping[str, set[str]]) -> None:
        """Take in one case; `pairs` has the pairs of each request that stands in any."""
        outcome = CaseOutcome.from_json(row["outcome"])
        path = f"rows.cases[{outcome.arm}/{outcome.request}]"
        found = first_stage_lost(outcome).to_json()
        self.differences += compared(f"{path}.first_lost", row["first_lost"], found)
        # As the run scored it: only what stands in a pair is told apart by its texts.
        mine = pairs.get(outcome.request, set())
        self.outcomes.append(outcome if mine else outcome.for_rates())
        self.differences += _foreign(f"{path}.foreign", row["foreign"], mine)
        if row["foreign"]:
            self.foreign.setdefault(outcome.arm, {})[outcome.request] = row["foreign"]
        for item in row["judged"]:
            require_keys(f"{path}.judged", item, ITEM)
            values = {name: value for name, value in item.items() if name != "constraint"}
            self.tally.add(Item(arm=outcome.arm, request_class=outcome.request_class, **values))
        self.differences += _words_that_count(path, outcome, row["judged"], self.judging)


def recompute(report: Mapping[str, Any]) -> tuple[Difference, ...]:
    """Compute everything that a report states from its rows, and return where it differs.

    Scores, differences, tests, families, rankings, stages, kinds, who judged, verdicts with every
    rule, and the hashes of conditions, protocol, result and inputs. Numbers are equal within a
    relative 1e-9. Raises Unreadable for what is no report of `SCHEMA`, or a row that has no sense.
    """
    _require_schema(report)
    require_form(report)
    protocol = _protocol(report)
    rows = _rows(report, protocol)
    pairs = judge_pairs(rows.twins, rows.outcomes, rows.foreign)
    return (
        *head_differences(report, rows.candidates),
        *_hashes(report),
        *_coverage(report, rows.outcomes),
        *rows.differences,
        *_result(report, rows, pairs, protocol),
        *_verdicts(report, rows, pairs, protocol),
    )


def pairs_gone(report: Mapping[str, Any]) -> str:
    """A sentence where the result has pairs that the rows lack: they were deleted since, and what
    hangs on them differs; "" where there is none.
    """
    there = {pair["id"] for pair in report["rows"]["twins"]}
    stated = (report["result"] or {}).get("pairs", ())
    gone = sorted({str(pair["id"]) for pair in stated if pair["id"] not in there})
    if not gone:
        return ""
    named = ", ".join(gone[:_NAMED]) + (" …" if len(gone) > _NAMED else "")
    return (
        f"Of {len(gone)} twin pairs in the result no row is there any more ({named}): where they "
        "were deleted after the run was concluded, the differences in pairs, families and rankings "
        "come from that."
    )


def computed_elsewhere(report: Mapping[str, Any], code_sha256: str) -> str:
    """A sentence where another version of the code computed the report: differences may then be
    its own; "" where it was this one.
    """
    stated = (report.get("result") or {}).get("code", "")
    if stated == code_sha256:
        return ""
    return (
        f"The report was computed by the code {stated[:12] or 'of an earlier version'}, and this "
        f"is {code_sha256[:12]}: a difference may come from that."
    )


def _require_schema(report: Any) -> None:
    if not isinstance(report, Mapping) or report.get("schema") != SCHEMA:
        found = report.get("schema") if isinstance(report, Mapping) else None
        raise Unreadable(
            f"This is no report of the schema {SCHEMA} (it says {found!r}): write one with "
            "`report RUN --format json`."
        )


def _rows(report: Mapping[str, Any], protocol: Protocol | None) -> Rows:
    judging = protocol.judging if protocol else "automatic"
    try:
        return Rows.from_json(report["rows"], judging)
    except Unreadable:
        raise
    except (AttributeError, KeyError, TypeError, ValueError) as fault:
        raise Unreadable(f"The rows cannot be read: {said(fault)}.") from fault


def _pairs_of(twins: Iterable[Twins]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for pair in twins:
        for side in (pair.base, pair.twin):
            found.setdefault(side, set()).add(pair.id)
    return found


def _about_pairs(rows: Rows) -> Iterator[Difference]:
    """Pairs and controls stand once and in order, and a twin counts with a base of its own."""
    ids = [pair.id for pair in rows.twins]
    yield from repeated("rows.twins", ids)
    yield from ordered("rows.twins", ids, "id")
    yield from repeated("rows.controls", [control.id for control in rows.controls])
    bases: dict[str, set[str]] = {}
    for pair in rows.twins:
        bases.setdefault(pair.twin, set()).add(pair.base)
    for twin in sorted(bases.keys() | rows.clusters.keys()):
        stated, wanted = rows.clusters.get(twin), bases.get(twin, set())
        if stated not in wanted:
            told = " or ".join(map(shown, sorted(wanted))) or ABSENT
            yield Difference(f"rows.clusters.{twin}", shown(stated), told)


def _foreign(path: str, foreign: Mapping[str, str], pairs: set[str]) -> Iterator[Difference]:
    for pair, judgement in sorted(foreign.items()):
        if pair not in pairs:
            told = "nothing, as the request stands in no such pair"
            yield Difference(f"{path}.{pair}", shown(judgement), told)
        elif judgement not in JUDGEMENTS:
            yield Difference(f"{path}.{pair}", shown(judgement), "a judgement", REQUIRED)


def _protocol(report: Mapping[str, Any]) -> Protocol | None:
    try:
        stated = report["protocol"]
        return parse_protocol(stated["content"]) if stated else None
    except (KeyError, TypeError, ValueError) as fault:
        raise Unreadable(f"The protocol cannot be read: {said(fault)}.") from fault


def _hashes(report: Mapping[str, Any]) -> Iterator[Difference]:
    """Every hash in the report that is over something in the report."""
    places: list[tuple[str, Any, Any]] = []
    for name in ("conditions", "protocol"):
        if block := report.get(name):
            places.append((f"{name}.sha256", block.get("sha256"), block.get("content")))
    if isinstance(report.get("result"), Mapping):
        try:
            places.append(
                ("result_sha256", report.get("result_sha256"), unmeasured(report["result"]))
            )
        except (KeyError, TypeError, AttributeError) as fault:
            raise Unreadable(f"The result cannot be read: {said(fault)}.") from fault
    for number, verdict in enumerate(report.get("verdicts", ())):
        content = {k: v for k, v in verdict.items() if k not in ("version", "sha256")}
        places.append((f"verdicts[{number}].sha256", verdict.get("sha256"), content))
    for path, stated, content in places:
        found = content_hash(content)
        if stated != found:
            yield Difference(path, shown(stated), shown(found))


def _coverage(report: Mapping[str, Any], outcomes: Sequence[CaseOutcome]) -> Iterator[Difference]:
    """Every request of the conditions has one row under every arm, and there is no other."""
    arms, requests = report.get("arms") or {}, report["conditions"]["content"]["requests"]
    counts = Counter((outcome.arm, outcome.request) for outcome in outcomes)
    wanted = {(arm, request) for arm in arms for request in requests}
    for arm, request in sorted(wanted - counts.keys()):
        yield Difference(f"rows.cases: {request} under {arm}", "a case of the run", "no row")
    for (arm, request), count in sorted(counts.items()):
        if (arm, request) not in wanted:
            yield Difference(f"rows.cases: {request} under {arm}", "no such case", "a row")
        elif count > 1:
            yield Difference(f"rows.cases: {request} under {arm}", "one case", f"{count} rows")


def _result(
    report: Mapping[str, Any],
    rows: Rows,
    pairs: list[PairResult],
    protocol: Protocol | None,
) -> Iterator[Difference]:
    try:
        found = result_of(
            rows.outcomes, pairs, rows.controls, clusters=rows.clusters, protocol=protocol
        )
    except (ArithmeticError, LookupError, TypeError, ValueError) as fault:
        yield Difference("result", "a result", f"none: {said(fault)}")
        return
    found["judging"] = judging_of(rows.tally, protocol)
    stated = {k: v for k, v in (report.get("result") or {}).items() if k != "code"}
    yield from compared("result", stated, found)


def _verdicts(
    report: Mapping[str, Any],
    rows: Rows,
    pairs: list[PairResult],
    protocol: Protocol | None,
) -> Iterator[Difference]:
    stated: dict[tuple[Any, Any], list[Mapping[str, Any]]] = {}
    for verdict in report["verdicts"]:
        stated.setdefault((verdict.get("arm"), verdict.get("request_class")), []).append(verdict)
    try:
        found = {(v.arm, v.request_class): v for v in _decided(rows, pairs, protocol)}
    except (ArithmeticError, LookupError, TypeError, ValueError) as fault:
        yield Difference("verdicts", "verdicts", f"none: {said(fault)}")
        return
    for arm, name in sorted(stated.keys() | found.keys(), key=str):
        path = f"verdicts[{arm}/{name}]"
        if (arm, name) not in found or (arm, name) not in stated:
            one, other = (ABSENT, "a verdict") if (arm, name) in found else ("a verdict", ABSENT)
            yield Difference(path, one, other)
            continue
        # Each of several is compared: which of them a reader takes for the verdict is open.
        for verdict in stated[arm, name]:
            content = {k: v for k, v in verdict.items() if k not in ("version", "sha256")}
            yield from compared(path, content, found[arm, name].to_json())


def _decided(rows: Rows, pairs: list[PairResult], protocol: Protocol | None) -> list[ClassVerdict]:
    if protocol is None:
        return []
    return verdicts_of(
        rows.outcomes, pairs, rows.tally, protocol=protocol, candidates=rows.candidates
    )


def _words_that_count(
    path: str, outcome: CaseOutcome, items: Sequence[Mapping[str, Any]], judging: str
) -> Iterator[Difference]:
    """Of each constraint the judgement in the outcome is the word that counts among those said,
    and whose word that is follows from the Protocol.
    """
    yield from repeated(f"{path}.judged", [item["constraint"] for item in items])
    for item in items:
        yield from _word_said(f"{path}.judged[{item['constraint']}]", item)
    if outcome.unresolved or not outcome.judgements:
        return
    words = {}
    for item in items:
        undecided = "unsure" if item["wanted"] else item["label"]
        words[item["constraint"]] = undecided if item["decided"] is None else item["decided"]
    stated = {judged.constraint: judged.judgement for judged in outcome.judgements}
    yield from compared(f"{path}.judged", stated, words)
    said_of = {item["constraint"]: item for item in items}
    for judged in outcome.judgements:
        if found := said_of.get(judged.constraint):
            wanted = wants_person(judging, critical=judged.critical)
            one = {"kind": found["kind"], "wanted": found["wanted"]}
            other = {"kind": judged.kind, "wanted": wanted}
            yield from compared(f"{path}.judged[{judged.constraint}]", one, other)


def _word_said(path: str, item: Mapping[str, Any]) -> Iterator[Difference]:
    """Every word is one, and what people decided is among what they said."""
    undecided = item["decided"] is None  # then a blank stands for each word
    words = [item["label"], *(word for word in item["people"] if word or not undecided)]
    for word in words:
        if word not in JUDGEMENTS:
            yield Difference(path, shown(word), "a judgement", REQUIRED)
    if item["decided"] is not None and item["decided"] not in item["people"]:
        told = "among what people said"
        yield Difference(f"{path}.decided", shown(item["decided"]), told, REQUIRED)
    for name in ("wanted", "drawn"):
        if type(item[name]) is not bool:
            yield Difference(f"{path}.{name}", shown(item[name]), "true or false", REQUIRED)


def _counted(rows: Iterable[Any]) -> Iterator[tuple[int, Any]]:
    return enumerate(rows, start=1)


def _read(what: str, number: int, read: Any, row: Any) -> Any:
    try:
        return read(row)
    except (AttributeError, KeyError, TypeError, ValueError) as fault:
        raise Unreadable(f"rows.{what}, row {number}: {said(fault)}.") from fault
