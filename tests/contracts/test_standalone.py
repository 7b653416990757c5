import pytest

from annotation.models import HumanRewrite, Person, Seat
from annotation.services.drafts import Sent, save_draft
from annotation.services.projects import Refused
from contracts.models import Contract
from contracts.services.standalone import seal_drafted
from tests.contracts.conftest import take


def written(annotator: Person, contract: Contract, text: str, clarification: bool) -> Seat:
    seat = take(annotator, contract.request.project, "standalone")
    draft = {"text": text, "clarification": clarification}
    return save_draft(seat=seat, draft=draft, sent=Sent(0))


def test_a_reference_that_names_the_answer_is_refused_without_repeating_it(
    contract: Contract, annotator_a: Person
) -> None:
    seat = written(annotator_a, contract, "Was it eur  1.2 Billion?", False)
    with pytest.raises(Refused) as refusal:
        seal_drafted(actor=annotator_a, seat=seat)
    assert "1.2" not in str(refusal.value)


def test_sealing_a_reference_twice_gives_one(contract: Contract, annotator_a: Person) -> None:
    seat = written(annotator_a, contract, "Harbor Holdings?", True)
    for _again in range(2):
        seal_drafted(actor=annotator_a, seat=seat)
    assert HumanRewrite.objects.count() == 1
