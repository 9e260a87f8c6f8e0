"""Keys that destroy: never from a field, never on a row that is not in sight, never on what the list does not hold."""

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMessageBox, QPlainTextEdit

from app.contract.draft import FreightDraft
from app.desk.desk import Desk
from app.desk.sending import outbox
from app.store.cache.order_rows import OrderFacts
from app.ui.base.page import Page, PageServices
from app.ui.orders.detail.order_detail import DetailPane
from app.ui.orders.orders_page import OrdersPage
from app.ui.widgets.buttons import shortcut
from app.ui.widgets.grid.grid import RowColumn, RowsEditor
from app.ui.widgets.layout import column
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show
from tests.ui.orders.orders_help import choose, fill, idle, numbers, select, shown
from tests.ui.orders.orders_help import order as bare_order
from tests.ui.questions_help import question

CTRL = Qt.KeyboardModifier.ControlModifier
COLUMNS = (RowColumn("commodity", "Commodity"), RowColumn("count", "Count", 90))
MANY = 60  # more rows than the page shows


def order(number: int, **columns: Any) -> OrderFacts:
    """One that names its reference in its own text too."""
    return bare_order(number, **{"extra": {"CRN": f"R-{number:05}"}, **columns})


@pytest.fixture
def page(loop: RunningLoop, services: PageServices, show: Show, offline_desk: Desk) -> OrdersPage:
    fill(loop, offline_desk, [order(number) for number in range(1, MANY + 1)])
    made = OrdersPage(services)
    show(made)
    shown(loop, made, offline_desk)
    return made


def delete(page: OrdersPage) -> None:
    """Ctrl+Delete where the keyboard is."""
    QTest.keyClick(QApplication.focusWidget() or page, Qt.Key.Key_Delete, CTRL)


def opened(loop: RunningLoop, page: OrdersPage, number: int) -> DetailPane:
    choose(loop, page, number)
    pane = page.side.order
    assert pane is not None
    loop.until(lambda: pane.isVisible() and pane.title.text() == f"R-{number:05}")
    return pane


def filtered(loop: RunningLoop, page: OrdersPage, text: str) -> None:
    page.filter.setText(text)
    loop.until(lambda: idle(page) and not page.tasks.running("listed"))


def nothing_asked(loop: RunningLoop, page: OrdersPage, desk: Desk) -> bool:
    loop.rest()
    loop.until(lambda: idle(page))
    return not page.findChildren(QMessageBox) and not loop.run(outbox.writes(desk, (), 5))


def test_in_a_field_keys_that_delete_are_the_fields(
    loop: RunningLoop, services: PageServices, theme: object, show: Show
) -> None:
    page = Page(services, "any")
    line, text = QLineEdit("one two"), QPlainTextEdit("three four")
    grid = RowsEditor(services.theme, "Freight lines", COLUMNS, "Add", FreightDraft)
    page.setLayout(column(line, text, grid))
    pressed: list[str] = []
    for key in ("Ctrl+Delete", "Ctrl+Backspace", "Delete", "Shift+Delete"):
        shortcut(page, key, lambda key=key: pressed.append(key))  # type: ignore[misc]
    show(page)
    line.setFocus()
    line.setCursorPosition(0)
    QTest.keyClick(line, Qt.Key.Key_Delete, CTRL)
    assert line.text() == "two"
    line.end(False)
    QTest.keyClick(line, Qt.Key.Key_Backspace, CTRL)
    assert line.text() == ""
    text.setFocus()
    QTest.keyClick(text, Qt.Key.Key_Delete, CTRL)
    assert text.toPlainText().strip() == "four"
    grid.load([FreightDraft("SOFA"), FreightDraft("CHAIR")])
    grid.go_to(0, 0)
    QTest.keyClick(grid.grid, Qt.Key.Key_F2)
    editor = QApplication.focusWidget()
    assert isinstance(editor, QLineEdit)
    editor.home(False)
    QTest.keyClick(editor, Qt.Key.Key_Delete, CTRL)
    loop.rest()
    assert [each.commodity for each in grid.rows()] == ["", "CHAIR"], "the word went, the row did not"
    assert pressed == []


def test_ctrl_delete_in_the_filter_deletes_a_word_and_offers_no_order(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk
) -> None:
    opened(loop, page, MANY)
    page.filter.setText("R-00060 memphis")
    page.focus_filter()
    page.filter.home(False)
    delete(page)
    assert page.filter.text() != "R-00060 memphis"
    assert page.filter.text().endswith("memphis")
    assert nothing_asked(loop, page, offline_desk)


def test_an_order_that_was_closed_is_not_offered(loop: RunningLoop, page: OrdersPage, offline_desk: Desk) -> None:
    pane = opened(loop, page, MANY)
    page.side.close()
    page.table.clearSelection()
    page.table.setFocus()
    QTest.keyClick(page, Qt.Key.Key_Delete, CTRL)
    assert nothing_asked(loop, page, offline_desk)
    assert page.bar.text == "No order is selected."
    pane.ask_cancel()
    assert nothing_asked(loop, page, offline_desk)


def test_the_selected_order_is_asked_about_also_while_another_was_shown_last(
    loop: RunningLoop, page: OrdersPage
) -> None:
    opened(loop, page, MANY)
    page.side.close()
    select(page, MANY - 3)
    page.side.close()
    page.table.setFocus()
    delete(page)
    assert question(loop, page).text().startswith(f"Cancel order R-{MANY - 3:05} ")
    question(loop, page).reject()


def test_a_row_that_was_scrolled_away_is_shown_before_anything_is_done_with_it(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk
) -> None:
    opened(loop, page, MANY)
    page.table.setFocus()
    page.table.verticalScrollBar().setValue(page.table.verticalScrollBar().maximum())
    row = page.model.row_of(MANY)
    assert row is not None
    assert not page.table.is_row_visible(row)
    delete(page)
    assert nothing_asked(loop, page, offline_desk)
    assert "out of sight" in page.bar.text
    assert page.table.is_row_visible(row)
    delete(page)
    assert question(loop, page).text().startswith(f"Cancel order R-{MANY:05} ")
    question(loop, page).reject()


def test_of_many_rows_it_is_said_how_many_are_out_of_sight(loop: RunningLoop, page: OrdersPage) -> None:
    page.table.setFocus()
    page.table.selectAll()
    hidden = sum(not page.table.is_row_visible(row) for row in range(MANY))
    assert 0 < hidden < MANY
    delete(page)
    box = question(loop, page)
    assert f"{hidden} of the selected rows are out of sight in the list." in box.informativeText()
    box.reject()


def test_what_is_filtered_out_says_so_and_lets_nothing_be_done_with_it(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk
) -> None:
    pane = opened(loop, page, MANY)
    assert pane.cancel_button.isVisible()
    places = [each.pos() for each in (pane.head.rail, pane.states)]
    filtered(loop, page, "R-00007")
    assert numbers(page) == [7]
    assert pane.isVisible()
    assert not pane.is_listed
    assert pane.head.gone_label.isVisible()
    assert [each.pos() for each in (pane.head.rail, pane.states)] == places, "nothing moves"
    for each in (pane.cancel_button, pane.change_button, pane.clone_button, pane.look_up_button, pane.print_button):
        assert not each.isVisible()
    page.table.setFocus()
    page.table.clearSelection()
    QTest.keyClick(page, Qt.Key.Key_Delete, CTRL)
    assert nothing_asked(loop, page, offline_desk)
    assert "not in the list" in page.bar.text
    pane.cancel_button.click()
    assert nothing_asked(loop, page, offline_desk)
    pane.head.find_button.click()
    loop.until(lambda: idle(page) and numbers(page) == [MANY] and pane.is_listed)
    assert pane.cancel_button.isVisible()


def test_while_the_rows_are_not_those_that_are_asked_for_nothing_is_cancelled(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk
) -> None:
    opened(loop, page, MANY)
    page.table.setFocus()
    page.filter.setText("R-00007")  # the rows have not come yet
    delete(page)
    assert page.bar.text == "The list is still loading. Nothing was cancelled."
    assert nothing_asked(loop, page, offline_desk)


def test_an_order_on_a_page_of_the_list_that_is_not_at_hand_is_listed_all_the_same(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk
) -> None:
    fill(loop, offline_desk, [order(number) for number in range(100, 1_000)])
    page.reload()
    loop.until(lambda: idle(page) and page.model.rowCount() > 900)
    page.side.show_order(1)
    page.reload()
    loop.until(lambda: idle(page) and not page.tasks.running("listed"))
    assert page.model.row_of(1) is None
    pane = page.side.order
    assert pane is not None
    assert pane.is_listed


def test_an_order_that_was_asked_for_by_its_number_may_be_worked_on_until_the_list_is_another(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk
) -> None:
    fill(loop, offline_desk, [order(5_000, state="AVL")], "completed")
    page.reload()
    loop.until(lambda: idle(page))
    page.open_order(5_000)
    loop.until(lambda: idle(page))
    pane = page.side.order
    assert pane is not None
    page.reload()
    loop.until(lambda: idle(page) and not page.tasks.running("listed"))
    assert pane.is_listed
    filtered(loop, page, "R-00007")
    assert not pane.is_listed


def test_an_order_that_leaves_the_list_by_itself_is_not_worked_on_any_more(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk, services: PageServices
) -> None:
    pane = opened(loop, page, MANY)
    fill(loop, offline_desk, [order(MANY, state="CMP")], "completed")
    services.news.stored.emit()
    loop.until(lambda: idle(page) and MANY not in numbers(page) and not pane.is_listed)
    opened(loop, page, MANY - 1)
    assert pane.is_listed
