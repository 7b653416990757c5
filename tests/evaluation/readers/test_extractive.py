from evaluation.readers import build_reader, reader_names
from evaluation.records import Answer, Document, Hit


def answer(question: str, *documents: Document, **parameters: object) -> Answer:
    passages = [(Hit(d.id, i, 1.0), d) for i, d in enumerate(documents, start=1)]
    return build_reader("extractive", parameters, generator=None).answer(question, passages)


RAIL = Document("d1", "Harbor Rail", "It runs trains. Revenue was 1.2 billion in 2022.")
FERRY = Document("d2", "Northern Ferries", "It runs ships. Revenue was 0.4 billion in 2022.")


def test_the_bundled_readers_are_found_without_a_list() -> None:
    assert reader_names() == ("endpoint", "extractive", "http", "local")


def test_the_title_lets_a_sentence_without_the_name_win() -> None:
    got = answer("What was the revenue of Northern Ferries?", RAIL, FERRY)
    assert (got.text, got.citations) == ("Revenue was 0.4 billion in 2022.", ("d2",))
    assert got.latency_ms is not None


def test_without_titles_the_higher_rank_wins_the_tie() -> None:
    got = answer("What was the revenue of Northern Ferries?", RAIL, FERRY, use_titles=False)
    assert got.citations == ("d1",)


def test_a_rare_word_outweighs_a_common_one() -> None:
    doc = Document("d", "", "Trains run daily. Trains run late. Trains crashed.")
    assert answer("When did trains crashed run?", doc).text == "Trains crashed."


def test_of_equal_sentences_the_earlier_one_wins() -> None:
    doc = Document("d", "", "Revenue rose. Revenue fell.")
    assert answer("revenue", doc).text == "Revenue rose."


def test_no_shared_word_is_an_abstention() -> None:
    got = answer("Who is the auditor?", RAIL, FERRY)
    assert (got.text, got.citations) == (None, ())


def test_a_title_alone_is_no_match() -> None:
    assert answer("Who audits Harbor Rail?", RAIL).text is None


def test_stop_words_alone_are_no_match() -> None:
    assert answer("What was it in?", RAIL).text is None


def test_no_passages_are_an_abstention() -> None:
    assert answer("revenue").text is None


def test_too_small_a_share_of_the_question_is_an_abstention() -> None:
    question = "Which auditor signed the revenue statement?"
    assert answer(question, RAIL).text is not None
    assert answer(question, RAIL, min_share=0.5).text is None


def test_the_unit_span_answers_with_the_value_and_keeps_its_sentence() -> None:
    got = answer("How much was the revenue of Northern Ferries?", RAIL, FERRY, unit="span")
    assert (got.text, got.citations) == ("0.4 billion", ("d2",))
    assert got.to_json()["taken_from"] == "Revenue was 0.4 billion in 2022."


def test_the_unit_span_answers_with_the_sentence_where_no_value_fits() -> None:
    got = answer("What was the revenue of Northern Ferries?", RAIL, FERRY, unit="span")
    assert got.text == "Revenue was 0.4 billion in 2022."


def test_the_unit_sentence_is_the_default_and_keeps_no_more_than_before() -> None:
    kept = answer("How much was the revenue of Northern Ferries?", RAIL, FERRY).to_json()
    assert kept["answer"] == "Revenue was 0.4 billion in 2022."
    assert sorted(kept) == ["answer", "citations", "latency_ms", "tokens"]
