"""Whom a name in a file means: a member by user name, by pseudonym, or as the importer says."""

import json
from typing import Any

import pytest

from annotation.importing.people import who_is_who
from annotation.importing.problems import ImportRefused, Problems
from annotation.models import HumanRewrite, Membership, Person, Project, Seat
from annotation.services.imports import ImportReport, import_file
from annotation.services.projects import set_member
from contracts.models import Sheet
from tests.evaluation.runs import small_study
from tests.evaluation.runs.small_study import CONTRACTS


@pytest.fixture
def study(project: Project) -> Project:
    small_study.take_in(
        project, "corpus", [{"_id": k, "text": t} for k, t in small_study.DOCUMENTS]
    )
    small_study.take_in(project, "requests", small_study.REQUESTS)
    return project


def put_in(project: Project, kind: str, rows: list[dict[str, Any]], said: str = "") -> ImportReport:
    return import_file(
        actor=project.created_by,
        project=project,
        kind=kind,
        filename=f"{kind}.jsonl",
        data="\n".join(json.dumps(row) for row in rows).encode(),
        options={"people": said},
    )


def refused(*arguments: Any) -> list[tuple[str, str]]:
    with pytest.raises(ImportRefused) as told:
        put_in(*arguments)
    return [(p.column, p.code) for p in told.value.problems.shown]


def sheet(annotator: str, **more: Any) -> dict[str, Any]:
    return {
        "request": "a",
        "annotator": annotator,
        "constraints": CONTRACTS[0]["constraints"],
        **more,
    }


def paraphrase(**more: Any) -> dict[str, Any]:
    return {"request": "a", "author": "engineer", "text": "Say it anew", **more}


def test_a_pseudonym_of_the_project_is_its_member_and_that_is_said(
    study: Project, annotator_a: Person
) -> None:
    report = put_in(study, "sheets", [sheet("p2")])
    assert Sheet.objects.get().annotator == annotator_a
    assert "“p2” is read as “annotator-a”" in str(report.warnings[0])


def test_what_the_importer_says_comes_before_everything(
    study: Project, annotator_b: Person
) -> None:
    put_in(study, "sheets", [sheet("p2")], "p2 = annotator-b")
    assert Sheet.objects.get().annotator == annotator_b


def test_a_name_that_two_members_have_is_asked_back(study: Project, owner: Person) -> None:
    p2 = Person.objects.create_user("p2")
    set_member(actor=owner, project=study, person=p2, roles=["annotator"])
    assert refused(study, "sheets", [sheet("p2")]) == [("annotator", "two_people")]
    put_in(study, "sheets", [sheet("p2")], "p2=p2")
    assert Sheet.objects.get().annotator == p2


@pytest.mark.parametrize("said", ["p9=nobody", ""])
def test_nobody_is_made_a_member_by_a_file(said: str, study: Project) -> None:
    assert refused(study, "sheets", [sheet("p9")], said) == [("annotator", "unknown_person")]
    assert not Person.objects.filter(username__in=["p9", "nobody"]).exists()


@pytest.mark.parametrize("said", ["p1", "p1=", "=anna", "p1=anna,p1=ben"])
def test_what_does_not_say_who_is_who_is_refused(said: str) -> None:
    problems = Problems("f")
    who_is_who(said, problems)
    assert [p.code for p in problems.shown] == ["bad_people"]


def test_a_new_member_never_gets_a_pseudonym_that_an_import_gave(
    study: Project, owner: Person
) -> None:
    put_in(study, "sheets", [sheet("p6")], "p6=annotator-b")
    new = Person.objects.create_user("new")
    assert set_member(actor=owner, project=study, person=new, roles=["annotator"]).pseudonym == "p7"
    assert Membership.objects.get(person__username="annotator-b").pseudonym == "p6"


def test_a_dry_run_moves_no_pseudonym(study: Project) -> None:
    data = json.dumps(sheet("p6")).encode()
    import_file(
        actor=study.created_by, project=study, kind="sheets", filename="s.jsonl", data=data,
        options={"people": "p6=annotator-b"}, dry_run=True,
    )  # fmt: skip
    assert not Membership.objects.filter(pseudonym="p6").exists()


FAULTY = [
    (sheet("annotator-a", sealed_at="2999-01-01T00:00:00Z"), ("sealed_at", "bad_time")),
    (sheet("annotator-a", sealed_at="yesterday"), ("sealed_at", "bad_time")),
    (sheet("annotator-a", active_seconds=-1), ("active_seconds", "bad_number")),
    (sheet("annotator-a", active_seconds=1.5), ("active_seconds", "bad_number")),
    (sheet("annotator-a", active_seconds=2**40), ("active_seconds", "bad_number")),
    (sheet("annotator-a", admissible_rewrites=["x"]), ("admissible_rewrites", "not_of_a_sheet")),
]


@pytest.mark.parametrize("row, fault", FAULTY)
def test_a_sheet_that_cannot_have_been_sealed_so_is_refused(
    row: dict[str, Any], fault: tuple[str, str], study: Project
) -> None:
    assert refused(study, "sheets", [row]) == [fault]


def test_an_imported_paraphrase_takes_its_seat(study: Project, engineer: Person) -> None:
    warning = {"code": "drops-number", "words": ["2022"], "meant": True}
    row = paraphrase(kind="paraphrase", warnings=[warning], sealed_at="2024-05-01T10:00:00Z")
    put_in(study, "paraphrases", [row])
    written = HumanRewrite.objects.get()
    assert (written.author, written.warnings) == (engineer, [warning])
    assert written.sealed_at.isoformat() == "2024-05-01T10:00:00+00:00"
    assert Seat.objects.done().get(kind="paraphrase").holder == engineer


PARAPHRASES = [
    ([paraphrase(), paraphrase(text="Once more")], ("author", "duplicate_id")),
    ([paraphrase(kind="standalone")], ("kind", "unknown_value")),
    ([paraphrase(request="A")], ("request", "unknown_request")),
    ([paraphrase(text=" ")], ("text", "empty_text")),
    ([paraphrase(text="x" * 10_001)], ("text", "too_long")),
    (
        [paraphrase(warnings=[{"code": "x", "words": "y", "meant": True}])],
        ("warnings", "bad_warning"),
    ),
    (
        [paraphrase(warnings=[{"code": "x", "words": [], "meant": False}])],
        ("warnings", "bad_warning"),
    ),
    ([paraphrase(origin="machine")], ("origin", "unknown_column")),
]


@pytest.mark.parametrize("rows, fault", PARAPHRASES)
def test_what_is_no_paraphrase_is_refused(
    rows: list[dict[str, Any]], fault: tuple[str, str], study: Project
) -> None:
    assert refused(study, "paraphrases", rows) == [fault]
    assert not HumanRewrite.objects.exists()


def test_a_second_paraphrase_of_one_author_is_refused(study: Project) -> None:
    put_in(study, "paraphrases", [paraphrase()])
    assert refused(study, "paraphrases", [paraphrase(text="Again")]) == [("author", "present")]


def test_a_reference_whose_author_meant_to_name_the_answer_comes_back(study: Project) -> None:
    row = {"request": "a", "author": "annotator-a", "text": "Was it EUR 10 million?"}
    assert refused(study, "standalone", [row]) == [("text", "names_answer")]
    meant = [{"code": "names-answer", "words": [], "meant": True}]
    assert put_in(study, "standalone", [{**row, "warnings": meant}]).written == 1
