"""Wherever Tab puts the keyboard, a screen reader has something to say and a person something to do."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QScrollArea, QWidget

from app.store.cache import order_store
from app.store.secrets import SecretStore
from app.ui.base.page import PageServices
from app.ui.base.rail import ENTRIES
from app.ui.theme.theme import Theme
from tests.support.loop import RunningLoop
from tests.ui.orders.orders_help import NOW, order
from tests.ui.shell_help import Program, open_program

MOST = 120  # stops of one page, with those of the rail and the bar


@pytest.fixture
def program(
    loop: RunningLoop, theme: Theme, services: PageServices, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Program]:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus")
    made = open_program(loop, theme, services, tmp_path / "data", SecretStore(seconds=5))
    yield made
    made.close()


def stops(program: Program) -> list[QWidget]:
    """The widgets that Tab comes to, once round the window."""
    found: list[QWidget] = []
    while len(found) < MOST:
        QTest.keyClick(program.window.focusWidget() or program.window, Qt.Key.Key_Tab)
        here = program.window.focusWidget()
        assert here is not None
        if here in found:
            return found
        found.append(here)
    raise AssertionError(f"Tab does not come round: {found[-5:]}")


def spoken(stop: QWidget) -> str:
    return QAccessible.queryAccessibleInterface(stop).text(QAccessible.Text.Name)


def test_tab_stops_at_nothing_without_a_name(program: Program, loop: RunningLoop) -> None:
    desk = program.shell.desk
    assert desk is not None
    loop.run(desk.cache.write(order_store.store_orders, desk.profile.id, "open", [order(771_001)], NOW))
    silent = {}
    for name in (each.name for each in ENTRIES):
        program.shell.go(name)
        loop.until(lambda: not any(page.tasks.busy for page in program.shell.pages()))
        found = stops(program)
        assert len(found) > 3, name
        silent[name] = [each for each in found if not spoken(each) or type(each) is QScrollArea]
    assert {name: found for name, found in silent.items() if found} == {}
