"""The five charts from a result whose numbers are counted by hand."""

import re
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import PackageNotFoundError
from typing import Any
from xml.etree import ElementTree

import pytest
from django.core.cache import caches
from django.core.cache.backends.filebased import FileBasedCache
from django.utils import translation

from evaluation.charting import drawing
from evaluation.charting.shapes import Bars, Points
from evaluation.reports.charts.bars import families_chart, gains_chart, kinds_chart, stages_chart
from evaluation.reports.charts.cost import _ticks, cost_chart
from evaluation.reports.charts.result_charts import charts
from evaluation.scoring.result import result_of
from tests.evaluation.scoring.building import case, judged, pair

# Of ten requests the original has the first eight right; the candidate loses 0 and 1 and gains 8.
RIGHT_BEFORE, RIGHT_AFTER = "++++++++--", "--+++++++-"


def made() -> dict[str, Any]:
    outcomes = []
    for n in range(10):
        old, new = RIGHT_BEFORE[n] == "+", RIGHT_AFTER[n] == "+"
        time = judged("stated", kind="time")
        lossy = judged("dropped" if n < 2 else "unsure" if n == 2 else "stated", kind="time")
        outcomes += [
            case(f"r{n}", "original", right=old, judgements=time),
            case(f"r{n}", "cand", right=new, judgements=lossy, cost=0.002, calls=1),
        ]
    pairs = [
        *(pair(n, True, arm="original") for n in range(3)),
        *(pair(n, n == 0, arm="cand", rewrite=n < 2) for n in range(3)),
        pair(9, None, "status", arm="cand"),
    ]
    return result_of(outcomes, pairs, [], clusters={}, protocol=None)


@pytest.fixture(scope="module")
def result() -> dict[str, Any]:
    return made()


@pytest.fixture(autouse=True)
def empty_cache() -> None:
    caches["charts"].clear()


def test_kinds_are_kept_lost_and_open_of_all(result: dict[str, Any]) -> None:
    rows = kinds_chart(result, ["original", "cand"], "cand", "all").rows
    assert rows == (
        ("time", "original", "10 of 10 (100.0 %)", "0", "0", "10 of 10"),
        ("time", "cand", "7 of 10 (70.0 %)", "2", "1", "7 of 10"),
    )


def test_a_result_without_kinds_says_how_to_get_them(result: dict[str, Any]) -> None:
    old = {name: value for name, value in result.items() if name != "kinds"}
    chart = kinds_chart(old, ["original", "cand"], "cand", "all")
    assert chart.picture is None and not chart.rows
    assert "concluded before constraints were counted by kind" in chart.note
    assert "manage.py runs PROJECT NUMBER --compute" in chart.note


def test_regressions_and_gains_have_their_own_denominators(result: dict[str, Any]) -> None:
    whole, single = gains_chart(result, "cand").rows
    assert whole[0] == "all classes" and single[0] == "dated-fact"
    # Wilson's 95 % interval of 2 of 8 is 7.1 to 59.1 %, of 1 of 2 9.5 to 90.5 %.
    assert whole[2] == "25.0 % (2 of 8; 7.1 to 59.1 %)"
    assert whole[3] == "50.0 % (1 of 2; 9.5 to 90.5 %)"
    # Exact two-sided McNemar of 2 against 1: p = 1.
    assert (whole[1], whole[4], whole[5]) == ("10", "3 of 10", "p = 1.00")


def test_without_a_candidate_nothing_is_compared(result: dict[str, Any]) -> None:
    chart = gains_chart(result, None)
    assert chart.picture is None and "no candidate" in chart.note


def test_stages_are_counts_of_all_cases(result: dict[str, Any]) -> None:
    chart = stages_chart(result, ["original", "cand"], "cand")
    rows = {row[0]: dict(zip(chart.head[1:], row[1:], strict=True)) for row in chart.rows}
    assert rows["cand"]["rewrite"] == "2 of 10"
    assert rows["cand"]["cannot be told yet"] == "1 of 10"
    assert rows["original"]["generation"] == "2 of 10"


def test_families_have_passes_and_components_of_pairs(result: dict[str, Any]) -> None:
    date, status = families_chart(result, "cand").rows
    assert date[0] == "date" and "3 of 3" in date[1] and "1 of 3" in date[2]
    assert "2 of 3" in date[3]
    assert status[-1] == "1"  # not assessed


def test_a_run_without_pairs_says_so(result: dict[str, Any]) -> None:
    bare = {**result, "families": {"original": [], "cand": []}}
    assert "no twin pairs" in families_chart(bare, "cand").note


def test_an_unknown_cost_is_listed_and_never_a_number(result: dict[str, Any]) -> None:
    chart = cost_chart(result, "cand", "all")
    assert chart.note == "Cost not measured: original."
    assert [row[:2] for row in chart.rows] == [
        ("original", "not measured"),
        ("cand", "USD 0.00200 (over 10; no spread)"),
    ]
    assert isinstance(chart.picture, Points)
    assert [(p.name, p.x) for p in chart.picture.points] == [("original", None), ("cand", 0.002)]


def test_where_no_cost_is_known_nothing_is_drawn_and_the_table_stands() -> None:
    rights = [case(f"r{n}", arm) for n in range(3) for arm in ("original", "cand")]
    chart = cost_chart(result_of(rights, [], [], clusters={}, protocol=None), "cand", "all")
    assert chart.picture is None and len(chart.rows) == 2
    assert "No arm's cost was measured" in chart.note


@pytest.mark.parametrize(
    ("most", "shown"),
    [
        (0.0035, ("0", "0.002", "0.004")),
        (0.0000383, ("0", "0.00002", "0.00004")),
        (1.0, ("0", "0.5", "1")),
        (7.0, ("0", "4", "8")),
        (0.0, ("0", "0.5", "1")),
    ],
)
def test_the_axis_of_cost_ends_at_a_round_number(most: float, shown: tuple[str, ...]) -> None:
    assert tuple(text for _place, text in _ticks(most)) == shown


def test_all_five_are_drawn(result: dict[str, Any]) -> None:
    found = charts(result, ["original", "cand"], "cand")
    assert [chart.name for chart in found] == ["kinds", "gains", "stages", "families", "cost"]
    assert all(chart.svg and chart.rows for chart in found)


def test_the_numbers_of_a_description_are_those_of_its_table(result: dict[str, Any]) -> None:
    for chart in charts(result, ["original", "cand"], "cand"):
        table = " ".join(cell for row in chart.rows for cell in row)
        told = re.findall(r"\d+ of \d+", chart.description)
        assert told and [count for count in told if count not in table] == [], chart.name
        root = ElementTree.fromstring(chart.svg)  # noqa: S314 ours
        desc = next(each for each in root if each.tag.endswith("desc"))
        assert desc.text == chart.description


def test_bars_are_as_long_as_their_numbers(result: dict[str, Any]) -> None:
    picture = kinds_chart(result, ["cand"], "cand", "all").picture
    assert isinstance(picture, Bars)
    (bar,) = picture.groups[0].bars
    assert [(part.share, part.look) for part in bar.parts] == [
        (0.7, "solid"),
        (0.1, "hatched"),
        (0.2, "empty"),
    ]
    assert bar.value == "7 of 10" and bar.mark == 0.7


def test_two_candidates_of_one_page_share_no_id(result: dict[str, Any]) -> None:
    both = [*charts(result, ["cand"], "cand"), *charts(result, ["original"], None)]
    ids = [each for chart in both for each in re.findall(r' id="([^"]+)"', chart.svg)]
    assert len(ids) == len(set(ids))


def test_a_chart_is_drawn_once(result: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    first = charts(result, ["original", "cand"], "cand")
    monkeypatch.setattr(drawing, "draw", lambda *_a, **_k: pytest.fail("drawn again"))
    assert charts(result, ["original", "cand"], "cand") == first


def test_another_language_is_another_drawing(result: dict[str, Any]) -> None:
    charts(result, ["cand"], "cand")
    before = len(list(_entries()))
    with translation.override("de"):
        charts(result, ["cand"], "cand")
    assert len(list(_entries())) > before


def _entries() -> list[str]:
    kept = caches["charts"]
    assert isinstance(kept, FileBasedCache)
    return list(kept._list_cache_files())  # type: ignore[attr-defined]


def test_a_damaged_entry_is_drawn_again(result: dict[str, Any]) -> None:
    first = charts(result, ["original", "cand"], "cand")
    for name in _entries():
        with open(name, "wb") as file:
            file.write(b"not a pickle")
    assert charts(result, ["original", "cand"], "cand") == first


def test_what_cannot_be_drawn_leaves_the_table_and_a_sentence(
    result: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_args: object, **_more: object) -> str:
        raise RuntimeError("no font")

    monkeypatch.setattr(drawing, "draw", broken)
    for chart in charts(result, ["original", "cand"], "cand"):
        assert chart.svg == "" and chart.rows
        assert "could not be drawn; its numbers stand in the table" in chart.note


def test_a_disk_that_takes_nothing_stops_no_chart(
    result: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_args: object, **_more: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(FileBasedCache, "set", full)
    assert all(chart.svg for chart in charts(result, ["original", "cand"], "cand"))


def test_two_processes_that_draw_at_once_leave_one_whole_entry(result: dict[str, Any]) -> None:
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _n: charts(result, ["cand"], "cand"), range(4)))
    assert all(each == found[0] for each in found)
    assert charts(result, ["cand"], "cand") == found[0]
    assert len(_entries()) == 5


def test_without_the_library_the_tables_stand(
    result: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(_name: str) -> str:
        raise PackageNotFoundError("matplotlib")

    drawing.version.cache_clear()
    monkeypatch.setattr(drawing.metadata, "version", gone)
    assert all(not chart.svg and chart.rows for chart in charts(result, ["cand"], "cand"))


def test_names_of_people_cannot_write_markup() -> None:
    name = "<script>alert(1)</script>"
    rights = [case(f"r{n}", arm, cost=0.1) for n in range(3) for arm in ("original", name)]
    for chart in charts(result_of(rights, [], [], clusters={}, protocol=None), [name], name):
        assert "<script" not in chart.svg
