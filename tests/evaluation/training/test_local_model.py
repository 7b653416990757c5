"""The bundled model as a folder for torch."""

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from evaluation.readers.torch import Writer
from evaluation.registry import PartError
from evaluation.training import local_model
from evaluation.training.local_model import convert_bundled


def test_a_folder_with_something_in_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x").touch()
    with pytest.raises(PartError, match="Give a new folder"):
        convert_bundled(tmp_path)
    with pytest.raises(CommandError, match="Give a new folder"):
        call_command("local_model", str(tmp_path))


def test_what_cannot_be_converted_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("gguf")
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF is how it begins, and that is all")
    monkeypatch.setattr(local_model, "model_file", lambda: broken)
    with pytest.raises(PartError, match="cannot be converted"):
        convert_bundled(tmp_path / "made")
    assert [path.name for path in tmp_path.iterdir()] == ["broken.gguf"]


@pytest.mark.model
def test_the_bundled_model_is_converted_and_read(tmp_path: Path) -> None:
    """Its card says 135 million weights."""
    out = io.StringIO()
    call_command("local_model", str(tmp_path / "smol"), json=True, stdout=out)
    told = json.loads(out.getvalue())
    assert (told["weights"], round(told["parameters"] / 1e6)) == ("bfloat16", 135)
    writer = Writer(tmp_path / "smol")
    written = writer.write(
        writer.encode([{"role": "user", "content": "Say the word hello."}]), max_tokens=12
    )
    assert "hello" in written.text.lower()
    assert str(tmp_path) not in (tmp_path / "smol" / "config.json").read_text()
