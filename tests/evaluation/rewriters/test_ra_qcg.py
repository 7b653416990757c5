"""The trained corrector as a rewriter, with decoders of a few kilobytes."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaluation.records import RequestText, Rewrite
from evaluation.registry import PartError
from evaluation.rewriters import Rewriter, build_rewriter
from evaluation.rewriters.ra_qcg import FOLDER
from tests.evaluation.readers.tiny_models import save_chain
from tests.evaluation.rewriters.corpus_views import ListView
from tests.evaluation.training.correctors import chain_corrector


@pytest.fixture(autouse=True)
def nothing_configured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FOLDER, raising=False)
    monkeypatch.delenv("INTACT_READER_MODEL", raising=False)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A corrector that writes "how much ?" for every query, and its base."""
    return chain_corrector(tmp_path_factory.mktemp("corrector"), "how", "much", "?")


def built(folders: tuple[Path, Path], view: ListView | None = None, **parameters: Any) -> Rewriter:
    path, base = folders
    given = {"path": str(path), "base": str(base), **parameters}
    return build_rewriter("ra_qcg", given, generator=None, corpus=view)


def rewritten(folders: tuple[Path, Path], text: str, **parameters: Any) -> Rewrite:
    return built(folders, ListView(), **parameters).rewrite(RequestText("r", text))


def test_what_it_writes_is_searched(folders: tuple[Path, Path]) -> None:
    got = rewritten(folders, "how mch ?")
    assert (got.kind, got.queries, got.fell_back) == ("standalone", ("how much ?",), False)
    assert got.notes == {"documents": ["d1"]}
    assert got.tokens is not None and got.tokens["out"] == 4  # three words and the end
    assert Rewrite.from_json(got.to_json()) == got


def test_documents_are_found_with_the_text_as_it_was_entered(folders: tuple[Path, Path]) -> None:
    view = ListView()
    built(folders, view).rewrite(RequestText("r", "how mch ?"))
    assert view.asked == [("how mch ?", 1)]  # as many as in training


def test_a_text_that_comes_back_as_it_was_is_unchanged(folders: tuple[Path, Path]) -> None:
    got = rewritten(folders, "how  much ?")
    assert (got.kind, got.queries, got.fell_back) == ("unchanged", ("how  much ?",), False)


@pytest.mark.parametrize(
    ("text", "parameters", "why"),
    [
        ("Which ferries does Norrby have this winter?", {}, "characters differ"),
        ("how mch ?", {"max_tokens": 2}, "cut at 2 tokens"),
        ("how mch ?", {"max_words": 2}, "3 words"),
        ("how " * 600, {}, "without any passage"),
    ],
)
def test_a_guard_falls_back_to_the_text_and_keeps_the_reason(
    folders: tuple[Path, Path], text: str, parameters: dict[str, Any], why: str
) -> None:
    got = rewritten(folders, text, **parameters)
    assert (got.kind, got.queries, got.fell_back) == ("unchanged", (text,), True)
    assert why in got.notes["why"]


def test_it_is_frozen_by_the_hashes_of_corrector_and_base(folders: tuple[Path, Path]) -> None:
    one, two = (json.dumps(built(folders).describe(), sort_keys=True) for _ in range(2))
    assert one == two
    model = json.loads(one)["model"]
    assert len(model["sha256"]) == 64 and model["base"]["name"] == "base"
    assert str(folders[0].parent) not in json.dumps(model)


def test_a_base_that_is_another_is_refused(folders: tuple[Path, Path], tmp_path: Path) -> None:
    other = save_chain(tmp_path / "other", "4", "%")
    with pytest.raises(PartError, match="was trained on “base”"):
        built((folders[0], other)).describe()


def test_without_a_corrector_it_says_what_to_set() -> None:
    with pytest.raises(PartError, match=f"set {FOLDER}"):
        build_rewriter("ra_qcg", {}, generator=None).describe()


def test_the_environment_names_the_folders(
    folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER, str(folders[0]))
    monkeypatch.setenv("INTACT_READER_MODEL", str(folders[1]))
    part = build_rewriter("ra_qcg", {}, generator=None, corpus=ListView())
    assert part.rewrite(RequestText("r", "how mch ?")).queries == ("how much ?",)
