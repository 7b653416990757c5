"""No rewriting: the current text as it is. What every candidate is compared with."""

from evaluation.records import RequestText, Rewrite
from evaluation.rewriters.base import Rewriter, register


@register("unchanged", version="1")
class UnchangedRewriter(Rewriter):
    """Searches with the last turn, letter by letter, and nothing of the conversation.

    It is the original search that every candidate is compared with.

    Source: our own.
    """

    def write(self, request: RequestText) -> Rewrite:
        return Rewrite(kind="unchanged", queries=(request.text,))
