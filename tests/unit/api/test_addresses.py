"""The three addresses as people type them."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.api.addresses import Addresses, Credentials, is_loopback
from app.api.errors import BadAddress

GOOD = Addresses("https://api.example", "https://info.example/OrderInformationApi", "https://auth.example")


def test_roots_follow_services_md() -> None:
    GOOD.check()
    assert GOOD.management_root == "https://api.example/OrderManagementApi"
    assert GOOD.information_root == "https://info.example/OrderInformationApi"
    assert GOOD.token_url == "https://auth.example/connect/token"


def test_a_slash_or_the_rest_written_out_does_no_harm() -> None:
    typed = Addresses(
        " https://api.example/OrderManagementApi/ ", "https://info.example/x/", "https://auth.example/connect/token"
    )
    typed.check()
    assert typed.management_root == "https://api.example/OrderManagementApi"
    assert typed.information_root == "https://info.example/x"
    assert typed.token_url == "https://auth.example/connect/token"


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "api.example",
        "ftp://api.example",
        "file:///etc/passwd",
        "https://",
        "https:///path",
        "https://api.example?x=1",
        "https://api.example#x",
        "https://me:secret@api.example",
        "https://api.example:port",
        "https://api.example:99999",
        "https://api .example",
        "https://[::1",
    ],
)
@pytest.mark.parametrize("name", ["base_url", "info_base_url", "auth_url"])
def test_what_is_no_address_is_refused_by_its_name(typed: str, name: str) -> None:
    fields = {"base_url": GOOD.base_url, "info_base_url": GOOD.info_base_url, "auth_url": GOOD.auth_url, name: typed}
    with pytest.raises(BadAddress) as caught:
        Addresses(**fields).check()
    assert caught.value.field == name
    assert not caught.value.may_have_acted


@given(st.text(max_size=30))
def test_nothing_typed_breaks_the_check(typed: str) -> None:
    addresses = Addresses(typed, GOOD.info_base_url, GOOD.auth_url)
    with suppress(BadAddress):
        addresses.check()


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.8.8.8", "::1", "[::1]"])
def test_this_computer_is_known(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["localhost.example", "128.0.0.1", "example.com", "", "::2"])
def test_other_computers_are_not_taken_for_it(host: str) -> None:
    assert not is_loopback(host)


def test_the_secret_shows_nowhere() -> None:
    credentials = Credentials("desk", "canary")
    assert "canary" not in f"{credentials!r} {credentials}"
