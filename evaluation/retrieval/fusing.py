"""What the retrievers `rrf` and `hybrid` share: other retrievers asked for every query, then fused.

Filters decide before anything is ranked, in every list alike.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from evaluation.records import Hit
from evaluation.retrieval.base import LocalRetriever, Retriever
from evaluation.retrieval.fusion import CONSTANT, Ranking, fuse
from evaluation.retrieval.store import CorpusSource


@dataclass(frozen=True, slots=True)
class FusionParameters:
    """How lists are fused, and of which queries.

    `constant`: what is added to each rank; the larger, the less the first places count. The paper
    took 60.
    `depth`: how far down each list is read, and never less than the run's k.
    `include_original`: search the request as the original arm sends it as well.
    """

    constant: int = CONSTANT
    depth: int = 100
    include_original: bool = True

    def __post_init__(self) -> None:
        if self.constant < 1:
            raise ValueError(f"constant must be at least 1, not {self.constant}.")
        if not 1 <= self.depth <= 10_000:
            raise ValueError(f"depth must be from 1 to 10000, not {self.depth}.")


class FusingRetriever(Retriever):
    """Reciprocal rank fusion over the lists of `inner` retrievers; subclasses say which."""

    parameters: FusionParameters

    def __init__(self, parameters: FusionParameters, source: CorpusSource) -> None:
        super().__init__(parameters, source)
        self.inner = self._build(source)
        self.table = self.inner[0][0].table

    @abstractmethod
    def _build(self, source: CorpusSource) -> list[tuple[LocalRetriever, float]]:
        """Return the retrievers to ask, each with its weight."""

    def searched(self, queries: Sequence[str], original: str) -> tuple[str, ...]:
        wanted = self.parameters.include_original and original.strip()
        known = {" ".join(query.split()) for query in queries}
        if not wanted or " ".join(original.split()) in known:
            return tuple(queries)
        return (*queries, original)

    def search(
        self, queries: Sequence[str], *, k: int, filters: Mapping[str, Any] | None = None
    ) -> list[Hit]:
        """Rank every query by every inner retriever and fuse; `Hit.score` is the fused score."""
        depth = self.table.depth(k, at_least=self.parameters.depth)
        allowed = self.table.allowed(filters)
        if depth == 0:
            return []
        rankings = [
            Ranking(
                [at for at, _score in retriever.rank(query, depth, allowed)],
                number,
                weight,
                retriever.name,
            )
            for number, query in enumerate(queries)
            for retriever, weight in self.inner
        ]
        fused = fuse(rankings, k=k, constant=self.parameters.constant)
        return [
            Hit(self.table.ids[one.position], rank, one.score, one.query, one.found)
            for rank, one in enumerate(fused, start=1)
        ]

    def libraries(self) -> dict[str, str]:
        return {
            name: version
            for retriever, _weight in self.inner
            for name, version in retriever.libraries().items()
        }

    def model(self) -> Mapping[str, Any] | None:
        models = (retriever.model() for retriever, _weight in self.inner)
        return next((model for model in models if model is not None), None)

    def describe(self) -> dict[str, Any]:
        parts = {retriever.name: retriever.describe() for retriever, _weight in self.inner}
        kept = ("version", "parameters")
        return {
            **super().describe(),
            "merge": "reciprocal rank fusion",
            "lists": {name: {key: part[key] for key in kept} for name, part in parts.items()},
            "corpus": self.source.sha256,
        }


def chosen(parameters: Any, wanted: type[Any]) -> Any:
    """Return the parameters of an inner retriever out of those of the one that asks it; what that
    one does not set keeps its default.
    """
    known = [field.name for field in fields(wanted) if hasattr(parameters, field.name)]
    return wanted(**{name: getattr(parameters, name) for name in known})
