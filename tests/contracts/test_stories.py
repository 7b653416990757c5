"""What contracts add to the pages of the study."""

import pytest

from annotation.models import Project, Request
from contracts.models import Contract
from contracts.stories import contracts_approved

pytestmark = pytest.mark.django_db


def test_a_request_counts_once_its_contract_is_approved(
    project: Project, asked: Request, other: Request
) -> None:
    assert contracts_approved(project) == (0, 2)


def test_the_approved_contract_is_counted(contract: Contract) -> None:
    assert contracts_approved(contract.request.project) == (1, 1)
