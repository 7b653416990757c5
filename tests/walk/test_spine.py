"""From an imported request to a verdict in a real browser: a persona a role, nothing mocked."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.walk import harbor
from tests.walk.site import Looker, Site, upload

pytestmark = pytest.mark.browser
STUDY = "/p/harbor/"


def test_from_an_imported_request_to_a_verdict(
    site: Site, browser: Browser, person: Any, looker: Looker, tmp_path: Path
) -> None:
    anybody = browser.new_page()
    for address, name in (("/", "log-in"), ("/p/nowhere/", "log-in-first"), ("/x/", "not-found")):
        anybody.goto(f"{site.url}{address}")
        looker.look(anybody, name)
    owner = person("owner")
    names = ("annotator-a", "annotator-b", "adjudicator", "engineer")
    people = {name: person(name) for name in names}
    _owner_makes_the_study(owner, names, looker, tmp_path)
    for name in ("annotator-a", "annotator-b"):
        _annotator_seals_three_sheets(people[name], looker)
    _adjudicator_approves(people["adjudicator"], looker)
    _annotator_writes_references(people["annotator-a"], looker)
    engineer = people["engineer"]
    _engineer_prepares(engineer, looker, tmp_path)
    _engineer_reads_the_verdict(engineer, site, looker)
    _adjudicator_judges(people["adjudicator"], looker)
    _engineer_reads_the_next_verdict(engineer, site)
    looker.look(owner.go("/"), "home")
    assert looker.faults == []


def _owner_makes_the_study(
    owner: Any, names: tuple[str, ...], looker: Looker, folder: Path
) -> None:
    page = owner.page
    looker.look(page, "home-empty")
    owner.go("/projects/new/")
    page.locator("input[name=name]").fill("Harbor study")
    page.locator("input[name=slug]").fill("harbor")
    looker.look(page, "project-new")
    page.get_by_role("button", name="Create the project").click()
    page.wait_for_url(f"**{STUDY}")
    owner.go(f"{STUDY}people/")
    for name in names:
        page.locator("input[name=username]").fill(name)
        role = name.split("-")[0]
        page.locator("section[aria-labelledby=add]").locator(f"input[value={role}]").check()
        page.get_by_role("button", name="Add to the project").click()
        expect(page.get_by_role("status").first).to_contain_text(name)
    looker.look(page, "people")
    broken = harbor.write(folder, "broken.jsonl", harbor.CORPUS[:2])
    broken.write_text(broken.read_text() + '{"_id": "d3", "text": \n', encoding="utf-8")
    upload(owner, f"{STUDY}import/", broken, "corpus")
    looker.look(page, "import-preview")
    page.locator("button[value=check]").click()
    expect(page.locator("#job")).to_contain_text("broken JSON")
    looker.look(page, "import-faults")
    _import(owner, "corpus", harbor.write(folder, "corpus.jsonl", harbor.CORPUS))
    _import(owner, "requests", harbor.write(folder, "requests.jsonl", harbor.REQUESTS))
    expect(page.locator("#job")).to_contain_text("3 written of 3 rows read")
    places = ("", "corpus/", "corpus/1/d1/", "requests/", "requests/h1/", "ledger/", "settings/")
    for place in places:
        looker.look(
            owner.go(f"{STUDY}{place}"), f"study-{place.strip('/').replace('/', '-') or 'home'}"
        )


def _import(somebody: Any, kind: str, path: Path, arm: str = "") -> None:
    page = upload(somebody, f"{STUDY}import/", path, kind)
    if arm:
        page.locator("input[name=target]").fill(arm)
    page.locator("button[value=check]").click()
    page.locator("button[value=import]").click()
    expect(page.locator("#job")).to_contain_text("written of")


def _annotator_seals_three_sheets(annotator: Any, looker: Looker) -> None:
    page = annotator.go(f"{STUDY}desk/")
    if annotator.name == "annotator-a":
        looker.look(page, "desk")
    page.get_by_role("button", name="Take the next item").click()
    for key in ("h1", "h2", "h3"):
        expect(page.locator("h1")).to_contain_text(key)
        page.wait_for_load_state()
        name, year = harbor.MARKS[key]
        annotator.press(*name)
        expect(page.locator("#c1-name")).to_be_focused()
        annotator.press("Escape", *year)
        expect(page.locator("#c2-relation")).to_be_focused()
        annotator.press("Escape")
        if (annotator.name, key) == ("annotator-b", "h2"):
            annotator.press("2")
            expect(page.locator("#materiality-c2")).to_contain_text("minor")
        if (annotator.name, key) == ("annotator-a", "h1"):
            looker.look(page, "sheet")
        annotator.press("Control+Enter")
        expect(page.locator("h1")).not_to_contain_text(key)


def _adjudicator_approves(adjudicator: Any, looker: Looker) -> None:
    page = adjudicator.go(f"{STUDY}bench/")
    looker.look(page, "bench")
    for number in range(3):
        adjudicator.go(f"{STUDY}bench/")
        page.get_by_role("button", name=re.compile("Adjudicate|Go on")).first.click()
        page.wait_for_url("**/bench/*/")
        pair = page.locator(".pair[data-item]")
        if pair.count():
            expect(page.locator("#approve")).to_be_disabled()
            looker.look(page, "bench-request")
            adjudicator.press(
                "a" if "critical" in pair.locator("> div").first.inner_text() else "b"
            )
        expect(page.locator("#approve")).to_be_enabled()
        adjudicator.press("Control+Enter")
        link = page.get_by_role("link", name="Read it")
        expect(link).to_be_visible()
        if number == 0:
            link.click()
            page.wait_for_url("**/contracts/*/")
            looker.look(page, "contract")


def _annotator_writes_references(annotator: Any, looker: Looker) -> None:
    page = annotator.go(f"{STUDY}desk/")
    page.get_by_role("button", name="Take the next item").click()
    for key, text in harbor.REFERENCES.items():
        expect(page.locator("h1")).to_contain_text(key)
        page.wait_for_load_state()
        page.locator("textarea[name=text]").fill(text)
        if key == "h1":
            looker.look(page, "standalone")
        annotator.press("Control+Enter")
        expect(page.locator("h1")).not_to_contain_text(key)


def _engineer_prepares(engineer: Any, looker: Looker, folder: Path) -> None:
    rewrites = harbor.write(folder, "rewrites.jsonl", harbor.REWRITES)
    _import(engineer, "rewrites", rewrites, arm="ours")
    page = engineer.go(f"{STUDY}protocols/new/")
    looker.look(page, "protocol-new")
    _fill_protocol(page)
    page.get_by_role("button", name="Register and seal").click()
    page.wait_for_url(re.compile(r"/protocols/\d+/"))
    looker.look(page, "protocol")
    looker.look(engineer.go(f"{STUDY}protocols/"), "protocols")
    looker.look(engineer.go(f"{STUDY}runs/"), "runs-empty")
    looker.look(engineer.go(f"{STUDY}runs/conditions/new/"), "conditions-new")
    page.get_by_role("button", name="Freeze").click()
    page.wait_for_url(re.compile(r"/runs/conditions/\d+/"))
    for arm in ("human", "keywords", "ours"):
        page.locator(f"input[name=arms][value={arm}]").check()
    looker.look(page, "conditions")
    page.get_by_role("button", name="Start the run").click()
    page.wait_for_url(f"**{STUDY}runs/1/")


def _fill_protocol(page: Page) -> None:
    page.locator("input[name=name]").fill("walk-gate")
    page.locator("[name=judging][value=automatic]").check()
    default = page.locator("fieldset.class-rule").first
    values = {"completeness_floor": "90", "regression_ceiling": "70", "min_requests": "3"}
    for field, value in values.items():
        default.locator(f"input[name$={field}]").fill(value)


def _engineer_reads_the_verdict(engineer: Any, site: Site, looker: Looker) -> None:
    page = engineer.page
    expect(page.locator("h1")).to_contain_text("ship?", timeout=60_000)
    _verdict_says(engineer, site, "1 of 3 requests, open judgements counted as lost")
    looker.look(page, "verdict")
    page.get_by_role("link", name="Constraint matrix").click()
    expect(page.locator("main")).to_contain_text("altered")
    expect(page.locator("main tbody tr")).to_have_count(1)
    looker.look(page, "matrix")
    page.get_by_role("link", name="h2", exact=True).click()
    expect(page.locator("main")).to_contain_text("Another time")
    looker.look(page, "case")
    page.goto(f"{site.url}{STUDY}runs/compare/")
    looker.look(page, "compare")
    looker.look(engineer.go(f"{STUDY}runs/"), "runs")
    looker.look(engineer.go("/account/"), "account")


def _verdict_says(engineer: Any, site: Site, kept: str) -> None:
    """The page and the command give the same word for the same reason."""
    sentence = f"Every critical constraint is kept in {kept}"
    page = engineer.go(f"{STUDY}runs/1/?arm=ours")
    verdict = page.locator(".verdict").filter(has_text="dated-fact")
    expect(verdict).to_contain_text("Fall back")
    expect(verdict).to_contain_text(sentence)
    gate = site.manage("gate", "harbor/1", "--arm", "ours")
    assert gate.returncode == 1
    assert sentence in gate.stdout


def _adjudicator_judges(adjudicator: Any, looker: Looker) -> None:
    page = adjudicator.go(f"{STUDY}judgements/")
    looker.look(page, "judgements")
    page.get_by_role("link", name="Judge the next").click()
    expect(page.locator("main")).to_contain_text("Harbor Rial")
    expect(page.locator("main")).not_to_contain_text("ours")
    looker.look(page, "judgement")
    adjudicator.press("1")
    # The last open one; what comes now only checks the judge.
    expect(page.locator("#said")).to_contain_text("is stated.")
    expect(page.locator("form[data-judge][data-hears]").first).to_be_attached()
    adjudicator.press("z")
    expect(page.locator("#said")).to_contain_text("Taken back")
    looker.look(page, "judgement-taken-back")
    expect(page.locator("form[data-judge][data-hears]").first).to_be_attached()
    adjudicator.press("1")
    expect(page.locator("#said")).to_contain_text("is stated.")


def _engineer_reads_the_next_verdict(engineer: Any, site: Site) -> None:
    """The worker computes the verdict again once nothing waits; the old version stays."""
    page = engineer.go(f"{STUDY}runs/1/?arm=ours")
    for _try in range(60):
        if "2 of 3 requests" in page.locator(".verdicts").inner_text():
            break
        page.wait_for_timeout(250)
        page.reload()
    _verdict_says(engineer, site, "2 of 3 requests (")
    held = site.manage("verify_ledger", "harbor")
    assert held.returncode == 0, held.stderr
