import pytest

from evaluation.pipelines import build_pipeline
from evaluation.pipelines.sure import candidates_in, is_true, preference, total_scores
from tests.evaluation.pipelines.kits import Search, entry, kit, model_says, said_to
from tests.evaluation.pipelines.token_table import TableModel, spelled

TWO = "(a) Harbor Rail (b) Sea plc"


def test_two_candidates_take_seven_calls_and_the_best_is_the_answer() -> None:
    script = (TWO, "About rail.", "About Sea.", "False", "True", "Summary 2", "Summary 1")
    with model_says(*script) as (client, endpoint):
        got = build_pipeline("sure", {}).run(entry(), kit(generator=client))
        said = said_to(endpoint)
    # Kim et al. 2024 (arXiv 2404.13081): 1 + 2 + 2 + 2 calls.
    assert (len(said), got.generations, got.retrievals) == (7, 7, 1)
    assert (got.answer.text, got.notes["totals"]) == ("Sea plc", [0.0, 2.0])
    assert "Summary 1: About rail.\nSummary 2: About Sea." in said[5]
    assert "Summary 1: About Sea.\nSummary 2: About rail." in said[6]
    assert "Given answer: Sea plc" in said[2] and "[1] Harbor Rail" in said[2]
    assert got.answer.tokens == {"in": 49, "out": 21}


def test_the_first_wins_on_a_tie() -> None:
    script = (TWO, "s", "t", "True", "True", "either", "neither")
    with model_says(*script) as (client, _):
        got = build_pipeline("sure", {}).run(entry(), kit(generator=client))
    assert (got.answer.text, got.notes["totals"]) == ("Harbor Rail", [1.5, 1.5])


def test_a_single_candidate_is_not_ranked() -> None:
    with model_says("(a) Sea plc", "s", "False") as (client, _):
        got = build_pipeline("sure", {}).run(entry(), kit(generator=client))
    assert (got.answer.text, got.generations, got.notes["totals"]) == ("Sea plc", 3, [0.0])


def test_no_candidate_is_an_empty_answer_and_no_abstention() -> None:
    with model_says("I do not know.") as (client, _):
        got = build_pipeline("sure", {}).run(entry(), kit(generator=client))
    assert (got.answer.text, got.generations) == ("", 1)
    assert got.notes == {"candidates": [], "reply": "I do not know."}


def test_a_model_of_this_process_is_asked_where_no_endpoint_is_set() -> None:
    model = TableModel("(a)", "Sea", "True", following=_one_candidate)
    got = build_pipeline("sure", {}).run(entry(), kit(tokens=model))
    assert (got.answer.text, got.notes["validity"], got.generations) == ("Sea", [1.0], 3)


def _one_candidate(text: str) -> dict[str, float]:
    for after, words in (("Candidates:", ("(a)", "Sea")), ("False:", ("True",))):
        if after in text.split("Question:")[-1]:
            return dict(spelled(*words, after=after)(text))
    return dict(spelled("Sea", after="Summary:")(text))


def test_without_passages_it_abstains() -> None:
    with model_says() as (client, _):
        got = build_pipeline("sure", {}).run(entry(), kit(search=Search(()), generator=client))
    assert (got.answer.text, got.generations) == (None, 0)


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        (TWO, ["Harbor Rail", "Sea plc"]),
        ("(a) 1,200, (b) Paris (Texas)", ["1,200", "Paris (Texas)"]),
        ("Sure! (A) x\nbecause\n(B) y\n(C) z", ["x", "y"]),
        ("(a) Sea plc (b) sea PLC", ["Sea plc"]),
        ("(a) (b) y", ["y"]),
        ("(a) Senator(s) of vitamin (d) (b) y", ["Senator(s) of vitamin (d)", "y"]),
        ("Sea plc", []),
        ("", []),
    ],
)
def test_candidates_are_read_by_their_marks(reply: str, found: list[str]) -> None:
    assert candidates_in(reply) == found


def test_only_true_is_true() -> None:
    replies = ("True", "true.", "False", "False: it is not true", "Yes", "untrue")
    assert [is_true(reply) for reply in replies] == [True, True, False, False, False, False]


def test_the_first_summary_that_a_reply_names_is_preferred() -> None:
    replies = ("Summary 1", "passage 1", "Summary 2 is better than Summary 1", "both", "Summary 12")
    assert [preference(reply) for reply in replies] == [1.0, 1.0, 0.0, 0.5, 0.5]


def test_a_total_is_the_validity_and_the_sum_of_its_row() -> None:
    preferred = {(0, 1): 1.0, (0, 2): 0.5, (1, 0): 0.0, (1, 2): 1.0, (2, 0): 0.5, (2, 1): 0.0}
    assert total_scores([0.0, 1.0, 1.0], preferred) == [1.5, 2.0, 1.5]
