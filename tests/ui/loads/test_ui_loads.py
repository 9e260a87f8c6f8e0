"""The loads page: a load typed or chosen, its overage and orders, trouble, the way to an order and back."""

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from app.desk.desk import Desk
from app.desk.known import known_data
from app.desk.sending import outbox
from app.ui.base.page import PageServices
from app.ui.loads.loads_page import LoadsPage
from app.ui.orders.orders_page import OrdersPage
from tests.support.fault_server import INFORMATION, FaultServer
from tests.support.faults import Answer, json_answer
from tests.support.loop import RunningLoop
from tests.support.practice_process import PracticeProcess
from tests.ui.conftest import Show
from tests.ui.orders.orders_help import fill, idle, order
from tests.unit.desk.records.test_desk_loads import on_load

OVERAGE = INFORMATION + "/overage"
ITEMS = [
    {"commodity": "SOFA", "barcode": "B-9", "count": 2, "orderNumber": 11},
    {"commodity": "CHAIR", "barcode": "B-10", "count": 10, "orderReferenceNumber": "R-2"},
    {"commodity": "LAMP", "barcode": "B-11", "count": 1},
]


@pytest.fixture
def page(services: PageServices, show: Show, window_desk: Desk) -> LoadsPage:
    made = LoadsPage(services)
    show(made)
    made.take_desk(window_desk)
    made.enter()
    return made


def queue(loop: RunningLoop, desk: Desk, reference: str, load: str, *barcodes: str) -> None:
    async def work() -> None:
        await outbox.queue_submission(desk, on_load(reference, load, *barcodes), None)
        while await known_data.learn_some(desk):
            pass

    loop.run(work())


def resting(page: LoadsPage) -> bool:
    return not page.tasks.busy and not page._rest.isActive()


def ask(page: LoadsPage, loop: RunningLoop, load: str) -> None:
    page.loads.field.editor.setFocus()
    QTest.keyClicks(page.loads.field.editor, load)
    QTest.keyClick(page.loads.field.editor, Qt.Key.Key_Return)
    loop.until(lambda: page.shown.load == load and page.shown.answer is not None and resting(page))


def cells(page: LoadsPage) -> list[str]:
    model = page.overage.rows.records
    return [str(model.data(model.index(row, 0))) for row in range(model.rowCount())]


def texts(page: LoadsPage) -> list[list[str]]:
    model = page.orders.rows.records
    return [
        [str(model.data(model.index(row, at))) for at in range(model.columnCount())] for row in range(model.rowCount())
    ]


def test_a_page_without_a_load_says_what_to_do(page: LoadsPage, loop: RunningLoop) -> None:
    loop.until(lambda: resting(page))
    assert page.overage.states.state_text.startswith("No load chosen")
    assert page.loads.nothing.text() == "No order sent from this desk has named a load yet."
    assert page.page_commands() == []
    assert page.loads.field.editor.hasFocus()


def test_a_typed_load_shows_its_overage_as_the_provider_wrote_it(
    page: LoadsPage, loop: RunningLoop, fault_server: FaultServer
) -> None:
    fault_server.serve(OVERAGE, json_answer(ITEMS))
    ask(page, loop, "L-1")
    assert cells(page) == ["SOFA", "CHAIR", "LAMP"]
    assert page.title.text() == "Load L-1"
    loop.until(lambda: page.loads.list.count() == 1)
    assert page.loads.list.item(0).text() == "L-1 · 3 items over"
    assert page.loads.list.accessibleName() == "Loads", "no order of this desk has named it"
    assert page.age_label.text() == "3 items, as of just now"
    header = page.overage.rows.horizontalHeader()
    page.overage.rows._on_header(2)
    assert cells(page) == ["LAMP", "SOFA", "CHAIR"]
    page.overage.rows._on_header(2)
    assert cells(page) == ["CHAIR", "SOFA", "LAMP"]
    assert header.isSortIndicatorShown()
    QTest.keyClicks(page.overage.rows, "lam")
    assert cells(page) == ["LAMP"]
    assert page.overage.count_label.text() == "1 of 3 rows"


def test_nothing_over_is_said_of_the_load_and_when_the_provider_said_it(
    page: LoadsPage, loop: RunningLoop, fault_server: FaultServer
) -> None:
    fault_server.serve(OVERAGE, json_answer([]))
    ask(page, loop, "L-1")
    assert page.overage.states.state_text == (
        "No overage listed on load L-1 The provider was asked just now and listed no items."
    )
    assert not page.export_button.isEnabled()


def test_without_an_answer_the_reason_is_said_and_asked_again_by_a_button(
    page: LoadsPage, loop: RunningLoop, fault_server: FaultServer
) -> None:
    fault_server.serve(OVERAGE, Answer(403))
    ask(page, loop, "L-1")
    assert page.overage.states.state_text.startswith("The overage is not known")
    fault_server.serve(OVERAGE, json_answer(ITEMS))
    (again,) = [each for each in page.overage.states.findChildren(QPushButton) if each.text() == "Try again"]
    again.click()
    loop.until(lambda: cells(page) == ["SOFA", "CHAIR", "LAMP"])


def test_an_older_answer_stays_with_its_age_where_the_provider_fails(
    page: LoadsPage, loop: RunningLoop, fault_server: FaultServer
) -> None:
    fault_server.serve(OVERAGE, json_answer(ITEMS))
    ask(page, loop, "L-1")
    fault_server.serve(OVERAGE, Answer(403))
    page.ask()
    loop.until(lambda: resting(page))
    assert cells(page) == ["SOFA", "CHAIR", "LAMP"]
    assert page.bar.text.endswith("The overage shown is as of just now.")
    fault_server.serve(OVERAGE, json_answer([]))
    page.ask()
    loop.until(lambda: resting(page))
    assert page.bar.text == ""


def test_the_orders_of_the_load_stand_below_with_what_was_scanned(
    page: LoadsPage, loop: RunningLoop, window_desk: Desk, fault_server: FaultServer
) -> None:
    fault_server.serve(OVERAGE, json_answer([]))
    queue(loop, window_desk, "R-1", "L-1", "B-1", "B-2")
    queue(loop, window_desk, "R-2", "L-1", "B-3")
    papers = [{"Filename": "short.pdf", "Folder": "SOI", "Url": "https://x/s"}]
    fill(loop, window_desk, [order(12, crn="R-2", extra={"ProofOfDelivery": papers})])
    ask(page, loop, "L-1")
    first, second = texts(page)
    assert first[:4] == ["R-1", "✓ 2 of 2 CHAIR", "", "J. Rivera"]
    assert second[:3] == ["R-2", "! 1 of 2 CHAIR", "Short on inbound (SOI)"]
    assert (first[4], second[-1]) == ("◔ Queued", "12")


def test_the_loads_of_orders_are_listed_and_chosen_by_keys(
    page: LoadsPage, loop: RunningLoop, window_desk: Desk, fault_server: FaultServer
) -> None:
    fault_server.serve(OVERAGE, json_answer(ITEMS))
    queue(loop, window_desk, "R-1", "L-1", "B-1")
    queue(loop, window_desk, "R-2", "M-2", "B-2")
    page.enter()
    loop.until(lambda: page.loads.list.count() == 2)
    QTest.keyClicks(page.loads.field.editor, "m")
    loop.until(lambda: page.loads.list.count() == 1)
    page.loads.field.editor.clear()
    loop.until(lambda: page.loads.list.count() == 2)
    page.loads.field.editor.setFocus()
    QTest.keyClick(page.loads.field.editor, Qt.Key.Key_Down)
    loop.until(lambda: page.shown.load == "M-2" and resting(page))
    assert fault_server.seen("/overage")[-1].query == {"LoadId": "M-2"}
    loop.until(lambda: page.loads.list.item(0).text() == "M-2 · 3 items over")


def test_an_item_opens_the_order_that_it_names_by_number_or_by_reference(
    page: LoadsPage, loop: RunningLoop, window_desk: Desk, fault_server: FaultServer
) -> None:
    fault_server.serve(OVERAGE, json_answer(ITEMS))
    fill(loop, window_desk, [order(12, crn="R-2")])
    asked: list[int] = []
    page.services.news.show_order.connect(asked.append)
    ask(page, loop, "L-1")
    page.overage.into_rows()
    QTest.keyClick(page.overage.rows, Qt.Key.Key_Return)
    QTest.keyClick(page.overage.rows, Qt.Key.Key_Down)
    QTest.keyClick(page.overage.rows, Qt.Key.Key_Return)
    loop.until(lambda: asked == [11, 12])
    page.overage.opened.emit(ITEMS[2])
    assert page.bar.text == "This item names no order."
    menu = page.overage.menu(ITEMS[2])
    assert not menu.actions()[0].isEnabled()


def test_the_selected_rows_are_copied_as_a_table(page: LoadsPage, loop: RunningLoop, fault_server: FaultServer) -> None:
    fault_server.serve(OVERAGE, json_answer([{"tag": "=1+1", "count": 2}]))
    ask(page, loop, "L-1")
    page.overage.into_rows()
    QTest.keyClick(page.overage.rows, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text().splitlines() == ["Tag\tCount", "'=1+1\t2"]


def test_another_connection_shows_no_load_of_the_one_before(
    page: LoadsPage, loop: RunningLoop, window_desk: Desk, fault_server: FaultServer
) -> None:
    fault_server.serve(OVERAGE, json_answer(ITEMS))
    ask(page, loop, "L-1")
    page.take_desk(window_desk)
    loop.until(lambda: resting(page))
    assert (page.shown.load, page.loads.field.text()) == ("", "")
    assert page.overage.states.state_text.startswith("No load chosen")


def test_too_long_a_load_is_refused_beside_the_field(
    page: LoadsPage, loop: RunningLoop, fault_server: FaultServer
) -> None:
    page.loads.field.put("x" * 51)
    QTest.keyClick(page.loads.field.editor, Qt.Key.Key_Return)
    loop.until(lambda: resting(page))
    assert page.loads.field.shown == "A load has at most 50 characters; these are 51."
    assert fault_server.seen("/overage") == []


def test_practice_answers_for_a_load_that_an_order_named(
    services: PageServices, show: Show, loop: RunningLoop, window_practice_desk: Desk, practice: PracticeProcess
) -> None:
    page = LoadsPage(services)
    show(page)
    page.take_desk(window_practice_desk)
    page.show_load(practice.facts["load"])
    loop.until(lambda: page.shown.answer is not None and resting(page))
    assert page.shown.answer is not None
    assert page.shown.answer.trouble == ""
    assert cells(page)


def test_an_order_leads_to_its_load_by_key_and_menu_or_says_that_none_was_named(
    services: PageServices, show: Show, loop: RunningLoop, offline_desk: Desk
) -> None:
    queue(loop, offline_desk, "R-00012", "L-7", "B-1")
    fill(loop, offline_desk, [order(12), order(13)])
    page = OrdersPage(services)
    show(page)
    page.take_desk(offline_desk)
    loop.until(lambda: idle(page) and page.model.rowCount() >= 2)
    asked: list[str] = []
    services.news.show_load.connect(asked.append)

    def press(number: int) -> None:
        row = next(at for at in range(page.model.rowCount()) if getattr(page.model.line(at), "number", 0) == number)
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
        page.table.selectionModel().setCurrentIndex(page.model.index(row, 0), flags)
        page.table.setFocus()
        keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
        QTest.keyClick(page.table, Qt.Key.Key_L, keys)

    press(12)
    loop.until(lambda: asked == ["L-7"])
    press(13)
    loop.until(lambda: page.bar.text == "No submission from this desk names a load for R-00013.")
