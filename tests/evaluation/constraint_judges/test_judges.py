"""Which constraint judges there are, and the one that settles nothing."""

import pytest

from evaluation.constraint_judges import build_constraint_judge, constraint_judge_names
from evaluation.registry import PartError
from tests.evaluation.constraint_judges.asking import CONTRACT, REQUEST, REWRITE, matched


def test_the_judges_that_there_are() -> None:
    assert constraint_judge_names() == ("endpoint", "none")


def test_none_leaves_every_judgement_as_it_was() -> None:
    judge = build_constraint_judge("none", {}, generator=None)
    assert judge.settle(REQUEST, CONTRACT, REWRITE, matched()) == matched()


def test_an_unknown_name_is_refused_with_those_known() -> None:
    with pytest.raises(PartError, match='no constraint judge called "oracle".*endpoint, none'):
        build_constraint_judge("oracle", {}, generator=None)
