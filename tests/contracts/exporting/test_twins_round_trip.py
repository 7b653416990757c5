"""A pair that was made here leaves as a file and comes in again with the same bytes."""

from annotation.models import Person, Project
from contracts.models import Contract
from contracts.services.twins import approving, drafting
from tests.contracts.exporting.conftest import BACK, SAID, TakeIn, Write
from tests.contracts.twins_made import CORPUS, proposed, saved, take_in

PEOPLE = ("sheets", "contracts", "standalone", "paraphrases")


def test_what_was_approved_here_round_trips(
    contract: Contract,
    copy: Project,
    engineer: Person,
    adjudicator: Person,
    write: Write,
    put_in: TakeIn,
) -> None:
    project = contract.request.project
    take_in(project, "corpus", CORPUS)
    control = drafting.begin_control(actor=engineer, contract=contract, accepts=["the parent"])
    drafting.propose_for_approval(actor=engineer, draft=saved(control))
    for draft in (proposed(contract, engineer), control):
        draft.refresh_from_db()
        approving.approve(actor=adjudicator, draft=draft, version=draft.version)
    out = {kind: write(project, kind) for kind in BACK}
    assert b'"twin":"r1-t1"' in out["twins"].replace(b": ", b":")
    assert b"r1-c1" in out["twins"] and b"made_by" not in out["twins"]
    for kind, data in out.items():
        if data:
            put_in(copy, kind, data, said=SAID if kind in PEOPLE else "")
    assert {kind: write(copy, kind) for kind in BACK} == out
