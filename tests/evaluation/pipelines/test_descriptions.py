"""What all pipelines have in common: how they are described, and what they need."""

import hashlib
import inspect
import json
import subprocess
import sys
from typing import Any

import pytest

from evaluation.documenting import meanings
from evaluation.generation.client import ChatClient
from evaluation.pipelines import PIPELINES, build_pipeline, pipeline_names
from evaluation.pipelines.base import require_kit
from evaluation.registry import PartError
from evaluation.rewriters.direct_correct import INSTRUCTION as CORRECT
from tests.evaluation.pipelines.kits import entry, kit
from tests.evaluation.pipelines.token_table import TableModel

NAMES = (
    "cot_rag", "direct_correct", "hyde", "iter_retgen", "long_llm_lingua", "replug", "rewritten",
    "standard", "sure",
)  # fmt: skip
NEEDED: dict[str, dict[str, Any]] = {"rewritten": {"rewriter": "keywords"}}
URL = "http://127.0.0.1:9/v1"


def client() -> ChatClient:
    return ChatClient(URL, "sk-secret", "m")


def test_the_baselines_are_there() -> None:
    assert set(NAMES) <= set(pipeline_names())


@pytest.mark.parametrize("name", NAMES)
def test_a_description_is_json_and_the_same_each_time(name: str) -> None:
    one, two = (
        json.dumps(build_pipeline(name, NEEDED.get(name, {})).describe(), sort_keys=True)
        for _ in range(2)
    )
    assert one == two


@pytest.mark.parametrize("name", NAMES)
def test_every_prompt_is_frozen_with_its_hash(name: str) -> None:
    described = build_pipeline(name, NEEDED.get(name, {})).describe()
    for prompt in described["prompts"].values():
        assert prompt["sha256"] == hashlib.sha256(prompt["text"].encode()).hexdigest()


def test_a_rewriter_is_frozen_with_its_prompts_and_parameters() -> None:
    told = build_pipeline("direct_correct", {"max_words": 8}).describe()["rewriter"]
    assert told["prompts"]["instruction"]["text"] == CORRECT
    assert told["parameters"]["max_words"] == 8
    told = build_pipeline("rewritten", {"rewriter": "keywords"}).describe()["rewriter"]
    assert told["name"] == "keywords" and told["parameters"]["max_words"] == 32


def test_the_kit_names_its_models_and_never_the_key() -> None:
    told = kit(generator=client(), tokens=TableModel()).describe()
    assert (told["generator"]["model"], told["tokens"]) == ("m", {"name": "table"})
    assert told["asks"] == "generator"
    assert "secret" not in json.dumps(told)


def test_the_model_of_the_local_reader_is_asked_where_it_reads() -> None:
    given = kit(generator=client(), tokens=TableModel())
    given.reader.name = "local"  # type: ignore[misc]
    assert given.asks_tokens
    assert not kit(generator=client()).asks_tokens


@pytest.mark.parametrize("name", ["long_llm_lingua", "replug"])
def test_an_endpoint_is_no_model_that_tells_its_probabilities(name: str) -> None:
    pipeline = build_pipeline(name, {})
    with pytest.raises(PartError, match=r"an endpoint does not give: set INTACT_READER_MODEL"):
        require_kit(pipeline, kit(generator=client()))
    require_kit(pipeline, kit(tokens=TableModel()))


@pytest.mark.parametrize("name", ["direct_correct", "hyde"])
def test_a_rewriter_that_asks_needs_the_endpoint(name: str) -> None:
    with pytest.raises(PartError, match="needs a language model and none is set"):
        require_kit(build_pipeline(name, {}), kit(tokens=TableModel()))
    require_kit(build_pipeline(name, {}), kit(generator=client()))


@pytest.mark.parametrize("name", ["cot_rag", "sure"])
def test_a_pipeline_that_asks_itself_takes_either_model(name: str) -> None:
    pipeline = build_pipeline(name, {})
    with pytest.raises(PartError, match="INTACT_READER_MODEL"):
        require_kit(pipeline, kit())
    require_kit(pipeline, kit(tokens=TableModel()))
    require_kit(pipeline, kit(generator=client()))


def test_any_rewriter_needs_what_it_needs() -> None:
    require_kit(build_pipeline("rewritten", {"rewriter": "keywords"}), kit())
    with pytest.raises(PartError, match='The rewriter "decompose" needs a language model'):
        require_kit(build_pipeline("rewritten", {"rewriter": "decompose"}), kit())


@pytest.mark.parametrize("name", ["iter_retgen", "standard"])
def test_the_rest_need_no_model(name: str) -> None:
    require_kit(build_pipeline(name, {}), kit())


@pytest.mark.parametrize("name", NAMES)
def test_each_pipeline_is_one_file_of_its_name_with_its_source(name: str) -> None:
    part = PIPELINES.find(name)
    assert part.__module__ == f"evaluation.pipelines.{name}"
    assert inspect.getsource(sys.modules[part.__module__]).count("@register(") == 1
    assert "\n\n    Source: " in (part.__doc__ or "")
    assert all(meanings(part.Parameters).values())


@pytest.mark.parametrize("name", ["hyde", "replug"])
def test_an_unknown_parameter_is_refused(name: str) -> None:
    with pytest.raises(PartError, match='no parameter "colour"'):
        build_pipeline(name, {"colour": 1})


def test_importing_the_pipelines_loads_neither_torch_nor_django() -> None:
    code = (
        "import sys\nfrom evaluation.pipelines import pipeline_names\npipeline_names()\n"
        "print([m for m in ('torch', 'django', 'httpcore2') if m in sys.modules])"
    )
    done = subprocess.run(  # noqa: S603 our own interpreter
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_an_outcome_of_every_pipeline_without_a_model_is_json() -> None:
    for name in ("standard", "iter_retgen", "rewritten"):
        got = build_pipeline(name, NEEDED.get(name, {"passes": 1} if "iter" in name else {}))
        assert json.dumps(got.run(entry(), kit()).to_json())
