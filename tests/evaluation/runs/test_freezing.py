import pytest

from annotation.models import Person, Project, Request
from annotation.services.projects import Refused
from contracts.services.approval import record_contract
from contracts.terms import ContractTerms
from evaluation.models import Conditions
from evaluation.runs.freezing import describe_arm
from evaluation.runs.inputs import request_text
from evaluation.services.runs import arm_named, start_run
from tests.evaluation.runs.small_study import CONTRACTS, freeze, register, take_in, upload


def test_equal_content_gives_the_same_conditions(study: Project, engineer: Person) -> None:
    assert freeze(engineer, study) == freeze(engineer, study)
    assert Conditions.objects.count() == 1


@pytest.mark.parametrize(
    "changed",
    [
        {"k": 2},
        {"reader": "endpoint"},
        {"retriever": "rank_bm25"},
        {"retriever_parameters": {"k1": 0.9}},
        {"original": "joined"},
        {"token_budget": 100},
    ],
    ids=lambda changed: ",".join(changed),
)
def test_conditions_differ_when_a_part_or_a_number_changes(
    study: Project, engineer: Person, changed: dict, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INTACT_LLM_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("INTACT_LLM_MODEL", "some-model")
    assert freeze(engineer, study).sha256 != freeze(engineer, study, **changed).sha256


def test_conditions_differ_when_a_contract_gets_a_new_version(
    study: Project, engineer: Person, adjudicator: Person
) -> None:
    before = freeze(engineer, study)
    request = Request.objects.get(project=study, key="c")
    terms = ContractTerms.from_json({**CONTRACTS[2], "admissible_rewrites": ["Who approved?"]})
    record_contract(
        actor=adjudicator, request=request, terms=terms, annotators=[], adjudicator=adjudicator
    )
    assert freeze(engineer, study).sha256 != before.sha256


def test_conditions_differ_when_the_corpus_gets_a_new_version(
    study: Project, engineer: Person
) -> None:
    before = freeze(engineer, study)
    take_in(study, "corpus", [{"_id": f"d{n}", "text": f"Document {n}."} for n in range(1, 5)])
    assert freeze(engineer, study).sha256 != before.sha256


def test_conditions_name_only_requests_with_a_contract(study: Project, engineer: Person) -> None:
    assert set(freeze(engineer, study).content["requests"]) == {"a", "b", "c"}


def test_a_run_is_refused_when_a_contract_changed_since_its_conditions(
    study: Project, engineer: Person, adjudicator: Person
) -> None:
    conditions = freeze(engineer, study)
    request = Request.objects.get(project=study, key="c")
    terms = ContractTerms.from_json({**CONTRACTS[2], "admissible_rewrites": ["Who approved?"]})
    record_contract(
        actor=adjudicator, request=request, terms=terms, annotators=[], adjudicator=adjudicator
    )
    with pytest.raises(Refused, match="contract of c changed since these Conditions"):
        start_run(
            actor=engineer,
            project=study,
            protocol=register(engineer, study),
            conditions=conditions,
            arm_names=["original"],
        )


def test_what_an_arm_is_changes_with_its_uploaded_rows(study: Project) -> None:
    upload(study, "cand", {"a": "Alder Foods revenue"})
    before = describe_arm(arm_named(study, "cand"))
    upload(study, "cand", {"b": "Alder Foods revenue"})
    assert describe_arm(arm_named(study, "cand")) != before


def test_a_request_without_a_date_is_asked_on_the_frozen_date(study: Project) -> None:
    request = study.requests.filter(reference_date=None).first() or study.requests.all()[0]
    request.reference_date = None
    assert (
        request_text(request, {"reference_date": "2024-06-30"}, ()).reference_date == "2024-06-30"
    )
    assert request_text(request, {}, ()).reference_date is None
