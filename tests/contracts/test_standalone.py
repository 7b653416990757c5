import pytest

from annotation.models import HumanRewrite, Person
from annotation.services.projects import Refused
from contracts.models import Contract
from contracts.services.standalone import seal_standalone
from tests.contracts.conftest import take


def test_a_reference_that_names_the_answer_is_refused_without_repeating_it(
    contract: Contract, annotator_a: Person
) -> None:
    seat = take(annotator_a, contract.request.project, "standalone")
    with pytest.raises(Refused) as refusal:
        seal_standalone(
            actor=annotator_a, seat=seat, text="Was it eur  1.2 Billion?", clarification=False
        )
    assert "1.2" not in str(refusal.value)


def test_sealing_a_reference_twice_gives_one(contract: Contract, annotator_a: Person) -> None:
    seat = take(annotator_a, contract.request.project, "standalone")
    for _again in range(2):
        seal_standalone(actor=annotator_a, seat=seat, text="Harbor Holdings?", clarification=True)
    assert HumanRewrite.objects.count() == 1
