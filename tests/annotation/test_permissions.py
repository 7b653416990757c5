import pytest
from django.contrib.auth.models import AnonymousUser

from annotation.models import Person, Project
from annotation.permissions import ACTS, may
from annotation.services.projects import Refused, end_membership, set_member

EVERYBODY = {"owner", "annotator_a", "adjudicator", "engineer"}
# The whole map: who may do what. A new act, or a role that gains one, must be written here too.
MAP = {
    "see_project": EVERYBODY,
    "annotate": {"annotator_a"},
    "adjudicate": {"adjudicator"},
    "judge": {"adjudicator"},
    "see_requests": {"adjudicator", "engineer", "owner"},
    "see_corpus": {"engineer", "owner"},
    "import": {"engineer", "owner"},
    "register_protocol": {"engineer", "owner"},
    "run": {"engineer"},
    "leave_out_failed": {"engineer", "owner"},
    "see_results": {"engineer", "owner"},
    "see_agreement": {"engineer", "owner"},
    "see_ledger": {"engineer", "owner"},
    "export": {"engineer", "owner"},
    "export_named": {"owner"},
    "manage_work": {"owner"},
    "write_guidelines": {"owner"},
    "manage_people": {"owner"},
    "manage_project": {"owner"},
    "import_work": {"engineer", "owner"},
    "set_single_needs": {"owner"},
    "build_twins": {"adjudicator", "engineer", "owner"},
    "approve_twins": {"adjudicator", "owner"},
    "review_variations": {"adjudicator", "owner"},
}


def test_the_whole_map_of_roles_and_acts(
    project: Project,
    owner: Person,
    annotator_a: Person,
    adjudicator: Person,
    engineer: Person,
    stranger: Person,
) -> None:
    people = {
        "owner": owner,
        "annotator_a": annotator_a,
        "adjudicator": adjudicator,
        "engineer": engineer,
        "stranger": stranger,
        "anonymous": AnonymousUser(),
    }
    allowed = {
        act: {name for name, person in people.items() if may(person, act, project).allowed}
        for act in ACTS
    }
    assert allowed == MAP


def test_a_former_member_may_nothing(project: Project, owner: Person, engineer: Person) -> None:
    end_membership(actor=owner, project=project, person=engineer)
    assert not any(may(engineer, act, project).allowed for act in ACTS)


def test_a_superuser_is_a_stranger_like_any_other(project: Project) -> None:
    root = Person.objects.create_superuser("root", password="a long enough pass phrase")
    assert not any(may(root, act, project).allowed for act in ACTS)


def test_a_refusal_gives_its_reason(project: Project, annotator_a: Person) -> None:
    assert "engineer or owner" in may(annotator_a, "import", project).reason


def test_the_last_owner_stays(project: Project, owner: Person) -> None:
    with pytest.raises(Refused, match="only owner"):
        set_member(actor=owner, project=project, person=owner, roles=["engineer"])
    with pytest.raises(Refused, match="only owner"):
        end_membership(actor=owner, project=project, person=owner)
