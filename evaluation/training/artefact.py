"""Trained models as folders that say what they are: written whole or not at all, never changed.

    <folder>/artefact.json   kind, format, what was told of the training, the hash of every file
    <folder>/...             the model's own files

The hash of an artefact is that of all of it but its place: the same training gives the same hash,
wherever the folder lies. A folder with a file changed, missing or added is refused.
"""

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotation.canonical import content_hash
from evaluation.registry import PartError

FILE = "artefact.json"
FORMAT = 1


class ArtefactError(PartError):
    """A folder is no artefact that can be used, or none can be written there. A sentence."""


@dataclass(frozen=True, slots=True)
class Artefact:
    """One trained model on disk. `sha256` names all of it; `files` has the hash of each file.

    `told` is what its maker recorded: base model, data, settings, seed, losses, libraries.
    """

    folder: Path
    told: Mapping[str, Any]
    sha256: str
    files: Mapping[str, str]


def check_free(folder: Path) -> None:
    """Raise ArtefactError when there is anything under this name: before hours are spent."""
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise ArtefactError(f"{folder} is not a folder. Give another name for the new artefact.")
    if folder.is_dir() and any(folder.iterdir()):
        raise ArtefactError(
            f"There is something in {folder} already. An artefact is never changed: give another "
            "folder for the new one, or remove the old one first."
        )


def write_artefact(
    folder: Path, kind: str, save: Callable[[Path], None], told: Mapping[str, Any]
) -> Artefact:
    """Write a new artefact and return it as `read_artefact` does.

    `save` gets an empty folder and writes the model's files there. `told` must be JSON-able and
    should hold nothing of this machine or of the day, which would make two equal trainings differ.
    The folder appears under its name only when it is complete and on disk. Raises ArtefactError
    when something is there already.
    """
    folder = Path(folder)
    check_free(folder)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        building = Path(tempfile.mkdtemp(prefix=".building-", dir=folder.parent))
    except OSError as fault:
        raise _not_written(folder, fault) from fault
    try:
        save(building)
        if (building / FILE).exists():
            raise ArtefactError(f"A model must not bring a file {FILE} of its own.")
        content = {
            "kind": kind,
            "format": FORMAT,
            # As it will be read: a tuple is a list by then.
            "told": json.loads(json.dumps(dict(told), ensure_ascii=False, allow_nan=False)),
            "files": _hashes(building),
        }
        whole = {**content, "sha256": content_hash(content)}
        text = json.dumps(whole, ensure_ascii=False, indent=1, sort_keys=True)
        (building / FILE).write_text(text + "\n", encoding="utf-8")
        _flush(building)
        # mkdtemp makes it private; others of the same installation (web, workers) read it too.
        building.chmod(0o755)
        check_free(folder)
        building.rename(folder)  # over an empty folder too; another's artefact makes it fail
    except OSError as fault:
        raise _not_written(folder, fault) from fault
    finally:
        shutil.rmtree(building, ignore_errors=True)
    return read_artefact(folder, kind)


def read_artefact(folder: Path, kind: str) -> Artefact:
    """Return the artefact of a folder after checking that it is whole and unchanged.

    Every file is read once for its hash. Raises ArtefactError when the folder has none, one of
    another kind or format, or one of which any file was changed, lost or added.
    """
    folder = Path(folder)
    content = _content(folder)
    if content["format"] != FORMAT:
        raise ArtefactError(
            f"The artefact in {folder} has the format {content['format']!r}; this version of the "
            f"program reads format {FORMAT}. Train it again, or use the version that wrote it."
        )
    if content["kind"] != kind:
        raise ArtefactError(
            f"The artefact in {folder} is of the kind “{content['kind']}”, not “{kind}”. "
            "Give the folder of the right one."
        )
    claimed = content.pop("sha256")
    found = _hashes(folder)
    listed = content["files"]
    if changed := sorted(name for name in {*listed, *found} if listed.get(name) != found.get(name)):
        raise ArtefactError(
            f"The artefact in {folder} is not what was written: "
            f"{_fault(changed[0], listed, found)}. "
            "Copy it again from where it was trained, or train it again."
        )
    if claimed != content_hash(content):
        raise ArtefactError(
            f"{folder / FILE} was changed after it was written. Copy it again from where it was "
            "trained, or train it again."
        )
    return Artefact(folder, content["told"], claimed, listed)


def _content(folder: Path) -> dict[str, Any]:
    """Return artefact.json with all of its fields, of the right types."""
    path = folder / FILE
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as fault:
        raise ArtefactError(
            f"There is no trained artefact in {folder}: its {FILE} cannot be read. "
            "Give the folder that a training command wrote."
        ) from fault
    except ValueError as fault:
        raise ArtefactError(f"{path} is no JSON: {fault}.") from fault
    types = {"kind": str, "format": int, "told": dict, "files": dict, "sha256": str}
    if (
        not isinstance(content, dict)
        or content.keys() != types.keys()
        or not all(isinstance(content[name], wanted) for name, wanted in types.items())
    ):
        raise ArtefactError(
            f"{path} is not the record of an artefact: it must have {', '.join(sorted(types))}, "
            "and nothing else."
        )
    return content


def _hashes(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of every file under a folder, but for the record itself, by its name."""
    hashes = {}
    for path in sorted(p for p in folder.rglob("*") if p.is_file() and p != folder / FILE):
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        hashes[path.relative_to(folder).as_posix()] = digest
    return hashes


def _fault(name: str, listed: Mapping[str, str], found: Mapping[str, str]) -> str:
    if name not in found:
        return f"the file {name} is missing"
    return f"the file {name} was {'changed' if name in listed else 'added'}"


def _not_written(folder: Path, fault: OSError) -> ArtefactError:
    return ArtefactError(f"The artefact cannot be written to {folder}: {fault.strerror}.")


def _flush(folder: Path) -> None:
    """Put everything on disk, so that a crash cannot leave a short file under the final name."""
    for path in [*folder.rglob("*"), folder]:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
