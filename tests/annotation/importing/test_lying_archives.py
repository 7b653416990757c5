"""Archives whose headers lie: refused with a sentence, at once, and never a fault of ours."""

import gzip
import io
import struct
import tarfile
import zipfile
from typing import Any

import pytest

from annotation.importing import archives
from annotation.importing.archives import ArchiveFault

PAX_BODY = b"11 path=ab\n"


def header(name: str, kind: bytes, size: int = 0) -> bytes:
    info = tarfile.TarInfo(name)
    info.type, info.size = kind, size
    return info.tobuf(tarfile.GNU_FORMAT)  # which writes sizes of any length


def pax_headers(count: int) -> bytes:
    """So many headers that each speak of the next one, and one empty file."""
    one = header("x", tarfile.XHDTYPE, len(PAX_BODY)) + PAX_BODY.ljust(512, b"\0")
    return one * count + header("a/corpus.jsonl", tarfile.REGTYPE) + b"\0" * 1024


def pax(record: bytes) -> bytes:
    """One pax header before an empty file."""
    before = header("x", tarfile.XHDTYPE, len(record)) + record.ljust(512, b"\0")
    return before + header("a", tarfile.REGTYPE) + b"\0" * 1024


TARS = [
    pytest.param(pax_headers(5_000), id="headers-of-headers-without-end"),
    pytest.param(pax(b"22 GNU.sparse.map=0,x\n"), id="a-map-of-no-numbers"),
    pytest.param(pax(b"13 size=-512\n"), id="a-negative-size"),
    pytest.param(header("._a", tarfile.REGTYPE, 1 << 62) + b"\0" * 1024, id="exabytes-of-litter"),
]


@pytest.mark.parametrize("data", TARS)
def test_a_tar_whose_headers_lie_is_corrupt(data: bytes) -> None:
    with pytest.raises(ArchiveFault, match="corrupt or cut off") as refused:
        archives.folder(gzip.compress(data))
    assert refused.value.code == "corrupt"


def test_a_few_pax_headers_are_read() -> None:
    assert list(archives.folder(gzip.compress(pax_headers(1)))) == ["ab"]


def zip64(said: int, members: int) -> bytes:
    """A zip whose plain end record says that it has `said` members, and whose zip64 one has all
    (APPNOTE.TXT 4.3.14 to 4.3.16).
    """
    entry = struct.pack("<4s4B4HL2L5H2L", b"PK\1\2", 20, 3, 20, *[0] * 8, 1, *[0] * 6) + b"a"
    directory, start = entry * members, b"PK\3\4" + b"\0" * 26
    numbers = (members, members, len(directory), len(start))
    end64 = struct.pack("<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, *numbers)
    locator = struct.pack("<4sLQL", b"PK\6\7", 0, len(start) + len(directory), 1)
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, said, said, 100, 30, 0)
    return start + directory + end64 + locator + end


def test_a_zip64_is_refused_before_its_members_are_listed(monkeypatch: Any) -> None:
    monkeypatch.setattr(zipfile, "ZipFile", None)  # whoever lists them fails
    with pytest.raises(ArchiveFault, match="plain zip") as refused:
        archives.folder(zip64(1, 2_000))
    assert refused.value.code == "not_read"


def test_a_zip_with_a_comment_is_read() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        packed.writestr("a.txt", b"words")
        packed.comment = b"made by hand"
    assert archives.folder(out.getvalue()) == {"a.txt": b"words"}
