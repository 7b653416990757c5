"""Which addresses are connected to. The classes of addresses are those of the IANA special-purpose
registries; the disguises are those that the WHATWG URL standard reads as IPv4.
"""

import socket

import pytest

from evaluation.addresses import AddressRefused, AddressRule

PUBLIC = "93.184.216.34"


def resolving(*addresses: str):  # type: ignore[no-untyped-def]
    return lambda host, port: list(addresses)


@pytest.mark.parametrize("address", [PUBLIC, "8.8.8.8", "2606:4700:4700::1111"])
def test_a_public_address_is_connected_to(address: str) -> None:
    assert AddressRule().addresses(address, 443) == [address]


REFUSED = [
    ("127.0.0.1", "loopback"),
    ("127.8.9.1", "loopback"),
    ("::1", "loopback"),
    ("10.1.2.3", "private"),
    ("172.16.0.1", "private"),
    ("192.168.1.1", "private"),
    ("100.64.0.1", "private"),
    ("198.18.0.1", "private"),
    ("fd12::1", "private"),
    ("fec0::1", "private"),
    ("169.254.1.1", "link-local"),
    ("fe80::1", "link-local"),
    ("169.254.169.254", "metadata"),
    ("fd00:ec2::254", "metadata"),
    ("100.100.100.200", "metadata"),
    ("168.63.129.16", "metadata"),
    ("0.0.0.0", "unspecified"),  # noqa: S104
    ("0.1.2.3", "unspecified"),
    ("::", "unspecified"),
    ("224.0.0.1", "multicast"),
    ("ff02::1", "multicast"),
    ("240.0.0.1", "reserved"),
    ("255.255.255.255", "reserved"),
    ("192.0.2.1", "private"),
    ("2001:db8::1", "reserved"),
    ("::ffff:127.0.0.1", "loopback"),
    ("::ffff:169.254.169.254", "metadata"),
    ("::ffff:0:10.0.0.1", "private"),
    ("::7f00:1", "loopback"),
    ("64:ff9b::7f00:1", "NAT64 (loopback)"),
    ("64:ff9b::808:808", "NAT64"),
    ("64:ff9b:1::1", "NAT64"),
    ("2002:7f00:1::", "6to4"),
    ("2001:0:1::1", "reserved"),
]


@pytest.mark.parametrize(("address", "word"), REFUSED)
def test_other_addresses_are_refused_with_the_reason(address: str, word: str) -> None:
    with pytest.raises(AddressRefused) as refused:
        AddressRule().addresses(address, 80)
    assert word in str(refused.value)


@pytest.mark.parametrize(("address", "word"), REFUSED)
def test_a_name_that_leads_there_is_refused_alike(address: str, word: str) -> None:
    with pytest.raises(AddressRefused) as refused:
        AddressRule().addresses("a.example", 80, resolve=resolving(address))
    assert f"a.example ({address}) is" in str(refused.value) and word in str(refused.value)


@pytest.mark.parametrize("host", ["2130706433", "0x7f000001", "0177.0.0.1", "127.1", "0x7f.1"])
def test_an_address_in_disguise_is_refused_before_it_is_resolved(host: str) -> None:
    with pytest.raises(AddressRefused, match="write it as four decimal numbers"):
        AddressRule().check_host(host, 80)


@pytest.mark.parametrize("host", ["2130706433", "0x7f000001", "0177.0.0.1", "127.1"])
def test_what_the_system_makes_of_a_disguise_is_judged_too(host: str) -> None:
    with pytest.raises(AddressRefused, match="127.0.0.1"):
        AddressRule().addresses(host, 80)


def test_one_bad_address_among_good_ones_refuses_the_name() -> None:
    with pytest.raises(AddressRefused):
        AddressRule().addresses("a.example", 80, resolve=resolving(PUBLIC, "127.0.0.1"))


@pytest.mark.parametrize(
    "entry", ["models.lan", "MODELS.lan.", "models.lan:8080", "127.0.0.1", "[::1]:8080"]
)
def test_a_listed_host_may_be_private(entry: str) -> None:
    rule = AddressRule(hosts=frozenset({entry}))
    host = {"127.0.0.1": "127.0.0.1", "[::1]:8080": "::1"}.get(entry, "models.lan")
    assert rule.addresses(host, 8080, resolve=resolving("10.0.0.5"))


def test_an_entry_with_a_port_opens_no_other_port() -> None:
    rule = AddressRule(hosts=frozenset({"127.0.0.1:8080"}))
    with pytest.raises(AddressRefused):
        rule.addresses("127.0.0.1", 6379)


def test_a_listed_address_does_not_open_a_name_that_leads_there() -> None:
    rule = AddressRule(hosts=frozenset({"127.0.0.1"}))
    with pytest.raises(AddressRefused, match="the administrator adds a.example"):
        rule.addresses("a.example", 80, resolve=resolving("127.0.0.1"))


@pytest.mark.parametrize("address", ["169.254.169.254", "fe80::1", "0.0.0.0"])  # noqa: S104
def test_a_listed_name_never_leads_to_metadata(address: str) -> None:
    rule = AddressRule(hosts=frozenset({"a.example"}))
    with pytest.raises(AddressRefused):
        rule.addresses("a.example", 80, resolve=resolving(address))


def test_only_the_address_itself_opens_a_link_local_one() -> None:
    rule = AddressRule(hosts=frozenset({"169.254.7.7"}))
    assert rule.addresses("169.254.7.7", 80) == ["169.254.7.7"]


def test_a_chosen_endpoint_may_be_on_loopback_but_not_at_the_metadata() -> None:
    assert AddressRule(chosen="127.0.0.1").addresses("127.0.0.1", 80) == ["127.0.0.1"]
    with pytest.raises(AddressRefused):
        AddressRule(chosen="a.example").addresses(
            "a.example", 80, resolve=resolving("169.254.169.254")
        )


def test_an_unknown_name_is_the_resolvers_error() -> None:
    def unknown(host: str, port: int) -> list[str]:
        raise socket.gaierror("unknown")

    with pytest.raises(socket.gaierror):
        AddressRule().addresses("a.example", 80, resolve=unknown)


def test_an_address_with_something_behind_it_is_a_name_and_resolved() -> None:
    rule = AddressRule(hosts=frozenset({"127.0.0.1"}))
    with pytest.raises(AddressRefused):
        rule.addresses("127.0.0.1%00.example", 80, resolve=resolving("10.0.0.1"))


def test_a_zone_does_not_reach_the_resolver() -> None:
    assert AddressRule().addresses("2606:4700::1%a.example", 80) == ["2606:4700::1"]
