"""A click on a notice brings the window forward and opens what it is about, in the whole window."""

import random
import shutil
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from app.background import noticer as noticer_module
from app.desk.noticing.notice_text import Place
from app.store.journal import write_store
from app.store.secrets import SecretStore
from app.ui.base.page import PageServices
from app.ui.outbox.outbox_page import OutboxPage
from app.ui.theme.theme import Theme
from app.ui.today.today_page import TodayPage
from tests.support.journals import bring_to
from tests.support.keyring_session import KeyringSession
from tests.support.loop import RunningLoop
from tests.support.notification_server import NotificationServer
from tests.support.practice_process import SMALL, start_practice
from tests.ui.shell_help import Program, open_program

pytestmark = pytest.mark.skipif(shutil.which("dbus-daemon") is None, reason="there is no dbus-daemon")


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[NotificationServer]:
    session = KeyringSession(tmp_path / "session")
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", session.environment["DBUS_SESSION_BUS_ADDRESS"])
    made = NotificationServer(session.environment["DBUS_SESSION_BUS_ADDRESS"])
    yield made
    made.stop()
    session.stop()


@pytest.fixture
def program(
    loop: RunningLoop, theme: Theme, services: PageServices, tmp_path: Path, server: NotificationServer,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Program]:  # fmt: skip
    assert server.asked == []
    monkeypatch.setattr(noticer_module, "GATHER_MS", 20)
    monkeypatch.setattr(noticer_module, "REST_S", 0.0)
    folder = tmp_path / "data"
    start_practice(folder / "practice", *SMALL).stop()
    made = open_program(loop, theme, services, folder, SecretStore(seconds=5))
    loop.run(made.shell.begin_work(made.secrets, made.practice))
    loop.until(lambda: made.window.link_label.text().startswith("✓ Connected"))
    loop.until(lambda: made.shell.noticing is not None and made.shell.noticing.desktop.can_show)
    loop.until(lambda: made.shell.orders.model.rowCount() > 10)
    yield made
    made.close()


def shown(program: Program) -> str:
    return program.shell._shown_page()


def refuse(program: Program, reference: str) -> int:
    desk = program.shell.desk
    assert desk is not None
    now = datetime.now().astimezone()
    write = desk.journal.write_now(write_store.queue_write, desk.profile.id, "submit", reference, b"{}", now)
    bring_to(desk.journal, write, "rejected", now)
    program.shell.services.news.wrote.emit()
    return write


def test_a_click_on_a_notice_opens_its_place(
    program: Program, server: NotificationServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop, shell = program.loop, program.shell
    assert shell.noticing is not None
    noticer = shell.noticing.noticer
    loop.until(lambda: not noticer.busy)
    # The person works in another program: this platform has no other windows.
    monkeypatch.setattr(shell.noticing, "_looked_at", frozenset)
    monkeypatch.setattr(noticer, "_looked_at", frozenset)
    first = refuse(program, "PLACE-1")
    loop.until(lambda: server.asked)
    assert server.asked[0].heading == "An order was refused"
    assert "PLACE" not in server.asked[0].body
    assert server.asked[0].body.endswith("In practice: nothing has left this computer.")
    server.click(server.asked[0].id)
    loop.until(lambda: shown(program) == "outbox")
    outbox = shell.page("outbox")
    assert isinstance(outbox, OutboxPage)
    loop.until(lambda: outbox.story.shown_id == first)

    number = next(iter(shell.orders.model.pages.values()))[0].number
    places = shell.news_routes
    places.open_place(Place("order", (number,)))
    loop.until(lambda: shown(program) == "orders" and shell.orders.side.key == number)
    places.open_place(Place("today"))
    assert shown(program) == "today"
    today = shell.page("today")
    assert isinstance(today, TodayPage)
    loop.until(lambda: len(today.board.groups) > 1)
    group = random.Random(1).choice([each for each in today.board.groups[1:] if each.lines])
    places.open_place(Place("today", rule=group.rule.name))
    loop.until(lambda: today.list.current is not None and today.list.current.reason.rule == group.rule.name)
    shell.leave_out({"today"})
    places.open_place(Place("today", rule="soon"))
    loop.until(lambda: shown(program) == "orders")
    places.open_place(Place("today", rule="changed"))
    loop.until(lambda: "watched" in shell.orders.line.editor.text().casefold())
    places.open_place(Place("today"))
    assert shown(program) == "outbox"


def test_a_trial_and_the_settings_are_a_click_apart(program: Program, server: NotificationServer) -> None:
    assert program.shell.noticing is not None
    program.shell.noticing.show_trial()
    program.loop.until(lambda: server.asked)
    server.click(server.asked[0].id)
    program.loop.until(lambda: shown(program) == "settings")
    section = program.shell.page("settings").notices_section  # type: ignore[attr-defined]
    program.loop.until(lambda: section.state_label.text() == "Recorder 1.0 shows them.")
