import pytest

from evaluation.generation.endpoints import Endpoint, EndpointSettingsError, is_loopback

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
