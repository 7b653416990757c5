import pytest

from evaluation.generation.endpoints import Endpoint, EndpointSettingsError, Prices, is_loopback

ENVIRONMENT = {
    "INTACT_LLM_BASE_URL": " http://127.0.0.1:8000/v1 ",
    "INTACT_LLM_API_KEY": "sk-secret",
    "INTACT_LLM_MODEL": "small",
}


def test_an_endpoint_is_read_from_three_variables() -> None:
    got = Endpoint.from_environment(ENVIRONMENT)
    assert got == Endpoint("http://127.0.0.1:8000/v1", "sk-secret", "small")


def test_no_variables_mean_no_endpoint() -> None:
    assert Endpoint.from_environment({"INTACT_LLM_API_KEY": "sk-secret"}) is None


@pytest.mark.parametrize("missing", ["INTACT_LLM_BASE_URL", "INTACT_LLM_MODEL"])
def test_half_a_setting_says_which_half_is_missing(missing: str) -> None:
    with pytest.raises(EndpointSettingsError, match=f"{missing} is not. Set {missing}"):
        Endpoint.from_environment({**ENVIRONMENT, missing: ""})


def test_the_key_is_not_in_the_representation() -> None:
    assert "secret" not in repr(Endpoint.from_environment(ENVIRONMENT))


@pytest.mark.parametrize(
    "address",
    [
        "file:///etc/passwd",
        "localhost:8000",
        "http://",
        "http://user:pw@host/v1",
        "http://host/v1?key=1",
        "http://host:port/v1",
        "http://169.254.169.254/latest",
        "http://[::ffff:169.254.169.254]/latest",
        "http://[fe80::1]/v1",
    ],
)
def test_an_address_that_is_no_endpoint_is_refused(address: str) -> None:
    with pytest.raises(EndpointSettingsError):
        Endpoint.from_environment({**ENVIRONMENT, "INTACT_LLM_BASE_URL": address})


@pytest.mark.parametrize(
    ("address", "loopback"),
    [
        ("http://127.0.0.1:1", True),
        ("http://localhost/v1", True),
        ("http://[::1]:80", True),
        ("http://10.0.0.1", False),
        ("http://localhost.example.com", False),
    ],
)
def test_loopback_is_this_machine_only(address: str, loopback: bool) -> None:
    assert is_loopback(address) is loopback


def test_prices_are_optional_and_in_usd_for_a_million_tokens() -> None:
    assert Prices.from_environment({}) is None
    got = Prices.from_environment({"INTACT_LLM_PRICE_IN": "0.15", "INTACT_LLM_PRICE_OUT": " 0 "})
    assert got == Prices(0.15, 0.0)


def test_an_endpoint_comes_with_its_prices() -> None:
    prices = {"INTACT_LLM_PRICE_IN": "1", "INTACT_LLM_PRICE_OUT": "2"}
    endpoint = Endpoint.from_environment({**ENVIRONMENT, **prices})
    assert endpoint is not None and endpoint.prices == Prices(1.0, 2.0)


@pytest.mark.parametrize(
    ("sent", "written", "cost"), [(1_000_000, 0, 2.5), (0, 1_000_000, 10.0), (200, 100, 0.0015)]
)
def test_a_cost_is_counted_from_both_sides(sent: int, written: int, cost: float) -> None:
    assert Prices(2.5, 10.0).cost_usd(sent, written) == pytest.approx(cost)


def test_a_cost_is_unknown_when_a_count_is() -> None:
    assert Prices(1.0, 1.0).cost_usd(None, 3) is Prices(1.0, 1.0).cost_usd(3, None) is None


@pytest.mark.parametrize("missing", ["INTACT_LLM_PRICE_IN", "INTACT_LLM_PRICE_OUT"])
def test_one_price_alone_says_which_is_missing(missing: str) -> None:
    prices = {"INTACT_LLM_PRICE_IN": "1", "INTACT_LLM_PRICE_OUT": "1", missing: ""}
    with pytest.raises(EndpointSettingsError, match=f"{missing} is not set"):
        Prices.from_environment(prices)


@pytest.mark.parametrize("text", ["free", "-1", "nan", "inf", "1,5"])
def test_a_price_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(EndpointSettingsError, match="INTACT_LLM_PRICE_IN must be a number of USD"):
        Prices.from_environment({"INTACT_LLM_PRICE_IN": text, "INTACT_LLM_PRICE_OUT": "1"})
