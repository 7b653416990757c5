"""Packed files: a .gz or .zip around one file, and folders packed as .zip or .tar.gz.

Everything is unpacked in memory, while it is read, up to a size and a ratio; no name of a member is
ever a path here. No Django here.
"""

import gzip
import io
import re
import struct
import tarfile
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO

from annotation.importing.rows import MAX_BYTES
from annotation.importing.showing import quoted

MAX_MEMBERS = 1_000
MAX_FOLDER = 4 * MAX_BYTES  # bytes of all members of a folder, unpacked
MAX_RATIO = 200
_RATIO_MATTERS = 1 << 20  # below a megabyte no ratio does harm
_MAX_DIRECTORY = 1 << 20  # bytes of a zip's list of members
_CHUNK = 1 << 16
_READS_BEYOND = 16  # reads past its end that a cut-off archive needs at most

_GZIP, _ZIP = b"\x1f\x8b", b"PK\x03\x04"
_PACKED = (_GZIP, _ZIP, b"PK\x05\x06", b"BZh", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd", b"7z\xbc\xaf",
           b"Rar!\x1a\x07")  # fmt: skip
_OFFICE = (b"[Content_Types].xml", b"mimetypeapplication/vnd.oasis")
_DEVICE = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
_LITTER = re.compile(r"(^|/)(__MACOSX/|\.DS_Store$|\._)")
_END_OF_ZIP = struct.Struct("<4s4H2LH")
_ZIP64_LOCATOR = b"PK\x06\x07"
_ZIP64_LOCATOR_SIZE = 20


class ArchiveFault(ValueError):
    """Why a packed file is not taken; `str()` is a sentence."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def is_packed(data: bytes) -> bool:
    """Whether the content is a gzip or zip file; Office documents are zip files of another kind."""
    if data.startswith(_ZIP):
        return not any(mark in data[:4096] for mark in _OFFICE)
    return data.startswith(_GZIP)


def single(filename: str, data: bytes) -> tuple[str, bytes]:
    """Return name and content of the one file inside; a file that is not packed is given back.

    Raises ArchiveFault.
    """
    if not is_packed(data):
        return filename, data
    if data.startswith(_GZIP):
        name = re.sub(r"\.gz$", "", filename, flags=re.IGNORECASE) or filename
        inner = _gunzipped(data)
    else:
        members = _zip_members(data, MAX_BYTES)
        if len(members) != 1:
            raise ArchiveFault(
                "not_one_file",
                f"the archive holds {len(members):,} files: pack exactly one, "
                "or choose a kind of file that is a folder.",
            )
        ((name, inner),) = members.items()
    if inner.startswith(_PACKED) or inner[257:262] == b"ustar":
        raise ArchiveFault("nested", "the archive holds another archive: pack the file itself.")
    return name, inner


def folder(data: bytes) -> dict[str, bytes]:
    """Return the files of a packed folder by their paths inside it, without the folder that holds
    them all. Raises ArchiveFault.
    """
    if data.startswith(_GZIP):
        members = _tar_members(data)
    elif data.startswith(_ZIP):
        members = _zip_members(data, MAX_FOLDER)
    else:
        raise ArchiveFault("not_an_archive", "pack the folder as .zip or .tar.gz.")
    return _without_top(members)


def _without_top(members: dict[str, bytes]) -> dict[str, bytes]:
    tops = {name.partition("/")[0] for name in members}
    if len(tops) == 1 and all("/" in name for name in members):
        return {name.partition("/")[2]: data for name, data in members.items()}
    return members


def _gunzipped(data: bytes) -> bytes:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
            return b"".join(_capped(stream, len(data), MAX_BYTES))
    except (OSError, EOFError, zlib.error) as fault:
        raise ArchiveFault("corrupt", "the gzip file is corrupt or cut off.") from fault


def _capped(stream: IO[bytes] | gzip.GzipFile, packed: int, most: int) -> Iterator[bytes]:
    """The content in pieces, until it is larger than any honest file of that packed size."""
    size = 0
    while piece := stream.read(_CHUNK):
        size += len(piece)
        _check_size(size, packed, most)
        yield piece


def _check_size(size: int, packed: int, most: int) -> None:
    if size > most:
        raise ArchiveFault("too_large", f"unpacked it is over {most // 2**20} MiB: split it.")
    if size > max(_RATIO_MATTERS, packed * MAX_RATIO):
        raise ArchiveFault(
            "ratio",
            f"it unpacks to over {MAX_RATIO} times its size, as no file of rows does: "
            "unpack it first and import the file inside.",
        )


# ---------------------------------------------------------------- zip


def _zip_members(data: bytes, most: int) -> dict[str, bytes]:
    _check_directory(data)
    members: dict[str, bytes] = {}
    names = _Names()
    size = 0
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for info in archive.infolist():
                names.check(info.orig_filename)
                if info.is_dir() or _LITTER.search(info.filename):
                    continue
                _check_zip_member(info)
                with archive.open(info) as stream:
                    inner = b"".join(_capped(stream, len(data), MAX_BYTES))
                size += len(inner)
                _check_size(size, len(data), most)
                members[info.filename] = inner
    except NotImplementedError as fault:
        raise ArchiveFault("not_read", "the zip file is packed in a rare way: use deflate.") from (
            fault
        )
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError) as fault:
        if isinstance(fault, ArchiveFault):
            raise
        raise ArchiveFault("corrupt", "the zip file is corrupt or cut off.") from fault
    return members


def _check_directory(data: bytes) -> None:
    """Read how many members a zip file says it has, before anything makes a list of them."""
    at = data.rfind(b"PK\x05\x06", max(0, len(data) - 65_557))
    if at < 0 or len(data) < at + _END_OF_ZIP.size:
        raise ArchiveFault("corrupt", "the zip file is corrupt or cut off.")
    # Its own numbers would hold instead of those below. No file that is small enough needs it.
    locator = max(0, at - _ZIP64_LOCATOR_SIZE)
    if data.startswith(_ZIP64_LOCATOR, locator):
        raise ArchiveFault(
            "not_read", "the zip file is written as zip64, for huge files: pack it as a plain zip."
        )
    *_, count, size, _offset, _comment = _END_OF_ZIP.unpack_from(data, at)
    if count > MAX_MEMBERS or size > _MAX_DIRECTORY:
        raise ArchiveFault(
            "too_many_members", f"the archive holds over {MAX_MEMBERS:,} files: pack fewer."
        )


def _check_zip_member(info: zipfile.ZipInfo) -> None:
    if info.flag_bits & 0x1:
        raise ArchiveFault("encrypted", "the zip file is encrypted: pack it without a password.")
    kind = (info.external_attr >> 16) & 0o170000
    if kind not in (0, 0o100000):
        raise ArchiveFault(
            "bad_member", f"{quoted(info.filename)} is a link or a device: pack plain files only."
        )


# ---------------------------------------------------------------- tar


class _CappedStream(io.RawIOBase):
    """A gzip stream that stops where no honest folder would go on."""

    def __init__(self, data: bytes) -> None:
        self._stream = gzip.GzipFile(fileobj=io.BytesIO(data))
        self._packed, self._size, self._beyond = len(data), 0, 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        piece = self._stream.read(_CHUNK if size < 0 else size)
        self._size += len(piece)
        _check_size(self._size, self._packed, MAX_FOLDER)
        self._beyond += not piece
        if self._beyond > _READS_BEYOND:  # tarfile skips a petabyte that a header names, so slowly
            raise EOFError
        return piece


# The last four are what tarfile lets through of headers that lie: about numbers, or of headers of
# headers without end.
_TAR_FAULTS = (
    tarfile.TarError, OSError, EOFError, zlib.error,
    RecursionError, ValueError, struct.error, OverflowError,
)  # fmt: skip


def _tar_members(data: bytes) -> dict[str, bytes]:
    members: dict[str, bytes] = {}
    names = _Names()
    try:
        with tarfile.open(fileobj=_CappedStream(data), mode="r|") as archive:
            for info in archive:
                names.check(info.name + ("/" if info.isdir() else ""))
                if info.isdir() or _LITTER.search(info.name):
                    continue
                if not info.isreg():
                    raise ArchiveFault(
                        "bad_member",
                        f"{quoted(info.name)} is a link or a device: pack plain files only.",
                    )
                if info.size > MAX_BYTES:
                    _check_size(info.size, len(data), MAX_BYTES)
                stream = archive.extractfile(info)
                members[info.name.removeprefix("./")] = stream.read() if stream else b""
    except ArchiveFault:
        raise
    except _TAR_FAULTS as fault:
        raise ArchiveFault(
            "corrupt", "this is no .tar.gz of a folder, or it is corrupt or cut off."
        ) from fault
    return members


class _Names:
    """The names of an archive's members: few, plain, inside it, and none twice."""

    def __init__(self) -> None:
        self._seen: set[str] = set()

    def check(self, name: str) -> None:
        parts = re.split(r"[/\\]", name.removeprefix("./").rstrip("/"))
        if "\x00" in name or name.startswith(("/", "\\")) or re.match("[A-Za-z]:", name):
            raise ArchiveFault("bad_member", f"the archive holds an absolute path {quoted(name)}.")
        if ".." in parts or "" in parts:
            raise ArchiveFault("bad_member", f"the archive holds a path outside it {quoted(name)}.")
        if any(_DEVICE.fullmatch(part) for part in parts):
            raise ArchiveFault("bad_member", f"{quoted(name)} is the name of a device: rename it.")
        folded = unicodedata.normalize("NFC", "/".join(parts)).casefold()
        if folded in self._seen:
            raise ArchiveFault("bad_member", f"the archive holds {quoted(name)} twice.")
        self._seen.add(folded)
        if len(self._seen) > MAX_MEMBERS:
            raise ArchiveFault(
                "too_many_members", f"the archive holds over {MAX_MEMBERS:,} files: pack fewer."
            )
