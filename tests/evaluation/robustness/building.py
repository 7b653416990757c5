"""Studies made of tables, for the tests of figures."""

from collections.abc import Mapping, Sequence
from typing import Any

from evaluation.robustness.measures import MEASURES, Gold, Scored
from evaluation.robustness.study import CLEAN, Item, RowKey, Settings, Study, VariedSet

QUICK = Settings(resamples=400, seed=1)
WORDING = "w"


def worth(value: float | None, **more: float | None) -> Scored:
    """A row with `value` under every measure, except those named in `more`."""
    values = {**dict.fromkeys(MEASURES, value), **more}
    why = {name: "The request has no gold answer." for name, v in values.items() if v is None}
    return Scored("ok", values, why, took=(1, 1))


def failed(why: str = "The model wrote nothing.") -> Scored:
    return Scored("failed", dict.fromkeys(MEASURES), {}, why)


def gold(key: str, base: str = "") -> Gold:
    return Gold(key, ("a",), (("d",),), base)


def study(
    values: Mapping[str, Mapping[str, Sequence[float | Scored | None]]],
    kinds: Sequence[str],
    *,
    bases: Mapping[str, str] | None = None,
    **more: Any,
) -> Study:
    """A study of one set. `values` holds of each pipeline its values under "clean" and "varied", a
    value a request; `kinds` says what kind of variation each request has in the set ("" for none).
    """
    keys = [f"r{n:04d}" for n in range(len(kinds))]
    items = tuple(
        Item(key, kind, WORDING if kind else CLEAN) for key, kind in zip(keys, kinds, strict=True)
    )
    rows: dict[RowKey, Scored] = {}
    for pipeline, sides in values.items():
        for side, wording in (("clean", CLEAN), ("varied", WORDING)):
            for key, value, kind in zip(keys, sides.get(side, ()), kinds, strict=False):
                if wording == WORDING and not kind:
                    continue
                row = value if isinstance(value, Scored) else worth(value)
                rows[pipeline, key, wording, wording] = row
    golds = {key: gold(key, (bases or {}).get(key, "")) for key in keys}
    one = VariedSet("typos 20", items, 0.2, "spelling 1, seed 7")
    return Study(golds, [one], list(values), rows, settings=more.pop("settings", QUICK), **more)
