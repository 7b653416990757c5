"""Verdicts as JUnit XML, for whatever shows the tests of a build: a suite for each candidate and
class, a test for each rule.
"""

import re
from collections import Counter
from collections.abc import Generator, Iterable, Mapping
from datetime import datetime
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from annotation.exporting.snapshot import snapshot
from evaluation.models import Run
from evaluation.reports.exports.as_json import verdicts_json
from evaluation.reports.protocol.voiding import void_stored
from evaluation.reports.summary import WORDS

# XML 1.0 has no place for these, not even as a reference.
_ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_REPLACED = "\ufffd"
_NO_TIME = "0.000"  # a rule takes no time of its own; readers want the attribute
NO_VERDICT = "The run has no verdict: it has no protocol or no candidate."

# Of a test: its name, and if it is not passed the element that says so, its type and its sentence.
Test = tuple[str, str, str, str]


def junit_pieces(run: Run) -> Generator[str, None, None]:
    name = f"{run.project.slug}/{run.number}"
    finished = run.finished_at.replace(microsecond=0, tzinfo=None) if run.finished_at else None
    with snapshot():
        yield junit_xml(name, verdicts_json(run), void=void_stored(run), finished=finished)


def junit_xml(
    name: str,
    verdicts: Iterable[Mapping[str, Any]],
    *,
    void: str = "",
    finished: datetime | None = None,
) -> str:
    """Return the document of a run called `name` from its verdicts as JSON. A build has a failure
    where `gate` exits with 1 or 2, and an error where it exits with 3: of a run that is void, which
    the sentence `void` says, each suite has one and no rule passes.
    """
    suites = [(f"{v['arm']}: {v['request_class']}", _tests(v)) for v in verdicts]
    if not suites:
        suites = [("verdict", [("verdict", "error", "no_verdict", NO_VERDICT)])]
    if void:
        suites = [(suite, _voided(tests, void)) for suite, tests in suites]
    root = Element("testsuites", _attributes(name, [t for _name, tests in suites for t in tests]))
    for suite_name, tests in suites:
        suite = SubElement(root, "testsuite", _attributes(suite_name, tests))
        if finished:
            suite.set("timestamp", finished.isoformat())
        for test in tests:
            _write(suite, f"{name}: {suite_name}", test)
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


def _tests(verdict: Mapping[str, Any]) -> list[Test]:
    """The rules as they stand, then the verdict itself, which fails unless it is a release."""
    tests = [_test(rule) for rule in verdict["rules"]]
    outcome = verdict["outcome"]
    state = "" if outcome == "release" else "failure"
    word = WORDS[outcome]
    return [*tests, (f"verdict: {word}", state, outcome, verdict["sentence"])]


def _voided(tests: Iterable[Test], void: str) -> list[Test]:
    """One error that says why, and no test that is passed or failed: nothing is decided."""
    skipped = [(name, "skipped", kind, f"Void: {said}") for name, _state, kind, said in tests]
    return [("registration", "error", "void", void), *skipped]


def _test(rule: Mapping[str, Any]) -> Test:
    state = {True: "", False: "failure", None: "skipped"}[rule["passed"]]
    return rule["name"], state, rule["name"].partition(":")[0], rule["sentence"]


def _write(suite: Element, classname: str, test: Test) -> None:
    name, state, kind, sentence = test
    attributes = {"name": legal(name), "classname": legal(classname), "time": _NO_TIME}
    case = SubElement(suite, "testcase", attributes)
    if state == "skipped":
        SubElement(case, state, {"message": legal(sentence)})
    elif state:
        said = SubElement(case, state, {"message": legal(sentence), "type": kind})
        said.text = legal(sentence)
    else:
        SubElement(case, "system-out").text = legal(sentence)


def _attributes(name: str, tests: Iterable[Test]) -> dict[str, str]:
    states = Counter(state for _name, state, _kind, _sentence in tests)
    return {
        "name": legal(name),
        "tests": str(states.total()),
        "failures": str(states["failure"]),
        "errors": str(states["error"]),
        "skipped": str(states["skipped"]),
        "time": _NO_TIME,
    }


def legal(text: str) -> str:
    """The text with whatever XML cannot hold replaced by U+FFFD."""
    return _ILLEGAL.sub(_REPLACED, text)
