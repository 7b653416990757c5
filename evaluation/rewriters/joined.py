"""The permitted conversation and the current text, joined into one query."""

from dataclasses import dataclass
from typing import Literal

from evaluation.records import RequestText, Rewrite
from evaluation.rewriters.base import Rewriter, register


@dataclass(frozen=True, slots=True)
class JoinedParameters:
    """What is joined.

    `speakers`: whose turns.
    `last`: only that many of the latest of them; 0 is all.
    """

    speakers: Literal["all", "user"] = "all"
    last: int = 0

    def __post_init__(self) -> None:
        if self.last < 0:
            raise ValueError(f"last must be 0 (all turns) or more, not {self.last}.")


@register("joined", version="1")
class JoinedRewriter(Rewriter):
    """The earlier turns and the request in one query: loses nothing, may drown the question.

    Turns stand oldest first, the request last. Without earlier turns it is "unchanged".

    Source: our own; the usual baseline of conversational search.
    """

    Parameters = JoinedParameters
    parameters: JoinedParameters

    def write(self, request: RequestText) -> Rewrite:
        turns = [
            turn.text
            for turn in request.turns
            if self.parameters.speakers == "all" or turn.role == "user"
        ]
        turns = turns[-self.parameters.last :] if self.parameters.last else turns
        query = " ".join(" ".join([*turns, request.text]).split())
        return Rewrite(kind="expansion" if turns else "unchanged", queries=(query,))
