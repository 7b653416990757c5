"""Files that wait: under names of ours in the data folder, readable by the server alone, until
their import ends.
"""

import hashlib
import os
import re
import time
from collections.abc import Iterable
from pathlib import Path
from typing import IO
from uuid import UUID

from django.conf import settings

from annotation.importing.reading import MAX_BYTES

_CHUNK = 1 << 20
_NAME = re.compile("[0-9a-f]{32}")
ORPHAN_SECONDS = 3600  # a file this old without a job was left by a process that died


class TooLarge(Exception):
    """The stream is longer than a file may be."""


def folder() -> Path:
    path = Path(settings.DATA_DIR) / "uploads"
    path.mkdir(mode=0o700, exist_ok=True)
    return path


def path_of(job_id: UUID) -> Path:
    """Where the file of a job lies; its name comes from us alone."""
    return folder() / job_id.hex


def keep(job_id: UUID, stream: IO[bytes]) -> tuple[int, str]:
    """Write the stream to its place, wholly on the disk; return its size and SHA-256.

    Raises TooLarge, or OSError when the disk is full; nothing is left behind then.
    """
    path, digest, size = path_of(job_id), hashlib.sha256(), 0
    try:
        with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as out:
            while chunk := stream.read(_CHUNK):
                size += len(chunk)
                if size > MAX_BYTES:
                    raise TooLarge
                digest.update(chunk)
                out.write(chunk)
            out.flush()
            os.fsync(out.fileno())
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return size, digest.hexdigest()


def forget(job_id: UUID) -> None:
    path_of(job_id).unlink(missing_ok=True)


def lying() -> list[UUID]:
    """The jobs for which a file lies here."""
    return [UUID(path.name) for path in folder().iterdir() if _NAME.fullmatch(path.name)]


def remove_orphans(wanted: Iterable[UUID]) -> int:
    """Delete the files that no job waits for, once they are an hour old; return how many."""
    names = {job_id.hex for job_id in wanted}
    oldest = time.time() - ORPHAN_SECONDS
    gone = 0
    for path in folder().iterdir():
        if path.name not in names and path.stat().st_mtime < oldest:
            path.unlink(missing_ok=True)
            gone += 1
    return gone
