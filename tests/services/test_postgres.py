import json
import subprocess
from collections.abc import Callable

import pytest

from tests.services.installation import LONGEST, Installation

pytestmark = pytest.mark.services


def test_a_run_on_postgresql_has_the_result_of_the_run_on_sqlite(
    on_postgres: Callable[..., Installation], right_sha256: str
) -> None:
    result = on_postgres().act("run_here")
    assert (result["state"], result["error"]) == ("finished", "")
    assert result["result_sha256"] == right_sha256


def test_two_processes_never_claim_one_case(on_postgres: Callable[..., Installation]) -> None:
    installation = on_postgres()
    run = str(installation.act("start"))
    pipe = subprocess.PIPE
    claimers = [
        installation.begin("tests.services.acts", "claim_all", run, stdin=pipe, stdout=pipe)
        for _number in range(2)
    ]
    try:
        assert [claimer.stdout.readline() for claimer in claimers] == ["ready\n"] * 2
        for claimer in claimers:
            claimer.stdin.write("go\n")
            claimer.stdin.flush()
        taken = [json.loads(claimer.communicate(timeout=LONGEST)[0]) for claimer in claimers]
    finally:
        for claimer in claimers:
            claimer.kill()
    assert all(taken), f"one process got nothing, so there was no race: {taken}"
    # 106 requests under three arms.
    assert len(taken[0]) + len(taken[1]) == len({*taken[0], *taken[1]}) == 318


def test_six_clicks_at_once_do_each_act_once(on_postgres: Callable[..., Installation]) -> None:
    done = on_postgres().act("double_clicks")
    assert done["took"] == {"Seat": 6} and done["held"] == 1
    assert done["opened"] == {"Adjudication": 6}
    assert done["approved"] == {"Contract": 6} and done["contracts"] == 1
    assert done["registered"] == {"Protocol": 6} and done["protocols"] == 1
