"""Arms with parameters: made once under a name, never changed, deleted while no run used them."""

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied

from annotation.models import Person, Project
from annotation.services.ledger import first_altered, first_broken
from annotation.services.projects import Refused
from evaluation.models import Arm
from evaluation.runs.freezing import describe_arm
from evaluation.services.arms import arm_named, delete_arm, make_arm
from tests.evaluation.runs.small_study import REFERENCES, begin, upload


def make(engineer: Person, project: Project, name: str = "short", **parameters: Any) -> Arm:
    return make_arm(
        actor=engineer, project=project, name=name, rewriter="keywords", parameters=parameters
    )


def test_only_differences_from_the_defaults_are_kept(study: Project, engineer: Person) -> None:
    arm = make(engineer, study, max_words=8, carry="all")
    assert (arm.rewriter, arm.parameters) == ("keywords", {"max_words": 8})


def test_the_arm_runs_with_its_parameters(study: Project, engineer: Person) -> None:
    make(engineer, study, max_words=8)
    run = begin(engineer, study, ["original", "short"])
    frozen = run.arm_content["short"]["rewriter"]
    assert frozen["parameters"] == {"carry": "all", "max_words": 8}


def test_making_an_arm_is_in_the_ledger_in_full(study: Project, engineer: Person) -> None:
    make(engineer, study, max_words=8)
    entry = study.ledger.get(kind="arm.made")
    assert (entry.subject, entry.actor) == ("arm short", engineer)
    assert entry.content == {"rewriter": "keywords", "parameters": {"max_words": 8}}


def test_the_same_arm_again_is_the_one_that_is_there(study: Project, engineer: Person) -> None:
    first = make(engineer, study, max_words=8)
    assert make(engineer, study, max_words=8, carry="all") == first
    assert study.ledger.filter(kind="arm.made").count() == 1


def test_a_name_with_other_parameters_is_refused_and_says_what_stands(
    study: Project, engineer: Person
) -> None:
    make(engineer, study, max_words=8)
    with pytest.raises(Refused, match="keywords: max_words = 8 instead of 32.*never changes"):
        make(engineer, study, max_words=9)
    assert study.arms.get(name="short").parameters == {"max_words": 8}


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("", "has at most 80 letters"),
        ("two words", "has at most 80 letters"),
        ("größer", "has at most 80 letters"),
        ("a" * 81, "has at most 80 letters"),
        ("line\n", "has at most 80 letters"),
        ("original", "every project has"),
        ("Human", "every project has"),
        ("hyde", "“hyde” is the rewriter with every parameter at its default"),
        ("CAND", "“cand” is there already"),
    ],
)
def test_a_name_that_cannot_be_one_is_a_sentence(
    study: Project, engineer: Person, name: str, sentence: str
) -> None:
    upload(study, "cand", REFERENCES)
    with pytest.raises(Refused, match=sentence):
        make(engineer, study, name, max_words=8)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"max_words": 0}, "max_words must be at least 1"),
        ({"max_words": "8"}, "it must be a whole number"),
        ({"longest": 8}, 'has no parameter “longest”|has no parameter "longest"'),
        ({"carry": "most"}, "it must be one of 'all', 'user', 'none'"),
    ],
)
def test_a_wrong_parameter_is_the_parts_own_sentence(
    study: Project, engineer: Person, parameters: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(Refused, match=sentence):
        make(engineer, study, **parameters)
    assert not study.arms.filter(name="short").exists()


def test_an_unknown_rewriter_is_answered_with_the_known_ones(
    study: Project, engineer: Person
) -> None:
    with pytest.raises(Refused, match='no rewriter called "nothing". Known rewriters: clarify'):
        make_arm(actor=engineer, project=study, name="x", rewriter="nothing", parameters={})


def test_a_rewriter_that_cannot_be_had_here_makes_no_arm(
    study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INTACT_BUNDLED_LLM", "0")
    monkeypatch.delenv("INTACT_LLM_BASE_URL", raising=False)
    with pytest.raises(Refused, match="needs a language model and none is set"):
        make_arm(actor=engineer, project=study, name="h", rewriter="hyde", parameters={"n": 4})


def test_who_is_no_engineer_makes_and_deletes_nothing(
    study: Project, engineer: Person, owner: Person
) -> None:
    arm = make(engineer, study, max_words=8)
    with pytest.raises(PermissionDenied):
        make(owner, study, "other", max_words=8)
    with pytest.raises(PermissionDenied):
        delete_arm(actor=owner, arm=arm)


def test_an_unused_arm_is_deleted_and_its_name_is_free(study: Project, engineer: Person) -> None:
    delete_arm(actor=engineer, arm=make(engineer, study, max_words=8))
    assert make(engineer, study, max_words=9).parameters == {"max_words": 9}
    kinds = study.ledger.filter(subject="arm short").values_list("kind", flat=True)
    assert list(kinds) == ["arm.made", "arm.deleted", "arm.made"]
    assert (first_broken(study), first_altered(study)) == (None, None)


def test_deleting_twice_is_recorded_once(study: Project, engineer: Person) -> None:
    arm = make(engineer, study, max_words=8)
    again = Arm.objects.get(pk=arm.pk)
    delete_arm(actor=engineer, arm=arm)
    delete_arm(actor=engineer, arm=again)
    assert study.ledger.filter(kind="arm.deleted").count() == 1


def test_an_arm_that_a_run_used_stays(study: Project, engineer: Person) -> None:
    arm = make(engineer, study, max_words=8)
    begin(engineer, study, ["original", "short"])
    with pytest.raises(Refused, match="A run used the arm “short”"):
        delete_arm(actor=engineer, arm=arm)


def test_uploaded_rewrites_are_not_deleted_as_an_arm(study: Project, engineer: Person) -> None:
    upload(study, "cand", REFERENCES)
    with pytest.raises(Refused, match="was not made here"):
        delete_arm(actor=engineer, arm=study.arms.get(name="cand"))


def test_a_rewriter_under_its_own_name_has_its_defaults(study: Project) -> None:
    arm = arm_named(study, "keywords")
    assert describe_arm(arm)["rewriter"]["parameters"] == {"carry": "all", "max_words": 32}
    assert arm.is_default
