"""One file (or packed folder) on its way in: its bytes, how it is to be read, and who watches. No
Django here.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256

from annotation.importing import archives
from annotation.importing.mapping import Reading
from annotation.importing.problems import Problems
from annotation.importing.reading import lines_of, stream_rows
from annotation.importing.rows import Row, Shape

WATCHED_EVERY = 500

Watch = Callable[[int], None]


def nobody(_rows: int) -> None:
    """Nobody watches."""


@dataclass
class Source:
    """What is read. `members` are the files of a folder by their paths; a single file has none.

    `watch` is told every few hundred rows how many were read, and may stop the import by raising.
    `options` are what a kind of file asks beside the rows.
    """

    filename: str
    data: bytes = b""
    members: Mapping[str, bytes] | None = None
    reading: Reading = field(default_factory=Reading)
    options: Mapping[str, str] = field(default_factory=dict)
    watch: Watch = nobody
    count: int = 0

    def unpack(self, *, folder: bool) -> None:
        """Replace a packed file by what is in it. Raises archives.ArchiveFault."""
        if folder and self.members is None:
            self.members, self.data = archives.folder(self.data), b""
        elif not folder:
            self.filename, self.data = archives.single(self.filename, self.data)

    def sha256(self, shape: Shape) -> str:
        """The identity of what is imported: content, and what the person said of it if that
        changes what is read.
        """
        if self.members is not None:
            digest = sha256()
            for name in sorted(self.members):
                digest.update(f"{name}\0{sha256(self.members[name]).hexdigest()}\n".encode())
        else:
            digest = sha256(self.data)
        said = self.reading.identity(shape)
        chosen = [f"{k}={v}" for k, v in sorted(self.options.items()) if v]
        if said or chosen:
            return sha256("\n".join([digest.hexdigest(), said, *chosen]).encode()).hexdigest()
        return digest.hexdigest()

    def rows(self, problems: Problems, shape: Shape) -> Iterator[Row]:
        """The rows of a single file, counted and watched."""
        found = stream_rows(self.data, self.filename, problems, shape, self.reading)
        return self.watched(found)

    def watched(self, rows: Iterable[Row]) -> Iterator[Row]:
        for row in rows:
            self.count += 1
            if self.count % WATCHED_EVERY == 0:
                self.watch(self.count)
            yield row

    def lines(self) -> int:
        """How many lines there are that are not blank: about as many as rows."""
        parts = self.members.values() if self.members is not None else (self.data,)
        return sum(1 for part in parts for line in lines_of(part) if line.strip())
