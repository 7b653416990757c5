"""Why cases have no score, in words."""

import pytest

from evaluation.reports.failure_words import FAILURES, left_out
from evaluation.scoring.outcomes import FAILED


def test_every_status_without_a_score_has_a_word() -> None:
    assert sorted(FAILURES) == sorted(FAILED)


@pytest.mark.parametrize(
    ("why", "words"),
    [
        ("candidate timed_out", "candidate timed out"),
        ("original not_run", "original not run"),
        ("unresolved request", "unresolved request"),
        ("no gold answer", "no right answer recorded"),
        ("candidate unjudged", "candidate not judged"),
        ("a reason of tomorrow", "a reason of tomorrow"),
    ],
)
def test_a_reason_for_leaving_a_request_out_is_said_in_words(why: str, words: str) -> None:
    assert left_out(why) == words
