"""What a case gave and no database can keep, and texts that the corpus does not have."""

import pytest

from annotation.models import Person, Project
from evaluation.models import Case
from evaluation.records import RequestText
from evaluation.runs import reading, stages
from evaluation.runs.cases import CaseWork
from evaluation.runs.reading import Texts
from evaluation.runs.stages import CaseInput
from tests.evaluation.runs.small_study import DOCUMENTS, begin, case_of, finish, take_in


@pytest.mark.parametrize("odd", [float("nan"), float("inf")])
def test_a_case_whose_result_cannot_be_stored_fails_alone(
    study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch, odd: float
) -> None:
    retrieve = stages.retrieve

    def retrieved(retriever, rewrite, **options):
        found = retrieve(retriever, rewrite, **options)
        if "2022" in rewrite.queries[0]:
            found["hits"][0]["score"] = odd
        return found

    monkeypatch.setattr(stages, "retrieve", retrieved)
    run = finish(begin(engineer, study, ["original"]))
    case = case_of(run, "original", "a")
    assert (case.state, case.status) == ("failed", "judge_error")
    assert "cannot be stored" in case.error and not case.stages.exists()
    assert run.cases.filter(state=Case.State.DONE).count() == 2


def searched(keys: list[str]) -> CaseWork:
    hits = [{"id": key, "rank": n, "score": 1.0} for n, key in enumerate(keys, start=1)]
    given = CaseInput(RequestText("r", "?", ()), None)
    return CaseWork(1, "r", "original", given, {}, done={"rewrite": {}, "retrieve": {"hits": hits}})


def test_a_document_that_the_corpus_lacks_does_not_end_the_worker(study: Project) -> None:
    found = searched(["d1", "gone"])
    Texts(study.corpora.get()).give([found])
    assert set(found.documents or ()) == {"d1"}


def test_very_many_hits_are_read_in_several_queries(study: Project) -> None:
    # A database takes some ten thousand parameters in a query; 64 cases may have 1,000 hits each.
    found = searched([*(f"x{n}" for n in range(70_000)), "d1"])
    Texts(study.corpora.get()).give([found])
    assert set(found.documents or ()) == {"d1"}


def test_no_more_text_is_held_than_there_is_room_for(
    study: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "_LETTERS_HELD", 100)
    texts = Texts(study.corpora.get())
    texts.give([searched(["d1", "d2", "d3"])])
    assert sum(len(document.text) for document in texts._held.values()) <= 100
    again = searched(["d1", "d2", "d3"])
    texts.give([again])
    assert set(again.documents or ()) == {"d1", "d2", "d3"}


def test_a_logged_run_of_another_corpus_fails_its_case_with_a_sentence(
    study: Project, engineer: Person
) -> None:
    logged = {"hits": [{"id": "d1", "rank": 1, "score": 1.0}], "answer": "EUR 10 million"}
    take_in(study, "run", [{"request": "a", **logged}], "theirs")
    take_in(study, "corpus", [{"_id": key, "text": text} for key, text in DOCUMENTS[1:]])
    run = finish(begin(engineer, study, ["original", "theirs"]))
    case = case_of(run, "theirs", "a")
    assert (case.state, case.status) == ("failed", "judge_error")
    assert case.error.endswith("that this case found, the first of them d1.")
