"""The panel for printing: from the form, from an order's detail and from the outbox, to a PDF or a printer."""

import threading
from collections.abc import Callable, Iterable
from pathlib import Path

import pypdfium2
import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtPrintSupport import QPrinter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLineEdit, QMessageBox, QPushButton, QWidget

from app.contract.check import check_draft
from app.contract.draft import BarcodeDraft, OrderDraft
from app.contract.submission import OrderSubmission
from app.desk.desk import Desk
from app.desk.files.stoppable_work import Progress, Stopped
from app.desk.printing import print_choices
from app.desk.printing.page_marks import Page as PaperPage
from app.desk.printing.print_choices import Choices
from app.desk.printing.print_subject import Subject
from app.desk.sending import outbox
from app.ui.base.page import Page, PageServices
from app.ui.entry.entry_page import EntryPage
from app.ui.orders.orders_page import OrdersPage
from app.ui.outbox.outbox_page import OutboxPage
from app.ui.printing.painting.page_output import PrintTrouble
from app.ui.printing.print_panel import PrintPanel
from app.ui.printing.printers.devices import Devices, chosen_pdf
from app.ui.printing.printers.qt_printer import send_to_printer
from tests.support.desks import order_draft
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show
from tests.ui.orders.orders_help import fill, idle, order

CTRL = Qt.KeyboardModifier.ControlModifier


def draft_with(count: int, **fields: str) -> OrderDraft:
    draft = order_draft("R-1", **fields)
    draft.barcoding.receivingLoadNumber = "TRL-1"
    draft.barcoding.barcodeItemDetails = [BarcodeDraft("CHAIR", f"B{at:05}", "1") for at in range(count)]
    return draft


class Bench:
    """A panel over a page of its own, with printers and files of the test's choosing."""

    def __init__(self, loop: RunningLoop, page: Page, desk: Desk, folder: Path) -> None:
        self.loop, self.page, self.desk = loop, page, desk
        self.names: list[str] = []
        self.target: Path | None = folder / "out.pdf"
        self.paper = folder / "paper.pdf"
        self.asked: list[str] = []
        self.panel = PrintPanel(
            page, page.services, page.tasks, Devices(lambda _progress: self.names, self._send, self._choose)
        )

    def _printer(self, name: str) -> QPrinter:
        self.asked.append(name)
        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        printer.setOutputFileName(str(self.paper))
        return printer

    def _send(self, pages: Iterable[PaperPage], name: str, title: str, progress: Progress) -> None:
        send_to_printer(pages, name, title, progress, self._printer)

    async def _choose(self, parent: QWidget, name: str) -> Path | None:
        assert parent is self.panel
        self.asked.append(name)
        return self.target

    def offer(self, draft: OrderDraft | Callable[[], OrderDraft]) -> None:
        take = draft if callable(draft) else lambda: draft
        self.panel.offer(self.desk, lambda: Subject(take(), "Draft, not sent", practice=False))
        self.settle()

    def settle(self) -> None:
        self.loop.until(lambda: not self.page.tasks.busy)

    @property
    def said(self) -> str:
        return self.panel.bar.text


@pytest.fixture
def bench(loop: RunningLoop, services: PageServices, show: Show, window_desk: Desk, tmp_path: Path) -> Bench:
    page = Page(services, "a page")
    show(page)
    return Bench(loop, page, window_desk, tmp_path)


def test_it_says_what_there_is_to_print_and_shows_the_first(bench: Bench) -> None:
    bench.offer(draft_with(12))
    panel = bench.panel
    assert (panel.title.text(), panel.standing.text()) == ("Order R-1", "Draft, not sent")
    assert panel.summary.text() == "12 labels."
    assert panel.caption.text() == "Page 1 of 12 · 4 × 6 in"
    assert not panel.preview.pixmap().isNull()
    assert panel.save_button.isEnabled()
    assert panel.no_printer.isVisible()
    assert not panel.print_button.isEnabled()
    assert not panel.refusals.isVisible()


def test_a_pdf_is_saved_and_the_choice_remembered(bench: Bench) -> None:
    bench.offer(draft_with(12))
    panel = bench.panel
    panel.stock.editor.setCurrentIndex(panel.stock.editor.findData("letter10"))
    bench.settle()
    assert panel.summary.text() == "12 labels on 2 pages."
    QTest.keyClick(panel, Qt.Key.Key_S, CTRL)
    bench.settle()
    assert bench.asked == ["order-R-1-labels.pdf"]
    assert bench.said == f"12 labels saved to {bench.target}."
    assert len(pypdfium2.PdfDocument(bench.target)) == 2
    assert bench.loop.run(print_choices.last(bench.desk.journal)) == Choices(stock="letter10")
    again = PrintPanel(bench.page, bench.page.services, bench.page.tasks, Devices(lambda _progress: []))
    again.offer(bench.desk, lambda: Subject(draft_with(1), "", practice=False))
    bench.settle()
    assert again.stock.text() == "letter10"


def test_a_sheet_that_was_begun_goes_on_where_its_next_label_is(bench: Bench) -> None:
    bench.offer(draft_with(12))
    panel = bench.panel
    assert not panel.begin.isVisible(), "a roll has no places"
    panel.stock.editor.setCurrentIndex(panel.stock.editor.findData("letter10"))
    bench.settle()
    assert panel.begin.isVisible()
    panel.begin.editor.setCurrentIndex(9)
    bench.settle()
    assert panel.summary.text() == "12 labels on 3 pages."
    panel.save_button.click()
    bench.settle()
    assert len(pypdfium2.PdfDocument(bench.target)) == 3
    bench.offer(draft_with(12))
    assert panel.summary.text() == "12 labels on 2 pages.", "the next sheet is a new one"


def test_the_keyboard_goes_through_the_panel_from_top_to_bottom(bench: Bench) -> None:
    bench.names = ["Zebra"]
    bench.offer(draft_with(3))
    panel = bench.panel
    panel.tabs["each"].setFocus()
    seen = []
    for _ in range(7):
        focused = panel.focusWidget()
        assert focused is not None
        seen.append(focused.accessibleName())
        QTest.keyClick(panel, Qt.Key.Key_Tab)
    assert seen == ["Barcode labels", "Label size", "Printed by", "Printer", "Save PDF…", "Print", "Close"]


class _Low:
    """A screen of 1920 × 1080 at 200 %."""

    def availableGeometry(self) -> QRect:
        return QRect(0, 0, 960, 540)


def test_on_a_low_screen_what_prints_and_closes_is_still_on_it(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.names = ["Zebra"]
    bench.offer(draft_with(3))
    panel = bench.panel
    high = panel.height()
    assert panel.area.verticalScrollBar().maximum() == 0, "where there is room nothing has to be scrolled"
    panel.hide()
    monkeypatch.setattr(PrintPanel, "screen", lambda _: _Low())
    bench.offer(draft_with(3))
    bench.loop.until(lambda: panel.height() < min(high, 540))
    for each in (panel.title, panel.save_button, panel.print_button, panel.close_button):
        assert panel.rect().contains(each.geometry())
    panel.fineness.editor.setFocus()
    QTest.keyClick(panel.fineness.editor, Qt.Key.Key_Tab)
    assert panel.focusWidget() is panel.printer.editor
    place = panel.printer.editor.mapTo(panel.area, panel.printer.editor.rect().center())
    assert panel.area.rect().contains(place), "the field that the keyboard is in is scrolled into sight"


def test_the_order_sheet_is_one_key_away_from_the_labels(bench: Bench) -> None:
    bench.offer(draft_with(200))
    panel = bench.panel
    panel.choose("sheet")
    bench.settle()
    assert panel.paper.isVisible()
    assert not panel.stock.isVisible()
    assert panel.summary.text() == "5 pages of Letter."
    panel.save_button.click()
    bench.settle()
    assert bench.asked == ["order-R-1.pdf"]
    assert bench.said == f"5 pages saved to {bench.target}."


def test_it_prints_on_the_chosen_printer(bench: Bench) -> None:
    bench.names = ["Office", "Zebra"]
    bench.offer(draft_with(3))
    panel = bench.panel
    assert not panel.no_printer.isVisible()
    panel.printer.editor.setCurrentIndex(1)
    QTest.keyClick(panel, Qt.Key.Key_P, CTRL)
    bench.settle()
    assert (bench.asked, bench.said) == (["Zebra"], "3 labels sent to Zebra.")
    assert len(pypdfium2.PdfDocument(bench.paper)) == 3
    bench.offer(draft_with(3))
    assert panel.printer.text() == "Zebra", "it is remembered"


def test_what_cannot_be_printed_is_listed_and_the_rest_is_printed(bench: Bench) -> None:
    draft = draft_with(3)
    draft.barcoding.barcodeItemDetails[0].barcode = "na\u202eïve"
    draft.barcoding.barcodeItemDetails[1].barcode = "W" * 50
    bench.offer(draft)
    panel = bench.panel
    panel.stock.editor.setCurrentIndex(panel.stock.editor.findData("4x2in"))
    bench.settle()
    assert panel.summary.text() == "1 of 3 labels can be printed. These cannot:"
    listed = [panel.refusals.item(at).text() for at in range(panel.refusals.count())]
    assert panel.refusals.geometry().bottom() < panel.advice.geometry().top(), "there is room for both"
    assert listed[0].startswith("1 · na⟨U+202E⟩ïve: It holds a hidden character")
    assert listed[1].startswith("2 · WWWWWWWWWWWW…WWWWWWWWWWWW: Too long for this label")
    panel.save_button.click()
    bench.settle()
    assert bench.said == f"1 label saved to {bench.target}."


def test_an_order_without_barcodes_has_no_labels_but_a_sheet(bench: Bench) -> None:
    bench.offer(draft_with(0))
    panel = bench.panel
    assert panel.summary.text() == "This order has no barcodes, so there are no labels to print."
    assert panel.preview.text() == "Nothing to print"
    assert not panel.save_button.isEnabled()
    panel.save()
    panel.choose("group")
    bench.settle()
    assert "no group labels" in panel.summary.text()
    panel.choose("sheet")
    bench.settle()
    assert panel.save_button.isEnabled()
    assert bench.asked == []


def test_the_form_is_printed_as_it_is_at_that_moment(bench: Bench) -> None:
    drafts = [draft_with(2)]
    bench.offer(lambda: drafts[0])
    drafts[0] = draft_with(7)
    bench.panel.save_button.click()
    bench.settle()
    assert bench.said.startswith("7 labels saved")
    assert bench.panel.summary.text() == "7 labels."


def test_coming_back_to_the_panel_reads_the_form_again(bench: Bench) -> None:
    drafts = [draft_with(2)]
    bench.offer(lambda: drafts[0])
    window = bench.page.window()
    window.activateWindow()
    bench.loop.until(lambda: not bench.panel.isActiveWindow())
    drafts[0] = draft_with(4)
    bench.panel.activateWindow()
    bench.loop.until(lambda: bench.panel.summary.text() == "4 labels.")


def test_no_file_chosen_is_no_work(bench: Bench) -> None:
    bench.target = None
    bench.offer(draft_with(2))
    bench.panel.save_button.click()
    bench.settle()
    assert bench.said == ""
    assert bench.panel.save_button.isEnabled()


def test_a_folder_that_cannot_be_written_is_reported(bench: Bench, tmp_path: Path) -> None:
    bench.target = tmp_path / "gone" / "x.pdf"
    bench.offer(draft_with(2))
    bench.panel.save_button.click()
    bench.settle()
    assert bench.said.startswith(f"{bench.target} could not be written: ")
    assert bench.panel.save_button.isEnabled()


class Gate:
    """Holds the printing thread at the opening of the printer until the test lets it go."""

    def __init__(self, bench: Bench) -> None:
        self.reached, self.open = threading.Event(), threading.Event()
        self._bench = bench
        bench.panel._devices = Devices(lambda _progress: ["Zebra"], self._send, bench._choose)

    def _send(self, pages: Iterable[PaperPage], name: str, title: str, progress: Progress) -> None:
        self.reached.set()
        self.open.wait(20)
        self._bench._send(pages, name, title, progress)


def test_while_it_works_it_says_how_far_it_is_and_can_be_stopped(bench: Bench) -> None:
    gate = Gate(bench)
    bench.offer(draft_with(300))
    panel = bench.panel
    panel.print_button.click()
    bench.loop.until(gate.reached.is_set)
    bench.loop.until(panel.working.isVisible)
    assert panel.progress_label.text() == "0 of 300 pages"
    assert bench.page.tasks.to_ask_about() == ["Order R-1: 0 of 300 pages"], "before the window goes"
    panel._progress.handed_over = True
    assert bench.page.tasks.to_ask_about() == [], "what the printer has is waited for"
    panel._progress.handed_over = False
    assert not panel.save_button.isEnabled()
    assert not panel.stock.isEnabled()
    panel.print_button.click()
    panel.save()
    panel.look_again()
    panel.stop_button.click()
    gate.open.set()
    bench.settle()
    assert bench.said == "Stopped. Nothing was saved or printed."
    assert not bench.paper.exists()
    assert bench.page.tasks.to_ask_about() == []
    assert not panel.working.isVisible()
    assert panel.stock.isEnabled()
    assert panel.print_button.isEnabled()


def test_another_order_waits_until_the_one_before_is_printed(bench: Bench) -> None:
    gate = Gate(bench)
    bench.offer(draft_with(2))
    bench.panel.print_button.click()
    bench.loop.until(gate.reached.is_set)
    bench.panel.offer(bench.desk, lambda: Subject(draft_with(9), "", practice=False))
    assert bench.said.startswith("This is still under way.")
    gate.open.set()
    bench.settle()
    assert bench.said == "2 labels sent to Zebra."


def test_closing_the_panel_stops_the_work(bench: Bench) -> None:
    gate = Gate(bench)
    bench.offer(draft_with(300))
    bench.panel.print_button.click()
    bench.loop.until(gate.reached.is_set)
    bench.panel.close()
    gate.open.set()
    bench.settle()
    assert bench.said == "" or "Stopped" in bench.panel.bar._label.text()
    assert bench.panel._progress.done == 0


def test_a_page_that_is_closed_waits_for_the_thread(bench: Bench) -> None:
    gate = Gate(bench)
    bench.offer(draft_with(300))
    bench.panel.print_button.click()
    bench.loop.until(gate.reached.is_set)
    closing = bench.loop.asyncio.create_task(bench.page.tasks.aclose(20))
    bench.loop.rest()
    assert not closing.done()
    gate.open.set()
    bench.loop.until(closing.done)
    assert bench.panel._progress.done == 0


def test_a_choice_that_is_not_saved_is_reported(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    from app.store.store_errors import NotSaved

    async def refuse(*_: object) -> None:
        raise NotSaved("The disk is full, so nothing of this was saved. Make room and try again.")

    bench.offer(draft_with(1))
    monkeypatch.setattr(print_choices, "remember", refuse)
    bench.panel.save_button.click()
    bench.settle()
    assert "The disk is full" in bench.said
    assert bench.target is not None
    assert bench.target.exists()


def test_every_control_has_a_name(bench: Bench) -> None:
    bench.names = ["Zebra"]
    bench.offer(draft_with(1))
    for each in bench.panel.findChildren(QWidget):
        if each.focusPolicy() != Qt.FocusPolicy.NoFocus and each.isVisible() and not isinstance(each, QLineEdit):
            assert each.accessibleName(), each
    QTest.keyClick(bench.panel, Qt.Key.Key_Escape)
    assert not bench.panel.isVisible()


# Where a PDF goes


def ask_for_file(loop: RunningLoop, page: Page) -> tuple[QFileDialog, list[Path | None]]:
    """A question for a file that stands on the screen, and the answer once there is one."""
    answers: list[Path | None] = []

    async def ask() -> None:
        answers.append(await chosen_pdf(page, "order-R-1.pdf"))

    page.tasks.read("ask", ask())
    loop.until(lambda: page.findChildren(QFileDialog))
    (dialog,) = page.findChildren(QFileDialog)
    assert isinstance(dialog, QFileDialog)
    return dialog, answers


def name_it(dialog: QFileDialog, path: Path) -> None:
    """As a person does: type the name, and press Enter."""
    line = dialog.findChild(QLineEdit)
    assert isinstance(line, QLineEdit)
    line.setText(str(path))
    dialog.accept()


def test_a_new_file_is_taken_as_it_is(bench: Bench, tmp_path: Path) -> None:
    dialog, answers = ask_for_file(bench.loop, bench.page)
    assert Path(dialog.selectedFiles()[0]).name == "order-R-1.pdf"
    name_it(dialog, tmp_path / "mine")
    bench.settle()
    assert answers == [tmp_path / "mine.pdf"]


@pytest.mark.parametrize(("press", "replaced"), [("Replace", True), ("Go back", False)])
def test_a_file_that_is_there_is_replaced_only_on_a_yes(
    bench: Bench, tmp_path: Path, press: str, replaced: bool
) -> None:
    there = tmp_path / "there.pdf"
    there.write_bytes(b"x")
    dialog, answers = ask_for_file(bench.loop, bench.page)
    name_it(dialog, there)
    bench.loop.until(lambda: bench.page.findChildren(QMessageBox))
    (box,) = bench.page.findChildren(QMessageBox)
    assert isinstance(box, QMessageBox)
    assert box.text() == "Replace there.pdf?"
    (button,) = [each for each in box.findChildren(QPushButton) if each.text() == press]
    button.click()
    bench.settle()
    assert answers == [there if replaced else None]


def test_no_answer_is_no_file(bench: Bench) -> None:
    dialog, answers = ask_for_file(bench.loop, bench.page)
    dialog.reject()
    bench.settle()
    assert answers == [None]


# From the pages


def panel_of(loop: RunningLoop, page: Page) -> PrintPanel:
    loop.until(lambda: page.findChildren(PrintPanel) and not page.tasks.busy)
    (panel,) = page.findChildren(PrintPanel)
    assert isinstance(panel, PrintPanel)
    return panel


def test_the_form_is_printed_by_ctrl_p_as_a_draft(
    loop: RunningLoop, services: PageServices, show: Show, window_desk: Desk
) -> None:
    page = EntryPage(services)
    page.take_desk(window_desk)
    show(page)
    loop.until(lambda: not page.tasks.busy)
    page.form.load(draft_with(3))
    QTest.keyClick(page, Qt.Key.Key_P, CTRL)
    panel = panel_of(loop, page)
    assert (panel.title.text(), panel.standing.text()) == ("Order R-1", "Draft, not sent")
    assert panel.summary.text() == "3 labels."
    panel.close()
    page.form.load(draft_with(5))
    page.tools.buttons["print"].click()
    loop.until(lambda: panel.summary.text() == "5 labels.")
    assert len(page.findChildren(PrintPanel)) == 1


def sent(loop: RunningLoop, desk: Desk, count: int = 3) -> int:
    checked = check_draft(draft_with(count, orderReferenceNumber="R-00007"))
    assert isinstance(checked, OrderSubmission)
    return loop.run(outbox.queue_submission(desk, checked, None))


def test_a_sent_order_is_printed_from_the_outbox_with_its_state(
    loop: RunningLoop, services: PageServices, show: Show, window_desk: Desk
) -> None:
    write = sent(loop, window_desk)
    cancel = loop.run(outbox.queue_cancellation(window_desk, "R-00007"))
    page = OutboxPage(services)
    show(page)
    page.take_desk(window_desk)
    page.show_write(write)
    loop.until(lambda: not page.tasks.busy and page.story.shown_id == write)
    QTest.keyClick(page, Qt.Key.Key_P, CTRL)
    panel = panel_of(loop, page)
    assert panel.title.text() == "Order R-00007"
    assert panel.standing.text().startswith("Queued ")
    assert panel.standing.text().endswith("Kept on this computer; it has not left yet.")
    assert panel.summary.text() == "3 labels."
    page.show_write(cancel)
    loop.until(lambda: not page.tasks.busy and page.story.shown_id == cancel)
    assert not page.story.print_button.isVisible(), "a cancellation has no labels"


def test_from_an_order_s_detail_what_this_desk_sent_is_printed(
    loop: RunningLoop, services: PageServices, show: Show, window_desk: Desk
) -> None:
    fill(loop, window_desk, [order(7, extra={"CRN": "R-00007"})])
    window_desk.provider = None
    page = OrdersPage(services)
    show(page)
    page.take_desk(window_desk)
    loop.until(lambda: idle(page))
    page.side.show_order(7)
    loop.until(lambda: idle(page))
    pane = page.side.order
    assert pane is not None
    QTest.keyClick(page, Qt.Key.Key_P, CTRL)
    panel = panel_of(loop, page)
    assert panel.what == "sheet", "the provider returns no barcodes"
    panel.reject()
    sent(loop, window_desk)
    panel.choose("each")
    pane.print_button.click()
    loop.until(lambda: "labels" in panel.summary.text())
    assert panel_of(loop, page).summary.text() == "3 labels."


class Hanging:
    """A print system that says nothing until it is stopped."""

    def __init__(self) -> None:
        self.stopped = threading.Event()

    def names(self, progress: Progress) -> list[str]:
        while not progress.stop:
            progress.checkpoint()
        self.stopped.set()
        raise Stopped


def test_a_print_system_that_hangs_holds_up_nothing_but_printing(bench: Bench) -> None:
    hanging = Hanging()
    panel = bench.panel
    panel._devices = Devices(hanging.names, bench._send, bench._choose)
    panel.offer(bench.desk, lambda: Subject(draft_with(12), "Draft, not sent", practice=False))
    bench.loop.until(lambda: panel.summary.text() == "12 labels.")
    assert panel.save_button.isEnabled()
    assert not panel.print_button.isEnabled()
    assert panel.no_printer.isVisible()
    assert panel.no_printer.text() == "Asking which printers there are…"
    assert not hanging.stopped.is_set()
    bench.loop.run(bench.page.tasks.aclose(20))
    assert hanging.stopped.is_set()


def test_a_print_system_that_does_not_answer_is_reported(bench: Bench) -> None:
    def silent(_progress: Progress) -> list[str]:
        raise PrintTrouble("It does not answer.")

    bench.panel._devices = Devices(silent, bench._send, bench._choose)
    bench.offer(draft_with(12))
    assert bench.panel.no_printer.text() == "It does not answer."
    assert bench.panel.no_printer.isVisible()
    assert bench.panel.save_button.isEnabled()
    bench.names = ["Zebra"]
    bench.panel._devices = Devices(lambda _progress: bench.names, bench._send, bench._choose)
    bench.offer(draft_with(12))
    assert bench.panel.print_button.isEnabled()
    assert not bench.panel.no_printer.isVisible()


def test_an_order_that_this_desk_has_not_sent_is_printed_as_the_provider_returns_it(
    loop: RunningLoop, services: PageServices, show: Show, offline_desk: Desk
) -> None:
    page = OrdersPage(services)
    show(page)
    fill(loop, offline_desk, [order(4711, crn="R-1", status="Started", extra={"CRN": "R-1"}), order(4712, crn=None)])
    page.take_desk(offline_desk)
    loop.until(lambda: idle(page))
    page.open_order(4711)
    loop.until(lambda: idle(page))
    assert page.side.order is not None
    page.side.order.head.print_button.click()
    panel = opened(loop, page)
    loop.until(lambda: panel.summary.text() == "1 page of Letter.")
    assert (panel.what, panel.title.text()) == ("sheet", "Order R-1")
    assert panel.standing.text().startswith("Number 4711: STD Started, as the provider showed it ")
    page.table.selectAll()
    page.row_actions.print()
    loop.until(lambda: panel.summary.text() == "2 sheets on 2 pages of Letter.")
    assert (panel.title.text(), [each.isVisible() for each in panel.tabs.values()]) == (
        "2 orders",
        [False, False, True],
    )


def opened(loop: RunningLoop, page: Page) -> PrintPanel:
    loop.until(lambda: any(each.isVisible() for each in page.findChildren(PrintPanel)))
    return next(each for each in page.findChildren(PrintPanel) if each.isVisible())
