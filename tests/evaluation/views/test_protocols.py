"""The protocol's form: sentences in, the shape of protocol.json out."""

import json
import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Person, Project
from evaluation.models import Protocol, Run
from evaluation.reports.protocol.sentences import general_sentences
from tests.evaluation.runs.small_study import register
from tests.evaluation.services.test_extending import bring

NEW = reverse("protocol-new", args=["study"])
# class0 is the default, then the classes by name: class1 dated-fact, class2 follow-up
FILLED = {
    "name": "q3-gate", "judging": "human_for_critical", "alpha": "0.05", "test": "mcnemar_exact",
    "correction": "holm", "resamples": "2000", "seed": "7",
    "judges": "1", "audit_per_kind": "20", "max_judge_error": "",
    "class0-completeness_floor": "90", "class0-regression_ceiling": "5",
    "class0-min_requests": "60",
    "class1-completeness_floor": "95.5", "class1-regression_ceiling": "3",
    "class1-min_requests": "40", "class1-date_rate": "20", "class1-date_pairs": "5",
}  # fmt: skip
CONTENT = {
    "name": "q3-gate", "judging": "human_for_critical", "alpha": 0.05, "test": "mcnemar_exact",
    "correction": "holm", "resamples": 2000, "seed": 7,
    "classes": {
        "*": {"completeness_floor": 0.9, "regression_ceiling": 0.05, "min_requests": 60,
              "families": {}},
        "dated-fact": {"completeness_floor": 0.955, "regression_ceiling": 0.03, "min_requests": 40,
                       "families": {"date": {"max_failure_rate": 0.2, "min_pairs": 5}}},
    },
}  # fmt: skip


def words(response: Any) -> str:
    return " ".join(unescape(response.content.decode()).split())


def post(
    client_of: Callable[[Person], Client], person: Person, data: dict[str, Any]
) -> tuple[int, str]:
    response = client_of(person).post(NEW, data)
    return response.status_code, response.content.decode()


def test_the_form_registers_the_protocol_that_it_says(
    study: Project, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    assert post(client_of, engineer, FILLED)[0] == 302
    assert study.protocols.get().content == CONTENT


def test_a_registered_protocol_fills_the_form_again_with_the_same_rules(
    study: Project, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    post(client_of, engineer, FILLED)
    page = client_of(engineer).get(NEW, {"from": study.protocols.get().pk})
    values = {}
    for part in (page.context["form"], *(row["form"] for row in page.context["rows"])):
        values |= {field.html_name: str(field.value() or "") for field in part}
    assert {name: values[name] for name in FILLED} == FILLED


def test_a_pasted_protocol_is_registered(
    study: Project, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    assert post(client_of, engineer, {"pasted": json.dumps(CONTENT)})[0] == 302
    assert study.protocols.get().content == CONTENT


def test_faults_of_a_pasted_protocol_are_told_and_nothing_is_registered(
    study: Project, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    status, page = post(client_of, engineer, {"pasted": json.dumps({**CONTENT, "alpha": 2})})
    assert status == 422
    assert "alpha must be a number between 0 and 1" in page
    assert not study.protocols.exists()


def test_a_half_filled_class_is_refused_at_the_field_that_is_missing(
    study: Project, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    client = client_of(engineer)
    response = client.post(NEW, {**FILLED, "class2-min_requests": "5"})
    assert response.status_code == 422
    third = response.context["rows"][2]["form"]
    assert set(third.errors) == {"completeness_floor", "regression_ceiling"}


OF_THE_JUDGE = {"judges": "2", "audit_per_kind": "59", "max_judge_error": "4.5"}


def test_what_the_form_says_of_the_judge_is_registered_and_fills_it_again(
    study: Project, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    assert post(client_of, engineer, {**FILLED, **OF_THE_JUDGE})[0] == 302
    protocol = study.protocols.get()
    said = {"judges": 2, "audit_per_kind": 59, "max_judge_error": 0.045}
    assert protocol.content == {**CONTENT, **said}
    form = client_of(engineer).get(NEW, {"from": protocol.pk}).context["form"]
    assert {name: str(form[name].value()) for name in OF_THE_JUDGE} == OF_THE_JUDGE


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("judges", "3"),
        ("audit_per_kind", "-1"),
        ("audit_per_kind", ""),
        ("max_judge_error", "0"),
        ("max_judge_error", "101"),
        ("max_judge_error", "few"),
    ],
)
def test_a_fault_of_what_is_said_of_the_judge_stands_at_its_field(
    field: str,
    value: str,
    study: Project,
    engineer: Person,
    client_of: Callable[[Person], Client],
) -> None:
    response = client_of(engineer).post(NEW, {**FILLED, field: value})
    assert (response.status_code, set(response.context["form"].errors)) == (422, {field})


def test_a_pasted_fault_of_the_judge_s_is_told_as_a_sentence(
    study: Project, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    status, page = post(client_of, engineer, {"pasted": json.dumps({**CONTENT, "judges": 5})})
    assert (status, "judges must be 1 or 2, not 5." in page) == (422, True)


def test_the_page_of_a_protocol_says_who_judges_and_whether_its_limit_can_be_shown() -> None:
    # 1 - 0.05 ** (1 / n) is at most 4.5 % from n = 66 on.
    said = general_sentences({**CONTENT, "judges": 2, "max_judge_error": 0.045})
    assert said[1] == (
        "Two people judge each item that people judge; where they differ, a third decides."
    )
    assert said[2].startswith("In each run 20 sure judgements of each kind of constraint are drawn")
    assert "shown to be wrong in at most 4.5 %" in said[3]
    assert said[4].startswith("That takes 66 checked judgements of the kind with none wrong")
    enough = {**CONTENT, "audit_per_kind": 66, "max_judge_error": 0.045}
    assert not [sentence for sentence in general_sentences(enough) if "That takes" in sentence]


def test_a_protocol_that_is_silent_about_the_judge_says_what_holds_all_the_same() -> None:
    silent = general_sentences(CONTENT)
    assert silent[1] == "One person judges each item that people judge."
    assert general_sentences({**CONTENT, "audit_per_kind": 0})[2] == (
        "No judgement of the judge's is drawn to be checked."
    )


def test_the_page_says_on_how_many_requests_late_rules_can_decide(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    bring(run.project)
    client = client_of(engineer)
    assert "3 of 4 requests with an approved contract have a result" in words(client.get(NEW))
    client.post(NEW, FILLED)
    late = run.project.protocols.get(name="q3-gate")
    page = words(client.get(reverse("protocol", args=["study", late.pk])))
    assert "3 of the 4 requests that these rules name had a result when they were" in page
    assert "they can decide only on the other 1." in page


def test_a_protocol_of_before_requests_were_counted_says_that_runs_stood_before_it(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    Protocol.objects.filter(pk=run.protocol_id).update(name="old", registered_at=run.finished_at)
    page = words(client_of(engineer).get(reverse("protocol", args=["study", run.protocol_id])))
    assert "1 run existed in this project before these rules were registered" in page


def test_rules_that_come_too_late_are_refused_above_the_form(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    response = client_of(engineer).post(NEW, FILLED)
    assert response.status_code == 422
    assert "Too late for these rules: all 3 requests" in words(response)
    assert run.project.protocols.count() == 1


@pytest.fixture
def void_run(run: Run, engineer: Person) -> Run:
    """A newer version of the protocol of the run was registered."""
    bring(run.project)
    register(engineer, run.project, judging="human_for_all")
    return run


def test_every_verdict_word_of_a_void_run_is_marked_in_words(
    void_run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    page = words(client_of(engineer).get(reverse("run", args=["study", 1])))
    marked = '<s>Release</s> <span class="tag">void</span>'
    assert page.count(marked) == 3  # the card, and the rules of two classes
    assert 'aria-label="Release, void"' in page


def test_the_list_of_runs_says_void(
    void_run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    page = words(client_of(engineer).get(reverse("runs", args=["study"])))
    assert '<s>2 release</s> <span class="tag">void</span>' in page


def test_a_run_whose_rules_stand_is_marked_nowhere(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    client = client_of(engineer)
    for page in (reverse("run", args=["study", 1]), reverse("runs", args=["study"])):
        assert "<s>" not in words(client.get(page))


def test_the_form_says_what_the_rules_can_show_and_registers_nothing(
    study: Project, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    response = client_of(engineer).post(NEW, {**FILLED, "show": "all"})
    page = words(response)
    assert response.status_code == 200
    assert "of 60 resolved requests at most 6 may lose a critical constraint" in page
    assert "a ceiling of 3 % takes 99 right answers of the original" in page
    assert "2 failures or more of 5 pairs are systematic" in page
    assert "date: 1 twin pair without a result is at hand, and the rule wants 5" in page
    assert not study.protocols.exists()


def test_a_changed_row_is_answered_with_what_it_can_show(
    study: Project, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    sent = {**FILLED, "class1-regression_ceiling": "10", "show": "class1", "name": ""}
    response = client_of(engineer).post(NEW, sent, headers={"HX-Request": "true"})
    said = words(response)
    assert said.startswith('<p class="small"><b>What these rules can show</b>')
    assert "at most 0 lost answers pass the ceiling of 10 %" in said
    assert "of 60 resolved" not in said


@pytest.mark.parametrize(
    ("faulty", "told"),
    [
        ({"class1-min_requests": "x"}, "“Resolved requests: at least”: Enter a whole number."),
        ({"class1-min_requests": ""}, "“Resolved requests: at least”: Fill this in too, or empty"),
        ({"class1-date_pairs": ""}, "“date: pairs at least”: Give both the failures and the pairs"),
        ({"alpha": "2"}, "“Alpha”: Ensure this value is less than or equal to 0.5."),
    ],
)
def test_a_row_that_is_incomplete_or_faulty_is_answered_with_what_is_missing(
    faulty: dict[str, str],
    told: str,
    study: Project,
    engineer: Person,
    client_of: Callable[[Person], Client],
) -> None:
    sent = {**FILLED, **faulty, "show": "class1"}
    response = client_of(engineer).post(NEW, sent, headers={"HX-Request": "true"})
    assert (response.status_code, told in words(response)) == (200, True)
    page = words(client_of(engineer).post(NEW, {**sent, "show": "all"}))
    assert f"<li>{told}" in page  # the button without JavaScript


def test_an_empty_row_is_answered_with_nothing(
    study: Project, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    sent = {**FILLED, "show": "class2"}
    response = client_of(engineer).post(NEW, sent, headers={"HX-Request": "true"})
    assert (response.status_code, words(response)) == (200, "")


def test_what_is_refused_for_a_reason_says_it_once_in_a_summary_with_the_focus(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    for sent in (FILLED, {"pasted": json.dumps({**CONTENT, "name": "late"})}):
        page = words(client_of(engineer).post(NEW, sent))
        assert page.count("Too late for these rules") == 1
        assert "marked below" not in page and "new rules are refused until" not in page
        assert 'id="faults" role="alert" tabindex="-1" autofocus' in page


def test_the_summary_leads_to_every_faulty_field(
    study: Project, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    sent = {**FILLED, "alpha": "2", "class2-min_requests": "5", "judging": ""}
    response = client_of(engineer).post(NEW, sent)
    page = words(response)
    links = re.findall(r'<li><a href="#([^"]+)">([^<]+)</a>', page)
    assert [label for _id, label in links] == [
        "Who judges",
        "Alpha",
        "follow-up, Every critical constraint kept in at least (% of requests)",
        "follow-up, Right answers lost: at most (%, upper bound)",
    ]
    assert [at for at, _label in links if page.count(f'id="{at}"') != 1] == []
    assert "4 fields are to be mended:" in page


def test_the_page_of_a_protocol_says_what_its_rules_can_show(
    study: Project, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    protocol = register(engineer, study)
    page = words(client_of(engineer).get(reverse("protocol", args=["study", protocol.pk])))
    assert "None of the 3 requests that they decide had a result then." in page
    assert "of 2 resolved requests at most 1 may lose a critical constraint" in page


def test_a_superseded_protocol_says_so_on_its_page_and_on_its_runs(
    void_run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    client = client_of(engineer)
    for page in (
        reverse("protocol", args=["study", void_run.protocol_id]),
        reverse("run", args=["study", 1]),
    ):
        assert "Superseded by version 2" in client.get(page).content.decode()
