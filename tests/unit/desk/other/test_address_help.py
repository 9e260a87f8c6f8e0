"""What one pasted address says of the others, and which addresses look odd."""

import pytest

from app.desk.connections.address_help import addresses_in, doubt

HOST = "https://orders.provider.example"
LOGIN = "https://login.provider.example"
INFO = f"{HOST}/OrderInformationApi"
BOTH = {"base_url": HOST, "info_base_url": INFO}


@pytest.mark.parametrize(
    ("pasted", "into", "found"),
    [
        (HOST, "base_url", BOTH),
        (f"{HOST}/", "base_url", BOTH),
        (f"{HOST}/OrderManagementApi/swagger/v1/swagger.json", "base_url", BOTH),
        (f"{HOST}/OrderManagementApi", "info_base_url", BOTH),
        (INFO, "base_url", BOTH),
        (f"{INFO}/orders/open?StartDate=2026-11-01", "info_base_url", BOTH),
        (f"{LOGIN}/connect/token", "auth_url", {"auth_url": LOGIN}),
        (f"{LOGIN}/connect/token", "base_url", {"auth_url": LOGIN}),
        (f"{LOGIN}/realm/connect/token", "auth_url", {"auth_url": f"{LOGIN}/realm"}),
        (LOGIN, "auth_url", {"auth_url": LOGIN}),
        ("https://x.example/gateway/OrderManagementApi", "base_url",
         {"base_url": "https://x.example/gateway", "info_base_url": "https://x.example/gateway/OrderInformationApi"}),
        (f"Orders: {HOST}/OrderManagementApi, token: {LOGIN}/connect/token.", "base_url", {**BOTH, "auth_url": LOGIN}),
        (f"{HOST}/other", "info_base_url", {"info_base_url": f"{HOST}/other"}),
        ("orders.provider.example", "base_url", {}),
        ("", "base_url", {}),
    ],
)  # fmt: skip
def test_what_is_pasted_fills_what_it_says(pasted: str, into: str, found: dict[str, str]) -> None:
    assert addresses_in(pasted, into) == found


@pytest.mark.parametrize(
    ("name", "address", "words"),
    [
        ("base_url", HOST, ""),
        ("base_url", f"{HOST}/OrderManagementApi", ""),
        ("base_url", INFO, "order information address"),
        ("base_url", f"{LOGIN}/connect/token", "authorisation address"),
        ("info_base_url", INFO, ""),
        ("info_base_url", f"{HOST}/elsewhere", ""),
        ("info_base_url", HOST, "ends in /OrderInformationApi"),
        ("info_base_url", f"{HOST}/ordermanagementapi", "order management address"),
        ("auth_url", LOGIN, ""),
        ("auth_url", f"{LOGIN}/connect/token", ""),
        ("auth_url", INFO, "address of a service"),
        ("base_url", "https://", ""),
        ("base_url", "https://[", ""),
    ],
)
def test_addresses_that_look_odd(name: str, address: str, words: str) -> None:
    assert words in doubt(name, address)
    assert bool(words) == bool(doubt(name, address))
