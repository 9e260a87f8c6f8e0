"""F1 names every key of the window, and fits into it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from app.store.cache import order_store
from app.store.secrets import SecretStore
from app.ui.base.page import PageServices
from app.ui.shell.key_list import AUDITS, BY_PAGE, LEADS_TO, LEFT, PHOTOS, RIGHT, sides_for
from app.ui.shell.keys_dialog import KeysDialog
from app.ui.theme.theme import Theme
from app.ui.widgets.text.keys import shown_key
from tests.support.loop import RunningLoop
from tests.ui.orders.orders_help import NOW, order
from tests.ui.shell_help import Program, open_program

KEYS = [each for _, keys in (*LEFT, *RIGHT) for each in keys]


@pytest.fixture
def program(
    loop: RunningLoop, theme: Theme, services: PageServices, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Program]:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus")
    made = open_program(loop, theme, services, tmp_path / "data", SecretStore(seconds=5))
    yield made
    made.close()


def named() -> set[str]:
    """Every key that the list names, at the left or in its words; of “Alt+2 to Alt+6” those between too."""
    found = {QKeySequence(key).toString() for key, _ in KEYS}
    for _, words in KEYS:
        found |= {each.rstrip(",.") for each in re.split(r"[\s;,]+", words)}
        for before, first, last in re.findall(r"((?:\w+\+)+)(\d) to (?:\w+\+)+(\d)", words):
            found |= {f"{before}{each}" for each in range(int(first), int(last) + 1)}
        if "arrow keys" in words:
            found |= {f"Ctrl+{each}" for each in ("Up", "Down", "Left", "Right")}
    return found


def test_every_key_of_every_page_is_in_the_list(program: Program, loop: RunningLoop) -> None:
    desk = program.shell.desk
    assert desk is not None
    loop.run(desk.cache.write(order_store.store_orders, desk.profile.id, "open", [order(771_001)], NOW))
    program.shell.go("orders")
    program.shell.orders.open_order(771_001)
    for name in ("today", "entry", "outbox", "bulk", "audits", "console", "orders"):
        program.shell.go(name)
        loop.until(lambda: not any(page.tasks.busy for page in program.shell.pages()))
    keys = {each.key().toString() for each in program.window.findChildren(QShortcut)} - {""}
    assert len(keys) > 50, "the pages are there"
    assert keys - named() - {"="} == set()  # the key of + without Shift


@pytest.mark.parametrize("key", [key for key, _ in KEYS])
def test_a_key_is_one(key: str) -> None:
    assert QKeySequence(key).count() == 1


@pytest.mark.parametrize(("width", "height"), [(960, 540), (1280, 800), (1920, 1080)])
def test_the_list_stays_within_the_window_and_scrolls_by_keys(
    program: Program, loop: RunningLoop, width: int, height: int
) -> None:
    program.window.resize(width, height)
    program.shell.go("orders")
    QTest.keyClick(program.window, Qt.Key.Key_F1)
    dialog = program.window.findChild(KeysDialog)
    assert dialog is not None
    loop.until(dialog.isVisible)
    assert dialog.width() <= width
    assert dialog.height() <= height
    bar = dialog._keys.verticalScrollBar()
    assert bar.maximum() > 0 or height > 1_000
    QTest.keyClick(dialog._keys, Qt.Key.Key_PageDown)
    assert (bar.value() > 0) == (bar.maximum() > 0)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    loop.until(lambda: program.window.findChild(KeysDialog) is None)


def test_enter_is_called_enter() -> None:
    assert shown_key("Ctrl+Return") == "Ctrl+Enter"
    assert shown_key("") == ""


def test_the_keys_of_the_page_one_is_on_come_first_and_typing_finds_a_key(program: Program, loop: RunningLoop) -> None:
    program.shell.go("outbox")
    QTest.keyClick(program.window, Qt.Key.Key_F1)
    dialog = program.window.findChild(KeysDialog)
    assert dialog is not None
    loop.until(dialog.isVisible)
    assert texts(dialog)[0] == "Outbox"
    QTest.keyClicks(dialog._keys, "low")
    assert dialog.sought.text() == "low"
    QTest.keyClicks(dialog.sought, " failed")
    loop.until(lambda: texts(dialog)[:2] == ["Audits", "S"])
    dialog.sought.setText("frobnicate")
    loop.rest()
    assert dialog._nothing.isVisible()
    assert texts(dialog) == []
    dialog.sought.clear()
    loop.rest()
    assert texts(dialog)[0] == "Outbox"
    dialog.reject()


def texts(dialog: KeysDialog) -> list[str]:
    """What the list says, from top to bottom of its first side, then of the second."""
    return [each.text() for each in dialog._inner.findChildren(QLabel)]


def test_every_group_is_shown_once_wherever_one_asks() -> None:
    every = sorted(heading for heading, _ in (*LEFT, *RIGHT))
    for page in (*BY_PAGE, "settings", ""):
        left, right = sides_for(page)
        assert sorted(heading for heading, _ in (*left, *right)) == every


def test_keys_of_pages_that_are_switched_off_are_not_listed(program: Program, loop: RunningLoop) -> None:
    program.shell.leave_out({"today", "audits", "loads", "quotes", "insights"})
    program.shell.go("orders")
    QTest.keyClick(program.window, Qt.Key.Key_F1)
    dialog = program.window.findChild(KeysDialog)
    assert dialog is not None
    loop.until(dialog.isVisible)
    shown = texts(dialog)
    assert {"Today", "Audits", "Photos", "Loads", "Insights", "Quotes and trucks"}.isdisjoint(shown)
    assert {"Trucks", "Facilities", "Import", "Console"} <= set(shown)
    assert "The load of the selected order" not in shown
    assert "The facilities for the ZIP of the selected order" in shown
    dialog.sought.setText("loupe")
    loop.rest()
    assert texts(dialog) == [], "nor are they found by typing"
    dialog.reject()


@pytest.mark.parametrize("page", ["", *BY_PAGE])
def test_each_page_that_is_off_takes_its_own_lines_alone(page: str) -> None:
    def lines(off: set[str]) -> set[tuple[str, str]]:
        return {line for side in sides_for(page, off) for _, keys in side for line in keys}

    everything = lines(set())
    for name, groups in LEADS_TO.items():
        gone = everything - lines({name})
        assert {line for group, key in groups for line in group if line[0] == key} <= gone
    assert everything - lines({"audits"}) == {*AUDITS, *PHOTOS} - lines({"audits"})
    assert everything - lines({"quotes"}) == set(), "trucks have the same keys"
    assert lines({"quotes", "trucks"}) < everything
