"""The short campaigns: five kills, three kinds of fault at 30 %, every message twice, the broker
restarted once. A minute or two on two idle cores.
"""

from collections.abc import Iterator

import pytest

from tests.faults import fakes, kills, kinds, outages, twofold
from tests.faults.found import Found
from tests.faults.site import MISSING, Site, site, wheels_are_here

pytestmark = [
    pytest.mark.services,
    pytest.mark.skipif(not wheels_are_here(), reason=MISSING),
]
SEED = 7


@pytest.fixture(scope="module")
def installation() -> Iterator[Site]:
    more = {
        "INTACT_CONNECTIONS": str(kills.CONNECTIONS),
        "INTACT_ENDPOINT_PATIENCE_S": kinds.PATIENCE_S,
    }
    with site(**more) as made:
        yield made


def all_held(found: Found) -> bool:
    assert found.broken == []
    return found.held == found.of > 0


def test_a_run_whose_workers_are_killed_has_the_result_of_one_that_nobody_disturbs(
    installation: Site,
) -> None:
    assert all_held(kills.run(installation, SEED, 5))


@pytest.mark.parametrize(
    ("path", "kind"),
    [(fakes.CHAT, "server_error"), (fakes.CHAT, "cut_json"), (fakes.SEARCH, "unknown_ids")],
)
def test_a_fault_loses_no_case_and_is_never_scored(
    installation: Site, path: str, kind: str
) -> None:
    assert all_held(kinds.run(installation, SEED, [(path, kind, 0.3)]))


def test_messages_that_come_twice_change_nothing_and_cost_nothing(installation: Site) -> None:
    assert all_held(twofold.run(installation, SEED, 1))


def test_a_worker_goes_on_when_the_broker_is_back(installation: Site) -> None:
    assert all_held(outages.broker(installation, SEED, 1, 0))
