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


class InvalidCompletion(EndpointError):
    """Status 200, but no completion in it: a page, cut JSON, another shape, or too large."""


class EmptyCompletion(EndpointError):
    """A completion without choices, or without text."""


class TruncatedCompletion(EndpointError):
    """A completion that was cut at the token limit."""
