from evaluation.reports.verdict.tables import Judged, limits
from evaluation.scoring.outcomes import CaseOutcome
from evaluation.scoring.scorecard import scorecard

EMPTY = {"scorecard": {"arms": []}}


def told(judged: Judged, documents: int = 60_000, hypothetical: bool = False) -> str:
    return " ".join(limits(EMPTY, "cand", judged, documents=documents, hypothetical=hypothetical))


def test_it_says_who_judged() -> None:
    sentence = (
        "Of 81 judgements under this arm, 70 are by the judge, 8 by people, 1 by a model, and 2 are"
        " open."
    )
    assert sentence in told(Judged(matcher=70, people=8, open=2, model=1))


def test_a_corpus_below_fifty_thousand_documents_is_named_small() -> None:
    small, large = told(Judged(1, 0, 0), documents=49_999), told(Judged(1, 0, 0), documents=50_000)
    assert "The corpus has 49,999 documents." in small
    assert "The corpus has" not in large


def test_an_invented_study_says_so() -> None:
    assert "The study is hypothetical" in told(Judged(1, 0, 0), hypothetical=True)


def told_of(*cases: CaseOutcome, logged: bool = False) -> str:
    result = {"scorecard": scorecard(cases, resamples=2).to_json()}
    judged = Judged(1, 0, 0)
    return " ".join(
        limits(result, "cand", judged, documents=60_000, hypothetical=False, logged=logged)
    )


def test_asking_where_it_is_right_is_no_abstention_of_the_reader() -> None:
    asked = CaseOutcome("u1", "a", "cand", unresolved=True, asked=True, status="abstained")
    text = told_of(asked, CaseOutcome("r1", "a", "cand", query_texts=("q",)))
    assert "abstained" not in text and "not correct" not in text
    assert "The arm asked back in 1 case: rightly in 1," in text


def test_the_reader_s_abstentions_are_of_the_cases_that_it_was_given() -> None:
    text = told_of(
        CaseOutcome("r1", "a", "cand", query_texts=("q",)),
        CaseOutcome("r2", "a", "cand", query_texts=("q",), status="abstained"),
        CaseOutcome("r3", "a", "cand", asked=True, status="abstained"),
        CaseOutcome("r4", "a", "cand", status="abstained"),
    )
    assert "The reader abstained in 1 of 2 resolved cases that it was given" in text
    assert "1 resolved case has neither a query nor an answer" in text
    assert "asked back in 1 case: rightly in 0, because the request is unresolved, and" in text


def test_the_latency_of_a_logged_arm_is_that_of_its_whole_pipeline() -> None:
    sentence = "its latency is that of the whole pipeline"
    case = CaseOutcome("r1", "a", "cand")
    assert (sentence in told_of(case, logged=True), sentence in told_of(case)) == (True, False)


def test_a_rewriter_that_fell_back_is_named_with_its_count() -> None:
    fell = CaseOutcome("r1", "a", "cand", rewrite_kind="unchanged", fell_back=True)
    text = told_of(fell, CaseOutcome("r2", "a", "cand", rewrite_kind="standalone"))
    assert "In 1 of 2 assessed cases the rewriter failed and the original was searched" in text
    assert "the rewriter failed" not in told_of(CaseOutcome("r1", "a", "cand"))
