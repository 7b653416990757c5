"""Words of before they could be taken back, and what a way back to that schema leaves of them."""

from collections.abc import Iterator

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from annotation.models import Person, Project
from evaluation.models import Judgement, Run
from evaluation.services.judgements import queue
from evaluation.services.runs import start_run
from evaluation.services.taking_back import last_word, take_back
from tests.evaluation.judging import draw, judge_called, say
from tests.evaluation.runs.small_study import engineer_and_study, finish, freeze, register

BEFORE, AFTER = "0004_judging_people", "0005_judgement_takes_back"
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def newest() -> Iterator[None]:
    """Other tests find the schema as it is."""
    yield
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


@pytest.fixture
def world(transactional_db: None) -> tuple[Person, Project]:
    return engineer_and_study()


def to(name: str) -> None:
    MigrationExecutor(connection).migrate([("evaluation", name)])


def go(engineer: Person, study: Project) -> Run:
    run = finish(
        start_run(
            actor=engineer, project=study, protocol=register(engineer, study, "human_for_all"),
            conditions=freeze(engineer, study), arm_names=["original"],
        )
    )  # fmt: skip
    draw(run)
    return run


def test_words_that_later_runs_took_over_are_found_to_be_copies(
    world: tuple[Person, Project],
) -> None:
    first = go(*world)
    judge, items = judge_called("judge", first), list(queue(first))
    for item in items[:2]:
        say(judge, item, "stated")
    second = go(*world)
    say(judge, queue(second)[0], "stated")
    go(*world)
    copied = dict(Judgement.objects.exclude(copy_of=None).values_list("pk", "copy_of"))
    to(BEFORE)
    to(AFTER)
    found = Judgement.objects.exclude(copy_of=None)
    assert dict(found.values_list("pk", "copy_of")) == copied and len(copied) == 5
    word = last_word(actor=judge, project=world[1])
    assert word is not None and word.case.run == second


def test_the_same_word_on_another_rewrite_is_no_copy(world: tuple[Person, Project]) -> None:
    engineer, study = world
    first = go(engineer, study)
    judge = judge_called("judge", first)
    say(judge, queue(first)[0], "stated")
    anew = finish(
        start_run(
            actor=engineer, project=study, protocol=first.protocol, conditions=first.conditions,
            arm_names=["original"], fresh=True,
        )
    )  # fmt: skip
    say(judge, queue(anew)[0], "stated")
    to(BEFORE)
    to(AFTER)
    assert not Judgement.objects.exclude(copy_of=None).exists()


def test_backwards_words_that_were_taken_back_are_gone_and_the_others_stay(
    world: tuple[Person, Project],
) -> None:
    first = go(*world)
    judge, [one, two, *_rest] = judge_called("judge", first), list(queue(first))
    say(judge, one, "stated")
    say(judge, two, "altered")
    go(*world)
    take_back(actor=judge, judgement=two)
    say(judge, two, "dropped")
    to(BEFORE)
    to(AFTER)
    words = Judgement.objects.filter(person__isnull=False).order_by("pk")
    assert [word.judgement for word in words] == ["stated", "stated", "dropped"]
    assert all(word.stands and word.decides for word in words)
