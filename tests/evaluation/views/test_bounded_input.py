"""What a person sends that is too long, too deep, or has a name that is taken, is a sentence."""

import json
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from annotation.models import Person, Project, RequestClass
from annotation.services.imports import ImportRefused
from annotation.services.projects import Refused
from annotation.whole_numbers import whole_number
from evaluation.forms.protocols import PastedProtocolForm, ProtocolForm
from evaluation.models import Run
from evaluation.reports.comparing import record
from evaluation.reports.matrix.search_words import LONGEST_WORD, MOST_WORDS, is_cut, words_of
from evaluation.scoring.protocol import ProtocolError, parse_protocol
from tests.evaluation.runs.small_study import freeze, register, take_in
from tests.evaluation.views.worlds import LOSSY, run_with


@pytest.fixture
def client_of_engineer(engineer: Person, client: Client) -> Client:
    client.force_login(engineer)
    return client


@pytest.mark.parametrize("name", ["all", "All", "ALL", "*"])
def test_a_class_is_not_called_as_what_stands_for_every_class(name: str, study: Project) -> None:
    with pytest.raises(ImportRefused) as refused:
        take_in(study, "requests", [{"id": "n", "class": name, "text": "Who owns Lark Bakery?"}])
    told = str(refused.value)
    assert "row 1" in told and "class" in told and "stands for every class" in told


@pytest.mark.parametrize("name", ["all", "*"])
def test_conditions_are_not_frozen_with_such_a_class_of_earlier(
    name: str, study: Project, engineer: Person
) -> None:
    RequestClass.objects.filter(project=study, name="follow-up").update(name=name)
    with pytest.raises(Refused, match="stands for every class"):
        freeze(engineer, study)


def test_more_resamples_than_are_drawn_are_not_registered(study: Project, engineer: Person) -> None:
    with pytest.raises(Refused, match="at most 100,000, not 100,001"):
        register(engineer, study, resamples=100_001)
    protocol = register(engineer, study, resamples=100_000)
    content = {**protocol.content, "resamples": 1_000_000}
    assert parse_protocol(content).resamples == 1_000_000, "one of before the bound is read"
    with pytest.raises(ProtocolError, match="at most 100,000"):
        parse_protocol(content, new=True)
    pasted = PastedProtocolForm({"pasted": json.dumps(content)})
    assert not pasted.is_valid() and "at most 100,000" in str(pasted.errors)
    assert ProtocolForm().fields["resamples"].max_value == 100_000  # type: ignore[attr-defined]


def test_rules_that_are_nested_too_deeply_are_a_sentence(study: Project, tmp_path: Path) -> None:
    file = tmp_path / "protocol.json"
    file.write_text("[" * 200_000)
    with pytest.raises(CommandError, match="nested too deeply"):
        call_command("register_protocol", "study", str(file))
    pasted = PastedProtocolForm({"pasted": "[" * 190_000})
    assert not pasted.is_valid() and "nested too deeply" in str(pasted.errors)


def test_a_protocol_of_thousands_of_digits_is_none(
    study: Project, client_of_engineer: Client
) -> None:
    page = reverse("protocol-new", args=["study"])
    assert client_of_engineer.get(page, {"from": "9" * 4400}).status_code == 200


@pytest.mark.parametrize(
    ("text", "number"),
    [("7", 7), ("007", 7), ("", None), ("-1", None), ("٣", None), ("²", None), ("9" * 10, None)],
)
def test_a_whole_number_is_a_few_ascii_digits(text: str, number: int | None) -> None:
    assert whole_number(text) == number


def test_words_are_looked_for_up_to_a_length_and_a_number() -> None:
    query = " ".join(["x" * (LONGEST_WORD + 1)] * (MOST_WORDS + 1))
    assert [len(word) for word in words_of(query)] == [LONGEST_WORD] * MOST_WORDS
    assert is_cut(query) and not is_cut("a “few words” here")


@pytest.fixture
def run(study: Project, engineer: Person) -> Run:
    return run_with(engineer, study, {"cand": LOSSY})


@pytest.mark.parametrize("query", ["a" * 60_000, "é" * 60_000, '"' + "x y " * 15_000 + '"'])
def test_the_matrix_says_how_much_of_a_long_search_it_looks_for(
    query: str, run: Run, client_of_engineer: Client
) -> None:
    answer = client_of_engineer.get(reverse("matrix", args=["study", 1]), {"q": query})
    said = "Looked for are the first 20 words, and the first 200 letters of each."
    assert answer.status_code == 200 and said in answer.content.decode()


def test_twins_are_looked_for_by_as_many_letters(study: Project, client: Client) -> None:
    client.force_login(study.created_by)
    answer = client.get(reverse("twin-new", args=["study"]), {"find": "a" * 60_000})
    assert f'value="{"a" * 200}"' in answer.content.decode()


def test_two_readers_of_a_comparison_have_it_computed_once(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    sides = [record.side_named(run.project, f"1:{arm}") for arm in ("original", "cand")]
    both, computed, found = Barrier(2), [], []

    def compute(*_sides: Any) -> dict[str, Any]:
        computed.append(1)
        return {"computed": len(computed)}

    def read() -> None:
        both.wait()
        found.append(record.comparison_record(*sides))

    monkeypatch.setattr(record, "_computed", compute)
    monkeypatch.setattr(record, "require_comparable", lambda *_sides: None)
    monkeypatch.setattr(record, "_kept", type(record._kept)())
    readers = [Thread(target=read) for _reader in range(2)]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    assert found == [{"computed": 1}] * 2 and not record._computing


def test_a_computation_that_fails_lets_the_next_reader_try(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    sides = [record.side_named(run.project, f"1:{arm}") for arm in ("original", "human")]
    compute = record._computed

    def fail(*_sides: Any) -> dict[str, Any]:
        monkeypatch.setattr(record, "_computed", compute)
        raise record.NotComparable("No.", "Later.")

    monkeypatch.setattr(record, "_computed", fail)
    with pytest.raises(record.NotComparable):
        record.comparison_record(*sides)
    assert record.comparison_record(*sides)["schema"] == record.SCHEMA
