from collections.abc import Callable
from http import HTTPStatus

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from annotation.models import Corpus, Person, Project
from tests.annotation.conftest import DOCUMENTS, lines

ClientOf = Callable[[Person], Client]
HTMX = {"HX-Request": "true"}
GOOD, BAD = lines(DOCUMENTS), lines([{"_id": "d1"}])


@pytest.fixture
def send(project: Project, engineer: Person, client_of: ClientOf) -> Callable[..., HttpResponse]:
    client = client_of(engineer)

    def post(data: bytes, *, htmx: bool = False, **fields: str) -> HttpResponse:
        words = {"kind": "corpus", "file": SimpleUploadedFile("corpus.jsonl", data), **fields}
        return client.post("/p/study/import/", words, headers=HTMX if htmx else {})

    return post


def test_a_plain_post_imports_and_redirects(send: Callable[..., HttpResponse]) -> None:
    assert send(GOOD)["Location"] == "/p/study/import/"
    assert Corpus.objects.get().document_count == 2


def test_htmx_imports_and_gets_the_report(send: Callable[..., HttpResponse]) -> None:
    page = send(GOOD, htmx=True).content.decode()
    assert "2 of 2 rows written" in page and "<html" not in page


@pytest.mark.parametrize("htmx", [False, True])
def test_a_refusal_shows_file_row_column_and_code(
    htmx: bool, send: Callable[..., HttpResponse]
) -> None:
    response = send(BAD, htmx=htmx)
    page = response.content.decode()
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    for word in ("nothing was written", "corpus.jsonl", '<td class="n">1</td>', "text", "missing"):
        assert word in page
    assert not Corpus.objects.exists()


def test_checking_only_writes_nothing(send: Callable[..., HttpResponse]) -> None:
    page = send(GOOD, check_only="on").content.decode()
    assert "can be imported" in page and not Corpus.objects.exists()


def test_the_same_file_is_said_to_be_present(send: Callable[..., HttpResponse]) -> None:
    send(GOOD)
    assert "already present" in send(GOOD, htmx=True).content.decode()


def test_a_file_of_an_arm_needs_the_arms_name(send: Callable[..., HttpResponse]) -> None:
    response = send(GOOD, kind="rewrites")
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "belongs to an arm" in response.content.decode()


def test_an_unneeded_arm_does_not_make_the_same_file_another(
    send: Callable[..., HttpResponse],
) -> None:
    send(GOOD)
    assert "already present" in send(GOOD, htmx=True, arm="mine").content.decode()


def test_the_page_explains_the_columns_and_begins_with_the_corpus(
    project: Project, engineer: Person, client_of: ClientOf
) -> None:
    page = client_of(engineer).get("/p/study/import/").content.decode()
    assert "<code>reference_date</code>" in page
    assert page.index('value="corpus"') < page.index('value="requests"') < page.index('value="run')
