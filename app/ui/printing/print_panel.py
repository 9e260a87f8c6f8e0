"""The panel for printing an order: what, on what size, and then a PDF or a printer. It stands beside the window and
blocks nothing; what the form holds is read anew whenever the panel is come back to.
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from PySide6.QtCore import QEvent, QSize, Qt, QTimer
from PySide6.QtGui import QHideEvent, QPixmap
from PySide6.QtWidgets import QDialog, QFrame, QListView, QListWidget, QWidget

from app.desk.desk import Desk
from app.desk.files.stoppable_work import Progress, Stopped, in_thread
from app.desk.printing import print_choices
from app.desk.printing.print_choices import Choices
from app.desk.printing.print_subject import Subject
from app.desk.printing.stock import FINENESSES, PAPERS, STOCKS
from app.desk.text.plurals import counted
from app.runtime.tasks import Tasks
from app.store.store_errors import StoreError
from app.ui.base.page import Room
from app.ui.printing.painting import page_output
from app.ui.printing.painting.page_output import PrintTrouble
from app.ui.printing.print_preview import Prepared, What, prepare, refusal_words
from app.ui.printing.printers.devices import Devices
from app.ui.theme.tokens import (
    FRAME_AWAY,
    PRINT_CONTROLS_WIDTH,
    PRINT_PREVIEW_SIZE,
    PRINT_REFUSALS_HEIGHT,
    SPACE_2,
    SPACE_3,
    SPACE_4,
)
from app.ui.widgets.bars.message_bar import MessageBar, progress_bar
from app.ui.widgets.buttons import button, tab, with_icon
from app.ui.widgets.field import ChoiceField
from app.ui.widgets.layout import column, holding, row, scrolling
from app.ui.widgets.lists.list_rows import set_list_rows
from app.ui.widgets.text.labels import text_label, visible

_LOOK_EVERY_MS = 100
_TABS: tuple[tuple[What, str], ...] = (
    ("each", "Barcode labels"), ("group", "Group labels"), ("sheet", "Order sheet"),
)  # fmt: skip
_ADVICE = "Print a PDF at its actual size (100 %), not fitted to the page: only then do the bars scan."
_ASKING = "Asking which printers there are…"
_NO_PRINTER = "No printer is installed on this computer. A PDF can be saved all the same."


class PrintPanel(QDialog):
    """`offer` shows it for an order. Its work is owned by the page that it belongs to."""

    def __init__(self, parent: QWidget, room: Room, tasks: Tasks, devices: Devices | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Print")
        self.setAccessibleName("Print")
        self._room, self._tasks, self._devices = room, tasks, devices or Devices()
        self._desk: Desk | None = None
        self._source: Callable[[], Subject] | None = None
        self._prepared: Prepared | None = None
        self._progress = Progress()
        self._choices = Choices()
        self._busy = False
        self._watch = QTimer(self)
        self._watch.setInterval(_LOOK_EVERY_MS)
        self._watch.timeout.connect(self._show_progress)
        self._make_controls()
        self._lay_out()

    def _make_controls(self) -> None:
        theme = self._room.theme
        self.bar = MessageBar(theme)
        self.title = text_label("", "title")
        self.standing = text_label("", "soft", wrap=True)
        self.tabs = {name: tab(words, name) for name, words in _TABS}
        self.tabs["each"].setChecked(True)
        self.stock = ChoiceField("Label size", [(each.key, each.name) for each in STOCKS])
        self.begin = ChoiceField("Begin at label", [])
        self.fineness = ChoiceField("Printed by", [(each.key, each.name) for each in FINENESSES])
        self.paper = ChoiceField("Paper", [(key, name) for key, (name, _) in PAPERS.items()])
        self.printer = ChoiceField("Printer", [])
        self.no_printer = text_label(_NO_PRINTER, "soft", wrap=True)
        self.summary = text_label("", "strong", wrap=True)
        self.refusals = QListWidget()
        self.refusals.setAccessibleName("Barcodes that cannot be printed")
        set_list_rows(self.refusals)
        self.refusals.setFrameShape(QFrame.Shape.NoFrame)
        self.refusals.setWordWrap(True)
        self.refusals.setTextElideMode(Qt.TextElideMode.ElideNone)
        self.refusals.setResizeMode(QListView.ResizeMode.Adjust)
        self.refusals.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.refusals.setFixedHeight(PRINT_REFUSALS_HEIGHT)
        self.advice = text_label(_ADVICE, "soft", wrap=True)
        self.save_button = with_icon(
            button("Save PDF…", self.save, kind="primary", key="Ctrl+S"), theme, "download", "on_accent"
        )
        self.print_button = with_icon(button("Print", self.print_it, key="Ctrl+P"), theme, "printer")
        self.close_button = button("Close", self.reject)
        self.progress = progress_bar("Pages done")
        self.progress_label = text_label("", "soft")
        self.stop_button = button("Stop", self.stop)
        self.preview = text_label("", "soft")
        self.preview.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.preview.setFixedSize(*PRINT_PREVIEW_SIZE)
        self.caption = text_label("", "label")
        for each in self.tabs.values():
            each.toggled.connect(self._on_tab)
        self.stock.changed.connect(self._offer_places)
        for field in (self.stock, self.begin, self.fineness, self.paper):
            field.changed.connect(self.look_again)
        self._offer_places()

    def _lay_out(self) -> None:
        self.working = holding(
            column(self.progress, row(self.progress_label, None, self.stop_button, gap=SPACE_2), gap=SPACE_2)
        )
        self._controls = holding(
            column(
                self.stock,
                self.begin,
                self.fineness,
                self.paper,
                self.summary,
                self.refusals,
                self.advice,
                None,
                self.printer,
                self.no_printer,
                gap=SPACE_2,
            )
        )
        self._controls.setFixedWidth(PRINT_CONTROLS_WIDTH)
        shown = column(self.preview, self.caption, None, gap=SPACE_2)
        shown.setAlignment(self.caption, Qt.AlignmentFlag.AlignHCenter)
        self._body = holding(row(self._controls, shown, gap=SPACE_4))
        # In a low window, or with large letters, this part scrolls: what prints and what closes are always seen.
        self.area = scrolling(self._body)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setLayout(
            column(
                self.title,
                self.standing,
                row(*self.tabs.values(), None, gap=SPACE_2),
                self.area,
                self.working,
                row(self.save_button, self.print_button, None, self.close_button, gap=SPACE_2),
                margin=SPACE_4,
                gap=SPACE_3,
            )
        )
        self.working.hide()
        self.bar.float_over(self, self.area)

    def offer(self, desk: Desk, source: Callable[[], Subject]) -> None:
        """Show the panel for the order that `source` gives, as it is at that moment."""
        if self._busy:
            self.bar.say("", "This is still under way. Stop it, or wait until it has ended, to print another order.")
        else:
            self._desk, self._source = desk, source
            self.bar.clear()
            self._say_nothing_yet()
            self._tasks.read("print look", self._begin())
            self._tasks.read("print printers", self._ask_printers())
        self.show()
        self.raise_()
        self.activateWindow()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        # The form may have changed while another window was in front.
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow() and self._prepared is not None:
            self.look_again()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.stop()

    @property
    def what(self) -> What:
        """What is to be printed."""
        return next(name for name, each in self.tabs.items() if each.isChecked())

    def choose(self, what: What) -> None:
        """Turn to what is to be printed."""
        self.tabs[what].setChecked(True)

    def look_again(self) -> None:
        """Find out anew what can be printed, from what the order is now."""
        if self._source is not None and not self._busy:
            self._tasks.read("print look", self._look())

    def stop(self) -> None:
        """Break off what is being printed or saved."""
        self._progress.stop = True

    def save(self) -> None:
        """Ask for a file and write the PDF."""
        if self._can_print():
            self._tasks.read("print", self._run(self._save))

    def print_it(self) -> None:
        """Send it to the chosen printer."""
        if self._can_print() and self.printer.text():
            self._tasks.read("print", self._run(self._print))

    def _can_print(self) -> bool:
        found = self._prepared
        return found is not None and found.page_count > 0 and not self._busy

    async def _begin(self) -> None:
        assert self._desk is not None
        self._choices = found = await print_choices.last(self._desk.journal)
        for field, kept in ((self.stock, found.stock), (self.fineness, found.fineness), (self.paper, found.paper)):
            if field.editor.findData(kept) >= 0:
                field.set_text(kept)
        self._offer_places()
        await self._look()

    async def _ask_printers(self) -> None:
        """Offer the printers there are. A print system that hangs holds up nothing else."""
        assert self._desk is not None
        self.printer.editor.clear()
        self.no_printer.setText(_ASKING)
        self._arrange()
        progress = Progress()
        try:
            names, said = await in_thread(lambda: self._devices.names(progress), progress), _NO_PRINTER
        except PrintTrouble as trouble:
            names, said = [], trouble.sentence
        kept = (await print_choices.last(self._desk.journal)).printer
        self.no_printer.setText(said)
        for name in names:
            self.printer.editor.addItem(visible(name), name)
        if kept in names:
            self.printer.set_text(kept)
        self._arrange()

    async def _look(self) -> None:
        progress = Progress()
        self._show(await in_thread(self._preparing(progress), progress))

    def _preparing(self, progress: Progress) -> Callable[[], Prepared]:
        assert self._source is not None
        subject = self._source()
        self.title.setText(visible(f"Order {subject.reference}" if subject.reference else "Order without a reference"))
        self.standing.setText(visible(subject.standing))
        room = QSize(*PRINT_PREVIEW_SIZE) * self.devicePixelRatioF()
        what, chosen, begin, now = self.what, self._chosen(), int(self.begin.text() or 0), self._room.now()
        return lambda: prepare(subject, what, chosen, begin, now, room, progress)

    def _chosen(self) -> Choices:
        return replace(
            self._choices, stock=self.stock.text(), fineness=self.fineness.text(), paper=self.paper.text(),
            printer=self.printer.text() or self._choices.printer,
        )  # fmt: skip

    def _offer_places(self) -> None:
        """A sheet that was begun before goes on where its next label is."""
        stock = next(each for each in STOCKS if each.key == self.stock.text())
        self.begin.editor.blockSignals(True)
        self.begin.editor.clear()
        for place in range(stock.per_page):
            self.begin.editor.addItem(f"{place + 1} of the sheet", str(place))
        self.begin.editor.blockSignals(False)

    def _say_nothing_yet(self) -> None:
        self._prepared = None
        self.summary.setText("Looking what fits…")
        self.caption.setText("")
        self.preview.setPixmap(QPixmap())
        self._arrange()

    def _show(self, found: Prepared) -> None:
        self._prepared = found
        self.summary.setText(found.summary)
        self.refusals.clear()
        self.refusals.addItems([visible(words) for words in refusal_words(found.refusals)])
        if found.preview is None:
            self.preview.setText("Nothing to print")
        else:
            picture = QPixmap.fromImage(found.preview)
            picture.setDevicePixelRatio(self.devicePixelRatioF())
            self.preview.setPixmap(picture)
        self.preview.setAccessibleName(found.caption or "Nothing to print")
        self.caption.setText(found.caption)
        self._arrange()

    def _arrange(self) -> None:
        """Show what belongs to the choice, and let only what is possible be pressed."""
        labels = self.what != "sheet"
        for field in (self.stock, self.fineness):
            field.setVisible(labels)
        self.begin.setVisible(labels and self.begin.editor.count() > 1)
        self.paper.setVisible(not labels)
        found = self._prepared
        self.refusals.setVisible(found is not None and bool(found.refusals))
        self.advice.setVisible(labels and found is not None and found.page_count > 0)
        printers = self.printer.editor.count() > 0
        self.printer.setVisible(printers)
        self.no_printer.setVisible(not printers)
        self.save_button.setEnabled(self._can_print())
        self.print_button.setEnabled(self._can_print() and printers)
        for each in (*self.tabs.values(), self.stock, self.begin, self.fineness, self.paper, self.printer):
            each.setEnabled(not self._busy)
        # What is wrapped takes more room the more it says; a layout in a widget does not ask for it by itself.
        needed = self._controls.layout()
        assert needed is not None
        self._controls.setMinimumHeight(needed.minimumHeightForWidth(PRINT_CONTROLS_WIDTH))
        self._fit()

    def _fit(self) -> None:
        """Be as large as what is shown, within the screen."""
        wanted = self._body.sizeHint()
        self.area.setMinimumWidth(wanted.width() + self.area.verticalScrollBar().sizeHint().width())
        around = self.sizeHint().height() - self.area.sizeHint().height()
        most = self.screen().availableGeometry().height() - FRAME_AWAY
        height = min(max(self.height(), wanted.height() + around), most)
        if height != self.height():
            self.resize(self.width(), height)

    def _on_tab(self, chosen: bool) -> None:
        if chosen:
            self.look_again()

    async def _run(self, work: Callable[[Prepared], Awaitable[str]]) -> None:
        """Print what the order is now, and say how it ended."""
        assert self._desk is not None
        self.bar.clear()
        self._progress = progress = Progress()
        self._busy = True
        self._arrange()
        try:
            found = await in_thread(self._preparing(progress), progress)
            self._show(found)
            progress.total = found.page_count
            said = await work(found)
            if said:
                await print_choices.remember(self._desk.journal, self._chosen())
                self.bar.say("good", said)
        except Stopped:
            self.bar.say("", "Stopped. Nothing was saved or printed.")
        except (PrintTrouble, StoreError) as error:
            self.bar.say("bad", error.sentence)
        finally:
            self._watch.stop()
            self.working.hide()
            self._busy = False
            self._arrange()

    async def _save(self, found: Prepared) -> str:
        target = await self._devices.choose(self, found.file_name)
        if target is None:
            return ""
        await self._work(lambda progress: page_output.save_pdf(found.pages(), target, found.title, progress))
        return f"{found.counted} saved to {target}."

    async def _print(self, found: Prepared) -> str:
        name, send = self.printer.text(), self._devices.send
        await self._work(lambda progress: send(found.pages(), name, found.title, progress))
        return f"{found.counted} sent to {name}."

    async def _work(self, job: Callable[[Progress], None]) -> None:
        progress = self._progress
        self._show_progress()
        self.working.show()
        self._watch.start()
        with self._tasks.ask_about(self._words_when_leaving):
            await in_thread(lambda: job(progress), progress)

    def _words_when_leaving(self) -> str:
        """Empty once a printer has it: that is waited for in any case."""
        return "" if self._progress.handed_over else f"{self.title.text()}: {_pages_done(self._progress)}"

    def _show_progress(self) -> None:
        progress = self._progress
        self.progress.setMaximum(max(progress.total, 1))
        self.progress.setValue(progress.done)
        lead = "Handing over to the printer: " if progress.handed_over else ""
        self.progress_label.setText(f"{lead}{_pages_done(progress)}")
        self.stop_button.setEnabled(not progress.handed_over)


def _pages_done(progress: Progress) -> str:
    return f"{progress.done:,} of {counted(progress.total, 'page')}"
