"""The command that measures the judge, on cases made here; the held-out ones are left alone."""

import pytest

from evaluation.judging_file import BrokenLine
from tests.bench.judge import OWN, _title, measure, page, wrong
from tests.evaluation.test_labelled_cases import line


def written(folder, *lines):
    (folder / "some.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return folder


def test_a_folder_is_measured_with_its_denominators(tmp_path):
    missed = line(id="x2", expected={"c1": "stated"}, expected_added=[])
    text = page([measure(written(tmp_path, line(), missed))])
    assert "### Worked cases from a folder that you name" in text
    assert "2 cases with 2 labelled constraints." in text
    # One of two is right; the one that was lost is found; the kept one is a false alarm.
    assert (
        "| time | 2 | 50.0 % (1 of 2) | 100.0 % (2 of 2) | 100.0 % (1 of 1) | 100.0 % (1 of 1) |"
        in text
    )
    assert (
        "| of all kinds | 50.0 % (1 of 2) | 100.0 % (1 of 1) | 0.667 (n 3) | 100.0 % (1 of 1) |"
        in text
    )
    assert str(tmp_path) not in text


def test_what_was_decided_wrongly_is_listed_by_id(tmp_path):
    missed = line(id="x2", expected={"c1": "stated"}, expected_added=[])
    assert list(wrong(measure(written(tmp_path, line(), missed)))) == [
        "x2 c1 time: altered, not stated",
        "x2 added: evidence, not nothing",
    ]


def test_the_projects_own_cases_have_a_title_of_their_own(tmp_path):
    assert _title(OWN) == _title(OWN / "times.jsonl") == "The project's own held-out cases"
    assert _title(tmp_path) == "Worked cases from a folder that you name"


def test_a_folder_without_cases_is_refused(tmp_path):
    with pytest.raises(BrokenLine, match="has no file that ends in .jsonl"):
        measure(tmp_path)


def test_the_page_names_every_word_list(tmp_path):
    text = page([measure(written(tmp_path, line()))])
    assert "| `months` |" in text
    assert "| `units` |" in text
