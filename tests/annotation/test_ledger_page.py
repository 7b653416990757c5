from collections.abc import Callable

from django.db import connection
from django.test import Client

from annotation.models import Person, Project

ClientOf = Callable[[Person], Client]


def test_the_page_lists_the_newest_first_and_says_that_the_chain_holds(
    filled: Project, engineer: Person, client_of: ClientOf
) -> None:
    page = client_of(engineer).get("/p/study/ledger/").content.decode()
    assert "The chain holds" in page
    assert page.index("requests.imported") < page.index("corpus.frozen")


def test_the_page_says_where_the_chain_breaks(
    filled: Project, engineer: Person, client_of: ClientOf
) -> None:
    with connection.cursor() as cursor:
        cursor.execute("UPDATE annotation_ledgerentry SET subject = 'forged' WHERE sequence = 2")
    page = client_of(engineer).get("/p/study/ledger/").content.decode()
    assert "The chain does not hold: entry 2" in page
