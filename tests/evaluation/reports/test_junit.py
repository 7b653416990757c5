"""JUnit XML as build servers read it: the attributes and counts of the schema that Jenkins, GitLab
and GitHub's reporters share.
"""

from typing import Any
from xml.etree import ElementTree

import pytest

from evaluation.models import Run, Verdict
from evaluation.reports.exports.as_junit import junit_pieces, junit_xml
from evaluation.scoring.verdict import exit_code

RELEASED: dict[str, Any] = {
    "arm": "cand",
    "request_class": "plain",
    "outcome": "release",
    "sentence": "Release plain.",
    "rules": [
        {"name": "coverage", "passed": True, "sentence": "Every case was assessed."},
        {"name": "family:date", "passed": None, "sentence": "No rule for this family."},
    ],
}


def read(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)  # noqa: S314 our own


def changed(outcome: str, *rules: dict[str, Any]) -> dict[str, Any]:
    return {**RELEASED, "outcome": outcome, "rules": [*RELEASED["rules"], *rules]}


FAILED = {"name": "completeness", "passed": False, "sentence": "Kept in 3 of 5; the floor is 90 %."}


def test_a_suite_stands_for_each_candidate_and_class_and_a_test_for_each_rule(run: Run) -> None:
    root = read("".join(junit_pieces(run)))
    verdicts = list(Verdict.objects.current(run).order_by("arm__name", "request_class__name"))
    assert [suite.get("name") for suite in root] == ["cand: dated-fact", "cand: follow-up"]
    for suite, verdict in zip(root, verdicts, strict=True):
        names = [rule["name"] for rule in verdict.content["rules"]]
        assert [test.get("name") for test in suite][:-1] == names


def test_the_counts_are_those_of_the_elements_in_every_suite_and_over_all() -> None:
    root = read(junit_xml("study/1", [RELEASED, changed("fallback", FAILED)]))
    for place in [root, *root]:
        found = {
            "tests": len(list(place.iter("testcase"))),
            "failures": len(list(place.iter("failure"))),
            "errors": len(list(place.iter("error"))),
            "skipped": len(list(place.iter("skipped"))),
        }
        assert {name: int(place.get(name, "")) for name in found} == found
        assert float(place.get("time", "")) == 0


def test_a_rule_that_does_not_hold_fails_with_its_sentence() -> None:
    root = read(junit_xml("study/1", [changed("fallback", FAILED)]))
    failure = root.find(".//testcase[@name='completeness']/failure")
    assert failure is not None
    assert (failure.get("type"), failure.get("message")) == ("completeness", FAILED["sentence"])


def test_a_rule_that_decides_nothing_is_skipped_with_its_sentence() -> None:
    root = read(junit_xml("study/1", [RELEASED]))
    skipped = root.find(".//testcase[@name='family:date']/skipped")
    assert skipped is not None and skipped.get("message") == "No rule for this family."


@pytest.mark.parametrize("outcome", ["release", "fallback", "clarify", "not_assessable"])
def test_a_build_fails_exactly_where_the_gate_does(outcome: str) -> None:
    verdict = changed(outcome)
    root = read(junit_xml("study/1", [verdict]))

    class Stored:
        def __init__(self) -> None:
            self.outcome = outcome

    code = exit_code([Stored()])  # type: ignore[list-item]
    assert (int(root.get("failures", "")) > 0) == (code > 0)
    if code:
        failure = root.find(".//failure")
        assert failure is not None and failure.get("type") == outcome


def test_a_void_run_is_an_error_as_it_is_for_the_gate() -> None:
    root = read(junit_xml("study/1", [RELEASED], void="Superseded by version 2."))
    error = root.find(".//testcase[@name='registration']/error")
    assert root.get("errors") == "1" and error is not None
    assert error.get("message") == "Superseded by version 2."


def test_of_a_void_run_no_rule_passes_or_fails_in_any_suite() -> None:
    root = read(
        junit_xml(
            "study/1", [RELEASED, changed("fallback", FAILED)], void="Superseded by version 2."
        )
    )
    assert [suite.get("errors") for suite in root] == ["1", "1"]
    assert root.get("failures") == "0"
    states = {case.get("name"): [child.tag for child in case] for case in root.iter("testcase")}
    assert states.pop("registration") == ["error"]
    assert set(map(tuple, states.values())) == {("skipped",)}


def test_a_run_without_a_verdict_is_an_error() -> None:
    assert read(junit_xml("study/1", [])).get("errors") == "1"


def test_what_xml_cannot_hold_is_replaced_and_markup_stays_text() -> None:
    sentence = "A \x00\x0b\ud800\ufffe <b>&amp;</b> ]]> “q” 😀"
    hostile = {**FAILED, "name": 'a"<b>', "sentence": sentence}
    failure = read(junit_xml("s/1", [changed("fallback", hostile)])).find(".//failure")
    assert failure is not None
    assert failure.text == "A \ufffd\ufffd\ufffd\ufffd <b>&amp;</b> ]]> “q” 😀"
