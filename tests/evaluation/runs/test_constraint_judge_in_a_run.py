"""A language model that settles what the matchers left unsure, in a whole run: what is frozen, what
is kept, who waits for a person, and that nothing is paid for twice.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from annotation.models import Person, Project
from annotation.services.projects import Refused
from contracts.terms import ContractTerms
from evaluation.models import Call, Judgement, Run
from evaluation.records import ConstraintJudgement, JudgedRewrite, RequestText, Rewrite
from evaluation.reports.protocol.sentences import frozen_facts
from evaluation.runs import execution, stages
from evaluation.runs.building import lanes_wanted
from evaluation.runs.freezing import freeze_conditions
from evaluation.services.judgements import settle
from evaluation.services.runs import start_run
from evaluation.services.runs.extending import frozen_anew
from tests.evaluation.generation.fake_endpoint import FakeEndpoint, Reply, fake_endpoint, says
from tests.evaluation.runs.small_study import (
    REFERENCES,
    begin,
    case_of,
    finish,
    freeze,
    judged,
    register,
    upload,
)

# What the matchers leave unsure here, with what the model quotes for it: of "a" the referent and
# the year, of "c" the referent; of "b", and of the original arm, nothing.
QUERIES = {**REFERENCES, "a": "AF revenue about 2022", "c": "Who approved the ferry plan?"}
QUOTES = {"AF revenue about 2022": {"c1": "AF", "c2": "fiscal year 2022"},
          "Who approved the ferry plan?": {"c1": "ferry plan"}}  # fmt: skip


def case_put(body: Any) -> dict[str, Any]:
    return json.loads(body["messages"][0]["content"].partition("\n\n")[2])


def answer_to(body: Any) -> Reply:
    """Everything is stated; what it quotes for the year of "a" does not stand in the rewrite."""
    quotes = QUOTES[case_put(body)["rewrite"]["queries"][0]]
    entries = [
        {"constraint": key, "judgement": "stated", "quote": quote, "why": "It is meant."}
        for key, quote in quotes.items()
    ]
    return says(json.dumps({"judgements": entries}))


@pytest.fixture(autouse=True)
def left_unsure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Matchers that leave unsure what the tests say, whatever the product's learn to settle."""

    def judge(_request: RequestText, contract: ContractTerms, rewrite: Rewrite) -> JudgedRewrite:
        unsure = QUOTES.get(rewrite.queries[0], {})
        return JudgedRewrite(
            tuple(
                ConstraintJudgement(
                    one.id,
                    "unsure" if one.id in unsure else "stated",
                    f"matcher:{one.kind}/2",
                    "",
                    "It may be meant.",
                )
                for one in contract.constraints
            )
        )

    monkeypatch.setattr(stages, "judge_rewrite", judge)


Serve = Callable[..., Any]


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Serve:
    @contextmanager
    def serve(*script: Reply, by: Callable[[Any], Reply] | None = None) -> Iterator[FakeEndpoint]:
        with fake_endpoint(*script, by=by) as endpoint:
            monkeypatch.setenv("INTACT_LLM_BASE_URL", endpoint.base_url)
            monkeypatch.setenv("INTACT_LLM_MODEL", "fake-1")
            yield endpoint

    return serve


@pytest.fixture
def candidate(study: Project) -> Project:
    upload(study, "cand", QUERIES)
    return study


def begun(engineer: Person, study: Project, judging: str = "automatic", *more: str) -> Run:
    return start_run(
        actor=engineer,
        project=study,
        protocol=register(engineer, study, judging),
        conditions=freeze(engineer, study, constraint_judge="endpoint"),
        arm_names=["original", "cand", *more],
    )


def row_of(run: Run, request: str, constraint: str) -> Judgement:
    return case_of(run, "cand", request).judgements.by_matcher().get(constraint__key=constraint)


def waiting(run: Run) -> list[tuple[str, str]]:
    rows = Judgement.objects.waiting(run).filter(case__arm__name="cand")
    return sorted(rows.values_list("case__request__key", "constraint__key"))


def test_two_unsure_constraints_are_settled_and_one_refused_quote_leaves_the_third(
    candidate: Project, engineer: Person, served: Serve
) -> None:
    with served(by=answer_to) as endpoint:
        run = finish(begun(engineer, candidate))
    assert run.state == "finished" and len(endpoint.requests) == 2
    assert judged(run, "cand", "a") == {"c1": "stated", "c2": "unsure"}
    assert judged(run, "cand", "c") == {"c1": "stated"}
    assert row_of(run, "a", "c1").by.startswith("model:fake-1/")
    assert row_of(run, "a", "c2").by.startswith("matcher:time/")
    assert "stands in no query of the rewrite" in row_of(run, "a", "c2").why


def test_the_constraint_of_a_twin_stays_the_matchers(
    candidate: Project, engineer: Person, served: Serve
) -> None:
    with served(by=answer_to) as endpoint:
        run = finish(begun(engineer, candidate))
    # The twin's year has the same id as the request's own, and is unsure too.
    assert case_of(run, "cand", "a").stages.get(stage="judge").content["foreign"] == {
        "t1": "unsure"
    }
    asked = [
        one["means"] for _p, _h, body in endpoint.requests for one in case_put(body)["constraints"]
    ]
    assert sorted(asked) == ["Alder Foods", "Norrby ferry plan", "in fiscal 2022"]


def test_without_the_judge_three_are_unsure_and_nobody_is_called(
    candidate: Project, engineer: Person, served: Serve
) -> None:
    with served() as endpoint:
        run = finish(begin(engineer, candidate, ["original", "cand"]))
    assert endpoint.requests == []
    assert waiting(run) == [("a", "c1"), ("a", "c2"), ("c", "c1")]
    assert set(case_of(run, "cand", "a").stages.get(stage="judge").content) == {
        "added", "foreign", "support",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("judging", "expected"),
    [
        ("automatic", [("a", "c2")]),
        ("human_for_critical", [("a", "c1"), ("a", "c2"), ("b", "c1"), ("b", "c2"), ("c", "c1")]),
    ],
)
def test_what_a_model_settled_waits_for_a_person_where_the_protocol_wants_people(
    candidate: Project,
    engineer: Person,
    served: Serve,
    judging: str,
    expected: list[tuple[str, str]],
) -> None:
    with served(by=answer_to):
        run = finish(begun(engineer, candidate, judging))
    assert waiting(run) == expected


def test_where_people_judge_what_the_model_says_does_not_count(
    candidate: Project, engineer: Person, served: Serve
) -> None:
    with served(by=answer_to):
        run = finish(begun(engineer, candidate, "human_for_critical"))
    scored = case_of(run, "cand", "c").outcome["outcome"]["judgements"]
    assert [row["judgement"] for row in scored] == ["unsure"]


def test_a_person_prevails_over_the_model(
    candidate: Project, engineer: Person, adjudicator: Person, served: Serve
) -> None:
    with served(by=answer_to):
        run = finish(begun(engineer, candidate, "human_for_critical"))
    settle(actor=adjudicator, judgement=row_of(run, "c", "c1"), outcome="altered")
    assert row_of(run, "c", "c1").judgement == "stated"  # its own row stands beside
    assert ("c", "c1") not in waiting(run)


def test_a_reply_that_is_unreadable_twice_leaves_all_unsure_and_is_not_kept(
    candidate: Project, engineer: Person, served: Serve
) -> None:
    with served(by=lambda _body: says("All of them are stated.")) as endpoint:
        run = finish(begun(engineer, candidate))
    assert (run.state, len(endpoint.requests)) == ("finished", 4)
    row, kept = row_of(run, "a", "c1"), case_of(run, "cand", "a").stages.get(stage="judge").content
    assert row.judgement == "unsure" and "Asked twice" in row.why
    assert kept["constraint_judge"]["raw"].startswith("All of them are stated.")
    assert not Call.objects.filter(run=run, reply__isnull=False).exists()


def test_an_endpoint_that_fails_ends_the_case_with_a_status_so_that_it_can_be_tried_again(
    candidate: Project, engineer: Person, served: Serve
) -> None:
    with served(Reply(status=401)):
        run = finish(begun(engineer, candidate))
    case = case_of(run, "cand", "a")
    assert (case.state, case.status) == ("failed", "provider_error")
    assert not case.judgements.exists()


def test_equal_rewrites_of_two_arms_cost_one_call_which_is_not_counted_as_an_arms(
    candidate: Project, engineer: Person, served: Serve
) -> None:
    upload(candidate, "same", QUERIES)
    with served(by=answer_to) as endpoint:
        run = finish(begun(engineer, candidate, "automatic", "same"))
    assert len(endpoint.requests) == 2
    assert judged(run, "same", "a") == judged(run, "cand", "a")
    assert case_of(run, "cand", "a").outcome["outcome"]["calls"] is None


def test_a_paid_judgement_is_not_paid_for_again_after_a_kill(
    candidate: Project, engineer: Person, served: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    supported = stages.check_support

    def killed(judge: Any, question: str, answered: Any, passages: Any) -> dict[str, Any]:
        if question in QUOTES:  # after the model was asked, before anything of the case is kept
            raise KeyboardInterrupt
        return supported(judge, question, answered, passages)

    monkeypatch.setattr(execution, "lanes_wanted", lambda _run: 1)  # nothing else under way
    with served(by=answer_to) as endpoint:
        run = begun(engineer, candidate)
        with monkeypatch.context() as killing, pytest.raises(KeyboardInterrupt):
            killing.setattr(stages, "check_support", killed)
            finish(run)
        assert len(endpoint.requests) == 1
        assert finish(run, "w2").state == "finished"
        assert len(endpoint.requests) == 2


def test_a_run_under_the_same_conditions_takes_the_judgements_over_and_asks_nobody(
    candidate: Project, engineer: Person, served: Serve
) -> None:
    with served(by=answer_to) as endpoint:
        first = finish(begun(engineer, candidate))
        again = start_run(
            actor=engineer,
            project=candidate,
            protocol=first.protocol,
            conditions=first.conditions,
            arm_names=["original", "cand"],
        )
        again = finish(again)
        assert len(endpoint.requests) == 2
    assert (row_of(again, "a", "c1").by, row_of(again, "a", "c2").why) == (
        row_of(first, "a", "c1").by,
        row_of(first, "a", "c2").why,
    )


def test_a_run_whose_judge_alone_calls_out_has_lanes(
    candidate: Project, engineer: Person, served: Serve
) -> None:
    with served():
        assert lanes_wanted(begin(engineer, candidate, ["original"])) == 0
        assert lanes_wanted(begun(engineer, candidate)) > 0


# ---------------------------------------------------------------- what is frozen


def test_none_is_the_same_conditions_as_before_there_was_a_choice(
    study: Project, engineer: Person
) -> None:
    plain = freeze(engineer, study)
    assert freeze(engineer, study, constraint_judge="none") == plain
    assert set(plain.content) == {
        "schema", "code", "corpus", "reference_date", "requests", "contracts", "twins",
        "retriever", "reader", "k", "original", "token_budget", "sampling", "judge",
        "support_share",
    }  # fmt: skip
    assert plain.content["judge"] == "matcher/1"


def test_a_judge_is_frozen_with_its_prompt_its_hash_and_its_model(
    study: Project, engineer: Person, served: Serve
) -> None:
    with served():
        content = freeze(engineer, study, constraint_judge="endpoint").content
    part = content["constraint_judge"]
    assert (part["name"], part["model"]["model"]) == ("endpoint", "fake-1")
    assert "dropped: neither a query" in part["prompts"]["instruction"]["text"]
    assert set(part["prompts"]) == {"instruction", "repair", "schema"}
    fact = next(f for f in frozen_facts(content) if f.label == "Constraint judge")
    assert fact.text == "endpoint 1" and "fake-1" in fact.code


def test_the_hash_by_which_it_judged_is_that_of_the_frozen_instruction(
    candidate: Project, engineer: Person, served: Serve
) -> None:
    with served(by=answer_to):
        run = finish(begun(engineer, candidate))
    prompts = run.conditions.content["constraint_judge"]["prompts"]
    digits = row_of(run, "c", "c1").by.rpartition("/")[2]
    assert digits == prompts["instruction"]["sha256"][:8]


def test_freezing_anew_keeps_the_judge_with_its_parameters(
    study: Project, engineer: Person, served: Serve
) -> None:
    given = {"constraint_judge": "endpoint", "constraint_judge_parameters": {"max_tokens": 99}}
    with served():
        conditions = freeze(engineer, study, **given)
        assert frozen_anew(engineer, conditions) == conditions


def test_a_judge_without_a_model_is_refused_before_anything_is_frozen(
    study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INTACT_BUNDLED_LLM", "0")
    monkeypatch.delenv("INTACT_LLM_BASE_URL", raising=False)
    with pytest.raises(Refused, match='The constraint judge "endpoint" needs a language model'):
        freeze_conditions(actor=engineer, project=study, constraint_judge="endpoint")
    assert not study.conditions.exists()


def test_a_run_fails_when_its_judge_is_no_longer_the_frozen_one(
    candidate: Project, engineer: Person, served: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served():
        run = begun(engineer, candidate)
        monkeypatch.setenv("INTACT_LLM_MODEL", "another-model")
        assert "was frozen with another model" in finish(run).error
