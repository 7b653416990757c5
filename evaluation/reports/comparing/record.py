"""Two sides compared: which they are, whether they can be, and the record that the page, the
command and the API show. A side is one arm of one finished run.
"""

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import Any
from weakref import WeakValueDictionary

from django.utils.translation import gettext as _

from annotation.models import Project
from annotation.whole_numbers import whole_number
from evaluation.models import Arm, Run
from evaluation.reports.comparing.conditions import Difference, condition_differences
from evaluation.reports.protocol.voiding import void_json
from evaluation.runs.inputs import clusters_of, pairs_of
from evaluation.scoring.arm_scores import FIVE, MEASURED
from evaluation.scoring.outcomes import CaseOutcome
from evaluation.scoring.protocol import parse_protocol
from evaluation.scoring.run_comparison import Settings, compare_arms

SCHEMA = "run_comparison/1"
# So many records are kept in each process: one of ten thousand requests takes seconds to compute.
_MOST_KEPT = 4
# What no comparison looks at: the words and the lists, which are most of a record.
_UNREAD = frozenset(
    ("query_texts", "filters", "ranked_ids", "tie_groups", "own_evidence", "answer_text")
)
_kept: OrderedDict[tuple[Any, ...], dict[str, Any]] = OrderedDict()
# Who computes a record now: a second reader of the same waits for it. Guarded by `_lock`.
_computing: WeakValueDictionary[tuple[Any, ...], Lock] = WeakValueDictionary()
_lock = Lock()


@dataclass(frozen=True, slots=True)
class Side:
    """One arm of one finished run; `name` is how an address and a command name it."""

    run: Run
    arm: Arm

    @property
    def name(self) -> str:
        return f"{self.run.number}:{self.arm.name}"


def side_named(project: Project, name: str) -> Side:
    """Return the side that `RUN:ARM` names; raises NoSuchSide with a sentence. Of its run the large
    columns are read when they are needed.
    """
    written, _colon, arm_name = name.partition(":")
    number = whole_number(written)
    rows = project.runs.select_related("protocol", "conditions").prefetch_related("arms")
    rows = rows.defer("result", "conditions__content")
    run = rows.filter(number=number).first() if number is not None else None
    if run is None:
        raise NoSuchSide(
            _("“%(name)s” names no arm of a run here.") % {"name": name},
            _("Write RUN:ARM, such as 3:keywords."),
        )
    run.project = project  # whose roles are read already
    if run.state != Run.State.FINISHED:
        raise NoSuchSide(
            _("Run %(n)d has no results: it is %(state)s.")
            % {"n": run.number, "state": run.get_state_display()},
            _("Compare it once it is finished."),
        )
    arms = {arm.name: arm for arm in run.arms.all()}
    if arm_name not in arms:
        raise NoSuchSide(
            _("Run %(n)d has no arm “%(arm)s”.") % {"n": run.number, "arm": arm_name},
            _("Its arms are %(arms)s.") % {"arms": ", ".join(sorted(arms))},
        )
    return Side(run, arms[arm_name])


class NotComparable(Exception):
    """The two sides are not compared: a sentence, what differs, and what to do."""

    def __init__(
        self, sentence: str, remedy: str, differences: tuple[Difference, ...] = ()
    ) -> None:
        self.sentence, self.remedy, self.differences = sentence, remedy, differences
        super().__init__(f"{sentence} {remedy}")


class NoSuchSide(NotComparable):
    """A name that is no side."""


def require_comparable(a: Side, b: Side) -> None:
    """Raise NotComparable unless both sides stand under equal Conditions and are judged alike."""
    if (a.run.pk, a.arm.pk) == (b.run.pk, b.arm.pk):
        raise NotComparable(
            _("Both sides are the same arm of the same run."), _("Choose another arm or run.")
        )
    if a.run.conditions.sha256 != b.run.conditions.sha256:
        raise NotComparable(
            _(
                "The two runs have other conditions, so a difference between them need not come "
                "from the rewriter: they are not put on one axis."
            ),
            _(
                "Put both arms into one run: extend run %(n)d by the arm “%(arm)s”, or freeze "
                "conditions anew and start both there. What is equal is taken over."
            )
            % {"n": b.run.number, "arm": a.arm.name},
            condition_differences(a.run.conditions.content, b.run.conditions.content),
        )
    judged_a, judged_b = _judging(a.run), _judging(b.run)
    if judged_a != judged_b:
        raise NotComparable(
            _(
                "The protocols of the two runs let other people judge, so equal rewrites could "
                "score differently."
            ),
            _("Start one run with both arms under one protocol."),
            condition_differences(judged_a, judged_b),
        )


def comparison_record(a: Side, b: Side) -> dict[str, Any]:
    """Return everything that is shown of B against A, computed from the rows of both sides' cases
    and kept while they stay as they are. Not to be changed by who reads it.

    Raises NotComparable.
    """
    require_comparable(a, b)
    key = (*_standing(a), *_standing(b))
    with _lock:
        turn = _computing.setdefault(key, Lock())
    with turn:
        with _lock:
            if key in _kept:
                _kept.move_to_end(key)
                return _kept[key]
        found = _computed(a, b)
        with _lock:
            _kept[key] = found
            while len(_kept) > _MOST_KEPT:
                _kept.popitem(last=False)
        return found


def comparison_void(a: Side, b: Side) -> dict[str, dict[str, Any] | None]:
    """By side the newer registration that voids its decisions: a record is kept longer than that
    stays true.
    """
    return {"a": void_json(a.run), "b": void_json(b.run)}


def _standing(side: Side) -> tuple[Any, ...]:
    return side.run.pk, side.arm.pk, side.run.finished_at, side.run.result_sha256


def _computed(a: Side, b: Side) -> dict[str, Any]:
    settings, alike = _settings(a.run, b.run)
    before, after = read_outcomes(a), read_outcomes(b)
    _require_equal_requests(before, after)
    clusters = clusters_of(pairs_of(a.run).values_list("twin__key", "base__key"))
    record = compare_arms(before, after, clusters=clusters, settings=settings).to_json()
    for scope in record["scopes"]:
        scope["a"], scope["b"] = (_own_scores(side, scope["scope"]) for side in (a, b))
    return {
        "schema": SCHEMA,
        "project": a.run.project.slug,
        "conditions": a.run.conditions.sha256,
        "a": _described(a),
        "b": _described(b),
        "protocols_alike": alike,
        **record,
    }


def read_outcomes(side: Side) -> list[CaseOutcome]:
    """Read what each case of the side came to: of the rows nothing but that."""
    rows = side.run.cases.filter(arm=side.arm).order_by("pk")
    found = []
    for content in rows.values_list("outcome__outcome", flat=True).iterator(chunk_size=1000):
        if content is None:
            raise NotComparable(
                _("Run %(n)d has cases without a scored record.") % {"n": side.run.number},
                _("It was computed by an earlier version: start it anew."),
            )
        needed = {name: value for name, value in content.items() if name not in _UNREAD}
        found.append(CaseOutcome.from_json(needed))
    return found


def _require_equal_requests(before: list[CaseOutcome], after: list[CaseOutcome]) -> None:
    keys = ({o.request: "" for o in before}, {o.request: "" for o in after})
    if keys[0] != keys[1]:
        raise NotComparable(
            _("The two sides do not hold the same requests."),
            _("Start one run with both arms."),
            condition_differences({"requests": keys[0]}, {"requests": keys[1]}),
        )


def _judging(run: Run) -> dict[str, Any]:
    return {"judging": run.judging, "judges": run.judges}


def _settings(a: Run, b: Run) -> tuple[Settings, bool]:
    """How to compute: as the Protocol of both says; where they say it differently, by default."""
    first, second = (_of_protocol(run) for run in (a, b))
    return (first, True) if first == second else (Settings(), False)


def _of_protocol(run: Run) -> Settings:
    if run.protocol is None:
        return Settings()
    said = parse_protocol(run.protocol.content)
    return Settings(said.test, said.correction, said.level, said.resamples, said.seed)


def _own_scores(side: Side, scope: str) -> dict[str, Any]:
    """The side's own scores in the scope, as its run's page shows them."""
    for row in (side.run.result or {})["scorecard"]["arms"]:
        if (row["arm"], row["scope"]) == (side.arm.name, scope):
            return {
                "scores": {name: row["scores"][name]["estimate"] for name in FIVE},
                "measured": {name: row["measured"][name] for name in MEASURED},
            }
    raise NotComparable(
        _("The result of run %(n)d does not have the arm “%(arm)s”.")
        % {"n": side.run.number, "arm": side.arm.name},
        _("Start the run anew."),
    )


def _described(side: Side) -> dict[str, Any]:
    run = side.run
    return {
        "run": f"{run.project.slug}/{run.number}",
        "number": run.number,
        "arm": side.arm.name,
        "content": run.arm_content.get(side.arm.name, {}),
        "protocol": str(run.protocol) if run.protocol else None,
        "result_sha256": run.result_sha256,
        "judged": (run.result or {}).get("judging", {}).get("by", {}).get(side.arm.name),
    }
