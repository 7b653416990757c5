"""However large a run is, its pages need the same number of queries."""

from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Person
from evaluation.models import Run
from evaluation.reports.matrix import rows as matrix_rows
from tests.bench.verdict_study import concluded

PAGES = [
    ("run", ""),
    ("run", "class=class-00"),
    ("matrix", ""),
    ("matrix", "lost=0"),
    ("matrix", "lost=0&sort=stage"),
    ("matrix", "stage=rewrite"),
    ("matrix", "lost=differs"),
    ("matrix", "lost=open"),
    ("matrix", "lost=near"),
    ("matrix", "lost=0&q=company"),
    ("case", ""),
    ("runs", ""),
]


def queries(run: Run, name: str, asked: str) -> tuple[int, bool]:
    """How many queries the page needs the first time, and whether it is an empty list, which reads
    less.
    """
    slug = run.project.slug
    more = {"runs": [], "case": [run.number, "r00000"]}.get(name, [run.number])
    address = f"{reverse(name, args=[slug, *more])}?{asked}"
    client = Client()
    client.force_login(Person.objects.get(username=f"{slug}-engineer"))
    client.get(address)  # the first visit is recorded
    cache.clear()
    matrix_rows._whole.cache_clear()
    with CaptureQueriesContext(connection) as captured:
        page = client.get(address)
    assert page.status_code == 200
    return len(captured), not page.context.get("groups", [""])


def test_sixty_requests_and_five_arms_need_no_more_queries_than_three_and_three(db: None) -> None:
    small = concluded(3, slug="small", candidates=1, resamples=1000)
    large = concluded(60, slug="large", candidates=3, resamples=1000)
    assert small.cases.count() == 9 and large.cases.count() == 300
    for page in PAGES:
        few, is_empty = queries(small, *page)
        many, _ = queries(large, *page)
        assert few == many or (is_empty and few < many), (page, few, many)
