"""What a file is by its content, whatever its name says. Only JSON Lines and CSV are read."""

import re

ACCEPTED = "Accepted are JSON Lines (.jsonl, one object {…} on each line) and CSV (.csv), in UTF-8."
_UNPACK = "unpack it first and import the file inside"
_SAVE = "save its rows as CSV in UTF-8 first"

# First bytes, what they are the first bytes of, and what to do.
_SIGNATURES: tuple[tuple[bytes, str, str], ...] = (
    (b"\x1f\x8b", "a gzip archive", _UNPACK),
    (b"PK\x03\x04", "a zip archive", _UNPACK),
    (b"PK\x05\x06", "an empty zip archive", _UNPACK),
    (b"PK\x07\x08", "a part of a zip archive", _UNPACK),
    (b"BZh", "a bzip2 archive", _UNPACK),
    (b"\xfd7zXZ\x00", "an xz archive", _UNPACK),
    (b"\x28\xb5\x2f\xfd", "a zstd archive", _UNPACK),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", _UNPACK),
    (b"Rar!\x1a\x07", "a rar archive", _UNPACK),
    (b"%PDF-", "a PDF", "export the data behind it"),
    (b"\x89PNG\r\n\x1a\n", "a PNG picture", "export the data behind it"),
    (b"\xff\xd8\xff", "a JPEG picture", "export the data behind it"),
    (b"GIF8", "a GIF picture", "export the data behind it"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document", _SAVE),
    (b"PAR1", "a Parquet file", "write its rows as JSON Lines first"),
    (b"SQLite format 3\x00", "an SQLite database", "write its rows as JSON Lines first"),
)
_OFFICE = (b"[Content_Types].xml", b"mimetypeapplication/vnd.oasis")
_YAML = re.compile(r"---(\s|$)|%YAML|(- )?[\w.-]+:(\s|$)|- \S")
_QRELS_HEADER = re.compile(r"query[-_ ]?id\tcorpus[-_ ]?id", re.IGNORECASE)


def foreign_content(
    data: bytes, *, as_csv: bool, encoding: str = "utf-8"
) -> tuple[str, str] | None:
    """Return (code, sentence) when the content is none of what is read, or None. In an encoding
    that the person chose, only the first bytes tell.
    """
    head = data[:4096]
    for signature, what, remedy in _SIGNATURES:
        if head.startswith(signature):
            if what == "a zip archive" and any(mark in head for mark in _OFFICE):
                what, remedy = "an Office document (such as .xlsx)", _SAVE
            return "not_read", f"this is {what}: {remedy}. {ACCEPTED}"
    if head[257:262] == b"ustar":
        return "not_read", f"this is a tar archive: {_UNPACK}. {ACCEPTED}"
    if encoding != "utf-8":
        return None
    return _wide_encoding(head) or _foreign_text(head, as_csv)


def _wide_encoding(head: bytes) -> tuple[str, str] | None:
    """UTF-16 and UTF-32, by their mark or by a NUL in every second byte of the first letters."""
    name = ""
    if head.startswith((b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff")):
        name = "UTF-32"
    elif head.startswith((b"\xff\xfe", b"\xfe\xff")):
        name = "UTF-16"
    elif len(head) >= 8 and (not any(head[0:8:2]) or not any(head[1:8:2])):
        name = "UTF-16 or UTF-32" if any(head[:8]) else ""
    if not name:
        return None
    return "encoding", f"the file is {name}: save it as UTF-8, or choose its encoding if offered."


def _foreign_text(head: bytes, as_csv: bool) -> tuple[str, str] | None:
    text = head.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace").lstrip()
    line = re.split("[\r\n]", text, maxsplit=1)[0]
    words = line.split()
    if re.match(r"<[?!A-Za-z]", line):
        return "not_read", f"this is XML or HTML, which is not read. {ACCEPTED}"
    if len(words) > 2 and words[1].upper() == "Q0":
        return "not_read", (
            "this is a TREC run: import it as a logged run of an arm, in the form TREC run "
            "(on the command line: import_run PROJECT FILE --arm NAME --format trec)."
        )
    if _QRELS_HEADER.match(line) or _is_qrel(words):
        return "not_read", (
            "these are relevance judgements (qrels), which are not read alone: import the whole "
            "BEIR folder, or give the documents of each request as “evidence” in requests.jsonl."
        )
    if _YAML.match(line):
        return "not_read", f"this looks like YAML, which is not read. {ACCEPTED}"
    if as_csv and line.startswith(("{", "[")):
        return "not_csv", "the file is named .csv but holds JSON: name it .jsonl."
    if not as_csv and re.match(r'"?_?[A-Za-z]+"?(,"?\w+"?)+\s*$', line):
        return "not_jsonl", "the file looks like CSV: name it .csv."
    return None


def _is_qrel(words: list[str]) -> bool:
    """A line of TREC's relevance judgements: query, 0, document, grade."""
    return len(words) == 4 and words[1] == "0" and bool(re.fullmatch(r"-?\d", words[3], re.ASCII))
