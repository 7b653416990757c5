"""Whether one tab stays as fast and as small as it was: `python -m tests.bench.long_tab`.

A real Chromium tab on a real server takes a sheet, marks a word and seals it, two hundred times,
while ten other people take, mark and seal beside it. Told are the median times of the first twenty
items and of the last twenty, and what the tab holds at item 20 and at the last one after its
garbage was collected.
"""

import argparse
import json
import statistics
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any

from playwright.sync_api import CDPSession, Page, expect, sync_playwright

from tests.bench.load import Annotator, Heard, installed, served, study
from tests.chromium import ARGUMENTS, ensure

FEW = 20  # items at either end
COUNTED = ("JSHeapUsedSize", "Nodes", "JSEventListeners", "Documents")
PAUSE = 3.0  # mean seconds before each act of the others


def begin(page: Page) -> None:
    """From the desk to the first sheet."""
    page.locator("form.start button").click()
    page.wait_for_url("**/desk/sheet/*/")


def mark_and_seal(page: Page) -> tuple[float, float]:
    """Mark the first word of the sheet that is open and seal it; return the seconds until the row
    was there, and from the seal until the next sheet was.
    """
    expect(page.locator("#work [data-turn]").last).to_be_visible()
    page.keyboard.press("ArrowRight")
    began = time.perf_counter()
    page.keyboard.press("r")
    expect(page.locator("#row-c1 form.value :focus")).to_have_count(1)
    marked = time.perf_counter() - began
    page.keyboard.press("Escape")
    this, began = page.url, time.perf_counter()
    page.keyboard.press("Control+Enter")
    page.wait_for_url(lambda there: there != this, wait_until="load")
    return marked, time.perf_counter() - began


def eyes(page: Page) -> CDPSession:
    """What `held` asks."""
    found = page.context.new_cdp_session(page)
    found.send("Performance.enable")
    return found


def held(session: CDPSession) -> dict[str, int]:
    """What the tab holds once its garbage is collected: bytes of the heap, nodes, listeners and
    documents.
    """
    for _again in range(2):  # what the first leaves behind is garbage for the second
        session.send("HeapProfiler.collectGarbage")
    metrics = session.send("Performance.getMetrics")["metrics"]
    return {one["name"]: int(one["value"]) for one in metrics if one["name"] in COUNTED}


@contextmanager
def others_at_work(port: int, sessions: Sequence[str]) -> Iterator[Heard]:
    """Other people who take, mark and seal until the block ends."""
    heard, over = Heard(), threading.Event()

    def work(number: int, session: str) -> None:
        rng = Random(number)  # noqa: S311 a benchmark, no secret
        person = Annotator(port, session, PAUSE, heard, rng)
        while not over.is_set():
            person.work_until(time.monotonic() + 1)

    threads = [threading.Thread(target=work, args=told) for told in enumerate(sessions)]
    for thread in threads:
        thread.start()
    try:
        yield heard
    finally:
        over.set()
        for thread in threads:
            thread.join()


def run(*, items: int, others: int) -> dict[str, Any]:
    """Seal the items in one tab beside the others; return the figures."""
    with installed("sqlite") as installation:
        made = study(installation, "make", str(others + 1), str(items * 5 + 500))
        mine, *theirs = made["sessions"]
        with served(installation, 2, 4) as (port, _master), others_at_work(port, theirs) as heard:
            spent, counted = _tab(f"http://127.0.0.1:{port}", mine, items)
        stored = len(study(installation, "count")["seats"])
    return {
        "items": items,
        "sealed_by_others": len(heard.sealed),
        "lost": items + len(heard.sealed) - stored,
        "mark": _ends([marked for marked, _next in spent]),
        "seal_and_next": _ends([following for _mark, following in spent]),
        "held": counted,
    }


def _tab(site: str, session: str, items: int) -> tuple[list[tuple[float, float]], dict[str, Any]]:
    spent, counted = [], {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=ensure(), args=ARGUMENTS)
        page = browser.new_page()
        page.context.add_cookies([{"name": "sessionid", "value": session, "url": site}])
        page.goto(f"{site}/p/load/desk/")
        looks = eyes(page)
        begin(page)
        for number in range(1, items + 1):
            spent.append(mark_and_seal(page))
            if number in (min(FEW, items), items):
                page.wait_for_load_state("networkidle")  # the suggestions are there too
                counted[f"item {number}"] = held(looks)
        browser.close()
    return spent, counted


def _ends(seconds: Sequence[float]) -> dict[str, Any]:
    """The median of the first few and of the last few, their ratio, and the medians of all that
    lie between: on a machine that does something else too, they show how much is noise.
    """
    first, last = (statistics.median(some) for some in (seconds[:FEW], seconds[-FEW:]))
    some = (seconds[start : start + FEW] for start in range(0, len(seconds), FEW))
    return {
        "first_ms": round(first * 1000),
        "last_ms": round(last * 1000),
        "ratio": round(last / first, 2),
        "every_20_ms": [round(statistics.median(part) * 1000) for part in some],
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.long_tab", description=__doc__)
    parser.add_argument("--items", type=int, default=200)
    parser.add_argument("--others", type=int, default=10, help="people who work beside the tab")
    given = parser.parse_args()
    sys.stdout.write(json.dumps(run(items=given.items, others=given.others), indent=1) + "\n")


if __name__ == "__main__":
    main()
