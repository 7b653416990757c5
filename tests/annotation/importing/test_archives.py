"""D37–D39 for packed files: one file in .gz or .zip, and nothing else of an archive."""

import gzip
import io
import stat
import tarfile
import zipfile

import pytest

from annotation.importing import archives
from annotation.importing.archives import ArchiveFault
from annotation.models import Request
from tests.annotation.conftest import lines
from tests.annotation.importing.conftest import Refusal, TakeIn, csv, request

ROW = lines([request()])


def zipped(*members: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return out.getvalue()


def tarred(*members: tuple[tarfile.TarInfo, bytes]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for info, data in members:
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def mode(name: str, kind: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = (kind | 0o644) << 16
    return info


def stored(data: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("f", data)
    return out.getvalue()


def encrypted() -> bytes:
    """A zip whose only member says that it is encrypted, in both of its headers."""
    data = bytearray(zipped(("f.jsonl", ROW)))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    return bytes(data)


PACKED = [
    pytest.param(gzip.compress(ROW), "f.jsonl.gz", id="D37-gz"),
    pytest.param(gzip.compress(ROW), "f.jsonl", id="D38-gz-named-otherwise"),
    pytest.param(gzip.compress(csv("n1,fact,What was the profit?")), "f.csv.gz", id="D37-csv-gz"),
    pytest.param(zipped(("a/f.jsonl", ROW)), "f.zip", id="D37-zip"),
    pytest.param(zipped(("f.csv", csv("n1,fact,What was the profit?"))), "f.zip", id="D37-csv-zip"),
    pytest.param(
        zipped(("f.jsonl", ROW), ("__MACOSX/._f.jsonl", b"x"), (".DS_Store", b"x")),
        "f.zip",
        id="D37-what-a-desktop-adds",
    ),
]


@pytest.mark.parametrize("data, filename", PACKED)
def test_one_packed_file_is_read(data: bytes, filename: str, put_in: TakeIn) -> None:
    put_in("requests", data, filename)
    assert Request.objects.get().text == "What was the profit?"


def test_a_file_is_recognised_packed_and_unpacked(put_in: TakeIn) -> None:
    put_in("requests", ROW)
    assert put_in("requests", gzip.compress(ROW), "f.jsonl.gz").already_present


REFUSED = [
    pytest.param(zipped(("a", ROW), ("b", ROW)), "not_one_file", id="D37-two-files"),
    pytest.param(zipped(), "not_read", id="D20-no-file"),
    pytest.param(
        zipped(*((f"f{n}", b"") for n in range(1001))), "too_many_members", id="D37-1001-members"
    ),
    pytest.param(gzip.compress(gzip.compress(ROW)), "nested", id="D37-gz-in-gz"),
    pytest.param(gzip.compress(zipped(("f", ROW))), "nested", id="D37-zip-in-gz"),
    pytest.param(tarred((tarfile.TarInfo("f"), ROW)), "nested", id="D37-tar-gz"),
    pytest.param(gzip.compress(ROW)[:-9], "corrupt", id="D38-gz-cut-off"),
    pytest.param(b"\x1f\x8b" + b"x" * 50, "corrupt", id="D38-gz-by-its-first-bytes-only"),
    pytest.param(zipped(("f", ROW))[:-30], "corrupt", id="D38-zip-cut-off"),
    pytest.param(stored(b"xxx").replace(b"xxx", b"xyx"), "corrupt", id="D38-other-checksum"),
    pytest.param(encrypted(), "encrypted", id="D38-encrypted"),
    pytest.param(zipped(("/etc/x", ROW)), "bad_member", id="D39-absolute"),
    pytest.param(zipped(("C:\\x", ROW)), "bad_member", id="D39-drive"),
    pytest.param(zipped(("a\\..\\x", ROW)), "bad_member", id="D39-outside-backslash"),
    pytest.param(zipped(("a/CON.txt", ROW)), "bad_member", id="D39-device-name"),
    pytest.param(zipped(("f", ROW), ("F", ROW)), "bad_member", id="D39-twice-by-case"),
    pytest.param(zipped((mode("f", stat.S_IFLNK), b"/etc/passwd")), "bad_member", id="D39-link"),
    pytest.param(zipped((mode("f", stat.S_IFIFO), ROW)), "bad_member", id="D39-fifo"),
]


@pytest.mark.parametrize("data, code", REFUSED)
def test_an_archive_that_is_not_one_plain_file_is_refused(
    data: bytes, code: str, refusal: Refusal
) -> None:
    (found,) = refusal("requests", data, "f.zip")
    assert found.code == code


def member(name: str, kind: bytes = tarfile.REGTYPE, link: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, link
    return info


TARS = [
    pytest.param(tarred((member("../x"), b"")), "bad_member", id="D39-outside"),
    pytest.param(tarred((member("/x"), b"")), "bad_member", id="D39-absolute"),
    pytest.param(tarred((member("x", tarfile.SYMTYPE, "/etc"), b"")), "bad_member", id="D39-link"),
    pytest.param(tarred((member("x", tarfile.LNKTYPE, "y"), b"")), "bad_member", id="D39-hard"),
    pytest.param(tarred((member("x", tarfile.CHRTYPE), b"")), "bad_member", id="D39-device"),
    pytest.param(tarred((member("x"), b""), (member("./x"), b"")), "bad_member", id="D39-twice"),
    pytest.param(gzip.compress(b"no tar at all"), "corrupt", id="D38-gz-without-tar"),
    pytest.param(
        tarred((member("x"), b"0" * 20_000_000)), "ratio", id="D37-bomb"
    ),
    pytest.param(b"plain", "not_an_archive", id="D38-plain"),
]  # fmt: skip


@pytest.mark.parametrize("data, code", TARS)
def test_a_folder_that_harms_is_refused(data: bytes, code: str) -> None:
    with pytest.raises(ArchiveFault) as refused:
        archives.folder(data)
    assert refused.value.code == code


def test_d37_a_bomb_is_left_before_it_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only as many bytes are unpacked as the cap and one piece more."""
    sizes: list[int] = []
    real = archives._check_size
    monkeypatch.setattr(archives, "_check_size", lambda n, *rest: sizes.append(n) or real(n, *rest))
    with pytest.raises(ArchiveFault):
        archives.single("f.gz", gzip.compress(b"0" * 200_000_000))
    assert sizes[-1] < archives.MAX_BYTES
