"""`python -m tests.faults.keyring_child FOLDER SITUATION SECONDS`: a window in which a connection is entered and used.

Nothing of it depends on the keyring being there; SECONDS is how long Waybill waits for it. The last line of what it
prints is JSON: where the secrets are, what the settings say of it, whether the connection works, and for how long the
window stood still at most. `again` opens the window once more and types nothing.
"""

import json
import logging
import os
import sys
import time
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QObject, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from app.background.news import News
from app.desk.connections import profiles
from app.runtime.sink import Sink
from app.store.secrets import SecretStore, proxy_password_of
from app.ui.base.page import PageServices
from app.ui.settings.settings_page import SettingsPage
from app.ui.theme.theme import Theme
from tests.support.connect_proxy import ConnectProxy, start_connect_proxy
from tests.support.fault_server import INFORMATION, MANAGEMENT, Answer, FaultServer, start_fault_server
from tests.support.faults import json_answer
from tests.support.loop import RunningLoop
from tests.ui.shell_help import Program, open_program

SECRET, PROXY_PASSWORD = "canary secret 7f3a91", "canary password c40b2e"
CLIENT, USER = "desk-client-9d1e", "desk-user"
_PORTS = "ports"  # a file with the ports of the first window's servers
_PATIENCE_S = 240.0
_BEAT_MS = 10


class Heart(QObject):
    """Beats in the window's loop, and knows the longest pause between two beats."""

    def __init__(self) -> None:
        super().__init__()
        self.longest = 0.0
        self._last = time.monotonic()
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._beat)
        self._timer.start(_BEAT_MS)

    def begin(self) -> None:
        """Measure from here on."""
        self.longest, self._last = 0.0, time.monotonic()

    def _beat(self) -> None:
        now = time.monotonic()
        self.longest, self._last = max(self.longest, now - self._last), now


def serve(server: FaultServer) -> None:
    """All that a test of a connection asks for."""
    server.tokens.client_id, server.tokens.client_secret = CLIENT, SECRET
    for path in ("/Order/test", "/Quote/test"):
        server.serve(f"{MANAGEMENT}{path}", Answer())
    server.serve(f"{MANAGEMENT}/Integration/crossReference", json_answer([]))
    server.serve(f"{INFORMATION}/audit", json_answer([]))


def enter(page: SettingsPage, server: FaultServer, proxy: ConnectProxy) -> None:
    """Type a connection and press Save."""
    page.begin_connect()
    form = page.form
    form.name.put("Acme")
    for name, text in {**server.addresses, "client_id": CLIENT, "client_secret": SECRET}.items():
        form.fields[name].put(text)
    form.network.proxy.put("address")
    for name, text in {"proxy": proxy.address, "proxy_user": USER, "proxy_password": PROXY_PASSWORD}.items():
        form.network.fields[name].put(text)
    form.save_button.click()


def work(program: Program, server: FaultServer, proxy: ConnectProxy, heart: Heart, *, slow: bool) -> dict[str, object]:
    """Enter the connection; while it is saved, a person goes on typing."""
    loop, shell = program.loop, program.shell
    print("begins", flush=True)
    shell.go("settings")
    page = shell.page("settings")
    assert isinstance(page, SettingsPage)
    heart.begin()
    enter(page, server, proxy)
    box = QLineEdit()
    typed = 0
    deadline = time.monotonic() + _PATIENCE_S
    while not _done(program) and time.monotonic() < deadline:
        QTest.keyClicks(box, "a")
        typed += 1
        assert len(box.text()) == typed
        loop.rest(10)
    gap = heart.longest
    loop.until(
        lambda: "memory" in page.secret_label.text() or "keyring" in page.secret_label.text(), seconds=_PATIENCE_S
    )
    place = loop.run(program.secrets.describe(), _PATIENCE_S)
    desk = shell.desk
    assert desk is not None
    told: dict[str, object] = {"gap": gap, "typed": typed, "place": place.place, "said": place.sentence}
    told |= {"connected": _works(program), "trouble": desk.trouble, "after": ""}
    if slow:
        told["after"] = _written_at_last(program, desk.profile.id)
    return told


def _written_at_last(program: Program, profile_id: str) -> str:
    """Where the secret goes once the keyring answers again."""
    deadline = time.monotonic() + _PATIENCE_S
    while time.monotonic() < deadline:
        if program.loop.run(program.secrets.write(profile_id, SECRET), _PATIENCE_S) == "keyring":
            program.loop.run(program.secrets.write(proxy_password_of(profile_id), PROXY_PASSWORD), _PATIENCE_S)
            return "keyring"
    return "memory"


def _done(program: Program) -> bool:
    desk = program.shell.desk
    return desk is not None and desk.profile.kind != "practice" and desk.provider is not None


def _works(program: Program) -> bool:
    desk = program.shell.desk
    if desk is None or desk.provider is None:
        return False
    program.loop.run(desk.provider.management.test_orders())
    return True


def again(program: Program) -> dict[str, object]:
    """Use the connection that is there."""
    kept = program.loop.run(profiles.all_profiles(program.kept.journal))
    print("begins", flush=True)
    program.shell.use_profile(kept[-1].id)
    program.loop.until(lambda: _done(program), seconds=_PATIENCE_S)
    return {"connected": _works(program)}


def main(folder: Path, situation: str, seconds: float) -> None:
    """One window, from its opening to its end."""
    (folder / "logs").mkdir(exist_ok=True)
    records = logging.FileHandler(folder / "logs" / f"{situation}.log", encoding="utf-8")
    logging.basicConfig(level=logging.DEBUG, handlers=[records])
    application = QApplication(sys.argv[:1])
    application.setQuitOnLastWindowClosed(False)
    loop, sink = RunningLoop(application), Sink()
    sink.failed.connect(lambda where, text: print("FAULT", where, text, file=sys.stderr))
    with start_fault_server() as server, start_connect_proxy(f"{USER}:{PROXY_PASSWORD}") as proxy:
        serve(server)
        ports = folder / _PORTS
        if situation == "again":
            # The servers of the first window are gone: the connection leads to its proxy's port, and on from there.
            kept = json.loads(ports.read_text())
            proxy.names = {"127.0.0.1": ("127.0.0.1", server.port)}
        services = PageServices(Theme(application, "light"), sink, News(), datetime.now)
        secrets = SecretStore(seconds=seconds)
        program = open_program(loop, services.theme, services, folder / "data", secrets)
        try:
            program.shell.take_services(secrets, program.practice)
            if situation == "again":
                _lead_to(program, proxy, kept)
                told = again(program)
            else:
                ports.write_text(json.dumps({"proxy": proxy.address}))
                told = work(program, server, proxy, Heart(), slow=situation == "slow")
        finally:
            program.close()
    left = loop.close()
    assert left == [], left
    print(json.dumps(told), flush=True)
    os._exit(0)  # a keyring that is silent holds a thread, and a library's thread may hold the end


def _lead_to(program: Program, proxy: ConnectProxy, kept: dict[str, str]) -> None:
    """The proxy has another port now; everything else of the connection is as it was saved."""
    from dataclasses import replace

    (found,) = [
        each for each in program.loop.run(profiles.all_profiles(program.kept.journal)) if each.kind != "practice"
    ]
    assert found.proxy == kept["proxy"]
    program.loop.run(profiles.save(program.kept.journal, replace(found, proxy=proxy.address)))
    program.loop.run(program.shell.list_profiles())


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], float(sys.argv[3]))
