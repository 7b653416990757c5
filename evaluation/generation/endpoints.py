"""Which endpoint a team's own model is behind, as the environment says."""

import ipaddress
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from evaluation.locations import LocationError, locate

BASE_URL = "INTACT_LLM_BASE_URL"
API_KEY = "INTACT_LLM_API_KEY"
MODEL = "INTACT_LLM_MODEL"
PRICE_IN = "INTACT_LLM_PRICE_IN"
PRICE_OUT = "INTACT_LLM_PRICE_OUT"


class EndpointSettingsError(ValueError):
    """The settings of an endpoint are missing or wrong. The text says which and how to set it."""


@dataclass(frozen=True, slots=True)
class Prices:
    """What a million tokens cost, in USD: those of the question and those of the answer."""

    tokens_in: float
    tokens_out: float

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> "Prices | None":
        """Return the prices that `environment` names, or None when it names none.

        Raises EndpointSettingsError when only one is set, or one is no price.
        """
        given = {name: environment.get(name, "").strip() for name in (PRICE_IN, PRICE_OUT)}
        if not any(given.values()):
            return None
        missing = [name for name, text in given.items() if not text]
        if missing:
            raise EndpointSettingsError(
                f"{missing[0]} is not set although the other price is. Set both {PRICE_IN} and "
                f"{PRICE_OUT} to USD for a million tokens, or neither."
            )
        return cls(*(_price(name, text) for name, text in given.items()))

    def cost_usd(self, sent: int | None, written: int | None) -> float | None:
        """Return what so many tokens cost, or None when a count is unknown."""
        if sent is None or written is None:
            return None
        return (sent * self.tokens_in + written * self.tokens_out) / 1_000_000


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An OpenAI-compatible endpoint. `api_key` is empty for one that wants none."""

    base_url: str
    api_key: str = field(repr=False)
    model: str
    prices: Prices | None = None

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> "Endpoint | None":
        """Return the endpoint that `environment` names, or None when it names none.

        Reads INTACT_LLM_BASE_URL, INTACT_LLM_API_KEY, INTACT_LLM_MODEL and the prices. Raises
        EndpointSettingsError when only a part is set, the address cannot be one or a price is none.
        """
        base_url, api_key, model = (
            environment.get(name, "").strip() for name in (BASE_URL, API_KEY, MODEL)
        )
        if not base_url and not model:
            return None
        if not base_url:
            raise EndpointSettingsError(
                f"{MODEL} is set but {BASE_URL} is not. "
                f"Set {BASE_URL} to the endpoint's address, for example http://127.0.0.1:8000/v1."
            )
        if not model:
            raise EndpointSettingsError(
                f"{BASE_URL} is set but {MODEL} is not. Set {MODEL} to a model that it serves."
            )
        check_base_url(base_url)
        check_api_key(api_key)
        return cls(base_url, api_key, model, Prices.from_environment(environment))


def check_base_url(base_url: str) -> None:
    """Raise EndpointSettingsError unless `base_url` is a plain http(s) address without a password.

    Link-local addresses are refused: a cloud machine's credentials are served from there.
    """
    try:
        parts = urlsplit(base_url)
        host, _port = parts.hostname, parts.port
    except ValueError as error:
        raise EndpointSettingsError(
            "The endpoint's address cannot be read. Use the form http://host:port/v1."
        ) from error
    if parts.scheme not in ("http", "https") or not host:
        raise EndpointSettingsError(
            "The endpoint's address must start with http:// or https:// and name a host, "
            "for example http://127.0.0.1:8000/v1."
        )
    if parts.username is not None or parts.query or parts.fragment:
        raise EndpointSettingsError(
            "The endpoint's address must not hold a user, a password, a query or a fragment. "
            f"Put the key into {API_KEY}."
        )
    try:
        locate(base_url, whose="The endpoint's", keys_in=API_KEY)
    except LocationError as error:
        raise EndpointSettingsError(str(error)) from error
    address = _address(host)
    if address is not None and (address.is_link_local or address.is_multicast):
        raise EndpointSettingsError(
            f"The endpoint's address {host} is link-local or multicast, where no model is served."
        )


def check_api_key(api_key: str) -> None:
    """Raise EndpointSettingsError, without the key in it, when a key cannot be sent."""
    if not (api_key.isascii() and (api_key.isprintable() or not api_key)):
        raise EndpointSettingsError(
            f"{API_KEY} holds characters that no key has (a line break or a letter outside ASCII). "
            "Copy the key again."
        )


def origin(base_url: str) -> str:
    """Return scheme, host and port of an address: how error sentences name an endpoint."""
    return locate(base_url).origin


def is_loopback(base_url: str) -> bool:
    """Return whether an address is on this machine."""
    host = urlsplit(base_url).hostname or ""
    address = _address(host)
    return host == "localhost" or (address is not None and address.is_loopback)


def _price(name: str, text: str) -> float:
    try:
        price = float(text)
    except ValueError:
        price = math.nan
    if not 0 <= price < math.inf:
        raise EndpointSettingsError(
            f"{name} must be a number of USD for a million tokens, for example 0.15."
        )
    return price


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address
