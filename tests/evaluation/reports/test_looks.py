"""A run says which runs gave verdicts on its requests, and what was known before its rules."""

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from annotation.models import Person, Project
from evaluation.models import Run, Verdict
from evaluation.reports.exports.as_html import html_report
from evaluation.reports.exports.as_json import facts
from evaluation.reports.verdict.looks import look_line, look_sentence
from evaluation.reports.verdict.report import run_report
from evaluation.services.looks import looks_of
from evaluation.services.runs import start_run
from tests.evaluation.runs.small_study import REFERENCES, begin, finish, freeze, register, upload
from tests.evaluation.services.test_extending import bring

WARNED = "Each further look makes a release by chance likelier; no bound here allows for it."


@pytest.fixture
def second(run: Run, engineer: Person) -> Run:
    """Another look at the same requests, under rules of another name made before both."""
    arms = list(run.arms.values_list("name", flat=True))
    again = start_run(
        actor=engineer, project=run.project, protocol=run.protocol, conditions=run.conditions,
        arm_names=arms, fresh=True,
    )  # fmt: skip
    return finish(again)


def said_of(run: Run) -> str:
    return look_sentence(looks_of(run))


def test_the_first_look_says_nothing(run: Run) -> None:
    looks = looks_of(run)
    assert looks and (looks.place, looks.total, look_line(looks), said_of(run)) == (1, 1, "", "")
    assert facts(run)["looks"] == {"run": 1, "of": 1, "others": []}


def test_each_of_two_looks_names_the_other(run: Run, second: Run) -> None:
    Verdict.objects.filter(run=run).update(outcome="fallback")
    assert said_of(second) == (
        "This is run 2 of 2 that gave verdicts on these requests: "
        f"run 1 under gate 1 (2 fall back). {WARNED}"
    )
    assert said_of(run).startswith("This is run 1 of 2 that gave")
    assert facts(second)["looks"]["others"] == [
        {
            "run": 1, "protocol": {"name": "gate", "version": 1}, "void": False,
            "conditions": run.conditions.sha256, "requests": 3, "verdicts": {"fallback": 2},
        }
    ]  # fmt: skip


def test_only_the_newest_version_of_a_verdict_is_counted(run: Run, second: Run) -> None:
    verdict = Verdict.objects.filter(run=run)[0]
    verdict.pk, verdict.version, verdict.outcome = None, 9, "fallback"
    verdict.save()
    looks = looks_of(second)
    assert looks and looks.others[0].outcomes == (("fallback", 1), ("release", 1))


def test_a_look_that_is_void_is_named_as_void(
    run: Run, second: Run, engineer: Person, study: Project
) -> None:
    bring(study)
    register(engineer, study, judging="human_for_all")
    assert "run 1 under gate 1 (void: 2 release)" in said_of(second)


def test_a_look_at_some_of_the_requests_says_at_how_many(run: Run, engineer: Person) -> None:
    bring(run.project)
    wider = start_run(
        actor=engineer, project=run.project, protocol=run.protocol,
        conditions=freeze(engineer, run.project), arm_names=list(run.arm_content),
    )  # fmt: skip
    finish(wider)
    Run.objects.filter(pk=wider.pk).update(state="finished")
    wider.refresh_from_db()
    assert looks_of(wider) and "run 1 under gate 1 on 3 of the 4 (2 release)" in said_of(wider)


def test_runs_without_verdicts_are_no_looks(run: Run, second: Run) -> None:
    Run.objects.filter(pk=run.pk).update(state="cancelled")
    assert said_of(second) == ""
    Run.objects.filter(pk=run.pk).update(state="finished")
    Verdict.objects.filter(run=run).delete()
    assert said_of(second) == "" and looks_of(run) is None


def test_page_report_and_gate_say_it(
    run: Run, second: Run, client: Client, engineer: Person
) -> None:
    client.force_login(engineer)
    page = client.get(reverse("run", args=[run.project.slug, 2])).content.decode()
    said = said_of(second)
    assert page.count("This is run 2 of 2 that gave verdicts on these requests") == 2
    assert said in page and said in html_report(second)
    for args in ([], ["--json"]):
        out = StringIO()
        with pytest.raises(SystemExit):
            call_command("gate", "study/2", *args, stdout=out, stderr=StringIO())
        told = out.getvalue()
        assert json.loads(told)["looks"]["of"] == 2 if args else said in told


def limits_of(run: Run, arm: str) -> tuple[str, ...]:
    arms = list(run.arms.all())
    return run_report(run, arms, next(a for a in arms if a.name == arm)).limits


def test_rewrites_that_came_before_the_rules_are_said_to_have(
    study: Project, engineer: Person
) -> None:
    upload(study, "early", REFERENCES)
    run = finish(begin(engineer, study, ["original", "early"]))
    said = "The rewrites of early were in the project before these rules were registered."
    assert said in limits_of(run, "early") and said in html_report(run)
    assert [(b["arm"], b["kind"]) for b in facts(run)["before_rules"]] == [
        ("early", "rewrites.imported")
    ]


def test_rewrites_that_came_after_the_rules_are_not(study: Project, engineer: Person) -> None:
    register(engineer, study)
    upload(study, "late", REFERENCES)
    run = finish(begin(engineer, study, ["original", "late"]))
    assert not any("before these rules" in sentence for sentence in limits_of(run, "late"))
    assert facts(run)["before_rules"] == []
