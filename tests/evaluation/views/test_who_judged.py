"""The part of the verdict page that says who judged and how often the judge was wrong."""

import json
from collections.abc import Callable
from html import unescape
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from annotation.models import Person, Project
from annotation.services.projects import set_member
from evaluation.models import AuditItem, Judgement, Run
from evaluation.reports.summary import run_json
from evaluation.runs.conclusion import conclude
from evaluation.services.runs import start_run
from tests.evaluation.runs.small_study import finish, freeze, register

PAGE = reverse("run", args=["study", 1])
QUEUE = reverse("judgements", args=["study"])


def words(client: Client) -> str:
    """The section alone."""
    page = unescape(client.get(PAGE).content.decode())
    start = page.index('<section class="card" id="judging">')
    return " ".join(page[start : page.index("</section>", start)].split())


def judge_all(run: Run, person: Person) -> None:
    """The person agrees with the judge on every drawn judgement but the first of time."""
    rows = Judgement.objects.filter(audit__isnull=False).order_by("constraint__kind", "pk")
    wrong = rows.filter(constraint__kind="time")[0].pk
    for row in rows:
        Judgement.objects.create(
            case=row.case,
            constraint=row.constraint,
            person=person,
            by="person",
            judgement="dropped" if row.pk == wrong else row.judgement,
            decides=True,
        )


def check_all(run: Run, person: Person) -> None:
    judge_all(run, person)
    conclude(run.pk)


def test_each_arm_says_who_judged_with_denominators(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    page = words(client_of(engineer))
    judged = "the judge 5 of 5 · people 0 of 5 · a model 0 of 5 · open 0 of 5"
    for arm in ("original", "human", "cand"):
        assert f'<dt>{arm}</dt><dd class="num">{judged}' in page


def test_until_it_is_computed_again_it_says_that_the_figures_are_from_before(
    run: Run, engineer: Person, adjudicator: Person, client_of: Callable[[Person], Client]
) -> None:
    said = "People have judged everything that was drawn. These figures and the verdicts are from"
    judge_all(run, adjudicator)
    page = words(client_of(engineer))
    assert said in page and "Nobody has checked" not in page
    conclude(run.pk)
    assert said not in words(client_of(engineer))


def test_drawn_and_unchecked_it_says_that_nothing_is_known_yet(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    page = words(client_of(engineer))
    assert "15 of 15 sure judgements are drawn. Nobody has checked one yet" in page
    assert "15 drawn judgements wait for people." in page
    assert "0 of 9" in page and "not checked yet" in page


def test_only_whoever_may_judge_gets_the_way_to_the_queue(
    run: Run, study: Project, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    assert QUEUE not in words(client_of(engineer))
    set_member(
        actor=study.created_by, project=study, person=engineer, roles=["engineer", "adjudicator"]
    )
    assert f'<a href="{QUEUE}">' in words(client_of(engineer))


def test_checked_it_has_rate_bound_and_denominators_of_each_kind(
    run: Run, engineer: Person, adjudicator: Person, client_of: Callable[[Person], Client]
) -> None:
    check_all(run, adjudicator)
    page = words(client_of(engineer))
    # statsmodels: proportion_confint(1, 6, alpha=0.1, method="beta")[1] is 0.58180
    for said in ("6 of 6", "16.7 %", "1 of 6", "58.2 %", "0.0 %", "0 of 9", "95 % confidence"):
        assert said in page
    assert "wait for people" not in page
    assert "people 5 of 5" in page


@pytest.mark.parametrize(("unsure", "sentence"), [(True, "sure of nothing"), (False, "None was")])
def test_where_nothing_was_drawn_it_says_why(
    unsure: bool,
    sentence: str,
    study: Project,
    engineer: Person,
    client_of: Callable[[Person], Client],
) -> None:
    run = finish(
        start_run(
            actor=engineer,
            project=study,
            protocol=register(engineer, study, audit_per_kind=0),
            conditions=freeze(engineer, study),
            arm_names=["original", "keywords"],
        )
    )
    if unsure:
        Judgement.objects.update(judgement="unsure")
        conclude(run.pk)
    page = words(client_of(engineer))
    assert sentence in page and "<table" not in page


def test_a_result_of_an_earlier_version_has_no_such_part(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    assert run.result is not None
    del run.result["judging"]
    run.save(update_fields=["result"])
    page = client_of(engineer).get(PAGE).content.decode()
    assert 'id="judging"' not in page and "are by the judge" in unescape(page)


def test_the_verdict_that_waits_for_the_audit_says_so_on_its_card(
    study: Project, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    finish(
        start_run(
            actor=engineer,
            project=study,
            protocol=register(engineer, study, max_judge_error=0.5),
            conditions=freeze(engineer, study),
            arm_names=["original", "keywords"],
        )
    )
    page = " ".join(unescape(client_of(engineer).get(PAGE).content.decode()).split())
    assert "within the limit of 50 % with 95 % confidence: referent, 0 of" in page
    assert "error of the judge" in page


def test_the_gate_and_the_run_s_json_have_who_judged(run: Run) -> None:
    out = StringIO()
    with pytest.raises(SystemExit):
        call_command("gate", "study/1", "--json", stdout=out)
    assert run.result is not None
    told = run.result["judging"]
    assert json.loads(out.getvalue())["judging"] == told == run_json(run)["judging"]
    assert set(told) == {"level", "by", "audit", "agreement", "model"}
    assert AuditItem.objects.count() == told["audit"]["all"]["drawn"] == 15
