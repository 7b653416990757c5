"""D11–D16, D32, D40: what things are called."""

import json

import pytest

from annotation.importing.look_alikes import foreign_letters, look_alike_key
from annotation.importing.showing import kept_filename, visible
from annotation.models import ImportRecord, Project, Request, RequestClass
from tests.annotation.importing.conftest import Refusal, TakeIn, places, request

CYRILLIC_A = "\u0430"
COMPOSED, APART = "caf\u00e9", "cafe\u0301"

TWINS = [
    pytest.param("x1", "x1", "duplicate_id", id="D11-twice"),
    pytest.param("Run-1", "run-1", "look_alike_id", id="D13-case"),
    pytest.param(COMPOSED, APART, "duplicate_id", id="D13-nfc-and-nfd"),
    pytest.param(COMPOSED.upper(), APART, "look_alike_id", id="D13-case-and-nfd"),
    pytest.param("straße", "STRASSE", "look_alike_id", id="D13-sharp-s"),
    pytest.param("run", "ｒｕｎ", "look_alike_id", id="D13-width"),
]


@pytest.mark.parametrize("first, second, code", TWINS)
def test_ids_that_look_alike_are_refused_with_both_rows(
    first: str, second: str, code: str, refusal: Refusal
) -> None:
    (found,) = refusal("requests", [request(id=first), request(id="other"), request(id=second)])
    assert (found.row, found.column, found.code) == (3, "id", code)
    assert "on row 1" in found.message


@pytest.mark.parametrize(
    "second",
    [pytest.param("x1", id="D12-same"), pytest.param("X1", id="D13-look-alike-of-the-database")],
)
def test_an_id_that_the_project_has_is_refused(
    second: str, put_in: TakeIn, refusal: Refusal
) -> None:
    put_in("requests", [request(id="x1")])
    (found,) = refusal("requests", [request(id=second, text="Another?")])
    assert found.code == "present_id" and "“x1” already" in found.message


FAULTY = [
    pytest.param(" x1", "begins or ends with a blank", id="D13-blank-before"),
    pytest.param("x1 ", "begins or ends with a blank", id="D13-blank-after"),
    pytest.param("x\u200b1", "U+200B", id="D14-zero-width-space"),
    pytest.param("x\u200d1", "U+200D", id="D14-zero-width-joiner"),
    pytest.param("\ufeffx1", "U+FEFF", id="D14-mark-inside"),
    pytest.param("x\u00ad1", "U+00AD", id="D14-soft-hyphen"),
    pytest.param("x\u00a01", "U+00A0", id="D14-nbsp"),
    pytest.param("x1\u00a0", "U+00A0", id="D14-nbsp-at-the-end"),
    pytest.param("x\u31641", "U+3164", id="D14-hangul-filler"),
    pytest.param("x\ufe0f1", "U+FE0F", id="D14-variation-selector"),
    pytest.param("x\t1", "U+0009", id="D14-tab"),
    pytest.param("x\n1", "U+000A", id="D14-line-feed"),
    pytest.param("x\u202e1", "U+202E", id="D16-override"),
    pytest.param("x\u20661", "U+2066", id="D16-isolate"),
    pytest.param("\u200fx1", "U+200F", id="D16-mark"),
    pytest.param("", "empty", id="D14-empty"),
    pytest.param("  ", "empty", id="D14-blanks"),
    pytest.param("x" * 201, "over 200 characters", id="D14-long"),
]


@pytest.mark.parametrize("key, words", FAULTY)
def test_an_id_that_nobody_can_read_is_refused(key: str, words: str, refusal: Refusal) -> None:
    (found,) = refusal("requests", [request(id=key)])
    assert (found.column, found.code) == ("id", "bad_id") and words in found.message


@pytest.mark.parametrize("key, words", [p for p in FAULTY if "D16" in str(p.id)])
def test_a_class_that_nobody_can_read_is_refused(key: str, words: str, refusal: Refusal) -> None:
    (found,) = refusal("requests", [request(**{"class": key})])
    assert (found.column, found.code) == ("class", "bad_name") and words in found.message


def test_d16_bidi_controls_in_a_text_are_stored_exactly(put_in: TakeIn) -> None:
    text = "Is \u202eevil\u202c \u2067שלום\u2069?"
    put_in("requests", [request(text=text)])
    assert Request.objects.get().text == text


def test_d16_what_a_message_quotes_shows_its_controls(refusal: Refusal) -> None:
    (found,) = refusal("twins", [{"id": "t", "family": "date\u202e\x1b[31m", "base": "a"}])[1:2]
    assert "date" in found.message or found.column == "base"
    assert visible("a\u202e\x1b[31m\r\nb") == "a\\u202e\\x1b[31m\\r\\nb"


@pytest.mark.parametrize(
    "key", [pytest.param(n, id=f"D32-{n}") for n in (7, 2**53 + 1, 1.5, True, None, ["x"])]
)
def test_an_id_that_is_no_text_is_refused(key: object, refusal: Refusal) -> None:
    (found,) = refusal("requests", [request(id=key)])
    assert found.code == ("missing" if key is None else "id_not_text")


def test_d13_a_class_that_differs_by_case_from_an_earlier_one_is_refused(refusal: Refusal) -> None:
    (found,) = refusal("requests", [request(), request(id="n2", **{"class": "Fact"})])
    assert places([found]) == [(2, "class", "look_alike_class")]
    assert "“fact”" in found.message


def test_d46_a_class_that_differs_by_case_from_the_projects_is_refused(
    put_in: TakeIn, refusal: Refusal
) -> None:
    put_in("requests", [request()])
    (found,) = refusal("requests", [request(id="n2", **{"class": "FACT"})])
    assert "The classes so far: “fact”." in found.message
    assert RequestClass.objects.count() == 1


def test_d13_an_id_is_stored_composed_and_found_by_either_form(
    project: Project, put_in: TakeIn
) -> None:
    put_in("corpus", [{"_id": APART, "text": "x"}])
    put_in("requests", [request(evidence=[[APART]]), request(id="n2", evidence=[[COMPOSED]])])
    assert {tuple(r.evidence[0]) for r in Request.objects.all()} == {(COMPOSED,)}


HOMOGLYPHS = [
    pytest.param([f"p{CYRILLIC_A}y"], "mixes scripts", id="D15-one-letter"),
    pytest.param(["cop", "сор"], "drawn like “cop”", id="D15-all-letters"),
    pytest.param(["A1", "Α1"], "drawn like “A1”", id="D15-greek-capital"),
]


@pytest.mark.parametrize("keys, words", HOMOGLYPHS)
def test_an_id_in_the_letters_of_another_script_is_taken_with_a_warning(
    keys: list[str], words: str, put_in: TakeIn
) -> None:
    report = put_in("requests", [request(id=key) for key in keys])
    assert report.written == len(keys) and report.warned == 1
    (warning,) = report.warnings
    assert (warning.row, warning.column, warning.code) == (len(keys), "id", "homoglyph")
    assert words in warning.message and warning.message.endswith(".")
    assert list(Request.objects.order_by("position").values_list("key", flat=True)) == keys


def test_d15_warnings_are_in_the_json_of_the_commands(put_in: TakeIn) -> None:
    report = put_in("requests", [request(id=f"p{CYRILLIC_A}y")], dry_run=True)
    told = json.loads(json.dumps(report.to_json()))
    assert told["warned"] == 1 and told["warnings"][0]["code"] == "homoglyph"


@pytest.mark.parametrize("key", ["привет", "naïve", "東京-1", "Δ-test", "r1"])
def test_d15_an_id_in_letters_of_its_own_script_is_taken_without_a_warning(
    key: str, put_in: TakeIn
) -> None:
    assert put_in("requests", [request(id=key)]).warnings == []


def test_d15_no_letter_of_the_latin_script_is_foreign() -> None:
    assert foreign_letters("naïve Ünïcödé") == []


@pytest.mark.parametrize("text", ["ß", "ﬁ", "ſ", "İ", "ΐ", "ᾳ", "Ⅷ"])
def test_d13_the_key_of_a_look_alike_key_is_itself(text: str) -> None:
    assert look_alike_key(look_alike_key(text)) == look_alike_key(text)


NAMES = [
    pytest.param("../../a.jsonl", "a.jsonl", id="D40-path"),
    pytest.param("C:\\x\\a.jsonl", "a.jsonl", id="D40-windows-path"),
    pytest.param("a\0.jsonl", "a_.jsonl", id="D40-nul"),
    pytest.param("a\r\nX: y.jsonl", "a__X: y.jsonl", id="D40-line-feed"),
    pytest.param('a".jsonl', 'a".jsonl', id="D40-quote"),
    pytest.param("CON", "CON", id="D40-device"),
    pytest.param("a\u202elnosj.exe", "a_lnosj.exe", id="D40-override"),
    pytest.param("a\udce9.jsonl", "a_.jsonl", id="D40-undecodable"),
    pytest.param("отчёт 東京.jsonl", "отчёт 東京.jsonl", id="D40-letters"),
    pytest.param("x" * 300 + ".jsonl", "x" * 249 + ".jsonl", id="D40-300-characters"),
    pytest.param("x" * 300, "x" * 255, id="D40-300-without-ending"),
    pytest.param("..", "file", id="D40-dots"),
    pytest.param("", "file", id="D40-none"),
]


@pytest.mark.parametrize("name, kept", NAMES)
def test_a_file_is_remembered_under_a_name_that_harms_nothing(
    name: str, kept: str, project: Project, owner: object, put_in: TakeIn
) -> None:
    assert kept_filename(name) == kept
    if name:
        put_in("requests", [request()], name)
        assert ImportRecord.objects.get().filename == kept
