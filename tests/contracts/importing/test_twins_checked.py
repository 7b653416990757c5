"""A pair that comes in is checked as one that is made here, where both contracts stand."""

import json
from typing import Any

import pytest

from annotation.importing.problems import ImportRefused
from annotation.models import Person, Project
from annotation.services.imports import ImportReport, import_file
from annotation.services.projects import set_member
from contracts.models import TwinPair
from tests.evaluation.runs import small_study

A, B = small_study.CONTRACTS[0], small_study.CONTRACTS[1]
TWIN = small_study.TWINS[0]


def study(project: Project, *contracts: dict[str, Any], **changed: Any) -> Project:
    """The corpus, both requests (b changed) and the contracts of the small study."""
    corpus = [{"_id": key, "text": words} for key, words in small_study.DOCUMENTS]
    small_study.take_in(project, "corpus", corpus)
    requests = [small_study.REQUESTS[0], {**small_study.REQUESTS[1], **changed}]
    small_study.take_in(project, "requests", requests)
    if contracts:
        small_study.take_in(project, "contracts", contracts)
    return project


def refused(project: Project, row: dict[str, Any] = TWIN) -> list[tuple[int | None, str, str]]:
    with pytest.raises(ImportRefused) as told:
        small_study.take_in(project, "twins", [row])
    return [(p.row, p.column, p.code) for p in told.value.problems.shown]


def test_a_pair_comes_in_without_a_word(project: Project) -> None:
    report = small_study.take_in(study(project, A, B), "twins", [TWIN])
    assert (report.written, report.warned) == (1, 0)
    pair = TwinPair.objects.get()
    assert (pair.made_by, pair.approved_at, pair.reasons) == (None, None, None)


def test_contracts_that_differ_in_another_constraint_are_a_fault(project: Project) -> None:
    other = json.loads(json.dumps(B))
    other["constraints"][0]["value"]["name"] = "Lark Bakery"
    assert refused(study(project, A, other)) == [(1, "constraint", "differs_elsewhere")]


def test_contracts_that_differ_in_nothing_are_a_fault(project: Project) -> None:
    same = json.loads(json.dumps(B))
    same["constraints"][1]["value"] = A["constraints"][1]["value"]
    assert refused(study(project, A, same)) == [(1, "constraint", "same_demand")]


def test_a_constraint_that_no_contract_has_is_a_fault(project: Project) -> None:
    found = refused(study(project, A, B), {**TWIN, "constraint": "c9"})
    assert (1, "constraint", "constraint_missing") in found


def test_what_a_reason_would_excuse_is_a_warning(project: Project) -> None:
    report = small_study.take_in(
        study(project, A, B, evidence=[["d1"]], answers=["EUR 10 million"]), "twins", [TWIN]
    )
    assert report.written == 1
    assert [w.code for w in report.warnings] == ["same_evidence", "same_answers"]


def test_without_both_contracts_nothing_is_checked(project: Project) -> None:
    report = small_study.take_in(study(project, A), "twins", [TWIN])
    assert (report.written, report.warned) == (1, 0)


def test_whoever_annotates_brings_no_pairs(
    project: Project, engineer: Person, owner: Person
) -> None:
    study(project, A, B)
    set_member(actor=owner, project=project, person=engineer, roles=["engineer", "annotator"])

    def bring() -> ImportReport:
        return import_file(
            actor=engineer, project=project, kind="twins", filename="t.jsonl",
            data=json.dumps(TWIN).encode(),
        )  # fmt: skip

    with pytest.raises(Exception, match="stays blind"):
        bring()
