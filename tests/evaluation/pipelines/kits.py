"""Kits for pipelines: a search and a reader that do as the test says. For tests only."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from evaluation.generation.client import ChatClient
from evaluation.pipelines.base import Entry, Kit, TokenModel
from evaluation.readers.base import Passage, Reader
from evaluation.records import Answer, Document, Hit, RequestText
from evaluation.rewriters import build_rewriter
from tests.evaluation.generation.fake_endpoint import FakeEndpoint, Reply, fake_endpoint, says

DOCUMENTS = (
    Document("d1", "Harbor Rail", "Harbor Rail rose by 4 %."),
    Document("d2", "Sea plc", "Sea plc owns Harbor Rail."),
    Document("d3", "Ferries", "Ferries were flat."),
)
QUESTION = "Who owns Harbor Rail?"


def entry(shown: str = QUESTION, searched: str | None = None) -> Entry:
    return Entry(RequestText("r1", shown), shown, shown if searched is None else searched)


class Search:
    """Finds the same passages whatever is asked, and keeps the queries."""

    def __init__(self, scores: Sequence[float] = (2.0, 1.0, 0.5)) -> None:
        self.scores = scores
        self.asked: list[tuple[str, ...]] = []

    def __call__(self, queries: Sequence[str], k: int) -> list[Passage]:
        self.asked.append(tuple(queries))
        found = zip(DOCUMENTS, self.scores, strict=False)
        hits = [(Hit(d.id, rank, score), d) for rank, (d, score) in enumerate(found, start=1)]
        return hits[:k]


class Listening(Reader):
    """A reader that answers from a script and keeps what it was asked."""

    name, version = "listening", "1"

    def __init__(self, *answers: Answer | str | None) -> None:
        self.answers = [a if isinstance(a, Answer) else Answer(a) for a in answers]
        self.questions: list[str] = []
        self.passages: list[Sequence[Passage]] = []

    def describe(self) -> dict[str, Any]:
        return {"name": self.name}

    def read(self, question: str, passages: Sequence[Passage]) -> Answer:
        self.questions.append(question)
        self.passages.append(passages)
        return self.answers.pop(0)


def kit(
    *,
    search: Callable[[Sequence[str], int], list[Passage]] | None = None,
    reader: Reader | None = None,
    generator: ChatClient | None = None,
    tokens: TokenModel | None = None,
    k: int = 3,
) -> Kit:
    def rewriter(name: str, parameters: Mapping[str, Any]) -> Any:
        return build_rewriter(name, parameters, generator=generator)

    return Kit(
        k=k,
        search=search or Search(),
        reader=reader or Listening("Sea plc"),
        rewriter=rewriter,
        generator=generator,
        tokens=tokens,
    )


@contextmanager
def model_says(*script: Reply | str) -> Iterator[tuple[ChatClient, FakeEndpoint]]:
    """A client of an endpoint with a script; all of it must be used."""
    replies = [says(reply) if isinstance(reply, str) else reply for reply in script]
    with fake_endpoint(*replies) as endpoint:
        yield ChatClient(endpoint.base_url, "", "fake", pause=lambda _: None), endpoint
        assert endpoint.script == []


def said_to(endpoint: FakeEndpoint) -> list[str]:
    """The last message of each call."""
    return [body["messages"][-1]["content"] for _path, _headers, body in endpoint.requests]
