"""Two people look at a sample of each kind, blind to each other; what they say is counted."""

from collections.abc import Sequence

import pytest
from django.core.exceptions import PermissionDenied

from annotation.models import Person, Project
from annotation.services.projects import Refused, set_member
from evaluation.models import VariationItem, VariationReview, VariationSet
from evaluation.reports.varied.facts import reviewed
from evaluation.services.variation_reviews import (
    last_review,
    look_ahead,
    review,
    show_reviews,
    take_back,
    waiting_for,
)
from tests.evaluation.varied import made, makers, paraphrase

__all__ = ["makers"]

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("makers")]


@pytest.fixture
def set_(study: Project, engineer: Person) -> VariationSet:
    return made(engineer, study)


def say(person: Person, item: VariationItem, answers: str = "yy") -> VariationReview:
    return review(
        actor=person, item=item, meaning_kept=answers[0] == "y", category_right=answers[1] == "y"
    )


def say_all(person: Person, of: VariationSet, answers: Sequence[str]) -> None:
    for item, said in zip(of.items.order_by("position"), answers, strict=True):
        say(person, item, said)


def test_two_people_look_at_each_and_a_third_is_asked_nothing(
    set_: VariationSet, adjudicator: Person, owner: Person, stranger: Person
) -> None:
    set_member(actor=owner, project=set_.project, person=stranger, roles=["adjudicator"])
    say_all(adjudicator, set_, ["yy"] * 3)
    say_all(owner, set_, ["yy"] * 3)
    assert look_ahead(actor=stranger, project=set_.project).left == 0
    with pytest.raises(Refused, match="Two other people"):
        say(stranger, set_.items.first())


def test_each_person_is_asked_everything_that_was_drawn_once(
    set_: VariationSet, adjudicator: Person
) -> None:
    seen = []
    while (ahead := look_ahead(actor=adjudicator, project=set_.project)).item:
        seen.append((ahead.item.request.key, ahead.left))
        say(adjudicator, ahead.item)
    assert sorted(key for key, _left in seen) == ["a", "b", "c"]
    assert [left for _key, left in seen] == [3, 2, 1]


def test_a_second_press_says_nothing_more(set_: VariationSet, adjudicator: Person) -> None:
    item = set_.items.get(position=1)
    say(adjudicator, item)
    with pytest.raises(Refused, match="your first word stands"):
        say(adjudicator, item, "nn")
    assert VariationReview.objects.get().meaning_kept


def test_only_the_newest_review_is_taken_back_and_it_waits_again(
    set_: VariationSet, adjudicator: Person
) -> None:
    first, second, _third = set_.items.order_by("position")
    say(adjudicator, first)
    say(adjudicator, second, "yn")
    with pytest.raises(Refused, match="only your newest"):
        take_back(actor=adjudicator, item=first)
    assert not take_back(actor=adjudicator, item=second).category_right
    with pytest.raises(Refused, match="already"):
        take_back(actor=adjudicator, item=second)
    last = last_review(actor=adjudicator, project=set_.project)
    assert last is not None and last.item == first
    assert look_ahead(actor=adjudicator, project=set_.project, first=second.pk).item == second


def test_what_is_put_off_comes_last(set_: VariationSet, adjudicator: Person) -> None:
    first = look_ahead(actor=adjudicator, project=set_.project).item
    assert first is not None
    assert look_ahead(actor=adjudicator, project=set_.project, later={first.pk}).item != first


def test_the_ledger_tells_that_and_not_what(set_: VariationSet, adjudicator: Person) -> None:
    say(adjudicator, set_.items.get(position=1), "nn")
    entry = set_.project.ledger.get(kind="variation.reviewed")
    assert (entry.subject, entry.content) == ("a", {"set": set_.number})


@pytest.mark.parametrize("who", ["engineer", "annotator_a"])
def test_whoever_may_not_is_refused(
    set_: VariationSet, who: str, request: pytest.FixtureRequest
) -> None:
    person: Person = request.getfixturevalue(who)
    with pytest.raises(PermissionDenied):
        look_ahead(actor=person, project=set_.project)
    with pytest.raises(PermissionDenied):
        say(person, set_.items.get(position=1))


def test_an_adjudicator_who_annotates_too_stays_blind(
    set_: VariationSet, adjudicator: Person, owner: Person
) -> None:
    roles = ["adjudicator", "annotator"]
    set_member(actor=owner, project=set_.project, person=adjudicator, roles=roles)
    with pytest.raises(PermissionDenied, match="stays blind"):
        look_ahead(actor=adjudicator, project=set_.project)


def test_nobody_reviews_a_paraphrase_of_their_own(
    study: Project, engineer: Person, adjudicator: Person, owner: Person
) -> None:
    paraphrase(study, adjudicator, "a", "alder money in fy 22?")
    found = made(engineer, study, {"human": 1})
    assert not waiting_for(actor=adjudicator, project=study).exists()
    assert [item.set for item in waiting_for(actor=owner, project=study)] == [found]


def test_the_share_that_passed_has_the_exact_interval(
    set_: VariationSet, adjudicator: Person, owner: Person, engineer: Person
) -> None:
    """2 of 3: SciPy's binomtest(2, 3) gives 0.0943 to 0.9916 by its method “exact”."""
    say_all(adjudicator, set_, ["yy", "yy", "ny"])
    say_all(owner, set_, ["yy", "yy", "yy"])
    (found,) = reviewed(set_, engineer, may_review=False).kinds
    passed = found.passed
    assert (passed.numerator, passed.n) == (2, 3)
    assert (passed.low, passed.high) == pytest.approx((0.09429932, 0.99159624), abs=1e-7)


def test_what_others_say_is_hidden_while_something_waits_for_the_reader(
    set_: VariationSet, adjudicator: Person, owner: Person
) -> None:
    say_all(adjudicator, set_, ["yy", "nn", "yy"])
    found = reviewed(set_, owner, may_review=True)
    assert (found.waiting, found.kinds, found.people) == (3, (), ())
    say_all(owner, set_, ["yy", "nn", "yy"])
    assert reviewed(set_, owner, may_review=True).kinds[0].twice == 3


def test_whoever_was_shown_what_others_say_takes_nothing_back(
    set_: VariationSet, adjudicator: Person
) -> None:
    item = set_.items.get(position=1)
    say(adjudicator, item)
    show_reviews(actor=adjudicator, of=set_)
    assert last_review(actor=adjudicator, project=set_.project) is None
    with pytest.raises(Refused, match="your reviews of it stand"):
        take_back(actor=adjudicator, item=item)


def test_whoever_was_shown_what_others_say_reviews_none_of_that_set(
    set_: VariationSet, engineer: Person, adjudicator: Person
) -> None:
    other = made(engineer, set_.project, name="second")
    show_reviews(actor=adjudicator, of=set_)
    ahead = look_ahead(actor=adjudicator, project=set_.project)
    assert ahead.item is not None and (ahead.item.set, ahead.left) == (other, 3)
    with pytest.raises(Refused, match="you review none of it"):
        say(adjudicator, set_.items.get(position=1))


def test_undo_after_the_other_word_frees_one_place_alone(
    set_: VariationSet, adjudicator: Person, owner: Person, stranger: Person
) -> None:
    set_member(actor=owner, project=set_.project, person=stranger, roles=["adjudicator"])
    item = set_.items.get(position=1)
    say(adjudicator, item)
    say(owner, item)
    take_back(actor=adjudicator, item=item)
    say(stranger, item, "ny")
    with pytest.raises(Refused, match="Two other people"):
        say(adjudicator, item)
    assert [one.person for one in item.reviews.all()] == [owner, stranger]
