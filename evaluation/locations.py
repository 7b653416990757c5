"""The address of a service, taken apart strictly: what one parser reads and another reads otherwise
is refused. No Django, no traffic.
"""

from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import quote, urlsplit

from evaluation.addresses import literal

_PORTS = {"http": 80, "https": 443}
_UNREADABLE = "{whose} address cannot be read. Use the form https://host:port/path."


class LocationError(ValueError):
    """No plain http(s) address. The text is a sentence that repeats nothing of it."""


@dataclass(frozen=True, slots=True)
class Location:
    """Where a service is. `host` is lower-case ASCII without brackets, `target` begins with /."""

    scheme: str
    host: str
    port: int
    target: str

    @property
    def origin(self) -> str:
        """Scheme, host and port: how sentences name a service."""
        return f"{self.scheme}://{self._bracketed}:{self.port}"

    @property
    def host_header(self) -> str:
        """The host as HTTP wants it: with the port unless it is the scheme's own."""
        port = self.unusual_port
        return self._bracketed if port is None else f"{self._bracketed}:{port}"

    @property
    def unusual_port(self) -> int | None:
        """The port, unless it is the scheme's own."""
        return None if self.port == _PORTS[self.scheme] else self.port

    @property
    def _bracketed(self) -> str:
        return f"[{self.host}]" if ":" in self.host else self.host


@lru_cache(maxsize=256)
def locate(url: str, *, whose: str = "The service's", keys_in: str = "") -> Location:
    """Return where `url` leads; raise LocationError unless it is a plain http(s) address.

    `whose` begins the sentences, `keys_in` names the setting that a key belongs into.
    """
    try:
        parts = urlsplit(url)
        host, port = _plain_host(parts.hostname or ""), parts.port
    except (ValueError, UnicodeError, AttributeError, TypeError) as fault:
        raise LocationError(_UNREADABLE.format(whose=whose)) from fault
    if parts.scheme not in _PORTS or not host:
        raise LocationError(f"{whose} address must start with http:// or https:// and name a host.")
    if "@" in parts.netloc or "?" in url or "#" in url:
        raise LocationError(
            f"{whose} address must not hold a user, a password, a query or a fragment."
            + (f" The administrator puts keys into {keys_in}." if keys_in else "")
        )
    if any(letter in url for letter in " \\") or not url.isprintable():
        raise LocationError(_UNREADABLE.format(whose=whose))
    target = quote(parts.path, safe="/%:@!$&'()*+,;=~-._") or "/"
    return Location(parts.scheme, host, _PORTS[parts.scheme] if port is None else port, target)


def _plain_host(host: str) -> str:
    if literal(host) is not None:
        return host.lower()
    if not host.isascii():
        host = host.encode("idna").decode()
        if "xn--" not in host.lower():
            raise ValueError("look-alikes of plain letters or digits")
    if any(letter in host for letter in "%<>^`{|}"):
        raise ValueError("no host has such letters")
    return host.lower()
