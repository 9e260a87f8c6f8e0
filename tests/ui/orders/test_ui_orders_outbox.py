"""The writes of the outbox among the orders: marked, found by the filter, opened beside the table, and no orders."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton

from app.desk.desk import Desk
from app.desk.sending import outbox
from app.store.cache import order_store
from app.store.journal import write_store
from app.store.journal.records import Outcome
from app.ui.base.page import PageServices
from app.ui.orders.orders_page import OrdersPage
from tests.support.desks import submission
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show
from tests.ui.orders.orders_help import fill, order
from tests.ui.orders.orders_help import idle as quiet


@pytest.fixture
def page(loop: RunningLoop, services: PageServices, show: Show, offline_desk: Desk) -> OrdersPage:
    made = OrdersPage(services)
    fill(loop, offline_desk, [order(number) for number in range(1, 301)])
    show(made)
    made.take_desk(offline_desk)
    loop.until(lambda: idle(made))
    return made


@pytest.fixture(autouse=True)
def clipboard() -> Iterator[None]:
    yield
    QApplication.clipboard().clear()


def idle(page: OrdersPage) -> bool:
    return quiet(page) and not any(page.tasks.running(name) for name in ("outbox", "story"))


def queue(loop: RunningLoop, page: OrdersPage, *references: str) -> list[int]:
    """Queue these, and let the page hear of it."""
    ids = [loop.run(outbox.queue_submission(page.desk, submission(each), None)) for each in references]
    tell(loop, page)
    return ids


def end(loop: RunningLoop, page: OrdersPage, write: int, outcome: Outcome) -> None:
    desk = page.desk
    attempt = loop.run(desk.journal.write(write_store.begin_attempt, write, desk.now()))
    loop.run(desk.journal.write(write_store.end_attempt, attempt, outcome, desk.now()))
    tell(loop, page)


def tell(loop: RunningLoop, page: OrdersPage) -> None:
    page.services.news.queue_changed.emit()
    loop.until(lambda: idle(page))


def tops(page: OrdersPage) -> list[tuple[str, str]]:
    return [(str(page.model.index(row, 0).data()), reference(page, row)) for row in range(page.model.outbox_count)]


def reference(page: OrdersPage, row: int) -> str:
    return str(page.model.index(row, 1).data())


def test_what_waits_for_the_connection_says_so_among_the_orders(loop: RunningLoop, page: OrdersPage) -> None:
    queue(loop, page, "R-1")
    assert tops(page) == [("⇪ Queued", "R-1")]
    page.desk.blocked = "The provider does not allow this."
    tell(loop, page)
    state = page.model.index(0, 0)
    assert state.data() == "⇪ Needs you"
    assert state.data(Qt.ItemDataRole.AccessibleTextRole) == "In the outbox, order: Needs you"
    assert "until the connection is corrected" in state.data(Qt.ItemDataRole.ToolTipRole)
    page.desk.blocked = ""
    tell(loop, page)
    assert tops(page) == [("⇪ Queued", "R-1")]


def click(loop: RunningLoop, page: OrdersPage, row: int) -> None:
    place = page.table.visualRect(page.model.index(row, 1)).center()
    QTest.mouseClick(page.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    loop.until(lambda: idle(page))


def selected(page: OrdersPage) -> list[str]:
    return [reference(page, each.row()) for each in page.table.selectionModel().selectedRows()]


def test_they_stand_before_the_orders_and_count_apart(loop: RunningLoop, page: OrdersPage) -> None:
    assert page.count_label.whole == "300 orders"
    first, _ = queue(loop, page, "W-1", "W-2")
    end(loop, page, first, "unknown")
    assert tops(page) == [("⇪ In doubt", "W-1"), ("⇪ Queued", "W-2")]
    assert reference(page, 2) == "R-00300"
    assert page.count_label.whole == "300 orders, 2 in the outbox"
    assert page.tabs["open"].text() == "Open 300"
    page.tabs["completed"].setChecked(True)
    loop.until(lambda: idle(page) and page.model.rowCount() == 0)
    assert page.count_label.whole == "0 orders"
    page.tabs["open"].setChecked(True)
    loop.until(lambda: idle(page) and page.model.outbox_count == 2)


def test_an_order_of_the_outbox_is_cloned_as_any_other_row(loop: RunningLoop, page: OrdersPage) -> None:
    (write,) = queue(loop, page, "W-1")
    cloned: list[int] = []
    page.services.news.clone_write.connect(cloned.append)
    click(loop, page, 0)
    assert selected(page) == ["W-1"]
    QTest.keyClick(page.table, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    assert cloned == [write]
    assert page.bar.text == ""


def test_a_cancellation_in_the_outbox_is_not_cloned(loop: RunningLoop, page: OrdersPage) -> None:
    loop.run(outbox.queue_cancellation(page.desk, "R-00007"))
    tell(loop, page)
    cloned: list[int] = []
    page.services.news.clone_write.connect(cloned.append)
    click(loop, page, 0)
    QTest.keyClick(page.table, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    assert cloned == []
    assert page.bar.text == "This order is in the outbox. Its actions are beside the table."


def test_one_that_is_undone_or_confirmed_leaves(loop: RunningLoop, page: OrdersPage) -> None:
    first, second = queue(loop, page, "W-1", "W-2")
    loop.run(outbox.settle(page.desk, first, "withdrawn", "A change of mind."))
    end(loop, page, second, "accepted")
    assert tops(page) == [("⇪ Accepted", "W-2")]
    fill(loop, page.desk, [order(301, crn="W-2")])
    loop.run(outbox.settle(page.desk, second, "confirmed", "Read back."))
    page.services.news.stored.emit()
    loop.until(lambda: idle(page) and page.model.outbox_count == 0)
    assert reference(page, 0) == "W-2"
    assert page.count_label.whole == "301 orders"


def test_the_filter_acts_on_both_and_says_when_neither_has_any(loop: RunningLoop, page: OrdersPage) -> None:
    queue(loop, page, "W-1", "W-2")
    page.filter.setText("w-2")
    loop.until(lambda: idle(page) and tops(page) == [("⇪ Queued", "W-2")])
    assert page.model.rowCount() == 1
    assert page.states.state_text == ""
    assert page.count_label.whole == "0 orders, 1 in the outbox"
    page.filter.setText("w-3")
    loop.until(lambda: "No order matches this filter" in page.states.state_text)
    page.filter.setText("rivera")
    loop.until(lambda: idle(page) and page.model.outbox_count == 2)


def test_without_a_single_order_they_are_shown_all_the_same(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk
) -> None:
    empty = replace(offline_desk, profile=replace(offline_desk.profile, id="other"))
    page.take_desk(empty)
    loop.until(lambda: idle(page) and page.states.state_text != "")
    queue(loop, page, "W-1")
    assert tops(page) == [("⇪ Queued", "W-1")]
    assert page.states.state_text == ""
    page.take_desk(offline_desk)
    assert page.model.outbox_count == 0, "another desk's"
    loop.until(lambda: idle(page))
    assert page.model.outbox_count == 0


def test_a_click_opens_the_write_beside_the_table_and_an_order_takes_its_place(
    loop: RunningLoop, page: OrdersPage
) -> None:
    (write,) = queue(loop, page, "W-1")
    click(loop, page, 0)
    beside = page.side
    assert beside.write is not None
    assert beside.write.pane.isVisible()
    assert (beside.write.pane.shown_id, beside.write.pane.title.text()) == (write, "W-1")
    click(loop, page, 1)
    assert beside.order is not None
    assert (beside.order.isVisible(), beside.write.pane.isVisible()) == (True, False)
    assert beside.order.number_label.text() == "Number 300"
    click(loop, page, 0)
    assert (beside.order.isVisible(), beside.write.pane.isVisible()) == (False, True)
    QTest.keyClick(page.table, Qt.Key.Key_Escape)
    assert not beside.write.pane.isVisible()
    QTest.keyClick(page.table, Qt.Key.Key_Return)
    loop.until(lambda: idle(page))
    assert beside.write.pane.isVisible()
    QTest.keyClick(page.table, Qt.Key.Key_Down)
    loop.until(lambda: idle(page))
    assert beside.order.isVisible()


def test_what_is_done_beside_the_table_is_done(loop: RunningLoop, page: OrdersPage) -> None:
    (write,) = queue(loop, page, "W-1")
    click(loop, page, 0)
    assert page.side.write is not None
    page.side.write.pane.withdraw_button.click()
    loop.until(lambda: idle(page) and page.model.outbox_count == 0)
    assert loop.run(outbox.story(page.desk, write)).row.state == "withdrawn"
    assert page.side.write.pane.state_label.text() == "○ Order · Withdrawn", "its story stays until it is closed"
    assert page.side.key == -write
    assert selected(page) == []


def test_selection_and_place_are_kept_while_rows_come_and_go(loop: RunningLoop, page: OrdersPage) -> None:
    one, two = queue(loop, page, "W-1", "W-2")
    click(loop, page, 5)
    assert selected(page) == ["R-00297"]
    queue(loop, page, "W-3")
    assert selected(page) == ["R-00297"]
    loop.run(outbox.settle(page.desk, one, "withdrawn", "A change of mind."))
    tell(loop, page)
    assert selected(page) == ["R-00297"]
    bar = page.table.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    before = reference(page, page.table.rowAt(0))
    assert before.startswith("R-")
    queue(loop, page, "W-4", "W-5")
    assert reference(page, page.table.rowAt(0)) == before
    loop.run(outbox.settle(page.desk, two, "withdrawn", "A change of mind."))
    tell(loop, page)
    assert reference(page, page.table.rowAt(0)) == before
    assert selected(page) == ["R-00297"]
    bar.setValue(0)
    queue(loop, page, "W-6")
    assert reference(page, page.table.rowAt(0)) == "W-6", "who is at the start sees what comes there"


def test_a_row_that_leaves_takes_nothing_else_into_view(loop: RunningLoop, page: OrdersPage) -> None:
    one, two = queue(loop, page, "W-1", "W-2")
    click(loop, page, 0)
    loop.run(outbox.settle(page.desk, two, "withdrawn", "A change of mind."))
    tell(loop, page)
    assert page.side.key == -two, "the row below has become the current one, but nobody chose it"
    click(loop, page, 0)
    assert page.side.key == -one


def test_a_selection_of_both_is_copied_whole_and_cancels_only_orders(loop: RunningLoop, page: OrdersPage) -> None:
    queue(loop, page, "W-1")
    model = page.table.selectionModel()
    for row in (0, 1, 2):
        model.select(
            page.model.index(row, 0), QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
        )
    page.table.setFocus()
    QTest.keyClick(page.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    loop.until(lambda: "W-1" in QApplication.clipboard().text())
    _, *rows = QApplication.clipboard().text().split("\n")
    assert [each.split("\t")[1] for each in rows] == ["W-1", "R-00300", "R-00299"]
    assert rows[0].startswith("In the outbox, order: Queued. ")
    QTest.keyClick(page, Qt.Key.Key_Delete, Qt.KeyboardModifier.ControlModifier)
    loop.until(lambda: page.findChildren(QMessageBox))
    (box,) = page.findChildren(QMessageBox)
    assert isinstance(box, QMessageBox)
    assert box.text() == "Cancel 2 orders?"
    assert "W-1" not in box.informativeText()
    (yes,) = [each for each in box.findChildren(QPushButton) if each.text() == "Cancel the orders"]
    yes.click()
    loop.until(lambda: idle(page) and page.model.outbox_count == 3)
    loop.until(lambda: not page.tasks.running("cancel many"))
    shown = [("⇪ Cancel · Queued", "R-00299"), ("⇪ Cancel · Queued", "R-00300"), ("⇪ Queued", "W-1")]
    loop.until(lambda: idle(page) and tops(page) == shown)


def test_cancelling_a_write_says_where_it_is(loop: RunningLoop, page: OrdersPage) -> None:
    queue(loop, page, "W-1")
    click(loop, page, 0)
    QTest.keyClick(page, Qt.Key.Key_Delete, Qt.KeyboardModifier.ControlModifier)
    assert "This order is in the outbox" in page.bar.text
    assert not page.findChildren(QMessageBox)


def test_focus_alone_opens_nothing(loop: RunningLoop, page: OrdersPage) -> None:
    page.filter.setFocus()
    page.table.setFocus()
    loop.until(lambda: idle(page))
    assert page.table.currentIndex().row() == 0
    assert page.side.key is None
    QTest.keyClick(page.filter, Qt.Key.Key_Return)
    loop.until(lambda: idle(page))
    assert page.side.key == 300


def test_a_row_that_a_screen_reader_selects_is_opened(loop: RunningLoop, page: OrdersPage) -> None:
    flags = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
    page.table.selectionModel().select(page.model.index(3, 0), flags)
    loop.until(lambda: idle(page))
    assert page.side.key == 297
    page.table.selectionModel().select(page.model.index(5, 0), flags)
    assert page.side.key == 297, "with a second one there is none to open"


def test_of_many_the_first_stand_there_and_the_words_say_how_many_there_are(
    loop: RunningLoop, page: OrdersPage
) -> None:
    queue(loop, page, *(f"W-{number}" for number in range(130)))
    assert page.model.outbox_count == 100
    assert tops(page)[0] == ("⇪ Queued", "W-129")
    assert page.count_label.whole == "300 orders, 130 in the outbox"
    page.filter.setText("w-7")
    loop.until(lambda: idle(page) and page.model.outbox_count == 11)


# When it has become an order


def listed(loop: RunningLoop, page: OrdersPage, number: int, crn: str) -> None:
    """The provider's list has it by now."""
    seen = page.desk.now() + timedelta(seconds=5)
    orders = [order(number, crn=crn)]
    loop.run(page.desk.cache.write(order_store.store_orders, page.desk.profile.id, "open", orders, seen))
    page.services.news.stored.emit()
    loop.until(lambda: idle(page) and not page.tasks.running("follow"))


def test_the_story_that_is_open_follows_to_the_order_it_became(loop: RunningLoop, page: OrdersPage) -> None:
    (write,) = queue(loop, page, "W-1")
    click(loop, page, 0)
    assert page.side.key == -write
    end(loop, page, write, "accepted")
    assert page.side.key == -write, "accepted, and not listed yet"
    listed(loop, page, 901, "W-1")
    assert page.model.outbox_count == 0
    assert page.side.key == 901
    assert page.side.order is not None
    assert page.side.order.isVisible()
    assert page.side.write is not None
    assert not page.side.write.pane.isVisible()
    assert selected(page) == ["W-1"]
    assert page.bar.text == "W-1 is now listed as order 901."


def test_whoever_worked_in_the_story_goes_on_in_the_table(loop: RunningLoop, page: OrdersPage) -> None:
    (write,) = queue(loop, page, "W-1")
    click(loop, page, 0)
    end(loop, page, write, "accepted")
    assert page.side.write is not None
    inside = next(each for each in page.side.write.pane.findChildren(QPushButton) if each.isVisible())
    inside.setFocus()
    listed(loop, page, 901, "W-1")
    assert page.table.hasFocus()


def test_a_story_stays_whose_row_went_for_another_reason(loop: RunningLoop, page: OrdersPage) -> None:
    (write,) = queue(loop, page, "W-1")
    click(loop, page, 0)
    page.filter.setText("nothing like it")
    loop.until(lambda: idle(page) and page.model.outbox_count == 0)
    assert page.side.key == -write
    loop.run(page.desk.journal.write(write_store.settle, write, "withdrawn", "Withdrawn.", page.desk.now()))
    listed(loop, page, 901, "W-1")
    assert page.side.key == -write, "an order of that reference that this did not become"


def test_an_order_that_a_write_became_is_not_worked_on_where_the_list_does_not_hold_it(
    loop: RunningLoop, page: OrdersPage
) -> None:
    (write,) = queue(loop, page, "W-1")
    click(loop, page, 0)
    end(loop, page, write, "accepted")
    page.filter.setText("R-0000")
    loop.until(lambda: idle(page) and page.model.outbox_count == 0)
    listed(loop, page, 901, "W-1")
    loop.until(lambda: idle(page) and not page.tasks.running("listed"))
    assert page.side.key == 901
    assert page.side.order is not None
    assert not page.side.order.is_listed
    assert not page.side.order.cancel_button.isVisible()
    page.filter.setText("")
    loop.until(lambda: idle(page) and page.side.is_listed)
    assert page.side.order.cancel_button.isVisible()


def test_nothing_is_done_with_a_write_that_the_rows_do_not_hold(loop: RunningLoop, page: OrdersPage) -> None:
    (write,) = queue(loop, page, "W-1")
    asked: list[int] = []
    page.services.news.show_write.connect(asked.append)
    click(loop, page, 0)
    assert page.side.write is not None
    pane = page.side.write.pane
    assert pane.withdraw_button.isVisible()
    page.filter.setText("R-00007")
    loop.until(lambda: idle(page) and not pane.is_listed)
    assert not pane.withdraw_button.isVisible()
    pane.find_button.click()
    assert asked == [write]
    page.filter.setText("")
    loop.until(lambda: idle(page) and pane.is_listed)
    assert pane.withdraw_button.isVisible()
