"""Several orders at once: selected together, still selected after a refresh, cancelled by one question."""

import asyncio

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton

from app.desk.desk import Desk
from app.desk.sending import batch, outbox
from app.ui.base.page import PageServices
from app.ui.orders.actions.results_dialog import ResultsDialog
from app.ui.orders.actions.selection_bar import SelectionBar
from app.ui.orders.orders_page import OrdersPage
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show
from tests.ui.orders.orders_help import fill, idle, order, select, shown
from tests.ui.questions_help import answer, question


@pytest.fixture
def page(loop: RunningLoop, services: PageServices, show: Show, offline_desk: Desk) -> OrdersPage:
    made = OrdersPage(services)
    fill(loop, offline_desk, [order(number) for number in range(1, 7)] + [order(7, state="CAN"), order(8, crn=None)])
    show(made)
    shown(loop, made, offline_desk)
    return made


def selected(page: OrdersPage) -> list[int]:
    return [line.number for line in page.table.selected_lines() if line.number is not None]


def ask(loop: RunningLoop, page: OrdersPage) -> QMessageBox:
    QTest.keyClick(page, Qt.Key.Key_Delete, Qt.KeyboardModifier.ControlModifier)
    return question(loop, page)


def test_a_selection_of_many_survives_a_refresh_that_moves_its_rows(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk
) -> None:
    select(page, 2, 4, 5)
    fill(loop, offline_desk, [order(number) for number in range(10, 14)])
    page.reload()
    loop.until(lambda: idle(page) and page.model.row_of(13) == 0)
    assert selected(page) == [5, 4, 2]


def test_all_selected_rows_are_copied_as_one_table(loop: RunningLoop, page: OrdersPage) -> None:
    select(page, 2, 4)
    page.table.setFocus()
    QTest.keyClick(page.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    loop.until(lambda: "R-00002" in QApplication.clipboard().text())
    head, *rows = QApplication.clipboard().text().split("\n")
    QApplication.clipboard().clear()
    assert head.startswith("Status\tReference")
    assert [each.split("\t")[1] for each in rows] == ["R-00004", "R-00002"]


def test_one_question_names_them_and_each_has_its_own_write(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk
) -> None:
    select(page, 1, 3, 7, 8)
    offered: list[dict[int, str]] = []
    page.services.news.cancelling_many.connect(offered.append)
    box = ask(loop, page)
    assert box.text() == "Cancel 2 orders?"
    assert "R-00003" in box.informativeText()
    assert "2 selected orders are closed or have no reference" in box.informativeText()
    answer(box, "Cancel the orders")
    loop.until(lambda: len(loop.run(outbox.writes(offline_desk, (), 9))) == 2)
    writes = loop.run(outbox.writes(offline_desk, (), 9))
    assert {(each.kind, each.reference, each.state) for each in writes} == {
        ("cancel", "R-00001", "queued"),
        ("cancel", "R-00003", "queued"),
    }
    assert all(each.not_before is not None for each in writes)
    loop.until(lambda: offered)
    assert offered == [{each.id: each.reference for each in writes}]


def test_no_means_no(loop: RunningLoop, page: OrdersPage, offline_desk: Desk) -> None:
    select(page, 1, 3)
    box = ask(loop, page)
    QTest.keyClick(box, Qt.Key.Key_Escape)
    loop.until(lambda: not page.tasks.running("cancel many"))
    assert loop.run(outbox.writes(offline_desk, (), 9)) == []


def test_closed_ones_alone_are_not_asked_about(loop: RunningLoop, page: OrdersPage) -> None:
    select(page, 7, 8)
    QTest.keyClick(page, Qt.Key.Key_Delete, Qt.KeyboardModifier.ControlModifier)
    loop.until(lambda: "None of the selected orders can be cancelled" in page.bar.text)
    assert not page.findChildren(QMessageBox)


def test_one_whose_reference_cannot_be_sent_is_said_and_the_others_go_on(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk
) -> None:
    fill(loop, offline_desk, [order(9, crn="X" * 31)])
    page.reload()
    loop.until(lambda: idle(page) and page.model.row_of(9) is not None)
    select(page, 1, 9, 3)
    answer(ask(loop, page), "Cancel the orders")
    loop.until(lambda: not page.tasks.running("cancel many"))
    (dialog,) = page.findChildren(ResultsDialog)
    (came_of_it,) = [each.text(1) for each in dialog.list.findItems("X" * 31, Qt.MatchFlag.MatchContains, 0)]
    assert "has 31 characters and a cancellation can name 30 at most" in came_of_it
    assert {each.reference for each in loop.run(outbox.writes(offline_desk, (), 9))} == {"R-00001", "R-00003"}


def test_a_list_of_results_that_is_closed_ends_what_it_was_told_of(
    loop: RunningLoop, page: OrdersPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, gone = asyncio.Event(), asyncio.Event()

    async def slow(_desk: Desk, _lines: object, _tell: object) -> None:
        try:
            await gate.wait()
        finally:
            await gone.wait()  # several questions end one after the other

    monkeypatch.setattr(batch, "look_up_many", slow)
    select(page, 1, 3)
    page.row_actions.look_up()
    loop.until(lambda: page.findChildren(ResultsDialog))
    (dialog,) = page.findChildren(ResultsDialog)
    dialog.destroyed.connect(gone.set)
    dialog.close()
    loop.until(lambda: not page.tasks.running("asking") and not page.findChildren(ResultsDialog))


@pytest.mark.parametrize("way", ["close", "stop"])
def test_orders_that_were_not_reached_when_a_person_wants_no_more_are_not_cancelled(
    loop: RunningLoop, page: OrdersPage, offline_desk: Desk, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    gate, queue = asyncio.Event(), outbox.queue_cancellation

    async def slow(desk: Desk, reference: str) -> int:
        write = await queue(desk, reference)
        await gate.wait()
        return write

    monkeypatch.setattr(outbox, "queue_cancellation", slow)
    offered: list[dict[int, str]] = []
    page.services.news.cancelling_many.connect(offered.append)
    select(page, 1, 3, 5)
    answer(ask(loop, page), "Cancel the orders")
    loop.until(lambda: len(loop.run(outbox.writes(offline_desk, (), 9))) == 1)
    (dialog,) = page.findChildren(ResultsDialog)
    if way == "close":
        dialog.close()
        loop.until(lambda: not page.findChildren(ResultsDialog))
    else:
        dialog.stop_button.click()
    gate.set()
    loop.until(lambda: bool(offered))
    (write,) = loop.run(outbox.writes(offline_desk, (), 9))
    assert offered == [{write.id: write.reference}]


def test_a_bar_says_how_many_are_selected_and_does_what_is_done_with_them(loop: RunningLoop, page: OrdersPage) -> None:
    loop.rest()
    place = page.table.mapTo(page, page.table.rect().topLeft())
    select(page, 2)
    assert page.findChildren(SelectionBar) == [], "one order has its own buttons beside the table"
    select(page, 2, 4, 5)
    loop.rest()
    bar = page.selection_bar
    assert bar is not None
    assert (page.chips.isVisible(), bar.isVisible()) == (False, True)
    assert page.table.mapTo(page, page.table.rect().topLeft()) == place, "nothing below it moves"
    assert bar.count.text() == "3 selected:"
    assert [each.text() for each in bar.buttons.values()] == ["Cancel…", "Print…", "Export…", "Watch", "Copy"]
    assert bar.buttons["print"].accessibleDescription() == "Print these… (Ctrl+P)"
    QTest.mouseClick(bar.buttons["copy table"], Qt.MouseButton.LeftButton)
    loop.until(lambda: "R-00002" in QApplication.clipboard().text())
    QApplication.clipboard().clear()
    QTest.mouseClick(bar.buttons["cancel"], Qt.MouseButton.LeftButton)
    box = question(loop, page)
    answer(box, _keep(box))
    assert selected(page) == [5, 4, 2]
    page._clear_selection()
    assert selected(page) == [2], "the order that is open beside the table"
    assert (page.chips.isVisible(), bar.isVisible()) == (True, False)


def _keep(box: QMessageBox) -> str:
    return next(each.text() for each in box.findChildren(QPushButton) if not each.text().startswith("Cancel"))


def test_a_filter_that_is_not_understood_is_said_once_the_bar_is_gone(loop: RunningLoop, page: OrdersPage) -> None:
    select(page, 2, 4)
    page.line.set_text("status:nonsense:x zz:1")
    loop.until(lambda: idle(page))
    page.table.clearSelection()
    loop.rest()
    assert page.line.problem.isVisible() != page.chips.isVisible()
