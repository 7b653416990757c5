from evaluation.reports.run_tables import Judged, limits

EMPTY = {"scorecard": {"arms": []}}


def told(judged: Judged, documents: int = 60_000, hypothetical: bool = False) -> str:
    return " ".join(limits(EMPTY, "cand", judged, documents=documents, hypothetical=hypothetical))


def test_it_says_who_judged() -> None:
    sentence = "Of 80 judgements under this arm, 70 are by the matcher, 8 by people, and 2 are open"
    assert sentence in told(Judged(matcher=70, people=8, open=2))


def test_a_corpus_below_fifty_thousand_documents_is_named_small() -> None:
    small, large = told(Judged(1, 0, 0), documents=49_999), told(Judged(1, 0, 0), documents=50_000)
    assert "The corpus has 49,999 documents." in small
    assert "The corpus has" not in large


def test_an_invented_study_says_so() -> None:
    assert "The study is hypothetical" in told(Judged(1, 0, 0), hypothetical=True)
