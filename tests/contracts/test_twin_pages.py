"""The pages of twins: what they show, what they record, and that everything works with a plain
POST.
"""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from annotation.models import Person, Project
from annotation.services.exposure import exposures
from contracts import coverage
from contracts.models import CONTROL, Contract, TwinDraft, TwinPair
from contracts.services.approval import record_contract
from contracts.services.twins import approving, drafting
from contracts.terms import ConstraintTerms, ContractTerms
from contracts.views.twins_shown import rows_compared
from tests.contracts.twins_made import CORPUS, begun, proposed, saved, take_in

ClientOf = Callable[[Person], Client]
HTMX = {"HX-Request": "true"}


@pytest.fixture(autouse=True)
def corpus(project: Project) -> None:
    take_in(project, "corpus", CORPUS)


def there(page: str, *arguments: object) -> str:
    return reverse(page, args=["study", *arguments])


def text(response: Any) -> str:
    return str(response.content.decode())


def sent(draft: TwinDraft, **changed: object) -> dict[str, object]:
    """What the form of a draft of the time sends."""
    return {
        "version": draft.version,
        "family": draft.family,
        **{f"turn-{n}": words for n, words in enumerate(draft.texts)},
        "v-relation": "after",
        "v-start": "2021",
        "v-calendar": "calendar",
        "v-admissible": "",
        "answers": "EUR 1.9 billion",
        "evidence": "d18",
        **changed,
    }


def test_without_a_contract_the_page_says_what_it_is_for(
    project: Project, engineer: Person, client_of: ClientOf
) -> None:
    page = text(client_of(engineer).get(there("twins")))
    assert "There is no twin pair and no control yet" in page
    assert "No contract is approved yet" in page and "Make a twin" not in page


def test_coverage_says_how_many_there_are_of_those_wanted(
    contract: Contract,
    engineer: Person,
    adjudicator: Person,
    client_of: ClientOf,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    draft = proposed(contract, engineer)
    approving.approve(actor=adjudicator, draft=draft, version=draft.version)
    wanted = {("follow-up", "date"): 1, ("follow-up", "status"): 5}
    monkeypatch.setattr(coverage, "MINIMA", [lambda project: wanted])
    (row,) = coverage.coverage(draft.project)
    states = {cell.family: (cell.have, cell.wanted, cell.state) for cell in row.cells}
    assert states["date"] == (1, 1, "enough") and states["status"] == (0, 5, "short")
    assert states[CONTROL] == (0, None, "free")
    page = text(client_of(engineer).get(there("twins")))
    assert "too few, 5 wanted" in page and "enough, 1 wanted" in page


def test_the_pairs_are_filtered_by_family_and_class(
    contract: Contract, engineer: Person, adjudicator: Person, client_of: ClientOf
) -> None:
    draft = proposed(contract, engineer)
    approving.approve(actor=adjudicator, draft=draft, version=draft.version)
    browser = client_of(engineer)
    for query, shown in (
        ("family=date&class=follow-up", True),
        ("family=status", False),
        ("class=other", False),
        ("family=control", False),
    ):
        assert ("r1-t1</a>" in text(browser.get(f"{there('twins')}?{query}"))) is shown, query


def test_the_proposals_are_shown_and_one_is_begun(
    contract: Contract, engineer: Person, client_of: ClientOf
) -> None:
    browser = client_of(engineer)
    page = text(browser.get(there("twin-new") + "?request=r1&constraint=c2"))
    assert "<del>before</del> <ins>after</ins>" in page
    flip = drafting.flips_of(contract, "c2")[0]
    form = {"request": "r1", "constraint": "c2", "flip": drafting.flip_id(flip)}
    answer = browser.post(there("twin-begin"), form)
    draft = TwinDraft.objects.get(author=engineer)
    assert answer.url == there("twin-draft", draft.public_id)  # type: ignore[attr-defined]
    assert (
        draft.texts == list(flip.texts) and draft.flipped.value == flip.terms.constraints[1].value
    )


def test_a_proposal_that_nobody_made_is_refused(
    contract: Contract, engineer: Person, client_of: ClientOf
) -> None:
    form = {"request": "r1", "constraint": "c2", "flip": "0" * 16}
    page = text(client_of(engineer).post(there("twin-begin"), form, follow=True))
    assert "not proposed any more" in page and not TwinDraft.objects.exists()


def test_the_contract_page_leads_to_a_twin(
    contract: Contract, engineer: Person, client_of: ClientOf
) -> None:
    page = text(client_of(engineer).get(there("contract", contract.pk)))
    assert f'href="{there("twin-new")}?request=r1"' in page


@pytest.mark.parametrize("page", ["new", "draft", "decide", "pair"])
def test_whoever_is_shown_contract_and_answers_is_in_the_ledger(
    page: str, contract: Contract, engineer: Person, adjudicator: Person, client_of: ClientOf
) -> None:
    draft = proposed(contract, engineer)
    reader, address = engineer, there("twin-new") + "?request=r1"
    if page == "draft":
        address = there("twin-draft", draft.public_id)
    if page == "decide":
        reader, address = adjudicator, there("twin-decide", draft.public_id)
    if page == "pair":
        pair = approving.approve(actor=adjudicator, draft=draft, version=draft.version)
        address = there("twin", pair.key)
    before = {*exposures(person=reader, project=draft.project).values_list("subject", flat=True)}
    assert client_of(reader).get(address).status_code == 200
    found = exposures(person=reader, project=draft.project)
    shown = {(one.subject, one.content["what"]) for one in found}
    assert {("r1", "contract"), ("r1", "answers and evidence")} <= shown
    twin = {("r1-t1", "contract"), ("r1-t1", "answers and evidence")}
    assert (page != "pair") or (twin <= shown and "r1-t1" not in before)


def test_a_saved_draft_shows_its_difference_and_its_faults(
    contract: Contract, engineer: Person, client_of: ClientOf
) -> None:
    draft = begun(contract, engineer)
    form = sent(draft, evidence="d17", answers="EUR 2 billion\n€ 2bn")
    page = text(client_of(engineer).post(there("twin-save", draft.public_id), form, headers=HTMX))
    draft.refresh_from_db()
    assert draft.answers == ["EUR 2 billion", "€ 2bn"] and draft.evidence == [["d17"]]
    assert "<del>before 2021</del> <ins>after 2021</ins>" in page
    assert "require the same documents" in page and 'name="reason-same_evidence"' in page
    assert "Accounts to 2020" in page  # the title of the document


def test_a_plain_post_saves_too(contract: Contract, engineer: Person, client_of: ClientOf) -> None:
    draft = begun(contract, engineer)
    form = sent(draft, evidence="d17 | d18\nd18")
    answer = client_of(engineer).post(there("twin-save", draft.public_id), form)
    draft.refresh_from_db()
    assert answer.status_code == 302 and draft.evidence == [["d17", "d18"], ["d18"]]


def test_a_text_that_nobody_touched_keeps_its_line_breaks(
    contract: Contract, engineer: Person, client_of: ClientOf
) -> None:
    draft = begun(contract, engineer)
    draft.texts[0] = "How did Harbor Rail\ndo in FY23?"
    draft.save()
    form = sent(draft, **{"turn-0": "How did Harbor Rail\r\ndo in FY23?"})
    client_of(engineer).post(there("twin-save", draft.public_id), form)
    draft.refresh_from_db()
    assert draft.texts[0] == "How did Harbor Rail\ndo in FY23?"


def test_a_value_that_cannot_be_read_is_said_and_the_rest_is_kept(
    contract: Contract, engineer: Person, client_of: ClientOf
) -> None:
    draft = begun(contract, engineer)
    form = sent(draft, answers="EUR 3", **{"v-relation": "sometime"})
    answer = client_of(engineer).post(there("twin-save", draft.public_id), form)
    draft.refresh_from_db()
    assert answer.status_code == 422 and "Relation:" in text(answer)
    assert draft.answers == ["EUR 3"] and draft.flipped.value["relation"] == "after"


def test_what_cannot_be_proposed_comes_back_with_its_words(
    contract: Contract, engineer: Person, client_of: ClientOf
) -> None:
    draft = begun(contract, engineer)
    form = sent(draft, evidence="d17", answers="EUR 4")
    answer = client_of(engineer).post(there("twin-propose", draft.public_id), form)
    assert answer.status_code == 422
    assert "EUR 4" in text(answer) and "require the same documents" in text(answer)
    draft.refresh_from_db()
    form |= {"reason-same_evidence": "One table has both.", "version": draft.version}
    answer = client_of(engineer).post(there("twin-propose", draft.public_id), form)
    draft.refresh_from_db()
    assert answer.status_code == 302 and draft.state == TwinDraft.State.PROPOSED


def test_a_twin_of_a_superseded_contract_is_refused_with_its_reason(
    contract: Contract, engineer: Person, adjudicator: Person, client_of: ClientOf
) -> None:
    draft = begun(contract, engineer)
    record_contract(
        actor=adjudicator, request=contract.request, terms=contract.terms, annotators=[],
        adjudicator=adjudicator,
    )  # fmt: skip
    answer = client_of(engineer).post(there("twin-propose", draft.public_id), sent(draft))
    assert answer.status_code == 422 and "newer contract, version 2" in text(answer)


def test_a_stale_tab_is_told_and_keeps_what_was_written(
    contract: Contract, engineer: Person, client_of: ClientOf
) -> None:
    draft = begun(contract, engineer)
    form = sent(draft, answers="from the old tab")
    saved(draft, answers=("from the new tab",))
    browser, address = client_of(engineer), there("twin-save", draft.public_id)
    answer = browser.post(address, form, headers=HTMX)
    assert answer.status_code == 409 and answer["HX-Retarget"] == "#conflict"
    answer = browser.post(address, form)
    assert answer.status_code == 409 and "from the old tab" in text(answer)
    draft.refresh_from_db()
    assert draft.answers == ["from the new tab"]
    browser.post(address, form | {"version": draft.version})
    draft.refresh_from_db()
    assert draft.answers == ["from the old tab"]


def test_a_draft_of_somebody_else_does_not_exist(
    contract: Contract, engineer: Person, owner: Person, client_of: ClientOf
) -> None:
    draft = begun(contract, engineer)
    browser = client_of(owner)
    assert browser.get(there("twin-draft", draft.public_id)).status_code == 404
    assert browser.get(there("twin-documents", draft.public_id)).status_code == 404
    assert browser.get(there("twin-decide", draft.public_id)).status_code == 404
    for act in ("save", "propose", "take-back", "delete", "restore"):
        assert browser.post(there(f"twin-{act}", draft.public_id)).status_code == 404, act


def test_documents_are_found_by_id_title_and_words(
    contract: Contract, engineer: Person, adjudicator: Person, client_of: ClientOf
) -> None:
    draft = begun(contract, engineer)
    address = there("twin-documents", draft.public_id) + "?find="
    for words, key in (("D18", "d18"), ("from 2022", "d18"), ("1.2 billion", "d17")):
        assert f'data-add="{key}"' in text(client_of(engineer).get(address + words)), words
    own = begun(contract, adjudicator)
    address = there("twin-documents", own.public_id) + "?find="
    assert "data-add" not in text(client_of(adjudicator).get(address + "1.2 billion"))


def test_the_second_person_is_led_from_the_list_to_the_pair(
    contract: Contract, engineer: Person, adjudicator: Person, client_of: ClientOf
) -> None:
    draft, browser = proposed(contract, engineer), client_of(adjudicator)
    assert there("twin-decide", draft.public_id) in text(browser.get(there("twins")))
    page = text(browser.get(there("twin-decide", draft.public_id)))
    assert "EUR 1.2 billion" in page and "EUR 1.9 billion" in page
    assert "<del>before</del> <ins>after</ins>" in page
    answer = browser.post(
        there("twin-approve", draft.public_id), {"version": draft.version}, follow=True
    )
    assert "r1-t1 is approved." in text(answer)
    page = text(browser.get(there("twin", "r1-t1")))
    assert "Made by" in page and "engineer" in page


def test_the_author_is_not_asked_to_approve(
    contract: Contract, adjudicator: Person, client_of: ClientOf
) -> None:
    draft, browser = proposed(contract, adjudicator), client_of(adjudicator)
    page = text(browser.get(there("twin-decide", draft.public_id)))
    assert "somebody else must approve it" in page and "Ctrl" not in page
    answer = browser.post(there("twin-approve", draft.public_id), {"version": draft.version})
    assert answer.status_code == 422 and not TwinPair.objects.exists()


def test_words_that_send_a_twin_back_reach_its_author(
    contract: Contract, engineer: Person, adjudicator: Person, client_of: ClientOf
) -> None:
    draft = proposed(contract, engineer)
    form = {"version": draft.version, "words": "Which <accounts>?"}
    answer = client_of(adjudicator).post(there("twin-send-back", draft.public_id), form)
    assert answer.url == there("twins")  # type: ignore[attr-defined]
    page = text(client_of(engineer).get(there("twin-draft", draft.public_id)))
    assert "Sent back to you" in page and "Which &lt;accounts&gt;?" in page


def test_a_control_is_made_and_read(
    contract: Contract, engineer: Person, adjudicator: Person, client_of: ClientOf
) -> None:
    browser = client_of(engineer)
    assert browser.get(there("twin-new") + "?request=r1&constraint=control").status_code == 200
    browser.post(there("twin-begin"), {"request": "r1", "constraint": "control"})
    draft = TwinDraft.objects.get(author=engineer)
    form = {"version": 0, "accepts": "its parent before 2021, holding company", "key": "x1"}
    browser.post(there("twin-propose", draft.public_id), form)
    draft.refresh_from_db()
    assert draft.state == TwinDraft.State.PROPOSED
    second = client_of(adjudicator)
    assert "holding" in text(second.get(there("twin-decide", draft.public_id)))
    second.post(there("twin-approve", draft.public_id), {"version": draft.version})
    assert "holding" in text(second.get(there("twin", "x1")))
    assert "x1</a>" in text(second.get(there("twins") + "?family=control"))


def test_deleted_drafts_can_be_brought_back_from_the_list(
    contract: Contract, engineer: Person, client_of: ClientOf
) -> None:
    draft, browser = begun(contract, engineer), client_of(engineer)
    page = text(browser.post(there("twin-delete", draft.public_id), follow=True))
    assert "1 deleted draft" in page
    browser.post(there("twin-restore", draft.public_id))
    assert TwinDraft.objects.of(engineer, draft.project).exists()


def test_a_twin_nobody_could_answer_has_its_readings(
    contract: Contract, engineer: Person, client_of: ClientOf
) -> None:
    draft = drafting.begin(actor=engineer, contract=contract, constraint="c1", flip=None)
    turns = {f"turn-{n}": words for n, words in enumerate(draft.texts)}
    form = {
        "version": 0, "family": "unresolved", **turns, "v-name": "its parent",
        "v-unresolved": "on", "v-admissible": "", "v-aliases": "", "mark-unresolved": "on",
        "mark-readings": "Harbor Holdings\nSound Holdings", "answers": "", "evidence": "",
    }  # fmt: skip
    client_of(engineer).post(there("twin-save", draft.public_id), form)
    draft.refresh_from_db()
    assert draft.contract_terms.ambiguity.readings == ("Harbor Holdings", "Sound Holdings")
    assert draft.flipped.value["unresolved"] is True


def test_the_page_opens_with_the_first_constraint_for_which_something_is_proposed(
    contract: Contract, engineer: Person, client_of: ClientOf
) -> None:
    page = text(client_of(engineer).get(there("twin-new") + "?request=r1"))
    assert "nothing proposed" in page and "<del>before</del> <ins>after</ins>" in page


def test_a_proposal_that_is_a_pair_already_leads_to_it(
    contract: Contract, engineer: Person, adjudicator: Person, client_of: ClientOf
) -> None:
    draft = proposed(contract, engineer)
    approving.approve(actor=adjudicator, draft=draft, version=draft.version)
    page = text(client_of(engineer).get(there("twin-new") + "?request=r1&constraint=c2"))
    assert "There is a pair of it already" in page and there("twin", "r1-t1") in page


def test_contracts_are_found_by_words_and_show_their_pairs(
    contract: Contract, engineer: Person, adjudicator: Person, client_of: ClientOf
) -> None:
    draft = proposed(contract, engineer)
    approving.approve(actor=adjudicator, draft=draft, version=draft.version)
    browser = client_of(engineer)
    rows = browser.get(there("twin-new"), {"find": "PARENT Before"}).context["rows"]
    assert [(one.request.key, pairs) for one, pairs in rows] == [("r1", 1)]
    assert "No approved contract has these words" in text(
        browser.get(there("twin-new"), {"find": "nowhere"})
    )


@pytest.mark.parametrize("key", ["new", "begin", "drafts", "a/new", "%6Eew"])
def test_a_pair_that_is_called_like_a_page_has_its_own(
    key: str, contract: Contract, engineer: Person, adjudicator: Person, client_of: ClientOf
) -> None:
    draft = saved(begun(contract, engineer), key=key)
    draft = drafting.propose_for_approval(actor=engineer, draft=draft)
    approving.approve(actor=adjudicator, draft=draft, version=draft.version)
    page = client_of(engineer).get(there("twin", key))
    assert page.context["pair"].key == key


def test_a_save_by_htmx_of_a_closed_draft_is_no_redirect(
    contract: Contract, engineer: Person, client_of: ClientOf
) -> None:
    draft = proposed(contract, engineer)
    answer = client_of(engineer).post(
        there("twin-save", draft.public_id), sent(draft), headers={"HX-Request": "true"}
    )
    assert (answer.status_code, answer["HX-Retarget"]) == (409, "#conflict")
    assert "not open any more" in text(answer) and "Put mine" not in text(answer)


def test_a_refused_page_stays_the_same_tab(
    contract: Contract, engineer: Person, client_of: ClientOf
) -> None:
    draft = begun(contract, engineer)
    tab = "7c9e6679-7425-40de-944b-e07fc1f90ae7"
    form = sent(draft, answers="", tab=tab)
    page = client_of(engineer).post(there("twin-propose", draft.public_id), form)
    assert page.status_code == 422 and f'name="tab" value="{tab}"' in text(page)


def test_a_draft_in_the_list_shows_what_it_changes(
    contract: Contract, engineer: Person, adjudicator: Person, client_of: ClientOf
) -> None:
    proposed(contract, engineer)
    for person in (engineer, adjudicator):
        page = text(client_of(person).get(there("twins")))
        assert "<del>before</del> <ins>after</ins>" in page


def test_a_found_document_says_that_the_base_requires_it(
    contract: Contract, engineer: Person, client_of: ClientOf
) -> None:
    draft = begun(contract, engineer)
    draft.base.request.evidence = [["d17"]]
    draft.base.request.save()
    find = there("twin-documents", draft.public_id) + "?find=Accounts"
    page = text(client_of(engineer).get(find))
    assert page.count("the base requires it") == 1 and page.count("data-add") == 2


@pytest.mark.parametrize(
    ("language", "label"), [("en", "Rivals that it is not"), ("de", "Verwechselbares, das nicht")]
)
def test_a_difference_names_the_field_without_how_to_write_into_it(
    language: str, label: str
) -> None:
    sides = [
        ContractTerms(
            (ConstraintTerms("c1", "status", "critical", {"value": "draft", "rivals": r}),)
        )
        for r in (["final"], [])
    ]
    with translation.override(language):
        names = [name for name, _was, _now in rows_compared(*sides, "c1")[0].fields]
    assert len(names) == 1 and names[0].startswith(label)
    assert "one a line" not in names[0] and "je Zeile" not in names[0]
