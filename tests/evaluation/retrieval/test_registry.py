import importlib
import sys
from pathlib import Path

import pytest

from evaluation.registry import Part, Registry
from evaluation.retrieval import PartError, retriever_names
from tests.evaluation.retrieval.corpora import RAIL, build


def test_an_unknown_retriever_is_answered_with_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(PartError) as caught:
        build("elastic", RAIL, tmp_path)
    assert str(caught.value) == (
        'There is no retriever called "elastic". Known retrievers: bm25, dense, http, hybrid, '
        "pgvector, postgres_text, rank_bm25, rrf, trained."
    )


def test_an_unknown_parameter_is_answered_with_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(PartError) as caught:
        build("bm25", RAIL, tmp_path, {"k": 1})
    assert str(caught.value) == (
        'The retriever "bm25" has no parameter "k". Known parameters: b, k1, per_query, stop_words.'
    )


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"k1": "high"}, "it must be a number"),
        ({"k1": True}, "it must be a number"),
        ({"stop_words": "french"}, "it must be one of 'none', 'english'"),
        ({"b": 2}, "b must lie between 0 and 1"),
        ({"k1": float("nan")}, "it must be a number"),
        ({"k1": 10**400}, "it must be a number"),
    ],
)
def test_a_wrong_value_is_a_sentence(given: dict, sentence: str, tmp_path: Path) -> None:  # type: ignore[type-arg]
    with pytest.raises(PartError, match=sentence):
        build("bm25", RAIL, tmp_path, given)


@pytest.mark.sqlite
def test_the_bundled_retrievers_are_found_without_a_list() -> None:
    assert retriever_names() == ("bm25", "dense", "http", "hybrid", "rank_bm25", "rrf", "trained")


def test_a_new_part_is_one_new_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "sample_parts"
    package.mkdir()
    (package / "__init__.py").write_text(
        "from evaluation.registry import Registry\nPARTS = Registry('sample_parts', 'part')\n",
        encoding="utf-8",
    )
    (package / "fresh.py").write_text(
        "from evaluation.registry import Part\nfrom sample_parts import PARTS\n"
        "@PARTS.register('fresh', version='1')\nclass Fresh(Part):\n    pass\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    parts = importlib.import_module("sample_parts").PARTS
    assert "sample_parts.fresh" not in sys.modules
    assert parts.names() == ("fresh",)


def test_two_parts_cannot_have_one_name() -> None:
    registry: Registry[Part] = Registry("evaluation.retrieval", "part")
    registry.register("same", version="1")(type("A", (Part,), {"__module__": "a"}))
    with pytest.raises(PartError, match='called "same"'):
        registry.register("same", version="1")(type("B", (Part,), {"__module__": "b"}))
