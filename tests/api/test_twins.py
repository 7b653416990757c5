"""Twin pairs and controls for programs."""

from contracts.models import TwinPair
from tests.api.conftest import Programs
from tests.api.world import World

AT = "/api/v1/projects/study"


def test_pairs_are_listed_and_filtered_by_family(world: World, program: Programs) -> None:
    client = program("engineer")
    (pair,) = client.get(f"{AT}/twins/").json()["results"]
    assert pair == {
        "id": "t1", "family": "date", "base": "a", "twin": "b", "constraint": "c2",
        "made_by": None, "approved_by": None, "approved_at": None, "reasons": None,
    }  # fmt: skip
    assert client.get(f"{AT}/twins/?family=date").json()["results"] == [pair]
    assert client.get(f"{AT}/twins/?family=status").json()["results"] == []
    assert client.get(f"{AT}/twins/t1/").json() == pair


def test_a_control_has_what_must_pass(world: World, program: Programs) -> None:
    found = program("adjudicator").get(f"{AT}/controls/x1/").json()
    assert (found["base"], found["accepts"]) == ("a", ["More words."])


def test_who_made_and_approved_is_told_by_pseudonym_to_whoever_may_export(
    world: World, program: Programs
) -> None:
    TwinPair.objects.update(
        made_by=world.people["engineer"], approved_by=world.people["adjudicator"],
        approved_at="2024-01-01T00:00Z", reasons={},
    )  # fmt: skip
    names = dict(world.project.memberships.values_list("person__username", "pseudonym"))
    told = program("owner").get(f"{AT}/twins/t1/").json()
    assert (told["made_by"], told["approved_by"]) == (names["engineer"], names["adjudicator"])
    blind = program("adjudicator").get(f"{AT}/twins/t1/").json()
    assert (blind["made_by"], blind["approved_by"]) == (None, None)
