"""A provider behind a proxy with a login and a private authority, entered by hand: an order goes all the way there."""

import re
from pathlib import Path
from urllib.parse import urlsplit

from tests.e2e.settings_steps import LABELS, enter_connection, save, try_it, wait_until_connected
from tests.e2e.steps import whole_way
from tests.e2e.test_connection import files_with
from tests.support.certificates import authority, vouched
from tests.support.connect_proxy import ConnectProxy, start_connect_proxy
from tests.support.practice_process import PracticeFactory
from tests.support.tls_front import tls_front
from tests.support.window import Window, WindowFactory
from tests.support.window_process import Desktop

HOST = "orders.provider.test"
USER, PASSWORD = "waybill", "canary-proxy-5521"


def enter_proxy(window: Window, proxy: ConnectProxy, password: str) -> None:
    """Unfold the way to the provider and name a proxy."""
    window.find("Proxy, certificates, formats").press()
    window.find("Proxy", "combo box").choose("This one")
    window.find("Address of the proxy", "text").type(proxy.address)
    window.find("User at the proxy", "text").type(USER)
    enter_password(window, password)


def enter_password(window: Window, password: str) -> None:
    """The password of the proxy, by keys."""
    window.find("Password at the proxy", "text").focus()
    window.keys("ctrl+a")
    window.keys_for(password)


def test_an_order_through_a_proxy_with_a_login_to_a_private_authority(
    desktop: Desktop, open_window: WindowFactory, practice_factory: PracticeFactory, tmp_path: Path
) -> None:
    provider = practice_factory("--switch", "import-queue=1")
    desktop.session.start_keyring()
    acme = authority("Acme Private Authority")
    file = tmp_path / "acme.pem"
    file.write_bytes(acme.pem)
    port = urlsplit(provider.facts["base_url"]).port or 0
    context = vouched(acme, HOST).server_context(tmp_path)
    with tls_front(context, port) as front, start_connect_proxy(f"{USER}:{PASSWORD}") as proxy:
        proxy.names = {HOST: ("127.0.0.1", front)}
        facts = provider.facts
        urls = [name for name in LABELS if "url" in name]
        places = {name: facts[name].replace(f"http://127.0.0.1:{port}", f"https://{HOST}") for name in urls}
        window = open_window()
        window.wait_for_words("Practice: nothing leaves this computer")
        secret = enter_connection(window, provider.facts, **places)[LABELS["client_secret"]]

        enter_proxy(window, proxy, "wrong")
        try_it(window)
        window.wait_for_words(re.escape("It stops at: Proxy"))
        assert len({each.login for each in proxy.asked()}) == 1
        assert len(proxy.asked()) == 1

        enter_password(window, PASSWORD)
        try_it(window)
        window.wait_for_words(re.escape("It stops at: TLS"))
        assert "an authority that this computer does not trust" in window.words()

        window.find("Trusted certificate authorities", "combo box").choose("Those and a file's")
        window.find("File with certificates", "text").type(str(file))
        window.wait_for_words(re.escape("It holds 1 authority: Acme Private Authority."))
        try_it(window)
        window.wait_for_words("Connected. The provider allows:")
        save(window)
        whole_way(window, "E2E-PROXY-1")
        window.close()

        for word in (secret, PASSWORD):
            assert [each for each in files_with(tmp_path, word) if each.suffix != ".pem"] == []

        again = open_window()
        wait_until_connected(again)  # nobody has typed the password of the proxy this time
        again.close()
    assert {each.place for each in proxy.asked()} == {f"{HOST}:443"}
