"""What all rewriters have in common: how they are described, and that this is all they send."""

import hashlib
import inspect
import json
import re
import sys

import pytest

from evaluation.generation.client import ChatClient
from evaluation.registry import PartError
from evaluation.rewriters import build_rewriter, rewriter_names
from evaluation.rewriters.base import REWRITERS
from tests.evaluation.rewriters.asking import Asked

URL = "http://127.0.0.1:9/v1"
REPLIES = {
    "clarify": ("no", '{"readings": ["a"], "query": "a", "question": null}'),
    "decompose": ("no", '["a"]'),
    "hyde": tuple("abcdefgh"),
}
# One that was trained is described with its artefact: test_ra_qcg.py.
UNTRAINED = [name for name in rewriter_names() if name != "ra_qcg"]
ASKING = [name for name in rewriter_names() if REWRITERS.find(name).needs_generator]


@pytest.fixture(autouse=True)
def address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTACT_REWRITER_URL", "https://rewriter.example/")


@pytest.mark.parametrize("name", UNTRAINED)
def test_a_description_is_json_and_the_same_each_time(name: str) -> None:
    one, two = (
        json.dumps(
            build_rewriter(name, {}, generator=ChatClient(URL, "sk-secret", "m")).describe(),
            sort_keys=True,
        )
        for _ in range(2)
    )
    assert one == two
    assert "secret" not in one


@pytest.mark.parametrize("name", ASKING)
def test_every_prompt_is_frozen_with_its_hash_and_its_model(name: str) -> None:
    described = build_rewriter(name, {}, generator=ChatClient(URL, "", "m")).describe()
    assert described["model"]["model"] == "m"
    for prompt in described["prompts"].values():
        assert prompt["sha256"] == hashlib.sha256(prompt["text"].encode()).hexdigest()


@pytest.mark.parametrize("name", ASKING)
def test_no_word_is_sent_that_is_not_in_a_frozen_prompt(name: str) -> None:
    asked = Asked(name, *REPLIES.get(name, ("a b",)))
    asked.rewrite()
    frozen = build_rewriter(name, {}, generator=ChatClient(URL, "", "m")).prompts()
    words = set(re.findall(r"\w+", " ".join(frozen.values())))
    own = "3 2024 06 user assistant Harbor Rail Yes And its parent the reply is no JSON Expecting "
    own += "value at character 0"
    for text in asked.said:
        assert set(re.findall(r"\w+", text)) <= words | set(own.split())


@pytest.mark.parametrize("name", ASKING)
def test_a_rewriter_that_needs_a_model_is_not_built_without_one(name: str) -> None:
    with pytest.raises(PartError, match="needs a language model"):
        build_rewriter(name, {}, generator=None)


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("standalone", {"max_words": 0}),
        ("decompose", {"max_queries": 0}),
        ("decompose", {"max_tokens": 0}),
        ("multi_query", {"n": 0}),
        ("multi_query", {"max_words": 0}),
        ("step_back", {"temperature": 3.0}),
        ("step_back", {"max_words": 0}),
        ("hyde", {"n": 33}),
        ("query2doc", {"repeats": 0}),
        ("query2doc", {"index": "hybrid"}),
        ("direct_correct", {"max_words": 0}),
        ("clarify", {"max_words": 0}),
        ("typed_query", {"distance": 3}),
        ("typed_query", {"shortest": 1}),
        ("typed_query", {"corpus_share": 1.5}),
        ("ra_qcg", {"max_tokens": 0}),
        ("ra_qcg", {"max_change": 2.0}),
        ("ra_qcg", {"span": 1}),
        ("http", {"deadline_s": 0}),
        ("hyde", {"samples": 8}),
    ],
)
def test_a_parameter_out_of_its_range_is_refused(name: str, parameters: dict[str, object]) -> None:
    with pytest.raises(PartError):
        build_rewriter(name, parameters, generator=ChatClient(URL, "", "m"))


@pytest.mark.parametrize("name", rewriter_names())
def test_each_rewriter_is_one_file_of_its_name(name: str) -> None:
    part = REWRITERS.find(name)
    assert part.__module__ == f"evaluation.rewriters.{name}"
    registered = inspect.getsource(sys.modules[part.__module__]).count("@register(")
    assert registered == 1
