"""What cannot be true of published counts. The example is hypothetical: a published acceptance
protocol for query rewriting gives these counts to show its ratios, and they do not fit together.
"""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.scoring.published_counts import PublishedCounts, inconsistencies

EXAMPLE = PublishedCounts(
    requests=200,
    constraints=540,
    preserved=513,
    critical=100,
    complete=164,
    original_correct=120,
    lost=18,
    gained=30,
    candidate_correct=132,
)


def test_27_lost_constraints_cannot_make_36_requests_incomplete():
    # 540 - 513 = 27 constraints are lost and 200 - 164 = 36 requests are incomplete.
    (sentence, _) = inconsistencies(EXAMPLE)
    assert "36 requests are incomplete" in sentence
    assert "27 lost constraints" in sentence
    assert "at least 9 additions" in sentence


def test_100_critical_constraints_leave_100_of_200_requests_vacuous():
    (_, sentence) = inconsistencies(EXAMPLE)
    assert "at least 100 are vacuous (have none to lose)" in sentence


def test_nine_breaking_additions_and_a_hundred_vacuous_requests_make_it_consistent():
    mended = replace(EXAMPLE, breaking_additions=9, vacuous=100)
    assert inconsistencies(mended) == ()
    assert len(inconsistencies(replace(mended, breaking_additions=8))) == 1
    assert len(inconsistencies(replace(mended, vacuous=99))) == 1


def test_two_critical_constraints_cannot_make_five_requests_incomplete_however_many_are_lost():
    counts = PublishedCounts(
        requests=10, constraints=20, preserved=10, critical=2, incomplete=5, vacuous=8
    )
    assert "2 critical constraints, were all of them lost," in inconsistencies(counts)[0]


def test_nothing_published_contradicts_nothing():
    assert inconsistencies(PublishedCounts(requests=200)) == ()


CONSISTENT = PublishedCounts(
    requests=10,
    constraints=20,
    preserved=17,
    critical=12,
    critical_lost=2,
    breaking_additions=1,
    incomplete=3,
    complete=7,
    vacuous=2,
    original_correct=6,
    lost=1,
    gained=2,
    candidate_correct=7,
)


def test_a_study_that_adds_up_is_consistent():
    assert inconsistencies(CONSISTENT) == ()


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"requests": -1}, "requests is -1"),
        ({"preserved": 21}, "preserved is 21 of 20 constraints"),
        ({"critical": 21}, "critical is 21 of 20 constraints"),
        ({"critical_lost": 13}, "critical_lost is 13 of 12 critical"),
        ({"critical_lost": 4}, "4 critical constraints are lost, but only 3 of all"),
        ({"preserved": 9}, "9 constraints that are not critical are lost, but there are only 8"),
        ({"vacuous": 11, "critical": 0}, "vacuous is 11 of 10 requests"),
        ({"complete": 6}, "6 complete and 3 incomplete requests are not the 10"),
        ({"incomplete": 4, "complete": 6}, "2 lost critical constraints and 1 breaking additions"),
        ({"incomplete": 0, "complete": 10}, "No request is incomplete, but 2 critical"),
        ({"vacuous": 9}, "3 requests are incomplete, but only 1 have a critical constraint"),
        ({"vacuous": 10}, "no request is left to have them"),
        ({"critical": 5}, "at least 5 are vacuous (have none to lose), but only 2 are"),
        ({"original_correct": 11}, "The original answers 11 of 10"),
        ({"answered": 5}, "The original answers 6 of 5"),
        ({"answered": 11}, "answered is 11 of 10"),
        ({"candidate_correct": 11}, "The candidate answers 11 of 10"),
        ({"lost": 7}, "7 answers are lost, but the original answers only 6"),
        ({"gained": 5}, "5 answers are gained, but the original misses only 4"),
        ({"candidate_correct": 8}, "6 correct answers less 1 lost and with 2 gained are 7, but"),
    ],
)
def test_each_contradiction_is_said_in_a_sentence(changed, words):
    found = inconsistencies(replace(CONSISTENT, **changed))
    assert any(words in sentence for sentence in found)
    assert all(sentence.endswith(".") for sentence in found)


# Of each request: its constraints (critical, kept), additions that break it, and its two answers.
constraints = st.lists(st.tuples(st.booleans(), st.booleans()), max_size=4)
studies = st.lists(
    st.tuples(constraints, st.integers(0, 2), st.booleans(), st.booleans()), max_size=12
)


def counted(study):
    every = [constraint for marks, *_ in study for constraint in marks]
    broken = [
        added > 0 or any(critical and not kept for critical, kept in marks)
        for marks, added, _, _ in study
    ]
    answers = [(before, after) for *_, before, after in study]
    return PublishedCounts(
        requests=len(study),
        constraints=len(every),
        preserved=sum(kept for _, kept in every),
        critical=sum(critical for critical, _ in every),
        critical_lost=sum(critical and not kept for critical, kept in every),
        breaking_additions=sum(added for _, added, _, _ in study),
        incomplete=sum(broken),
        complete=broken.count(False),
        vacuous=sum(not any(critical for critical, _ in marks) for marks, *_ in study),
        original_correct=sum(before for before, _ in answers),
        candidate_correct=sum(after for _, after in answers),
        lost=answers.count((True, False)),
        gained=answers.count((False, True)),
    )


@settings(deadline=None)
@given(studies)
def test_the_counts_of_a_study_that_took_place_are_never_called_inconsistent(study):
    assert inconsistencies(counted(study)) == ()


optional = ["critical_lost", "complete", "incomplete", "preserved", "lost", "answered", "critical"]


@settings(deadline=None)
@given(studies, st.sets(st.sampled_from(optional)))
def test_counts_that_are_not_published_make_no_contradiction(study, left_out):
    published = replace(counted(study), **dict.fromkeys(left_out))
    assert inconsistencies(published) == ()
