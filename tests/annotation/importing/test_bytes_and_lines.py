"""D1–D9, D20, D25, D36–D38, D41, D42, D51, D56, D58: what a file is made of."""

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from pathlib import Path

import pytest

from annotation.importing.problems import Problems
from annotation.importing.reading import MAX_BYTES, read_rows
from annotation.models import Document, Request
from tests.annotation.importing.conftest import Refusal, TakeIn, csv, places, request

GOOD = b'{"id": "a", "class": "fact", "text": "one"}'


def line(text: str, key: str = "a") -> bytes:
    return f'{{"id": "{key}", "class": "fact", "text": "{text}"}}'.encode()


def texts() -> list[str]:
    return list(Request.objects.order_by("position").values_list("text", flat=True))


def zipped(name: str, data: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, data)
    return out.getvalue()


def tarred() -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("../x"), io.BytesIO(b""))
    return out.getvalue()


ACCEPTED = [
    pytest.param(b"\xef\xbb\xbf" + GOOD, "f.jsonl", ["one"], id="D1-bom-jsonl"),
    pytest.param(b"\xef\xbb\xbf" + csv("a,fact,one"), "f.csv", ["one"], id="D1-bom-csv"),
    pytest.param(
        line("1", "a") + b"\r\n" + line("2", "b") + b"\r" + line("3", "c") + b"\n",
        "f.jsonl",
        ["1", "2", "3"],
        id="D6-mixed-line-ends-jsonl",
    ),
    pytest.param(
        b"id,class,text\r\na,fact,1\rb,fact,2\nc,fact,3",
        "f.csv",
        ["1", "2", "3"],
        id="D6-mixed-line-ends-csv",
    ),
    pytest.param(
        csv('a,fact,"one\r\ntwo\rthree"'), "f.csv", ["one\r\ntwo\rthree"], id="D7-newline-in-quotes"
    ),
    pytest.param(
        line("x\u2028y\u0085z\u2029w"), "f.jsonl", ["x\u2028y\u0085z\u2029w"], id="D7-u2028-jsonl"
    ),
    pytest.param(csv("a,fact,x\u2028y\u0085z"), "f.csv", ["x\u2028y\u0085z"], id="D7-u2028-csv"),
    pytest.param(b"\n \t\n" + GOOD + b"\n\n", "f.jsonl", ["one"], id="D36-blank-lines"),
    pytest.param(GOOD, "f.jsonl", ["one"], id="D36-no-last-line-feed"),
    pytest.param(csv("a,fact,one", "", ""), "f.csv", ["one"], id="D36-blank-lines-csv"),
    pytest.param(b"\n\n" + csv("a,fact,one"), "f.csv", ["one"], id="D36-blank-lines-first"),
]


@pytest.mark.parametrize("data, filename, stored", ACCEPTED)
def test_what_is_sound_is_stored_exactly(
    data: bytes, filename: str, stored: list[str], put_in: TakeIn
) -> None:
    put_in("requests", data, filename)
    assert texts() == stored


LATIN = "a,fact,café".encode("latin-1")
REFUSED = [
    pytest.param(GOOD.decode().encode("utf-16"), "f.jsonl", (None, "", "encoding"), id="D2-le-bom"),
    pytest.param(
        b"\xfe\xff" + GOOD.decode().encode("utf-16-be"),
        "f.csv",
        (None, "", "encoding"),
        id="D2-be-bom",
    ),
    pytest.param(
        GOOD.decode().encode("utf-16-le"), "f.jsonl", (None, "", "encoding"), id="D2-no-bom"
    ),
    pytest.param(GOOD.decode().encode("utf-32"), "f.jsonl", (None, "", "encoding"), id="D2-utf-32"),
    pytest.param(
        GOOD + b"\n" + '{"text": "café"}'.encode("latin-1"),
        "f.jsonl",
        (2, "", "encoding"),
        id="D3-latin-1-jsonl",
    ),
    pytest.param(
        csv('b,fact,"two\nlines"') + LATIN, "f.csv", (4, "text", "encoding"), id="D3-latin-1-csv"
    ),
    pytest.param(
        b"id,class,t\xe9xt\n", "f.csv", (1, "", "encoding"), id="D3-latin-1-in-the-header"
    ),
    pytest.param(
        b"".join(line("x", f"r{n}") + b"\n" for n in range(3000)) + line("x")[:-4] + b'\xff"}',
        "f.jsonl",
        (3001, "", "encoding"),
        id="D4-late-bad-byte-jsonl",
    ),
    pytest.param(
        csv(*(f"r{n},fact,x" for n in range(3000))) + b"z,f\x80act,x\n",
        "f.csv",
        (3002, "class", "encoding"),
        id="D4-late-bad-byte-csv",
    ),
    pytest.param(line(r"a\u0000b"), "f.jsonl", (1, "text", "nul"), id="D5-nul-escaped-in-json"),
    pytest.param(line("a\x00b"), "f.jsonl", (1, "text", "nul"), id="D5-nul-raw-in-json"),
    pytest.param(
        GOOD[:-1] + rb', "metadata": {"k\u0000": 1}}',
        "f.jsonl",
        (1, "metadata", "nul"),
        id="D5-nul-in-an-inner-key",
    ),
    pytest.param(
        GOOD[:-1] + rb', "\u0000": 1}', "f.jsonl", (1, "\\x00", "nul"), id="D5-nul-in-a-key"
    ),
    pytest.param(csv("a,fact,x\x00y"), "f.csv", (2, "text", "nul"), id="D5-nul-in-csv"),
    pytest.param(b"id,class,te\x00xt\n", "f.csv", (1, "", "nul"), id="D5-nul-in-a-csv-header"),
    pytest.param(
        csv("a,fact,one", "b,fact,x\ry"),
        "f.csv",
        (4, "", "bare_return"),
        id="D6-bare-return-in-a-cell",
    ),
    pytest.param(line("x" * 10_000_000), "f.jsonl", (1, "text", "too_long"), id="D8-jsonl-10-mb"),
    pytest.param(
        csv("a,fact," + "x" * 10_000_000), "f.csv", (2, "", "too_long"), id="D8-csv-10-mb"
    ),
    pytest.param(
        csv(header=",".join(f"c{n}" for n in range(5000))),
        "f.csv",
        (1, "", "too_many_columns"),
        id="D9-5000-columns-csv",
    ),
    pytest.param(
        b"{" + b",".join(b'"c%d": 1' % n for n in range(5000)) + b"}",
        "f.jsonl",
        (1, "", "too_many_columns"),
        id="D9-5000-columns-jsonl",
    ),
    pytest.param(b"{}\n" * 10_000_000, "f.jsonl", (None, "", "too_many_rows"), id="D9-10-m-rows"),
    pytest.param(
        b" " * (MAX_BYTES + 1), "f.jsonl", (None, "", "too_large"), id="D9-too-many-bytes"
    ),
    pytest.param(b"", "f.jsonl", (None, "", "empty"), id="D20-empty"),
    pytest.param(b"", "f.csv", (None, "", "empty"), id="D20-empty-csv"),
    pytest.param(b"\xef\xbb\xbf", "f.jsonl", (None, "", "empty"), id="D20-mark-only"),
    pytest.param(b" \n \r\n", "f.jsonl", (None, "", "empty"), id="D20-blanks"),
    pytest.param(b" \n \r\n", "f.csv", (None, "", "empty"), id="D20-blanks-csv"),
    pytest.param(csv(), "f.csv", (None, "", "empty"), id="D20-header-only"),
    pytest.param(
        csv("a,fact,one", 'b,fact,"two', "c,fact,three"),
        "f.csv",
        (3, "", "unclosed_quote"),
        id="D25-quote-never-closed",
    ),
    pytest.param(
        csv("a,fact,one", 'b,fact,"two', 'c,fact,"three"'),
        "f.csv",
        (3, "", "unbalanced_quote"),
        id="D25-quote-closed-by-a-later-row",
    ),
    pytest.param(
        csv('a,fact,"' + "x\n" * 600_000), "f.csv", (2, "", "too_long"), id="D25-swallows-the-rest"
    ),
    pytest.param(GOOD + b"\n" + GOOD[:-9], "f.jsonl", (2, "", "truncated"), id="D36-cut-off"),
    pytest.param(
        GOOD + b"\n" + GOOD[:-1], "f.jsonl", (2, "", "truncated"), id="D36-cut-at-the-end"
    ),
    pytest.param(
        gzip.compress(b"0" * 10_000_000), "f.jsonl", "200 times its size", id="D37-gzip-bomb"
    ),
    pytest.param(zipped("f.jsonl", b"0" * 10_000_000), "f.zip", "200 times", id="D37-zip-bomb"),
    pytest.param(
        zipped("f.zip", zipped("f", GOOD)), "f.csv", "another archive", id="D37-nested-zip"
    ),
    pytest.param(bz2.compress(GOOD), "f.jsonl", "bzip2 archive", id="D37-bzip2"),
    pytest.param(lzma.compress(GOOD), "f.jsonl", "xz archive", id="D37-xz"),
    pytest.param(zipped("f", GOOD)[:20], "f.jsonl", "corrupt", id="D38-corrupt-zip"),
    pytest.param(b"%PDF-1.7\n...", "f.jsonl", "this is a PDF", id="D38-pdf"),
    pytest.param(b"\x89PNG\r\n\x1a\n\x00", "f.csv", "PNG picture", id="D38-png"),
    pytest.param(
        zipped("[Content_Types].xml", b""), "f.csv", "Office document", id="D38-xlsx-named-csv"
    ),
    pytest.param(GOOD, "f.csv", "name it .jsonl", id="D38-jsonl-named-csv"),
    pytest.param(csv("a,fact,one"), "f.jsonl", "name it .csv", id="D38-csv-named-jsonl"),
    pytest.param(zipped("../x", GOOD), "f.jsonl", "outside it", id="D39-member-outside"),
    pytest.param(tarred(), "f.jsonl", "tar archive", id="D39-tar-member-outside"),
    pytest.param(b"a: &a [x]\nb: [*a, *a]\n", "f.jsonl", "YAML", id="D41-alias-bomb"),
    pytest.param(
        b"--- !!python/object/apply:os.system ['true']\n", "f.csv", "YAML", id="D41-python-object"
    ),
    pytest.param(b"- id: no\n  class: fact\n", "f.yaml", "YAML", id="D41-yaml-rows"),
    pytest.param(
        b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
        "f.jsonl",
        "XML or HTML",
        id="D42-xml-entity",
    ),
    pytest.param(b"\n<!doctype html><p>", "f.csv", "XML or HTML", id="D42-html"),
    pytest.param(b"q1 Q0 d1 1 9.5 tag\n", "f.jsonl", "TREC run", id="D51-trec-run"),
    pytest.param(b"q1 Q0 d1 1 9.5\n", "f.txt", "TREC run", id="D51-5-columns"),
    pytest.param(b"q1\tQ0\td1\t1\tNaN\tt\tx\n", "f.csv", "TREC run", id="D51-7-columns-tabs"),
    pytest.param(
        b"query-id\tcorpus-id\tscore\nq1\td1\t1\n", "f.jsonl", "qrels", id="D58-qrels-header"
    ),
    pytest.param(b"q1 0 d1 -1\n", "f.jsonl", "qrels", id="D58-qrels-negative-grade"),
]


@pytest.mark.parametrize("data, filename, where", REFUSED)
def test_what_is_broken_is_refused_with_its_place(
    data: bytes, filename: str, where: tuple[int | None, str, str] | str, refusal: Refusal
) -> None:
    found = refusal("requests", data, filename)
    if isinstance(where, str):
        assert len(found) == 1 and where in found[0].message
    else:
        assert places(found) == [where]


def test_d3_the_byte_and_its_likely_letter_are_named(refusal: Refusal) -> None:
    (found,) = refusal("requests", csv("b,fact,two") + LATIN, "f.csv")
    assert "byte 0xE9 (“é” in Windows-1252) is not UTF-8" in found.message


def test_d3_every_row_with_a_bad_byte_is_told(refusal: Refusal) -> None:
    found = refusal("requests", csv() + LATIN + b"\nb,fact,x\n" + LATIN, "f.csv")
    assert [p.row for p in found if p.code == "encoding"] == [2, 4]


def test_d7_rows_are_counted_in_lines_after_quoted_line_feeds(refusal: Refusal) -> None:
    data = csv('a,fact,"one\ntwo\nthree",', 'b,fact,"four\nfive",2024-02-30',
               header="id,class,text,reference_date")  # fmt: skip
    assert places(refusal("requests", data, "f.csv")) == [(5, "reference_date", "bad_date")]


def test_d7_what_only_unicode_calls_a_line_end_counts_no_row(refusal: Refusal) -> None:
    found = refusal("requests", line("x\u2028y\u0085z") + b'\n{"id": 3}')
    assert {p.row for p in found} == {2}


def test_d9_a_csv_stops_at_the_cap_of_rows(
    refusal: Refusal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotation.importing.csv_rows.MAX_ROWS", 2)
    data = csv("a,fact,1", "b,fact,2", "c,fact,3", 'd,fact,"never read')
    assert places(refusal("requests", data, "f.csv")) == [(4, "", "too_many_rows")]


def test_d9_as_many_rows_as_the_cap_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotation.importing.reading.MAX_ROWS", 2)
    problems = Problems("f.jsonl")
    assert len(read_rows(b'{"a": 1}\n\n\n{"a": 2}\n', "f.jsonl", problems)) == 2


def test_d37_nothing_of_an_archive_is_unpacked(refusal: Refusal, tmp_path: Path) -> None:
    refusal("corpus", zipped(str(tmp_path / "x"), b"x"))
    assert not list(tmp_path.iterdir())


BEIR = [
    pytest.param([{"title": "t", "text": "x"}], (1, "_id", "missing"), id="D56-no-id"),
    pytest.param([{"id": "d", "text": "x"}], (1, "id", "column_name"), id="D56-id-for-_id"),
    pytest.param([{"_id": 7, "text": "x"}], (1, "_id", "id_not_text"), id="D56-numeric-id"),
]


@pytest.mark.parametrize("rows, place", BEIR)
def test_a_corpus_of_beir_is_read_strictly(
    rows: list[dict], place: tuple[int, str, str], refusal: Refusal
) -> None:
    assert places(refusal("corpus", rows)) == [place]


def test_d56_a_corpus_of_beir_is_read(put_in: TakeIn) -> None:
    put_in("corpus", [{"_id": "d1", "title": "", "text": "x", "metadata": {}}])
    assert Document.objects.get().key == "d1"


EMPTY = [
    pytest.param({"title": "", "text": ""}, "has no words: it is left out", [], id="D56-no-words"),
    pytest.param({"title": "Only", "text": " "}, "its title is taken", ["Only"], id="D56-title"),
]


@pytest.mark.parametrize("empty, words, kept", EMPTY)
@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_a_document_without_a_text_is_told_in_a_warning(
    form: str, empty: dict[str, str], words: str, kept: list[str], put_in: TakeIn
) -> None:
    rows = [{"_id": "d1", "title": "", "text": "x"}, {"_id": "d2", **empty}]
    table = csv(*(",".join(row.values()) for row in rows), header="_id,title,text")
    report = put_in("corpus", table if form == "csv" else rows, f"corpus.{form}")
    (warning,) = report.warnings
    assert (warning.row, warning.column) == (3 if form == "csv" else 2, "text")
    assert words in warning.message
    assert list(Document.objects.order_by("key").values_list("text", flat=True)) == ["x", *kept]


def test_d56_queries_of_beir_are_told_which_column_is_meant(refusal: Refusal) -> None:
    (found,) = refusal("requests", [{"_id": "q", "class": "fact", "text": "x"}])
    assert "write it as “id”" in found.message


def test_d6_both_halves_of_a_row_that_a_bare_return_splits_are_told(refusal: Refusal) -> None:
    found = refusal("requests", csv("b,x\ry,z"), "f.csv")
    assert places(found) == [(2, "", "bare_return"), (3, "", "bare_return")]


def test_d6_a_row_after_any_line_end_is_counted(refusal: Refusal) -> None:
    data = line("1", "a") + b"\r\n" + line("2", "b") + b"\r" + b'{"id": 3}'
    found = refusal("requests", data)
    assert {p.row for p in found} == {3}


def test_d35_an_object_over_many_lines_is_told_to_stand_on_one(refusal: Refusal) -> None:
    (found,) = refusal("requests", b'{\n  "id": "a"\n}\n')
    assert "one line" in found.message and found.row == 1


def test_a_request_that_is_sound_is_sound(put_in: TakeIn) -> None:
    assert put_in("requests", [request()]).written == 1
