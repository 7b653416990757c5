"""D62, and what must hold for any file at all: sound rows come back exactly, broken bytes are
refused and never crash.
"""

import io
import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.exporting.cells import harmless
from annotation.importing.kinds import FILE_KINDS
from annotation.importing.look_alikes import look_alike_key
from annotation.importing.problems import ImportRefused
from annotation.importing.requests import RequestsFile
from annotation.models import Corpus, ImportRecord, LedgerEntry, Person, Project, Request
from annotation.services.projects import create_project
from contracts.models import Contract
from tests.annotation.conftest import lines
from tests.annotation.importing.conftest import TakeIn, everything_stored, request
from tests.evaluation.runs.small_study import DOCUMENTS, REQUESTS

BOUNDED = settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
LETTERS = st.characters(blacklist_categories=["Cs"], blacklist_characters="\x00")
TEXTS = st.text(LETTERS, min_size=1, max_size=40).filter(str.strip)
KEYS = (
    st.text(
        st.characters(whitelist_categories=["Ll", "Lu", "Nd"], max_codepoint=0x24F),
        min_size=1,
        max_size=12,
    )
    .map(look_alike_key)
    .filter(str.isalnum)
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(-1e6, 1e6) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
VALID = st.lists(
    st.fixed_dictionaries(
        {
            "id": KEYS,
            "class": st.sampled_from(["fact", "follow-up"]),
            "text": TEXTS,
            "turns": st.lists(
                st.fixed_dictionaries(
                    {"role": st.sampled_from(["user", "assistant"]), "text": TEXTS}
                ),
                max_size=3,
            ),
            "reference_date": st.none() | st.dates().map(str),
            "answers": st.none() | st.lists(TEXTS.map(lambda t: f"x{t}"), max_size=3),
            "metadata": st.dictionaries(TEXTS, JSON, max_size=3),
        }
    ),
    min_size=1,
    max_size=4,
    unique_by=lambda row: look_alike_key(row["id"]),
)


class _Undo(Exception):
    """Ends an example: whatever it wrote is gone."""


def undone() -> Iterator[None]:
    try:
        with transaction.atomic():
            yield
            raise _Undo
    except _Undo:
        pass


def stored_requests() -> list[dict[str, Any]]:
    return [
        {
            "id": r.key,
            "class": r.request_class.name,
            "text": r.text,
            "turns": [{"role": t.role, "text": t.text} for t in r.turns.all()],
            "reference_date": r.reference_date.isoformat() if r.reference_date else None,
            "answers": r.answers,
            "metadata": r.metadata,
        }
        for r in Request.objects.with_words().order_by("position")
    ]


@BOUNDED
@given(rows=VALID)
def test_any_sound_requests_come_back_as_they_were(
    rows: list[dict[str, Any]], put_in: TakeIn
) -> None:
    for _example in undone():
        put_in("requests", rows)
        assert stored_requests() == rows


def cells(rows: list[dict[str, Any]]) -> bytes:
    """The rows as another program writes CSV that wants its formulas harmless: every cell quoted,
    lists and objects as JSON.
    """
    names = list(rows[0])
    whole = [names] + [
        [
            ""
            if (value := row[name]) is None
            else harmless(value)
            if isinstance(value, str)
            else json.dumps(value, ensure_ascii=False)
            for name in names
        ]
        for row in rows
    ]
    return "\r\n".join(
        ",".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in whole
    ).encode()


@BOUNDED
@given(rows=VALID)
def test_any_sound_requests_come_back_from_a_csv_as_they_were(
    rows: list[dict[str, Any]], put_in: TakeIn
) -> None:
    for _example in undone():
        put_in("requests", cells(rows), "f.csv")
        assert stored_requests() == rows


PIECES = st.sampled_from(
    [
        b'{"id": "a", ',
        b'"class": "c", ',
        b'"text": "x"}',
        b"\n",
        b"\r",
        b",",
        b'"',
        b"\xff",
        b"\x00",
        b"[",
        b"{",
        b"NaN",
        b"id,class,text",
        b"a,b,c",
        b"\xef\xbb\xbf",
        b'"turns": [{"role": "user"}]',
        b'"constraints": [{"id": "c"}]',
        b'"request": "a"',
        b"\xe2\x80\xa8",
        b"1e999",
        b"null",
    ]
)
BYTES = st.binary(max_size=200) | st.lists(PIECES, max_size=12).map(b"".join)


@BOUNDED
@given(data=BYTES, kind=st.sampled_from(sorted(FILE_KINDS)), name=st.sampled_from(["f", "f.csv"]))
def test_bytes_are_refused_and_never_crash(
    data: bytes, kind: str, name: str, put_in: TakeIn
) -> None:
    for _example in undone():
        before = everything_stored()
        try:
            put_in(kind, data, name, target="cand")
        except ImportRefused as refused:
            assert refused.problems.total and everything_stored() == before
            str(refused).encode()


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["id", "kind", "value", "span", "turn", "start", "role", "rank"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)


@pytest.mark.usefixtures("study")
@pytest.mark.parametrize("kind", sorted(FILE_KINDS))
@settings(BOUNDED, max_examples=60)
@given(data=st.data())
def test_values_of_any_type_are_refused_and_never_crash(
    kind: str, data: st.DataObject, put_in: TakeIn
) -> None:
    columns = FILE_KINDS[kind].columns
    sound = {"request": "a", "annotator": "annotator-b", "base": "a", "twin": "c", "family": "date"}
    row = {
        name: data.draw(st.just(sound[name]) | ODD if name in sound else ODD) for name in columns
    }
    for _example in undone():
        try:
            put_in(kind, [row], target="cand")
        except ImportRefused as refused:
            str(refused).encode()


# ---------------------------------------------------------------- our own export


def exported() -> str:
    out = io.StringIO()
    call_command("contracts", "study", "--json", stdout=out)
    return out.getvalue()


def test_d62_our_contracts_come_back_with_the_same_hashes(
    study: Project, owner: Person, put_in: TakeIn
) -> None:
    """The file goes into a second project with the same corpus and requests."""
    from annotation.services.imports import import_file

    data = exported().encode()
    other = create_project(actor=owner, slug="other", name="Other")
    for kind, rows in (
        ("corpus", [{"_id": key, "text": text} for key, text in DOCUMENTS]),
        ("requests", REQUESTS),
    ):
        import_file(actor=owner, project=other, kind=kind, filename="f.jsonl", data=lines(rows))
    import_file(actor=owner, project=other, kind="contracts", filename="f.jsonl", data=data)
    hashes = [
        sorted(
            Contract.objects.current(project)
            .values_list("request__key", "sha256", "content")
            .values_list("request__key", "sha256")
        )
        for project in (study, other)
    ]
    assert hashes[0] == hashes[1] and len(hashes[0]) == 3


def test_d62_a_corpus_written_from_its_rows_is_the_same_corpus(
    study: Project, put_in: TakeIn
) -> None:
    corpus = Corpus.objects.get()
    rows = [
        {"_id": d.key, "title": d.title, "text": d.text, "metadata": d.metadata}
        for d in corpus.documents.order_by("-pk")
    ]
    assert put_in("corpus", rows).written == 0 and Corpus.objects.get() == corpus


# ---------------------------------------------------------------- twice at once


def meanwhile(monkeypatch: pytest.MonkeyPatch, act: Any) -> None:
    """Let `act` happen once, after the next check and before its rows are written."""
    real = RequestsFile.check

    def check(self: RequestsFile, *args: Any) -> Any:
        parsed = real(self, *args)
        monkeypatch.setattr(RequestsFile, "check", real)
        act()
        return parsed

    monkeypatch.setattr(RequestsFile, "check", check)


@pytest.mark.django_db
def test_the_same_file_twice_at_once_comes_in_once(
    put_in: TakeIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    meanwhile(monkeypatch, lambda: put_in("requests", [request()]))
    report = put_in("requests", [request()])
    assert (report.already_present, report.written) == (True, 0)
    assert (Request.objects.count(), ImportRecord.objects.count()) == (1, 1)
    assert LedgerEntry.objects.filter(kind="requests.imported").count() == 1


def test_another_file_meanwhile_is_no_fault_if_both_fit(
    put_in: TakeIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    meanwhile(monkeypatch, lambda: put_in("requests", [request(id="theirs")]))
    assert put_in("requests", [request(id="mine")]).written == 1
    assert list(Request.objects.order_by("position").values_list("key", flat=True)) == [
        "theirs",
        "mine",
    ]


def test_another_file_meanwhile_with_the_same_id_refuses_the_second_whole(
    put_in: TakeIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    meanwhile(monkeypatch, lambda: put_in("requests", [request(text="theirs")]))
    with pytest.raises(ImportRefused, match="import it again") as refused:
        put_in("requests", [request(id="other"), request(text="mine")])
    assert "present_id" in [p.code for p in refused.value.problems.shown]
    assert Request.objects.get().text == "theirs"


def test_a_class_that_came_meanwhile_in_other_letters_is_seen(
    put_in: TakeIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    meanwhile(monkeypatch, lambda: put_in("requests", [request(**{"class": "FACT"})]))
    with pytest.raises(ImportRefused, match="looks like the class “FACT”"):
        put_in("requests", [request(id="n2")])
