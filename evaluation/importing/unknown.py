"""Ids of a file that the project does not have: refused, or left out and counted. No Django
here.
"""

from dataclasses import dataclass, field

from annotation.importing.problems import Problems

_LEFT_OUT = "They are left out."
# What stood below an unknown document stands higher without it than the pipeline had it.
_MOVED = (
    "They are left out; the hits below them keep their order and move up, so recall by "
    "depth may look better than it was."
)
_REFUSED = (
    "Import what is missing, or allow unknown ids (--allow-unknown): then they are left out and "
    "counted."
)


@dataclass
class Unknown:
    """What was met of it so far. `allowed`: the person said that it may be left out."""

    allowed: bool = False
    requests: int = 0
    hits: int = 0
    citations: int = 0
    documents: set[str] = field(default_factory=set)

    def hit(self, document: str) -> None:
        self.hits += 1
        self.documents.add(document)

    def tell(self, problems: Problems) -> None:
        """Say how much there was of each, and what became of it."""
        found = [
            (self.hits, f"Hits whose document the corpus does not have: {self.hits}, of "
             f"{len(self.documents)} unknown ids", _MOVED),
            (self.citations, f"Citations of such documents: {self.citations}", _LEFT_OUT),
            (self.requests, f"Rows whose request the project does not have: {self.requests}",
             _LEFT_OUT),
        ]  # fmt: skip
        for count, sentence, end in found:
            if count:
                problems.note(f"{sentence}. {end if self.allowed else _REFUSED}")
