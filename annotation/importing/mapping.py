"""How a file is to be read, as the person said: its form, encoding, delimiter, and which of its
columns is which. Nothing of it is guessed here. No Django here.
"""

import codecs
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotation.canonical import content_hash
from annotation.importing.problems import Problems
from annotation.importing.rows import Shape
from annotation.importing.showing import quoted

FORMATS = ("jsonl", "csv", "trec")
TREC_COLUMNS = ("query", "Q0", "document", "rank", "score", "tag")
ENCODINGS = {
    "utf-8": "UTF-8",
    "cp1252": "Windows-1252",
    "latin-1": "Latin-1 (ISO 8859-1)",
    "utf-16": "UTF-16 (with its mark)",
    "utf-16-le": "UTF-16 little-endian",
    "utf-16-be": "UTF-16 big-endian",
}
DELIMITERS = (",", ";", "\t", "|")
_CHUNK = 1 << 20
_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

Fault = tuple[str, str, str]


@dataclass(frozen=True)
class Reading:
    """What the person said about a file. `columns` maps a column of the file to ours, or to ""
    where it is none of ours; a column that is not in it goes by its own name.
    """

    format: str = ""  # one of FORMATS; empty: as the file's name says
    encoding: str = "utf-8"
    delimiter: str = ","
    columns: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def from_json(cls, given: Mapping[str, Any]) -> "Reading":
        """Read what `to_json` wrote; raises ValueError with a sentence for anything else."""
        if not isinstance(given, Mapping):
            raise ValueError("say how the file is to be read as an object {…}.")
        read = cls(
            format=_text(given, "format", ""),
            encoding=_text(given, "encoding", "utf-8"),
            delimiter=_text(given, "delimiter", ","),
            columns=_object(given, "columns"),
        )
        _object(given, "options")  # read by whoever knows the kind of file
        if read.format not in ("", *FORMATS):
            raise ValueError(f"the form must be one of {', '.join(FORMATS)}.")
        if read.encoding not in ENCODINGS:
            raise ValueError(f"the encoding must be one of {', '.join(ENCODINGS)}.")
        if read.delimiter not in DELIMITERS:
            raise ValueError("the delimiter must be a comma, a semicolon, a tab or a bar.")
        if not all(
            isinstance(theirs, str) and isinstance(ours, str)
            for theirs, ours in read.columns.items()
        ):
            raise ValueError("columns must map a column of the file to one of ours.")
        return read

    def to_json(self) -> dict[str, Any]:
        return {
            "format": self.format,
            "encoding": self.encoding,
            "delimiter": self.delimiter,
            "columns": dict(self.columns),
        }

    def identity(self, shape: Shape) -> str:
        """Tell readings of the same bytes apart; empty for the plain one, as the file stands."""
        moved = {
            theirs: ours
            for theirs, ours in sorted(self.columns.items())
            if ours != theirs and (ours or theirs in shape.columns)
        }
        encoding = "" if self.encoding == "utf-8" else self.encoding
        return content_hash([encoding, moved]) if encoding or moved else ""

    @property
    def names(self) -> dict[str, str]:
        """How the file calls our columns."""
        return {ours: theirs for theirs, ours in self.columns.items() if ours}

    def applied(
        self, values: dict[str, Any], shape: Shape
    ) -> tuple[dict[str, Any], dict[str, Any], list[Fault]]:
        """Return a row's values under our names, those that are none of ours, and the faults."""
        if not self.columns:
            return values, {}, shape.faults(values) if shape.columns else []
        mapped: dict[str, Any] = {}
        others: dict[str, Any] = {}
        faults: list[Fault] = []
        for theirs, value in values.items():
            ours = self.columns.get(theirs, theirs)
            if not ours:
                others[theirs] = value
            elif ours in mapped:
                faults.append(_twice(theirs, ours))
            else:
                mapped[ours] = value
        if others and shape.columns and not shape.others:
            faults += [(name, *_unknown(name, shape)) for name in others]
        return mapped, others, faults + (shape.faults(mapped) if shape.columns else [])

    def header(
        self, header: Sequence[str], shape: Shape
    ) -> tuple[list[str], frozenset[str], list[Fault]]:
        """Return a CSV's header under our names, which of them are none of ours, and the faults."""
        if not self.columns:
            return list(header), frozenset(), []
        named = [self.columns.get(name, name) or name for name in header]
        others = frozenset(name for name in header if self.columns.get(name) == "")
        ours = [self.columns.get(name, name) for name in header]
        faults = [
            _twice(theirs, own)
            for n, (theirs, own) in enumerate(zip(header, ours, strict=True))
            if own and own in ours[:n] and theirs not in header[:n]
        ]
        if shape.columns and not shape.others:
            faults += [(name, *_unknown(name, shape)) for name in sorted(others)]
        return named, others, faults


def _text(given: Mapping[str, Any], name: str, default: str) -> str:
    """A text of what came as JSON; left out, null and "" stand for the default."""
    value = given.get(name)
    if value is None:
        return default
    if not isinstance(value, str):
        raise ValueError(f"{name} must be a text.")
    return value or default


def _object(given: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = given.get(name)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise ValueError(f"{name} must be an object {{…}}.")
    return value


def _twice(theirs: str, ours: str) -> Fault:
    sentence = f"{quoted(theirs)} would be read as “{ours}”, which another column is already."
    return theirs, "mapped_twice", sentence


def _unknown(name: str, shape: Shape) -> tuple[str, str]:
    return "unknown_column", (
        f"the column {quoted(name)} is none of this kind of file: remove it. "
        f"Allowed: {', '.join(shape.columns)}."
    )


def as_utf8(data: bytes, encoding: str, problems: Problems) -> bytes | None:
    """Return the text in UTF-8, or None after adding where a byte is not of the encoding."""
    if encoding == "utf-8":
        return data
    if encoding == "utf-16" and not data.startswith(_MARKS):
        problems.add(
            None,
            "",
            "encoding",
            "the file has no mark of UTF-16: choose little-endian or big-endian by name.",
        )
        return None
    decoder = codecs.getincrementaldecoder(encoding)("strict")
    out = io.BytesIO()
    try:
        for start in range(0, len(data), _CHUNK):
            part = data[start : start + _CHUNK]
            out.write(decoder.decode(part, final=start + _CHUNK >= len(data)).encode())
    except UnicodeDecodeError as fault:  # a byte that the encoding lacks, half a letter or pair
        before = fault.object[: fault.start].decode(encoding, "ignore")
        problems.add(
            out.getvalue().count(b"\n") + before.count("\n") + 1,
            "",
            "encoding",
            f"this row is not {ENCODINGS[encoding]}: choose another encoding, or save the file "
            "as UTF-8.",
        )
        return None
    _warn_of_utf8(data, encoding, problems)
    return out.getvalue()


def _warn_of_utf8(data: bytes, encoding: str, problems: Problems) -> None:
    """Bytes above 127 that happen to be sound UTF-8 hardly ever are anything else."""
    if encoding not in ("cp1252", "latin-1") or data.isascii():
        return
    try:
        data.decode()
    except UnicodeDecodeError:
        return
    problems.warn(
        None, "", "encoding", f"the file is sound UTF-8 and is read as {ENCODINGS[encoding]}."
    )
