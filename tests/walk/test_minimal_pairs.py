"""Public minimal pairs through the whole product: convert, import, run the original arm, and read
the paired accuracy. The figures of both retrievers stand in docs/minimal-pairs.md.
"""

import io
import json
from pathlib import Path

import pytest
from django.core.management import call_command

from annotation.models import Person, Project
from contracts.models import Contract
from evaluation.models import Run
from tests.evaluation.runs.small_study import freeze, register

DATA = Path(__file__).parents[2] / ".." / "shared" / "data"


def made(name: str, command: str, folder: Path) -> Path:
    if not (DATA / name / "questions.jsonl").exists():
        pytest.skip(f"the data set {name} is not on this machine")
    call_command(command, DATA / name, folder / name, stdout=io.StringIO())
    return folder / name


def project_of(files: Path, kinds: tuple[str, ...]) -> Project:
    Person.objects.create_user("owner")
    call_command(*"create_project pairs --name Pairs --owner owner".split(), stdout=io.StringIO())
    call_command("set_member", "pairs", "owner", "owner", "engineer", stdout=io.StringIO())
    for kind in kinds:
        call_command("import_file", "pairs", kind, files / f"{kind}.jsonl", stdout=io.StringIO())
    return Project.objects.get(slug="pairs")


def run_of(project: Project) -> Run:
    from evaluation.services.runs import start_run
    from tests.evaluation.runs.small_study import finish

    engineer = Person.objects.get(username="owner")
    return finish(
        start_run(
            actor=engineer,
            project=project,
            protocol=register(engineer, project),
            conditions=freeze(engineer, project, k=100),
            arm_names=["original"],
        )
    )


def test_condaqa_goes_through_and_words_tell_its_statements_apart(db: None, tmp_path: Path) -> None:
    files = made("condaqa-dev", "convert_condaqa", tmp_path)
    run = run_of(project_of(files, ("corpus", "requests", "contracts", "twins")))
    ranking = (run.result or {})["rankings"]["original"]
    # BM25 has one word more in common with the own passage: the statement stands in it.
    assert (ranking["pairs"], ranking["bases"]) == (14, 14)
    assert ranking["paired"]["value"] > 0.9


def test_timeqa_pairs_differ_in_the_time_alone_and_import(db: None, tmp_path: Path) -> None:
    files = made("timeqa-human", "convert_timeqa", tmp_path)
    project = project_of(files, ("corpus", "requests", "contracts", "twins"))
    content = dict(
        Contract.objects.filter(request__project=project).values_list("request_id", "content")
    )
    pairs = list(project.twin_pairs.all())
    assert len(pairs) == 76
    for pair in pairs:
        sides = [content[side]["constraints"] for side in (pair.base_id, pair.twin_id)]
        values = [[(c["id"], json.dumps(c["value"])) for c in side] for side in sides]
        assert {key for key, _value in set(values[0]) ^ set(values[1])} == {"c2"}
