"""Loading the study, and its real evaluation: bundled search and reader, judge and protocol."""

import pytest

from annotation.models import Person
from evaluation.demo.loading import FILES, OtherStudy, demo_protocol, load_demo
from evaluation.models import Arm, Run
from evaluation.runs.execution import work
from evaluation.runs.freezing import freeze_conditions
from evaluation.services.runs import start_run

pytestmark = pytest.mark.django_db
# What happens to the candidate, and the rule that decides.
VERDICTS = {
    "aggregate": ("release", "all_rules"),
    "comparison": ("release", "all_rules"),
    "dated-fact": ("release", "all_rules"),
    "follow-up": ("clarify", "clarification"),
    "organisation": ("fallback", "completeness"),
    "status": ("fallback", "completeness"),
}


def _run(settings, tmp_path) -> Run:
    settings.DEMO, settings.DATA_DIR = True, tmp_path
    project = load_demo()
    engineer = Person.objects.get(username="engineer")
    run = start_run(
        actor=engineer,
        project=project,
        protocol=demo_protocol(project),
        conditions=freeze_conditions(actor=engineer, project=project),
        arm_names=["original", "human", "recorded"],
    )
    while work(run.pk, worker="test", seconds=60.0):
        pass
    run.refresh_from_db()
    return run


def test_release_fall_back_and_clarify_all_occur_by_the_words_of_the_files(settings, tmp_path):
    run = _run(settings, tmp_path)
    assert (run.state, run.error) == ("finished", "")
    verdicts = run.verdicts.filter(arm__name="recorded")
    found = {
        verdict.request_class.name: (verdict.outcome, verdict.content["deciding"])
        for verdict in verdicts
    }
    assert found == VERDICTS


def test_the_demo_lets_the_bundled_model_write_at_most_48_tokens_a_request(settings):
    settings.DEMO = True
    project = load_demo()
    arm = Arm.objects.get(project=project, name="prompt")
    assert (arm.rewriter, arm.parameters) == ("prompt", {"max_tokens": 48})


def test_loading_the_study_twice_changes_nothing(settings):
    settings.DEMO = True
    before = load_demo().import_records.count()
    assert load_demo().import_records.count() == before == len(FILES)


def test_a_study_of_another_version_is_left_as_it_is_and_the_sentence_says_what_to_do(settings):
    settings.DEMO = True
    project = load_demo()
    project.import_records.filter(filename="requests.jsonl").update(sha256="0" * 64)
    with pytest.raises(OtherStudy, match="make clean"):
        load_demo()
