"""What stands around the rows of every page: one primary button, buttons for what keys do, a status bar of its own."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton

from app.desk.desk import Desk
from app.store.cache import order_store
from app.store.secrets import SecretStore
from app.ui.audits.audits_page import AuditsPage
from app.ui.base.page import PageServices
from app.ui.base.rail import ENTRIES
from app.ui.insights.insights_page import InsightsPage
from app.ui.theme.theme import Theme
from app.ui.today.today_page import TodayPage
from app.ui.widgets.buttons import Tool, ToolRow
from app.ui.widgets.layout import holding, row
from tests.support.fault_server import FaultServer
from tests.support.loop import RunningLoop
from tests.support.mornings import DAY, TODAY, Morning, keep_morning
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
        cut += cut_off(program, name)
    assert cut == []


def cut_off(program: Program, name: str) -> list[str]:
    """The buttons of a page that are cut off."""
    page = program.shell.page(name)
    cut = []
    for each in page.findChildren(QPushButton):
        left = each.mapTo(page, QPoint(0, 0)).x()
        inside = left >= 0 and left + each.width() <= page.width()
        if each.isVisible() and not (inside and each.width() >= each.minimumSizeHint().width()):
            cut.append(f"{name}: {each.accessibleName()}")
    return cut


@pytest.mark.usefixtures("large_text")
def test_large_text_cuts_off_no_button_of_the_pages_of_orders(program: Program) -> None:
    fill(program)
    program.window.resize(1024, 700)
    cut = []
    for name in ("today", "orders", "entry", "outbox", "bulk"):
        show(program, name)
        program.loop.rest()
        assert program.window.width() == 1024, name
        cut += cut_off(program, name)
    assert cut == []


def order_beside_today(program: Program, width: int, height: int) -> TodayPage:
    """*Today* with an order open that has documents, a phone number and all actions."""
    desk = program.shell.desk
    assert desk is not None
    made = Morning(random.Random(1))
    for days in (9, 5):
        made.add(requested_delivery=TODAY - days * DAY, phone="901-555-0109", city="Memphis", status="DSO")
    program.loop.run(keep_morning(desk, made))
    program.window.resize(width, height)
    show(program, "today")
    page = program.shell.page("today")
    assert isinstance(page, TodayPage)
    page.reload()
    settle(program)
    page.open_current()
    settle(program)
    assert page.side.order is not None
    page.side.order.head.show_documents(4)
    page.side.order.head.show_state("DSO", "Dispatched (DSO)")
    settle(program)
    assert (program.window.width(), program.window.height()) == (width, height)
    return page


def is_whole(shown: QPushButton | QLabel, page: TodayPage) -> bool:
    """Whether nothing of its width is cut off, neither by itself nor by what it stands in."""
    around, left = shown.parentWidget(), shown.x()
    while around is not page:
        assert around is not None
        if left < 0 or left + shown.width() > around.width():
            return False
        left, around = left + around.x(), around.parentWidget()
    return left >= 0 and left + shown.width() <= page.width() and shown.width() >= shown.sizeHint().width()


@pytest.mark.parametrize(("width", "height"), [(960, 540), (1024, 700), (1280, 800)])
def test_nothing_is_cut_off_in_today_beside_an_order(program: Program, width: int, height: int) -> None:
    page = order_beside_today(program, width, height)
    head = page.side.order.head if page.side.order is not None else None
    assert head is not None
    looked_at: list[QPushButton | QLabel] = [*page.findChildren(QPushButton)]
    looked_at += [each for each in head.findChildren(QLabel) if each not in (head.title, head.why_label)]  # they wrap
    seen = [each for each in looked_at if each.isVisible() and each.text()]
    assert {head.cancel_button, head.documents_button, head.state_label, page.open_button} <= set(seen)
    assert [each.text() for each in seen if not is_whole(each, page)] == []
    assert head.state_label.text() == "▶ Dispatched (DSO)"


def test_a_message_of_the_window_covers_no_button_of_today(program: Program) -> None:
    page = order_beside_today(program, 1280, 800)
    bar = program.window.bar
    show(program, "orders")
    bar.say("bad", "The provider refused order R-1.", "Show outbox", bool)
    program.loop.rest()
    low = bar.geometry().bottom()
    show(program, "today")
    settle(program)
    ground = bar.parentWidget()
    assert ground is not None
    foot = QRect(page.foot.mapTo(ground, QPoint(0, 0)), page.foot.size())
    assert bar.isVisible()
    assert not bar.geometry().intersects(foot)
    show(program, "orders")
    assert bar.geometry().bottom() == low


def test_what_has_no_room_below_today_is_in_a_menu(program: Program) -> None:
    page = order_beside_today(program, 1024, 700)
    tools = page.tools
    hidden = tools.hidden_tools()
    assert hidden[-1] == "done"
    assert tools.buttons["look up"].x() == 0, "no gap after the button before it"
    assert tools.more.isVisible()
    assert [each.text() for each in tools.menu().actions()][-2:] == ["Snooze…\tS", "Done for today\tD"]
    program.window.resize(1600, 900)
    page.side.close()
    program.loop.until(lambda: tools.hidden_tools() == [])
    assert not tools.more.isVisible()
    page.finish()
    settle(program)
    page.tabs["done"].setChecked(True)
    settle(program)
    assert [name for name, each in tools.buttons.items() if each.isVisible()] == ["call", "again"]
    assert tools.buttons["again"].text() == "Show again  B"


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


def test_a_longer_name_of_a_button_does_not_take_the_keyboard_from_another(theme: Theme, show: Show) -> None:
    def tool(name: str) -> Tool:
        return Tool(name, name.title(), "", lambda: None, "C", "", kind="normal", shows_key=True)

    row_of_tools = ToolRow(theme, [tool("call"), tool("done")])
    around = holding(row(row_of_tools, None))
    around.resize(600, 40)
    show(around)
    row_of_tools.buttons["done"].setFocus()
    row_of_tools.set_title("call", "Call 901-555-0109")
    assert row_of_tools.buttons["call"].text() == "Call 901-555-0109  C"
    assert row_of_tools.hidden_tools() == []
    assert row_of_tools.buttons["done"].hasFocus()
    row_of_tools.offer(["done"])
    assert row_of_tools.buttons["call"].isHidden()
    assert row_of_tools.hidden_tools() == []
    assert not row_of_tools.more.isVisible()


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
