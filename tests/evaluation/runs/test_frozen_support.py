"""The judge of support is frozen: the usual one as before, another with what names it."""

import json
from pathlib import Path

import pytest

from annotation.models import Person, Project
from annotation.services.projects import Refused
from evaluation.reports.protocol.sentences import frozen_facts
from evaluation.runs.parts import check_unchanged, support_for
from tests.evaluation.runs.small_study import freeze


def fact(content: dict[str, object]) -> tuple[str, str]:
    found = next(f for f in frozen_facts(content) if f.label == "Supported answers")
    return found.text, found.code


def test_the_usual_judge_keeps_the_keys_that_conditions_always_had(
    study: Project, engineer: Person
) -> None:
    content = freeze(engineer, study).content
    assert "support" not in content and content["support_share"] == 0.8
    assert freeze(engineer, study, support="sentences", support_parameters={"share": 0.8}).pk
    assert study.conditions.count() == 1


def test_another_share_makes_other_conditions(study: Project, engineer: Person) -> None:
    usual = freeze(engineer, study)
    other = freeze(engineer, study, support_parameters={"share": 0.5})
    assert other.sha256 != usual.sha256
    assert other.content["support"]["parameters"] == {"share": 0.5}
    assert fact(other.content)[0].startswith("50")


def test_a_model_is_frozen_by_its_bytes(study: Project, engineer: Person, tmp_path: Path) -> None:
    config = {"id2label": {"0": "entailment", "1": "neutral", "2": "contradiction"}}
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    content = freeze(engineer, study, support="nli", support_parameters={"path": str(tmp_path)})
    frozen = content.content["support"]
    assert (frozen["name"], len(frozen["model"]["sha256"])) == ("nli", 64)
    part = support_for("nli", frozen["parameters"], only_described=True)
    check_unchanged(part, frozen)
    assert fact(content.content)[0] == "nli 1"


def test_a_judge_that_cannot_be_built_is_refused_before_anything_is_frozen(
    study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("INTACT_NLI_MODEL", raising=False)
    with pytest.raises(Refused, match="needs the folder of a model"):
        freeze(engineer, study, support="nli")
    assert not study.conditions.exists()
