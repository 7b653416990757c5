"""The pages of an import: a file is uploaded, looked at, mapped, checked, imported or cancelled."""

import gzip
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from annotation.importing import uploads
from annotation.models import Corpus, ImportJob, Person, Project, Request
from annotation.services import import_jobs, import_work
from annotation.services.imports import import_file
from tests.annotation.conftest import DOCUMENTS, lines

ClientOf = Callable[[Person], Client]
State = ImportJob.State
HTMX = {"HX-Request": "true"}
GOOD, BAD = lines(DOCUMENTS), lines([{"_id": "d1"}])
CHINESE = "编号,类别,问题,备注\nr1,fact,利润是多少？,内部\n".encode()

Send = Callable[..., HttpResponse]


@pytest.fixture
def browser(project: Project, engineer: Person, client_of: ClientOf) -> Client:
    return client_of(engineer)


@pytest.fixture
def send(browser: Client) -> Send:
    """Upload bytes and follow to the page of the job."""

    def post(data: bytes, filename: str = "corpus.jsonl", **fields: str) -> HttpResponse:
        words = {"file": SimpleUploadedFile(filename, data), **fields}
        return browser.post("/p/study/import/", words, follow=True)

    return post


@pytest.fixture
def act(browser: Client) -> Send:
    """Post the form of the newest job as the page shows it, with changes: `act("import")`."""

    def post(act: str = "", htmx: bool = False, **changed: Any) -> HttpResponse:
        job = ImportJob.objects.order_by("-pk")[0]
        page = browser.get(address(job))
        form = page.context["form"]
        fields = {field.name: field.value() or "" for field in form}
        fields = {name: "on" if value is True else value for name, value in fields.items()}
        headers = HTMX if htmx else {}
        return browser.post(
            address(job), {**fields, "act": act, **changed}, follow=not htmx, headers=headers
        )

    return post


def address(job: ImportJob, rest: str = "") -> str:
    return f"/p/study/import/{job.public_id}/{rest}"


def text(response: HttpResponse) -> str:
    return response.content.decode()


def test_an_upload_shows_what_the_file_seems_to_be_and_writes_nothing(send: Send) -> None:
    page = text(send(GOOD))
    job = ImportJob.objects.get()
    assert (job.kind, job.mapping["format"], job.state) == ("corpus", "jsonl", State.UPLOADED)
    assert "Harrow Water serves two towns." in page and "2 rows, 0 faults" in page
    assert not Corpus.objects.exists()


def test_importing_after_the_check_writes_all_and_deletes_the_file(send: Send, act: Send) -> None:
    send(GOOD)
    page = text(act("import"))
    assert "2 written of 2 rows read" in page and Corpus.objects.get().document_count == 2
    job = ImportJob.objects.get()
    assert job.state == State.DONE and not uploads.path_of(job.public_id).exists()


def test_htmx_gets_the_changed_part_alone(send: Send, act: Send) -> None:
    send(GOOD)
    page = text(act("import", htmx=True))
    assert "2 written of 2 rows read" in page and "<html" not in page


def test_every_fault_stands_in_a_table_with_row_and_column(send: Send) -> None:
    page = text(send(BAD))
    for word in ("1 fault", '<td class="n">1</td>', "<code>text</code>", "missing"):
        assert word in page
    assert 'value="import"' not in page and not Corpus.objects.exists()


def test_import_pressed_on_a_faulty_file_only_checks_again(send: Send, act: Send) -> None:
    send(BAD)
    act("import")
    assert ImportJob.objects.get().state == State.UPLOADED and not Corpus.objects.exists()


def test_the_first_hundred_faults_are_shown_and_more_can_be_downloaded(
    send: Send, browser: Client
) -> None:
    page = text(send(lines([{"_id": f"d{n}"} for n in range(130)])))
    assert "the first 100 of 130 faults" in page and "Download 130 of 130 as CSV" in page
    response = browser.get(address(ImportJob.objects.get(), "faults.csv"))
    assert text(response).count("\n") == 131
    assert 'filename="corpus.jsonl.faults.csv"' in response["Content-Disposition"]


def test_d40_a_hostile_file_name_cannot_leave_its_header(send: Send, browser: Client) -> None:
    send(BAD, 'a".jsonl')
    job = ImportJob.objects.get()
    ImportJob.objects.update(filename='x"\r\nSet-Cookie: a=1')
    header = browser.get(address(job, "faults.csv"))["Content-Disposition"]
    assert "\n" not in header and "\r" not in header and header.startswith("attachment")


def test_d10_a_formula_in_the_faults_is_no_formula_in_a_spreadsheet(
    send: Send, browser: Client
) -> None:
    send(b'{"=1+1": 1}', kind="twins")
    table = text(browser.get(address(ImportJob.objects.get(), "faults.csv")))
    assert ",'=1+1," in table


def test_a_header_in_chinese_is_mapped_on_the_page(send: Send, act: Send) -> None:
    page = text(send(CHINESE, "表.csv", kind="requests"))
    assert "编号" in page and "missing" in page
    page = text(act("check", **{"column-id": "0", "column-class": "1", "column-text": "2"}))
    assert "1 row, 0 faults" in page
    act("import")
    asked = Request.objects.get()
    assert (asked.key, asked.text, asked.metadata) == ("r1", "利润是多少？", {"备注": "内部"})


def test_a_fault_names_the_column_as_the_file_does(send: Send, act: Send) -> None:
    send("编号,类别,问题\n r1,fact,x\n".encode(), "f.csv", kind="requests")
    page = text(act("check", **{"column-id": "0", "column-class": "1", "column-text": "2"}))
    assert "<code>编号</code>" in page and "begins or ends with a blank" in page


def test_obvious_names_are_chosen_whatever_their_case(send: Send) -> None:
    send(b'{"ID": "a", "Class": "fact", "TEXT": "x", "Reference-Date": "2024-01-01"}', "f.jsonl")
    job = ImportJob.objects.get()
    assert (job.kind, job.report["faults"]) == ("requests", 0)
    assert job.mapping["columns"] == {
        "ID": "id", "Class": "class", "TEXT": "text", "Reference-Date": "reference_date",
    }  # fmt: skip


def test_one_column_cannot_be_two_of_ours(send: Send, act: Send) -> None:
    send(b"id,class,text\na,b,c\n", "f.csv")
    response = act("check", **{"column-class": "0"})
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "chosen for “id” already" in text(response)


def test_a_column_of_no_use_is_refused_where_metadata_is_not_kept(send: Send) -> None:
    page = text(send(b'{"id": "t", "shoe": 4}', "twins.jsonl", kind="twins"))
    assert "refused: remove from the file" in page and "unknown_column" in page


def test_d24_a_delimiter_is_seen_and_can_be_changed(send: Send, act: Send) -> None:
    send(b"id;class;text\na;fact;x, y\n", "f.csv")
    job = ImportJob.objects.get()
    assert (job.mapping["delimiter"], job.report["faults"]) == (";", 0)
    assert "is the delimiter “;”?" in text(act("check", delimiter=","))


def test_d2_d3_an_encoding_is_chosen_by_name_and_never_guessed(send: Send, act: Send) -> None:
    send("id,class,text\na,fact,caf\u00e9\n".encode("cp1252"), "f.csv")
    assert ImportJob.objects.get().report["problems"][0]["code"] == "encoding"
    assert "1 row, 0 faults" in text(act(encoding="cp1252"))
    act("import")
    assert Request.objects.get().text == "caf\u00e9"


def test_d2_utf_16_is_read_when_it_is_chosen(send: Send, act: Send) -> None:
    send("id,class,text\na,fact,\u6771\u4eac\n".encode("utf-16"), "f.csv", kind="requests")
    assert "0 faults" in text(act(encoding="utf-16"))


def test_another_kind_proposes_its_own_columns(send: Send, act: Send) -> None:
    send(b'{"_id": "a", "text": "x", "class": "fact", "id": "r"}', "f.jsonl", kind="corpus")
    page = text(act(kind="requests"))
    assert 'name="column-class"' in page and ImportJob.objects.get().report["faults"] == 0


def test_the_same_file_again_is_said_to_be_present_before_anything_is_written(
    send: Send, act: Send
) -> None:
    send(GOOD)
    act("import")
    page = text(send(GOOD))
    assert "2 rows already present, 0 added" in page and 'value="import"' not in page


def test_the_same_corpus_in_another_order_is_said_to_be_present(send: Send, act: Send) -> None:
    send(GOOD)
    act("import")
    assert "2 rows already present, 0 added" in text(send(lines(DOCUMENTS[::-1])))


def test_other_bytes_with_the_same_ids_are_said_to_be_present(send: Send, act: Send) -> None:
    row = {"id": "a", "class": "fact", "text": "x"}
    send(lines([row]), "requests.jsonl")
    act("import")
    assert "1 row already present, 0 added" in text(send(lines([row]) + b"\n", "requests.jsonl"))


def test_a_mapped_plain_file_is_the_same_as_the_file_from_the_command_line(
    send: Send, act: Send, project: Project, engineer: Person
) -> None:
    import_file(actor=engineer, project=project, kind="corpus", filename="c.jsonl", data=GOOD)
    assert "already present" in text(send(GOOD))


def test_a_file_of_an_arm_asks_for_the_arms_name(send: Send, act: Send) -> None:
    page = text(send(lines([{"request": "a", "kind": "standalone", "queries": ["q"]}]), "r.jsonl"))
    assert ImportJob.objects.get().kind == "rewrites" and "Name the arm" in page
    assert act("check").status_code == HTTPStatus.UNPROCESSABLE_ENTITY


def test_a_kind_of_an_arm_can_be_left_without_naming_one(send: Send, act: Send) -> None:
    send(lines([{"request": "a", "kind": "standalone", "queries": ["q"]}]), "r.jsonl")
    act(kind="requests")
    assert ImportJob.objects.get().kind == "requests"


def test_a_file_that_nothing_tells_is_taken_for_requests(send: Send) -> None:
    send(CHINESE, "表.csv")
    assert ImportJob.objects.get().kind == "requests"


def test_a_gzipped_file_is_looked_at_unpacked(send: Send) -> None:
    assert "2 rows, 0 faults" in text(send(gzip.compress(GOOD), "corpus.jsonl.gz"))


def test_cancel_ends_the_import_and_deletes_the_file(send: Send, browser: Client) -> None:
    send(GOOD)
    job = ImportJob.objects.get()
    page = text(browser.post(address(job, "cancel/"), follow=True))
    assert "Cancelled" in page and not uploads.path_of(job.public_id).exists()
    assert not Corpus.objects.exists()


def test_an_upload_lies_where_only_the_server_reads_it(send: Send) -> None:
    send(GOOD, "../../etc/x.jsonl")
    path = uploads.path_of(ImportJob.objects.get().public_id)
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert path.name == ImportJob.objects.get().public_id.hex


def test_a_large_file_waits_to_be_checked_by_a_worker(
    send: Send, act: Send, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_jobs, "INLINE_ROWS", 1)
    page = text(send(GOOD))
    assert "Not checked yet" in page and "Harrow Water" in page
    page = text(act("check"))
    assert "Waits for a worker" in page and 'hx-trigger="every 1s"' in page
    import_work.run(ImportJob.objects.get().pk)
    assert ImportJob.objects.get().state == State.UPLOADED


def test_polling_ends_itself(send: Send, act: Send, browser: Client) -> None:
    send(GOOD)
    act("import")
    page = text(browser.get(address(ImportJob.objects.get(), "progress/")))
    assert "every 1s" not in page and "<html" not in page and "2 written" in page


def test_without_a_worker_the_page_says_so_and_offers_to_do_it_here(
    send: Send, act: Send, browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_jobs, "INLINE_ROWS", 1)
    monkeypatch.setattr(import_jobs, "TAKEN_WITHIN", import_jobs.TAKEN_WITHIN * -1)
    send(GOOD)
    page = text(act("check"))
    assert "No worker has taken it" in page and "celery -A config worker" in page
    assert "Check it here now" in page


def test_somebody_elses_import_does_not_exist(send: Send, owner: Person, client_of: Any) -> None:
    send(GOOD)
    job = ImportJob.objects.get()
    for rest in ("", "progress/", "faults.csv"):
        assert client_of(owner).get(address(job, rest)).status_code == HTTPStatus.NOT_FOUND
    for rest in ("cancel/", "here/"):
        assert client_of(owner).post(address(job, rest)).status_code == HTTPStatus.NOT_FOUND


@pytest.mark.parametrize(
    "name, status",
    [("annotator_a", 403), ("adjudicator", 403), ("stranger", 404)],
)
def test_only_who_may_import_gets_a_page_of_an_import(
    name: str, status: int, send: Send, client_of: ClientOf, request: pytest.FixtureRequest
) -> None:
    send(GOOD)
    other = client_of(request.getfixturevalue(name))
    for rest in ("", "progress/", "faults.csv"):
        assert other.get(address(ImportJob.objects.get(), rest)).status_code == status
    for rest in ("cancel/", "here/"):
        assert other.post(address(ImportJob.objects.get(), rest)).status_code == status


@pytest.mark.django_db(transaction=True)
def test_here_and_now_the_page_grows_until_the_import_ended(
    send: Send, act: Send, browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_jobs, "INLINE_ROWS", 1)
    send(GOOD)
    act("check")
    import_work.run(ImportJob.objects.get().pk)
    act("import")
    response = browser.post(address(ImportJob.objects.get(), "here/"))
    page = b"".join(response.streaming_content).decode()  # type: ignore[attr-defined]
    assert page.rstrip().endswith("</html>") and "see what came of it" in page
    assert Corpus.objects.get().document_count == 2


def test_d61_a_fourth_open_import_is_refused_and_others_go_on(
    send: Send, owner: Person, client_of: ClientOf
) -> None:
    for n in range(3):
        send(BAD, f"{n}.jsonl")
    response = send(BAD, "3.jsonl")
    assert response.status_code == HTTPStatus.TOO_MANY_REQUESTS
    assert "3 files on their way already" in text(response)
    assert client_of(owner).get("/p/study/import/").status_code == HTTPStatus.OK
    assert ImportJob.objects.count() == 3 and len(list(uploads.folder().iterdir())) >= 3


def test_d61_many_uploads_within_a_minute_are_refused(
    send: Send, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_jobs, "UPLOADS_A_MINUTE", 1)
    send(GOOD)
    assert "within a minute" in text(send(GOOD))


def test_a_full_disk_is_told_and_leaves_no_half_file(
    send: Send, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("annotation.importing.uploads.os.fsync", full)
    before = len(list(uploads.folder().iterdir()))
    response = send(GOOD)
    assert response.status_code == 507 and "disk is full" in text(response)
    assert len(list(uploads.folder().iterdir())) == before and not ImportJob.objects.exists()


def test_the_page_explains_the_columns_and_begins_with_the_corpus(browser: Client) -> None:
    page = text(browser.get("/p/study/import/"))
    assert "<code>reference_date</code>" in page
    assert page.index('value="corpus"') < page.index('value="requests"') < page.index('value="run')


def test_the_same_file_sent_twice_leads_to_the_import_that_is_on_its_way(send: Send) -> None:
    before = set(uploads.lying())
    send(BAD)
    again = send(BAD)
    job = ImportJob.objects.get()
    assert again.redirect_chain[-1][0] == address(job)
    assert "is on its way already" in again.content.decode()
    assert set(uploads.lying()) - before == {job.public_id}


def test_the_same_bytes_as_something_else_or_after_an_end_are_another_import(
    send: Send, browser: Client
) -> None:
    send(BAD)
    send(BAD, "other.jsonl")
    browser.post(address(ImportJob.objects.order_by("pk")[0], "cancel/"))
    send(BAD)
    assert ImportJob.objects.count() == 3
