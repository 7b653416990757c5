"""What can go wrong between us and an endpoint. Every text is a sentence fit to be shown.

No text holds the key, or the body of a page that we did not expect.
"""


class EndpointError(Exception):
    """An endpoint gave no usable completion. The base of all the others."""


class EndpointUnreachable(EndpointError):
    """No connection: refused, unknown host, TLS failure, or closed before it answered."""


class EndpointTimeout(EndpointError):
    """No whole answer within the time of one attempt or of the whole call."""


class EndpointStatus(EndpointError):
    """The endpoint answered with an HTTP status other than success. `status` is its number."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class EndpointRateLimited(EndpointStatus):
    """Status 429 after all the retries that the deadline allowed."""


class EndpointQuotaSpent(EndpointRateLimited):
    """The account has nothing left (402, or 429 that says so): no waiting brings it back."""


class EndpointAway(EndpointError):
    """It failed so often in a row that it is not called for now. `what` is the sentence without
    when it is asked again, `again_in` that in seconds.
    """

    def __init__(self, what: str, *, again_in: float) -> None:
        super().__init__(what)
        self.what = what
        self.again_in = again_in

    def __str__(self) -> str:
        return f"{self.what} It is asked again in {max(1, round(self.again_in))} s."


class InvalidCompletion(EndpointError):
    """Status 200, but no completion in it: a page, cut JSON, another shape, or too large."""


class EmptyCompletion(EndpointError):
    """A completion without choices, or without text."""


class TruncatedCompletion(EndpointError):
    """A completion that was cut at the token limit."""


class OutboundError(EndpointError):
    """A service gave nothing usable. The text is a sentence without key, path or body.

    `kind` is one of "address", "key", "unreachable", "timeout", "redirect", "status", "too_large",
    "invalid"; `status` is the HTTP status of "redirect" and "status", else 0. `said` is the
    beginning of the body of a refusal: to be looked into, never to be shown. A run counts it as it
    counts a language model's failures: by status, never as a loss.
    """

    def __init__(self, sentence: str, *, kind: str, status: int = 0, said: bytes = b"") -> None:
        Exception.__init__(self, sentence)  # the kinds below have a second base
        self.kind = kind
        self.status = status
        self.said = said


class OutboundTimeout(OutboundError, EndpointTimeout):
    """No whole answer within the deadline."""


class OutboundRateLimited(OutboundError, EndpointRateLimited):
    """Status 429, or a pause that the service asks for and the deadline does not allow."""

    def __init__(self, sentence: str) -> None:
        OutboundError.__init__(self, sentence, kind="status", status=429)
