"""Rewriters before a scripted model: what they sent, what they made of the reply."""

from typing import Any

from evaluation.generation.client import ChatClient
from evaluation.records import RequestText, Rewrite, Turn
from evaluation.rewriters import build_rewriter
from tests.evaluation.generation.fake_endpoint import Reply, fake_endpoint, says

REQUEST = RequestText(
    "r1", "And its {parent}?", (Turn("user", "Harbor\nRail?"), Turn("assistant", "Yes.")), "2024-06"
)
ALONE = RequestText("r2", "Who owns\nHarbor Rail?")
SPOKEN = "Today is 2024-06.\n\nThe conversation so far:\nuser: Harbor Rail?\nassistant: Yes.\n\n"


class Asked:
    """A rewriter and the bodies of the calls that it made."""

    def __init__(self, name: str, *script: Reply | str, **parameters: Any) -> None:
        self.name = name
        self.parameters = parameters
        self.script = [says(reply) if isinstance(reply, str) else reply for reply in script]
        self.calls: list[dict[str, Any]] = []

    def rewrite(self, request: RequestText = REQUEST) -> Rewrite:
        """Run it; it must use up the whole script."""
        with fake_endpoint(*self.script) as endpoint:
            client = ChatClient(endpoint.base_url, "", "fake", pause=lambda _: None)
            try:
                part = build_rewriter(self.name, self.parameters, generator=client)
                return part.rewrite(request)
            finally:
                self.calls = [body for _path, _headers, body in endpoint.requests]
                assert endpoint.script == []

    @property
    def said(self) -> list[str]:
        """The last message of each call."""
        return [call["messages"][-1]["content"] for call in self.calls]
