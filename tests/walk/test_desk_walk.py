"""The desk and what stands around it, in a real browser: guidelines, consent, an invitation,
training, paraphrases, exports and tokens. Every page is looked at in both schemes.
"""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.conftest import PASSWORD
from tests.walk import harbor
from tests.walk.site import Looker, Site, upload

pytestmark = pytest.mark.browser
STUDY = "/p/desk/"
ARABIC = {"id": "h4", "class": "dated-fact", "text": "ما هي إيرادات Harbor Rail في 2022؟ 🚆"}
GOLD = [
    {
        "request": "h1",
        "use": "practice",
        "explanation": "The year is asked for, and the parent by its name.",
        "constraints": [
            {"id": "c1", "kind": "referent", "materiality": "critical", "admissible": [],
             "span": {"turn": 2, "start": 15, "end": 30}, "value": {"name": "Harbor Holdings"}},
        ],
    }
]  # fmt: skip


def test_the_desk_and_what_stands_around_it(
    site: Site, browser: Browser, person: Any, looker: Looker, tmp_path: Path
) -> None:
    owner = person("owner")
    _owner_makes_the_study(owner, looker, tmp_path)
    link = _owner_invites(owner, looker)
    page = _newcomer_joins(site, browser, link, looker)
    _newcomer_agrees_and_qualifies(page, site, looker)
    _newcomer_works(page, site, looker)
    _owner_looks_at_the_work(owner, looker)
    assert looker.faults == []


def _owner_makes_the_study(owner: Any, looker: Looker, folder: Path) -> None:
    page = owner.go("/projects/new/")
    page.locator("input[name=name]").fill("Desk study")
    page.locator("input[name=slug]").fill("desk")
    page.get_by_role("button", name="Create the project").click()
    page.wait_for_url(f"**{STUDY}")
    files = [
        ("corpus", harbor.CORPUS),
        ("requests", [*harbor.REQUESTS, ARABIC]),
        ("gold", GOLD),
    ]
    for kind, rows in files:
        upload(owner, f"{STUDY}import/", harbor.write(folder, f"{kind}.jsonl", rows), kind)
        page.locator("button[value=check]").click()
        if kind == "gold":
            looker.look(page, "import-checked")
        page.locator("button[value=import]").click()
        expect(page.locator("#job")).to_contain_text("written of")
    owner.go(f"{STUDY}settings/")
    page.locator("input[name=paraphrases_per_request]").fill("1")
    page.locator("textarea[name=consent_text]").fill("I agree that my words are kept.")
    page.get_by_role("button", name="Save", exact=False).first.click()
    looker.look(owner.go(f"{STUDY}settings/"), "settings")
    owner.go(f"{STUDY}guidelines/")
    looker.look(page, "guidelines-empty")
    for place in ("training/", "work/", "exports/"):
        looker.look(owner.go(f"{STUDY}{place}"), f"owner-{place.strip('/')}-first")


def _owner_invites(owner: Any, looker: Looker) -> str:
    page = owner.go(f"{STUDY}people/")
    form = page.locator("form[action$='/invitations/']")
    form.locator("input[value=annotator]").check()
    form.locator("button").last.click()
    link = page.locator("[value*='/join/'], a[href*='/join/'], code:has-text('/join/')").first
    expect(link).to_be_visible()
    looker.look(page, "invitation-made")
    found = re.search(r"https?://[^\s\"<]+/join/[^\s\"<]+", page.content())
    assert found
    return found.group()


def _newcomer_joins(site: Site, browser: Browser, link: str, looker: Looker) -> Page:
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.set_default_timeout(15_000)
    page.goto(link)
    looker.look(page, "invitation")
    page.locator("input[name=username]").fill("newcomer")
    for field in ("password1", "password2"):
        page.locator(f"input[name={field}]").fill(PASSWORD)
    page.locator("form:has(input[name=password1]) button").last.click()
    page.wait_for_url(f"**{STUDY}**")
    page.goto(link)
    looker.look(page, "invitation-used")
    return page


def _newcomer_agrees_and_qualifies(page: Page, site: Site, looker: Looker) -> None:
    page.goto(f"{site.url}{STUDY}desk/")
    page.locator("form.start button").click()
    page.wait_for_url("**/consent/**")
    looker.look(page, "consent")
    page.locator("input[type=checkbox]").first.check()
    page.locator("main form button.main").first.click()
    page.goto(f"{site.url}{STUDY}desk/")
    looker.look(page, "desk-to-qualify")
    page.keyboard.press("Enter")  # the one button has the focus
    page.wait_for_url("**/desk/sheet/**")
    page.wait_for_load_state()
    looker.look(page, "qualification")
    for key in ["ArrowRight"] * 4 + ["Shift+ArrowRight", "r"]:
        page.keyboard.press(key)
    expect(page.locator("#c1-name")).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("Control+Enter")
    page.wait_for_url("**/training/items/**")
    expect(page.locator("h1")).to_contain_text("1 of 1")
    looker.look(page, "qualified")


def _newcomer_works(page: Page, site: Site, looker: Looker) -> None:
    page.keyboard.press("Enter")  # begin with the work
    page.wait_for_url("**/desk/sheet/**")
    page.wait_for_load_state()
    page.keyboard.press("?")
    looker.look(page, "keys-shown")
    page.keyboard.press("Escape")
    first = page.url
    page.keyboard.press("l")
    page.wait_for_url(lambda address: address != first)
    for place, name in (
        (f"{STUDY}guidelines/", "guidelines"),
        (f"{STUDY}exports/mine/", "exports-mine"),
        (f"{STUDY}desk/", "desk-put-aside"),
        ("/account/keys/", "keys"),
        ("/account/tokens/", "tokens"),
        ("/account/", "account"),
    ):
        page.goto(f"{site.url}{place}")
        looker.look(page, name)


def _owner_looks_at_the_work(owner: Any, looker: Looker) -> None:
    for place in ("training/", "work/", "exports/", "people/", "ledger/", "requests/"):
        looker.look(owner.go(f"{STUDY}{place}"), f"owner-{place.strip('/')}")
