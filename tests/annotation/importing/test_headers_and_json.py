"""D21–D24, D26–D31, D35: the columns of a CSV and the JSON of a row."""

import json

import pytest

from annotation.models import Document, Request
from evaluation.models import UploadedRewrite
from tests.annotation.importing.conftest import Refusal, TakeIn, csv, places, request

HEADERS = [
    pytest.param("a,fact,x", (1, "", "no_header"), ("Expected: id, class",), id="D21-none"),
    pytest.param(
        "ID,Class,text",
        (1, "Class", "column_name"),
        ("write it as “class”", "Found: “ID”"),
        id="D21-case",
    ),
    pytest.param(
        "id, class,text", (1, " class", "column_name"), ("write it as “class”",), id="D21-blank"
    ),
    pytest.param(
        "id,class,text,Reference Date",
        (1, "Reference Date", "column_name"),
        ("write it as “reference_date”",),
        id="D21-other-sign",
    ),
    pytest.param("id,class", (1, "text", "missing"), ("“text” is missing",), id="D21-one-missing"),
    pytest.param(
        "id,class,text,text", (1, "text", "repeated_column"), ("stands twice",), id="D22-twice"
    ),
    pytest.param(
        "id,class,text,Text", (1, "Text", "column_name"), ("write it as",), id="D22-twice-by-case"
    ),
    pytest.param(
        "id;class;text", (1, "", "delimiter"), ("is the delimiter “;”?",), id="D24-semicolon"
    ),
    pytest.param(
        "id\tclass\ttext", (1, "", "delimiter"), ("is the delimiter a tab?",), id="D24-tab"
    ),
    pytest.param("id|class|text", (1, "", "delimiter"), ("1 column found",), id="D24-bar"),
]


@pytest.mark.parametrize("header, place, words", HEADERS)
def test_a_header_that_does_not_fit_is_told_with_what_was_expected(
    header: str, place: tuple[int, str, str], words: tuple[str, ...], refusal: Refusal
) -> None:
    found = refusal("requests", csv("a,fact,x", header=header), "f.csv")
    assert place in places(found)
    assert all(any(word in p.message for p in found) for word in words)


@pytest.mark.parametrize(
    "row",
    [
        pytest.param("b,fact", id="D23-short"),
        pytest.param("b,fact,two,three", id="D23-long"),
        pytest.param("b", id="D23-one-cell"),
    ],
)
def test_a_row_with_other_cells_than_the_header_is_refused(row: str, refusal: Refusal) -> None:
    (found,) = refusal("requests", csv("a,fact,one", row), "f.csv")
    assert (found.row, found.code) == (3, "cell_count") and "the header has 3" in found.message


def test_d26_an_unknown_column_of_a_request_is_kept_as_metadata(put_in: TakeIn) -> None:
    put_in("requests", csv("a,fact,x,[draft]", header="id,class,text,note"), "f.csv")
    assert Request.objects.get().metadata == {"note": "[draft]"}


def test_d26_an_unknown_field_of_a_document_is_kept_as_metadata(put_in: TakeIn) -> None:
    put_in("corpus", [{"_id": "d", "text": "x", "url": "u", "metadata": {"year": 1}}])
    assert Document.objects.get().metadata == {"url": "u", "year": 1}


@pytest.mark.usefixtures("study")
def test_d26_an_unknown_field_of_a_rewrite_is_kept_as_metadata(put_in: TakeIn) -> None:
    row = {"request": "a", "kind": "standalone", "queries": ["q"], "model": "m1"}
    put_in("rewrites", [row], target="cand")
    assert UploadedRewrite.objects.get().content["metadata"] == {"model": "m1"}


def test_d26_a_field_beside_metadata_and_in_it_is_refused(refusal: Refusal) -> None:
    found = refusal("requests", [request(note=1, metadata={"note": 2})])
    assert places(found) == [(1, "metadata", "repeated_key")]


@pytest.mark.parametrize("kind", ["sheets", "contracts", "standalone", "twins"])
def test_d26_a_file_without_metadata_refuses_an_unknown_column(kind: str, refusal: Refusal) -> None:
    (found,) = refusal(kind, [{"shoe_size": 44}])
    assert (found.column, found.code) == ("shoe_size", "unknown_column")
    assert "Allowed: " in found.message


def test_d26_a_misspelt_field_of_a_row_is_not_taken_for_metadata(refusal: Refusal) -> None:
    (found,) = refusal("requests", [request(Evidence=[["d1"]])])
    assert (found.column, found.code) == ("Evidence", "column_name")


def row(rest: str) -> bytes:
    return f'{{"id": "a", "class": "fact", "text": "x", {rest}}}'.encode()


JSON = [
    pytest.param(
        row('"answers": ["1"],'), "broken_json", "a comma too many", id="D27-trailing-comma"
    ),
    pytest.param(
        row('"answers": ["1",]'), "broken_json", "a comma too many", id="D27-comma-in-a-list"
    ),
    pytest.param(b"{'id': 'a'}", "broken_json", "at character 2", id="D27-single-quotes"),
    pytest.param(b'{"id": "a", // x\n', "broken_json", "no comments", id="D27-comment"),
    pytest.param(b'# requests\n{"id": 1}', "broken_json", "no comments", id="D27-comment-line"),
    pytest.param(b'{"id": "a"} {"id": "b"}', "broken_json", "extra data", id="D27-two-on-a-line"),
    pytest.param(row('"score": NaN'), "not_a_number", "NaN", id="D28-nan"),
    pytest.param(row('"score": -Infinity'), "not_a_number", "Infinity", id="D28-infinity"),
    pytest.param(row('"score": 1e999'), "not_a_number", "1.8e308", id="D28-1e999"),
    pytest.param(row('"score": {"a": [NaN]}'), "not_a_number", "NaN", id="D28-nan-inside"),
    pytest.param(
        row('"score": 1, "score": 2'), "repeated_key", "“score” stands twice", id="D29-twice"
    ),
    pytest.param(
        row('"score": {"k": 1, "k": 1}'), "repeated_key", "“k” stands twice", id="D29-inside"
    ),
    pytest.param(
        row('"score": ' + "[" * 100_000 + "]" * 100_000),
        "too_deep",
        "50 levels",
        id="D30-100000-deep",
    ),
    pytest.param(row('"score": ' + "[" * 51 + "]" * 51), "too_deep", "50 levels", id="D30-51-deep"),
    pytest.param(b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "too_deep", "50", id="D30-objects"),
    pytest.param(row('"score": ' + "9" * 5000), "bad_number", "too long", id="D31-5000-digits"),
    pytest.param(row('"score": ' + "9" * 40), "bad_number", "quotation marks", id="D31-40-digits"),
    pytest.param(b'[{"id": "a"}]', "not_an_object", "found a list", id="D35-array"),
    pytest.param(
        b'[\n{"id": "a"},\n{"id": "b"}\n]', "not_an_object", "found a list", id="D35-array-on-lines"
    ),
    pytest.param(b'"a"', "not_an_object", "found a text", id="D35-text"),
    pytest.param(b"null", "not_an_object", "found null", id="D35-null"),
    pytest.param(b"true", "not_an_object", "found true or false", id="D35-true"),
    pytest.param(b"17", "not_an_object", "found a number", id="D35-number"),
    pytest.param(
        row('"metadata": [1]'), "not_an_object", "an object {…}", id="D35-list-for-object"
    ),
    pytest.param(
        row('"turns": {"role": "user"}'), "not_a_list", "list of objects", id="D35-object-for-list"
    ),
    pytest.param(
        row('"turns": ["hello"]'), "not_a_list", "list of objects", id="D35-texts-for-objects"
    ),
    pytest.param(row('"answers": "4"'), "not_a_list", "list of texts", id="D35-text-for-list"),
    pytest.param(row(r'"score": "\ud800"'), "surrogate", "surrogate pair", id="D18-lone-surrogate"),
    pytest.param(row(r'"\udfff": 1'), "surrogate", "surrogate pair", id="D18-in-a-key"),
    pytest.param(
        row(r'"score": {"\ud800": 1}'), "surrogate", "surrogate pair", id="D18-in-an-inner-key"
    ),
]


@pytest.mark.parametrize("data, code, words", JSON)
def test_json_that_bends_a_rule_is_refused(
    data: bytes, code: str, words: str, refusal: Refusal
) -> None:
    found = refusal("requests", data)
    assert (found[0].row, found[0].code) == (1, code) and words in found[0].message


@pytest.mark.parametrize("name", ["score", "metadata"])
def test_the_column_of_a_faulty_value_is_named(name: str, refusal: Refusal) -> None:
    data = row(f'"{name}": {{"a": [1, NaN]}}')
    assert places(refusal("requests", data)) == [(1, name, "not_a_number")]


def test_d18_a_whole_surrogate_pair_is_one_letter(put_in: TakeIn) -> None:
    put_in("requests", row(r'"turns": [{"role": "user", "text": "\ud83d\ude00"}]'))
    assert Request.objects.get().texts[0] == "😀"


def test_json_as_deep_as_allowed_is_stored(put_in: TakeIn) -> None:
    deep = "[" * 49 + "]" * 49
    put_in("requests", row(f'"score": {deep}'))
    assert Request.objects.get().metadata == {"score": json.loads(deep)}


CELLS = [
    pytest.param("answers", '"[""1"""', "broken_json", id="D27-cell-broken"),
    pytest.param("answers", "4 million", "broken_json", id="D27-cell-no-json"),
    pytest.param("answers", '"[NaN]"', "broken_json", id="D28-cell-nan"),
    pytest.param("metadata", '"{""a"": 1, ""a"": 2}"', "broken_json", id="D29-cell-twice"),
    pytest.param("answers", "[" * 60 + "]" * 60, "broken_json", id="D30-cell-deep"),
    pytest.param("answers", '"1}, ""x"": {"', "broken_json", id="D27-cell-that-escapes"),
    pytest.param("answers", '"{""a"": ""b""}"', "not_a_list", id="D35-cell-object-for-list"),
]


@pytest.mark.parametrize("column, cell, code", CELLS)
def test_json_in_a_cell_is_as_strict(column: str, cell: str, code: str, refusal: Refusal) -> None:
    data = csv(f"a,fact,x,{cell}", header=f"id,class,text,{column}")
    assert places(refusal("requests", data, "f.csv")) == [(2, column, code)]
