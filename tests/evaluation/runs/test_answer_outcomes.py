"""What a case's rows come to as to its answer: the rules' words, a judge's, a person's, and what
has no score.
"""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from evaluation.models import Case
from evaluation.runs.outcomes import ScoredCase, score_case
from evaluation.scoring.answers_said import AnswersSaid, Said, answer_key, evidence_key

TEXT = "The plan was approved by radio. Harbor Rail was not asked."


def case(golds: list[str] | None, status: str = "ok") -> Case:
    request = SimpleNamespace(
        pk=1, key="r1", answers=golds, evidence=[["d1"]], request_class=SimpleNamespace(name="any")
    )
    found = SimpleNamespace(
        state=Case.State.DONE, status=status, request=request, contract=None,
        arm=SimpleNamespace(name="cand"),
    )  # fmt: skip
    return cast(Case, found)


def scored(
    answer: str | None,
    golds: list[str] | None = ["by radio"],  # noqa: B006 (never changed)
    *,
    status: str = "ok",
    answered: dict[str, Any] | None = None,
    judged: dict[str, Any] | None = None,
    found: dict[str, Any] | None = None,
    said: AnswersSaid | None = None,
) -> ScoredCase:
    hits = [{"id": "d1", "rank": 1, "score": 1.0, "query": 0}]
    stages: dict[str, dict[str, Any]] = {
        "rewrite": {"kind": "standalone", "queries": ["q"]},
        "retrieve": {"hits": hits, "note": "", **(found or {})},
        "answer": {"answer": answer, "citations": ["d1"], "status": status, **(answered or {})},
        "judge": {"added": [], "foreign": {}, **(judged or {})},
    }
    more = {"said": said} if said else {}
    return score_case(case(golds, status), stages, [], {"d1": TEXT}, {}, **more)


def words(correct: bool | None = None, supported: bool | None = None) -> AnswersSaid:
    """What a person said of "by radio"."""
    key = (1, answer_key("by radio"))
    return AnswersSaid(
        {} if correct is None else {key: Said(correct, "I know it.")},
        {} if supported is None else {(*key, evidence_key(["d1"], ["d1"])): Said(supported)},
    )


def test_every_rule_is_stored_beside_the_typed_one() -> None:
    stored = scored("It was by radio.").to_json()
    assert {name: score["value"] for name, score in stored["answers"].items()} == {
        "typed_match": 1.0, "squad_exact_match": 0.0, "squad_f1": pytest.approx(2 / 3),
        "inacc": 1.0, "flashrag_acc": 1.0,
    }  # fmt: skip
    assert stored["answer"] == stored["answers"]["typed_match"]
    assert stored["outcome"]["gold_type"] == "text"


def test_only_the_typed_rule_decides() -> None:
    found = scored("10.5", ["105"])
    assert found.outcome.answer_correct is False
    assert found.answers["squad_exact_match"].value is None


def test_without_golds_nothing_is_decided() -> None:
    found = scored("by radio", None)
    assert (found.answers, found.outcome.answer_correct, found.outcome.correct_by) == ({}, None, "")


@pytest.mark.parametrize("status", ["truncated", "provider_error", "judge_error"])
def test_what_failed_has_no_answer_score(status: str) -> None:
    found = scored(None, status=status)
    assert (found.answers, found.answer) == ({}, None)
    assert not found.outcome.assessed


@pytest.mark.parametrize("case_status", ["ok", "not_applicable"])
def test_a_logged_run_without_answers_is_assessed_for_the_rest(case_status: str) -> None:
    found = scored(None, status=case_status, answered={"status": "not_applicable"})
    outcome = found.outcome
    assert (outcome.status, outcome.assessed, outcome.evidence_hit) == ("ok", True, 1)
    assert (outcome.answer_correct, outcome.supported) == (None, None)
    assert found.answer is not None
    assert found.answer.why == "The logged run has no answers."


def test_an_abstention_is_not_correct_and_not_without_score() -> None:
    found = scored(None, status="abstained")
    assert (found.outcome.answer_correct, found.outcome.correct_by) == (False, "rule")


def test_a_search_that_was_not_logged_supports_and_misses_nothing() -> None:
    found = scored("by radio", found={"hits": [], "unlogged": True}).outcome
    assert (found.supported, found.evidence_required) == (None, 0)


def test_support_that_a_judge_stored_is_taken_from_its_row() -> None:
    stored = {"value": False, "why": "No.", "rule": "nli/1", "claims": [], "status": "ok"}
    found = scored("by radio", judged={"support": stored})
    assert (found.outcome.supported, found.outcome.support_by) == (False, "model")
    assert found.to_json()["support"]["rule"] == "nli/1"


def test_an_error_of_the_judge_leaves_support_undecided_and_is_counted() -> None:
    stored = {"value": None, "why": "No JSON.", "rule": "endpoint/1", "status": "judge_error"}
    found = scored("by radio", judged={"support": stored}).outcome
    assert (found.supported, found.support_by, found.supported_correct) == (None, "error", None)


def test_without_a_stored_judgement_words_decide() -> None:
    found = scored("by radio")
    assert (found.outcome.supported, found.outcome.support_by) == (True, "rule")
    assert found.to_json()["support"]["claims"][0]["passage"] == "d1"


@pytest.mark.parametrize("yes", [True, False])
def test_a_person_prevails_over_rule_and_model(yes: bool) -> None:
    stored = {"value": not yes, "why": "", "rule": "nli/1", "claims": [], "status": "ok"}
    golds = ["by post"] if yes else ["by radio"]
    found = scored("by radio", golds, judged={"support": stored}, said=words(yes, yes))
    outcome = found.outcome
    assert (outcome.answer_correct, outcome.supported) == (yes, yes)
    assert (outcome.correct_by, outcome.support_by) == ("person", "person")
    assert found.answers["typed_match"].correct is not yes
    assert found.answer is not None and "I know it. inacc: " in found.answer.why


def test_a_person_s_word_on_support_holds_for_these_passages_only() -> None:
    other = {"hits": [{"id": "d1", "rank": 1, "score": 1.0}], "note": ""}
    said = words(supported=False)
    assert scored("by radio", found=other, said=said).outcome.supported is False
    cited_nothing = scored("by radio", answered={"citations": []}, said=said)
    assert cited_nothing.outcome.supported is True


def test_a_person_can_judge_where_no_gold_is_recorded() -> None:
    assert scored("by radio", None, said=words(True)).outcome.answer_correct is True
