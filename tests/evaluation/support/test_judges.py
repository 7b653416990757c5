"""Support judges are found by name, frozen like every part, and keep the lexical rule's meaning."""

import pytest

from evaluation.records import Document
from evaluation.registry import PartError
from evaluation.runs.stages import check_support
from evaluation.scoring.answers import supported
from evaluation.scoring.support import Support
from evaluation.support import SupportError, build_support_judge, support_judge_names

TEXT = "In 2020 revenue of Harbor Rail was 1,200 million euros. Costs did not rise."
PASSAGES = [Document("d1", "", "Nothing here."), Document("d2", "", TEXT)]


def lexical(**parameters):
    return build_support_judge("sentences", parameters, generator=None)


def test_the_judges_are_those_named():
    assert support_judge_names() == ("endpoint", "nli", "sentences")


@pytest.mark.parametrize(
    "answer", ["Harbor Rail revenue was EUR 1.2 billion.", "Costs did rise.", "Costs fell.", "Yes."]
)
def test_the_lexical_judge_says_what_the_rule_says_with_the_rule_s_name(answer):
    found = lexical().check("?", answer, PASSAGES)
    rule = supported(answer, [document.text for document in PASSAGES])
    assert (found.value, found.why, found.rule) == (rule.value, rule.why, "supported/1")


def test_each_claim_names_its_passage_and_sentence():
    found = lexical().check("?", "Costs didn't rise. Costs fell.", PASSAGES)
    assert [(c.text, c.supported, c.passage, c.quote) for c in found.claims] == [
        ("Costs didn't rise.", True, "d2", "Costs did not rise."),
        ("Costs fell.", False, None, ""),
    ]


def test_the_share_can_be_set_and_is_checked():
    assert lexical(share=0.5).check("?", "Costs fell", PASSAGES).value is True
    with pytest.raises(PartError, match="share must be above 0"):
        lexical(share=0)


def test_an_unknown_judge_is_refused_with_the_known_names():
    with pytest.raises(PartError, match="Known support judges: endpoint, nli, sentences"):
        build_support_judge("oracle", {}, generator=None)


def test_support_survives_its_json():
    found = lexical().check("?", "Costs didn't rise.", PASSAGES)
    assert Support.from_json(found.to_json()) == found


def test_the_stage_stores_the_judgement():
    stored = check_support(lexical(), "?", {"answer": "Costs didn't rise."}, PASSAGES)
    assert (stored["value"], stored["status"], stored["rule"]) == (True, "ok", "supported/1")


def test_a_missing_answer_has_nothing_to_check():
    stored = check_support(lexical(), "?", {"answer": None}, PASSAGES)
    assert (stored["value"], stored["status"]) == (None, "not_applicable")


def test_an_error_of_the_judge_is_stored_as_such_and_is_no_score(monkeypatch):
    judge = lexical()

    def fail(*_given):
        raise SupportError("the model wrote nothing usable", raw="hm")

    monkeypatch.setattr(judge, "judge", fail)
    stored = check_support(judge, "?", {"answer": "Costs rose."}, PASSAGES)
    assert (stored["value"], stored["status"], stored["raw"]) == (None, "judge_error", "hm")
