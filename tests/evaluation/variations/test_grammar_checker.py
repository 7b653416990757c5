"""The sentences are those on which Harper 2.13.0 was measured before it was taken up."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from evaluation.registry import PartError
from evaluation.variations import grammar_checker
from evaluation.variations.grammar_checker import findings


@pytest.mark.parametrize(
    ("text", "rule", "words"),
    [
        ("She don't know who wrote it.", "PronounVerbAgreement", "don't"),
        ("He go home.", "PronounVerbAgreement", "go"),
        ("Was an test made?", "AnA", "an"),
        ("What informations does it have?", "MassNouns", "informations"),
    ],
)
def test_errors_in_grammar_are_found(text: str, rule: str, words: str) -> None:
    [found] = findings(text)
    assert (found.rule, found.words, text[found.start : found.end]) == (rule, words, words)


@pytest.mark.parametrize(
    "text",
    [
        "What did Oliver Fricker write?",  # a rare name is no error in grammar
        "Wher did he liv?",
        "who won it",
        "Who won it?",
        "",
        "\U0001f600",
    ],
)
def test_spelling_and_capitals_do_not_count(text: str) -> None:
    assert findings(text) == ()


def test_places_count_code_points() -> None:
    [found] = findings("\U0001f600 Was an test made?")
    assert (found.start, found.end) == (6, 8)


def test_each_dialect_has_its_checker() -> None:
    assert findings("He go home.", dialect="british")


def test_threads_may_ask_at_once() -> None:
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(findings, ["He go home."] * 20))
    assert all(len(one) == 1 for one in found)


def test_nothing_reaches_standard_output() -> None:
    code = (
        "import os\n"
        "from evaluation.variations import grammar_checker as checker\n"
        "class Printing:\n"
        "    def organized_lints(self, text, language):\n"
        "        os.write(1, b'debug')\n"
        "        return {}\n"
        "checker._loaded = lambda dialect: Printing()\n"
        "checker.findings('a b')\n"
        "print('{}')\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert (run.stdout, b"debug" in run.stderr) == (b"{}\n", True)


def test_without_harper_the_sentence_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(dialect: str) -> None:
        raise ImportError(dialect)

    monkeypatch.setattr(grammar_checker, "_loaded", missing)
    with pytest.raises(PartError, match="Harper is not installed"):
        findings("He go home.")
