"""Desktop notices over a real D-Bus: shown, replaced, clicked, taken away; and what if nobody answers, or oddly."""

import gc
import shutil
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.ui.notices import bus_notices as bus_module
from app.ui.notices.bus_notices import BusNotice, BusNotices, Standing
from app.ui.notices.desktop_notices import DesktopNotices
from app.ui.theme.theme import Theme
from tests.support.keyring_session import KeyringSession
from tests.support.loop import RunningLoop
from tests.support.notification_server import NotificationServer

pytestmark = pytest.mark.skipif(shutil.which("dbus-daemon") is None, reason="there is no dbus-daemon")
NOTICE = BusNotice("An order was refused", "CRN <b>1</b> & more", "Open")


class Heard:
    def __init__(self, bus: BusNotices) -> None:
        self.stood: list[Standing] = []
        self.clicked = self.closed = self.failed = 0
        bus.stands.connect(self.stood.append)
        bus.clicked.connect(self._on_clicked)
        bus.closed.connect(self._on_closed)
        bus.failed.connect(self._on_failed)

    def _on_clicked(self) -> None:
        self.clicked += 1

    def _on_closed(self) -> None:
        self.closed += 1

    def _on_failed(self) -> None:
        self.failed += 1


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[KeyringSession]:
    made = KeyringSession(tmp_path / "session")
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", made.environment["DBUS_SESSION_BUS_ADDRESS"])
    yield made
    made.stop()


@pytest.fixture
def server(session: KeyringSession) -> Iterator[NotificationServer]:
    made = NotificationServer(session.environment["DBUS_SESSION_BUS_ADDRESS"])
    yield made
    made.stop()


@pytest.fixture
def bus(loop: RunningLoop) -> Iterator[BusNotices]:
    made = BusNotices()
    yield made
    made.end()
    loop.rest()


def test_a_notice_is_shown_replaced_clicked_and_taken_away(
    loop: RunningLoop, server: NotificationServer, bus: BusNotices
) -> None:
    heard = Heard(bus)
    bus.begin()
    loop.until(lambda: heard.stood)
    assert heard.stood == [Standing("Recorder 1.0", tray_answers=True)]
    bus.show_notice(NOTICE)
    loop.until(lambda: len(server.asked) == 1)
    first = server.asked[0]
    # The body may be read as markup, the heading never.
    assert (first.heading, first.body) == ("An order was refused", "CRN &lt;b&gt;1&lt;/b&gt; &amp; more")
    assert first.actions == ("default", "Open")
    bus.show_notice(BusNotice("2 orders were refused", "", "Open"))
    loop.until(lambda: len(server.asked) == 2)
    assert server.asked[1].replaces == first.id
    server.click(first.id + 5)  # another program's
    server.click(first.id)
    loop.until(lambda: heard.clicked)
    assert heard.clicked == 1
    bus.withdraw()
    loop.until(lambda: server.closed)
    assert server.closed == [first.id]
    bus.show_notice(NOTICE)
    loop.until(lambda: len(server.asked) == 3)
    assert server.asked[2].replaces == 0
    assert heard.closed == 0, "it was taken away, and not closed"
    server.dismiss(server.asked[2].id)
    loop.until(lambda: heard.closed)
    bus.show_notice(NOTICE)
    loop.until(lambda: len(server.asked) == 4)
    assert server.asked[3].replaces == 0, "what was dismissed does not come back in its place"


def test_a_body_is_plain_where_nobody_reads_markup(loop: RunningLoop, session: KeyringSession, bus: BusNotices) -> None:
    server = NotificationServer(session.environment["DBUS_SESSION_BUS_ADDRESS"], skills=("body", "actions"))
    heard = Heard(bus)
    bus.begin()
    loop.until(lambda: heard.stood)
    bus.show_notice(NOTICE)
    loop.until(lambda: server.asked)
    assert server.asked[0].body == NOTICE.body
    server.stop()


def test_a_program_that_goes_and_comes_back_is_found_again(
    loop: RunningLoop, session: KeyringSession, bus: BusNotices
) -> None:
    heard = Heard(bus)
    bus.begin()
    loop.until(lambda: heard.stood)
    assert [each.server for each in heard.stood] == [""]
    for turn in (1, 2):
        server = NotificationServer(session.environment["DBUS_SESSION_BUS_ADDRESS"])
        loop.until(lambda: heard.stood[-1].server)
        bus.show_notice(NOTICE)
        loop.until(lambda: server.asked)  # noqa: B023
        assert server.asked[0].replaces == 0, "numbers of a program that has gone are another's now"
        server.stop()
        loop.until(lambda: not heard.stood[-1].server)
        assert heard.closed == turn


def test_a_program_that_refuses_or_hangs_is_told_and_keeps_nobody_waiting(
    loop: RunningLoop, server: NotificationServer, bus: BusNotices, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bus_module, "_ANSWER_S", 0.3)
    heard = Heard(bus)
    bus.begin()
    loop.until(lambda: heard.stood)
    server.refuses = True
    bus.show_notice(NOTICE)
    loop.until(lambda: heard.failed == 1)
    server.silent = True
    began = time.monotonic()
    bus.show_notice(NOTICE)
    bus.withdraw()
    bus.show_notice(NOTICE)
    assert time.monotonic() - began < 0.1, "the window waits for nobody"
    loop.until(lambda: heard.failed >= 2)
    server.silent = server.refuses = False
    bus.show_notice(NOTICE)
    loop.until(lambda: server.asked)


def test_a_bus_that_ends_is_no_fault(loop: RunningLoop, session: KeyringSession, bus: BusNotices) -> None:
    heard = Heard(bus)
    bus.begin()
    loop.until(lambda: heard.stood)
    session.stop()
    loop.rest()
    bus.show_notice(NOTICE)
    bus.withdraw()
    loop.rest()
    assert heard.failed == 0


@pytest.mark.parametrize("address", ["", "unix:path=/nonexistent/bus", "nonsense"])
def test_without_a_bus_or_a_tray_it_says_so_and_everything_else_works(
    loop: RunningLoop, theme: Theme, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
    desktop = DesktopNotices(theme)
    known: list[int] = []
    desktop.known.connect(lambda: known.append(1))
    desktop.begin()
    loop.until(lambda: known)
    assert not desktop.can_show
    assert "Nothing on this desktop shows notices" in desktop.sentence
    desktop.show_notice("An order was refused", "")
    desktop.withdraw()
    desktop.end()
    loop.rest()


def test_the_desktop_is_named_and_a_notice_that_was_not_taken_is_said(
    loop: RunningLoop, theme: Theme, server: NotificationServer
) -> None:
    desktop = DesktopNotices(theme)
    assert "Asking" in desktop.sentence
    desktop.begin()
    loop.until(lambda: desktop.can_show)
    assert desktop.sentence == "Recorder 1.0 shows them."
    server.refuses = True
    desktop.show_notice("An order was refused", "")
    loop.until(lambda: "did not take" in desktop.sentence)
    server.refuses = False
    desktop.show_notice("An order\u202e was refused", "one\ntwo\u0007")
    loop.until(lambda: server.asked)
    assert server.asked[0].heading == "An order⟨U+202E⟩ was refused"
    assert server.asked[0].body == "one\ntwo␇"
    desktop.end()
    loop.until(lambda: server.closed, "the notice to go with the window")


def test_a_bus_that_goes_before_it_answers_is_no_bus(
    loop: RunningLoop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "bus"))
        listening.listen()
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={tmp_path / 'bus'}")

        def serve() -> None:
            caller, _ = listening.accept()
            with caller:
                caller.recv(4096)
                caller.sendall(b"OK 1234deadbeef1234deadbeef12345678\r\n")
                caller.recv(4096)

        server = threading.Thread(target=serve)
        server.start()
        bus = BusNotices()
        heard = Heard(bus)
        bus.begin()
        loop.until(lambda: heard.stood == [Standing()])
        server.join()
        bus.end()
    gc.collect()  # an open socket would be told of here
