"""TimeQA questions that differ in their time alone become twin pairs of the family date."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from contracts.terms import ContractTerms
from evaluation.converting.source import ConvertedPairs, SourceError
from evaluation.converting.timeqa import convert, find_name, read_time

TITLE = "Minna Canth"
DOCUMENTS = [
    {"doc_id": f"Minna_Canth#{n}", "title": TITLE, "para": n, "text": f"Paragraph {n}."}
    for n in range(4)
]


def question(number: int, text: str, answer: str | None, gold: int = 0) -> dict[str, Any]:
    return {
        "qid": f"/wiki/Minna_Canth#P551#{number}",
        "page": "Minna_Canth",
        "question": text,
        "answers": [answer] if answer else [],
        "gold_doc_ids": [f"Minna_Canth#{gold}"] if answer else [],
    }


LIVED = "Canth lived where from {} to {}?"
ONE = question(0, LIVED.format(1852, 1863), "Kuopio", 1)
OTHER = question(1, LIVED.format(1863, "Dec 1880"), "Jyväskylä", 2)


def converted(*questions: dict[str, Any]) -> ConvertedPairs:
    return convert(DOCUMENTS, questions)


def test_two_questions_that_differ_in_their_years_are_a_pair() -> None:
    made = converted(ONE, OTHER)
    assert [(t["family"], t["base"], t["twin"], t["constraint"]) for t in made.twins] == [
        ("date", "Minna_Canth#P551#0", "Minna_Canth#P551#1", "c2")
    ]


def test_both_contracts_have_the_same_referent_and_another_time() -> None:
    terms = [ContractTerms.from_json(row) for row in converted(ONE, OTHER).contracts]
    (name, time), (same, later) = (one.constraints for one in terms)
    assert name.value == same.value == {
        "name": "Minna Canth", "aliases": ["Canth"], "from_turn": None, "unresolved": False,
    }  # fmt: skip
    assert (time.value["start"], later.value["end"]) == ("1852", "1880-12")


def test_the_spans_stand_on_the_words_that_say_it() -> None:
    made = converted(ONE, OTHER)
    text, contract = made.requests[1]["text"], made.contracts[1]
    spans = [row["span"] for row in contract["constraints"]]
    assert [text[span["start"] : span["end"]] for span in spans] == [
        "Canth",
        "from 1863 to Dec 1880",
    ]


def test_each_request_has_its_own_answers_and_gold_paragraphs() -> None:
    row = converted(ONE, OTHER).requests[1]
    assert (row["answers"], row["evidence"]) == (["Jyväskylä"], [["Minna_Canth#2"]])


def test_every_paragraph_is_in_the_corpus() -> None:
    assert len(converted(ONE, OTHER).corpus) == 4


@pytest.mark.parametrize(
    ("other", "why"),
    [
        (question(1, LIVED.format(1863, 1880), None), "without an answer"),
        (question(1, LIVED.format(1863, 1880), "kuopio", 2), "whose answer is also"),
        (question(1, LIVED.format(1863, 1880), "Vaasa", 1), "share a gold paragraph"),
        (
            question(1, "Where was Canth from 1863 to 1880?", "Vaasa", 2),
            "no other question differs",
        ),
        (question(1, LIVED.format(1852, 1863), "Vaasa", 2), "no other question differs"),
        (question(1, "Canth lived where from 1863 to 200?", "Vaasa", 2), "exactly one time"),
        (question(1, "She lived where from 1863 to 1880?", "Vaasa", 2), "do not name their page"),
    ],
)
def test_what_is_no_sure_pair_is_left_out_and_counted(other: dict[str, Any], why: str) -> None:
    made = converted(ONE, other)
    assert made.twins == () and any(why in reason for reason in made.left_out)


def test_pairs_of_one_group_share_the_base_with_the_most_twins() -> None:
    third = question(2, LIVED.format(1880, 1881), "Kuopio", 3)
    made = converted(ONE, OTHER, third)
    assert [(row["base"][-1], row["twin"][-1]) for row in made.twins] == [("1", "0"), ("1", "2")]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("from 1912 to Dec 1949", ("between", "1912", "1949-12")),
        ("between Sep 1944 and Sep 1945", ("between", "1944-09", "1945-09")),
        ("in 2014", ("during", "2014", None)),
        ("in Mar 2017", ("during", "2017-03", None)),
        ("during the year 1996 to 1998", ("between", "1996", "1998")),
    ],
)
def test_times_are_read_as_typed_values(text: str, value: tuple[str, str, str | None]) -> None:
    found = read_time(f"Who led it {text}?")
    assert found is not None
    assert (found[2]["relation"], found[2]["start"], found[2]["end"]) == value


@pytest.mark.parametrize(
    "text", ["in 2014 and in 2016", "from 1949 to 1912", "from 1949", "in Xyz 2017", "born 1961"]
)
def test_a_time_that_is_not_sure_is_not_read(text: str) -> None:
    assert read_time(f"Who led it {text}?") is None


@pytest.mark.parametrize(
    ("text", "title", "name"),
    [
        ("What team did Olivier Bernard join?", "Olivier Bernard", "Olivier Bernard"),
        ("The Fabergé egg known as Pelican was whose?", "Pelican (Fabergé egg)", "Pelican"),
        ("The GNV Azzurra had which flag?", "MS GNV Azzurra", "GNV Azzurra"),
        ("Which party did he join?", "Imre Nagy", None),
    ],
)
def test_the_page_must_be_named_by_half_of_its_title(
    text: str, title: str, name: str | None
) -> None:
    place = find_name(text, title)
    assert (text[slice(*place)] if place else None) == name


def test_a_missing_field_is_named() -> None:
    with pytest.raises(SourceError, match="questions.jsonl, row 1: no field “question”"):
        convert(DOCUMENTS, [{"qid": "q", "page": "p"}])


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "source"
    folder.mkdir()
    for name, rows in (("corpus", DOCUMENTS), ("questions", [ONE, OTHER])):
        lines = (json.dumps(row, ensure_ascii=False) for row in rows)
        (folder / f"{name}.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return folder


def test_the_command_writes_four_files_and_says_what_is_in_them(
    source: Path, tmp_path: Path
) -> None:
    out = io.StringIO()
    call_command("convert_timeqa", source, tmp_path / "made", stdout=out)
    assert sorted(file.stem for file in (tmp_path / "made").iterdir()) == [
        "contracts",
        "corpus",
        "requests",
        "twins",
    ]
    assert out.getvalue().startswith("4 documents, 2 requests with their contracts and 1 twin pair")


def test_the_command_names_a_file_that_is_missing(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="corpus.jsonl cannot be read"):
        call_command("convert_timeqa", tmp_path, tmp_path / "made")
