"""What was asked, the documents, and how far the study is: to whom, and with which record."""

from collections.abc import Callable

import pytest
from django.test import Client

from annotation.models import Guideline, Person, Project
from annotation.services.projects import set_member

Programs = Callable[..., Client]
STUDY = "/api/v1/projects/study/"
NO_BODY = {"content_type": "application/json"}


def test_the_list_holds_neither_answers_nor_metadata(
    filled: Project, program: Programs, engineer: Person
) -> None:
    rows = program(engineer).get(STUDY + "requests/").json()["results"]
    assert rows[1] == {
        "id": "r2",
        "class": "follow-up",
        "turns": [
            {"role": "user", "text": "Profit in 2022?"},
            {"role": "assistant", "text": "4 m."},
        ],
        "text": "And before that?",
        "reference_date": None,
    }


def test_one_request_shows_its_answers_and_the_ledger_says_so(
    filled: Project, program: Programs, engineer: Person
) -> None:
    told = program(engineer).get(STUDY + "requests/r1/").json()
    assert (told["answers"], told["evidence"], told["closed"]) == (["4 million"], [["d2"]], False)
    entry = filled.ledger.get(kind="exposed", actor=engineer, subject="r1")
    assert entry.content == {"what": "answers and evidence"}


def test_who_annotates_too_must_ask_for_the_answers(
    filled: Project, program: Programs, owner: Person, engineer: Person
) -> None:
    set_member(actor=owner, project=filled, person=engineer, roles=["engineer", "annotator"])
    client = program(engineer)
    told = client.get(STUDY + "requests/r1/").json()
    assert (told["closed"], told["answers"], told["evidence"]) == (True, None, None)
    assert not filled.ledger.filter(kind="exposed").exists()
    assert client.post(STUDY + "requests/r1/exposure/", **NO_BODY).json()["answers"] == [
        "4 million"
    ]
    assert filled.ledger.filter(kind="exposed", actor=engineer, subject="r1").exists()


def test_an_annotator_lists_no_requests(
    filled: Project, program: Programs, annotator_a: Person
) -> None:
    client = program(annotator_a)
    paths = ("requests/", "requests/r1/", "requests/nothing/")
    assert [client.get(STUDY + path).status_code for path in paths] == [403, 403, 403]


def test_documents_are_lines_of_the_corpus_file(
    filled: Project, program: Programs, engineer: Person
) -> None:
    client = program(engineer)
    assert client.get(STUDY + "corpus/documents/").json()["results"][1] == {
        "_id": "d2", "title": "", "text": "Profit was 4 million.", "metadata": {"year": 2022},
    }  # fmt: skip
    assert client.get(STUDY + "corpus/documents/d1/?version=1").json()["_id"] == "d1"
    assert client.get(STUDY + "corpus/documents/d1/?version=2").status_code == 404
    assert client.get(STUDY + "corpus/").json()["results"][0]["document_count"] == 2


def test_guidelines_are_the_newest_of_each_topic(
    project: Project, owner: Person, program: Programs, annotator_a: Person
) -> None:
    for version, text in ((1, "old"), (2, "new")):
        Guideline.objects.create(
            project=project, topic="", version=version, text=text, sha256="0" * 64, author=owner
        )
    rows = program(annotator_a).get(STUDY + "guidelines/").json()["results"]
    assert [(row["version"], row["text"]) for row in rows] == [(2, "new")]


@pytest.mark.parametrize("name", ["owner", "annotator_a"])
def test_progress_says_whose_it_is(
    name: str, filled: Project, program: Programs, request: pytest.FixtureRequest
) -> None:
    told = program(request.getfixturevalue(name)).get(STUDY + "progress/").json()
    assert told["whose"] == ("all" if name == "owner" else "own")
    assert all({"label", "done", "wanted"} <= set(count) for count in told["counts"])


def test_my_projects_name_my_roles(project: Project, program: Programs, engineer: Person) -> None:
    rows = program(engineer).get("/api/v1/projects/").json()["results"]
    assert [(row["slug"], row["roles"]) for row in rows] == [("study", ["engineer"])]


def test_a_key_with_a_slash_has_its_address(
    filled: Project, take_in: Callable[..., object], program: Programs, engineer: Person
) -> None:
    take_in("requests", [{"id": "a/b", "class": "x", "text": "Why?"}])
    assert program(engineer).get(STUDY + "requests/a%252Fb/").json()["id"] == "a/b"
