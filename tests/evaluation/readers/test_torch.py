"""The reader on torch, with decoders of a few kilobytes that the tests make themselves."""

import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from evaluation.readers import Reader, ReaderError, build_reader
from evaluation.readers import torch as local
from evaluation.readers.prompted import INSTRUCTION
from evaluation.records import Document, Hit
from evaluation.registry import PartError
from tests.evaluation.readers.tiny_models import CONTEXT, save_chain, save_random

DOCUMENTS = [Document("d9", "Harbor Rail", "It rose by 4 %."), Document("d3", "Ferries", "Flat.")]
PASSAGES = [(Hit(d.id, i, 1.0), d) for i, d in enumerate(DOCUMENTS, start=1)]
CHAT = (
    "{% for m in messages %}{{ m.role }} : {{ m.content }}\n{% endfor %}"
    "{% if add_generation_prompt %}Answer :{% endif %}"
)


@pytest.fixture(autouse=True)
def nothing_configured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(local.FOLDER, raising=False)
    local._loaded.cache_clear()


def reader(folder: Path, **parameters: object) -> Reader:
    return build_reader("local", {"path": str(folder), **parameters}, generator=None)


def test_what_the_model_writes_is_the_answer_and_its_number_the_citation(tmp_path: Path) -> None:
    save_chain(tmp_path, "rose", "by", "4", "%", "[", "1", "]")
    got = reader(tmp_path).answer("How much?", PASSAGES)
    assert (got.text, got.citations) == ("rose by 4 %", ("d9",))
    assert got.tokens is not None and got.tokens["out"] == 8  # seven words and the end
    assert got.latency_ms is not None


def test_the_abstention_phrase_is_no_answer(tmp_path: Path) -> None:
    save_chain(tmp_path, "NOT", "FOUND", ".")
    got = reader(tmp_path).answer("How much?", PASSAGES)
    assert (got.text, got.citations) == (None, ())


def test_no_passages_are_an_abstention_and_load_no_model(tmp_path: Path) -> None:
    assert reader(tmp_path / "none").answer("How much?", []).text is None


def test_a_model_that_does_not_end_is_cut_and_an_error_unless_it_is_to_be_kept(
    tmp_path: Path,
) -> None:
    save_chain(tmp_path, "rose", "by", "4", "%")
    with pytest.raises(ReaderError, match="cut at 2 tokens") as caught:
        reader(tmp_path, max_tokens=2).answer("How much?", PASSAGES)
    assert caught.value.raw == "rose by"
    kept = reader(tmp_path, max_tokens=2, on_cut="keep").answer("How much?", PASSAGES)
    assert kept.text == "rose by"


def test_the_same_question_has_the_same_answer_from_any_thread(tmp_path: Path) -> None:
    made = reader(save_random(tmp_path), max_tokens=12, on_cut="keep")
    with ThreadPoolExecutor(4) as pool:
        got = list(pool.map(lambda _: made.answer("How much?", PASSAGES), range(8)))
    assert {(one.text, one.citations) for one in got} == {(got[0].text, got[0].citations)}
    again = reader(tmp_path, max_tokens=12, on_cut="keep").answer("How much?", PASSAGES)
    assert again.text == got[0].text


def test_one_model_is_loaded_for_all_readers_of_a_folder(tmp_path: Path) -> None:
    save_chain(tmp_path, "4", "%")
    for question in ("How much?", "By how much?"):
        reader(tmp_path).answer(question, PASSAGES)
    assert local._loaded.cache_info().misses == 1


def test_passages_that_do_not_fit_are_left_out_from_the_end(tmp_path: Path) -> None:
    save_chain(tmp_path, "4", "%", "[", "2", "]")
    long = Document("d7", "", "word " * CONTEXT)
    passages = [PASSAGES[0], (Hit("d7", 2, 1.0), long)]
    got = reader(tmp_path, max_passage_words=CONTEXT).answer("How much?", passages)
    # Passage 2 was not shown, so its number is no citation.
    assert (got.text, got.citations) == ("4 %", ())


def test_a_prompt_that_never_fits_is_an_error_with_its_length(tmp_path: Path) -> None:
    save_chain(tmp_path, "4")
    with pytest.raises(ReaderError, match=r"one passage take \d+ tokens; .* the model reads 2$"):
        reader(tmp_path, max_tokens=CONTEXT - 2).answer("How much?", PASSAGES)


def test_without_a_chat_template_the_prompt_is_plain(tmp_path: Path) -> None:
    writer = local.Writer(save_random(tmp_path))
    made = reader(tmp_path)
    messages = made.messages("How much?", PASSAGES[:1])  # type: ignore[attr-defined]
    assert writer.prompt(messages) == (
        f"{INSTRUCTION}\n\n[1] Harbor Rail\nIt rose by 4 %.\n\nQuestion: How much?\nAnswer:"
    )


def test_a_chat_template_gets_the_messages(tmp_path: Path) -> None:
    writer = local.Writer(save_random(tmp_path, chat_template=CHAT))
    made = reader(tmp_path, instruction_in="system")
    text = writer.prompt(made.messages("How much?", PASSAGES[:1]))  # type: ignore[attr-defined]
    assert text.startswith(f"system : {INSTRUCTION}\nuser : [1] Harbor Rail\n")
    assert text.endswith("Answer :")


def test_a_template_that_asks_for_a_date_always_gets_the_same(tmp_path: Path) -> None:
    template = (
        "{% if not date_string is defined %}{{ strftime_now('%Y') }}{% endif %}{{ date_string }}"
    )
    writer = local.Writer(save_random(tmp_path, chat_template=template))
    assert writer.prompt([{"role": "user", "content": "x"}]) == local.DATE


@pytest.mark.parametrize(
    ("template", "why"),
    [
        ("{{ strftime_now('%d') }}", "writes today's date"),
        ("{{ raise_exception('no system role') }}", "no system role"),
    ],
)
def test_a_template_that_cannot_be_used_is_refused(tmp_path: Path, template: str, why: str) -> None:
    writer = local.Writer(save_random(tmp_path, chat_template=template))
    with pytest.raises(PartError, match=why):
        writer.prompt([{"role": "user", "content": "x"}])


def test_the_model_is_frozen_by_its_name_and_its_files(tmp_path: Path) -> None:
    one = reader(save_random(tmp_path / "tiny")).describe()
    same = reader(save_random(tmp_path / "elsewhere" / "tiny")).describe()
    other = reader(save_random(tmp_path / "other", seed=1)).describe()
    assert one["model"] == same["model"] and one["model"]["name"] == "tiny"
    assert one["model"]["settings_sha256"] == other["model"]["settings_sha256"]
    assert one["model"]["weights_sha256"] != other["model"]["weights_sha256"]
    assert sorted(one["libraries"]) == ["tokenizers", "torch", "transformers"]


def test_a_file_that_changed_is_hashed_and_loaded_anew(tmp_path: Path) -> None:
    save_chain(tmp_path, "4", "%")
    made = reader(tmp_path)
    before, first = made.model(), made.answer("How much?", PASSAGES).text
    save_chain(tmp_path, "rose", "by", "4", "%")
    changed = tmp_path / "model.safetensors"
    os.utime(changed, ns=(1, changed.stat().st_mtime_ns + 1_000_000))
    assert made.model() != before
    assert (first, made.answer("How much?", PASSAGES).text) == ("4 %", "rose by 4 %")


def test_the_folder_can_come_from_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(local.FOLDER, str(save_chain(tmp_path, "4", "%")))
    made = build_reader("local", {}, generator=None)
    assert made.describe()["parameters"]["path"] == ""
    assert made.answer("How much?", PASSAGES).text == "4 %"


def test_without_a_folder_it_says_what_to_set() -> None:
    with pytest.raises(PartError, match="set INTACT_READER_MODEL"):
        build_reader("local", {}, generator=None).describe()


def test_a_folder_without_a_model_is_refused_when_it_is_frozen(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    for folder in (tmp_path, tmp_path / "none"):
        with pytest.raises(PartError, match="finds no language model in"):
            reader(folder).describe()


def test_a_model_that_cannot_be_loaded_is_a_fault_of_the_part(tmp_path: Path) -> None:
    save_chain(tmp_path, "4")
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "unheard-of"}))
    with pytest.raises(PartError, match="cannot load the language model"):
        reader(tmp_path).answer("How much?", PASSAGES)
