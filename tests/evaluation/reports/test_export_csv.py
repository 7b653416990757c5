"""The two tables of a run: the long one (its content is in test_commands.py) and the wide one."""

import csv
from io import StringIO
from typing import Any

from django.utils import translation

from annotation.models import Person, Project
from evaluation.models import Run
from evaluation.reports.exports.as_csv import ABOUT, OF_ARM, long_pieces, wide_pieces
from tests.evaluation.views.worlds import KEPT, run_with


def wide(run: Run) -> list[dict[str, Any]]:
    return list(csv.DictReader(StringIO("".join(wide_pieces(run)), newline="")))


def test_the_wide_table_has_a_line_for_each_request_with_every_arm_beside_it(run: Run) -> None:
    lines = wide(run)
    assert [line["request"] for line in lines] == ["a", "b", "c"]
    arms = ["original", "human", "cand"]
    assert list(lines[0]) == [*ABOUT, *(f"{arm}.{name}" for arm in arms for name in OF_ARM)]


def test_it_says_what_each_arm_lost_and_where(run: Run) -> None:
    line = wide(run)[0]
    assert (line["cand.lost"], line["original.lost"]) == ("c2 altered", "")
    assert (line["cand.first_lost"], line["cand.status"]) == ("rewrite", "ok")
    assert line["cand.queries"] == "Alder Foods revenue fiscal year 2021"
    assert (line["constraints"], line["critical"]) == ("2", "2")


def test_a_formula_in_a_rewrite_is_text_in_both_tables(study: Project, engineer: Person) -> None:
    formula = '=HYPERLINK("x","Alder, Foods")\n2022'
    run = run_with(engineer, study, {"cand": {**KEPT, "a": formula}})
    assert wide(run)[0]["cand.queries"].startswith("'=HYPERLINK")
    long = list(csv.DictReader(StringIO("".join(long_pieces(run)), newline="")))
    assert all(not line["queries"].startswith("=") for line in long)


def test_lines_end_as_rfc_4180_says_and_nothing_else_does(run: Run) -> None:
    for text in ("".join(wide_pieces(run)), "".join(long_pieces(run))):
        assert text.endswith("\r\n") and "\n" not in text.replace("\r\n", "")


def test_the_tables_are_the_same_in_every_language(run: Run) -> None:
    english = "".join(wide_pieces(run)), "".join(long_pieces(run))
    with translation.override("de"):
        assert ("".join(wide_pieces(run)), "".join(long_pieces(run))) == english
