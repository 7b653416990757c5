"""The button of the page “Blindness”, pressed at a real web server with PostgreSQL, a real queue
and a real worker: the report comes, and finds no difference.
"""

import time

import psycopg
import pytest

from tests.services.test_import_worker import STUDY, Engineer, site
from tests.walk.site import Site

pytestmark = pytest.mark.services
__all__ = ["site"]
REPORT = """
    SELECT content FROM annotation_ledgerentry WHERE kind = 'blindness.checked'
"""
ALONE = """
    UPDATE annotation_membership SET ended_at = now() WHERE person_id IN
    (SELECT id FROM annotation_person WHERE username IN ('annotator-b', 'writer'))
"""
LONGEST = 300  # seconds: the time of a task, on a machine that is busy


class Owner(Engineer):
    """The demo's owner at a browser without JavaScript."""

    persona = "owner"


def test_a_worker_checks_the_blindness_of_a_live_study_and_finds_no_difference(site: Site) -> None:
    owner = Owner(site)
    with psycopg.connect(site.database_url, autocommit=True) as there, site.worker():
        there.execute(ALONE)  # one annotator is asked for: it takes long enough
        before = there.execute("SELECT count(*) FROM annotation_seat").fetchone()
        _address, page = owner.ask(f"{STUDY}blindness/check/", {})
        assert "A worker checks now" in page
        until, found = time.monotonic() + LONGEST, None
        while found is None:
            assert time.monotonic() < until, site.log.read_text(errors="replace")[-3000:]
            found = there.execute(REPORT).fetchone()
            time.sleep(0.2)
        assert there.execute("SELECT count(*) FROM annotation_seat").fetchone() == before
    (report,) = found
    assert report["differences"] == 0 and report["unsteady"] == 0, report
    assert report["people"] == 1 and report["calls"] > 1_000 and report["read"] > 100
    _address, page = owner.ask(f"{STUDY}blindness/")
    assert f"0 of {report['calls']}" in page.replace(",", "")
