"""Which network addresses this server connects to on somebody's word. No Django, no traffic.

A name is resolved once, every address that it has is judged, and the connection goes to the address
that was judged: a name that changes its mind between check and connection gains nothing.
"""

import ipaddress
import queue
import socket
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Resolve = Callable[[str, int], Sequence[str]]

# Python 3.11's own `is_global` calls some of these global, depending on its patch release. Source:
# the IANA special-purpose address registries for IPv4 and IPv6.
_NETWORKS = tuple(
    (ipaddress.ip_network(network), word)
    for network, word in (
        ("100.64.0.0/10", "private (carrier's NAT)"),
        ("192.0.0.0/24", "reserved"),
        ("192.88.99.0/24", "reserved"),
        ("198.18.0.0/15", "private (benchmarks)"),
        ("240.0.0.0/4", "reserved"),
        ("64:ff9b:1::/48", "NAT64"),
        ("2001::/23", "reserved"),
        ("2001:db8::/32", "reserved"),
        ("2002::/16", "reserved (6to4)"),
        ("3fff::/20", "reserved"),
        ("fec0::/10", "private"),
    )
)
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
# IPv4 in IPv6: mapped, translated and the old "compatible" form.
_IPV4_INSIDE = tuple(map(ipaddress.ip_network, ("::ffff:0:0/96", "::ffff:0:0:0/96", "::/96")))
_GLOBAL_IPV6 = ipaddress.ip_network("2000::/3")
# Where cloud machines are given their credentials. The first is link-local as well.
_METADATA = frozenset(
    map(
        ipaddress.ip_address,
        (
            "169.254.169.254",
            "fd00:ec2::254",
            "fd20:ce::254",
            "100.100.100.200",
            "168.63.129.16",
            "192.0.0.192",
        ),
    )
)


class AddressRefused(Exception):
    """This server does not connect there. The text is a sentence that says why."""


@dataclass(frozen=True, slots=True)
class AddressRule:
    """What may be connected to: any public address, and what the administrator named.

    `hosts` are names, addresses, or either with `:port`. A listed host may be private, loopback or
    behind NAT64. Link-local, metadata, multicast and unspecified addresses are refused even when a
    listed name leads there; only an entry that is that very address opens them. `chosen` is a host
    that the administrator set as an endpoint: as listed, but opens none of the latter.
    """

    hosts: frozenset[str] = frozenset()
    chosen: str = ""

    def addresses(
        self, host: str, port: int, *, timeout: float | None = None, resolve: Resolve | None = None
    ) -> list[str]:
        """Return the addresses of `host` to connect to, in the resolver's order.

        Raises AddressRefused when any of them is refused, `socket.gaierror` for an unknown name,
        TimeoutError when the resolver takes longer than `timeout` seconds.
        """
        written = literal(host)
        if written is None:
            found = _in_time(resolve or _resolve, host, port, timeout)
        else:  # a link-local one needs its zone
            found = [host if written.is_link_local else str(written)]
        for text in found:
            self._check(host, port, text)
        return list(found)

    def check_host(self, host: str, port: int) -> None:
        """Raise AddressRefused when the host as written is one to refuse, without resolving it."""
        if literal(host):
            self._check(host, port, host)
        elif _ends_in_number(host):
            raise AddressRefused(
                f"{host} is an address in disguise: write it as four decimal numbers."
            )

    def _check(self, host: str, port: int, text: str) -> None:
        address = literal(text)
        if address is None:
            raise AddressRefused(f"{host} has no address that this server can read.")
        why, firmly = _judge(address)
        if not why:
            return
        allowed = self._lists(host, port) and (not firmly or self._lists(text, port))
        if not allowed and not firmly:
            allowed = bool(self.chosen) and _name(self.chosen) == _name(host)
        if not allowed:
            raise AddressRefused(self._refusal(host, text, why, firmly))

    def _refusal(self, host: str, text: str, why: str, firmly: bool) -> str:
        where = host if _name(host) == _name(text) else f"{host} ({text})"
        sentence = f"{where} is {why}, where this server does not connect."
        if self.chosen:
            return sentence
        entry = text if firmly else host
        return (
            f"{sentence} If it is meant, the administrator adds {entry} to INTACT_OUTBOUND_HOSTS."
        )

    def _lists(self, host: str, port: int) -> bool:
        entries = {_entry(entry) for entry in self.hosts}
        return (_name(host), None) in entries or (_name(host), port) in entries


def literal(host: str) -> Address | None:
    """Return the IP address that `host` is, written plainly; None for a name or another form."""
    plain = host.strip("[]")
    try:
        # Only IPv6 has a zone: 127.0.0.1%x is a name, which a resolver may know.
        return ipaddress.ip_address(plain.partition("%")[0] if ":" in plain else plain)
    except ValueError:
        return None


def _judge(address: Address) -> tuple[str, bool]:
    """Return why an address is refused ("" for a public one), and whether firmly: whether only
    an entry that is this very address opens it.
    """
    if address in _METADATA:
        return "a cloud machine's metadata", True
    if isinstance(address, ipaddress.IPv6Address):
        if address.is_unspecified:
            return "unspecified", True
        if address.is_loopback:
            return "loopback", False
        inside = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if address in _NAT64:
            word, firmly = _judge(inside)
            return f"NAT64 ({word})" if word else "NAT64", firmly
        if any(address in network for network in _IPV4_INSIDE):
            word, firmly = _judge(inside)
            return word or "an IPv4 address written as IPv6", firmly
    if address.is_unspecified or address in ipaddress.ip_network("0.0.0.0/8"):
        return "unspecified", True
    if address.is_link_local:
        return "link-local", True
    if address.is_multicast:
        return "multicast", True
    if address.is_loopback:
        return "loopback", False
    for network, word in _NETWORKS:
        if address in network:
            return word, False
    if address.is_private:
        return "private", False
    if not address.is_global or (address.version == 6 and address not in _GLOBAL_IPV6):
        return "reserved", False
    return "", False


def _entry(text: str) -> tuple[str, int | None]:
    """Return host and port (None for every port) of a list's entry: `host`, `host:1`, `[::1]:1`."""
    host, colon, port = text.strip().rpartition(":")
    if colon and port.isdigit() and (literal(text) is None):
        return _name(host), int(port)
    return _name(text), None


def _name(host: str) -> str:
    """Return a host in the one form in which two are compared."""
    address = literal(host.strip())
    if address is not None:
        return str(address)
    name = host.strip().lower().rstrip(".")
    try:
        return name.encode("idna").decode()
    except UnicodeError:
        return name


def _ends_in_number(host: str) -> bool:
    """Return whether an address parser would read a number in a name's last part (WHATWG URL)."""
    last = host.lower().rstrip(".").rpartition(".")[2]
    return last.isdigit() or last.startswith("0x")


def _resolve(host: str, port: int) -> list[str]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def _in_time(resolve: Resolve, host: str, port: int, timeout: float | None) -> Sequence[str]:
    """Resolve in a thread of its own: the system's resolver knows no timeout."""
    answer: queue.SimpleQueue[Sequence[str] | Exception] = queue.SimpleQueue()

    def look_up() -> None:
        try:
            answer.put(resolve(host, port))
        except Exception as error:  # handed to the caller below
            answer.put(error)

    threading.Thread(target=look_up, daemon=True).start()
    try:
        found = answer.get(timeout=timeout)
    except queue.Empty:
        raise TimeoutError(f"{host} was not resolved in time") from None
    if isinstance(found, Exception):
        raise found
    return found
