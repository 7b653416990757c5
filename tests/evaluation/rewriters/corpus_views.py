"""A corpus as rewriters see it, of a few documents in memory."""

from collections import Counter
from collections.abc import Mapping

from evaluation.records import Document
from evaluation.retrieval.tokens import tokenize

HARBOR = (
    Document("d1", "Harbor Rail", "Harbor Rail rose by 4 % in 2022, said Pnina Zyx."),
    Document("d2", "Ferries", "The ferry timetable of Norrby rose."),
)


class ListView:
    """Finds the first documents, whatever is asked, and keeps what was asked."""

    def __init__(self, *documents: Document) -> None:
        self.documents = documents or HARBOR
        self.asked: list[tuple[str, int]] = []

    def search(self, query: str, k: int) -> list[Document]:
        self.asked.append((query, k))
        return list(self.documents[:k])

    def words(self) -> Mapping[str, int]:
        return Counter(w for d in self.documents for w in tokenize(f"{d.title}\n{d.text}"))
