"""Columns as data: shown, hidden, moved and sized by mouse and by keys, each view its own, and kept."""

from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from app.desk.connections.connection_choices import read_choice
from app.desk.desk import Desk
from app.desk.orders import stored_orders
from app.ui.base.page import PageServices
from app.ui.orders.orders_page import OrdersPage
from app.ui.orders.table.arrangement import (
    Arrangement,
    default_arrangement,
    from_json,
    hidden,
    moved,
    names_of,
    resized,
    shown,
    to_json,
)
from app.ui.orders.table.column_list import ALL_COLUMNS, BY_NAME, GROUPS, OPEN_COLUMNS
from app.ui.orders.table.columns_dialog import ColumnsDialog
from app.ui.theme.tokens import COLUMN_LEAST, COLUMN_MOST, COLUMN_STEP
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show
from tests.ui.orders.orders_help import choose, fill, idle, numbers, order, selected
from tests.ui.orders.orders_help import shown as shown_on

ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def page(loop: RunningLoop, services: PageServices, show: Show, offline_desk: Desk) -> OrdersPage:
    made = OrdersPage(services)
    fill(loop, offline_desk, [order(number) for number in range(1, 301)])
    fill(loop, offline_desk, [order(900)], "completed")
    show(made)
    shown_on(loop, made, offline_desk)
    return made


def titles(page: OrdersPage) -> list[str]:
    """The headings from left to right."""
    header = page.table.horizontalHeader()
    return [page.model.columns[header.logicalIndex(at)].title for at in range(header.count())]


def kept(loop: RunningLoop, desk: Desk, view: str = "open") -> Arrangement:
    return from_json(loop.run(read_choice(desk, f"columns.{view}")), ())


def dialog(loop: RunningLoop, page: OrdersPage) -> ColumnsDialog:
    QTest.keyClick(page.table, Qt.Key.Key_F8)
    (found,) = page.findChildren(ColumnsDialog)
    loop.until(lambda: found.isActiveWindow() and found.list.hasFocus())
    return found


def stand_on(found: ColumnsDialog, title: str) -> None:
    rows = [at for at in range(found.list.count()) if found.list.item(at).text().split("  ·  ")[0] == title]
    found.list.setCurrentRow(rows[0])


def listed(found: ColumnsDialog) -> list[str]:
    return [found.list.item(at).text() for at in range(found.list.count())]


# Plain data


def test_an_arrangement_is_changed_by_plain_functions() -> None:
    first = default_arrangement(("crn", "city", "zip"))
    assert names_of(shown(first, "brand")) == ("crn", "city", "zip", "brand")
    assert shown(first, "city") == first
    assert names_of(hidden(first, "city")) == ("crn", "zip")
    assert names_of(moved(first, "zip", -2)) == ("zip", "crn", "city")
    assert names_of(moved(first, "crn", -5)) == ("crn", "city", "zip")
    assert names_of(moved(first, "crn", 5)) == ("city", "zip", "crn")
    assert moved(first, "brand", 1) == first
    assert dict(resized(first, "zip", 999_999))["zip"] == COLUMN_MOST
    assert dict(resized(first, "zip", 0))["zip"] == COLUMN_LEAST
    last = hidden(hidden(first, "crn"), "city")
    assert hidden(last, "zip") == last, "one column always stays"


@pytest.mark.parametrize("kept", [None, 3, "x", [], [["nothing", 5]], [["crn"]], [[1, 2]], [{"crn": 3}]])
def test_unreadable_parts_of_a_stored_arrangement_are_ignored(kept: object) -> None:
    assert from_json(kept, default_arrangement(("crn",))) == default_arrangement(("crn",))


def test_an_arrangement_survives_storing() -> None:
    first = resized(default_arrangement(OPEN_COLUMNS), "city", 77)
    assert from_json(to_json(first), ()) == first
    assert from_json([["crn", 50], ["crn", 70], ["gone", 9], ["zip", 60]], ()) == (("crn", 50), ("zip", 60))


def test_every_column_has_a_name_of_its_own_and_a_title() -> None:
    assert len(BY_NAME) == len(ALL_COLUMNS)
    assert len({(each.group, each.title) for each in ALL_COLUMNS}) == len(ALL_COLUMNS)


# On the page


def test_a_heading_that_is_dragged_stays_there_and_is_kept(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk
) -> None:
    choose(loop, page, 295)
    before = titles(page)
    page.table.horizontalHeader().moveSection(1, 3)
    wanted = [before[0], before[2], before[3], before[1], *before[4:]]
    assert titles(page) == wanted
    loop.until(lambda: [BY_NAME[name].title for name in names_of(kept(loop, offline_desk))] == wanted)
    page.reload()
    loop.until(lambda: idle(page))
    assert titles(page) == wanted
    assert selected(page) == [295]
    index = page.model.index(page.model.row_of(295) or 0, 1)
    assert index.data() == "R-00295", "what is dragged takes its cells along"


def test_a_heading_that_is_sized_is_kept(loop: RunningLoop, page: OrdersPage, offline_desk: Desk) -> None:
    at = [each.name for each in page.model.columns].index("city")
    page.table.horizontalHeader().resizeSection(at, 201)
    loop.until(lambda: dict(kept(loop, offline_desk)).get("city") == 201)
    page.reload()
    loop.until(lambda: idle(page))
    assert page.table.columnWidth(at) == 201


def test_each_list_has_its_own_columns_and_another_window_finds_them(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk, services: PageServices, show: Show
) -> None:
    page.columns.put(hidden(page.state.columns, "city"))
    assert "City" not in titles(page)
    page.tabs["completed"].setChecked(True)
    loop.until(lambda: idle(page) and numbers(page) == [900])
    assert "City" in titles(page)
    loop.until(lambda: "city" not in names_of(kept(loop, offline_desk) or default_arrangement(("city",))))
    page.tabs["open"].setChecked(True)
    loop.until(lambda: idle(page) and not page.tasks.busy)
    again = OrdersPage(services)
    show(again)
    shown_on(loop, again, offline_desk)
    assert "City" not in titles(again)
    again.columns.reset()
    assert titles(again) == [BY_NAME[name].title for name in OPEN_COLUMNS]


def test_columns_that_are_arranged_while_rows_are_read_stay(
    loop: RunningLoop, page: OrdersPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = stored_orders.first_rows

    async def arrange_meanwhile(*asked: Any) -> stored_orders.FirstRows:
        answer = await read(*asked)
        page.columns.put(hidden(page.state.columns, "city"))
        return answer

    monkeypatch.setattr(stored_orders, "first_rows", arrange_meanwhile)
    page.reload()
    loop.until(lambda: idle(page))
    assert "City" not in titles(page)


def test_columns_are_saved_for_the_connection_on_which_they_were_arranged(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk
) -> None:
    other = replace(offline_desk, profile=replace(offline_desk.profile, id="beta"))
    page.columns.put(hidden(page.state.columns, "city"))
    page.take_desk(other)  # before the first arrangement is saved
    loop.until(lambda: idle(page) and not page.tasks.busy)
    assert "city" not in names_of(kept(loop, offline_desk))
    assert not kept(loop, other)
    assert titles(page) == [BY_NAME[name].title for name in OPEN_COLUMNS]


@pytest.mark.qt_log_ignore("This plugin does not support grabbing the keyboard", extend=True)
def test_the_menu_of_a_heading_hides_shows_and_sorts(loop: RunningLoop, page: OrdersPage) -> None:
    header = page.table.horizontalHeader()
    city = [each.name for each in page.model.columns].index("city")
    at = QPoint(header.sectionViewportPosition(city) + 5, 5)
    header.customContextMenuRequested.emit(at)
    menu = open_menu(page)
    texts = [each.text() for each in menu.actions()]
    assert texts[:2] == ["Sort by City", "Hide City"]
    menu.actions()[1].trigger()
    assert "City" not in titles(page)
    menu.close()
    loop.rest()
    header.customContextMenuRequested.emit(QPoint(5, 5))
    menu = open_menu(page)
    (group,) = [each for each in menu.findChildren(QMenu) if each.title() == "Consignee"]
    (phone,) = [each for each in group.actions() if each.text() == "Phone"]
    assert phone.isCheckable()
    assert not phone.isChecked()
    phone.setChecked(True)
    assert titles(page)[-1] == "Phone"
    menu.close()
    loop.rest()


def open_menu(page: OrdersPage) -> QMenu:
    (found,) = [each for each in page.findChildren(QMenu) if each.isVisible()]
    return found


def test_the_list_of_columns_does_all_of_it_by_keys(loop: RunningLoop, page: OrdersPage, offline_desk: Desk) -> None:
    choose(loop, page, 290)
    found = dialog(loop, page)
    stand_on(found, "Consignee")
    QTest.keyClick(found.list, Qt.Key.Key_Up, ALT)
    assert titles(page)[:3] == ["Status", "Consignee", "Reference"]
    assert found.current == "consignee_name", "one stays on the column that moves"
    QTest.keyClick(found.list, Qt.Key.Key_Right, ALT)
    assert dict(page.state.columns)["consignee_name"] == BY_NAME["consignee_name"].width + COLUMN_STEP
    assert "Column 2 of" in found.width_label.text()
    stand_on(found, "Phone")
    assert found.width_label.text() == "Hidden"
    QTest.keyClick(found.list, Qt.Key.Key_Space)
    assert titles(page)[-1] == "Phone"
    stand_on(found, "Number")
    QTest.keyClick(found.list, Qt.Key.Key_Space)
    assert "Number" not in titles(page)
    found.sought.setText("facility code")
    assert listed(found) == ["Facility", "Facility code"]
    found.sought.setText("street manuf")
    assert listed(found) == ["Manufacturer", "Manufacturer street"]
    assert found.current == "manufacturer_street"
    found.sought.setText("no such thing")
    assert (listed(found), found.current, found.width_label.text()) == ([], "", "")
    assert found.nothing.isVisible()
    found.sought.clear()
    stand_on(found, "City")
    QTest.keyClick(found.list, Qt.Key.Key_S, ALT)
    loop.until(lambda: idle(page) and page.query.sort == "city")
    assert selected(page) == [290]
    QTest.keyClick(found, Qt.Key.Key_Escape)
    loop.until(lambda: not page.findChildren(ColumnsDialog))
    loop.until(lambda: "phone" in names_of(kept(loop, offline_desk)))


def test_hidden_columns_are_listed_by_group_and_keys_skip_headings(loop: RunningLoop, page: OrdersPage) -> None:
    page.columns.put(default_arrangement(("crn", "city")))
    found = dialog(loop, page)
    assert listed(found)[:5] == ["Shown", "Reference", "City  ·  Consignee", "Order", "Status"]
    headings = [text for at, text in enumerate(listed(found)) if not found.list.item(at).flags()]
    assert headings == ["Shown", *GROUPS]
    stood = []
    found.list.setCurrentRow(1)
    for _ in range(len(ALL_COLUMNS)):
        stood.append(found.current)
        QTest.keyClick(found.list, Qt.Key.Key_Down)
    assert set(stood) == set(BY_NAME)
    found.reject()
    loop.rest()


def test_the_last_column_cannot_be_hidden(loop: RunningLoop, page: OrdersPage) -> None:
    page.columns.put(default_arrangement(("crn",)))
    found = dialog(loop, page)
    stand_on(found, "Reference")
    QTest.keyClick(found.list, Qt.Key.Key_Space)
    assert titles(page) == ["Reference"]
    assert found.list.item(1).checkState() == Qt.CheckState.Checked
    found.reject()
    loop.rest()


def test_all_columns_at_once_show_and_scroll(loop: RunningLoop, page: OrdersPage) -> None:
    page.columns.put(default_arrangement([each.name for each in ALL_COLUMNS]))
    loop.rest()
    assert page.model.columnCount() == len(ALL_COLUMNS)
    assert page.table.horizontalScrollBar().maximum() > 0
    for place in range(page.model.columnCount()):
        assert isinstance(page.model.index(0, place).data(), str)
        page.model.index(0, place).data(Qt.ItemDataRole.ToolTipRole)


def test_from_the_field_that_finds_columns_down_and_space_tick_the_first_one(
    loop: RunningLoop, page: OrdersPage
) -> None:
    page.columns.open_dialog()
    (dialog,) = page.findChildren(ColumnsDialog)
    dialog.activateWindow()
    loop.until(dialog.isActiveWindow)
    QTest.keyClick(dialog.list, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert dialog.sought.hasFocus()
    QTest.keyClicks(dialog.sought, "carrier phone")
    QTest.keyClick(dialog.sought, Qt.Key.Key_Down)
    assert dialog.list.hasFocus()
    assert dialog.current == "carrier_phone"
    QTest.keyClick(dialog.list, Qt.Key.Key_Space)
    assert "carrier_phone" in [each.name for each in page.state.columns]
    QTest.keyClick(dialog.list, Qt.Key.Key_Up)
    assert dialog.sought.hasFocus(), "up from the first line leads back"
    QTest.keyClick(dialog.sought, Qt.Key.Key_Return)
    assert dialog.list.hasFocus()
    assert dialog.isVisible()
    dialog.reject()
