"""What stands around the rows of every page: one primary button, buttons for what keys do, a status bar of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from app.desk.desk import Desk
from app.store.cache import order_store
from app.store.secrets import SecretStore
from app.ui.audits.audits_page import AuditsPage
from app.ui.base.page import PageServices
from app.ui.base.rail import ENTRIES
from app.ui.insights.insights_page import InsightsPage
from app.ui.theme.theme import Theme
from app.ui.widgets.buttons import Tool, ToolRow
from tests.support.fault_server import FaultServer
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show
from tests.ui.orders.orders_help import NOW, order
from tests.ui.shell_help import Program, keep_profile, open_program

PAGES = [each.name for each in ENTRIES]


@pytest.fixture
def program(
    loop: RunningLoop, theme: Theme, services: PageServices, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Program]:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus")
    made = open_program(loop, theme, services, tmp_path / "data", SecretStore(seconds=5))
    made.shell.take_services(made.secrets, made.practice)
    yield made
    made.close()


def fill(program: Program, count: int = 3) -> Desk:
    desk = program.shell.desk
    assert desk is not None
    orders = [order(771_001 + at) for at in range(count)]
    program.loop.run(desk.cache.write(order_store.store_orders, desk.profile.id, "open", orders, NOW))
    program.shell.orders.reload()
    settle(program)
    return desk


def settle(program: Program) -> None:
    program.loop.until(lambda: not any(page.tasks.busy for page in program.shell.pages()))
    program.loop.rest()


def show(program: Program, name: str) -> str:
    """Go to a page; what the status bar says then."""
    program.shell.go(name)
    settle(program)
    return program.window.left_label.text()


def primary(program: Program) -> list[str]:
    buttons = program.window.findChildren(QPushButton)
    return [each.accessibleName() for each in buttons if each.property("kind") == "primary" and each.isVisible()]


# One primary button


def test_every_page_has_one_primary_button(program: Program) -> None:
    found = {}
    for name in PAGES:
        show(program, name)
        found[name] = len(primary(program))
    # With nothing to do, with no write in the outbox, and with no operation chosen there is nothing to be done.
    without = ("today", "outbox", "console")
    assert found == {name: int(name not in without) for name in PAGES}


def test_the_primary_button_of_orders_begins_an_order(program: Program) -> None:
    show(program, "orders")
    assert primary(program) == ["New order"]
    program.shell.orders.new_button.click()
    settle(program)
    assert primary(program) == ["Submit order"]


# The status bar


def test_the_status_bar_speaks_of_the_page_in_sight(program: Program) -> None:
    fill(program)
    said = {name: show(program, name) for name in PAGES}
    assert "3 orders" in said["orders"]
    assert said["today"].endswith(tuple("0123456789"))
    assert "read at" in said["today"]
    assert said["outbox"] == "Nothing waits and nothing is in doubt"
    assert said["bulk"] == "No file is open"
    assert said["loads"] == "No load chosen"
    assert said["facilities"] == "Not looked up yet"
    assert said["console"] == "No call was made here yet"
    assert said["settings"] == "Practice is in use · 1 connection"
    assert said["quotes"].endswith("none sent yet")
    assert "as of" in said["insights"]
    assert "order" not in said["audits"]
    # None of the others says what Orders said.
    assert [name for name, each in said.items() if "3 orders" in each] == ["orders"]


def test_several_selected_orders_are_counted(program: Program) -> None:
    fill(program)
    show(program, "orders")
    table = program.shell.orders.table
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert program.window.left_label.text().startswith("3 selected · 3 orders")
    table.clearSelection()
    assert program.window.left_label.text().startswith("3 orders")


def test_what_was_said_of_another_connection_is_taken_back(program: Program, fault_server: FaultServer) -> None:
    fill(program)
    assert "3 orders" in show(program, "orders")
    profile = keep_profile(program, fault_server)
    program.shell.open_desk(profile)
    assert "3 orders" not in program.window.left_label.text()


def test_a_page_that_is_not_in_sight_does_not_speak(program: Program) -> None:
    fill(program)
    said = show(program, "outbox")
    program.shell.orders.fetching.status_changed.emit("something else")
    assert program.window.left_label.text() == said


# Standing buttons


def test_orders_can_be_exported_printed_and_arranged_by_button(program: Program) -> None:
    fill(program)
    program.window.resize(1600, 900)
    show(program, "orders")
    tools = program.shell.orders.tools
    assert tools.hidden_tools() == []
    assert [each.accessibleName() for each in tools.buttons.values()] == ["Export…", "Print…", "Columns…"]
    assert "Ctrl+Shift+E" in tools.buttons["export"].accessibleDescription()
    assert "F8" in tools.buttons["columns"].accessibleDescription()
    table = program.shell.orders.table
    table.clearSelection()
    assert not tools.buttons["print"].isEnabled()
    assert "No order is selected" in tools.buttons["print"].accessibleDescription()
    table.select_only(0)
    assert tools.buttons["print"].isEnabled()
    for each in tools.buttons.values():
        assert each.focusPolicy() & Qt.FocusPolicy.TabFocus


@pytest.mark.parametrize("width", [960, 1024, 1280])
def test_no_button_is_cut_off_in_a_small_window(program: Program, width: int) -> None:
    fill(program)
    program.window.resize(width, 700)
    cut = []
    for name in PAGES:
        show(program, name)
        assert program.window.width() == width
        page = program.shell.page(name)
        for each in page.findChildren(QPushButton):
            left = each.mapTo(page, QPoint(0, 0)).x()
            inside = left >= 0 and left + each.width() <= page.width()
            if each.isVisible() and not (inside and each.width() >= each.minimumSizeHint().width()):
                cut.append(f"{name}: {each.accessibleName()}")
    assert cut == []


def test_without_room_the_buttons_are_in_a_menu(program: Program) -> None:
    fill(program)
    program.window.resize(960, 540)
    show(program, "orders")
    page, tools = program.shell.orders, program.shell.orders.tools
    program.loop.until(lambda: bool(tools.hidden_tools()))
    assert tools.more.isVisible()
    assert page.filter.width() >= 0.35 * page.width()
    assert page.new_button.mapTo(page, QPoint(0, 0)).x() + page.new_button.width() <= page.width()
    titles = [each.text().partition("\t")[0] for each in tools.menu().actions()]
    assert titles == [{"export": "Export…", "print": "Print…", "columns": "Columns…"}[n] for n in tools.hidden_tools()]


def test_a_row_of_buttons_shows_as_many_as_fit(theme: Theme, show: Show) -> None:
    done: list[str] = []

    def tool(name: str) -> Tool:
        return Tool(name, name.title(), "download", lambda: done.append(name), "Ctrl+1", f"Do {name}")

    row = ToolRow(theme, [tool("first"), tool("second"), tool("third")])
    show(row)
    full = row.sizeHint().width()
    row.resize(full, 30)
    row.fit()
    assert row.hidden_tools() == []
    row.buttons["third"].setFocus()
    row.resize(full - 1, 30)
    row.fit()
    assert row.hidden_tools()[-1] == "third"
    assert row.more.hasFocus(), "the keyboard goes to where the button went"
    row.resize(row.minimumSizeHint().width(), 30)
    row.fit()
    assert row.hidden_tools() == ["first", "second", "third"]
    row.set_possible("second", False, "Not now")
    menu = row.menu()
    assert [each.isEnabled() for each in menu.actions()] == [True, False, True]
    menu.actions()[2].trigger()
    assert done == ["third"]


def test_the_audits_lead_to_their_plots(program: Program) -> None:
    show(program, "audits")
    page = program.shell.page("audits")
    assert isinstance(page, AuditsPage)
    page.head.plots_button.click()
    settle(program)
    insights = program.shell.page("insights")
    assert isinstance(insights, InsightsPage)
    assert insights.isVisible()
    program.loop.until(lambda: not insights.cards["audit_facilities"].visibleRegion().isEmpty())
