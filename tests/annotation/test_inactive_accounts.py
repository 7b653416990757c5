"""What an account that is no longer active leaves behind holds no more."""

from collections.abc import Callable

import pytest
from django.test import Client

from annotation.models import Person, Project
from annotation.permissions import is_member
from annotation.services import log_in
from annotation.services.invitations import accept, holds, invite
from annotation.services.projects import Refused, set_member

ClientOf = Callable[[Person], Client]


@pytest.fixture
def left(project: Project, owner: Person, engineer: Person) -> Person:
    """A second owner, who leaves in each test."""
    set_member(actor=owner, project=project, person=engineer, roles=["owner"])
    return engineer


def test_an_invitation_of_somebody_inactive_does_not_hold(
    project: Project, left: Person, stranger: Person
) -> None:
    invitation, _token = invite(actor=left, project=project, roles=["owner"])
    assert holds(invitation)
    log_in.deactivate(person=left)
    assert not holds(invitation)
    with pytest.raises(Refused, match="used, ended or taken back"):
        accept(actor=stranger, invitation=invitation)


def test_its_link_lets_nobody_in(
    project: Project, left: Person, stranger: Person, client_of: ClientOf
) -> None:
    _invitation, token = invite(actor=left, project=project, roles=["owner"])
    log_in.deactivate(person=left)
    assert client_of(stranger).post(f"/join/{token}/").status_code == 410
    assert not is_member(stranger, project)
