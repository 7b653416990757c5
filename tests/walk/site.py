"""A whole installation for a browser: web server, worker and a person at the keyboard."""

import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.services.installation import ROOT, Installation, kill

WIDTHS = (1440, 375)
SCHEMES = ("light", "dark")


@dataclass
class Site(Installation):
    """An installation that is served on a port of this machine."""

    port: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def manage(self, *words: str) -> "subprocess.CompletedProcess[str]":
        """Type a management command."""
        return subprocess.run(
            [sys.executable, "manage.py", *words],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=120,
        )

    @contextmanager
    def served(self) -> Iterator["Site"]:
        """Serve the app until the block ends."""
        command = ["gunicorn", "config.wsgi", "--bind", f"127.0.0.1:{self.port}"]
        command += ["--worker-class", "gthread", "--threads", "4"]
        log = (self.folder / "web.log").open("a")
        process = self.begin(*command, stdout=log, stderr=log, start_new_session=True)
        try:
            self._wait_until_healthy(process)
            yield self
        finally:
            kill(process)
            log.close()

    def _wait_until_healthy(self, process: "subprocess.Popen[str]") -> None:
        until = time.monotonic() + 45
        while True:
            try:
                with urllib.request.urlopen(f"{self.url}/healthz", timeout=5) as answer:  # noqa: S310
                    assert answer.status == 200
                    return
            except OSError:  # not listening yet, or still loading
                log = (self.folder / "web.log").read_text(errors="replace")[-2000:]
                assert process.poll() is None, f"The web server ended:\n{log}"
                assert time.monotonic() < until, f"The web server did not start:\n{log}"
                time.sleep(0.05)


class Looker:
    """Looks at a page in both schemes: axe must find nothing, nothing may be wider than the page.

    With a folder for screenshots, it also keeps the page at both widths, light and dark.
    """

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self.faults: list[str] = []

    def look(self, page: Page, name: str) -> None:
        size = page.viewport_size
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            wide = page.evaluate("document.documentElement.scrollWidth")
            if wide > width:
                self.faults.append(f"{name}: {wide} px wide on a screen of {width} px")
            for scheme in SCHEMES:
                page.emulate_media(color_scheme=scheme)
                if self.folder:
                    self.folder.mkdir(parents=True, exist_ok=True)
                    path = self.folder / f"{name}-{width}-{scheme}.png"
                    # Hiding the caret would be an inline style, which the policy forbids.
                    page.screenshot(path=path, full_page=True, caret="initial")
                if width == WIDTHS[0]:
                    self._axe(page, f"{name} ({scheme})")
        page.emulate_media(color_scheme="light")
        if size:
            page.set_viewport_size(size)

    def _axe(self, page: Page, name: str) -> None:
        found = Axe().run(page)
        for violation in found.response["violations"]:
            nodes = "; ".join(str(node["target"]) for node in violation["nodes"][:3])
            self.faults.append(f"{name}: {violation['id']}: {violation['help']} at {nodes}")


def upload(somebody: Any, address: str, path: Path, kind: str) -> Page:
    """Bring a file to the import page, and say what it holds where that was guessed otherwise."""
    page: Page = somebody.go(address)
    page.locator("input[name=file]").set_input_files(path)
    page.locator("main form button.main").first.click()
    page.wait_for_url("**/import/*-*/")
    chosen = page.locator("select[name=kind]")
    if chosen.input_value() != kind:
        with page.expect_response("**/import/*-*/"):
            chosen.select_option(kind)
    return page
