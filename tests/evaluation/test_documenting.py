from dataclasses import dataclass
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from evaluation.documenting import PAGE, meanings, parts_page
from evaluation.pipelines.base import PIPELINES
from evaluation.readers.base import READERS
from evaluation.registry import NoParameters
from evaluation.retrieval.base import RETRIEVERS
from evaluation.rewriters.base import REWRITERS

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_is_up_to_date() -> None:
    assert (ROOT / PAGE).read_text(encoding="utf-8") == parts_page(), (
        "Run `python manage.py document_parts`."
    )


@pytest.mark.parametrize(
    "registry", [REWRITERS, RETRIEVERS, READERS, PIPELINES], ids=lambda r: r.noun
)
def test_every_part_is_on_the_page(registry: object) -> None:
    page = parts_page()
    for name in registry.names():  # type: ignore[attr-defined]
        noun = registry.noun  # type: ignore[attr-defined]
        assert f"\n### {noun.capitalize()} {name}\n" in page
        assert f"](#{noun}-{name}) |" in page


@pytest.mark.parametrize("registry", [REWRITERS, READERS, PIPELINES], ids=lambda r: r.noun)
def test_every_parameter_of_a_rewriter_a_reader_and_a_pipeline_has_a_meaning(
    registry: object,
) -> None:
    parts = [registry.find(name) for name in registry.names()]  # type: ignore[attr-defined]
    for part in parts:
        assert all(meanings(part.Parameters).values()), part.name


@pytest.mark.parametrize("name", REWRITERS.names())
def test_every_rewriter_names_its_source(name: str) -> None:
    assert "\n\n    Source: " in (REWRITERS.find(name).__doc__ or "")


@dataclass(frozen=True)
class _Base:
    """How.

    `seed`: where it starts.
    """

    seed: int = 0
    n: int = 1


@dataclass(frozen=True)
class _Derived(_Base):
    """More.

    `n`: how many, counted
    from 1 (`n` itself too).
    """


def test_a_meaning_is_inherited_until_a_class_says_otherwise() -> None:
    assert meanings(_Derived) == {
        "seed": "where it starts.",
        "n": "how many, counted from 1 (`n` itself too).",
    }


def test_a_part_without_parameters_has_no_meanings() -> None:
    assert meanings(NoParameters) == {}


def test_the_command_says_when_the_page_is_out_of_date(
    tmp_path: Path, settings: object, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.BASE_DIR = tmp_path  # type: ignore[attr-defined]
    (tmp_path / "docs").mkdir()
    with pytest.raises(CommandError, match="out of date"):
        call_command("document_parts", check=True)
    call_command("document_parts")
    call_command("document_parts", check=True)
