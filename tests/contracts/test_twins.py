"""Making, proposing and approving twins: what comes to stand, and each refusal."""

from uuid import uuid4

import pytest
from django.core.exceptions import PermissionDenied

from annotation.models import Need, Person, Project, Seat
from annotation.needs import seats_wanted
from annotation.services import ledger, seats
from annotation.services.exposure import expose
from annotation.services.projects import Refused, set_member
from contracts.kinds import SHEET, STANDALONE
from contracts.models import Contract, Control, TwinDraft, TwinPair
from contracts.results import SUBJECTS
from contracts.services.approval import record_contract
from contracts.services.twins import approving, checking, drafting
from contracts.services.twins.drafting import Read
from contracts.terms import ContractTerms
from contracts.twins import differing
from tests.contracts.conftest import TURNS, make_request
from tests.contracts.twins_made import CORPUS, begun, proposed, saved, take_in

State = TwinDraft.State


@pytest.fixture(autouse=True)
def corpus(project: Project) -> None:
    take_in(project, "corpus", CORPUS)


def approve(draft: TwinDraft, actor: Person) -> TwinPair:
    made = approving.approve(actor=actor, draft=draft, version=draft.version)
    assert isinstance(made, TwinPair)
    return made


def codes(draft: TwinDraft) -> list[str]:
    return [fault.code for fault in checking.faults_of(draft)]


def test_a_proposal_becomes_a_request_with_its_contract_and_its_pair(
    contract: Contract, engineer: Person, adjudicator: Person
) -> None:
    pair = approve(proposed(contract, engineer), adjudicator)
    assert pair.key == pair.twin.key == "r1-t1"
    assert pair.twin.texts == [
        "How did Harbor Rail do in FY23?", "Revenue rose 4 %.",
        "And its parent after 2021, excluding one-off items?",
    ]  # fmt: skip
    assert (pair.twin.answers, pair.twin.evidence) == (["EUR 1.9 billion"], [["d18"]])
    assert pair.twin.request_class == pair.base.request_class
    twin = pair.twin.contracts.get()
    assert differing(contract.terms, twin.terms) == ("c2",)
    assert (twin.version, twin.adjudicator, [*twin.annotators.all()]) == (
        1,
        adjudicator,
        [engineer],
    )
    assert (pair.made_by, pair.approved_by, pair.reasons) == (engineer, adjudicator, {})


def test_the_ledger_has_the_approval_and_its_seal_holds(
    contract: Contract, engineer: Person, adjudicator: Person, project: Project
) -> None:
    pair = approve(proposed(contract, engineer), adjudicator)
    kinds = [*project.ledger.order_by("sequence").values_list("kind", flat=True)][-2:]
    assert kinds == ["contract.approved", "twin.approved"]
    assert ledger.first_altered(project) is None
    TwinPair.objects.filter(pk=pair.pk).update(constraint="c1")
    broken = ledger.first_altered(project)
    assert broken is not None and "twin.approved" in broken.reason


def test_the_marks_of_the_twin_stand_on_its_own_words(contract: Contract, engineer: Person) -> None:
    draft = begun(contract, engineer)
    draft = saved(draft, texts=(*draft.texts[:2], "So: its parent, only after 2021?"))
    words = [draft.texts[c.span.turn][c.span.start : c.span.end]
             for c in draft.contract_terms.constraints if c.span]  # fmt: skip
    assert words == ["its parent", "after 2021"]


def test_words_that_were_cut_and_come_back_are_marked_again(
    contract: Contract, engineer: Person
) -> None:
    draft = begun(contract, engineer)
    texts = tuple(draft.texts)
    draft = saved(draft, texts=(*texts[:2], ""))
    assert draft.contract_terms.constraints[0].span is None
    draft = saved(draft, texts=texts)
    span = draft.contract_terms.constraints[0].span
    assert span is not None and texts[2][span.start : span.end] == "its parent"


def test_nobody_is_given_work_of_the_twin_unless_a_need_says_so(
    contract: Contract, engineer: Person, adjudicator: Person, annotator_a: Person
) -> None:
    project = contract.request.project
    twin = approve(proposed(contract, engineer), adjudicator).twin
    assert [seats_wanted(kind, twin) for kind in (SHEET, STANDALONE)] == [0, 0]
    Seat.objects.create(
        project=project, request=contract.request, kind="standalone", slot=1, position=0,
        holder=engineer, state=Seat.State.SUBMITTED, taken_at="2024-01-01T00:00Z",
        leased_until="2024-01-01T00:00Z", sealed_at="2024-01-01T00:00Z",
    )  # fmt: skip
    assert seats.take_next(actor=annotator_a, project=project, kind_name="standalone") is None
    Need.objects.filter(request=twin, kind="standalone").update(seats=1)
    taken = seats.take_next(actor=annotator_a, project=project, kind_name="standalone")
    assert taken is not None and taken.request == twin


def test_an_id_of_ones_own_is_kept_and_one_that_is_there_is_refused(
    contract: Contract, engineer: Person
) -> None:
    draft = saved(begun(contract, engineer), key="R1")
    with pytest.raises(Refused, match="looks like it"):
        drafting.propose_for_approval(actor=engineer, draft=draft)
    draft = saved(draft, key="r1-after")
    drafting.propose_for_approval(actor=engineer, draft=draft)
    assert checking.next_key(draft) == "r1-after"


def test_the_next_free_id_is_taken(
    contract: Contract, engineer: Person, adjudicator: Person
) -> None:
    first, second = proposed(contract, engineer), proposed(contract, engineer, "since 2021")
    assert [approve(draft, adjudicator).key for draft in (first, second)] == ["r1-t1", "r1-t2"]


def test_a_stated_reason_excuses_what_may_be_excused(
    contract: Contract, engineer: Person, adjudicator: Person
) -> None:
    draft = saved(begun(contract, engineer), evidence=(("d17",),))
    assert codes(draft) == ["same_evidence"]
    with pytest.raises(Refused, match="same documents"):
        drafting.propose_for_approval(actor=engineer, draft=draft)
    why = {"same_evidence": "Both years stand in one table.", "gone": "no such fault"}
    draft = saved(draft, evidence=(("d17",),), reasons=why)
    drafting.propose_for_approval(actor=engineer, draft=draft)
    pair = approve(draft, adjudicator)
    assert pair.reasons == {"same_evidence": "Both years stand in one table."}


@pytest.mark.parametrize(
    "changed, code",
    [
        ({"texts": ("How did Harbor Rail do in FY23?", "Revenue rose 4 %.", " ")}, "empty_text"),
        ({"value": {"relation": "before", "start": None, "end": "2021"}}, "same_demand"),
        ({"evidence": (("d99",),)}, "unknown_document"),
        ({"answers": ("the …",)}, "empty_answer"),
        ({"family": "unresolved"}, "not_unresolved"),
    ],
)
def test_no_reason_excuses_what_makes_it_no_pair(
    changed: dict[str, object], code: str, contract: Contract, engineer: Person
) -> None:
    draft = saved(begun(contract, engineer), **changed, reasons={code: "I want it."})
    assert code in codes(draft)
    with pytest.raises(Refused):
        drafting.propose_for_approval(actor=engineer, draft=draft)


def test_ones_own_words_begin_as_the_request_stands(contract: Contract, engineer: Person) -> None:
    draft = drafting.begin(actor=engineer, contract=contract, constraint="c2", flip=None)
    assert draft.texts == contract.request.texts and draft.family == "date"
    assert {"same_texts", "same_demand"} <= set(codes(draft))


def test_names_that_begin_alike_are_known_to_belong_together(contract: Contract) -> None:
    content = contract.terms.to_json()
    content["constraints"][0]["value"]["name"] = "Harbor Rail"
    other = make_request(contract.request.project, "r9", contract.request.text, TURNS)
    record_contract(
        actor=None, request=other, terms=ContractTerms.from_json(content), annotators=[],
        adjudicator=None,
    )  # fmt: skip
    known = drafting.known_of(contract.request.project)
    assert known.groups == (("Harbor Holdings", "Harbor Rail"),)


def test_a_minor_constraint_decides_no_pair(contract: Contract, engineer: Person) -> None:
    content = contract.terms.to_json()
    content["constraints"][1]["materiality"] = "minor"
    Contract.objects.filter(pk=contract.pk).update(content=content)
    contract.refresh_from_db()
    with pytest.raises(Refused, match="minor"):
        drafting.begin(actor=engineer, contract=contract, constraint="c2", flip=None)
    with pytest.raises(Refused, match="no such constraint"):
        drafting.begin(actor=engineer, contract=contract, constraint="c9", flip=None)


def test_a_contract_that_was_superseded_is_no_base(
    contract: Contract, engineer: Person, adjudicator: Person
) -> None:
    draft = proposed(contract, engineer)
    record_contract(
        actor=adjudicator, request=contract.request, terms=contract.terms, annotators=[],
        adjudicator=adjudicator,
    )  # fmt: skip
    with pytest.raises(Refused, match="version 2"):
        begun(contract, engineer)
    with pytest.raises(Refused, match="version 2"):
        approve(draft, adjudicator)


def test_nobody_approves_their_own_twin(
    contract: Contract, adjudicator: Person, engineer: Person
) -> None:
    draft = proposed(contract, adjudicator)
    with pytest.raises(Refused, match="somebody else"):
        approve(draft, adjudicator)
    with pytest.raises(PermissionDenied):
        approve(draft, engineer)


def test_whoever_annotates_neither_makes_nor_approves_one(
    contract: Contract, engineer: Person, adjudicator: Person, owner: Person
) -> None:
    draft = proposed(contract, engineer)
    roles = ["adjudicator", "annotator"]
    set_member(actor=owner, project=draft.project, person=adjudicator, roles=roles)
    with pytest.raises(PermissionDenied):
        begun(contract, adjudicator)
    with pytest.raises(PermissionDenied):
        approve(draft, adjudicator)


def test_whoever_was_shown_results_of_the_base_decides_nothing(
    contract: Contract, engineer: Person, owner: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft = proposed(contract, engineer)
    monkeypatch.setattr("contracts.results.SUBJECTS", [*SUBJECTS, lambda request: {"run 3"}])
    expose(person=owner, project=draft.project, subject="run 4", what="results")
    assert approving.why_not_by(owner, draft) == ""  # a run without the base
    expose(person=owner, project=draft.project, subject="run 3", what="results")
    with pytest.raises(Refused, match="results of r1 .run 3."):
        approve(draft, owner)
    with pytest.raises(Refused, match="run 3"):
        approving.send_back(actor=owner, draft=draft, version=draft.version, words="No.")


def test_whoever_judged_a_rewrite_of_the_base_is_not_blind(
    contract: Contract, engineer: Person, adjudicator: Person
) -> None:
    draft = proposed(contract, engineer)
    expose(person=adjudicator, project=draft.project, subject="r1", what="rewrite")
    with pytest.raises(Refused, match="results of r1"):
        approve(draft, adjudicator)


def test_a_draft_that_changed_since_it_was_read_is_not_approved(
    contract: Contract, engineer: Person, adjudicator: Person
) -> None:
    draft = proposed(contract, engineer)
    read = draft.version
    drafting.take_back(actor=engineer, draft=draft)
    drafting.propose_for_approval(actor=engineer, draft=saved(draft, answers=("EUR 2 billion",)))
    with pytest.raises(Refused, match="since you read it"):
        approving.approve(actor=adjudicator, draft=draft, version=read)
    assert not TwinPair.objects.exists()


def test_a_second_press_approves_nothing_more(
    contract: Contract, engineer: Person, adjudicator: Person
) -> None:
    draft = proposed(contract, engineer)
    version = draft.version
    pairs = [approving.approve(actor=adjudicator, draft=draft, version=version) for _ in range(2)]
    assert pairs[0] == pairs[1] and TwinPair.objects.count() == 1


def test_a_draft_goes_back_with_words_and_comes_again(
    contract: Contract, engineer: Person, adjudicator: Person
) -> None:
    draft = proposed(contract, engineer)
    with pytest.raises(Refused, match="Write what"):
        approving.send_back(actor=adjudicator, draft=draft, version=draft.version, words=" ")
    draft = approving.send_back(
        actor=adjudicator, draft=draft, version=draft.version, words="Which accounts?"
    )
    assert (draft.state, draft.words) == (State.SENT_BACK, "Which accounts?")
    assert draft.project.ledger.filter(kind="twin.sent_back", actor=adjudicator).count() == 1
    draft = drafting.propose_for_approval(actor=engineer, draft=draft)
    assert approve(draft, adjudicator).key == "r1-t1"


def test_what_waits_is_not_changed_until_it_is_taken_back(
    contract: Contract, engineer: Person
) -> None:
    draft = proposed(contract, engineer)
    with pytest.raises(Refused, match="take it back"):
        saved(draft)
    saved(drafting.take_back(actor=engineer, draft=draft))


def test_only_its_author_changes_a_draft(
    contract: Contract, engineer: Person, owner: Person
) -> None:
    draft = begun(contract, engineer)
    for act in (drafting.propose_for_approval, drafting.take_back, drafting.delete_draft):
        with pytest.raises(Refused, match="somebody else's"):
            act(actor=owner, draft=draft)


def test_another_tab_is_stale_and_the_same_tab_is_not(contract: Contract, engineer: Person) -> None:
    draft, tab, other = begun(contract, engineer), uuid4(), uuid4()
    words = {"written": drafting.Written(texts=tuple(draft.texts)), "draft": draft}
    drafting.save(actor=engineer, read=Read(0, tab), **words)
    drafting.save(actor=engineer, read=Read(0, tab), **words)
    with pytest.raises(drafting.Stale):
        drafting.save(actor=engineer, read=Read(0, other), **words)
    with pytest.raises(drafting.Stale):
        drafting.save(actor=engineer, read=Read(0), **words)


def test_a_deleted_draft_can_be_brought_back(contract: Contract, engineer: Person) -> None:
    draft = begun(contract, engineer)
    drafting.delete_draft(actor=engineer, draft=draft)
    assert not TwinDraft.objects.of(engineer, draft.project).exists()
    with pytest.raises(Refused):
        saved(draft)
    drafting.restore_draft(actor=engineer, draft=draft)
    assert TwinDraft.objects.of(engineer, draft.project).get() == draft


def test_a_control_is_proposed_and_approved_like_a_twin(
    contract: Contract, engineer: Person, adjudicator: Person
) -> None:
    draft = drafting.begin_control(actor=engineer, contract=contract, accepts=())
    assert codes(draft) == ["no_accepts"]
    draft = saved(draft, accepts=(contract.request.text,))
    assert codes(draft) == ["accepts_same"]
    draft = saved(draft, accepts=("its parent before 2021, holding company",))
    drafting.propose_for_approval(actor=engineer, draft=draft)
    made = approving.approve(actor=adjudicator, draft=draft, version=draft.version)
    assert isinstance(made, Control) and (made.key, made.approved_by) == ("r1-c1", adjudicator)
    assert ledger.first_altered(draft.project) is None


def test_the_same_twin_is_no_second_pair(
    contract: Contract, engineer: Person, adjudicator: Person
) -> None:
    first, second = proposed(contract, engineer), proposed(contract, engineer)
    approving.approve(actor=adjudicator, draft=first, version=first.version)
    with pytest.raises(Refused, match="Pair “r1-t1” has these two requests already"):
        approving.approve(actor=adjudicator, draft=second, version=second.version)


def test_the_base_itself_is_no_new_twin_of_its_twin(
    contract: Contract, engineer: Person, adjudicator: Person
) -> None:
    draft = proposed(contract, engineer)
    pair = approving.approve(actor=adjudicator, draft=draft, version=draft.version)
    assert isinstance(pair, TwinPair)
    back = begun(pair.twin.contracts.get(), engineer, "before 2021")
    assert "present_pair" in {fault.code for fault in checking.faults_of(back)}


def test_a_constraint_that_is_no_referent_asks_for_no_names(
    contract: Contract, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drafting, "known_of", lambda project: pytest.fail("read the study"))
    assert drafting.flips_of(contract, "c2")
