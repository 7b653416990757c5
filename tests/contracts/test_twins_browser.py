"""From a contract to an approved pair in real Chromium, by two people with the keyboard alone."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from annotation.models import Person, Project
from contracts.models import Contract, TwinDraft, TwinPair
from contracts.services.twins import approving, drafting
from tests.contracts.desk_browser import Desk, press
from tests.contracts.twins_made import CORPUS, proposed, saved, take_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def corpus(project: Project) -> None:
    take_in(project, "corpus", CORPUS)


def tab_to(page: Page, selector: str) -> None:
    """Go to an element with the Tab key."""
    for _step in range(80):
        if page.locator(selector).evaluate("found => found === document.activeElement"):
            return
        press(page, "Tab")
    raise AssertionError(f"{selector} is not reached by the Tab key")


def test_from_a_contract_to_a_pair_by_keyboard(
    contract: Contract, desk: Desk, engineer: Person, adjudicator: Person
) -> None:
    page = desk.tab(desk.sign_in(engineer), f"/p/study/contracts/{contract.pk}/")
    tab_to(page, 'a[href*="twins/new"]')
    press(page, "Enter")
    page.wait_for_url("**/twins/new/**")
    tab_to(page, 'a[href*="constraint=c2"]')
    press(page, "Enter")
    page.wait_for_url("**constraint=c2**")
    expect(page.locator('[data-nth="1"]')).to_be_focused()
    press(page, "1")
    page.wait_for_url("**/twins/drafts/*/")
    expect(page.locator("#id_answers")).to_be_focused()
    page.keyboard.type("EUR 1.9 billion")
    tab_to(page, "#id_evidence")
    page.keyboard.type("d17")
    press(page, "Control+Enter")
    expect(page.get_by_text("It cannot be proposed yet")).to_be_visible()
    tab_to(page, "#find")
    page.keyboard.type("from 2022")
    expect(page.locator('[data-add="d18"]')).to_be_visible()
    tab_to(page, '[data-add="d18"]')
    press(page, "Enter")
    expect(page.locator("#id_evidence")).to_have_value("d17\nd18")
    expect(page.locator("#beside")).to_contain_text("Accounts from 2022")
    expect(page.locator("#beside")).to_contain_text("Nothing is wrong")
    press(page, "Control+Enter")
    page.wait_for_url("**/p/study/twins/")
    expect(page.get_by_text("waits for somebody else to approve it")).to_be_visible()
    _decide(desk, adjudicator)
    pair = TwinPair.objects.get()
    assert (pair.made_by, pair.approved_by) == (engineer, adjudicator)
    assert pair.twin.text == "And its parent after 2021, excluding one-off items?"
    assert pair.twin.evidence == [["d17"], ["d18"]]


def _decide(desk: Desk, person: Person) -> None:
    """The second person sends it back, gets it again, and approves it."""
    page = desk.tab(desk.sign_in(person), "/p/study/twins/")
    press(page, "o")
    page.wait_for_url("**/decide/")
    press(page, "b")
    expect(page.locator('[data-side="b"]')).to_be_focused()
    press(page, "w")
    expect(page.locator("#words")).to_be_focused()
    page.keyboard.type("Is d17 needed?")
    press(page, "Control+Enter")
    page.wait_for_url("**/p/study/twins/")
    expect(page.get_by_text("Sent back")).to_be_visible()
    draft = TwinDraft.objects.get()
    assert (draft.state, draft.words) == ("sent_back", "Is d17 needed?")
    drafting.propose_for_approval(actor=draft.author, draft=draft)
    page.goto(f"{desk.server.url}/p/study/twins/")
    press(page, "o")
    page.wait_for_url("**/decide/")
    press(page, "Control+Enter")
    page.wait_for_url("**/p/study/twins/")
    expect(page.get_by_text("r1-t1 is approved.")).to_be_visible()


def test_what_is_written_is_saved_and_compared_while_one_writes(
    contract: Contract, desk: Desk, engineer: Person
) -> None:
    draft = drafting.begin(actor=engineer, contract=contract, constraint="c2", flip=None)
    page = desk.tab(desk.sign_in(engineer), f"/p/study/twins/drafts/{draft.public_id}/")
    expect(page.locator("#beside")).to_contain_text("Both requests have the same words")
    page.locator("#id_turn-2").fill("And its parent since 2019, excluding one-off items?")
    expect(page.locator("#beside ins").first).to_have_text("since 2019,")
    page.locator("#c2-v-relation").select_option("since")
    page.locator("#c2-v-start").fill("2019")
    page.locator("#c2-v-end").fill("")
    expect(page.locator("#beside")).to_contain_text("before 2021 since 2019")
    page.locator("#id_evidence").fill("d17")
    reason = page.locator("#reason-same_evidence")
    reason.fill("One table has both years.")
    expect(page.locator("#beside .excused").first).to_be_visible()
    expect(reason).to_be_focused()
    expect(reason).to_have_value("One table has both years.")
    draft.refresh_from_db()
    assert draft.reasons == {"same_evidence": "One table has both years."}
    words = draft.contract_terms.constraints[1].span
    assert words is not None and draft.texts[2][words.start : words.end] == "since 2019"


def test_what_could_not_be_saved_is_said_and_sent_again(
    contract: Contract, desk: Desk, engineer: Person
) -> None:
    draft = drafting.begin(actor=engineer, contract=contract, constraint="c2", flip=None)
    page = desk.tab(desk.sign_in(engineer), f"/p/study/twins/drafts/{draft.public_id}/")
    page.route("**/save/", lambda route: route.abort("connectionreset"), times=1)
    page.locator("#id_answers").fill("EUR 5")
    expect(page.locator("#save-state")).to_have_text("not saved, trying again")
    expect(page.locator("#save-state")).to_contain_text("saved at")
    draft.refresh_from_db()
    assert draft.answers == ["EUR 5"]


def test_another_tab_that_saved_is_told_and_both_versions_stay(
    contract: Contract, desk: Desk, engineer: Person
) -> None:
    draft = drafting.begin(actor=engineer, contract=contract, constraint="c2", flip=None)
    page = desk.tab(desk.sign_in(engineer), f"/p/study/twins/drafts/{draft.public_id}/")
    saved(draft, answers=("elsewhere",))
    page.locator("#id_answers").fill("here")
    expect(page.locator("#conflict")).to_contain_text("changed in another tab")
    page.get_by_role("button", name="Put mine in its place").press("Enter")
    page.wait_for_url("**/twins/drafts/*/")
    expect(page.locator("#id_answers")).to_have_value("here")
    draft.refresh_from_db()
    assert draft.answers == ["here"]


def test_the_pages_fit_and_axe_finds_nothing(
    contract: Contract, desk: Desk, engineer: Person, adjudicator: Person
) -> None:
    first = proposed(contract, adjudicator)
    begun = saved(proposed_back(contract, engineer), evidence=(("d17",),))
    waiting = proposed(contract, engineer, "since 2021")
    own = ["", "new/", "new/?request=r1&constraint=c2", "new/?request=r1&constraint=control",
           f"drafts/{begun.public_id}/", f"drafts/{waiting.public_id}/"]  # fmt: skip
    found = _looked(desk, engineer, own)
    found += _looked(desk, adjudicator, ["", f"drafts/{waiting.public_id}/decide/"])
    approving.approve(actor=adjudicator, draft=waiting, version=waiting.version)
    found += _looked(desk, engineer, ["", "r1-t1/"])
    assert first.state == "proposed" and found == []


def proposed_back(contract: Contract, author: Person) -> TwinDraft:
    return drafting.take_back(actor=author, draft=proposed(contract, author))


def _looked(desk: Desk, person: Person, pages: list[str]) -> list[tuple[str, str]]:
    """What is wider than the page, and what axe finds, at two widths in two themes."""
    found = []
    for width, scheme in ((1440, "light"), (1440, "dark"), (375, "light"), (375, "dark")):
        context = desk.sign_in(
            person, viewport={"width": width, "height": 900}, color_scheme=scheme
        )
        for address in pages:
            page = desk.tab(context, f"/p/study/twins/{address}")
            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                found.append((address, f"wider than {width}"))
            found += [(address, fault["id"]) for fault in Axe().run(page).response["violations"]]
            page.close()
        context.close()
    return found
